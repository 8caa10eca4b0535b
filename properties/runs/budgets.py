"""Querying budgets: what the budget schedule guarantees on every path (l.416, l.441, erratum E13), and when
confidence-budget matching wastes its budget (l.281).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, Verdict
from bufalu.properties.runs.cap import count_finding
from bufalu.properties.runs.examination import KIND, check_subjects, observe_findings, scenario_witness
from bufalu.properties.runs.observed_rounds import ObservedRound, Run
from bufalu.properties.runs.scenarios import Oblivious, Scenario, play
from bufalu.properties.runs.search import number_of_cases, search
from bufalu.properties.runs.statements import Place, Statement
from bufalu.properties.runs.strategies import scenarios, step_budgets, tie_scripts
from bufalu.properties.runs.wrong import one_less, wrong
from bufalu.reference.errors import InvalidSchedule
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import Budget, NondecreasingBudget, parse_schedule

POLICIES_WITH_WIDTH_TEST = ("bufalu", "bufau", "cbm-ucb")

BudgetOfRound: TypeAlias = Callable[[int], Rational]
"""B(t)."""


@st.composite
def budget_scenarios(draw: DrawFn) -> Scenario:
    """Games with Hoeffding's interval under a constant budget or one that rises; the three policies of the lemma."""
    scenario = draw(
        scenarios(policy=draw(st.sampled_from(POLICIES_WITH_WIDTH_TEST)), confidence=st.just("hoeffding"))
    )
    if draw(st.booleans()):
        multiple: st.SearchStrategy[Rational] = st.integers(1, 20).map(lambda share: share * scenario.arms)
        budget = draw(multiple | st.integers(1, 60) | st.just(Fraction(scenario.arms, 2)))
        return replace(scenario, epsilon=Oblivious(Budget(budget)))
    return replace(scenario, epsilon=Oblivious(NondecreasingBudget(draw(step_budgets()))))


@st.composite
def constant_budget_scenarios(draw: DrawFn) -> Scenario:
    """Games of BuFALU between equal arms under a small constant budget; their traces fit into a file.

    Equal arms are never separated, so that every arm takes its share of the budget: half of these scenarios overdraw.
    """
    arms = draw(st.integers(2, 4))
    budget = draw(st.integers(1, 15))
    horizon = draw(st.integers(arms, 40) | st.integers(20, 40))
    return Scenario(((0,),) * arms, Oblivious(Budget(budget)), draw(tie_scripts()), horizon)


def budget_at(scenario: Scenario, round_number: int) -> Rational:
    """B(t) of a scenario under a budget schedule."""
    assert isinstance(scenario.epsilon, Oblivious)
    total = scenario.epsilon.schedule.budget_at(round_number, scenario.arms)
    assert total is not None
    return total


def written_budget(run: Run) -> BudgetOfRound:
    """B(t) of a run whose schedule is written down as a budget; raises `InvalidSchedule` for another run."""
    schedule = None if run.schedule is None else parse_schedule(run.schedule)
    total = None if schedule is None else schedule.budget_at(run.arms + 1, run.arms)
    if total is None:
        raise InvalidSchedule("this claim is about runs under a schedule `budget:B`, and the trace names no such one")
    return lambda round_number: total


def queries_within_budget(run: Run, budget: BudgetOfRound) -> Iterator[Place]:
    """As printed: all queries are at most B(t), after every queried round (l.416; wrong, erratum E13)."""
    for situation, counts in counted_queries(run):
        bound = math.floor(budget(situation.round))
        words = f"all queries after round {situation.round} against the budget"
        yield count_finding(
            sum(counts),
            bound,
            telling=bound < situation.round,
            round_number=situation.round,
            arm=situation.arm,
            words=words,
        )


def each_arm_within_its_share(run: Run, budget: BudgetOfRound) -> Iterator[Place]:
    """The corrected form: an arm has at most max{1, ceil(B(t)/K)} queries, after every queried round."""
    for situation, counts in counted_queries(run):
        bound = max(1, math.ceil(Fraction(budget(situation.round)) / run.arms))
        words = f"arm {situation.arm} after round {situation.round}: its queries against its budget"
        yield count_finding(
            counts[situation.arm - 1],
            bound,
            telling=bound < situation.round,
            round_number=situation.round,
            arm=situation.arm,
            words=words,
        )


def on_scenario(examine: Callable[[Run, BudgetOfRound], Iterator[Place]]) -> Callable[[Scenario], Iterator[Place]]:
    """The examination of a scenario's run against the scenario's own budget, which may have no text."""
    return lambda scenario: examine(play(scenario), partial(budget_at, scenario))


def counted_queries(run: Run) -> Iterator[tuple[ObservedRound, list[int]]]:
    """The queried rounds after the initial ones, each with the queries of all arms up to it."""
    counts = list(run.queries_until(run.arms))
    for situation in run.situations:
        if situation.query:
            counts[situation.arm - 1] += 1
            yield situation, counts


@st.composite
def lavish_scenarios(draw: DrawFn, short_by: int = 0) -> Scenario:
    """CBM under a budget of B(t) > K (t - K), or of K (t - K) - `short_by` + 1, in every round t > K."""
    scenario = draw(scenarios(policy="cbm-ucb", confidence=st.just("hoeffding"), longest=60))
    arms = scenario.arms

    def lavish(round_number: int) -> Rational:
        return max(1, arms * (round_number - arms) + 1 - short_by)

    return replace(scenario, epsilon=Oblivious(NondecreasingBudget(lavish)), horizon=max(scenario.horizon, arms + 1))


def everything_is_queried(scenario: Scenario) -> Iterator[Place]:
    """l.281: with B(t) > K (t - K) in every round CBM queries every round, and plays as UCB1 does.

    Its test asks whether n(u_t) < B(t)/K, and n(u_t) is at most t - K when all other arms were queried once at least;
    with a single arm n = t - 1 is attained, so no smaller budget suffices for every run.
    """
    run = play(scenario)
    free = play(replace(scenario, epsilon=Oblivious(NondecreasingBudget(lambda t: 10**9))))
    for situation, unlimited in zip(run.situations, free.situations, strict=True):
        share = Fraction(budget_at(scenario, situation.round)) / run.arms
        slack = share - situation.state.queries(situation.arm)
        words = f"round {situation.round}: CBM with B(t)/K = {share} played arm {situation.arm}"
        holds = situation.query and situation.decision == unlimited.decision
        yield Place(holds, float(slack), True, situation.round, situation.arm, partial(str, words))


WITHIN_BUDGET = Statement(
    "budget.never_violated",
    ("budget.never_violated",),
    "as printed: all queries together are at most B(t)",
    lambda run: queries_within_budget(run, written_budget(run)),
    frozenset(POLICIES_WITH_WIDTH_TEST),
)
WITHIN_SHARE = Statement(
    "budget.never_violated.corrected",
    ("budget.never_violated.corrected", "discussion.total_budget"),
    "an arm is queried at most ceil(B(t)/K) times, or once",
    lambda run: each_arm_within_its_share(run, written_budget(run)),
    frozenset(POLICIES_WITH_WIDTH_TEST),
)


@check(
    "budget.never_violated",
    kind=KIND,
    name="runs.budget_overdrawn",
    mutants={"each arm within its share, which holds": {"examine": each_arm_within_its_share}},
)
def budget_is_overdrawn(
    profile: AuditProfile, examine: Callable[[Run, BudgetOfRound], Iterator[Place]] = queries_within_budget
) -> Evidence:
    """E13: looks for a run of BuFALU that spends more than B(T), and makes it small; without one it is no erratum."""
    outcome = search(
        "runs.budget_overdrawn",
        constant_budget_scenarios(),
        lambda scenario: observe_findings(on_scenario(examine)(scenario)),
        cases=number_of_cases(profile, 60),
        seed_number=profile.seed,
    )
    if outcome.refuted is None:
        return Evidence(KIND, Verdict.REFUTED, "no erratum: no run spent more than its budget", outcome.cases)
    make_witness = scenario_witness(WITHIN_BUDGET.name, scheduled=True)
    witness = make_witness(outcome.refuted, WITHIN_BUDGET.name, outcome.refuted_account)
    return Evidence(KIND, Verdict.ERRATUM, outcome.refuted_account, outcome.cases, witness=witness)


check_subjects(
    "budget.never_violated.corrected",
    "discussion.total_budget",
    subjects=budget_scenarios,
    quick=40,
    mutants={"one query less for each arm": wrong(one_less(on_scenario(each_arm_within_its_share)))},
    witness=scenario_witness(WITHIN_SHARE.name, scheduled=True),
)(on_scenario(each_arm_within_its_share))
check_subjects(
    "cbm.wastes",
    subjects=lavish_scenarios,
    quick=30,
    mutants={"already with B(t) = K (t - K)": wrong(everything_is_queried, partial(lavish_scenarios, short_by=1))},
)(everything_is_queried)
