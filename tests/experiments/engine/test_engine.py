"""The engine beyond agreement: exact resolution, reproducibility, limits, and what it assumes of the machine."""

import tracemalloc
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.experiments.engine import round_tables as rounds
from bufalu.experiments.engine import rules
from bufalu.experiments.engine.arrays import (
    COUNT,
    CURVE,
    LOWEST_LEVEL,
    MEAN,
    SLOPE,
    SUM,
)
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.running import Configuration, play, regret, run_seeds
from bufalu.experiments.engine.seed_groups import arm_rows, fresh_seeds
from bufalu.experiments.engine.streams import stream_keys
from bufalu.reference.confidence import HoeffdingInterval
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import Adaptive, Budget, NondecreasingBudget, Values, parse_schedule
from bufalu.reference.state import ArmRecord

UNIQUE = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
MULTIPLE = Instance.bernoulli([Fraction(1, 4)] * 3 + [Fraction(1, 2)] * 2)


def test_exact_ties_go_to_the_reference_and_come_back_right():
    # A budget that the kernel does not know as one: CI = epsilon exactly, in every round after 10 queries of an arm.
    configuration = Configuration("cbm-ucb", Instance.deterministic([1, 1]), NondecreasingBudget(lambda _: 20), 200)
    outcome = run_seeds(configuration, [0])
    assert outcome.resolved > 100
    assert list(outcome.queries[-1, 0]) == [10, 10]


def test_deciding_close_calls_by_doubles_overspends_the_budget(monkeypatch):
    # The mutant that trusts doubles: no margin, no integers. It queries past the budget somewhere, and the engine never.
    budgets = range(4, 60, 2)
    monkeypatch.setattr(rules, "margin_of", lambda offset, tag_bits: 0.0)
    plain = [
        run_seeds(
            Configuration("cbm-ucb", Instance.deterministic([1, 1]), NondecreasingBudget(lambda _, b=b: b), 300), [0]
        )
        for b in budgets
    ]
    monkeypatch.undo()
    exact = [
        run_seeds(Configuration("cbm-ucb", Instance.deterministic([1, 1]), Budget(b), 300), [0]) for b in budgets
    ]
    assert [int(o.queries[-1].sum()) for o in exact] == list(budgets)
    assert any(p.queries[-1].sum() > b for p, b in zip(plain, budgets, strict=True))


def test_known_budgets_never_leave_the_kernel():
    outcome = run_seeds(Configuration("bufalu", UNIQUE, Budget(100), 5_000), range(20))
    assert outcome.resolved == 0
    assert outcome.queries.max() <= 20


@pytest.mark.parametrize("policy", ["bufalu", "bufau", "cbm-ucb", "greedy", "pairs:2"])
@pytest.mark.parametrize("schedule", ["power:1/4", "inverse-log", "zero"])
def test_jumps_change_nothing_over_long_runs(policy, schedule):
    for instance in (UNIQUE, MULTIPLE):
        fast, plain = (
            run_seeds(Configuration(policy, instance, parse_schedule(schedule), 70_000, jumps=jumps), [1, 2])
            for jumps in (True, False)
        )
        assert np.array_equal(fast.plays, plain.plays)
        assert np.array_equal(fast.queries, plain.queries)


@pytest.mark.parametrize("policy", ["bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2", "pairs:2"])
@pytest.mark.parametrize("schedule", ["power:1/4", "zero", "budget:3000"])
def test_leaps_over_whole_windows_change_nothing(policy, schedule):
    # Five windows: seeds that rest through some of them leap, the others do not.
    instance = Instance.bernoulli([Fraction(1, 10), Fraction(9, 10)])
    for confidence in ("hoeffding", "bernstein"):
        leaping, plain = (
            run_seeds(
                Configuration(policy, instance, parse_schedule(schedule), 300_000, confidence, jumps=jumps), range(11)
            )
            for jumps in (True, False)
        )
        assert np.array_equal(leaping.plays, plain.plays)
        assert np.array_equal(leaping.queries, plain.queries)


@pytest.mark.parametrize("policy", ["bufalu", "pairs:2"])
def test_horizons_beyond_thirty_two_bits_are_cheap_where_nothing_happens(policy):
    horizon = 2**31 + 12_345
    configuration = Configuration(policy, Instance.deterministic([0, 1]), parse_schedule("zero"), horizon)
    outcome = run_seeds(configuration, [0])
    assert outcome.plays.sum() == horizon
    assert outcome.queries.sum() < 1_000
    assert regret(configuration.instance, outcome.plays[-1]).tolist() == [float(outcome.plays[-1, 0, 0])]


def test_streams_are_fair_and_their_own():
    outcome = run_seeds(Configuration("greedy", Instance.bernoulli([Fraction(1, 3)]), parse_schedule("zero"), 2), [0])
    assert outcome.plays[-1, 0, 0] == 2
    rewards = SeededRewards(Instance.bernoulli([Fraction(1, 3), Fraction(1, 3)]), 5)
    draws = np.array([[int(rewards.draw(arm, k)) for k in range(1, 6001)] for arm in (1, 2)])
    # 6,000 draws: a standard error is 0.0061; 4.5 of them leave a false alarm of 1e-5.
    assert abs(draws.mean(axis=1) - 1 / 3).max() < 4.5 * (2 / 9 / 6000) ** 0.5
    assert abs(np.corrcoef(draws)[0, 1]) < 4.5 / 6000**0.5
    assert abs(np.corrcoef(draws[0][1:], draws[0][:-1])[0, 1]) < 4.5 / 6000**0.5
    assert len(np.unique(stream_keys(range(1000), 5))) == 5000


def test_logarithms_are_as_good_as_the_error_analysis_assumes():
    numbers = sorted({*range(2, 300), *(10**k + d for k in range(3, 10) for d in (-1, 0, 1))})
    logs = np.log(np.array(numbers, float))
    with localcontext() as context:
        context.prec = 40
        for number, log in zip(numbers, logs, strict=True):
            exact = Decimal(number).ln()
            assert abs(Decimal(float(log)) - exact) <= 4 * Decimal(float(np.spacing(log)))


def test_block_minima_are_minima():
    epsilon = np.random.default_rng(1).random(1000)
    floor, starts = rounds.block_minima(epsilon)
    for level in range(LOWEST_LEVEL, starts.size):
        size = 1 << level
        for block in range(1000 // size):
            assert floor[starts[level] + block] == epsilon[block * size : (block + 1) * size].min()


def test_what_the_engine_cannot_carry_is_refused():
    zero = parse_schedule("zero")
    with pytest.raises(OutsideEngine, match="fixed in advance"):
        Configuration("bufalu", UNIQUE, Adaptive(lambda history, number, arms: 0), 10)
    tiny = Instance((Arm.deterministic(Fraction(1, 10**9)),))
    with pytest.raises(OutsideEngine, match=r"sums of 10000000 rewards .* 2\^52"):
        Configuration("bufalu", tiny, zero, 10**7)
    with pytest.raises(OutsideEngine, match="sums of squares"):
        Configuration("bufalu", tiny, zero, 10, "bernstein")
    assert run_seeds(Configuration("bufalu", UNIQUE, zero, 0), [0, 1]).plays.sum() == 0
    with pytest.raises(OutsideEngine, match="ties"):
        Configuration("bufalu", UNIQUE, zero, 10, ties="random:3")
    with pytest.raises(OutsideEngine, match="checkpoints"):
        run_seeds(Configuration("bufalu", UNIQUE, zero, 10), [0], [11])


@given(
    means=st.lists(
        st.one_of(
            st.fractions(0, 1, max_denominator=10**30),
            st.floats(0, 1),
            st.floats(0, 1).map(np.float64),
            st.integers(0, 1),
        ),
        min_size=1,
        max_size=5,
    ),
    plays=st.lists(st.integers(0, 2**62), min_size=5, max_size=5),
)
def test_regret_is_the_double_nearest_to_the_exact_sum(means, plays):
    instance = Instance.bernoulli(means)
    counts = plays[: len(means)]
    exact = sum(Fraction(gap) * n for gap, n in zip(instance.gaps, counts, strict=True))
    assert regret(instance, np.array([[counts], [counts]])).tolist() == [[float(exact)]] * 2


def test_memory_does_not_grow_with_the_horizon():
    def peak(horizon):
        tracemalloc.start()
        run_seeds(Configuration("bufalu", UNIQUE, parse_schedule("power:1/4"), horizon), range(3))
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(1_000)
    assert peak(3_200_000) < 1.1 * peak(800_000)


@pytest.mark.parametrize(
    ("policy", "confidence"), [("cbm-ucb", "hoeffding"), ("cbm-ucb", "bernstein"), ("pairs:2", "hoeffding")]
)
@pytest.mark.parametrize("values", [(0, 1), (Fraction(1, 3_999_971), Fraction(1, 2), 1)], ids=["two", "three"])
def test_a_round_decided_exactly_leaves_the_bits_that_a_compiled_one_leaves(policy, confidence, values, monkeypatch):
    # Equal arms tie by equal bits: a last bit that depends on who renewed an arm would break the tie another way.
    instance = Instance([Arm(values, [Fraction(1, len(values))] * len(values))] * 2)
    horizon, rows = 60, []
    for enlarged in (1.0, 1e18):
        monkeypatch.setattr(rules, "margin_of", lambda *given, by=enlarged: by * rounds.margin_of(*given))
        configuration = Configuration(policy, instance, parse_schedule("zero"), horizon, confidence)
        seeds = fresh_seeds(configuration, range(8))
        resolved = play(configuration, seeds, 1, horizon)
        rows.append(arm_rows(seeds)[:, [MEAN, SLOPE, CURVE, COUNT, SUM]])
    assert resolved > 8 * (horizon - 5)
    assert (rows[0] == rows[1]).all()


def test_a_tie_after_an_exact_query_goes_to_the_first_arm():
    # In round 6 epsilon is just below the width of arm 2, so that exact arithmetic asks; from then on both arms are alike.
    width = HoeffdingInterval().radius(ArmRecord(2, 2, 2), 6)
    close = 2 * Fraction(float(width)) * (1 - Fraction(1, 10**15))
    schedule = Values([0, 0, 0, 0, 0, close, *[100] * 994])
    outcome = run_seeds(Configuration("cbm-ucb", Instance.deterministic([1, 1]), schedule, 1000), [0])
    assert outcome.resolved >= 1
    assert outcome.queries[-1, 0].tolist() == [3, 3]
    assert outcome.plays[-1, 0].tolist() == [997, 3]
