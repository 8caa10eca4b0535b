"""What the exact law says for the claims of the registry."""

from __future__ import annotations

from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence
from bufalu.properties.expectations.box_checks import queries_for_all_means
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
    promised,
    short_horizons,
)


def _promise(name: str, claim: str, *promises: Promise) -> Check:
    def run(profile: AuditProfile) -> Evidence:
        return promised(promises, profile)

    return Check(name, (claim,), KIND, run)


def _hoeffding_failures(profile: AuditProfile) -> Evidence:
    return failures("hoeffding", 2, failure_cases("hoeffding", profile))


def _bernstein_failures(profile: AuditProfile) -> Evidence:
    return failures("bernstein", 12, failure_cases("bernstein", profile))


THEOREM = ("theorem.multiple.regret", "theorem.multiple.queries", "theorem.unique.regret", "theorem.unique.queries")

CHECKS: tuple[Check, ...] = (
    _promise("law: regret with several optimal arms, every round", THEOREM[0], MULTIPLE_REGRET),
    _promise("law: queries with several optimal arms, every round", THEOREM[1], MULTIPLE_QUERIES),
    _promise("law: regret with one optimal arm, every round", THEOREM[2], UNIQUE_REGRET),
    _promise("law: queries with one optimal arm, every round", THEOREM[3], UNIQUE_QUERIES),
    _promise("law: the sharper theorem, every round", "theorem.sharper", SHARPER_REGRET, SHARPER_QUERIES),
    _promise("law: regret whatever the gaps, every round", "independent.hoeffding", INDEPENDENT),
    Check("law: queries for all means at once", (THEOREM[1], THEOREM[3]), KIND, queries_for_all_means),
    Check("law: constants that would have survived", THEOREM, KIND, surviving_constants),
    Check("law: short horizons and a single arm", ("theorem.short_horizon",), KIND, short_horizons),
    Check("law: the cap on every path", ("cap.almost_sure",), KIND, cap_on_every_path),
    Check("law: regret path by path", ("regret.decomposes",), KIND, regret_decomposes),
    Check("law: query costs of the arms", ("costs.arm_dependent",), KIND, arm_dependent_costs),
    Check("law: query-aware regret", ("costs.query_aware_regret",), KIND, query_aware_regret),
    Check(
        "law: Hoeffding failures in every round",
        ("regular.hoeffding", "regular.hoeffding.failure_probability.corrected"),
        KIND,
        _hoeffding_failures,
    ),
    Check(
        "law: Bernstein failures in every round",
        ("regular.bernstein", "regular.bernstein.failure_probability"),
        KIND,
        _bernstein_failures,
    ),
    Check("law: the KL inequality on pairs of instances", ("kl.counts_inequality",), KIND, kl_inequality),
    Check(
        "law: scarce queries of certified strategies",
        ("scarce.linear_regret", "scarce.corollary.corrected"),
        KIND,
        scarce_queries,
    ),
    Check(
        "law: BuFALU is not better than uniform",
        ("scarce.applies_to_bufalu",),
        KIND,
        bufalu_is_not_better_than_uniform,
    ),
    Check("law: relabelled BuFALU", ("scarce.applies_to_bufalu.corrected",), KIND, relabelled_bufalu),
)
"""Every check of this room; the audit runs them."""
