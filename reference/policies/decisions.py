"""What a policy decides in a round, and why."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, Protocol

from bufalu.reference.ties import TieBreak
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


Admissible = dict[Decision, frozenset[Reason]]
"""The admissible decisions of a round, each with the reasons that some tie-break gives for it."""


class PolicyRule(Protocol):
    """A policy as the paper writes it: a relation (`admissible`) and one of its selections (`decide`)."""

    @property
    def NAME(self) -> str:  # a module constant
        """The command line's name."""

    def decide(self, view: View[N], ties: TieBreak, /) -> Decision:
        """The decision that this tie-break gives."""

    def admissible(self, view: View[N], /) -> Admissible:
        """Every decision that some tie-break gives."""


def add(explained: dict[Decision, set[Reason]], decision: Decision, reason: Reason) -> None:
    """Notes that some tie-break gives `decision` for this reason."""
    explained.setdefault(decision, set()).add(reason)


def frozen(explained: dict[Decision, set[Reason]]) -> Admissible:
    """The collected decisions, immutable."""
    return {decision: frozenset(reasons) for decision, reasons in explained.items()}


def initial(round_number: int) -> Admissible:
    """The only decision of an initial round t <= K: play and query arm t."""
    return {Decision(round_number, True): frozenset({Reason.INITIAL})}


def stopping_reason(separated: bool, within_epsilon: bool) -> Reason | None:
    """Why BuFALU and BuFAU do not query, or None if they do."""
    if separated and within_epsilon:
        return Reason.SEPARATED_AND_WITHIN_EPSILON
    if separated:
        return Reason.SEPARATED
    return Reason.WITHIN_EPSILON if within_epsilon else None
