"""The interval of l.1644 in the bounds: its counts, its failures, and what the theorem then says."""

import math
from fractions import Fraction

import pytest

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.errors import NotRegular
from bufalu.bounds.failures import ROUNDS_ONE_BY_ONE, least_log_log_failures
from bufalu.bounds.maxima import LevelRule, largest_count, walked_maximum
from bufalu.bounds.query_cap import exact_query_cap, recurrence
from bufalu.bounds.regularity import LOG_LOG, regularity_with
from bufalu.bounds.upper import upper_bounds
from bufalu.reference.confidence import KLUCBInterval, RegularityNumbers, SampleNumbers
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.instances import Instance
from bufalu.reference.radius_shapes import Growth
from bufalu.reference.schedules import parse_schedule

PAPER = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])


def growth(t):
    return math.log(t) + 3 * math.log(math.log(t)) if t > 2 else 0.0


def failure(t):
    """min{1, 2 sqrt(e) D e^-g}, in doubles."""
    ranges = math.floor(math.sqrt(2 * growth(t)) * math.log(t - 1) / 4) + 1
    return min(1.0, 2 * math.sqrt(math.e) * ranges * math.exp(-growth(t)))


@pytest.mark.parametrize("t", [3, 15, 16, 10**5, 10**40])
@pytest.mark.parametrize("level", [Fraction(1, 30), Fraction(3, 2)])
def test_the_count_is_where_the_width_stops_to_exceed_the_level(t, level):
    wanted = Enclosure.of(LOG_LOG.sure.count(t, Exact.of(level)))
    assert float(wanted) == pytest.approx(2 * growth(t) / level**2, rel=1e-9)
    least = math.ceil(wanted.lower)
    assert LOG_LOG.sure.exceeds(least - 1, t, Exact.of(level)) and not LOG_LOG.sure.exceeds(least, t, Exact.of(level))


def test_at_the_second_round_the_interval_is_a_point():
    assert Enclosure.of(LOG_LOG.sure.count(2, Exact.of(1))).contains(0)
    assert not LOG_LOG.sure.exceeds(0, 2, Exact.of(1))
    assert Enclosure.of(LOG_LOG.sure.count(2, ZERO)).is_infinite


@pytest.mark.parametrize("arms", [1, 2, 5, 2000])
@pytest.mark.parametrize("horizon", [1, 2, 3, 60, ROUNDS_ONE_BY_ONE])
def test_failures_are_summed_one_by_one(arms, horizon):
    direct = arms * math.fsum(failure(t) for t in range(max(arms, 1) + 1, horizon + 1))
    assert float(least_log_log_failures(arms, horizon)) == pytest.approx(direct, rel=1e-12, abs=1e-30)


@pytest.mark.parametrize("arms", [1, 7, 2000])
def test_later_failures_are_bounded_closely(arms):
    horizon = 20_000
    direct = arms * math.fsum(failure(t) for t in range(arms + 1, horizon + 1))
    assert direct < float(least_log_log_failures(arms, horizon)) < direct + arms * 0.09
    assert float(least_log_log_failures(arms, 10**300)) < 8 * arms


@pytest.mark.parametrize("schedule", ["power:1/4", "inverse-log", "constant:1/5", "budget:300"])
def test_closed_forms_agree_with_a_walk_through_the_rounds(schedule):
    """sqrt(6 K ln t / B) included, against which the count rises and then falls: there is no closed form for it."""
    epsilon, level = parse_schedule(schedule), LevelRule(Fraction(1, 8))
    found = largest_count(LOG_LOG.sure, level, epsilon, 5, 4000)
    walked = walked_maximum(LOG_LOG.sure, level, epsilon, 5, 4000)
    assert Enclosure.of(found.count).overlaps(walked.count)
    assert exact_query_cap(LOG_LOG.sure, epsilon, 5, 4000) == recurrence(LOG_LOG.sure, epsilon, 5, 4000)


@pytest.mark.parametrize("policy", ["bufalu", "dial:1/2"])
def test_the_bounds_are_those_of_the_theorem(policy):
    """2 g / level^2 for each arm, K + 8K, and 2 (1 + rho) sqrt(2 K T g) for any gaps; all below Hoeffding's."""
    rho = {"bufalu": 1.0, "dial:1/2": 0.5}[policy]
    bounds = upper_bounds(PAPER, "zero", 10**5, "kl-ucb", policy)
    others, own = 2 * growth(10**5) * (4 * (1 + rho)) ** 2, 2 * growth(10**5) * (4 * (1 + rho) / rho) ** 2
    assert float(bounds.queries.evaluate()) == pytest.approx(4 * others + own + 45)
    assert float(bounds.regret.evaluate()) == pytest.approx(others + 45 / 4)
    assert float(bounds.regret_problem_independent.evaluate()) == pytest.approx(
        2 * (1 + rho) * math.sqrt(10 * 10**5 * growth(10**5)) + 45 / 4
    )
    hoeffding = upper_bounds(PAPER, "zero", 10**5, policy=policy)
    assert bounds.queries.evaluate() < hoeffding.queries.evaluate()
    assert bounds.refined_queries.evaluate() < bounds.queries.evaluate()
    assert bounds.quantities.guarantee.supposition is None
    assert bounds.regret.line == ("docs/proofs.md" if policy == "bufalu" else "docs/dial.md")


def test_one_round_has_bounds():
    bounds = upper_bounds(PAPER, "zero", 1, "kl-ucb")
    assert float(bounds.regret_problem_independent.evaluate()) == pytest.approx(45 / 4)
    assert bounds.quantities.n_bar[0].count == 0


def test_another_growth_is_refused():
    samples = SampleNumbers(quadratic=2, growth=Growth.LOG_BEFORE)
    with pytest.raises(NotRegular, match=r"grow as ln\(t - 1\)"):
        regularity_with(KLUCBInterval(), RegularityNumbers("here", 2, samples, samples, samples))
