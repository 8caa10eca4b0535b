"""The numerical section, small: the exact illustration, verdicts, files, the command, and the power of the tables."""

import csv
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bufalu.cli import main
from bufalu.commands import reproduce
from bufalu.experiments.engine import compiled
from bufalu.experiments.engine.errors import ExperimentsUnavailable
from bufalu.experiments.engine.running import Configuration, SeedResults, run_seeds
from bufalu.experiments.paper import results, verdicts
from bufalu.experiments.paper.budget_effect import BudgetPoint, cells, minimisers
from bufalu.experiments.paper.deterministic import (
    break_even_cost,
    deterministic_runs,
    find,
    fitting_variant_run,
)
from bufalu.experiments.paper.power import bufalu_rows, variant_pieces, variant_score
from bufalu.experiments.paper.printed import paper_rows
from bufalu.experiments.paper.reproduction import Reproduction
from bufalu.experiments.paper.results import Results
from bufalu.experiments.paper.statistics import TableStatistics, threshold
from bufalu.experiments.paper.tables import measured, table_threshold
from bufalu.experiments.paper.text_numbers import budget_statements, deterministic_statements, table_statements
from bufalu.experiments.paper.variants import VARIANTS, run_variant, variant_named
from bufalu.experiments.studies.counts import counts_of
from bufalu.experiments.studies.running import carried_out, planned
from bufalu.experiments.studies.store import Folder, Memory, write_whole
from bufalu.experiments.studies.workers import ThisProcess
from bufalu.oracle.known_bugs import KNOWN_BUGS
from bufalu.pages.paper_figures import draw_figures
from bufalu.reference.schedules import parse_schedule

ROOT = Path(__file__).resolve().parents[3]
LIMIT = threshold(192)


def scaled_outcome(row, plays, queries, seeds=4):
    """An outcome with the given counts in every seed."""
    outcome = SeedResults(
        (100_000,), np.tile(np.array(plays), (1, seeds, 1)), np.tile(np.array(queries), (1, seeds, 1)), 0
    )
    return counts_of(row.paper.instance, outcome)


def test_the_illustration_in_exact_numbers():
    runs = deterministic_runs()
    ours, baseline = find(runs, "unique", "bufalu"), find(runs, "unique", "cbm-ucb")
    assert (ours.regret, ours.all_queries) == (62, 124)
    assert (baseline.regret, baseline.all_queries) == (17, 21_862)
    assert break_even_cost(ours, baseline) == Fraction(45, 21_738)
    assert all(find(runs, "multiple", policy).regret == 17 for policy in ("bufalu", "bufau", "greedy", "cbm-ucb"))


def test_the_variant_fits_the_printed_ratios_better():
    ours, variant, baseline = find(deterministic_runs(), "unique", "bufalu"), fitting_variant_run(), 21_862
    assert abs(baseline / variant.all_queries - 150) < abs(baseline / ours.all_queries - 150)
    assert abs(variant.regret / 17 - 4) < abs(ours.regret / 17 - 4)


def test_statements_of_the_illustration_say_what_holds():
    found = {statement.claim: statement for statement in deterministic_statements()}
    assert found["deterministic.query_ratio"].verdict == "ERRATUM"
    assert found["deterministic.same_when_multiple"].verdict == "ERRATUM"
    holding = {claim for claim, statement in found.items() if statement.verdict == "EXACT"}
    assert holding == {"deterministic.query_cap", "deterministic.regret_factor", "deterministic.break_even"}


@pytest.fixture(scope="module")
def quick():
    return verdicts.quick_results(20)


def test_every_row_and_statement_gets_a_verdict(quick):
    evidence = verdicts.table_evidence(quick)
    assert {e.claim for e in evidence} == {*verdicts.row_claims(), *verdicts.STATEMENT_CLAIMS}
    rows = [e for e in evidence if e.claim.startswith("table.")]
    assert len(rows) == 24
    assert all(e.verdict == "REPRODUCED" for e in rows)
    assert all(e.verdict != "REFUTED" for e in evidence)


def test_a_wrong_row_is_refuted(quick):
    limit = table_threshold(quick.tables)
    row = next(r for r in quick.tables if r.paper.claim == "table.inverse-log.unique.greedy")
    assert row.reproduced(limit)
    one_more = scaled_outcome(row, [250, 250, 250, 250, 99_000], [250, 250, 250, 250, 44_786])
    assert not measured(row.paper, one_more).reproduced(limit)


def test_a_wrong_statement_is_refuted(quick):
    doubled = [
        replace(row, regret=TableStatistics(2 * row.regret.mean, row.regret.std, row.regret.q90, row.regret.max))
        if row.paper.policy == "bufalu"
        else row
        for row in quick.tables
    ]
    refuted = {statement.claim for statement in table_statements(doubled) if statement.verdict == "REFUTED"}
    assert refuted == {
        "tables.factor_three",
        "tables.factor_four",
        "tables.always_asked",
        "tables.same_when_multiple",
    }


def test_schedules_that_differ_are_not_called_similar(quick):
    halved = [
        replace(row, regret=replace(row.regret, mean=row.regret.mean / 2))
        if row.paper.claim == "table.inverse-log.multiple.cbm-ucb"
        else row
        for row in quick.tables
    ]
    refuted = {statement.claim for statement in table_statements(halved) if statement.verdict == "REFUTED"}
    assert refuted == {"tables.schedules_alike"}


@pytest.mark.parametrize(
    ("optimum", "fraction", "refuted"),
    [
        ("unique", Fraction(3, 100), "budget_effect.small_budgets"),
        ("multiple", Fraction(1, 2), "budget_effect.same_when_multiple"),
        ("unique", Fraction(1), "budget_effect.fewer_queries"),
    ],
)
def test_a_wrong_point_of_the_sweep_is_refuted(quick, optimum, fraction, refuted):
    def wrong(point):
        if (point.optimum, point.policy, point.fraction) != (optimum, "bufalu", fraction):
            return point
        regret = replace(point.regret, mean=3 * point.regret.mean)
        return replace(point, regret=regret, queries=replace(point.queries, mean=2 * point.queries.mean))

    before = {s.claim for s in budget_statements(quick.budget) if s.verdict == "REFUTED"}
    after = {s.claim for s in budget_statements([wrong(p) for p in quick.budget]) if s.verdict == "REFUTED"}
    assert refuted not in before
    assert refuted in after


def test_the_minimum_of_a_curve_and_what_chance_cannot_tell_from_it():
    def point(fraction, mean):
        statistics = TableStatistics(mean, 1.0, mean, mean)
        return BudgetPoint("unique", "hoeffding", "bufalu", Fraction(fraction, 100), 100, statistics, statistics, 0)

    line = [point(5, 20.0), point(8, 10.0), point(10, 10.2), point(50, 30.0)]
    assert minimisers(line, 2.0) == (Fraction(8, 100), Fraction(8, 100), Fraction(10, 100))


def test_a_small_sample_does_not_refute_the_minimum_and_a_large_one_can():
    def moved(seeds, shift):
        cheap = TableStatistics(6.0, 1.0, 7.0, 9.0)
        dear = TableStatistics(6.0 + shift, 1.0, 7.0 + shift, 9.0 + shift)
        points = [
            BudgetPoint(*key, fraction, seeds, cheap if fraction == Fraction(7, 100) else dear, cheap, 0)
            for *key, fraction in cells()
        ]
        found = {statement.claim: statement for statement in budget_statements(points)}
        return found["budget_effect.minimum"].verdict

    assert moved(100, 2.0) == "NOT RUN"
    assert moved(1_000, 2.0) == "NOT RUN"
    assert moved(1_000, 60.0) == "REFUTED"
    assert moved(1_000, 0.0) == "REPRODUCED"


def test_the_variant_as_printed_is_bufalu():
    row = paper_rows()[0]
    schedule = parse_schedule(row.schedule)
    plain = run_variant(variant_named("as-printed"), row.instance, schedule, 20_000, [0, 1])
    engine = run_seeds(Configuration("bufalu", row.instance, schedule, 20_000), [0, 1])
    assert np.array_equal(plain.plays, engine.plays)
    assert np.array_equal(plain.queries, engine.queries)


def score(name, claim):
    """How far a variant is from a printed row with 40 seeds."""
    row = next(row for row in bufalu_rows() if row.claim == claim)
    store = Memory()
    carried_out(planned(variant_pieces(variant_named(name), row, 40), store), store, ThisProcess())
    return variant_score(store, variant_named(name), row, 40)[0]


@pytest.mark.parametrize(
    ("variant", "claim"),
    [
        ("epsilon-on-width", "table.power.unique.bufalu"),
        ("epsilon-ignored", "table.inverse-log.multiple.bufalu"),
        ("narrower-queried", "table.zero.unique.bufalu"),
        ("constant-two", "table.power.unique.bufalu"),
        ("constant-one", "table.zero.unique.bufalu"),
    ],
)
def test_the_tables_tell_these_variants_apart(variant, claim):
    assert score(variant, claim) > LIMIT


@pytest.mark.parametrize("variant", ["epsilon-on-challenger", "leader-by-ucb", "leader-by-mean"])
def test_the_tables_cannot_tell_these_variants_apart(variant):
    assert score(variant, "table.power.unique.bufalu") < LIMIT
    assert variant in {v.name for v in VARIANTS}


def test_the_command_writes_json_csv_and_verdicts(tmp_path, capsys):
    assert main(["reproduce", "deterministic", "--workers", "1", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "certified: no decision depended on rounding" in printed
    assert "1/176.3" in printed
    document = json.loads((tmp_path / "deterministic" / "results.json").read_text(encoding="utf-8"))
    assert document["format"] == "bufalu-results"
    with (tmp_path / "deterministic" / "deterministic.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 8
    assert rows[0]["queries"] == "62 62"


def test_the_command_prints_json(tmp_path, capsys):
    assert main(["reproduce", "deterministic", "--json", "--out", str(tmp_path)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["deterministic"]
    assert document["deterministic"]["statements"][0]["claim"] == "deterministic.query_ratio"


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != ".lock"}


def test_one_part_leaves_the_others_alone(tmp_path, capsys):
    assert main(["reproduce", "deterministic", "--out", str(tmp_path)]) == 0
    before = contents(tmp_path)
    assert main(["reproduce", "budget", "--seeds", "20", "--out", str(tmp_path)]) == 0
    after = contents(tmp_path)
    assert {path: after[path] for path in before} == before
    added = {path.relative_to(tmp_path).parts[0] for path in after.keys() - before.keys()}
    assert added == {"budget", "pieces"}
    for part in ("deterministic", "budget"):
        document = json.loads((tmp_path / part / "results.json").read_text(encoding="utf-8"))
        with (tmp_path / part / f"{part}.csv").open(encoding="utf-8") as stream:
            assert len(list(csv.DictReader(stream))) == len(document[part])
        assert {statement["claim"].split(".")[0] for statement in document["statements"]} <= {
            "deterministic": {"deterministic"},
            "budget": {"budget_effect", "kl_ucb"},
        }[part]
    capsys.readouterr()
    # Again, and nothing is computed: what is stored is enough.
    pieces = {path: path.stat().st_mtime_ns for path in tmp_path.glob("pieces/*/*")}
    assert main(["reproduce", "budget", "--seeds", "20", "--out", str(tmp_path)]) == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("pieces/*/*")} == pieces
    assert contents(tmp_path) == after


@pytest.mark.long
def test_figures_are_drawn_from_the_same_runs(tmp_path):
    store = Folder(tmp_path / "pieces")
    figures = Reproduction(("figures",), 20, store)
    carried_out(figures.work(), store, ThisProcess())
    drawn = sorted(path.name for path in draw_figures(*figures.drawn(), tmp_path / "figures"))
    names = ("budget-hoeffding", "budget-kl-ucb", "deterministic", "five-arms-inverse-log", "five-arms-power")
    assert drawn == sorted(f"{name}.{kind}" for name in (*names, "five-arms-zero") for kind in ("png", "svg"))
    # The tables need nothing more than other intervals and variants.
    tables = Reproduction(("tables",), 20, store).work()
    assert all(
        '"confidence":"hoeffding"' not in piece.text or '"path":"variant"' in piece.text for piece in tables.missing
    )


def test_too_few_seeds_are_refused(tmp_path, capsys):
    assert main(["reproduce", "tables", "--seeds", "2", "--out", str(tmp_path)]) == 2
    assert "at least 20 seeds" in capsys.readouterr().err


def test_a_summary_never_stands_beside_the_tables_of_another_run(tmp_path, monkeypatch):
    def documents(found):
        lists = {"budget": [{"seeds": found.seeds}], "power": [{"seeds": found.seeds}] if found.seeds < 30 else []}
        return {"budget": {"seeds": found.seeds, **lists}}

    monkeypatch.setattr(results, "documents", documents)
    assert len(results.write_results(Results(20), tmp_path)) == 3

    def full_after(files):
        left = [None] * files

        def write(path, content):
            if not left:
                raise OSError(28, "No space left on device")
            left.pop()
            write_whole(path, content)

        return write

    for files in (0, 1):
        monkeypatch.setattr(results, "write_whole", full_after(files))
        with pytest.raises(OSError, match="No space"):
            results.write_results(Results(30), tmp_path)
        assert not (tmp_path / "budget" / "results.json").exists()
    monkeypatch.setattr(results, "write_whole", write_whole)
    results.write_results(Results(30), tmp_path)
    # The table that this run does not have is gone.
    assert sorted(path.name for path in (tmp_path / "budget").iterdir()) == ["budget.csv", "results.json"]


class ImpatientProgress:
    """A progress bar that presses Ctrl-C at its third news."""

    heard = 0

    def __init__(self, *_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def update(self, done):
        ImpatientProgress.heard += 1
        if ImpatientProgress.heard == 3:
            os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_keeps_what_is_finished(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(reproduce, "Progress", ImpatientProgress)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code = main(["reproduce", "budget", "--seeds", "20", "--workers", "2", "--out", str(tmp_path)])
    finally:
        signal.signal(signal.SIGINT, before)
    printed = capsys.readouterr()
    assert code == 130
    assert "Traceback" not in printed.err
    assert "what is finished is kept" in printed.err
    assert len(list(tmp_path.glob("pieces/*/*.piece"))) >= 3
    assert not (tmp_path / "budget").exists()


def test_without_numba_the_room_imports_and_says_what_is_missing(monkeypatch, tmp_path):
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from bufalu.experiments.engine import running\nfrom bufalu.experiments.paper import verdicts, variants\n"
        "assert {e.verdict for e in verdicts.quick_evidence()} == {'NOT RUN'}\n"
        "from bufalu.cli import main\n"
        "sys.exit(main(['reproduce', 'tables']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr
    assert "pip install numba" in done.stderr
    monkeypatch.setattr(compiled, "AVAILABLE", False)
    with pytest.raises(ExperimentsUnavailable):
        compiled.require()


def test_an_empty_result_holds_and_says_nothing():
    assert Results(10).holds()
    assert verdicts.table_evidence(Results(10)) == []


def test_variants_are_known_bugs_under_the_same_names():
    known = {bug.id for bug in KNOWN_BUGS}
    others = [variant.name for variant in VARIANTS if variant.name not in known]
    assert others == ["as-printed", "constant-one", "radius-two-percent-wide"], (
        "no bugs: the rule itself, and two scales"
    )
