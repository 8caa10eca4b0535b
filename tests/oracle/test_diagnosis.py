"""How far a suspect is followed before its name is told: as long as the work lasts, and sums stay short."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bufalu.oracle import diagnosis
from bufalu.oracle.diagnosis import LikelyBug, likely_bugs, suspects
from bufalu.reference.rationals import Rational
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


def test_a_suspect_that_admits_most_decisions_is_vague() -> None:
    nothing = LikelyBug(suspects(HEADER)[0], 1, 2, whole=True)
    assert not nothing.is_vague
    for others in (1, 2, 7, 100):
        assert replace(nothing, others=others, others_admitted=others).is_vague
        assert not replace(nothing, others=others).is_vague
