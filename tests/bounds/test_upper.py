"""The upper bounds: general theorem against the main text's, formulas against numbers, runs against bounds."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.errors import NeedsPath, OutsideDomain
from bufalu.bounds.maxima import LevelRule, largest_count
from bufalu.bounds.quantities import quantities
from bufalu.bounds.regularity import BERNSTEIN, HOEFFDING
from bufalu.bounds.run_bounds import run_bounds
from bufalu.bounds.upper import problem_independent, query_costs, refined_counts, upper_bounds
from bufalu.reference.comparisons import parse_ties
from bufalu.reference.confidence import BernsteinInterval, HoeffdingInterval
from bufalu.reference.errors import InvalidSchedule
from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.instances import Instance
from bufalu.reference.live import BuFALU
from bufalu.reference.policies import Decision
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import Adaptive, Constant, InverseLog, Power, Zero
from bufalu.reference.simulation import simulate
from tests.bounds.questions import fewer, formulas, instances, several_arms, value_lists

intervals = st.sampled_from([HoeffdingInterval(), BernsteinInterval()])
PAPER = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])


def number(value):
    return float(Enclosure.of(value))


def main_text(gaps, epsilon, horizon):
    """The theorem of l.417-431 in plain floats, with the capped N-bar, for a nonincreasing epsilon."""
    arms, optimal = len(gaps), gaps.count(0)
    smallest = min((gap for gap in gaps if gap), default=math.inf)

    def n_bar(level):
        width = max(level, epsilon(horizon))
        return min(6 * math.log(horizon) / width**2 if width else math.inf, horizon - 1)

    def blocked(gap):
        return sum(epsilon(t) >= gap for t in range(1, horizon + 1))

    half = 2 if optimal == 1 else 1
    regret = sum(gap * (n_bar(gap / half) + blocked(gap)) for gap in gaps if gap) + 3 * arms * max(gaps)
    own = n_bar(smallest / 2) if optimal == 1 else optimal * n_bar(0)
    return regret, sum(n_bar(gap / half) for gap in gaps if gap) + own + 3 * arms


@pytest.mark.parametrize("means", [(0, 1), (0, 1, 1), (0.25, 0.25, 0.5), (0.5, 0.5, 0.25, 0.5), (1, 0.5, 0.0)])
@pytest.mark.parametrize("horizon", [2, 50, 3000])
def test_hoeffding_is_the_main_text(means, horizon):
    instance = Instance.bernoulli([Fraction(mean) for mean in means])
    gaps = [float(gap) for gap in instance.gaps]
    for schedule, epsilon in (
        (Power(Fraction(1, 4)), lambda t: t**-0.25 if t != 256 else 0.25),
        (Constant(Fraction(1, 8)), lambda t: 0.125),
        (Zero(), lambda t: 0.0),
        (InverseLog(), lambda t: 1 / math.log(t) if t > 1 else math.inf),
    ):
        bounds = upper_bounds(instance, schedule, horizon)
        regret, queries = main_text(gaps, epsilon, horizon)
        assert float(bounds.regret.evaluate()) == pytest.approx(regret, rel=1e-12)
        assert float(bounds.queries.evaluate()) == pytest.approx(queries, rel=1e-12)


def test_the_example_of_the_paper():
    """Five arms, T = 100,000, t^-1/4: by hand, N-bar = 6 ln T 64 and L = 256 for each arm."""
    bounds = upper_bounds(PAPER, Power(Fraction(1, 4)), 100_000)
    samples = 384 * math.log(100_000)
    assert bounds.quantities.l_epsilon == (256, 256, 256, 256, None)
    assert float(bounds.regret.evaluate()) == pytest.approx(samples + 256 + 15 / 4)
    assert float(bounds.queries.evaluate()) == pytest.approx(5 * samples + 15)
    assert float(bounds.query_cap.evaluate()) == pytest.approx(6 * math.log(100_000) * math.sqrt(100_000) + 1)
    assert bounds.query_cap_exact == 21845
    sharper = 6 * math.log(100_000) / ((0.25 + 100_000**-0.25) / 2) ** 2
    assert float(bounds.sharper_regret.evaluate()) == pytest.approx(sharper + 256 + 15 / 4)
    assert float(bounds.sharper_queries.evaluate()) == pytest.approx(4 * sharper + samples + 15)
    # the wrong sharper theorem, with the average for the optimal arm too, would be smaller
    assert float(bounds.sharper_queries.evaluate()) > 5 * sharper + 15


def test_problem_independent_bound():
    """4 sqrt(6 K T ln T) + sum epsilon + 3 K Delta_max, and the infimum that gives it."""
    horizon = 100_000
    bound = upper_bounds(PAPER, Power(Fraction(1, 4)), horizon).regret_problem_independent
    total = math.fsum(t**-0.25 for t in range(6, horizon + 1))
    expected = 4 * math.sqrt(30 * horizon * math.log(horizon)) + total + 15 / 4
    assert float(bound.evaluate()) == pytest.approx(expected, rel=1e-12)
    for level in (0.5, 0.9, 0.999, 1.001, 1.1, 2):
        # the objective 2 K M(T, D/2) + D T, at multiples of its minimiser sqrt(24 K ln T / T) (l.1059)
        gap = level * math.sqrt(120 * math.log(horizon) / horizon)
        objective = 2 * 5 * 6 * math.log(horizon) / (gap / 2) + gap * horizon
        assert objective > 4 * math.sqrt(30 * horizon * math.log(horizon))


@given(st.integers(2, 400), st.integers(1, 60), st.integers(0, 60), st.integers(0, 12))
def test_the_repaired_hypothesis_on_m_holds_at_every_level(horizon, base, extra, variance):
    """E10: x N-bar(T, x) <= M(T, Delta_0) for all levels x >= Delta_0, for both intervals."""
    base, level = Fraction(base, 60), Fraction(base + extra, 60)
    log = Enclosure.of(horizon).log()
    for rule, bound in (
        (HOEFFDING.good(0), 6 * log / base),
        (BERNSTEIN.good(Fraction(variance, 48)), 6 * log / base + 52 * log + level),
    ):
        count = Enclosure.of(largest_count(rule, LevelRule(level), Zero(), 2, horizon).count)
        assert (level * count).lower <= bound.upper


def test_bernstein_problem_independent_bound_uses_the_variance():
    numbers = quantities(PAPER, Zero(), 1000, BernsteinInterval())
    general, small = problem_independent(numbers), problem_independent(numbers, Fraction(3, 16))
    log = math.log(1000)
    rest = 2 * 5 * (52 * log + 0.25) + (5 + 60) * 0.25
    assert float(general.evaluate()) == pytest.approx(4 * math.sqrt(5 * 6 * 1000 * log) + rest)
    assert float(small.evaluate()) == pytest.approx(4 * math.sqrt(5 * 24 * 3 / 16 * 1000 * log) + rest)
    with pytest.raises(OutsideDomain):
        problem_independent(numbers, Fraction(1, 10))


@fewer(2)
@given(instances, formulas, st.integers(1, 300), intervals)
def test_formulas_numbers_and_terms_agree(instance, schedule, horizon, interval):
    bounds = upper_bounds(instance, schedule, horizon, interval)
    for bound in bounds.bounds:
        value = bound.evaluate()
        parts = sum((part for _, part in bound.contributions()), Enclosure.of(0))
        assert value.overlaps(parts)
        assert bound.expression.symbols <= set(bound.values)
        exact = {name: Fraction(float(Enclosure.of(number))) for name, number in bound.values.items()}
        assert float(bound.expression.decimal(exact, 25)) == pytest.approx(float(value), rel=1e-12, abs=1e-12)


@given(instances, formulas, st.integers(1, 200), intervals)
def test_each_refinement_is_an_improvement(instance, schedule, horizon, interval):
    bounds = upper_bounds(instance, schedule, horizon, interval)
    for paper, sharper, refined in (
        (bounds.regret, bounds.sharper_regret, bounds.refined_regret),
        (bounds.queries, bounds.sharper_queries, bounds.refined_queries),
    ):
        assert sharper.evaluate().lower <= paper.evaluate().upper
        assert refined.evaluate().lower <= sharper.evaluate().upper
        if not instance.unique:
            assert sharper.evaluate().lower == paper.evaluate().lower


@fewer(2)
@given(instances, formulas, st.integers(1, 150))
def test_bounds_grow_with_the_horizon(instance, schedule, horizon):
    before, after = upper_bounds(instance, schedule, horizon), upper_bounds(instance, schedule, horizon + 1)
    for early, late in zip(before.bounds, after.bounds, strict=True):
        assert early.evaluate().lower <= late.evaluate().upper


def counts_of_a_run(instance, schedule, horizon, interval):
    arms = instance.number_of_arms
    policy = BuFALU(arms, confidence=interval)
    rounds = list(simulate(policy, instance, schedule, horizon, SeededRewards(instance, 0)))
    queried = [sum(r.query and r.arm == arm for r in rounds) for arm in range(1, arms + 1)]
    unqueried = [sum(not r.query and r.arm == arm for r in rounds) for arm in range(1, arms + 1)]
    return rounds, queried, unqueried


@given(several_arms, st.one_of(formulas, value_lists(60)), st.integers(1, 60), intervals)
def test_deterministic_runs_keep_every_bound(instance, schedule, horizon, interval):
    """Deterministic arms never leave their intervals, so a run itself must keep the bounds, failures left out."""
    numbers = quantities(instance, schedule, horizon, interval)
    rounds, queried, unqueried = counts_of_a_run(instance, schedule, horizon, interval)
    for arm, gap in enumerate(instance.gaps):
        assert queried[arm] <= Enclosure.of(refined_counts(numbers)[arm]).upper
        assert queried[arm] <= (Enclosure.of(numbers.n_bar[arm].count) + 1).upper
        if gap:
            assert unqueried[arm] <= numbers.l_epsilon_used[arm] <= numbers.l_epsilon[arm]
    path = run_bounds(instance, [r.epsilon for r in rounds if r.epsilon is not None], interval, sharper=True)
    for arm, gap in enumerate(instance.gaps):
        assert queried[arm] <= min(Enclosure.of(path.queries[arm]).upper, path.query_cap_exact)
        assert queried[arm] <= Enclosure.of(path.query_cap).upper
        assert not gap or unqueried[arm] <= path.unqueried[arm]


def test_in_a_short_run_every_round_may_be_a_query():
    """Two arms and five rounds more: t - 1 = 6 is the cap, and one for the first round."""
    path = run_bounds(Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)]), [0] * 5)
    assert (path.queries, path.query_cap) == ((7, 7), 7)


def test_an_adaptive_epsilon_has_run_bounds_only():
    instance = Instance.deterministic([0, Fraction(1, 2), 1])
    schedule = Adaptive(lambda history, t, arms: Fraction(1, 1 + sum(r.query for r in history)))
    with pytest.raises(NeedsPath):
        upper_bounds(instance, schedule, 50)
    rounds, queried, unqueried = counts_of_a_run(instance, schedule, 50, HoeffdingInterval())
    path = run_bounds(instance, [r.epsilon for r in rounds if r.epsilon is not None])
    assert all(queried[arm] <= Enclosure.of(path.queries[arm]).upper for arm in range(3))
    assert all(unqueried[arm] <= path.unqueried[arm] for arm in range(2))
    with pytest.raises(InvalidSchedule, match="epsilons"):
        run_bounds(instance, [Exact.of(-1)])


def adversarial_run(epsilon, gap, horizon):
    """Two arms whose rewards keep the worse arm's mean high and the better one's low, as far as the good event goes.

    Yields round, policy and counts before every query after the initial rounds. Ties go to the better arm, number 2.
    """
    means = (Fraction(1, 2) - gap / 2, Fraction(1, 2) + gap / 2)
    totals, counts = [Fraction(0)] * 2, [0, 0]
    policy = BuFALU(2, ties=parse_ties("last"))
    for t in range(1, horizon + 1):
        if t > 2:
            yield t, policy, tuple(counts)
        arm, query = policy.decide(t, Exact.of(epsilon))
        if not query:
            continue
        a = arm - 1
        counts[a] += 1
        # half the width of the next round, a little less, rounded down to a short fraction
        room = Fraction(int(math.sqrt(1.5 * math.log(t + 1) / counts[a]) * 0.98 * 2**12), 2**12)
        target = means[a] + room if a == 0 else means[a] - room
        reward = min(Fraction(1), max(Fraction(0), target * counts[a] - totals[a]))
        reward = Fraction(round(reward * 64), 64)
        totals[a] += reward
        policy.observe(reward)
        for number in (0, 1):
            if counts[number]:
                radius = root(Fraction(3, 2 * counts[number])) * log_root(t + 1)
                assert Exact.of(abs(totals[number] / counts[number] - means[number])) <= radius


def width_of(queries, t):
    return root(Fraction(6, queries)) * log_root(t)


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(1, 10), Fraction(1, 4)])
def test_a_queried_suboptimal_arm_is_wider_than_the_average_of_gap_and_epsilon(epsilon):
    """The sharper theorem's key step is true and tight: the gap in place of the average is refuted."""
    gap = Fraction(3, 5)
    widths = [
        width_of(counts[0], t)
        for t, policy, counts in adversarial_run(epsilon, gap, 500)
        if Decision(1, True) in policy.admissible(t, Exact.of(epsilon))
    ]
    average = (gap + epsilon) / 2
    assert all(width > Exact.of(average) for width in widths)
    assert min(widths) < Exact.of(average + Fraction(1, 10)) < Exact.of(gap)


def test_the_average_is_no_bound_for_the_optimal_arm():
    """An adversary who sets epsilon just below the optimal arm's width has it queried below the average."""
    gap = Fraction(3, 5)
    refuted = False
    for t, policy, counts in adversarial_run(Fraction(0), gap, 500):
        width = width_of(counts[1], t)
        epsilon = Fraction(int(float(width) * 1000) - 1, 1000)
        queried = Decision(2, True) in policy.admissible(t, Exact.of(epsilon))
        refuted |= queried and width < Exact.of((gap + epsilon) / 2)
    assert refuted


def test_without_epsilon_the_sharper_theorem_is_the_paper_s():
    """(Delta + 0)/2 is half the gap; and the two approach each other as epsilon vanishes."""
    free = upper_bounds(PAPER, Zero(), 10**6)
    assert free.sharper_regret.evaluate().overlaps(free.regret.evaluate())
    gains = []
    for horizon in (10**5, 10**8, 10**11, 10**14):
        bounds = upper_bounds(PAPER, Power(Fraction(1, 4)), horizon)
        gains.append(float(bounds.regret.evaluate() / bounds.sharper_regret.evaluate()))
    assert gains == sorted(gains, reverse=True)
    assert 1 < gains[-1] < 1.01 < gains[0]


def test_costs():
    numbers = quantities(PAPER, Power(Fraction(1, 4)), 1000)
    unit = query_costs(numbers, dict.fromkeys(range(1, 6), 1))
    assert unit.evaluate().overlaps(upper_bounds(PAPER, Power(Fraction(1, 4)), 1000).queries.evaluate())
    mixed = query_costs(numbers, {1: 0, 2: 0, 3: 0, 4: 2, 5: 3})
    expected = 2 * (number(numbers.n_bar[3].count) + 1) + 3 * (number(numbers.n_bar[4].count) + 1) + 30
    assert float(mixed.evaluate()) == pytest.approx(expected)
    for costs in ({1: 1}, {1: 1, 2: 1, 3: 1, 4: 1, 5: -1}):
        with pytest.raises(OutsideDomain):
            query_costs(numbers, costs)


def test_short_horizons_and_a_single_arm():
    """T <= K: every arm was queried once at most. K = 1: no level is ever missed, the regret is 0."""
    bounds = upper_bounds(PAPER, Power(Fraction(1, 4)), 3)
    assert bounds.query_cap_exact == 1
    assert bool(bounds.queries.evaluate() >= 3)
    single = upper_bounds(Instance.bernoulli([Fraction(1, 3)]), Zero(), 9)
    assert float(single.regret.evaluate()) == 0
    assert float(single.queries.evaluate()) == 3
    assert single.quantities.levels == (None,)


def test_levels_of_the_theorem():
    several = quantities(Instance.bernoulli([Fraction(1, 2), Fraction(1, 2), 0]), Zero(), 10)
    assert several.levels == (0, 0, Fraction(1, 2))
    unique = quantities(Instance.bernoulli([Fraction(1, 2), Fraction(1, 4), 0]), Zero(), 10)
    assert unique.levels == (Fraction(1, 8), Fraction(1, 8), Fraction(1, 4))
    assert several.n_bar_main[0].is_infinite
    assert LevelRule(1, divisor=2).at(Exact.of(Fraction(1, 2))) == Exact.of(Fraction(3, 4))
    assert several.guarantee.regularity is HOEFFDING
    with pytest.raises(OutsideDomain):
        quantities(PAPER, Zero(), 0)


def test_bounds_can_be_read():
    bound = upper_bounds(PAPER, Power(Fraction(1, 4)), 100_000).regret
    assert "l.427-431" in repr(bound)
    assert "4680.71" in repr(bound)
    assert r"\Delta_{1}" in bound.latex()
    assert [label for label, _ in bound.contributions()][:2] == ["arm 1 queried", "arm 1 not queried"]


def test_refined_queries_add_up_every_arm_and_the_least_failures():
    numbers = quantities(PAPER, "power:1/4", 1000, "hoeffding")
    bound = upper_bounds(PAPER, "power:1/4", 1000, confidence="hoeffding").refined_queries
    counts = [Enclosure.of(count) for count in refined_counts(numbers)]
    assert len(counts) == PAPER.number_of_arms and all(count.lower >= 1 for count in counts)
    least = sum(count.lower for count in counts)
    assert bound.evaluate().lower >= least
    assert bound.evaluate().upper <= sum(count.upper for count in counts) + numbers.failures


@pytest.mark.parametrize(("interval", "failures"), [("hoeffding", 2), ("bernstein", 12)])
def test_failures_are_those_that_the_paper_prints(interval, failures):
    """2 K (l.1138) and 12 K (l.1219), whatever the schedule."""
    assert quantities(PAPER, "zero", 1000, interval).failures == failures * PAPER.number_of_arms


def test_the_level_along_a_run_is_half_the_gap():
    """Two arms a gap of 1 apart, epsilon 0 up to round 200: N = 6 ln 200 / (1/2)^2 for both, and one query more."""
    path = run_bounds(Instance.deterministic([0, 1]), [0] * 198)
    assert [float(count) for count in path.queries] == pytest.approx([24 * math.log(200) + 1] * 2, rel=1e-12)
