"""`bufalu simulate`: traces, closing line, JSON, refusals."""

import json
import signal
import subprocess
import sys
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest

from bufalu.cli import main
from bufalu.commands import simulate
from bufalu.experiments.engine import compiled
from bufalu.reference.errors import UnusableFile
from bufalu.reference.trace_files import read_trace, write_trace
from bufalu.reference.traces import Trace, TraceHeader
from tests.bufalu.runner import ROOT, assert_one_clear_line, bufalu
from tests.waiting import until

RUN = ["simulate", "--means", "1/4,0.25,1/2", "--epsilon", "power:1/4", "--horizon", "300", "--seed", "7"]


def changed(*options):
    """RUN with some options replaced or added."""
    given = dict(zip(RUN[1::2], RUN[2::2], strict=True)) | dict(zip(options[::2], options[1::2], strict=True))
    return ["simulate", *(part for pair in given.items() for part in pair)]


def test_a_run_is_written_and_summed_up(tmp_path):
    path = tmp_path / "trace.jsonl"
    run = bufalu(*RUN, "--ties", "first", "--out", path)
    assert run.returncode == 0
    trace = read_trace(str(path))
    tally = trace.tally()
    assert len(trace.rounds) == 300
    assert run.stdout.startswith("rounds 300  regret ")
    assert f"queries {tally.queries}" in run.stdout


def test_json_goes_to_stdout_and_agrees_with_the_trace(tmp_path):
    path = tmp_path / "trace.jsonl"
    summary = json.loads(bufalu(*RUN, "--json", "--out", path).stdout)
    tally = read_trace(str(path)).tally()
    assert summary["queries"] == tally.queries
    assert summary["plays_per_arm"] == tally.plays
    assert summary["queries_per_arm"] == list(tally.queries_per_arm())


def test_the_same_seed_gives_the_same_file(tmp_path):
    for name in ("a.jsonl", "b.jsonl"):
        bufalu(*RUN, "--ties", "random:3", "--out", tmp_path / name)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_csv_and_instance_files(tmp_path):
    arms = tmp_path / "arms.json"
    arms.write_text(
        '{"arms": [{"values": [0, "1/2", 1], "probabilities": ["1/3", "1/3", "1/3"]}, {"deterministic": 1}]}'
    )
    path = tmp_path / "trace.csv"
    run = bufalu("simulate", "--instance", arms, "--epsilon", "zero", "--horizon", "20", "--out", path)
    assert run.returncode == 0
    assert path.read_text().splitlines()[0] == "round,arm,query,reward,epsilon"
    assert len(path.read_text().splitlines()) == 21


def test_a_schedule_file_puts_its_numbers_into_the_trace(tmp_path):
    levels = tmp_path / "epsilon.txt"
    levels.write_text("0.1\n" * 10)
    path = tmp_path / "trace.jsonl"
    bufalu("simulate", "--means", "0,1", "--epsilon", f"file:{levels}", "--horizon", "10", "--out", path)
    rounds = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    assert [r.get("epsilon") for r in rounds] == [None, None] + ["1/10"] * 8


def test_an_instance_file_leaves_no_room_for_rewards(tmp_path):
    arms = tmp_path / "arms.json"
    arms.write_text('{"arms": [{"deterministic": 1}]}')
    arguments = ["simulate", "--instance", arms, "--epsilon", "zero", "--horizon", "3"]
    assert bufalu(*arguments).returncode == 0
    refused = bufalu(*arguments, "--rewards", "bernoulli")
    assert_one_clear_line(refused)
    assert "--rewards goes with --means" in refused.stderr


def test_long_numbers_go_through_a_file(tmp_path):
    path = tmp_path / "trace.jsonl"
    tiny = ["--means", "1e-400,1/2", "--epsilon", "constant:1e-400"]
    assert bufalu("simulate", *tiny, "--horizon", "20", "--out", path).returncode == 0
    assert bufalu("check", path).returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is a Linux thing")
def test_a_full_disk_gets_one_clear_line():
    assert_one_clear_line(bufalu(*changed("--horizon", "2000", "--out", "/dev/full")))
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "bufalu", *RUN], stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT
        )
    assert run.returncode == 2
    assert run.stderr == "bufalu simulate: [Errno 28] No space left on device\n"


def test_an_interrupted_run_leaves_its_rounds(tmp_path):
    path = tmp_path / "trace.jsonl.part"
    command = [
        sys.executable,
        "-m",
        "bufalu",
        *changed("--horizon", "100000000", "--out", str(tmp_path / "trace.jsonl")),
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until(lambda: path.exists() and path.stat().st_size > 20_000)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    # Where ten seconds pass before the signal, it is said how far the run is.
    said = [line for line in errors.splitlines() if line and not line.endswith("s left")]
    assert said == [f"the rounds so far are in {path}", "bufalu simulate: interrupted"]
    assert not (tmp_path / "trace.jsonl").exists()
    assert len(read_trace(str(path)).rounds) > 100


SETTINGS = [
    ["--policy", "bufalu", "--epsilon", "power:1/4"],
    ["--policy", "bufau", "--epsilon", "inverse-log", "--ties", "last"],
    ["--policy", "cbm-ucb", "--epsilon", "budget:60", "--confidence", "bernstein"],
    ["--policy", "greedy", "--epsilon", "constant:1/2"],
]


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", ["trace.jsonl", "trace.csv", "trace.npz"])
def test_the_engine_writes_the_very_trace_of_the_reference(setting, name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(simulate, "ENGINE_FROM", 0)
    arms = tmp_path / "arms.json"
    arms.write_text(
        '{"arms": [{"values": [0, "1/2", 1], "probabilities": ["1/3", "1/3", "1/3"]}, {"deterministic": "1/4"}]}'
    )
    summaries = []
    for by in ([], ["--reference"]):
        out = ["--out", str(tmp_path / f"{len(by)}{name}")]
        run = ["--instance", str(arms), "--horizon", "700", "--seed", "11", "--json", *setting, *out, *by]
        assert main(["simulate", *run]) == 0
        summaries.append(json.loads(capsys.readouterr().out))
    assert [found.pop("played_by") for found in summaries] == ["engine", "reference"]
    assert summaries[0] == summaries[1]
    assert (tmp_path / f"0{name}").read_bytes() == (tmp_path / f"1{name}").read_bytes()


@pytest.mark.parametrize("name", ["t.parquet", "t.npy", "t.jsonl.gz", "t.xlsx", "t.NPZ.bak"])
def test_a_name_that_says_another_format_is_refused(name, tmp_path, capsys):
    path = str(tmp_path / name)
    commands = [
        [*RUN, "--out", path],
        ["conform", "--out", path, "--", "true"],
        ["audit", "--only", "kinf.gaussian", "--out", path],
        ["audit", "--only", "kinf.gaussian", "--html", path],
        ["explain", "no-such-trace.jsonl", "--html", path],
        ["explain", "no-such-trace.jsonl", "--svg", path],
    ]
    for command in commands:
        assert main(command) == 2
        assert "its name says" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["T.NPZ", "T.Csv", "T.JSONL", "trace"])
def test_capitals_in_a_name_say_the_same(name, tmp_path, capsys):
    path = str(tmp_path / name)
    assert main([*RUN, "--out", path]) == 0
    with pytest.raises(UnusableFile, match="name says") if name == "T.NPZ" else nullcontext():
        write_trace(path, Trace(TraceHeader("bufalu", "hoeffding", 2, "zero"), ()))
        assert main([*RUN, "--out", path]) == 0
    assert zipfile.is_zipfile(path) == (name == "T.NPZ")
    assert [place.name for place in tmp_path.iterdir()] == [name]
    flags = ["--policy", "bufalu", "--confidence", "hoeffding", "--arms", "3", "--epsilon", "power:1/4"]
    assert main(["check", path, *flags]) == 0


def test_rewards_that_are_no_doubles_are_not_written_as_npz(tmp_path):
    arms = tmp_path / "arms.json"
    arms.write_text('{"arms": [{"deterministic": "1/3"}, {"deterministic": "1/3"}]}')
    path = tmp_path / "trace.npz"
    run = bufalu("simulate", "--instance", arms, "--epsilon", "zero", "--horizon", "9", "--out", path)
    assert_one_clear_line(run)
    assert "1/3 is none" in run.stderr
    assert not path.exists()


def test_what_the_engine_does_not_know_is_left_to_the_reference(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(simulate, "ENGINE_FROM", 0)
    for extra in (["--ties", "random:3"], ["--reference"]):
        assert main([*RUN, "--json", *extra]) == 0
        assert json.loads(capsys.readouterr().out)["played_by"] == "reference"
    assert main([*RUN, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["played_by"] == "engine"
    monkeypatch.setattr(compiled, "AVAILABLE", False)
    assert main([*RUN, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["played_by"] == "reference"
