"""Studies with late and missing answers: the runs of the reference, seed by seed, and no bound beside them."""

import json
from fractions import Fraction

import numpy as np
import pytest

from bufalu.experiments.studies.errors import InvalidStudy
from bufalu.experiments.studies.pieces import REFERENCE, path_of, pieces_of
from bufalu.experiments.studies.running import run_study
from bufalu.experiments.studies.study import Study
from bufalu.experiments.studies.study_files import read_study
from bufalu.experiments.studies.summary import summarised
from bufalu.oracle.report import check_trace
from bufalu.pages.study_text import study_text
from bufalu.reference.instances import Instance
from bufalu.reference.trace_files import read_trace
from tests.bufalu.runner import bufalu

ARMS = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
GRID = {"policies": ["bufalu", "greedy", "pairs:2"], "epsilons": "constant:1", "horizons": 120, "seeds": 2}


def study(**more):
    return Study(instances=ARMS, **{**GRID, **more})


def test_a_seed_of_a_study_is_the_run_that_simulate_writes(tmp_path):
    runs = run_study(study(delay=6, missing=Fraction(1, 5)))
    for cell in runs.cells:
        counts = runs.counts(cell)
        for seed in range(2):
            path = tmp_path / f"{cell.policy}-{seed}.jsonl"
            run = ["--means", "1/4,1/2", "--epsilon", "constant:1", "--horizon", 120, "--seed", seed, "--out", path]
            assert bufalu("simulate", "--policy", cell.policy, *run, "--delay", 6, "--missing", 0.2).returncode == 0
            trace = read_trace(path)
            assert trace.late and check_trace(trace, strict=True).conforms
            assert counts.queries[-1, seed] == trace.tally().queries
            assert counts.regret[-1, seed] == pytest.approx(float(trace.tally().regret(ARMS.gaps)))
    at_once = run_study(study())
    assert any(
        not np.array_equal(runs.counts(late).queries, at_once.counts(cell).queries)
        for late, cell in zip(runs.cells, at_once.cells, strict=True)
    )


def test_the_reference_plays_it_and_no_bound_is_told():
    late = study(delay=6, missing="1/5")
    for cell in late.cells():
        assert path_of(cell) is REFERENCE
        (piece,) = pieces_of(cell, 2)
        assert (json.loads(piece.text)["delay"], json.loads(piece.text)["missing"]) == (6, "1/5")
    summary = summarised(run_study(late))
    assert {found.bounds for found in summary.cells} == {"the theorems speak of answers that come at once"}
    text = study_text(summary)
    assert "| answers 6 rounds late, 1/5 never | T = 120 |" in text
    assert "and here they come 6 rounds late, 1/5 never" in text
    assert study().cells()[0].late is None and path_of(study().cells()[0]) is not REFERENCE
    assert late.document()["missing"] == "1/5" and late.document() != study().document()


def test_files_and_options_say_it(tmp_path):
    path = tmp_path / "late.toml"
    lines = [
        'policies = "bufalu"',
        'epsilons = "constant:1"',
        "horizons = 40",
        "seeds = 1",
        "delay = 3",
        "missing = 0.1",
    ]
    path.write_text("\n".join([*lines, "[instances.two]", "means = [0.25, 0.5]"]))
    assert (read_study(path).delay, read_study(path).missing) == (3, "1/10")
    refused = bufalu("compare", path, "--delay", 2)
    assert refused.returncode == 2 and "leave out --delay" in refused.stderr
    grid = ["--means", "1/4,1/2", "--policy", "bufalu", "--epsilon", "zero", "--horizon", 30, "--seeds", 1]
    told = bufalu("compare", *grid, "--delay", 3, "--missing", "1/10", "--json")
    assert json.loads(told.stdout)["study"]["delay"] == 3
    for wrong in (("--delay", "-1"), ("--missing", "2"), ("--missing", "x")):
        assert bufalu("compare", *grid, *wrong).returncode == 2
    with pytest.raises(InvalidStudy, match="missing"):
        study(missing=2)
    with pytest.raises(InvalidStudy, match="delay"):
        study(delay=-1)
