"""The report: the contract of keys and numbers, exact verdicts on vacuous bounds, large questions in short time."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds import Bernoulli, Bounded, Gaussian, Question, Truth, bounds_report
from bufalu.bounds.errors import NotInFamily
from bufalu.reference.confidence import BernsteinInterval, HoeffdingInterval
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import Budget, Values, Zero
from tests.bounds.questions import FORMULAS, formulas, instances

KEYS = {
    "": "policy supposes arms horizon gaps optimal_arms unique l_epsilon n_bar n_bar_main upper sharper sharp lower vacuous",
    "upper": "query_cap query_cap_exact regret queries regret_problem_independent",
    "sharper": "regret queries",
    "lower": "kinf_plus kinf_minus suboptimal_queries_per_log optimal_queries_per_log",
    "vacuous": "regret queries query_cap",
}
PER_ARM = ("gaps", "l_epsilon", "n_bar", "n_bar_main")


def check_real(value):
    if value is not None:
        assert set(value) == {"lower", "upper"}
        assert value["lower"] <= value["upper"]
        assert value["upper"] - value["lower"] <= 1e-9 * abs(value["lower"])


@given(instances, formulas, st.integers(1, 200), st.sampled_from([HoeffdingInterval(), BernsteinInterval()]))
def test_the_contract(instance, schedule, horizon, interval):
    report = json.loads(json.dumps(bounds_report(instance, schedule, horizon, interval), allow_nan=False))
    for part, keys in KEYS.items():
        assert list(report[part] if part else report) == keys.split()
    assert (report["arms"], report["horizon"]) == (instance.number_of_arms, horizon)
    for key in PER_ARM:
        assert len(report[key]) == instance.number_of_arms
    for key in ("gaps", "n_bar", "n_bar_main"):
        for value in report[key]:
            check_real(value)
    for key in ("query_cap", "regret", "queries", "regret_problem_independent"):
        check_real(report["upper"][key])
    for arm, count in enumerate(report["l_epsilon"], start=1):
        assert (count is None) == (arm in report["optimal_arms"])
        assert count is None or isinstance(count, int)
    assert isinstance(report["upper"]["query_cap_exact"], int)
    for key in ("kinf_plus", "kinf_minus", "suboptimal_queries_per_log"):
        assert len(report["lower"][key]) == instance.number_of_arms
        for value in report["lower"][key]:
            check_real(value)
    check_real(report["lower"]["optimal_queries_per_log"])
    assert all(isinstance(value, bool) for value in report["vacuous"].values())
    if not report["unique"]:
        assert all(report["sharper"][key] == report["upper"][key] for key in ("regret", "queries"))


def test_infinite_is_null():
    report = bounds_report(Instance.bernoulli([Fraction(1, 2), Fraction(1, 2), 0]), Zero(), 50)
    assert report["n_bar_main"][:2] == [None, None]
    assert report["n_bar"][0] == {"lower": 49.0, "upper": 49.0}
    assert report["lower"]["optimal_queries_per_log"] is None


def test_an_exact_tie_is_vacuous_and_one_round_more_is_not():
    """Budget 4 with K = 3: N-bar = 4/3, and the 3 N-bar + 9 = 13 queries say nothing at T = 13 exactly.

    The sum of three balls around 4/3 does not decide this at any precision; algebra does.
    """
    instance = Instance.deterministic([Fraction(2, 3), Fraction(2, 3), Fraction(1, 3)])
    question = Question(instance, Budget(4), 13)
    assert (question.upper.queries.evaluate() >= 13) is Truth.UNDECIDED
    assert question.vacuous["queries"]
    assert not Question(instance, Budget(4), 14).vacuous["queries"]
    assert Question(instance, Budget(4), 12).vacuous["queries"]


def test_short_questions_are_vacuous():
    instance = Instance.deterministic([Fraction(2, 3), Fraction(2, 3), Fraction(1, 3)])
    assert Question(instance, Zero(), 20).vacuous == {"regret": True, "queries": True, "query_cap": True}
    assert Question(Instance.bernoulli([Fraction(1, 3)]), Zero(), 9).vacuous == {
        "regret": True,
        "queries": False,
        "query_cap": True,
    }


def test_families():
    report = bounds_report(Instance.deterministic([Fraction(1, 3), Fraction(2, 3)]), Zero(), 10)
    bounded = bounds_report(Instance.deterministic([Fraction(1, 3), Fraction(2, 3)]), Zero(), 10, family=Bounded())
    assert report == bounded
    with pytest.raises(NotInFamily):
        bounds_report(Instance.deterministic([Fraction(1, 3), Fraction(2, 3)]), Zero(), 10, family=Bernoulli())
    gaussian = bounds_report(Instance.bernoulli([0, Fraction(1, 2)]), Zero(), 10, family=Gaussian(2))
    assert gaussian["lower"]["kinf_plus"][0] == {"lower": 1 / 16, "upper": 1 / 16}
    assert gaussian["lower"]["suboptimal_queries_per_log"][0] == {"lower": 16.0, "upper": 16.0}


def test_large_questions_are_answered():
    """A formula is not walked through, which would hang the tests; a long list is, by doubles first."""
    instance = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
    for schedule in FORMULAS:
        assert bounds_report(instance, schedule, 10**9)["horizon"] == 10**9
    values = Values(tuple(Fraction((k * 7919) % 1009, 1 + k % 997) for k in range(200_000)))
    assert bounds_report(instance, values, 200_000)["horizon"] == 200_000
