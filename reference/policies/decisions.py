"""What a policy decides in a round, who is who in it, and by which steps an argument says why."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cached_property
from typing import Generic, NamedTuple, TypeAlias

from bufalu.reference.exact import Exact
from bufalu.reference.view import N, View, maximisers


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


class RoleStep(NamedTuple):
    """`role: arms, reason`; `chosen` is the arm that the next steps speak of, where they do."""

    role: str
    arms: tuple[int, ...]
    reason: str = ""
    chosen: int | None = None


class ComparisonStep(NamedTuple):
    """`question left_name = left relation right_name = right: holds`; a number may go without a name."""

    question: str
    left_name: str
    left: Exact
    relation: str
    right_name: str
    right: Exact
    holds: bool


Step: TypeAlias = RoleStep | ComparisonStep | str
"""One step; a text stands for itself."""


class Roles(Generic[N]):
    """The arms of each argmax, in increasing order; where a role depends on the leader, the first leader is meant."""

    def __init__(self, view: View[N]) -> None:
        self._view = view
        self._everyone = range(1, view.arms + 1)

    @cached_property
    def leaders(self) -> list[int]:
        """All arms of largest LCB (l_t of l.371)."""
        return maximisers(self._everyone, self._view.lcb)

    @property
    def leader(self) -> int:
        """The first leader."""
        return self.leaders[0]

    @cached_property
    def challengers(self) -> list[int]:
        """All arms of largest UCB but for the leader (u_t of l.371); none with a single arm."""
        return maximisers([arm for arm in self._everyone if arm != self.leader], self._view.ucb)

    @property
    def challenger(self) -> int:
        """The first challenger; the leader itself if it is alone."""
        return self.challengers[0] if self.challengers else self.leader

    @cached_property
    def top(self) -> list[int]:
        """All arms of largest UCB (u_t of l.1377 and l.1397)."""
        return maximisers(self._everyone, self._view.ucb)
