"""What the exact law says for the claims of the registry."""

from __future__ import annotations

from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence
from bufalu.properties.expectations.box_checks import queries_for_all_means
from bufalu.properties.expectations.cases import DIAL
from bufalu.properties.expectations.constants import surviving_constants
from bufalu.properties.expectations.identity_checks import (
    failure_cases,
    failures,
    query_aware_regret,
    regret_decomposes,
)
from bufalu.properties.expectations.lower_checks import (
    bufalu_is_not_better_than_uniform,
    kl_inequality,
    relabelled_bufalu,
    scarce_queries,
)
from bufalu.properties.expectations.theorem_checks import (
    INDEPENDENT,
    KIND,
    MULTIPLE_QUERIES,
    MULTIPLE_REGRET,
    SHARPER_QUERIES,
    SHARPER_REGRET,
    UNIQUE_QUERIES,
    UNIQUE_REGRET,
    Promise,
    arm_dependent_costs,
    cap_on_every_path,
    decide_promises,
    promised,
    short_horizons,
)


def _promise(name: str, claim: str, *promises: Promise) -> Check:
    def run(profile: AuditProfile) -> Evidence:
        return promised(promises, profile, claim)

    return Check(name, (claim,), KIND, run)


def _dial_promise(name: str, claim: str, *promises: Promise, confidence: str = "hoeffding") -> Check:
    """The theorem of docs/dial.md on the dial's own cases."""

    def run(profile: AuditProfile) -> Evidence:
        return decide_promises(promises, [case for case in DIAL if case.confidence == confidence])

    return Check(name, (claim,), KIND, run)


def _hoeffding_failures(profile: AuditProfile) -> Evidence:
    return failures("hoeffding", 2, failure_cases("hoeffding", profile))


def _bernstein_failures(profile: AuditProfile) -> Evidence:
    return failures("bernstein", 12, failure_cases("bernstein", profile))


THEOREM = ("theorem.multiple.regret", "theorem.multiple.queries", "theorem.unique.regret", "theorem.unique.queries")

CHECKS: tuple[Check, ...] = (
    _promise("expectations.regret_with_several_optimal_arms", THEOREM[0], MULTIPLE_REGRET),
    _promise("expectations.queries_with_several_optimal_arms", THEOREM[1], MULTIPLE_QUERIES),
    _promise("expectations.regret_with_one_optimal_arm", THEOREM[2], UNIQUE_REGRET),
    _promise("expectations.queries_with_one_optimal_arm", THEOREM[3], UNIQUE_QUERIES),
    _promise("expectations.the_sharper_theorem", "theorem.sharper", SHARPER_REGRET, SHARPER_QUERIES),
    _promise("expectations.regret_whatever_the_gaps", "independent.hoeffding", INDEPENDENT),
    Check("expectations.queries_for_all_means_at_once", (THEOREM[1], THEOREM[3]), KIND, queries_for_all_means),
    Check("expectations.constants_that_would_have_survived", THEOREM, KIND, surviving_constants),
    Check("expectations.short_horizons_and_a_single_arm", ("theorem.short_horizon",), KIND, short_horizons),
    Check("expectations.the_cap_on_every_path", ("cap.almost_sure",), KIND, cap_on_every_path),
    Check("expectations.regret_path_by_path", ("regret.decomposes",), KIND, regret_decomposes),
    Check("expectations.query_costs_of_the_arms", ("costs.arm_dependent",), KIND, arm_dependent_costs),
    Check("expectations.query_aware_regret", ("costs.query_aware_regret",), KIND, query_aware_regret),
    Check(
        "expectations.hoeffding_failures_in_every_round",
        ("regular.hoeffding", "regular.hoeffding.failure_probability.corrected"),
        KIND,
        _hoeffding_failures,
    ),
    Check(
        "expectations.bernstein_failures_in_every_round",
        ("regular.bernstein", "regular.bernstein.failure_probability"),
        KIND,
        _bernstein_failures,
    ),
    Check("expectations.the_kl_inequality_on_pairs_of_instances", ("kl.counts_inequality",), KIND, kl_inequality),
    Check(
        "expectations.scarce_queries_of_certified_strategies",
        ("scarce.linear_regret", "scarce.corollary.corrected"),
        KIND,
        scarce_queries,
    ),
    Check(
        "expectations.bufalu_is_not_better_than_uniform",
        ("scarce.bufalu_in_fixed_order",),
        KIND,
        bufalu_is_not_better_than_uniform,
    ),
    Check("expectations.relabelled_bufalu", ("scarce.bufalu_relabelled",), KIND, relabelled_bufalu),
    _dial_promise("expectations.regret_of_the_dial", "dial.theorem.regret", UNIQUE_REGRET, MULTIPLE_REGRET),
    _dial_promise("expectations.queries_of_the_dial", "dial.theorem.queries", UNIQUE_QUERIES, MULTIPLE_QUERIES),
    _dial_promise("expectations.the_sharper_dial", "dial.theorem.sharper", SHARPER_REGRET, SHARPER_QUERIES),
    _dial_promise("expectations.regret_of_the_dial_whatever_the_gaps", "dial.theorem.independent", INDEPENDENT),
    _dial_promise(
        "expectations.the_dial_with_bernstein_intervals",
        "dial.theorem.bernstein",
        UNIQUE_REGRET,
        UNIQUE_QUERIES,
        MULTIPLE_REGRET,
        MULTIPLE_QUERIES,
        confidence="bernstein",
    ),
)
"""Every check of this room; the audit runs them."""
