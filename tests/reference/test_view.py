"""What doubles may settle of a maximum: no maximiser is ever ruled out, and what ties at a glance does tie."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.reference.confidence import ConfidenceInterval, HoeffdingInterval, confidence_named
from bufalu.reference.exact import ZERO
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.view import ExactView, Quantity, _upper_form, maximisers


class WithoutDoubles(ConfidenceInterval):
    """Hoeffding's interval, of which only the exact form is known."""

    text = "without-doubles"

    def radius_form(self, queries, variance, round_number):
        return HoeffdingInterval().radius_form(queries, variance, round_number)


INTERVALS = (*map(confidence_named, ("hoeffding", "hoeffding:2:before", "bernstein", "kl-ucb")), WithoutDoubles())
CLOSE = [0, 1, Fraction(1, 2), Fraction(1, 2) + Fraction(1, 2**60), Fraction(1, 2**30)]


@st.composite
def states(draw):
    state = State(4)
    for arm in range(1, 5):
        for reward in draw(st.lists(st.sampled_from(CLOSE), max_size=3)):
            state.record(arm, reward)
    return state


@pytest.mark.parametrize("confidence", INTERVALS, ids=lambda interval: interval.text)
@given(state=states(), round_number=st.sampled_from([2, 3, 13, 256, 10**6, 10**15]))
def test_maximisers_are_those_of_exact_arithmetic(confidence, state, round_number):
    view = ExactView(state, confidence, round_number, ZERO)
    for quantity in (view.lcb, view.ucb, view.width):
        exact = maximisers(range(1, 5), lambda arm, quantity=quantity: quantity(arm))
        assert maximisers(range(1, 5), quantity) == exact
        assert set(exact) <= set(quantity.shortlist(range(1, 5)))


ERROR = 2.0**-40
ERRORS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([-ERROR, 0.0, ERROR])), min_size=2, max_size=5)


def shortlisted(drawn, margin):
    """The arms that are left when doubles are off by what was drawn, and those of the largest value."""
    values = [value * ERROR / 2 for value, _ in drawn]
    doubles = [0.0, *(value + off for value, (_, off) in zip(values, drawn, strict=True))]
    records = [ArmRecord() for _ in values]
    origin = (HoeffdingInterval(), 2, records, [0.0, *([ERROR] * len(values))])
    arms = range(1, len(values) + 1)
    best = {arm for arm in arms if values[arm - 1] == max(values)}
    return set(Quantity(doubles, margin, _upper_form, True, origin).shortlist(arms)), best


@given(ERRORS)
def test_doubles_that_are_off_by_their_error_rule_out_no_maximiser(drawn):
    kept, best = shortlisted(drawn, 3 * ERROR)
    assert best <= kept


def test_a_margin_of_one_error_rules_out_a_maximiser():
    kept, best = shortlisted([(0, ERROR), (1, -ERROR)], ERROR)
    assert not best <= kept


def test_arms_tie_at_a_glance_only_with_what_the_quantity_is_made_of():
    state = State(2)
    for arm, rewards in ((1, (0, 1, 1)), (2, (1, 1, 1))):
        for reward in rewards:
            state.record(arm, reward)
    plain, spread = (ExactView(state, confidence_named(name), 9, ZERO) for name in ("hoeffding", "bernstein"))
    assert plain.width.alike([1, 2])
    assert not spread.width.alike([1, 2])
    assert not plain.ucb.alike([1, 2])
