"""What an interval says of itself under the name of regularity: taken as it is, or refused."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bufalu.bounds.errors import NotRegular
from bufalu.bounds.regularity import PolynomialRule, regularity_with
from bufalu.reference.confidence import HoeffdingInterval, RegularityNumbers, SampleNumbers

SURE = SampleNumbers(quadratic=6, linear=2, constant=3)
NUMBERS = RegularityNumbers("here", 2, SampleNumbers(quadratic=5, by_variance=24, constant=1), SURE, SURE)


def test_numbers_become_rules():
    found = regularity_with(HoeffdingInterval(), NUMBERS)
    assert found.sure == found.looser == PolynomialRule(6, 2, 3)
    assert found.good(Fraction(1, 8)) == PolynomialRule(8, 0, 1)


@pytest.mark.parametrize("field", ["sure", "looser"])
def test_a_count_that_is_sure_does_not_depend_on_a_variance(field):
    """Taken at variance 0, it would be too small: no path is sure of its variance."""
    with pytest.raises(NotRegular, match="depends on the variance"):
        regularity_with(HoeffdingInterval(), replace(NUMBERS, **{field: replace(SURE, by_variance=1)}))
