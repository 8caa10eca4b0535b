"""`bufalu law` as a person meets it."""

import json
import sys
from fractions import Fraction

import pytest

from bufalu.bounds import bounds_report
from bufalu.cli import main
from bufalu.law import exact_law
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import parse_schedule

QUESTION = ["law", "--means", "1/2,1/4", "--horizon", "12", "--epsilon", "power:1/4"]


def test_json_holds_the_exact_law(capsys):
    options = ["--policy", "bufalu", "--confidence", "hoeffding", "--ties", "first"]
    assert main([*QUESTION, *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = exact_law(Instance.bernoulli([Fraction(1, 2), Fraction(1, 4)]), "power:1/4", 12)
    assert Fraction(found["expected_regret"]["exact"]) == expected.expected_regret().exact
    assert found["expected_regret"]["float"] == float(expected.expected_regret().exact)
    assert Fraction(found["expected_queries"]["exact"]) == expected.expected_queries().exact
    assert sum(Fraction(plays["exact"]) for plays in found["expected_plays"]) == 12
    assert len(found["expected_queries_per_arm"]) == 2
    assert Fraction(found["bad_event_probability_sum"]["exact"]) == expected.bad_event_probability_sum().exact
    assert found["bounds"] == bounds_report(expected.instance, parse_schedule("power:1/4"), 12)


@pytest.mark.parametrize(("policy", "theorem_of"), [("pairs:2", "pairs:2"), ("dial:1/2", "dial:1/2"), ("ucb", None)])
def test_the_bounds_are_those_of_the_policy(policy, theorem_of, capsys):
    assert main([*QUESTION, "--policy", policy, "--json"]) == 0
    bounds = json.loads(capsys.readouterr().out)["bounds"]
    assert (None if bounds is None else bounds["policy"]) == theorem_of


def test_an_interval_without_a_theorem_has_no_bounds(capsys):
    assert main([*QUESTION, "--confidence", "hoeffding:2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bounds"] is None


def test_dropped_mass_is_said(capsys):
    assert main([*QUESTION, "--negligible", "1/100", "--json"]) == 0
    regret = json.loads(capsys.readouterr().out)["expected_regret"]
    assert regret["exact"] is None
    assert Fraction(regret["lower"]) < Fraction(regret["upper"])


def test_people_get_lines(capsys):
    assert main([*QUESTION, "--ties", "random:1"]) == 0
    shown = capsys.readouterr().out
    assert "expected regret" in shown
    assert "expected plays of arm 2" in shown
    assert "bound" not in shown, "the theorem's bounds stand beside the law in JSON alone, as the help says"


def test_a_long_exact_answer_is_printed(capsys):
    long = ["law", "--means", "1/1000000007,999999999/1000000007", "--epsilon", "constant:1/2", "--horizon", "600"]
    assert main([*long, "--policy", "greedy", "--negligible", "1/10", "--json"]) == 0
    assert len(capsys.readouterr().out) > 4000


def test_a_claim_that_says_nothing_about_an_instance_does_not_hold_there(capsys):
    arguments = (
        "--horizon 5 --epsilon zero --policy bufalu --confidence hoeffding --ties first --claim theorem.unique.regret"
    )
    assert main(["law", "--means", "1/2,1/2", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and "says nothing about such an instance" in captured.err
    assert main(["law", "--means", "1/2,1/4", *arguments.split()]) == 0


def test_the_interpreters_limit_on_digits_is_as_before():
    """Who calls the command from Python reads files under that limit afterwards."""
    limit = sys.get_int_max_str_digits()
    assert limit
    assert main(QUESTION) == 0
    assert sys.get_int_max_str_digits() == limit
