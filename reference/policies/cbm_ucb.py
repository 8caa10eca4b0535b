"""CBM-UCB (l.1397-1414): play an arm of largest UCB, and query it while its interval is wider than epsilon."""

from __future__ import annotations

from bufalu.reference.policies.decisions import Admissible, Decision, Reason, add, frozen, initial
from bufalu.reference.ties import TieBreak
from bufalu.reference.view import N, View, maximisers

NAME = "cbm-ucb"


def decide(view: View[N], ties: TieBreak) -> Decision:
    """One round of CBM-UCB: candidate u_t, then the query rule."""
    # initial rounds
    if view.round <= view.arms:
        return Decision(view.round, True)

    # leader, challenger, candidate: the candidate alone
    candidate = ties(maximisers(range(1, view.arms + 1), view.ucb))

    # query rule
    if view.width(candidate) <= view.epsilon:
        return Decision(candidate, False)
    return Decision(candidate, True)


def admissible(view: View[N]) -> Admissible:
    """The decisions of every selection of u_t from its argmax set."""
    # initial rounds
    if view.round <= view.arms:
        return initial(view.round)

    # leader, challenger, candidate: every candidate
    found: dict[Decision, set[Reason]] = {}
    for candidate in maximisers(range(1, view.arms + 1), view.ucb):
        # query rule
        if view.width(candidate) <= view.epsilon:
            add(found, Decision(candidate, False), Reason.WITHIN_EPSILON)
        else:
            add(found, Decision(candidate, True), Reason.UNCERTAIN)
    return frozen(found)
