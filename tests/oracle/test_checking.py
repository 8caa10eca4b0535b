"""The fast check agrees with the exact one, and finds single wrong rounds."""

import math
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bufalu.doubles import slices
from bufalu.doubles.blocks import Block, blocks_of_rounds
from bufalu.doubles.masks import nothing_found
from bufalu.doubles.views import BlockDoubles, block_doubles
from bufalu.oracle import checking
from bufalu.oracle.checking import Referee, SumsTooLong, TraceCheck, check_blocks
from bufalu.oracle.known_bugs import KNOWN_BUGS, KilledBy, known_bug_named
from bufalu.oracle.report import check_trace
from bufalu.oracle.tolerance import slack
from bufalu.oracle.vectors import UCB_INTERVALS
from bufalu.pages.trace_outcome import report_document, report_lines
from bufalu.properties.runs.strategies import fractions
from bufalu.reference.confidence import BernsteinInterval, ConfidenceInterval, confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Decision
from bufalu.reference.radicals import NormalForm
from bufalu.reference.rationals import Rational
from bufalu.reference.rounds import Arrivals, Round
from bufalu.reference.schedules import parse_schedule
from bufalu.reference.state import ArmRecord
from bufalu.reference.traces import Trace, TraceHeader, with_epsilon
from bufalu.reference.view import ExactView
from tests.oracle.runs import DIALS, INTERVALS, POLICIES, REWARD_KINDS, play, reference, rewards, traces


def exact_check(trace: Trace, strict: bool) -> tuple[int | None, int]:
    """The first divergent round and the ambiguous rounds before it, with exact arithmetic in every round."""
    referee, state, ambiguous = Referee(trace.header, strict), trace.header.opening(), 0
    arrivals = Arrivals()
    for played in with_epsilon(trace.rounds, trace.header.schedule, trace.header.arms):
        accepted, close = referee.accepted(state, played.number, played.epsilon)
        if Decision(played.arm, played.query) not in accepted:
            return played.number, ambiguous
        ambiguous += close
        for _, arm, reward in arrivals.after(played):
            state.record(arm, reward)
    return None, ambiguous


def summary(checked: TraceCheck) -> tuple[int | None, int]:
    return checked.divergence.round if checked.divergence else None, checked.ambiguous_rounds


@given(traces() | traces(late=True), st.booleans(), st.sampled_from([1, 7, 8192]))
def test_the_filter_agrees_with_exact_arithmetic(trace: Trace, strict: bool, slice_rounds: int) -> None:
    assume(trace.rounds)  # nothing is judged on nothing
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "_SLICE_ROUNDS", slice_rounds)
        checked = check_trace(trace, strict).checked
    assert summary(checked) == exact_check(trace, strict)


SETTINGS = (
    *product((*POLICIES, *DIALS), INTERVALS),
    *product(("ucb",), (*UCB_INTERVALS, "bernstein")),
    ("pairs:2", "hoeffding"),
)


@pytest.mark.parametrize(("policy", "interval"), SETTINGS)
@pytest.mark.parametrize("kind", REWARD_KINDS)
def test_correct_runs_conform_and_the_filter_decides_nearly_all(policy: str, interval: str, kind: str) -> None:
    header = TraceHeader(policy, interval, 4, "power:1/4")
    for ties in ("first", "last"):
        trace = play(reference(header, ties), header, 400, rewards(kind, 5))
        checked = check_trace(trace, strict=True).checked
        assert checked.conforms
        # Thirds are no doubles: real ties among them are recognised by exact arithmetic alone.
        assert checked.exact_rounds <= (400 if kind == "thirds" else 40)


@given(st.integers(6, 150), st.sampled_from(SETTINGS))
def test_a_single_wrong_round_is_found(place: int, setting: tuple[str, str]) -> None:
    policy, interval = setting
    header = TraceHeader(policy, interval, 5, "power:1/4")
    trace = play(reference(header), header, 150, rewards("doubles", 3))
    right = trace.rounds[place - 1]
    # A played arm with the other query flag is never admissible together with the right one.
    wrong = right._replace(query=not right.query, reward=None if right.query else Fraction(1, 2))
    broken = replace(trace, rounds=(*trace.rounds[: place - 1], wrong, *trace.rounds[place:]))
    schedule = parse_schedule("power:1/4")
    bare = [played._replace(epsilon=None) for played in broken.rounds]
    divergence = check_blocks(header, blocks_of_rounds(bare), schedule=schedule).divergence
    assert divergence is not None
    assert divergence.round == place
    assert divergence.got == Decision(wrong.arm, wrong.query)
    assert Decision(right.arm, right.query) in divergence.admissible


@pytest.mark.parametrize(
    "mutant", [mutant for mutant in KNOWN_BUGS if mutant.place is KilledBy.STRICT], ids=lambda m: m.id
)
def test_strict_mutants_die_on_budget_schedules_and_only_there(mutant) -> None:
    for policy, interval in mutant.settings():
        killed = 0
        budget = "bernstein-budget" if interval == "bernstein" and policy != "greedy" else "budget"
        for total in (4, 6, 8, 12, 24):
            header = TraceHeader(policy, interval, 2, f"{budget}:{total}")
            trace = play(mutant.live(policy, 2, interval), header, 200, lambda arm, k: (k + arm) % 2)
            assert check_trace(trace).conforms
            killed += not check_trace(trace, strict=True).conforms
        assert killed, (mutant.id, policy, interval)


def test_a_long_trace_needs_little_memory_and_every_block_is_looked_at() -> None:
    header = TraceHeader("bufalu", "hoeffding", 2, "zero")

    def blocks(wrong: int | None):
        # Arm 1 always gives 1 and arm 2 always 0: after the separation nothing is queried any more.
        live = reference(header)
        start = play(live, header, 200, lambda arm, k: 2 - arm)
        assert not start.rounds[-1].query
        yield from blocks_of_rounds(start.rounds)
        for first in range(201, 2_000_000, 32_768):
            arm = np.ones(32_768, dtype=np.int64)
            if wrong is not None and first <= wrong < first + 32_768:
                arm[wrong - first] = 2
            nothing = np.full(32_768, np.nan)
            yield Block(first, arm, np.zeros(32_768, dtype=np.bool_), nothing, nothing)

    divergence = check_blocks(header, blocks(1_234_567)).divergence
    assert divergence is not None
    # The separated leader widens again with ln t: exact arithmetic says when, and it is before the wrong round or it.
    widened = check_blocks(header, blocks(None)).divergence
    expected = 1_234_567 if widened is None else min(1_234_567, widened.round)
    assert divergence.round == expected


def test_rounds_outside_of_order_are_refused() -> None:
    with pytest.raises(Exception, match="stands where round 1 belongs"):
        Trace(TraceHeader("bufalu", "hoeffding", 1, "zero"), (Round(2, 1, True, 1, None),))


def test_of_endless_sums_no_likely_bug_is_computed_and_that_is_said():
    """Suspects compute with the sums hundreds of times: minutes, where the verdict takes seconds."""
    header = TraceHeader("cbm-ucb", "bernstein", 1, "zero")
    # Coprime denominators of 2,000 bits each: the sum of the squares of six has more than 20,000.
    long = [Fraction(1, 2**2000 + k) for k in (1, 3, 7, 9, 13, 19)]
    rounds = [Round(number, 1, True, reward, None) for number, reward in enumerate(long, start=1)]
    rounds.append(Round(7, 1, False, None, None))
    report = check_trace(Trace(header, tuple(rounds)))
    assert not report.conforms
    assert not report.searched
    assert report_document(report)["likely_bugs"] is None
    assert any("not looked for" in line for line in report_lines(report))
    short = check_trace(Trace(header, (*rounds[:2], Round(3, 1, False, None, None))))
    assert not short.conforms
    assert short.searched
    assert report_document(short)["likely_bugs"] is not None


@given(st.lists(fractions(0, 1, 50), min_size=2, max_size=6), st.integers(2, 10**6))
def test_the_slack_of_long_sums_is_that_of_the_sums(values, round_number):
    long = [value * Fraction(2**3000 - 1, 2**3000 + 1) for value in values]
    confidence = confidence_named("bernstein")
    found = [
        slack([ArmRecord(len(rewards), sum(rewards), sum(x * x for x in rewards))], confidence, round_number)
        for rewards in (values, long)
    ]
    assert math.isclose(*found, rel_tol=1e-6, abs_tol=1e-13)


class BernsteinWithoutShape(ConfidenceInterval):
    """As an interval of somebody else's that says nothing of its shape."""

    text = "bernstein-without-shape"
    needed_queries = 2
    uses_variance = True

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> NormalForm:
        return BernsteinInterval().radius_form(queries, variance, round_number)


@given(st.lists(fractions(0, 1, 50), min_size=2, max_size=6), st.integers(2, 10**6))
def test_the_slack_of_a_shape_is_that_of_its_radius(values, round_number):
    records = [ArmRecord(len(values), sum(values), sum(x * x for x in values))]
    found = [slack(records, interval, round_number) for interval in (BernsteinInterval(), BernsteinWithoutShape())]
    assert found[0] > 0 or not any(values)
    assert math.isclose(*found, rel_tol=1e-6, abs_tol=1e-13)
    for interval in (BernsteinInterval(), BernsteinWithoutShape()):
        assert slack([ArmRecord(1, 1, 1)], interval, round_number) == 0, "one answer has no variance to be off"


def aimed_run(policy: str, interval: str, kind: str) -> Trace:
    """A correct run of two arms whose epsilons are 1e-22 off a comparison, on either side: no double tells them apart."""
    header = TraceHeader(policy, interval, 2, None)
    live, draw, rounds = reference(header), rewards(kind, 5), list[Round]()
    for number in range(1, 61):
        epsilon = None
        if number > 2:
            view = ExactView(live.state, confidence_named(interval), number, ZERO)
            leader = 1 if view.lcb(2) < view.lcb(1) else 2
            aimed = view.ucb(1 + number // 2 % 2) - view.lcb(leader) if policy != "cbm-ucb" else view.width(leader)
            if aimed.is_infinite or aimed.sign() <= 0:
                aimed = Exact.of(1)
            epsilon = Exact.of(Fraction(aimed.enclosure(30)[0]) + Fraction((-1) ** (number // 4), 10**22))
        decision = live.decide(number, ZERO if epsilon is None else epsilon)
        reward = draw(decision.arm, number) if decision.query else None
        if reward is not None:
            live.observe(reward)
        rounds.append(Round(number, decision.arm, decision.query, reward, epsilon))
    return Trace(header, tuple(rounds))


def worst_doubles(push: float, ends: float, levels: float) -> Callable[..., BlockDoubles]:
    """The doubles of a block, each as wrong as its claimed error lets it be. That error is at least `ends` for the ends of
    intervals and `levels` for epsilons; the sides of a comparison are pushed apart, or across each other.
    """

    def pushed(*arguments: object) -> BlockDoubles:
        found = block_doubles(*arguments)  # type: ignore[arg-type]
        error = np.maximum(found.bound_error, ends)
        error[np.isinf(found.ucb)] = 0.0
        epsilon_error = np.maximum(found.epsilon_error, levels)
        return replace(
            found,
            ucb=found.ucb + push * error,
            lcb=found.lcb - push * error,
            width=found.width + 2 * push * error,
            bound_error=error,
            largest_error=float(error.max()),
            epsilon=found.epsilon - push * epsilon_error,
            epsilon_error=epsilon_error,
        )

    return pushed


@pytest.mark.parametrize("policy", ["bufalu", "bufau", "cbm-ucb", "dial:1/2"])
@pytest.mark.parametrize("interval", ["hoeffding", "bernstein"])
@pytest.mark.parametrize("kind", ["thirds", "doubles"])
def test_what_doubles_cannot_tell_apart_is_decided_exactly(policy, interval, kind, monkeypatch):
    trace = aimed_run(policy, interval, kind)
    last = trace.rounds[-1]
    wrong = last._replace(query=not last.query, reward=None if last.query else Fraction(1, 2))
    for push, ends, levels in product((0.95, -0.95), (0.0, 0.3), (0.0, 0.2)):
        monkeypatch.setattr(checking, "block_doubles", worst_doubles(push, ends, levels))
        assert check_blocks(trace.header, blocks_of_rounds(iter(trace.rounds)), True).divergence is None
        found = check_blocks(trace.header, blocks_of_rounds(iter([*trace.rounds[:-1], wrong])), True)
        assert summary(found) == (60, 0)
    monkeypatch.undo()
    # Without --strict every one of these rounds is what a program in doubles may do.
    assert check_blocks(trace.header, blocks_of_rounds(iter([*trace.rounds[:-1], wrong])), False).ambiguous_rounds > 9


def test_rounds_that_doubles_leave_are_counted_once_each(monkeypatch):
    trace = aimed_run("bufalu", "hoeffding", "doubles")
    monkeypatch.setattr(checking, "examine", lambda policy, doubles, arm, *_, **__: nothing_found(len(arm)))
    checked = check_blocks(trace.header, blocks_of_rounds(iter(trace.rounds)), True)
    assert checked.conforms and checked.exact_rounds == len(trace.rounds) - trace.header.arms


def long_rewards(apart):
    """Rewards of 2,000 bits each with coprime denominators: far apart, or so close that only these bits tell."""
    generator = random.Random(5)

    def reward(arm, k):
        bottom = generator.getrandbits(2000) | 1 << 1999 | 1
        return (
            Fraction(generator.randrange(bottom), bottom) if apart else Fraction(2**1999 + arm, 2**2000 + 2 * k + 1)
        )

    return reward


def test_long_rationals_are_checked_while_doubles_tell_them_apart():
    header = TraceHeader("bufalu", "bernstein", 2, "zero")
    trace = play(reference(header), header, 40, long_rewards(apart=True))
    assert check_trace(trace).conforms
    # A wrong round is found, and the suspects are followed no further than the sums are short.
    wrong = trace.rounds[4]._replace(arm=3 - trace.rounds[4].arm)
    report = check_trace(Trace(header, (*trace.rounds[:4], wrong, *trace.rounds[5:])))
    assert summary(report.checked) == (5, 0)
    assert all(bug.last < 12 and not bug.whole for bug in report.bugs)


def test_long_sums_that_doubles_cannot_tell_apart_are_refused_beyond_a_limit(monkeypatch):
    header = TraceHeader("bufalu", "bernstein", 2, "zero")
    trace = play(reference(header), header, 12, long_rewards(apart=False))
    assert check_trace(trace).conforms
    monkeypatch.setattr(checking, "MOST_LONG_BITS", 1)
    # The first round with more than 4,096 bits is decided all the same, the next one is not.
    with pytest.raises(SumsTooLong, match="round 9: doubles cannot tell"):
        check_trace(trace)


def test_a_wrong_initial_round_is_told_without_an_epsilon():
    header = TraceHeader("bufalu", "hoeffding", 2, "power:1/4")
    rounds = (Round(1, 1, True, 1, None), Round(2, 1, True, 1, None), Round(3, 2, True, 1, None))
    divergence = check_trace(Trace(header, rounds)).checked.divergence
    assert divergence is not None and (divergence.round, divergence.epsilon) == (2, None)


def test_a_bug_that_explains_every_round_explains_the_whole_trace():
    header = TraceHeader("bufalu", "hoeffding", 2, "power:1/4")
    wrong = known_bug_named("log-base-10").live("bufalu", 2, "hoeffding")
    report = check_trace(play(wrong, header, 200, rewards("doubles", 3)))
    assert not report.conforms
    (found,) = (bug for bug in report.bugs if bug.known.id == "log-base-10")
    assert (found.first, found.last, found.whole) == (1, 200, True)
    assert found.sentence().startswith("the whole trace is what `log-base-10` would do")
