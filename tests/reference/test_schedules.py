"""Schedules: their formulas, written a second time with balls, their text forms, and what is refused."""

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from bufalu.reference.epsilon_shapes import Direction
from bufalu.reference.errors import InvalidNumber, InvalidSchedule
from bufalu.reference.exact import Exact
from bufalu.reference.schedules import (
    Adaptive,
    BernsteinBudget,
    Budget,
    Constant,
    FunctionOfRound,
    InverseLog,
    NondecreasingBudget,
    Power,
    Schedule,
    ShapedSchedule,
    Values,
    parse_schedule,
    read_values,
)
from tests.reference.balls import ball

rounds = st.integers(2, 10**12)


@given(rounds, st.integers(1, 9), st.integers(10, 500))
def test_formulas(t, arms, budget):
    log = arb(t).log()
    share = arb(arms) / (budget - arms)
    expected = {
        "zero": arb(0),
        "constant:1/8": arb(1) / 8,
        "power:1/4": arb(t) ** (-arb(1) / 4),
        "inverse-log": 1 / log,
        f"budget:{budget}": (6 * arms * log / budget).sqrt(),
        f"bernstein-budget:{budget}": (6 * share * log).sqrt() + 14 * share * log,
    }
    for text, value in expected.items():
        schedule = parse_schedule(text)
        assert schedule.text == text
        assert ball(schedule.at(t, arms).form()).overlaps(value), text


@given(st.sampled_from(["zero", "constant:1/8", "power:1/4", "power:0", "inverse-log"]), st.integers(1, 10**6))
def test_monotone_schedules_do_not_rise(text, t):
    schedule = parse_schedule(text)
    assert schedule.direction(3) is Direction.NONINCREASING
    assert schedule.at(t + 1, 3) <= schedule.at(t, 3)


def test_budget_schedules_do_rise():
    for schedule in (Budget(10), BernsteinBudget(10)):
        assert schedule.direction(2) is Direction.NONDECREASING
        assert schedule.at(3, 2) < schedule.at(4, 2)


def test_a_budget_share_has_exactly_the_width_epsilon():
    # l.416: n = B / K queries give CI_t = sqrt(6 ln t / n) = epsilon(t).
    from bufalu.reference.confidence import HoeffdingInterval
    from bufalu.reference.exact import ZERO
    from bufalu.reference.state import State
    from bufalu.reference.view import ExactView

    state = State(3)
    for _ in range(7):
        state.record(1, 1)
    for t in (4, 100, 10**9):
        assert ExactView(state, HoeffdingInterval(), t, ZERO).width(1) == Budget(21).at(t, 3)


def test_a_growing_budget():
    schedule = NondecreasingBudget(lambda t: t)
    assert schedule.at(9, 2) == Budget(9).at(9, 2)
    with pytest.raises(InvalidSchedule, match="not positive"):
        NondecreasingBudget(lambda t: 0).at(5, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "choose one of: zero, constant:1/10, power:1/4"),
        ("linear:2", "there is no schedule"),
        ("zero:1", "takes no argument"),
        ("constant:", "needs a number after a colon"),
        ("constant:-1", "must not be negative"),
        ("constant:abc", "'abc' is not a number"),
        ("power:-1", "exponent outside"),
        ("power:65", "exponent outside"),
        ("budget:0", "must be positive"),
        ("file:/does/not/exist", "cannot read"),
    ],
)
def test_bad_texts_are_explained(text, message):
    with pytest.raises(InvalidSchedule, match=message):
        parse_schedule(text)


def test_a_bernstein_budget_must_exceed_the_arms():
    with pytest.raises(InvalidSchedule, match="must exceed the number of arms, 5"):
        parse_schedule("bernstein-budget:5").at(6, 5)


def test_files_hold_one_number_a_line(tmp_path):
    path = tmp_path / "epsilon.txt"
    path.write_text("1\n0.1\n1/3\n")
    schedule = parse_schedule(f"file:{path}")
    assert schedule.text is None
    assert schedule.at(2, 1) == Exact.of(Fraction(1, 10))
    path.write_text("1\nx\n")
    with pytest.raises(InvalidSchedule, match=r"epsilon.txt:2: 'x' is not a number"):
        parse_schedule(f"file:{path}")
    path.write_text("1\n-1\n")
    with pytest.raises(InvalidSchedule, match=r"epsilon.txt:2: epsilon must not be negative"):
        parse_schedule(f"file:{path}")


def test_a_negative_value_is_named_by_its_round():
    with pytest.raises(InvalidSchedule, match=r"epsilon\(3\) = -1/2 is"):
        Values([1, 0, Fraction(-1, 2)])


def test_a_float_is_the_decimal_of_a_parameter_and_the_binary64_of_data():
    tenth = Fraction(0.1)
    assert Constant(0.1) == Constant(Fraction(1, 10)) != Constant(tenth)
    assert FunctionOfRound(lambda t: 0.1).at(9, 2) == Exact.of(tenth)
    assert Power(0.25).at(256, 2) == Exact.of(Fraction(1, 4))
    assert Budget(12.0).at(9, 2) == Budget(12).at(9, 2)
    assert BernsteinBudget(12.5).at(9, 2) == BernsteinBudget(Fraction(25, 2)).at(9, 2)
    assert Values((0.1, 1)).values == (tenth, 1)
    assert NondecreasingBudget(lambda t: t / 2).at(9, 2) == Budget(Fraction(9, 2)).at(9, 2)
    assert Adaptive(lambda history, t, arms: 0.1).at(9, 2) == Exact.of(tenth)
    for make in (Constant, Power, Budget, BernsteinBudget, lambda value: Values((value,))):
        with pytest.raises(InvalidNumber, match="finite number"):
            make(float("nan"))


THIRD = Fraction(1, 3)


@given(st.lists(st.sampled_from([THIRD, THIRD + Fraction(1, 10**30), 1, 0, 10**400, 10**400 + 1]), max_size=5))
def test_a_list_knows_whether_it_never_rises(values):
    # Some have the same double, some have none.
    falls = all(b <= a for a, b in pairwise(values))
    assert Values(tuple(values)).direction(1) is (Direction.NONINCREASING if falls else Direction.UNKNOWN)


def test_a_file_may_repeat_its_numbers(tmp_path):
    (tmp_path / "e.txt").write_text("0.5\n0.5\n1/3\n0.25\n0.5\n1/3\n")
    found = read_values(tmp_path / "e.txt")
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert found.values == (half, half, THIRD, quarter, half, THIRD)


def test_a_scaled_schedule_is_a_multiple_in_every_round():
    quarter, plain = parse_schedule("scaled:1/4:power:1/4"), parse_schedule("power:1/4")
    for number in (1, 2, 16, 1000):
        assert quarter.at(number, 3) * Exact.of(4) == plain.at(number, 3)
    assert quarter.text == "scaled:1/4:power:1/4"
    assert quarter.direction(3) is plain.direction(3)
    assert parse_schedule("scaled:2:budget:100").budget_at(9, 3) == 25, "twice epsilon is a quarter of the budget"


@pytest.mark.parametrize(
    "wrong", ["scaled", "scaled:2", "scaled:0:zero", "scaled:-1:zero", "scaled:2:scaled:2:zero", "scaled:2:none"]
)
def test_what_cannot_be_scaled(wrong):
    with pytest.raises(InvalidSchedule):
        parse_schedule(wrong)


def test_an_epsilon_in_the_unit_of_the_rewards():
    assert parse_schedule("power:1/4").per_range(4).text == "scaled:1/4:power:1/4"
    assert parse_schedule("power:1/4").per_range(1).text == "power:1/4"
    for counted in ("budget:100", "bernstein-budget:100"):
        assert parse_schedule(counted).per_range(4).text == counted, "a budget counts queries"
    with pytest.raises(InvalidSchedule, match="no form for rewards"):
        FunctionOfRound(lambda t: 1 / t).per_range(4)


def test_values_that_are_not_those_that_are_known_are_refused():
    """Else `check` would take the doubles of the terms for what the schedule says, and accept what it forbids."""

    class Mixin:
        def at(self, round_number, arms, history=()):
            return Exact.of(3)

    for base in (Power, Values):
        with pytest.raises(
            InvalidSchedule, match=r"has values of its own \(`at`\) and keeps the `\w+` of " + base.__name__
        ):
            type("Changed", (base,), {"at": Mixin.at})
        with pytest.raises(InvalidSchedule, match="has values of its own"):
            type("Mixed", (Mixin, base), {})
    with pytest.raises(InvalidSchedule, match=r"\(`terms`\) and keeps the `text` of Power"):
        type("Half", (Power,), {"terms": InverseLog.terms})
    with pytest.raises(InvalidSchedule, match="keeps the `shape` of ShapedSchedule"):
        type("Both", (ShapedSchedule,), {"at": Mixin.at, "terms": InverseLog.terms})


def test_a_schedule_that_keeps_nothing_of_another_may_derive_from_it():
    class Plain(Schedule):
        def at(self, round_number, arms, history=()):
            return Exact.of(1)

    class Tripled(Plain):
        def at(self, round_number, arms, history=()):
            return Exact.of(3)

    class OwnTerms(Power):
        text = "own-terms"

        def terms(self, arms):
            return InverseLog().terms(arms)

    assert Tripled().at(4, 2) == Exact.of(3)
    assert OwnTerms(1).at(4, 2) == InverseLog().at(4, 2)

    class Renamed(Power):
        text = "renamed"

    assert Renamed(1).at(4, 2) == Power(1).at(4, 2)
