"""The replay commands that an audit prints work as printed, and show what their claim is about."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from bufalu.cli import main
from bufalu.properties.claims import CLAIMS
from bufalu.properties.claims.evidence import Verdict, Witness
from tests.bufalu.runner import bufalu


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a line as a reader's shell would: commands of `bufalu`, each if the one before it succeeded."""
    for command in line.split(" && "):
        program, *arguments = shlex.split(command)
        assert program == "bufalu"
        done = bufalu(*arguments, cwd=folder)
        if done.returncode:
            break
    return done


def told(claims: str, folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> list[dict[str, object]]:
    """The audit's objects of these claims."""
    main(["audit", "--only", claims, "--workers", "1", "--json", *more])
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return [item for item in found if item["witness"] is not None]


@pytest.mark.parametrize(
    ("claim", "code", "shown"),
    [
        ("budget.never_violated", 1, ("fails in round 4", "4 > 3")),
        ("regular.tape", 1, ("the plays of arm 2 against its queries: 3 > 2",)),
        ("summary.counts_before", 0, ("10 rounds, 10 queries",)),
        ("epsilon.wide_blocks", 0, ("holds at", "closest:")),
        ("auxiliary.direction", 0, ("n",)),
        ("kl_ucb.suggestion", 0, ("ln 2 + 3 ln ln 2",)),
        ("scarce.bufalu_in_fixed_order", 0, ("expected plays of arm 2",)),
    ],
)
def test_a_replay_works_as_printed(
    claim: str, code: int, shown: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (item,) = told(claim, tmp_path, capsys)
    witness = item["witness"]
    assert isinstance(witness, dict)
    done = shell(witness["command"], tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    for part in shown:
        assert part in done.stdout


def test_with_a_folder_the_file_is_there_already(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "my witnesses"
    (item,) = told("budget.never_violated", tmp_path, capsys, "--witnesses", str(folder))
    witness = item["witness"]
    assert isinstance(witness, dict)
    assert witness["command"].startswith("bufalu check '")
    assert shell(witness["command"], tmp_path).returncode == 1


def test_only_a_claim_that_fails_has_a_witness(capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", "--only", "E13,epsilon.zero_never_blocks", "--workers", "1"])
    shown = capsys.readouterr().out
    assert shown.count("\n  witness ") == 1
    assert shown.count("\n  closest case ") == 1


def test_a_rerun_looks_in_the_same_way() -> None:
    witness = Witness("so", "bufalu check a.jsonl --claim c", "a.jsonl", "text")
    assert witness.replay("bufalu audit --only c --seed 3") == (
        "bufalu audit --only c --seed 3 --witnesses . && bufalu check a.jsonl --claim c"
    )


@pytest.mark.nightly
@pytest.mark.parametrize("claim", [claim.id for claim in CLAIMS])
def test_every_replay_works_as_printed(claim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for item in told(claim, tmp_path, capsys):
        witness = item["witness"]
        assert isinstance(witness, dict)
        done = shell(witness["command"], tmp_path)
        wrong = item["verdict"] in (Verdict.ERRATUM.value, Verdict.GAP.value) and "--claim" in witness["command"]
        assert done.returncode == int(wrong), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("claim", "problem"),
    [
        ("no.such", "no statement about single runs"),
        ("greedy", "no statement about single runs"),
        ("cap.almost_sure", "not of greedy"),
    ],
)
def test_a_claim_that_does_not_speak_of_the_run_is_refused(
    claim: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = str(tmp_path / "t.jsonl")
    run = ["--means", "1/4,1/2", "--epsilon", "zero", "--horizon", "9", "--policy", "greedy", "--out", trace]
    assert main(["simulate", *run]) == 0
    assert main(["check", trace, "--claim", claim]) == 2
    assert problem in capsys.readouterr().err
