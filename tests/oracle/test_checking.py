"""The fast check agrees with the exact one, finds single wrong rounds, and sums exactly."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bufalu.oracle import checking
from bufalu.oracle.blocks import Block, blocks_of_rounds
from bufalu.oracle.checking import Checked, Referee, check_blocks
from bufalu.oracle.exact_sums import exact_sum, exact_sum_of_squares
from bufalu.oracle.known_bugs import KNOWN_BUGS, KilledBy
from bufalu.oracle.report import check_trace
from bufalu.reference.policies import Decision
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import parse_schedule
from bufalu.reference.state import State
from bufalu.reference.traces import Trace, TraceHeader, with_epsilon
from tests.oracle.runs import DIALS, INTERVALS, POLICIES, REWARD_KINDS, play, reference, rewards, traces


def exact_check(trace: Trace, strict: bool) -> tuple[int | None, int]:
    """The first divergent round and the ambiguous rounds before it, with exact arithmetic in every round."""
    referee, state, ambiguous = Referee(trace.header, strict), State(trace.header.arms), 0
    for played in with_epsilon(trace.rounds, trace.header.schedule, trace.header.arms):
        accepted, close = referee.accepted(state, played.number, played.epsilon)
        if Decision(played.arm, played.query) not in accepted:
            return played.number, ambiguous
        ambiguous += close
        if played.reward is not None:
            state.record(played.arm, played.reward)
    return None, ambiguous


def summary(checked: Checked) -> tuple[int | None, int]:
    return checked.divergence.round if checked.divergence else None, checked.ambiguous_rounds


@given(traces(), st.booleans(), st.sampled_from([1, 7, 8192]))
def test_the_filter_agrees_with_exact_arithmetic(trace: Trace, strict: bool, slice_rounds: int) -> None:
    assume(trace.rounds)  # nothing is judged on nothing
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "_SLICE_ROUNDS", slice_rounds)
        checked = check_trace(trace, strict).checked
    assert summary(checked) == exact_check(trace, strict)


@pytest.mark.parametrize("policy", [*POLICIES, *DIALS])
@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("kind", REWARD_KINDS)
def test_correct_runs_conform_and_the_filter_decides_nearly_all(policy: str, interval: str, kind: str) -> None:
    header = TraceHeader(policy, interval, 4, "power:1/4")
    for ties in ("first", "last"):
        trace = play(reference(header, ties), header, 400, rewards(kind, 5))
        checked = check_trace(trace, strict=True).checked
        assert checked.conforms
        # Thirds are no doubles: real ties among them are recognised by exact arithmetic alone.
        assert checked.exact_rounds <= (400 if kind == "thirds" else 40)


@given(st.integers(6, 150), st.sampled_from((*POLICIES, *DIALS)), st.sampled_from(INTERVALS))
def test_a_single_wrong_round_is_found(place: int, policy: str, interval: str) -> None:
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


@given(st.lists(st.floats(0, 1), max_size=600))
def test_sums_are_exact(values: list[float]) -> None:
    array = np.array(values, dtype=np.float64)
    assert exact_sum(array) == sum((Fraction(value) for value in values), start=Fraction(0))
    assert exact_sum_of_squares(array) == sum((Fraction(value) ** 2 for value in values), start=Fraction(0))


def test_sums_are_exact_for_a_whole_block_of_the_largest_mantissas() -> None:
    array = np.full(2**15, np.nextafter(1.0, 0.0))
    assert exact_sum(array) == 2**15 * Fraction(float(array[0]))
    assert exact_sum_of_squares(array) == 2**15 * Fraction(float(array[0])) ** 2


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
