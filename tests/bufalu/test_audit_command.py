"""`bufalu audit`: table, details, JSON, files, exit codes, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bufalu.cli import main
from bufalu.properties.audit import collecting, running
from bufalu.properties.audit.collecting import Collection
from bufalu.properties.claims import BY_ID, claims_matching
from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence, EvidenceKind, Verdict
from bufalu.reference.trace_files import read_trace
from tests.bufalu.passed_files import files_passed
from tests.waiting import gone, until

ROOT = Path(__file__).resolve().parents[2]
CLAIM = "interval.hoeffding_width"


def only(verdict: Verdict) -> Collection:
    return Collection((saying("one", CLAIM, verdict),), {})


def saying(name: str, claim: str, verdict: Verdict) -> Check:
    evidence = Evidence(EvidenceKind.ALGEBRA, verdict, "so it is")
    return Check(name, (claim,), EvidenceKind.ALGEBRA, lambda profile: evidence)


def test_a_few_claims_are_told_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--only", "budget.never_violated", "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    for part in ("budget.never_violated", "E13", "ERRATUM", "l.416", "replay", "4 > 3"):
        assert part in shown
    assert "\033[" not in shown


@pytest.mark.parametrize(
    "claim",
    [
        "algorithm.separated_is_optimal",
        "mean.ignores_unqueried",
        pytest.param("lower.balancing_threshold", marks=pytest.mark.coq),
    ],
    ids=["solver", "runs", "Coq"],
)
def test_the_audit_of_one_claim_goes_through_few_files(claim: str) -> None:
    seen = files_passed(lambda: main(["audit", "--only", claim, "--workers", "1"]))
    assert "properties/audit/running.py" in seen
    assert len(seen) <= 45, sorted(seen)


def test_many_claims_are_a_table_with_a_summary(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reached = tuple(saying(claim.id, claim.id, claim.expected) for claim in claims_matching("deterministic.*"))
    monkeypatch.setattr(collecting, "collect", lambda **chosen: Collection(reached, {}))
    assert main(["audit", "--only", "deterministic.*", "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "Numbers in the text" in shown
    assert "every claim reached its recorded verdict (quick profile, seed 0" in shown


def test_json_goes_to_stdout_and_to_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "audit.json"
    assert main(["audit", "--only", "kinf.*", "--workers", "1", "--json", "--out", str(target)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [item["id"] for item in printed][:2] == ["kinf.definition", "kinf.monotone"]
    written = json.loads(target.read_text(encoding="utf-8"))
    assert [item["verdict"] for item in printed] == [item["verdict"] for item in written]


def test_witnesses_are_files_that_can_be_read_back(tmp_path: Path) -> None:
    folder = tmp_path / "witnesses"
    assert main(["audit", "--only", "E25", "--workers", "1", "--witnesses", str(folder)]) == 0
    trace = read_trace(str(folder / "E25-played-is-not-queried.jsonl"))
    assert trace.header.policy == "bufalu"
    assert len(trace.rounds) == 5


@pytest.mark.parametrize(
    ("verdict", "code"),
    [(Verdict.PROVED, 0), (Verdict.NOT_RUN, 0), (Verdict.REFUTED, 1), (Verdict.VACUOUS, 1), (Verdict.ARGUED, 1)],
)
def test_exit_codes(monkeypatch: pytest.MonkeyPatch, verdict: Verdict, code: int) -> None:
    monkeypatch.setattr(collecting, "collect", lambda **chosen: only(verdict))
    assert main(["audit", "--only", CLAIM, "--workers", "1"]) == code


def test_unexpected_verdicts_are_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(collecting, "collect", lambda **chosen: only(Verdict.REFUTED))
    assert main(["audit", "--only", "[i]*", "--workers", "1"]) == 1
    assert f"{CLAIM} is REFUTED, recorded as" in capsys.readouterr().out


def test_what_is_missing_is_counted_and_fails_a_strict_audit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(collecting, "collect", lambda **chosen: only(Verdict.NOT_RUN))
    assert main(["audit", "--only", CLAIM, "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "1 claim below the recorded verdict: so it is" in shown
    assert "nothing contradicts the record; 1 claim below it" in shown
    assert main(["audit", "--only", CLAIM, "--workers", "1", "--strict"]) == 1


def test_a_claim_that_no_check_speaks_for_fails_the_audit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(collecting, "collect", lambda **chosen: Collection((), {}))
    assert main(["audit", "--only", CLAIM, "--workers", "1"]) == 1
    assert "no check speaks for it" in capsys.readouterr().out


def test_claims_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--list", "--only", "kinf.*", "--only", "E7"]) == 0
    shown = capsys.readouterr().out
    assert "kinf.definition" in shown
    assert "E7: " in shown
    assert "cap.almost_sure" not in shown


@pytest.mark.parametrize("whose", [[], ["--policy", "bufalu"]])
def test_claims_are_listed_as_json(whose: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--list", "--json", "--only", "cap.*", *whose]) == 0
    (found,) = (each for each in json.loads(capsys.readouterr().out) if each["id"] == "cap.almost_sure")
    assert found["statement"] == BY_ID["cap.almost_sure"].statement
    assert found["hypotheses"] == list(BY_ID["cap.almost_sure"].hypotheses)


def test_another_text_is_not_the_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.tex"
    other.write_text("another paper\n" * 2000, encoding="utf-8")
    assert main(["audit", "--paper", str(other)]) == 2
    assert "differs from the audited text" in capsys.readouterr().err


def test_ctrl_c_prints_what_has_finished(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(
        checks: Sequence[Check], profile: AuditProfile, workers: int, **more: object
    ) -> Iterator[tuple[str, Evidence]]:
        yield checks[0].name, checks[0].run(profile)
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_checks", interrupted)
    monkeypatch.setattr(collecting, "collect", lambda **chosen: only(Verdict.PROVED))
    assert main(["audit", "--only", "interval.*", "--workers", "1"]) == 130
    captured = capsys.readouterr()
    assert "PROVED" in captured.out
    assert "interrupted" in captured.err


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a compiler with the worker that started it")
def test_a_real_interrupt_ends_workers_and_their_coq_build_without_a_traceback(tmp_path: Path) -> None:
    started = tmp_path / "started"
    compiler = tmp_path / "coqc-without-end"
    compiler.write_text(
        f'#!/bin/sh\n[ "$1" = --print-version ] && exec echo "8.16.1 4.14.1"\necho $$ > {started}\nexec tail -f /dev/null\n',
        encoding="utf-8",
    )
    compiler.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "bufalu", "audit", "--only", "[a-z]*", "--workers", "2"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COQC": str(compiler), "XDG_CACHE_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: started.exists() and started.read_text(encoding="ascii").strip())
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert "NOT RUN" in out
    until(lambda: gone(int(started.read_text(encoding="ascii"))))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a worker with the audit that started it")
def test_workers_end_with_an_audit_that_is_killed() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "bufalu", "audit", "--only", "[a-z]*", "--workers", "2"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until(lambda: len(children.read_text(encoding="ascii").split()) >= 2)
    workers = children.read_text(encoding="ascii").split()
    process.kill()
    process.wait()
    assert len(workers) == 2
    for worker in workers:
        until(lambda pid=int(worker): gone(pid))
