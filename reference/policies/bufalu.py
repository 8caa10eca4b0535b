"""BuFALU, Algorithm 1 (l.371-389, arm choice l.403): query the wider of leader and challenger until they separate."""

from __future__ import annotations

from bufalu.reference.policies.decisions import (
    Admissible,
    Decision,
    Reason,
    add,
    frozen,
    initial,
    stopping_reason,
)
from bufalu.reference.ties import TieBreak
from bufalu.reference.view import N, View, maximisers

NAME = "bufalu"


def decide(view: View[N], ties: TieBreak) -> Decision:
    """One round of BuFALU: leader l_t, challenger u_t, candidate c_t, then the query rule."""
    # initial rounds
    if view.round <= view.arms:
        return Decision(view.round, True)

    # leader, challenger, candidate
    everyone = range(1, view.arms + 1)
    leader = ties(maximisers(everyone, view.lcb))
    others = [arm for arm in everyone if arm != leader]
    if not others:
        return Decision(leader, False)
    challenger = ties(maximisers(others, view.ucb))
    candidate = ties(maximisers(sorted((leader, challenger)), view.width))

    # query rule
    if view.ucb(challenger) <= view.lcb(leader) or view.ucb(candidate) - view.lcb(leader) <= view.epsilon:
        return Decision(leader, False)
    return Decision(candidate, True)


def admissible(view: View[N]) -> Admissible:
    """The decisions of every selection of l_t, u_t and c_t from their argmax sets."""
    # initial rounds
    if view.round <= view.arms:
        return initial(view.round)

    # leader, challenger, candidate: all of them
    found: dict[Decision, set[Reason]] = {}
    everyone = range(1, view.arms + 1)
    for leader in maximisers(everyone, view.lcb):
        others = [arm for arm in everyone if arm != leader]
        if not others:
            add(found, Decision(leader, False), Reason.SEPARATED)
        for challenger in maximisers(others, view.ucb):
            for candidate in maximisers(sorted((leader, challenger)), view.width):
                # query rule
                separated = view.ucb(challenger) <= view.lcb(leader)
                within = view.ucb(candidate) - view.lcb(leader) <= view.epsilon
                if stopped := stopping_reason(bool(separated), bool(within)):
                    add(found, Decision(leader, False), stopped)
                else:
                    add(found, Decision(candidate, True), Reason.UNCERTAIN)
    return frozen(found)
