"""What happens to a lemma without each of its hypotheses, and that the hypotheses can be met at all."""

import pytest

from bufalu.properties.smt.catalogue import LEMMAS, lemma_named
from bufalu.properties.smt.lemma import Hypothesis, Lemma
from bufalu.properties.smt.lemmas_numbers import LEMMAS as NUMBERS
from bufalu.properties.smt.necessity import Need, necessity
from bufalu.properties.smt.nonvacuity import kinds_of_round, satisfying_model
from bufalu.properties.smt.terms import real

ROUNDS = [lemma for lemma in LEMMAS if lemma not in NUMBERS]
SOME, ALL, HALF = "some infinite", "all infinite", "one end infinite"
X = real("x")


def named(lemma: Lemma) -> str:
    return lemma.name.replace(" ", "-")


@pytest.mark.parametrize("lemma", LEMMAS, ids=named)
def test_every_hypothesis_is_either_needed_with_a_counterexample_or_not_needed(lemma):
    reports = list(necessity(lemma))
    assert Need.NEEDED not in {each.need for each in reports if each.weaker == "only compared with the challenger"}
    assert {report.hypothesis for report in reports} == {hypothesis.name for hypothesis in lemma.hypotheses}
    for report in reports:
        assert report.need is not Need.UNDECIDED, report
        if report.need is Need.NEEDED:
            assert report.counterexample is not None
            assert not report.counterexample.holds(lemma.conclusion)
    if "at least as wide as zero" not in lemma.name:
        assert any(report.need is Need.NEEDED for report in reports)


def needed(name: str) -> set[str]:
    """The hypotheses without which the lemma fails."""
    reports = necessity(lemma_named(name))
    return {report.hypothesis for report in reports if report.weaker is None and report.need is Need.NEEDED}


def test_what_a_wide_query_needs():
    assert needed("a queried arm is wider than epsilon") == {
        "the leader has the largest lower end",
        "a candidate within epsilon is not queried",
        "a queried round plays the candidate",
        "the round is queried",
    }


def test_what_a_near_optimal_unqueried_arm_needs():
    assert needed("an unqueried arm is within epsilon of the best") == {
        "the leader has the largest lower end",
        "the challenger has the largest upper end of the others",
        "the candidate is the leader or the challenger",
        "the candidate is the wider of the two",
        "an unqueried round is separated or within epsilon",
        "an unqueried round plays the leader",
        "epsilon is not negative",
        "no mean lies below its interval",
        "no mean lies above its interval",
        "the optimal arm has the best mean",
        "the round is not queried",
    }


def test_the_half_in_the_unique_case_cannot_be_dropped():
    reports = list(necessity(lemma_named("a queried unique optimum is wider than half the smallest gap")))
    weakened = [report for report in reports if report.weaker == "the threshold is at most the smallest gap"]
    assert [report.need for report in weakened] == [Need.NEEDED]


def positive_if(*hypotheses):
    """x > 0 under these hypotheses."""
    return Lemma(name="n", claims=("c",), lines="l.1", says="s", hypotheses=hypotheses, conclusion=X > 0)


def test_a_superfluous_hypothesis_is_recognised():
    lemma = positive_if(Hypothesis("used", X > 1), Hypothesis("idle", X > -1))
    assert {report.hypothesis: report.need for report in necessity(lemma)} == {
        "used": Need.NEEDED,
        "idle": Need.NOT_NEEDED,
    }


@pytest.mark.parametrize("lemma", ROUNDS, ids=named)
def test_hypotheses_can_be_met_with_two_and_three_arms(lemma):
    met = {(scene.arms, scene.query, scene.intervals) for scene in kinds_of_round(lemma) if scene.model is not None}
    two_optima_and_another = lemma.name.startswith(
        ("with two optima a queried suboptimal", "with two optima a suboptimal arm")
    )
    assert {arms for arms, _, _ in met} == ({3} if two_optima_and_another else {2, 3})


def test_the_inductive_steps_cover_every_kind_of_round_that_exists():
    """An infinite interval forces a query (a lemma), so that unqueried rounds have finite or half-infinite ones."""
    expected = {("queried", kind) for kind in ("finite", SOME, ALL, HALF)} | {
        ("unqueried", "finite"),
        ("unqueried", HALF),
    }
    for lemma in ROUNDS:
        if "cap plus one" in lemma.name and lemma.name[0] not in "BC":
            met = {(scene.arms, scene.query, scene.intervals) for scene in kinds_of_round(lemma) if scene.model}
            assert met == {(arms, *kind) for arms in (2, 3) for kind in expected}


@pytest.mark.parametrize("lemma", NUMBERS, ids=named)
def test_lemmas_about_numbers_can_be_met(lemma):
    assert satisfying_model(lemma, 2) is not None


def test_contradictory_hypotheses_are_recognised():
    assert satisfying_model(positive_if(Hypothesis("up", X > 1), Hypothesis("down", X < 0)), 2) is None
