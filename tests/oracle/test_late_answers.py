"""Answers that come late, never or before the first round: what is told is judged, and nothing else was known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bufalu.doubles.blocks import blocks_of_rounds
from bufalu.oracle.known_bugs import LATE_BUGS, KnownBug
from bufalu.oracle.npz_files import npz_blocks
from bufalu.oracle.npz_writing import npz_writer
from bufalu.oracle.report import check_trace
from bufalu.oracle.sources import TraceOptions, open_trace
from bufalu.properties.runs.claims_on_blocks import claims_on_blocks
from bufalu.properties.runs.claims_on_trace import check_claims_on_trace
from bufalu.reference.errors import InvalidInstance, InvalidTrace, OutOfTurn
from bufalu.reference.live import LivePolicy
from bufalu.reference.rounds import Round
from bufalu.reference.state import ArmRecord
from bufalu.reference.trace_files import write_trace
from bufalu.reference.traces import Trace, TraceHeader
from tests.bufalu.runner import bufalu
from tests.oracle.runs import DIALS, INTERVALS, POLICIES, play, reference, rewards

DELAYS = (0, 3, None, 17, 0, 1)
KNOWN = (ArmRecord(3, Fraction(5, 2), Fraction(9, 4)), ArmRecord(), ArmRecord(1, 0, 0))


WORDS = ("--policy", "bufalu", "--confidence", "hoeffding", "--arms", "3", "--epsilon", "constant:1")


def header(policy: str = "bufalu", interval: str = "hoeffding", **more: Sequence[ArmRecord]) -> TraceHeader:
    return TraceHeader(policy, interval, 3, "constant:1", known=more.get("known"))


def late_run(live: LivePolicy, of: TraceHeader, horizon: int = 200) -> Trace:
    live.state.records = of.opening().records
    live.state.all_queries = of.opening().all_queries
    return play(live, of, horizon, rewards("eighths", 2), delays=DELAYS)


@pytest.mark.parametrize("known", [None, KNOWN])
@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("policy", [*POLICIES, DIALS[0], "ucb"])
def test_decisions_by_known_answers_conform_and_by_others_do_not(policy: str, interval: str, known: object) -> None:
    of = replace(header(policy, interval), known=known)
    trace = late_run(reference(of), of)
    report = check_trace(trace, strict=True)
    assert report.conforms
    assert report.checked.exact_rounds <= 60, "the filter decides nearly all"
    at_once = [played._replace(answered=None) for played in trace.rounds]
    guessed = [played._replace(reward=0) if played.query and played.reward is None else played for played in at_once]
    assert not check_trace(replace(trace, rounds=guessed)).conforms
    if known is not None:
        assert not check_trace(replace(trace, header=header(policy, interval))).conforms


@pytest.mark.parametrize("bug", LATE_BUGS, ids=lambda bug: bug.id)
@pytest.mark.parametrize("policy", POLICIES)
def test_wrong_ways_with_late_answers_are_rejected_and_named(policy: str, bug: KnownBug) -> None:
    report = check_trace(late_run(bug.live(policy, 3), header(policy)))
    assert not report.conforms
    assert [found.known.id for found in report.bugs if found.known in LATE_BUGS] == [bug.id]


def test_a_live_policy_takes_each_answer_once() -> None:
    live = LivePolicy("bufalu", 2)
    with pytest.raises(OutOfTurn, match="no reward was asked for in this round"):
        live.later()
    live.decide(1, 0)
    live.later()
    live.decide(2, 0)
    with pytest.raises(OutOfTurn, match="observe its reward first"):
        live.decide(3, 0)
    live.observe(1, round=1)
    assert live.state.queries(1) == 1
    for wrong in (1, 3):
        with pytest.raises(OutOfTurn, match=f"in round {wrong}, or it was given already"):
            live.observe(1, round=wrong)
    live.observe(0, round=2)
    assert live.state.queries(2) == 1


@pytest.mark.parametrize("name", ["late.jsonl", "late.csv"])
def test_a_file_with_late_answers_is_checked_as_the_run_is(tmp_path: Path, name: str) -> None:
    of = header(known=KNOWN) if name.endswith("jsonl") else header()
    trace = late_run(reference(of), of, 60)
    write_trace(str(tmp_path / name), trace)
    flags = TraceOptions() if name.endswith("jsonl") else TraceOptions("bufalu", "hoeffding", 3, "constant:1")
    source = open_trace(str(tmp_path / name), flags)
    assert source.header.known == of.known
    assert tuple(played for block in source.blocks() for played in block.rounds()) == trace.rounds
    words = () if name.endswith("jsonl") else WORDS
    for command in (["check", "--strict"], ["explain", "--html", tmp_path / "page.html"]):
        assert bufalu(*command, tmp_path / name, *words).returncode == 0
    page = (tmp_path / "page.html").read_text()
    assert ("<script" in page) == (of.known is None), "the scripts do not count what was known before"
    refused = bufalu("check", tmp_path / name, *words, "--means", "1/2,1/2,1/2")
    assert refused.returncode == 2
    assert "answers came late, never or before" in refused.stderr


def test_arrays_say_when_answers_were_known(tmp_path: Path) -> None:
    of = header()
    trace = late_run(reference(of), of)
    (block,) = blocks_of_rounds(trace.rounds)
    columns = {"arm": block.arm, "query": block.query, "reward": block.reward, "answered": block.answered}
    np.savez(tmp_path / "late.npz", **columns)
    (again,) = npz_blocks(str(tmp_path / "late.npz"), of)
    assert tuple(again.rounds()) == trace.rounds
    first = int(np.flatnonzero(block.query)[0])
    never = int(np.flatnonzero(block.query & (columns["answered"] == 0))[0])
    unasked = int(np.flatnonzero(~block.query)[0])
    for place, value, problem in [
        (first, first + 1, "'answered': round 1: expected a later round, or 0"),
        (first, -1, "'answered': round 1: expected a later round, or 0"),
        (unasked, unasked + 9, f"'answered': round {unasked + 1}: given, though the round was not queried"),
        (first, 0, "'reward': round 1: given, though the answer never came"),
        (never, 99, f"'reward': round {never + 1}: missing, though the round was queried"),
    ]:
        wrong = columns["answered"].copy()
        wrong[place] = value
        np.savez(tmp_path / "wrong.npz", **{**columns, "answered": wrong})
        with pytest.raises(InvalidTrace) as refused:
            list(npz_blocks(str(tmp_path / "wrong.npz"), of))
        assert problem in str(refused.value)
    for wrong_header, rounds in ((header(known=KNOWN), ()), (of, trace.rounds)):
        with pytest.raises(InvalidTrace, match="jsonl"):
            write_arrays(str(tmp_path / "no.npz"), wrong_header, rounds)


def write_arrays(path: str, of: TraceHeader, rounds: Sequence[Round]) -> None:
    with npz_writer(path, of) as writer:
        for played in rounds:
            writer.write(played)


LINE = {"round": 1, "arm": 1, "query": True, "reward": 1}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"answered": 1}, "'answered': expected a later round or null, found 1"),
        ({"answered": True}, "'answered': expected a later round or null, found true"),
        ({"answered": "2"}, "'answered': expected a later round or null"),
        ({"answered": 10**16}, "'answered': expected a later round or null"),
        ({"answered": None}, "'reward': given, though the answer never came"),
        ({"answered": 4, "reward": None}, "'reward': missing, though the round was queried"),
        ({"reward": None}, "'reward': missing, though the round was queried"),
        ({"answered": 2, "query": False, "reward": None}, "'answered': given, though the round was not queried"),
    ],
)
def test_what_cannot_be_is_no_trace(tmp_path: Path, line: dict[str, object], problem: str) -> None:
    first = {"format": "bufalu-trace", "version": 1, "policy": "bufalu", "confidence": "hoeffding", "arms": 2}
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join(json.dumps(text) for text in ({**first, "epsilon": "zero"}, {**LINE, **line})) + "\n")
    with pytest.raises(InvalidTrace) as refused:
        list(open_trace(str(path)).blocks())
    assert problem in str(refused.value)


@pytest.mark.parametrize(
    "known", [[], [[1, 1, 1]], [[1, 2, 1], [0, 0, 0]], [[2, 1, "1/3"], [0, 0, 0]], [[True, 0, 0], [0, 0, 0]], "no"]
)
def test_what_no_rewards_give_was_not_known(tmp_path: Path, known: object) -> None:
    first = {"format": "bufalu-trace", "version": 1, "policy": "bufalu", "confidence": "hoeffding", "arms": 2}
    path = tmp_path / "wrong.jsonl"
    path.write_text(json.dumps({**first, "epsilon": "zero", "known": known}) + "\n")
    with pytest.raises(InvalidTrace, match="known"):
        open_trace(str(path))


def test_objects_that_cannot_be_are_refused() -> None:
    plain = TraceHeader("bufalu", "hoeffding", 1, "zero")
    for wrong in (Round(1, 1, True, 1, None, 1), Round(1, 1, True, None, None, 3)):
        with pytest.raises(InvalidInstance, match="`answered` is a later round"):
            Trace(plain, [wrong])
    for known in ([], [ArmRecord(1, 2, 1)], ["no"]):
        with pytest.raises(InvalidInstance, match="known"):
            TraceHeader("bufalu", "hoeffding", 1, "zero", known=known)  # type: ignore[arg-type]  # wrong on purpose


def test_claims_of_the_paper_do_not_speak_of_late_answers() -> None:
    trace = late_run(reference(header()), header(), 60)
    with pytest.raises(InvalidInstance, match="came late"):
        check_claims_on_trace(trace)
    with pytest.raises(InvalidInstance, match="came late"):
        claims_on_blocks(trace.header, blocks_of_rounds(trace.rounds), trace.header.schedule)


def test_a_tally_knows_what_the_next_round_knows() -> None:
    rounds = [Round(1, 1, True, 1, None, 4), Round(2, 2, True, None, None), Round(3, 1, True, 0, None)]
    trace = Trace(TraceHeader("bufalu", "hoeffding", 2, "zero", known=KNOWN[:2]), rounds)
    assert [trace.tally(until).state.queries(1) for until in (1, 2, 3)] == [3, 3, 5]
    assert trace.tally().queries_per_arm() == (2, 1)
