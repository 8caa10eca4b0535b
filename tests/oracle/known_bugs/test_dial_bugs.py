"""The dial's known bugs: the unchanged rule is the dial, each bug is killed and named."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu import Instance, SeededRewards, Trace, TraceHeader, check_trace, parse_schedule, simulate
from bufalu.oracle.known_bugs import FAR_BUGS, KNOWN_BUGS
from bufalu.oracle.known_bugs.made import DialRule, bugs_of_the_dial
from bufalu.reference.policies import DialPolicy
from tests.reference.test_policies import views

HALF = DialPolicy(Fraction(1, 2))
INSTANCE = Instance.bernoulli([Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)])
OWN = ["dial-without-width-test", "dial-without-ucb-test", "dial-inverted"]


@given(views(), st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(1)]))
def test_the_unchanged_rule_is_the_dial(view, rho):
    assert DialRule(f"dial:{rho}", rho=rho).admissible(view) == DialPolicy(rho).admissible(view)


def wrong_run(name, confidence):
    bug = next(bug for bug in bugs_of_the_dial(HALF.text, HALF.rho, KNOWN_BUGS + FAR_BUGS) if bug.id == name)
    live = bug.live(HALF.text, 3, confidence)
    schedule = parse_schedule("power:1/4")
    rounds = tuple(simulate(live, INSTANCE, schedule, 1500, SeededRewards(INSTANCE, 5)))
    return Trace(TraceHeader(HALF.text, confidence, 3, "power:1/4"), rounds)


@pytest.mark.parametrize("name", [*OWN, "constant-two"])
def test_each_bug_is_rejected_and_named(name):
    report = check_trace(wrong_run(name, "hoeffding"))
    assert not report.conforms
    assert name in {bug.known.id for bug in report.bugs}


def test_at_zero_there_is_no_width_test_to_get_wrong():
    assert not {bug.id for bug in bugs_of_the_dial("dial:0", 0, KNOWN_BUGS)} & set(OWN)
