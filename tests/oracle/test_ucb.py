"""The oracle judges UCB: conform, check, vectors and likely bugs, with both conventions of the logarithm."""

import json
from fractions import Fraction

import pytest

from bufalu.oracle.conformance import Effort, run_setting
from bufalu.oracle.diagnosis import narrowed
from bufalu.oracle.directed import Stage
from bufalu.oracle.implementations import FactoryUnderTest
from bufalu.oracle.known_bugs import KNOWN_BUGS
from bufalu.oracle.known_bugs.known_bug import LiveKnownBug
from bufalu.oracle.known_bugs.made import bugs_of_ucb
from bufalu.oracle.report import check_trace, diagnosed
from bufalu.oracle.vectors import UCB_INTERVALS
from bufalu.pages.trace_outcome import report_lines
from bufalu.reference.confidence import confidence_named
from bufalu.reference.instances import Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import Zero
from bufalu.reference.simulation import simulate
from bufalu.reference.traces import Trace, TraceHeader
from tests.docs.snippets import ROOT

QUICK = Effort(examples=1, rounds=10, arms=3)
FIRST_STAGES = (Stage.SMOKE, Stage.DIRECTED, Stage.TIES)
NO_FIGURES = {
    "epsilon-of-previous-round",
    "epsilon-never-rises",
    "budget-off-by-one",
    "budget-without-initial-rounds",
}
EQUIVALENT = {
    *NO_FIGURES,
    "budget-of-one-arm",
    # every round is queried
    *("unqueried-counts-as-zero", "counts-plays", "mean-over-plays", "log-of-queries"),
    # right under some tie-break in every round of the vectors
    *("initial-rounds-in-any-order", "clips-bounds", "unseen-arms-are-certain"),
}
"""What changes nothing in a UCB, or nothing that a tie-break does not excuse."""


def bug(confidence: str, name: str, arms: int) -> LiveKnownBug:
    found = {bug.id: bug for bug in bugs_of_ucb(confidence_named(confidence), KNOWN_BUGS)}
    return found[name].live("ucb", arms, confidence)


@pytest.mark.parametrize("confidence", UCB_INTERVALS)
def test_a_right_ucb_conforms(confidence: str) -> None:
    factory = FactoryUnderTest(lambda arms: LivePolicy("ucb", arms, confidence, "last"))
    result = run_setting(factory, "ucb", confidence, QUICK, FIRST_STAGES)
    assert result.verdict == "conforms", result.failed


@pytest.mark.parametrize(
    ("confidence", "name"),
    [
        ("hoeffding:2:before", "log-of-this-round"),
        ("hoeffding:2", "stale-intervals"),
    ],
)
def test_a_wrong_ucb_is_found_and_named(confidence: str, name: str) -> None:
    result = run_setting(
        FactoryUnderTest(lambda arms: bug(confidence, name, arms)), "ucb", confidence, QUICK, FIRST_STAGES
    )
    assert result.failed is not None
    report = narrowed(diagnosed(result.failed.checked, result.failed.trace, False), result.second_opinions)
    assert name in {likely.known.id for likely in report.bugs}
    assert not any("epsilon" in line for line in report_lines(report) if "the trace" not in line)


@pytest.mark.parametrize("confidence", UCB_INTERVALS)
def test_the_vectors_kill_every_bug_that_is_one(confidence: str) -> None:
    written = json.loads((ROOT / "vectors" / f"ucb-{confidence.replace(':', '-')}.json").read_text())
    killed = {kill["bug"] for group in written["groups"] for kill in group["kills"]}
    assert {bug.id for bug in bugs_of_ucb(confidence_named(confidence), KNOWN_BUGS)} - killed == EQUIVALENT


def test_a_schedule_that_ucb_does_not_look_at_breaks_no_diagnosis() -> None:
    """With ln(t - 1) no suspect may compare the epsilon of a budget schedule."""
    instance = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
    live = LivePolicy("ucb", 2, "hoeffding:1:before")
    rounds = simulate(live, instance, Zero(), 120, SeededRewards(instance, 3))
    header = TraceHeader("ucb", "hoeffding:2:before", 2, "budget:7")
    report = check_trace(Trace(header, tuple(rounds)))
    assert not report.conforms
    assert "constant-1" in {likely.known.id for likely in report.bugs}
