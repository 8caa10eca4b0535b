"""The checks of the audit on generated runs. Their numbers of cases make them take about half a minute together (quick)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hypothesis.strategies import SearchStrategy

from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence, Verdict, Witness
from bufalu.properties.runs.budgets import (
    WITHIN_BUDGET,
    WITHIN_SHARE,
    budget_scenarios,
    constant_budget_scenarios,
    each_arm_within_its_share,
    everything_is_queried,
    lavish_scenarios,
    on_scenario,
    queries_within_budget,
)
from bufalu.properties.runs.cap import CAP, COUNTS, EXACT_CAP
from bufalu.properties.runs.cases import CASES, SHARPER
from bufalu.properties.runs.counts import QUERIED_COUNT, UNQUERIED_COUNT
from bufalu.properties.runs.dial import DIAL_CHECKS
from bufalu.properties.runs.examination import (
    KIND,
    check_statement,
    evidence_of,
    observe_findings,
    scenario_witness,
)
from bufalu.properties.runs.gap_query import (
    GAP_IS_ENCLOSED,
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    WIDE_EPSILON_BLOCKS,
    ZERO_EPSILON_IS_FREE,
)
from bufalu.properties.runs.kl_ucb_scenarios import kl_ucb_scenarios
from bufalu.properties.runs.metamorphic import (
    RAISING_EPSILON,
    any_policy_scenarios,
    tables,
    unqueried_rewards_do_not_matter,
)
from bufalu.properties.runs.scenarios import Scenario
from bufalu.properties.runs.search import Subject, number_of_cases, search
from bufalu.properties.runs.sequences import (
    budget_caps_n_bar,
    budget_questions,
    count_is_monotone,
    inverse_bounds_count,
    maximum_is_last,
    questions,
)
from bufalu.properties.runs.statements import Place
from bufalu.properties.runs.strategies import adaptive_scenarios, scenarios, separating_scenarios


def short_and_long_scenarios() -> SearchStrategy[Scenario]:
    """Games of every kind, and scenarios long enough for a gap of one to bind."""
    return scenarios() | separating_scenarios()


def no_witness(subject: object, name: str, account: str) -> Witness | None:
    """For subjects that are not runs: the account says it all."""
    return None


def check_subjects(
    name: str,
    claims: tuple[str, ...],
    subjects: Callable[[], SearchStrategy[Subject]],
    examine: Callable[[Subject], Iterable[Place]],
    *,
    quick: int,
    witness: Callable[[Subject, str, str], Witness | None] = no_witness,
) -> Check:
    """The check that an examination of other subjects than runs finds nothing."""
    chosen = f"runs.{name}"

    def run(profile: AuditProfile) -> Evidence:
        outcome = search(
            chosen,
            subjects(),
            lambda subject: observe_findings(examine(subject)),
            cases=number_of_cases(profile, quick),
            seed_number=profile.seed,
        )
        return evidence_of(outcome, witness, chosen)

    return Check(chosen, claims, KIND, run)


def budget_is_overdrawn(profile: AuditProfile) -> Evidence:
    """E13: looks for a run of BuFALU that spends more than B(T), and makes it small."""
    outcome = search(
        "runs.budget_overdrawn",
        constant_budget_scenarios(),
        lambda scenario: observe_findings(on_scenario(queries_within_budget)(scenario)),
        cases=number_of_cases(profile, 60),
        seed_number=profile.seed,
    )
    if outcome.refuted is None:
        return Evidence(KIND, Verdict.TESTED, "no run spent more than its budget", outcome.cases)
    make_witness = scenario_witness(WITHIN_BUDGET.name, scheduled=True)
    witness = make_witness(outcome.refuted, WITHIN_BUDGET.name, outcome.refuted_account)
    return Evidence(
        KIND, Verdict.ERRATUM, outcome.refuted_account, outcome.cases, seconds=outcome.seconds, witness=witness
    )


BUFALU_CHECKS: tuple[Check, ...] = (
    check_statement(QUERIED_IS_WIDE, scenarios, 60),
    check_statement(UNQUERIED_IS_NEAR_OPTIMAL, scenarios, 60),
    check_statement(GAP_IS_ENCLOSED, scenarios, 15),
    check_statement(WIDE_EPSILON_BLOCKS, scenarios, 40),
    check_statement(ZERO_EPSILON_IS_FREE, separating_scenarios, 30),
    check_statement(RAISING_EPSILON, any_policy_scenarios, 30),
    check_statement(COUNTS, scenarios, 30),
    check_statement(CAP, scenarios, 60),
    check_statement(EXACT_CAP, scenarios, 40),
    check_statement(UNQUERIED_COUNT, short_and_long_scenarios, 40),
    check_statement(QUERIED_COUNT, short_and_long_scenarios, 40),
    *(check_statement(case, scenarios, 40) for case in CASES),
    check_statement(SHARPER, scenarios, 40),
)
"""The lemma, the cap, the counts and the five cases, for BuFALU with Hoeffding's and Bernstein's interval."""

ADAPTIVE_CHECKS: tuple[Check, ...] = tuple(
    check_statement(
        statement, adaptive_scenarios, 30, claims=("theorem.adaptive_epsilon",), name=f"adaptive.{statement.name}"
    )
    for statement in (CAP, UNQUERIED_COUNT, QUERIED_COUNT)
)
"""The same counts when an adversary sees the run and aims epsilon at the policy's own tests."""

VARIANT_CHECKS: tuple[Check, ...] = tuple(
    check_statement(
        statement, kl_ucb_scenarios, 25, claims=("kl_ucb.suggestion.corrected",), name=f"kl_ucb.{statement.name}"
    )
    for statement in (QUERIED_IS_WIDE, UNQUERIED_IS_NEAR_OPTIMAL, CAP)
)
"""What the lemma and the cap say does not depend on Hoeffding's radius."""

SCHEDULE_CHECKS: tuple[Check, ...] = (
    check_subjects("l_epsilon.definition", ("l_epsilon.definition",), questions, count_is_monotone, quick=60),
    check_subjects("l_epsilon.inverse", ("l_epsilon.inverse",), questions, inverse_bounds_count, quick=60),
    check_subjects("n_bar.closed_form", ("n_bar.closed_form",), questions, maximum_is_last, quick=60),
    check_subjects("n_bar.budget", ("n_bar.budget",), budget_questions, budget_caps_n_bar, quick=60),
)
"""Statements about schedules alone."""

BUDGET_CHECKS: tuple[Check, ...] = (
    Check("runs.budget_overdrawn", ("budget.never_violated",), KIND, budget_is_overdrawn),
    check_subjects(
        "budget.never_violated.corrected",
        ("budget.never_violated.corrected", "discussion.total_budget"),
        budget_scenarios,
        on_scenario(each_arm_within_its_share),
        quick=40,
        witness=scenario_witness(WITHIN_SHARE.name, scheduled=True),
    ),
    check_subjects("cbm.wastes", ("cbm.wastes",), lavish_scenarios, everything_is_queried, quick=30),
)
"""Budgets: the erratum with its witness, the corrected statement, and CBM's waste."""

CHECKS: tuple[Check, ...] = (
    *BUFALU_CHECKS,
    *ADAPTIVE_CHECKS,
    *VARIANT_CHECKS,
    *SCHEDULE_CHECKS,
    *BUDGET_CHECKS,
    *DIAL_CHECKS,
    check_subjects(
        "mean.ignores_unqueried", ("mean.ignores_unqueried",), tables, unqueried_rewards_do_not_matter, quick=40
    ),
)
"""Every check of this room."""
