"""The doubles of a block hold the truth within the errors that they claim, and claim no more than they need."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bufalu.doubles import blocks
from bufalu.doubles.blocks import blocks_of_rounds
from bufalu.doubles.slices import Slice, _in_runs
from bufalu.doubles.views import UNIT, _radius, block_doubles
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import Exact
from bufalu.reference.radicals import RadicalTerm
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import ShapedSchedule, parse_schedule
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.traces import Trace, TraceHeader, with_epsilon
from bufalu.reference.view import ExactView
from tests.oracle.runs import play, reference, rewards, traces


def assert_holds(truth: Exact, double: float, error: float) -> None:
    """|truth - double| <= error, exactly; infinities are themselves."""
    if truth.is_infinite:
        assert double == truth.approximation
        return
    distance = truth - Exact.of(Fraction(double))
    allowed = Exact.of(Fraction(error))
    assert -allowed <= distance <= allowed, (float(truth), double, error)


@given(traces(), st.integers(0, 40))
def test_the_truth_is_within_the_claimed_errors(trace: Trace, cut: int) -> None:
    """From any round on: `cut` rounds are in the state, the rest is the block."""
    assume(len(trace.rounds) > trace.header.arms)
    assert_doubles_hold(trace, cut)


def test_an_arm_without_a_query_has_the_mean_zero() -> None:
    """Though its first reward is the pivot of its sums."""
    rounds = (Round(1, 1, False, None, None), Round(2, 1, True, Fraction(0.7), Exact.of(0)))
    assert_doubles_hold(Trace(TraceHeader("cbm-ucb", "bernstein", 1, None), rounds), 0)


@pytest.mark.parametrize("queries", [2, 3, 40])
@pytest.mark.parametrize("additions", [1, 100, 8192])
@pytest.mark.parametrize("sign", [1, -1])
def test_sums_as_wrong_as_so_many_additions_can_make_them(queries: int, additions: int, sign: int) -> None:
    """Of m additions: squares off by (m + 5) u, the square of the sum over n by 3 m u of them, one up and the other down.
    One reward is so far from the others that the variance is as large as these two errors.
    """
    half, errors = Fraction(1, 2), (4 * additions + 5) * UNIT
    other = half - Fraction(queries * math.sqrt(errors / (queries - 1)) / 2)
    record = ArmRecord(queries, (queries - 1) * half + other, (queries - 1) * half**2 + other**2)
    sums = np.array([float(record.total * (1 + Fraction(3, 2) * sign * additions * Fraction(UNIT)))])
    squares = np.array([float(record.squares * (1 - sign * (additions + 4) * Fraction(UNIT)))])
    interval = confidence_named("bernstein")
    assert interval.shape is not None
    growth, counts = np.log(np.array([1000.0])), np.array([float(queries)])
    radius, error = _radius(interval.shape, counts, sums, squares, growth, additions=additions)
    assert_holds(interval.radius(record, 1000), radius[0], error[0])


def test_arms_that_always_pay_the_same_have_a_variance_too() -> None:
    header = TraceHeader("bufalu", "bernstein", 3, "power:1/4")
    assert_doubles_hold(play(reference(header), header, 12, rewards("deterministic", 3)), 0)


@pytest.mark.parametrize("cut", [0, 7])
def test_the_other_growth_too(cut: int) -> None:
    header = TraceHeader("bufalu", "kl-ucb", 2, "power:1/4")
    assert_doubles_hold(play(reference(header), header, 50, rewards("doubles", 3)), cut)


@pytest.mark.parametrize(
    "schedule",
    ["constant:1000001/3", "constant:1/3000001", "power:7/3", "budget:1/1000003", "bernstein-budget:2000001/1000000"],
)
def test_epsilons_of_any_size(schedule: str) -> None:
    """An error is a share of the epsilon, whether that is large or small."""
    header = TraceHeader("greedy", "hoeffding", 2, schedule)
    assert_doubles_hold(play(reference(header), header, 30, rewards("doubles", 4)), 2)


def assert_doubles_hold(trace: Trace, cut: int) -> None:
    header = trace.header
    interval = confidence_named(header.confidence)
    assert interval.shape is not None
    state = State(header.arms)
    cut = min(cut, len(trace.rounds) - 1)
    for played in trace.rounds[:cut]:
        if played.reward is not None:
            state.record(played.arm, played.reward)
    schedule = header.schedule
    (whole,) = blocks_of_rounds(iter(trace.rounds))
    block = whole.cut(cut, len(trace.rounds))
    found = block_doubles(Slice(block, state), interval.shape, schedule)
    assert found.mean_error < 1e-9
    assert (
        np.max(np.abs([found.lcb, found.ucb]), where=np.isfinite([found.lcb, found.ucb]), initial=0) <= found.largest
    )
    for one, other in itertools.combinations(range(header.arms), 2):
        unknown = np.flatnonzero(np.isinf(found.width[one]) & np.isinf(found.width[other]))
        assert found.same_width(one, other, unknown).all(), "infinite widths are equal, whatever the counts"
    for place, played in enumerate(with_epsilon(trace.rounds[cut:], schedule, header.arms)):
        if played.epsilon is not None:
            view = ExactView(state, interval, played.number, played.epsilon)
            assert_holds(played.epsilon, found.epsilon[place], found.epsilon_error[place])
            if played.epsilon.sign() > 0 and np.isfinite(found.epsilon[place]):
                assert found.epsilon_error[place] <= 1e-9 * found.epsilon[place] + 1e-290
            for arm in range(1, header.arms + 1):
                error = found.bound_error[arm - 1, place]
                assert_holds(view.lcb(arm), found.lcb[arm - 1, place], error)
                assert_holds(view.ucb(arm), found.ucb[arm - 1, place], error)
                assert_holds(view.width(arm), found.width[arm - 1, place], 2 * error)
                assert_holds(view.mean(arm), found.mean[arm - 1, place], found.mean_error)
                assert found.queries[arm - 1, place] == state.queries(arm)
            assert found.total_queries[place] == state.all_queries
        if played.reward is not None:
            state.record(played.arm, played.reward)


class MixedSchedule(ShapedSchedule):
    """sqrt(ln t / t) + 1/7, a stranger's."""

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        return RadicalTerm(1, exponent=Fraction(-1, 2), degree=1), RadicalTerm(Fraction(1, 7))


def asked_round_by_round(*_: object) -> None:
    raise AssertionError("asked round by round")


def test_the_terms_of_a_stranger_are_computed_for_a_whole_block(monkeypatch: pytest.MonkeyPatch) -> None:
    header = TraceHeader("greedy", "hoeffding", 2, "power:1/4")
    (block,) = blocks_of_rounds(iter(play(reference(header), header, 60, rewards("doubles", 4)).rounds))
    shape = confidence_named("hoeffding").shape
    assert shape is not None
    with monkeypatch.context() as patched:
        patched.setattr(ShapedSchedule, "at", asked_round_by_round)
        found = block_doubles(Slice(block.cut(2, 60), State(2)), shape, MixedSchedule())
    for place, number in enumerate(range(3, 61)):
        assert_holds(MixedSchedule().shape(2).at(number), found.epsilon[place], found.epsilon_error[place])


def test_blocks_are_cut_where_they_are_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK_ROUNDS", 4)
    made = list(blocks_of_rounds(Round(number, 1, True, 1, None) for number in range(1, 11)))
    assert [(block.first, len(block)) for block in made] == [(1, 4), (5, 4), (9, 2)]


def test_states_are_asked_for_in_any_order() -> None:
    (block,) = blocks_of_rounds([Round(number, 1, True, 1, None) for number in range(1, 9)])
    piece = Slice(block, State(1))
    assert [piece.state_before(place).queries(1) for place in (5, 2, 7, 0)] == [5, 2, 7, 0]


def test_no_numbers_add_up_to_nothing() -> None:
    assert _in_runs(np.zeros(0, dtype=np.int64)) == 0
    assert _in_runs(np.array([3, 4])) == 7


@pytest.mark.parametrize(("asked", "same"), [((1, 2), True), ((1,), False), ((2,), False)])
def test_arms_that_both_answered_with_one_reward_have_the_same_mean(asked: tuple[int, ...], same: bool) -> None:
    """Of an arm without an answer it is not known."""
    rounds, state = [], State(2)
    for arm in (1, 2):
        rounds.append(Round(arm, arm, arm in asked, 1 if arm in asked else None, None))
        if arm in asked:
            state.record(arm, 1)
    (block,) = blocks_of_rounds([*rounds, Round(3, 1, False, None, None)])
    shape = confidence_named("hoeffding").shape
    assert shape is not None
    found = block_doubles(Slice(block.cut(2, 3), state), shape, parse_schedule("zero"))
    assert found.same_mean(0, 1, np.array([0])).tolist() == [same]
