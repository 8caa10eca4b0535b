"""`bufalu compare` and `compare`: what is printed, what is left, and that it is the same after any interruption."""

import csv
import json
import os
import random
import re
import shutil
import signal
import sys
import tracemalloc
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from pyarrow import parquet

from bufalu import Instance, Study, compare, studies
from bufalu.cli import main
from bufalu.commands.compare import say_what_is_found
from bufalu.experiments.engine import compiled
from bufalu.experiments.studies.checkpoints import checkpoints
from bufalu.experiments.studies.errors import StudiesUnavailable, UnusableFolder
from bufalu.experiments.studies.folder import held
from bufalu.experiments.studies.running import run_study
from bufalu.experiments.studies.store import Folder
from bufalu.experiments.studies.summary import summarised
from bufalu.pages.study_text import number
from tests.experiments.studies.interrupted import begun, holding

GRID = [
    *("--means", "0.25,0.5"),
    *("--policy", "bufalu", "--policy", "bufau", "--policy", "cbm-ucb", "--policy", "greedy"),
    *("--epsilon", "power:1/4", "--epsilon", "budget:500"),
    *("--horizon", "1e4", "--seeds", "40"),
]
CELLS = 4 * 2

SMALL = Study(
    instances={"two": Instance.bernoulli([0.25, 0.5])},
    policies=["bufalu", "bufau"],
    epsilons=["power:1/4", "zero"],
    horizons=2000,
    seeds=25,
    title="Two arms",
)


def printed_by(*arguments):
    """What the command prints when all goes well."""
    printed = StringIO()
    with redirect_stdout(printed):
        assert main(["compare", *map(str, arguments)]) == 0
    return printed.getvalue()


@pytest.fixture(scope="module")
def left(tmp_path_factory):
    """A study that nothing disturbed, and what it printed."""
    folder = tmp_path_factory.mktemp("undisturbed") / "study"
    return folder, printed_by(*GRID, "--out", folder)


@pytest.fixture(scope="module")
def small():
    """A smaller study, which leaves nothing."""
    return compare(SMALL)


def files_of(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def test_everything_is_left(left):
    folder, printed = left
    names = {name for name in files_of(folder) if not name.startswith(("pieces/", "pictures/"))}
    assert names == {
        "results.parquet",
        "curves.parquet",
        "summary.csv",
        "summary.json",
        "study.html",
        "study.json",
    }
    assert len([name for name in files_of(folder) if name.startswith("pieces/")]) == CELLS
    pictures = sorted((folder / "pictures").iterdir())
    assert len(pictures) == 2 * 4
    for picture in pictures:
        if picture.suffix == ".svg":
            ElementTree.parse(picture)
        else:
            assert picture.read_bytes().startswith(b"\x89PNG")
    for path in (*pictures, folder / "study.html"):
        assert str(path) in printed


def test_rows_summary_and_table_say_the_same(left):
    folder, printed = left
    rows = parquet.read_table(folder / "results.parquet").to_pylist()
    assert len(rows) == CELLS * 40
    with (folder / "summary.csv").open(encoding="utf-8") as stream:
        cells = list(csv.DictReader(stream))
    document = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert len(cells) == len(document["cells"]) == CELLS
    names = ("instance", "policy", "epsilon", "confidence", "ties")
    for cell, record in zip(cells, document["cells"], strict=True):
        mine = [row for row in rows if all(row[name] == cell[name] for name in names)]
        assert [row["seed"] for row in mine] == list(range(40))
        for quantity in ("regret", "queries"):
            values = np.array([row[quantity] for row in mine], float)
            assert float(cell[f"{quantity}_mean"]) == record[f"{quantity}_mean"] == values.mean()
            assert float(cell[f"{quantity}_q95"]) == np.quantile(values, 0.95)
            assert float(cell[f"{quantity}_max"]) == values.max()
            base = [r for r in rows if all(r[n] == {**cell, "policy": "bufalu"}[n] for n in names)]
            if cell["policy"] != "bufalu":
                paired = values - np.array([row[quantity] for row in base], float)
                assert float(cell[f"{quantity}_difference_mean"]) == paired.mean()
            else:
                assert cell[f"{quantity}_difference_mean"] == ""
            if cell["policy"] in ("bufalu", "bufau"):
                assert float(cell[f"{quantity}_bound_over_mean"]) > 1
            else:
                assert cell[f"{quantity}_bound"] == ""
                assert "no theorem" in cell["no_bound_because"]
        assert [sum(row["arm_queries"]) for row in mine] == [row["queries"] for row in mine]
        assert number(float(cell["regret_q50"])) in printed
    curves = parquet.read_table(folder / "curves.parquet").to_pylist()
    ends = [row for row in curves if row["round"] == 10_000]
    assert [row["regret_mean"] for row in ends] == [record["regret_mean"] for record in document["cells"]]


def test_the_table_says_what_it_is_of(left):
    _, printed = left
    assert "0.25,0.5 | epsilon power:1/4 | hoeffding | ties first | T = 10,000 | 40 seeds" in printed
    assert "no decision depended on rounding" in printed
    assert "bound / mean" in printed


def test_it_is_said_when_more_seeds_are_needed_and_when_nothing_differs():
    study = Study(
        instances=Instance.bernoulli([0.2, 0.5, 0.5]),
        policies=["cbm-ucb", "greedy", "bufalu"],
        epsilons="zero",
        horizons=1000,
        seeds=4,
    )
    said = compare(study).text()
    assert "greedy and cbm-ucb have the same regret in every seed" in said
    assert "more seeds are needed to tell the regret of bufalu and cbm-ucb apart: about" in said
    one = Study(**{**vars(study), "seeds": 1})
    assert "one seed tells nothing about regret" in compare(one).text()


def test_more_workers_find_the_same(small):
    # That the files they leave are the same too is seen below, where workers are lost besides.
    assert compare(SMALL, workers=2).rows() == small.rows()


def children(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]


def stored(folder):
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.glob("pieces/*/*.piece")}


def test_killed_at_random_points_the_study_ends_the_same(left, tmp_path):
    """The program is killed, Ctrl-C is pressed or one of its workers is killed after a drawn number of stored pieces."""
    chance, folder = random.Random(3), tmp_path / "study"
    kept = {}
    for how in (*chance.sample(["kill", "kill", "ctrl-c"], 3), "worker"):
        pieces = 1 if how == "worker" else chance.randint(1, 2)
        complaints = tmp_path / "complaints"
        program, line = begun(["compare", *GRID, "--workers", "2", "--out", str(folder)], pieces, complaints)
        if how == "worker":
            os.kill(children(program.pid)[0], signal.SIGKILL)
            line.send("go on")
        else:
            os.kill(program.pid, signal.SIGKILL if how == "kill" else signal.SIGINT)
        program.join()
        assert "Traceback" not in complaints.read_text(encoding="utf-8")
        assert program.exitcode == {"kill": -9, "worker": 0, "ctrl-c": 130}[how]
        now = stored(folder)
        assert {path: now.get(path) for path in kept} == kept, "a finished piece was computed again"
        assert len(now) == CELLS if how == "worker" else len(now) == len(kept) + pieces
        kept = now
    assert files_of(folder) == files_of(left[0])


def test_a_damaged_piece_is_said_and_redone(left, tmp_path, monkeypatch):
    monkeypatch.setattr(studies, "draw_study", lambda summary, folder: [])  # pictures are looked at elsewhere
    folder = shutil.copytree(left[0], tmp_path / "copy")
    piece = next(iter(sorted(folder.glob("pieces/*/*.piece"))))
    whole = piece.read_bytes()
    piece.write_bytes(whole[:-1])
    said = printed_by(*GRID, "--out", folder)
    assert f"1 stored pieces were damaged and were computed again: {piece.name}" in said
    assert piece.read_bytes() == whole


def test_another_study_in_the_same_folder_is_refused(left, capsys):
    before = files_of(left[0])
    for arguments, said in (
        ([*GRID, "--policy", "nothing"], "nothing"),
        ([*GRID[:-4], "--horizon", "99", "--seeds", "40"], "holds another study"),
    ):
        assert main(["compare", *arguments, "--out", str(left[0])]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert len(printed.err.strip().splitlines()) == 1
        assert said in printed.err
    assert files_of(left[0]) == before


def test_what_is_found_is_said(left, tmp_path, capsys, monkeypatch):
    folder = shutil.copytree(left[0], tmp_path / "copy")
    monkeypatch.setattr(studies, "draw_study", lambda summary, folder: [])  # pictures are looked at elsewhere
    assert main(["compare", *GRID, "--out", str(folder)]) == 0
    said = capsys.readouterr().err
    assert f"taking up {folder}: {CELLS} of {CELLS} pieces are stored, nothing is left to play" in said
    assert "compiling" not in said
    nothing_kept = SimpleNamespace(stats=SimpleNamespace(cache_path=str(tmp_path)))
    monkeypatch.setattr(compiled, "_NUMBA", SimpleNamespace(njit=lambda cache: lambda function: nothing_kept))
    for kept in (False, True):
        work = SimpleNamespace(pieces=[1, 2], missing=[2], rounds=7)
        say_what_is_found(work, SimpleNamespace(out="here", cluster=None))
        said = capsys.readouterr().err
        assert said.startswith("taking up here: 1 of 2 pieces are stored, 7 rounds are left\n")
        assert ("compiling the engine, once" in said) == (not kept)
        (tmp_path / "loop.build.locals.advance-43.py311.nbi").touch()


def test_numbers_written_otherwise_are_the_same_study(tmp_path, monkeypatch):
    monkeypatch.setattr(studies, "draw_study", lambda summary, folder: [])  # pictures are looked at elsewhere
    options = ["--policy", "bufalu", "--epsilon", "zero", "--horizon", "50", "--seeds", "2", "--out", tmp_path]
    printed_by("--means", "0.13,0.5", *options)
    pieces = stored(tmp_path)
    assert printed_by("--means", "13/100,1/2", *options)
    assert stored(tmp_path) == pieces
    assert "13/100,1/2" in (tmp_path / "summary.csv").read_text(encoding="utf-8")


def test_more_seeds_reuse_what_is_there_and_replace_all_results(tmp_path, monkeypatch):
    monkeypatch.setattr(studies, "draw_study", lambda summary, folder: [])  # pictures are looked at elsewhere
    first = compare(SMALL, out=tmp_path)
    more = Study(
        instances=SMALL.instances,
        policies=SMALL.policies,
        epsilons=SMALL.epsilons,
        horizons=2000,
        seeds=30,
        title="Two arms",
    )
    second = compare(more, out=tmp_path)
    assert [cell.seeds for cell in first.summary.cells] == [25] * 4
    assert parquet.read_table(tmp_path / "results.parquet").num_rows == 4 * 30
    assert json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["study"]["seeds"] == 30
    assert second.rows()["regret"][:25] == first.rows()["regret"][:25]


def test_one_program_in_a_folder_at_a_time(tmp_path):
    other = holding(tmp_path)
    with pytest.raises(UnusableFolder, match="another program"), held(tmp_path):
        pass
    other.kill()
    other.join()
    with held(tmp_path):
        pass


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--policy is missing"),
        (["--policy", "bufalu"], "--epsilon is missing"),
        (["none.toml"], "cannot read the study"),
        (["none.toml", "--policy", "bufalu"], "leave out --policy"),
        ([*GRID, "--means", "1/4,1/2"], "given twice"),
        ([*GRID, "--cluster", "nowhere"], "neither the address of a scheduler"),
        ([*GRID, "--cluster", "local:2", "--workers", "2"], "workers or cluster, not both"),
        ([*GRID[2:], "--instance", "arms.json", "--rewards", "deterministic"], "--rewards goes with --means"),
        (GRID[2:], "give the arms"),
    ],
)
def test_a_wrong_command_gets_one_clear_line(arguments, said, capsys):
    assert main(["compare", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert len(printed.err.strip().splitlines()) == 1


def test_json_and_a_study_file(tmp_path, capsys):
    (tmp_path / "study.toml").write_text(
        'policies = ["bufalu", "greedy"]\nepsilons = "zero"\nhorizons = 300\nseeds = 10\n'
        "[instances.two]\nmeans = [0.25, 0.5]\n",
        encoding="utf-8",
    )
    assert main(["compare", str(tmp_path / "study.toml"), "--seeds", "5", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["study"]["seeds"] == 5
    assert [cell["policy"] for cell in document["cells"]] == ["bufalu", "greedy"]
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]


def test_several_instances_from_the_line(tmp_path, capsys):
    (tmp_path / "three.json").write_text(
        '{"arms": [{"deterministic": "0.5"}, {"values": [0, 1], "probabilities": ["1/3", "2/3"]}]}', encoding="utf-8"
    )
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "three.json").write_text('{"arms": [{"bernoulli": "0.1"}]}', encoding="utf-8")
    instances = ["--means", "0.25,0.5", "--means", "0.1," * 29 + "0.2", "--instance", str(tmp_path / "three.json")]
    instances += ["--instance", str(tmp_path / "other" / "three.json")]
    rest = ["--policy", "bufalu", "--epsilon", "zero", "--horizon", "5_0", "--seeds", "2", "--json"]
    assert main(["compare", *instances, *rest]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [cell["instance"] for cell in document["cells"]] == ["0.25,0.5", "30 arms", "three", "three #2"]
    assert document["study"]["instances"]["three"][1]["probabilities"] == ["1/3", "2/3"]


def test_progress_has_a_rate_and_the_time_left(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert main(["compare", *GRID[:-2], "--seeds", "3", "--json"]) == 0
    shown = capsys.readouterr().err
    assert re.search(r"240,000/240,000 rounds {2}[\d,]+/s {2}0 s left", shown)


def test_results_as_arrays_and_frames(small, monkeypatch):
    class FakeFrames:
        DataFrame = dict

    found = small
    rows = found.rows()
    assert {len(column) for column in rows.values()} == {100}
    assert found.cells()["regret_mean"][0] == np.mean(rows["regret"][:25])
    assert found.summary.cells[0].final_regret.tolist() == rows["regret"][:25]
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, FakeFrames)
        assert getattr(found, name)() == rows
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(StudiesUnavailable, match=f"pip install {name}"):
            getattr(found, name)()


def test_without_pyarrow_it_is_said_before_the_work(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(StudiesUnavailable, match="pyarrow"):
        compare(SMALL, out=tmp_path / "study")
    assert not (tmp_path / "study").exists()


def peak_of_a_summary(folder, seeds, schedules):
    study = Study(
        instances=SMALL.instances,
        policies=["cbm-ucb", "greedy"],  # without a theorem, whose bounds would cost time
        epsilons=[f"constant:1/{n}" for n in range(3, 3 + schedules)],
        horizons=100,
        seeds=seeds,
    )
    store = Folder(folder)
    runs = run_study(study, store)
    summarised(runs)
    tracemalloc.start()
    summarised(runs)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_memory_holds_the_curves_of_two_cells_at_a_time(tmp_path):
    # A cell's curves take 2 * 8 bytes a seed and point; all six cells at once would be three times those of two.
    seeds, points = 2000, len(checkpoints(100))
    curves = 16 * seeds * points
    few, many = (peak_of_a_summary(tmp_path / str(n), seeds, n) for n in (1, 3))
    rows = 6 * seeds * 16
    assert many < few + rows + curves, (few, many, curves)


def test_intervals_of_all_differences_hold_together(small):
    assert small.summary.difference_level == 1 - 0.05 / 4
