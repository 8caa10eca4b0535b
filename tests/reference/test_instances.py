"""Instances: means, gaps and optimal arms; what is refused and how it is said; files."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.properties.runs.strategies import fractions
from bufalu.reference.errors import InvalidInstance, InvalidNumber
from bufalu.reference.instance_files import read_arms, read_instance
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import format_rational, is_double, parse_rational, rational

unit = fractions(0, 1, 20)


@given(st.lists(unit, min_size=1, max_size=8))
def test_gaps_and_optimal_arms(means):
    for instance in (Instance.bernoulli(means), Instance.deterministic(means)):
        best = max(means)
        assert instance.means == tuple(means)
        assert instance.gaps == tuple(best - mean for mean in means)
        assert instance.optimal_arms == {a for a, mean in enumerate(means, start=1) if mean == best}
        assert instance.unique == (means.count(best) == 1)
        positive = [best - mean for mean in means if mean < best]
        assert instance.smallest_gap == (min(positive) if positive else None)
        assert instance.largest_gap == max([best - mean for mean in means])


@given(unit)
def test_moments(mean):
    assert Arm.bernoulli(mean).mean == mean
    assert Arm.bernoulli(mean).variance == mean * (1 - mean)
    assert Arm.deterministic(mean).mean == mean
    assert Arm.deterministic(mean).variance == 0


def test_a_finite_support():
    arm = Arm.finite([(1, Fraction(1, 2)), (0, Fraction(1, 4)), (Fraction(1, 2), Fraction(1, 4))])
    assert arm.values == (0, Fraction(1, 2), 1)
    assert arm.mean == Fraction(5, 8)
    assert arm.variance == Fraction(1, 16) + Fraction(1, 2) - Fraction(25, 64)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Instance(()), "at least one arm"),
        (lambda: Arm.bernoulli(Fraction(5, 4)), r"mean 5/4 is outside \[0, 1\]"),
        (lambda: Arm.deterministic(-1), r"value -1 is outside"),
        (lambda: Arm.finite([(0, Fraction(1, 2)), (1, Fraction(1, 3))]), "sum to 5/6"),
        (lambda: Arm.finite([(0, 2), (1, -1)]), "not positive"),
        (lambda: Arm.finite([(0, Fraction(1, 2)), (0, Fraction(1, 2))]), "distinct"),
        (lambda: Arm((), ()), "at least one value"),
    ],
)
def test_what_is_not_an_instance(make, message):
    with pytest.raises(InvalidInstance, match=message):
        make()


def test_instance_files(tmp_path):
    path = tmp_path / "arms.json"
    path.write_text(
        '{"arms": [{"bernoulli": 0.1}, {"deterministic": "1/3"},'
        ' {"values": [0, "1/2"], "probabilities": ["1/4", 0.75]}]}'
    )
    instance = read_instance(str(path))
    assert instance.means == (Fraction(1, 10), Fraction(1, 3), Fraction(3, 8))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "expected an object"),
        ('{"arms": []}', "at least one arm"),
        ('{"arms": [{"bernoulli": 2}]}', "arm 1: the mean 2"),
        ('{"arms": [{"bernoulli": "1/0"}]}', "divides by zero"),
        ('{"arms": [{"values": [1], "probabilities": []}]}', "different lengths"),
        ('{"arms": [{"gauss": 1}]}', "arm 1: expected"),
        ('{"arms": [{"bernoulli": 1, "bernoulli": 0}]}', "the key 'bernoulli' appears twice"),
        ("[" * 5000, "nested too deeply"),
    ],
)
def test_bad_instance_files_say_where(tmp_path, text, message):
    path = tmp_path / "arms.json"
    path.write_text(text)
    with pytest.raises(InvalidInstance, match=message) as caught:
        read_instance(str(path))
    assert "arms.json" in str(caught.value)


@given(st.fractions())
def test_rationals_are_read_back(value):
    assert parse_rational(format_rational(value)) == value


@pytest.mark.parametrize(
    ("text", "value"), [("0.1", Fraction(1, 10)), ("1e-3", Fraction(1, 1000)), (" 3 ", 3), ("-1/4", Fraction(-1, 4))]
)
def test_decimals_are_what_they_say(text, value):
    assert parse_rational(text) == value


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "1/0", "1e999", "0x10", "1_000", "1/2/3", "9" * 500, "__import__('os')", "１"]
)
def test_what_is_not_a_number(text):
    with pytest.raises(InvalidNumber):
        parse_rational(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_rational_it_denotes(value):
    assert float(rational(value)) == value
    assert is_double(rational(value))
    json.dumps(value)


def test_infinite_floats_are_not_numbers():
    with pytest.raises(InvalidNumber):
        rational(float("nan"))


def test_numbers_of_any_length_are_written_out():
    # More digits than `str` and `int` take by themselves.
    value = Fraction(10**6000 + 1, 10**5000)
    assert parse_rational(format_rational(value), 20_000) == value


@given(st.from_regex(r"[0-9]{1,21}\.[0-9]{1,21}", fullmatch=True).filter(str.isascii))
def test_short_and_long_decimals_are_read_alike(text):
    found = parse_rational(text)
    assert found == Fraction(text)
    assert isinstance(found, int) == (found.denominator == 1)


def test_too_many_arms_are_refused_before_the_first_is_read():
    with pytest.raises(InvalidInstance, match="at most 100,000 arms, not 100,001"):
        read_arms([None] * 100_001)
    with pytest.raises(InvalidInstance, match="arm 1"):
        read_arms([None] * 100_000)
