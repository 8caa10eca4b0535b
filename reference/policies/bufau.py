"""BuFAU (l.1377-1394): BuFALU's query rule, but the candidate is an arm of largest UCB."""

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

NAME = "bufau"


def decide(view: View[N], ties: TieBreak) -> Decision:
    """One round of BuFAU: leader l_t, candidate u_t over all arms, then the query rule."""
    # initial rounds
    if view.round <= view.arms:
        return Decision(view.round, True)

    # leader, challenger, candidate
    everyone = range(1, view.arms + 1)
    leader = ties(maximisers(everyone, view.lcb))
    candidate = ties(maximisers(everyone, view.ucb))
    others = [arm for arm in everyone if arm != leader]
    if not others:
        return Decision(leader, False)
    challenger = maximisers(others, view.ucb)[0]

    # query rule
    if view.ucb(challenger) <= view.lcb(leader) or view.ucb(candidate) - view.lcb(leader) <= view.epsilon:
        return Decision(leader, False)
    return Decision(candidate, True)


def admissible(view: View[N]) -> Admissible:
    """The decisions of every selection of l_t and u_t from their argmax sets."""
    # initial rounds
    if view.round <= view.arms:
        return initial(view.round)

    # leader, challenger, candidate: all of them (only the challenger's UCB matters, so one is enough)
    found: dict[Decision, set[Reason]] = {}
    everyone = range(1, view.arms + 1)
    candidates = maximisers(everyone, view.ucb)
    for leader in maximisers(everyone, view.lcb):
        others = [arm for arm in everyone if arm != leader]
        if not others:
            add(found, Decision(leader, False), Reason.SEPARATED)
            continue
        challenger = maximisers(others, view.ucb)[0]
        for candidate in candidates:
            # query rule
            separated = view.ucb(challenger) <= view.lcb(leader)
            within = view.ucb(candidate) - view.lcb(leader) <= view.epsilon
            if stopped := stopping_reason(bool(separated), bool(within)):
                add(found, Decision(leader, False), stopped)
            else:
                add(found, Decision(candidate, True), Reason.UNCERTAIN)
    return frozen(found)
