"""Runs: every tie-break stays admissible, budgets are kept exactly, runs are reproducible, unseen rewards are unseen."""

import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.plain_float import float_bufalu
from bufalu.reference.comparisons import RandomTies, first, last
from bufalu.reference.errors import InvalidInstance, InvalidNumber, InvalidReward, InvalidSchedule, OutOfTurn
from bufalu.reference.instances import Instance
from bufalu.reference.live import BuFALU, LivePolicy
from bufalu.reference.policies import POLICIES
from bufalu.reference.rewards import SeededRewards, Tape
from bufalu.reference.schedules import Adaptive, Budget, Constant, Power, Values, Zero, parse_schedule
from bufalu.reference.simulation import simulate
from bufalu.reference.view import ExactView
from tests.oracle.float_programs import FloatPolicy

SCHEDULES = ["zero", "constant:1/10", "power:1/4", "inverse-log", "budget:12", "bernstein-budget:12"]
means = st.lists(st.sampled_from([0, Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), 1]), min_size=1, max_size=4)


def checked_run(rule, confidence, ties, instance, schedule, horizon, rewards):
    """The rounds of a run in which every decision was compared with the admissible set before it was taken."""
    policy = LivePolicy(rule, instance.number_of_arms, confidence, ties)
    mirror = LivePolicy(rule, instance.number_of_arms, confidence, first)
    rounds = []
    for played in simulate(policy, instance, schedule, horizon, rewards):
        allowed = mirror.admissible(played.number, 0 if played.epsilon is None else played.epsilon)
        assert (played.arm, played.query) in allowed
        if played.reward is not None:
            mirror.state.record(played.arm, played.reward)
        rounds.append(played)
    return rounds


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("confidence", ["hoeffding", "hoeffding:1/2", "bernstein", "kl-ucb"])
@given(means=means, schedule=st.sampled_from(SCHEDULES), seed=st.integers(0, 99), data=st.data())
def test_every_tie_break_gives_an_admissible_trace(policy, confidence, means, schedule, seed, data):
    instance = Instance.bernoulli(means)
    drawn = data.draw(st.sampled_from([first, last, RandomTies(seed)]))
    rounds = checked_run(
        POLICIES[policy], confidence, drawn, instance, parse_schedule(schedule), 30, SeededRewards(instance, seed)
    )
    assert [played.number for played in rounds] == list(range(1, 31))
    assert all((played.reward is not None) == played.query for played in rounds)


def test_first_and_last_differ_on_a_run_with_real_ties():
    instance = Instance.deterministic([1, 1])
    runs = [
        [
            played.arm
            for played in simulate(BuFALU(2, ties=ties), instance, Constant(0), 20, SeededRewards(instance, 0))
        ]
        for ties in ("first", "last")
    ]
    assert runs[0] != runs[1]


def queries_per_arm(rounds, arms):
    counts = [0] * arms
    for arm, query in rounds:
        counts[arm - 1] += query
    return counts


budgets = st.integers(1, 12)


@given(arms=st.integers(2, 3), share=budgets, data=st.data())
def test_no_path_exceeds_its_share_of_a_budget(arms, share, data):
    schedule = Budget(arms * share)
    tape = [data.draw(st.lists(st.sampled_from([0, 1]), min_size=share + 2, max_size=share + 2)) for _ in range(arms)]
    instance = Instance.bernoulli([Fraction(1, 2)] * arms)
    ties = data.draw(st.sampled_from([first, last, RandomTies(share)]))
    rounds = simulate(BuFALU(arms, ties=ties), instance, schedule, 60, Tape(tape))
    counts = queries_per_arm([(played.arm, played.query) for played in rounds], arms)
    assert max(counts) <= max(share, 1)


def test_doubles_exceed_a_budget_that_the_exact_rule_keeps():
    # The mutant: the very same rule in doubles. At n = B/K the width is exactly epsilon, and rounding tips the test.
    import math

    offenders = []
    for arms in (2, 3):
        for share in range(1, 13):
            total = arms * share

            def epsilon(t, arms=arms, total=total):
                return math.sqrt(6 * arms * math.log(t) / total)

            counts = queries_per_arm(float_bufalu(arms, 2000, epsilon, lambda arm, k: 1.0), arms)
            instance = Instance.deterministic([1] * arms)
            exact = simulate(BuFALU(arms), instance, Budget(total), 300, SeededRewards(instance, 0))
            assert max(queries_per_arm([(r.arm, r.query) for r in exact], arms)) <= share
            if max(counts) > share:
                offenders.append((arms, share))
    assert offenders, "doubles kept every budget: the mutant is not killed"


def test_the_float_view_runs_the_same_rule():
    exact, plain = LivePolicy(POLICIES["bufalu"], 2), FloatPolicy("bufalu", 2, "hoeffding")
    for number, reward in enumerate((1, 0), start=1):
        assert plain.decide(number, 0) == exact.decide(number, 0)
        exact.observe(reward)
        plain.observe(reward)
    # Both arms are equally wide, and doubles break the tie.
    assert plain.decide(3, 0.1) in exact.admissible(3, 0.1)


def test_same_seed_same_run():
    instance = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
    runs = [
        list(simulate(BuFALU(2), instance, Power(Fraction(1, 4)), 200, SeededRewards(instance, seed)))
        for seed in (5, 5, 6)
    ]
    assert [r[:4] for r in runs[0]] == [r[:4] for r in runs[1]]
    assert [r[:4] for r in runs[0]] != [r[:4] for r in runs[2]]


def test_unqueried_rewards_are_never_drawn():
    instance = Instance.deterministic([0, 1])
    asked = []

    class Source:
        def draw(self, arm, k):
            asked.append((arm, k))
            return instance.means[arm - 1]

    rounds = list(simulate(BuFALU(2), instance, Power(Fraction(1, 4)), 300, Source()))
    assert len(asked) == sum(played.query for played in rounds)
    assert all(asked.count(pair) == 1 for pair in asked)
    assert any(not played.query for played in rounds)


def test_adaptive_schedules_see_the_past_alone():
    seen = []

    def choose(history, round_number, arms):
        seen.append((len(history), round_number))
        return Fraction(sum(played.query for played in history), 10)

    instance = Instance.bernoulli([Fraction(1, 2), Fraction(1, 2)])
    list(simulate(BuFALU(2), instance, Adaptive(choose), 20, SeededRewards(instance, 0)))
    assert seen == [(t - 1, t) for t in range(3, 21)]


def test_streaming_keeps_nothing():
    instance = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])

    def peak(horizon):
        tracemalloc.start()
        for _ in simulate(BuFALU(2), instance, Power(Fraction(1, 4)), horizon, SeededRewards(instance, 0)):
            pass
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(100)
    assert peak(4000) < peak(400) + 20_000


def test_turns_are_kept():
    policy = BuFALU(2)
    with pytest.raises(OutOfTurn, match="round 1 comes next"):
        policy.decide(2, 0)
    with pytest.raises(OutOfTurn, match="no reward was asked for"):
        policy.observe(1)
    policy.decide(1, 0)
    with pytest.raises(OutOfTurn, match="observe its reward"):
        policy.decide(2, 0)
    with pytest.raises(InvalidReward, match=r"outside \[0, 1\]"):
        policy.observe(2)


def test_bad_runs_are_refused():
    instance = Instance.bernoulli([Fraction(1, 2), 0])
    with pytest.raises(InvalidInstance, match="3 arms"):
        list(simulate(BuFALU(3), instance, Constant(0), 5, SeededRewards(instance, 0)))
    with pytest.raises(InvalidNumber, match="horizon must be a whole number of at least 0"):
        list(simulate(BuFALU(2), instance, Constant(0), -1, SeededRewards(instance, 0)))
    with pytest.raises(InvalidSchedule, match=r"epsilon\(3\) is missing"):
        list(simulate(BuFALU(2), instance, Values((1, 1)), 5, SeededRewards(instance, 0)))
    with pytest.raises(InvalidSchedule, match="negative"):
        list(simulate(BuFALU(2), instance, Adaptive(lambda h, t, k: -1), 5, SeededRewards(instance, 0)))
    with pytest.raises(InvalidReward, match="tape of arm 2"):
        list(simulate(BuFALU(2), instance, Constant(0), 5, Tape([[0], []])))
    with pytest.raises(InvalidNumber, match="arms must be a whole number from 1"):
        BuFALU(0)


@pytest.mark.parametrize("given", [None, object(), "rewards", b"rewards", SeededRewards])
def test_what_is_no_source_of_rewards(given: object) -> None:
    with pytest.raises(InvalidReward, match="must be a seed, rewards, or a source of rewards"):
        simulate("bufalu", [0, 1], "zero", 5, given)  # type: ignore[call-overload]  # wrong on purpose


def test_a_view_keeps_its_state_when_the_policy_moves_on():
    policy = BuFALU(1)
    policy.decide(1, 0)
    policy.observe(0)
    view = ExactView(policy.state, policy.confidence, 2, Constant(0).at(2, 1))
    before = view.ucb(1)
    policy.state.record(1, 1)
    assert view.ucb(1) == before


def test_a_horizon_may_be_nothing():
    instance = Instance.bernoulli([Fraction(1, 2), Fraction(1, 3)])
    nothing = simulate(BuFALU(2), instance, Zero(), 0, SeededRewards(instance, 0))
    assert list(nothing) == []


def test_a_text_is_no_epsilon_not_even_in_the_initial_rounds():
    with pytest.raises(InvalidSchedule, match=r"epsilon\(1\)"):
        BuFALU(arms=3).decide(1, "power:1/4")


def test_the_round_that_waits_for_its_reward_is_named():
    policy = BuFALU(arms=3)
    policy.decide(1, 0)
    for asked in (1, 2, 7):
        with pytest.raises(OutOfTurn, match=r"^round 1 queried arm 1"):
            policy.decide(asked, 0)
