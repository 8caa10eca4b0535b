"""A claim about expectations on one given law: what `bufalu law --claim` shows, and the audit's witnesses replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds import Enclosure, Truth
from bufalu.law.law import Value
from bufalu.properties.expectations.asked import asked_regularity
from bufalu.properties.expectations.cases import ExactCase
from bufalu.properties.expectations.theorem_checks import (
    INDEPENDENT,
    MULTIPLE_QUERIES,
    MULTIPLE_REGRET,
    SHARPER_QUERIES,
    SHARPER_REGRET,
    UNIQUE_QUERIES,
    UNIQUE_REGRET,
    Promise,
    bound_on_costs,
    costs_of_arms,
    expected_costs,
)
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import UndecidedComparison, UnknownName
from bufalu.reference.policies import policy_named

PROMISES: Mapping[str, tuple[Promise, ...]] = {
    "theorem.multiple.regret": (MULTIPLE_REGRET,),
    "theorem.multiple.queries": (MULTIPLE_QUERIES,),
    "theorem.unique.regret": (UNIQUE_REGRET,),
    "theorem.unique.queries": (UNIQUE_QUERIES,),
    "theorem.sharper": (SHARPER_REGRET, SHARPER_QUERIES),
    "independent.hoeffding": (INDEPENDENT,),
    "theorem.short_horizon": (MULTIPLE_REGRET, MULTIPLE_QUERIES, UNIQUE_REGRET, UNIQUE_QUERIES, INDEPENDENT),
}
"""The bounds of the theorem by claim."""

FAILURE_SUM, CAP, COSTS = "regular.hoeffding", "cap.almost_sure", "costs.arm_dependent"
CLAIMS_ON_LAWS = (*PROMISES, FAILURE_SUM, CAP, COSTS)


@dataclass(frozen=True)
class OnLaw:
    """One inequality of a claim on one law: `value` against `bound`, with `ties` broken in this way."""

    claim: str
    what: str
    value: Fraction
    bound: Enclosure
    holds: bool
    ties: str


def examine_on_law(case: ExactCase, claim: str) -> list[OnLaw]:
    """The claim's inequalities in round T of a law; empty if the claim says nothing of such an instance.

    Raises `UnknownName` for a claim that is not about laws, or not about the policy if that is one of the paper's, and
    `NotRegular` for an interval of which too little is known.
    """
    if claim not in CLAIMS_ON_LAWS:
        raise UnknownName(f"no claim about laws is called '{claim}' (choose one of: {', '.join(CLAIMS_ON_LAWS)})")
    policy = policy_named(case.policy)
    if claim != FAILURE_SUM and policy.ours and policy.text != "bufalu":
        raise UnknownName(f"{claim} speaks of bufalu, not of {case.policy}")
    found, last, arms = case.law(), case.horizon, case.instance.number_of_arms
    if claim == FAILURE_SUM:
        constant = asked_regularity(confidence_named(case.confidence)).failures
        total = found.bad_event_probability_sum()
        return [
            _compared(case, claim, f"sum of P(not G_t) against {constant}K", total, Enclosure.of(constant * arms))
        ]
    numbers = case.quantities(last)
    if claim == CAP:
        most = max(found.most_queries(arm)[last] for arm in range(1, arms + 1))
        bound = Enclosure.of(numbers.n_bar_sure.count) + 1
        reached = Value(Fraction(most), Fraction(most))
        return [_compared(case, claim, "most queries of an arm on any path against the cap", reached, bound)]
    if claim == COSTS:
        return [
            _compared(
                case,
                claim,
                f"expected cost of queries that cost {', '.join(map(str, costs.values()))} against its bound",
                expected_costs(found, costs, last),
                bound_on_costs(case, costs, last),
            )
            for costs in costs_of_arms(case)
        ]
    return [
        _compared(
            case,
            claim,
            f"expected {promise.name} against its bound",
            promise.curve(found, last),
            promise.bound(numbers),
        )
        for promise in PROMISES[claim]
        if promise.applies(case)
    ]


def _compared(case: ExactCase, claim: str, what: str, value: Value, bound: Enclosure) -> OnLaw:
    """Where mass was dropped a bound holds if the upper end is within it, and fails if the lower end is above it."""
    if (bound >= value.upper) is Truth.TRUE:
        return OnLaw(claim, what, value.upper, bound, True, case.ties)
    if (bound < value.lower) is Truth.TRUE:
        return OnLaw(claim, what, value.lower, bound, False, case.ties)
    if value.is_exact:
        raise UndecidedComparison(f"{what}: both sides agree to the working precision")
    raise UndecidedComparison(f"{what}: the mass that was dropped leaves it open; take a smaller --negligible")
