"""What an interval says of itself under the name of regularity: taken as it is, or refused."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.errors import NotRegular
from bufalu.bounds.expressions import counting, positive
from bufalu.bounds.query_cap import samples_rounded_up
from bufalu.bounds.regularity import (
    BERNSTEIN,
    HOEFFDING,
    PolynomialRule,
    RootRule,
    _bernstein_share,
    bernstein_budget_samples,
    regularity_with,
)
from bufalu.bounds.run_bounds import _along
from bufalu.reference.confidence import HoeffdingInterval, RegularityNumbers, SampleNumbers
from bufalu.reference.epsilon_shapes import EpsilonShape
from bufalu.reference.exact import PLUS_INFINITY, ZERO, Exact, log_root, root
from bufalu.reference.radicals import RadicalTerm

SURE = SampleNumbers(quadratic=6, linear=2, constant=3)
NUMBERS = RegularityNumbers("here", 2, SampleNumbers(quadratic=5, by_variance=24, constant=1), SURE, SURE)


def test_numbers_become_rules():
    found = regularity_with(HoeffdingInterval(), NUMBERS)
    assert found.sure == found.looser == PolynomialRule(6, 2, 3)
    assert found.good(Fraction(1, 8)) == PolynomialRule(8, 0, 1)


def test_the_rules_of_the_paper():
    """l.1139 for Hoeffding's intervals; l.1220 and l.1224-1226 for Bernstein's, at variance 1/8."""
    assert HOEFFDING.sure == HOEFFDING.good(Fraction(1, 8)) == HOEFFDING.looser == PolynomialRule(6, 0, 0)
    assert BERNSTEIN.good(Fraction(1, 8)) == PolynomialRule(3, 52, 1)
    assert BERNSTEIN.looser == PolynomialRule(6, 28, 1)
    assert BERNSTEIN.sure == RootRule()


@pytest.mark.parametrize("field", ["sure", "looser"])
def test_a_count_that_is_sure_does_not_depend_on_a_variance(field):
    """Taken at variance 0, it would be too small: no path is sure of its variance."""
    with pytest.raises(NotRegular, match="depends on the variance"):
        regularity_with(HoeffdingInterval(), replace(NUMBERS, **{field: replace(SURE, by_variance=1)}))


@pytest.mark.parametrize("rule", [PolynomialRule(6, 2, 3), RootRule()])
def test_before_the_second_round_nothing_is_counted(rule):
    assert rule.count(1, Exact.of(1)) == 0
    assert Enclosure.of(rule.count(2, Exact.of(1))) > 0
    assert Enclosure.of(rule.count(2, ZERO)).is_infinite


@pytest.mark.parametrize("factor", [1, 2, Fraction(1, 3)])
@pytest.mark.parametrize("share", [Fraction(1, 4), Fraction(5, 2)])
def test_the_level_of_a_bernstein_budget_is_known_however_it_is_written(share, factor):
    """sqrt(6 s ln t) + 14 s ln t has the count 1 + 1/s, exactly."""
    for number in (2, 17, 10**5):
        root_part = Exact.of(factor) * root(6 * share / Fraction(factor) ** 2) * log_root(number)
        level = root_part + Exact.of(14 * share) * log_root(number, 2)
        assert RootRule().count(number, level) == 1 + 1 / share
        other = root_part + Exact.of(13 * share) * log_root(number, 2)
        assert isinstance(RootRule().count(number, other), Enclosure)


@pytest.mark.parametrize("number", [2, 17, 10**5])
@pytest.mark.parametrize("level", [Fraction(1, 30), Fraction(3, 2), Fraction(40)])
def test_the_count_of_a_root_rule_is_where_the_width_stops_to_exceed(number, level):
    wanted = Enclosure.of(RootRule().count(number, Exact.of(level)))
    least = math.ceil(wanted.lower)
    assert least == math.ceil(wanted.upper)
    assert not RootRule().exceeds(least, number, Exact.of(level))
    assert RootRule().exceeds(least - 1, number, Exact.of(level))
    assert RootRule().count(number, PLUS_INFINITY) == 1
    symbolic = RootRule().expression(counting("T"), positive("w")).evaluate({"T": number, "w": level})
    assert Enclosure.of(symbolic).overlaps(wanted) and float(wanted.upper - wanted.lower) < 1e-6


def test_a_count_is_rounded_up_one_by_one():
    """Where the enclosure of the count begins far below the answer, which the exact test finds."""

    class Vague(RootRule):
        def count(self, round_number, level):
            return Enclosure.between(Fraction(1, 2), 10)

        def exceeds(self, queries, round_number, level):
            return queries < 4

    assert samples_rounded_up(Vague(), Exact.of(1), 9, 100) == 4


def test_along_a_run_without_rounds_one_query_is_enough():
    assert _along(RootRule(), None, [(5, ZERO)]) == _along(RootRule(), None, []) == 1


@pytest.mark.parametrize(
    ("budget", "smaller"), [(10**4, lambda b, log: 22 * math.sqrt(b * log)), (5, lambda b, _: 4 * b)]
)
def test_the_count_of_a_bernstein_budget_is_the_printed_one(budget, smaller):
    """4 V (B - 1) + min{22 sqrt((B - 1) ln T), 4 (B - 1)} + 1 (l.1233), at V = 1/8."""
    wanted = budget / 2 + smaller(budget, math.log(10**5)) + 1
    found = bernstein_budget_samples(Fraction(1, 8), budget + 1, 10**5)
    assert float(found.lower) == pytest.approx(wanted, rel=1e-9)


def test_a_level_with_a_power_of_the_round_is_no_share_of_bernsteins():
    """sqrt(6 k ln t) + 14 k ln t has the short answer 1 + 1/k, and 7^(1/4) sqrt(6 k ln t) + 14 k ln t has not."""

    def level(exponent: Fraction) -> Exact:
        share = Fraction(1, 3)
        terms = (RadicalTerm(7 if exponent else 1, 6 * share, exponent, 1), RadicalTerm(14 * share, degree=2))
        return EpsilonShape(terms).at(7)

    assert _bernstein_share(level(Fraction(0))) == Fraction(1, 3)
    assert _bernstein_share(level(Fraction(-3, 4))) is None


def test_a_count_that_is_sure_is_found_from_no_other_radius_than_bernsteins():
    with pytest.raises(NotRegular, match="only Bernstein's can be found from its radius"):
        regularity_with(HoeffdingInterval(), replace(NUMBERS, sure=None))


@pytest.mark.parametrize("constant", [0, 3, Fraction(1, 2)])
def test_a_level_in_the_unit_of_the_logarithm_is_counted_exactly(constant):
    """quadratic ln t / (sqrt(ln t) / 2)^2 + constant; at another level the enclosure says the same of the formula."""
    rule = PolynomialRule(6, 0, constant)
    assert rule.count(50, Exact.of(Fraction(1, 2)) * log_root(50)) == 24 + constant
    half = rule.count(50, Exact.of(Fraction(1, 2)))
    assert isinstance(half, Enclosure)
    assert float(half) == pytest.approx(24 * math.log(50) + float(constant))
