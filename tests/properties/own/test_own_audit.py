"""What is asked of a user's own interval or policy, and that each check that asks can fail."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from bufalu import (
    BernsteinInterval,
    ConfidenceInterval,
    Decision,
    HoeffdingInterval,
    Instance,
    NormalForm,
    Policy,
    RadicalTerm,
    RadiusShape,
    RadiusTerm,
    Reason,
    RegularityNumbers,
    SampleNumbers,
    ShapedInterval,
    parse_schedule,
    register_interval,
    register_policy,
)
from bufalu.pages.own_outcome import closing
from bufalu.properties.claims import BY_ID, CLAIMS
from bufalu.properties.claims.claim import Subject
from bufalu.properties.claims.evidence import AuditProfile, Verdict
from bufalu.properties.expectations.cases import ExactCase
from bufalu.properties.expectations.claims_on_law import CLAIMS_ON_LAWS, examine_on_law
from bufalu.properties.expectations.theorem_checks import SHARPER_REGRET
from bufalu.properties.own.interval_checks import (
    failures_sum_up,
    known_inequality,
    queries_shrink_width,
    width_is_nonnegative,
)
from bufalu.properties.own.laws import LawTies, candidates, nearest, searched, share_ahead
from bufalu.properties.own.questions import FOR_ANY_INTERVALS, OWN_WORDS, questions
from bufalu.properties.own.report import OwnVerdict, own_report, own_results
from bufalu.properties.own.subject import OwnSubject
from bufalu.reference.errors import UnknownName
from bufalu.reference.policies import BUFALU
from tests.properties.own.wrong_intervals import Root, Sinking

PROFILE = AuditProfile()


class RisingRadius(Sinking):
    """mean +- n: no count makes it narrow."""

    def radius_form(self, queries: int, variance: object, round_number: int) -> NormalForm:
        return NormalForm((RadicalTerm(queries),), round_number)


class Variable(Sinking):
    """A variance in a radius without a shape."""

    uses_variance = True
    needed_queries = 2


class Stubborn(Policy):
    """Always plays arm 1 and never asks after the initial rounds."""

    text = "test-stubborn"

    def possible(self, view, comparisons):
        initial = view.round <= view.arms
        yield Decision(view.round if initial else 1, initial), Reason.SEPARATED


class Curious(Policy):
    """Queries arm 1 in every round."""

    text = "test-curious"

    def possible(self, view, comparisons):
        arm = view.round if view.round <= view.arms else 1
        yield Decision(arm, True), Reason.UNCERTAIN


class Tossing(Policy):
    """BuFALU, but a coin chooses between leader and challenger: both are of the same value, which is a tie."""

    text = "test-tossing"

    def possible(self, view, comparisons):
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return
        everyone = range(1, view.arms + 1)
        for leader in comparisons.largest(everyone, view.lcb):
            others = [arm for arm in everyone if arm != leader]
            if not others:
                yield Decision(leader, False), Reason.SEPARATED
            for challenger in comparisons.largest(others, view.ucb):
                for candidate in comparisons.largest(sorted((leader, challenger)), lambda arm: view.number(0)):
                    for stop in comparisons.at_most(view.ucb(candidate) - view.lcb(leader), view.epsilon):
                        yield Decision(leader if stop else candidate, not stop), Reason.UNCERTAIN


INTERVALS = (
    Root("test-root", Fraction(1)),
    Root("test-reckless", Fraction(1, 32)),
    Root("test-absurd", Fraction(1, 200)),
    RisingRadius("test-rising"),
    Variable("test-variable"),
)
for _interval in INTERVALS:
    register_interval(_interval.text, _interval)
for _policy in (Stubborn(), Curious(), Tossing()):
    register_policy(_policy.text, _policy)

ABSURD = OwnSubject(interval=INTERVALS[2], interval_given="mine.py:It")
RECKLESS = OwnSubject(interval=Root("test-reckless", Fraction(1, 32)), interval_given="mine.py:It")


def asked(brought: OwnSubject, claim: str):
    return next(question for question in questions(brought) if question.claim.id == claim)


def answer(brought: OwnSubject, claim: str):
    """The row of one claim."""
    (row,) = own_results(asked_report(brought, claim))
    return row


def asked_report(brought: OwnSubject, claim: str):
    """The report on one claim, with its checks and those of its conditions run."""
    question = asked(brought, claim)
    finished = {check.name: check.run(PROFILE) for check in (*question.checks, *question.supposed)}
    return own_report(brought, [question], finished, PROFILE, 0.0)


def test_every_claim_is_about_something() -> None:
    subjects = {claim.id: claim.about for claim in CLAIMS}
    assert set(subjects.values()) == set(Subject)
    assert {"gap_query.queried_is_wide", "cap.almost_sure"} <= {
        claim for claim, subject in subjects.items() if subject is Subject.ROUND
    }
    assert FOR_ANY_INTERVALS | set(OWN_WORDS) | set(CLAIMS_ON_LAWS) <= set(BY_ID)
    assert all(subjects[claim] is Subject.ROUND for claim in FOR_ANY_INTERVALS)


@pytest.mark.parametrize(
    "brought", [OwnSubject(interval=Root("test-root", Fraction(1))), OwnSubject(policy=Curious())]
)
def test_every_claim_about_them_is_asked_once_or_has_a_reason(brought: OwnSubject) -> None:
    rows = questions(brought)
    wanted = [claim.id for claim in CLAIMS if claim.about is not Subject.NEITHER]
    assert [row.claim.id for row in rows] == wanted
    assert all(row.checks or row.reason for row in rows)


def test_a_statement_about_another_policy_is_never_asked() -> None:
    for row in questions(OwnSubject(policy=Curious())):
        if row.checks:
            assert row.claim.about in (Subject.ROUND, Subject.THEOREM)
            assert not row.claim.id.startswith(("algorithm.", "epsilon.", "gap."))


def test_a_radius_that_is_negative_somewhere_is_found() -> None:
    evidence = width_is_nonnegative(Sinking(), "replay")
    assert evidence.verdict is Verdict.REFUTED
    assert "after 11 queries" in evidence.detail
    assert width_is_nonnegative(RisingRadius("test-rising"), "replay").verdict is Verdict.EXACT
    assert width_is_nonnegative(BernsteinInterval(), "replay").verdict is Verdict.CERTIFIED


@pytest.mark.parametrize(("stated", "verdict"), [(None, Verdict.EXACT), (4, Verdict.EXACT), (3, Verdict.REFUTED)])
def test_a_sample_number_that_is_too_small_is_found(stated: int | None, verdict: Verdict) -> None:
    assert queries_shrink_width(Root("test-x", Fraction(1), stated), "replay").verdict is verdict


@pytest.mark.parametrize("interval", [HoeffdingInterval(), BernsteinInterval()])
def test_the_papers_own_numbers_are_large_enough(interval: ConfidenceInterval) -> None:
    assert queries_shrink_width(interval, "replay").verdict is Verdict.EXACT


def test_bernstein_with_the_wrong_sample_number_is_found() -> None:
    class Wrong(ShapedInterval):
        text = "test-wrong-bernstein"
        shape = RadiusShape((RadiusTerm(6, rooted=False, offset=1), RadiusTerm(6, uses_variance=True)))
        deviation = 6
        regularity = RegularityNumbers(
            "here", 12, SampleNumbers(by_variance=24), SampleNumbers(6, 0, 28, 1), SampleNumbers(6, 0, 28, 1)
        )

    evidence = queries_shrink_width(Wrong(), "replay")
    assert evidence.verdict is Verdict.REFUTED
    assert "N^g" in evidence.detail


def test_what_no_count_is_known_of_is_open() -> None:
    for interval in (RisingRadius("test-rising"), Variable("test-variable")):
        unknown = queries_shrink_width(interval, "replay")
        assert unknown.verdict is Verdict.NOT_RUN
        row = answer(OwnSubject(interval=interval), "cap.almost_sure")
        assert row.outcome is OwnVerdict.OPEN
        assert row.detail == f"it needs N^as, and {unknown.detail}"
    assert (
        answer(OwnSubject(interval=RisingRadius("test-rising")), "theorem.unique.regret").outcome is OwnVerdict.OPEN
    )
    assert answer(OwnSubject(interval=RisingRadius("test-rising")), "regular.hoeffding").outcome is OwnVerdict.OPEN


def test_a_lemma_that_supposes_nonnegative_widths_is_not_claimed_of_any_radius() -> None:
    shaped, other = (
        OwnSubject(interval=Root("test-root", Fraction(1))),
        OwnSubject(interval=RisingRadius("test-rising")),
    )
    names = [[check.name for check in asked(b, "gap_query.queried_is_wide").checks] for b in (shaped, other)]
    assert [any(name.startswith("smt.") for name in found) for found in names] == [True, False]
    assert answer(other, "algorithm.separated_is_optimal").outcome is OwnVerdict.OPEN


def test_a_run_with_an_interval_without_doubles_is_examined() -> None:
    assert (
        answer(OwnSubject(interval=RisingRadius("test-rising")), "gap.ucb_minus_lcb").outcome is OwnVerdict.UNREFUTED
    )


def test_failures_that_sum_to_too_much_are_found() -> None:
    evidence = failures_sum_up(RECKLESS, PROFILE)
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.witness is not None
    assert evidence.witness.command.endswith("--claim regular.hoeffding")
    assert failures_sum_up(OwnSubject(interval=Root("test-root", Fraction(1))), PROFILE).verdict is Verdict.EXACT


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (Fraction(3, 2), "by 2/t^3, and over t - 1 counts and all rounds that sums to 0.8858 K"),
        (Fraction(1), "maximal inequality"),
        (Fraction(1, 2), "by 2/t, and"),
        (Fraction(5, 4), "by 2/t^(5/2), and"),
        (Fraction(1, 2), "no inequality known here does"),
    ],
)
def test_the_inequality_that_would_do_is_named(factor: Fraction, words: str) -> None:
    assert words in known_inequality(Root("test-x", factor))


def test_the_inequality_for_another_radius_is_not_known() -> None:
    assert "none is known here" in known_inequality(BernsteinInterval())


@pytest.mark.parametrize(
    ("policy", "claim", "outcome"),
    [
        (Stubborn(), "gap_query.unqueried_is_near_optimal", OwnVerdict.FAILS),
        (Stubborn(), "gap_query.queried_is_wide", OwnVerdict.OPEN),
        (Stubborn(), "theorem.unique.regret", OwnVerdict.FAILS),
        (Curious(), "gap_query.queried_is_wide", OwnVerdict.FAILS),
        (Curious(), "cap.almost_sure", OwnVerdict.FAILS),
        (Curious(), "theorem.adaptive_epsilon", OwnVerdict.FAILS),
        (Curious(), "theorem.unique.queries", OwnVerdict.FAILS),
        (Curious(), "costs.arm_dependent", OwnVerdict.FAILS),
        (Curious(), "count.case_optimal_unique", OwnVerdict.FAILS),
        (Curious(), "theorem.short_horizon", OwnVerdict.FAILS),
        (Stubborn(), "theorem.short_horizon", OwnVerdict.UNREFUTED),
    ],
)
def test_what_a_wrong_policy_breaks_is_found(policy: Policy, claim: str, outcome: OwnVerdict) -> None:
    row = answer(OwnSubject(policy=policy, policy_given="mine.py:It"), claim)
    assert row.outcome is outcome, row.detail
    if outcome is OwnVerdict.FAILS:
        assert row.witness is not None
        assert "mine.py:It" in row.witness.command


def test_bufalu_itself_is_not_refuted_as_a_policy() -> None:
    brought = OwnSubject(policy=BUFALU, policy_given="bufalu")
    for claim in ("gap_query.unqueried_is_near_optimal", "theorem.unique.queries", "cap.almost_sure"):
        assert answer(brought, claim).outcome is OwnVerdict.UNREFUTED


def test_a_theorem_about_an_absurd_interval_fails_or_is_open() -> None:
    """sqrt(ln t / (200 n)): its failures refute the hypothesis, and a law that is searched for the regret bound."""
    report = asked_report(ABSURD, "theorem.unique.regret")
    (failing,) = own_results(report)
    assert failing.outcome is OwnVerdict.FAILS
    assert failing.witness is not None and "--claim theorem.unique.regret" in failing.witness.command
    for claim in ("theorem.multiple.queries", "theorem.short_horizon"):
        row = answer(ABSURD, claim)
        assert row.verdict is Verdict.EXACT
        assert row.outcome is OwnVerdict.OPEN
        assert "it supposes regular.hoeffding, which fails: the failure probabilities sum to" in row.detail
    told = closing(ABSURD, asked_report(ABSURD, "theorem.short_horizon"))
    assert "widen the radius" in told
    assert told.startswith("What was asked of the interval")
    assert "did not fail, but supposes regular.hoeffding, which does." in told


def test_the_nearest_law_can_be_replayed() -> None:
    row = answer(OwnSubject(interval=INTERVALS[0], interval_given="mine.py:It"), "theorem.unique.regret")
    assert row.outcome is OwnVerdict.UNREFUTED
    assert row.witness is not None and row.witness.closest
    assert "of the regret bound is reached" in row.witness.summary
    assert "--confidence mine.py:It" in row.witness.command


def test_laws_are_drawn_with_the_seed_and_more_of_them_with_the_profile() -> None:
    drawn = [candidates("bufalu", "test-root", AuditProfile("quick", seed), LawTies.FIXED) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert {case.ties for case in drawn[0]} == {"first", "last"}
    many = candidates("bufalu", "test-root", AuditProfile("full"), LawTies.FIXED)
    assert len(many) == 16 * len(drawn[0])
    assert len({case.instance.means for case in many}) > 50


def test_the_law_nearest_to_failing_is_followed_longest() -> None:
    zero = parse_schedule("zero")
    hopeless = ExactCase(Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)]), zero, 12, "test-absurd")
    harmless = ExactCase(Instance.deterministic([0, 1]), zero, 12, "test-absurd")
    assert share_ahead(SHARPER_REGRET, hopeless) > share_ahead(SHARPER_REGRET, harmless)
    assert hopeless in nearest([harmless, hopeless], 1)
    (found,) = searched([hopeless], PROFILE)
    assert found == replace(hopeless, horizon=found.horizon) and found.horizon >= 48


def test_fair_ties_are_told_from_ties_that_toss_no_coin() -> None:
    tossing = OwnSubject(policy=Tossing(), policy_given="mine.py:It")
    row = answer(tossing, "theorem.unique.regret")
    assert row.outcome is OwnVerdict.FAILS_FOR_SOME_TIES
    assert row.witness is not None and "--ties first" in row.witness.command
    assert "with fair ties no law that was tried refutes it" in row.detail


def test_a_run_that_breaks_a_claim_is_made_small() -> None:
    row = answer(OwnSubject(policy=Curious()), "gap_query.queried_is_wide")
    assert row.witness is not None and row.witness.content is not None
    head, *rounds = map(json.loads, row.witness.content.splitlines())
    assert head["arms"] == 1 and len(rounds) == 2


def test_the_closing_paragraph_says_what_failed_and_what_to_do() -> None:
    report = asked_report(RECKLESS, "regular.hoeffding")
    assert not report.holds
    assert "regular.hoeffding fails" in closing(RECKLESS, report)
    assert "widen the radius" in closing(RECKLESS, report)
    assert report.results[0].verdict is Verdict.REFUTED


def test_a_check_that_did_not_finish_is_open() -> None:
    brought = OwnSubject(interval=Root("test-root", Fraction(1)))
    report = own_report(brought, [asked(brought, "cap.almost_sure")], {}, PROFILE, 0.0)
    assert own_results(report)[0].outcome is OwnVerdict.OPEN


def test_a_claim_on_a_law_shows_both_sides() -> None:
    law = ExactCase(Instance.deterministic([0, 1]), parse_schedule("power:1/4"), 40, policy="test-curious")
    (queries,) = examine_on_law(law, "theorem.unique.queries")
    assert queries.value == 40
    for claim in CLAIMS_ON_LAWS:
        for outcome in examine_on_law(ExactCase(law.instance, law.schedule, 40), claim):
            assert outcome.holds, outcome
    with pytest.raises(UnknownName, match="not of greedy"):
        examine_on_law(ExactCase(law.instance, law.schedule, 9, policy="greedy"), "cap.almost_sure")
    with pytest.raises(UnknownName, match="no claim about laws"):
        examine_on_law(law, "gap_query.queried_is_wide")
