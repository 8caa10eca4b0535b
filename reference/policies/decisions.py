"""What a policy decides in a round, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple, TypeAlias

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.view import N, View


class Decision(NamedTuple):
    """Play `arm`; ask for its reward if `query`."""

    arm: int
    query: bool


class Reason(Enum):
    """Why a decision is taken, in words for a person."""

    INITIAL = "initial round: every arm is played and queried once"
    SEPARATED = "no query: the leader's interval lies above all others"
    WITHIN_EPSILON = "no query: the remaining uncertainty is at most epsilon"
    SEPARATED_AND_WITHIN_EPSILON = "no query: the leader is separated, and the uncertainty is at most epsilon too"
    UNCERTAIN = "query: the leader is not separated and the uncertainty exceeds epsilon"
    BUDGET_SPENT = "no query: the effective budget is spent"
    BUDGET_LEFT = "query: the effective budget is not spent"
    ALWAYS = "query: UCB queries in every round"


Admissible = dict[Decision, frozenset[Reason]]
"""The admissible decisions of a round, each with the reasons that some tie-break gives for it."""


Possibility: TypeAlias = tuple[Decision, Reason]
"""A decision that some comparisons leave open, with a reason for it."""


def collected(possibilities: Iterable[Possibility]) -> Admissible:
    """The decisions, each with all its reasons."""
    found: dict[Decision, set[Reason]] = {}
    for decision, reason in possibilities:
        found.setdefault(decision, set()).add(reason)
    return {decision: frozenset(reasons) for decision, reasons in found.items()}


def stopping_reason(separated: bool, within_epsilon: bool) -> Reason | None:
    """Why BuFALU and BuFAU do not query, or None if they do."""
    if separated and within_epsilon:
        return Reason.SEPARATED_AND_WITHIN_EPSILON
    if separated:
        return Reason.SEPARATED
    return Reason.WITHIN_EPSILON if within_epsilon else None


def query_rule(
    view: View[N], comparisons: Comparisons[N], leader: int, challenger: int, candidate: int
) -> Iterator[Possibility]:
    """The query rule of BuFALU and BuFAU (l.385): the candidate is queried unless one of the two tests holds."""
    uncertainty = view.ucb(candidate) - view.lcb(leader)
    for separated in comparisons.at_most(view.ucb(challenger), view.lcb(leader)):
        for within in comparisons.at_most(uncertainty, view.epsilon):
            if stopped := stopping_reason(separated, within):
                yield Decision(leader, False), stopped
            else:
                yield Decision(candidate, True), Reason.UNCERTAIN
