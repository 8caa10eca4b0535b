"""Whole numbers as people write them: exactly the number meant, or a refusal that shows how to write one."""

import pytest

from bufalu.reference.errors import InvalidNumber
from bufalu.reference.rationals import parse_count
from tests.bufalu.runner import bufalu


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("1000000", 10**6),
        ("1e6", 10**6),
        ("1E6", 10**6),
        ("2.5e3", 2500),
        ("1_000_000", 10**6),
        ("1_0e1_0", 10**11),
        ("1e18", 10**18),
        ("3.0", 3),
    ],
)
def test_the_number_that_is_meant(text, number):
    assert parse_count(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "-1", "+1", "1.5", "1e-1", "4/2", "_1", "1_", "1__0", "1e19", "1000000000000000001", "nan", "1e999999", "٣"],
)
def test_everything_else_is_refused(text):
    with pytest.raises(InvalidNumber):
        parse_count(text)


def test_commands_take_them():
    short = ["simulate", "--means", "0,1", "--epsilon", "zero", "--horizon"]
    assert bufalu(*short, "1e2").stdout == bufalu(*short, "1_00").stdout == bufalu(*short, "100").stdout
    refused = bufalu(*short, "1.5")
    assert refused.returncode == 2
    assert "1_000_000 or 1e6" in refused.stderr
