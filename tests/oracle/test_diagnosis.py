"""How far a suspect is followed before its name is told: as long as the work lasts, and sums stay short."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bufalu.oracle import diagnosis
from bufalu.oracle.diagnosis import HARDLY_EVER, LikelyBug, likely_bugs, suspects
from bufalu.oracle.report import check_trace
from bufalu.reference.exact import Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Decision
from bufalu.reference.rationals import CountLike, NumberLike, Rational
from bufalu.reference.traces import TraceHeader
from tests.oracle.runs import play, reference

HEADER = TraceHeader("bufalu", "hoeffding", 2, "zero")
ROUNDS, DIVERGENT = 40, 21


def halves(arm: int, query: int) -> Rational:
    """The k-th reward has a denominator of k bits, and so has the sum of k."""
    return Fraction(1, 2**query)


TRACE = play(reference(replace(HEADER, policy="cbm-ucb")), HEADER, ROUNDS, halves)


def found() -> LikelyBug:
    """What is said of a run of CBM-UCB under the name of BuFALU, as if one given round were the first that diverged."""
    among = [bug for bug in suspects(HEADER) if bug.id == "cbm-ucb-under-another-name"]
    (bug,) = likely_bugs(HEADER, TRACE.rounds, DIVERGENT, HEADER.schedule, among=among)
    return bug


def test_a_short_trace_is_explained_as_a_whole() -> None:
    assert (found().first, found().last, found().whole) == (1, ROUNDS, True)


@pytest.mark.parametrize("work", [1, 2, 10, 20])
def test_the_rounds_before_the_divergent_one_and_one_after_it_are_worth_the_work(
    work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "WORK", work)
    assert (found().first, found().last, found().whole) == (DIVERGENT - work + 1, DIVERGENT + 1, False)


@pytest.mark.parametrize("bits", [3, 14, 18])
def test_what_comes_after_the_divergent_round_is_followed_while_sums_are_short(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = DIVERGENT
    while all(TRACE.tally(followed).state.total(arm).denominator.bit_length() <= bits for arm in (1, 2)):
        followed += 1
    monkeypatch.setattr(diagnosis, "SHORT_SUM", bits)
    assert (found().first, found().last, found().whole) == (1, followed, False)


class SlipsOnce(LivePolicy):
    """Queries its separated leader, once, in a round in which it knows both arms alike."""

    slipped_in = 0

    def decide(self, round: CountLike, epsilon: NumberLike | Exact) -> Decision:
        decision = super().decide(round, epsilon)
        if self.slipped_in or decision.query or self.state.queries(1) != self.state.queries(2):
            return decision
        self.slipped_in = self._next_round - 1
        self._pending = decision.arm
        return Decision(decision.arm, True)


def test_a_program_that_may_err_and_hardly_ever_does_has_another_bug() -> None:
    """Whoever asks for both tests to stop may query the leader in every round in which both arms are equally wide."""
    program = SlipsOnce("bufalu", 2, "hoeffding", "last")  # the leader first: it is never the wider one
    trace = play(program, HEADER, 600, lambda arm, query: arm - 1)
    wrong = program.slipped_in
    (bug,) = (
        bug for bug in likely_bugs(HEADER, trace.rounds, wrong, HEADER.schedule) if bug.known.id == "or-becomes-and"
    )
    assert (bug.errors, bug.is_vague, bug.errs_too_seldom) == (1, False, True)
    assert bug.choices > 1 / HARDLY_EVER
    report = check_trace(trace)
    assert report.checked.divergence is not None and report.checked.divergence.round == wrong
    assert report.bugs == ()
    assert not replace(bug, choices=10).errs_too_seldom
    assert replace(bug, choices=11).errs_too_seldom
