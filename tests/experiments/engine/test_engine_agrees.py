"""The engine plays the very rounds of the exact reference: same rewards and tie-break, same decisions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bufalu.experiments.engine.running import Configuration, regret, run_seeds
from bufalu.experiments.engine.tracing import traced_rounds
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import POLICIES as OF_THE_PAPER
from bufalu.reference.policies import policy_named
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import (
    BernsteinBudget,
    Budget,
    Constant,
    InverseLog,
    NondecreasingBudget,
    Power,
    Values,
    Zero,
)
from bufalu.reference.simulation import simulate

HORIZON = 80
OF_INTERVALS = (*OF_THE_PAPER, "dial:1/2", "dial:3/10", "dial:0", "dial:1")
OF_PAIRS = ("pairs:1", "pairs:2", "pairs:7/3:1", "pairs:3/2:30")
POLICIES = (*OF_INTERVALS, *OF_PAIRS)

quarters = st.integers(0, 4).map(lambda k: Fraction(k, 4))
tenths = st.integers(0, 10).map(lambda k: Fraction(k, 10))


@st.composite
def finite_arms(draw):
    values = draw(st.lists(tenths, min_size=1, max_size=3, unique=True))
    weights = [draw(st.integers(1, 4)) for _ in values]
    return Arm.finite([(v, Fraction(w, sum(weights))) for v, w in zip(values, weights, strict=True)])


arms = st.one_of(quarters.map(Arm.bernoulli), quarters.map(Arm.deterministic), finite_arms())
instances = st.lists(arms, min_size=1, max_size=4).map(lambda found: Instance(tuple(found)))

schedules = st.one_of(
    st.just(Zero()),
    st.just(InverseLog()),
    st.sampled_from([Fraction(1, 10), Fraction(1, 2), 1, 3]).map(Constant),
    st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), 1]).map(Power),
    st.integers(1, 200).map(Budget),
    st.integers(1, 40).map(lambda b: Budget(Fraction(b, 3))),
    st.integers(5, 200).map(BernsteinBudget),
    st.lists(tenths, min_size=HORIZON, max_size=HORIZON).map(lambda v: Values(tuple(v))),
    st.just(NondecreasingBudget(lambda t: 4 + t // 3)),
)


def decisions(configuration, seed):
    """(arm, query) of each round, played in one go."""
    return [pair for part in traced_rounds(configuration, seed) for pair in zip(part.arm, part.query, strict=True)]


def assert_counts_agree(configuration, seed, expected, marks):
    """Stopped after each mark, the engine has counted the plays and the queries of the rounds before it."""
    outcome = run_seeds(configuration, [seed], marks)
    for mark, plays, queries in zip(marks, outcome.plays[:, 0], outcome.queries[:, 0], strict=True):
        for arm in range(1, configuration.instance.number_of_arms + 1):
            mine = [query for played, query in expected[:mark] if played == arm]
            assert (plays[arm - 1], queries[arm - 1]) == (len(mine), sum(mine))


def reference_decisions(configuration, seed):
    arms = configuration.instance.number_of_arms
    policy = LivePolicy(policy_named(configuration.policy), arms, configuration.confidence, configuration.ties)
    rewards = SeededRewards(configuration.instance, seed)
    rounds = simulate(policy, configuration.instance, configuration.schedule, configuration.horizon, rewards)
    return [(played.arm, played.query) for played in rounds]


@pytest.mark.parametrize(
    ("policy", "confidence"),
    [
        *product(OF_INTERVALS, ["hoeffding", "hoeffding:1/2", "bernstein", "kl-ucb"]),
        *((policy, "hoeffding") for policy in OF_PAIRS),
        ("pairs:2", "bernstein"),
    ],
)
@settings(max_examples=settings.default.max_examples // 2)  # there are 37 settings of them
@given(
    instance=instances,
    schedule=schedules,
    ties=st.sampled_from(["first", "last"]),
    seed=st.integers(0, 10**6),
    first_stop=st.integers(0, 8),
)
def test_same_rewards_and_ties_give_the_same_decisions(
    *, policy, confidence, instance, schedule, ties, seed, first_stop
):
    configuration = Configuration(policy, instance, schedule, HORIZON, confidence, ties)
    expected = reference_decisions(configuration, seed)
    assert decisions(configuration, seed) == expected
    assert_counts_agree(configuration, seed, expected, range(first_stop, HORIZON + 1, 9))

    # In one go, so that jumps and runs of queries are long, and once more without them.
    for jumps in (True, False):
        whole = Configuration(policy, instance, schedule, HORIZON, confidence, ties, jumps)
        assert_counts_agree(whole, seed, expected, [HORIZON])


@given(
    instance=instances,
    schedule=schedules,
    policy=st.sampled_from(POLICIES),
    confidence=st.sampled_from(["hoeffding", "bernstein"]),
    seeds=st.lists(st.integers(0, 10**6), min_size=1, max_size=19, unique=True),
    marks=st.lists(st.integers(0, HORIZON), unique=True, max_size=5).map(sorted),
)
def test_a_seed_plays_the_same_alone_and_among_others(*, instance, schedule, policy, confidence, seeds, marks):
    # Groups of eight lanes with ragged ends, lanes that wait for exact decisions beside lanes that go on.
    configuration = Configuration(policy, instance, schedule, HORIZON, confidence)
    together = run_seeds(configuration, seeds, marks)
    for row, seed in enumerate(seeds):
        alone = run_seeds(configuration, [seed], marks)
        assert np.array_equal(together.plays[:, row], alone.plays[:, 0])
        assert np.array_equal(together.queries[:, row], alone.queries[:, 0])


numbers = st.one_of(
    st.fractions(0, 1, max_denominator=10**9),
    st.floats(0, 1),
    st.floats(0, 1).map(np.float64),
)


@given(
    means=st.lists(numbers, min_size=2, max_size=12),
    policy=st.sampled_from(sorted(POLICIES)),
    seed=st.integers(0, 99),
)
def test_any_means_give_the_decisions_and_the_regret_of_the_reference(means, policy, seed):
    instance = Instance.bernoulli(means)
    configuration = Configuration(policy, instance, InverseLog(), HORIZON)
    expected = reference_decisions(configuration, seed)
    outcome = run_seeds(configuration, [seed])
    counts = [sum(1 for arm, _ in expected if arm == a) for a in range(1, len(means) + 1)]
    assert outcome.plays[0, 0].tolist() == counts
    exact = sum(Fraction(gap) * n for gap, n in zip(instance.gaps, counts, strict=True))
    assert regret(instance, outcome.plays[-1]).tolist() == [float(exact)]


def test_supports_of_many_values_and_many_arms_agree():
    wide = Arm.finite([(Fraction(k, 40), Fraction(1, 41)) for k in range(41)])
    instance = Instance(
        (*(wide for _ in range(30)), Arm.bernoulli(Fraction(1, 2)), Arm.deterministic(Fraction(1, 3)))
    )
    for policy in POLICIES:
        for confidence in ("hoeffding", "bernstein"):
            configuration = Configuration(policy, instance, InverseLog(), 400, confidence)
            expected = reference_decisions(configuration, 3)
            assert decisions(configuration, 3) == expected
            assert_counts_agree(configuration, 3, expected, range(0, 401, 40))
