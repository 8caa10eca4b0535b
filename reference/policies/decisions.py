"""What a policy decides in a round, and why."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple, TypeAlias


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
    CHOSEN_ROUND = "query: a coin or a clock chose this round"
    OTHER_ROUND = "no query: neither coin nor clock chose this round"
    EXPLORING = "query: exploration takes the arms in turn"
    COMMITTED = "no query: exploration is over"
    UNCHALLENGED = "no query: no other arm's index beside the leader exceeds epsilon"
    CHALLENGED = "query: the challenger's index beside the leader exceeds epsilon"


REASONS = tuple(Reason)
"""The order in which reasons are numbered."""


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
