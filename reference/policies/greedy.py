"""Greedy (l.1417-1435): play and query an arm of largest UCB while the effective budget lasts, then the best mean.

The effective budget is B(t) = 6 K ln t / epsilon(t)^2 + K, and the test B^q(t-1) > B(t) - 1 is written without the
division, so that epsilon = 0 means an unlimited budget: (B^q(t-1) - K + 1) epsilon^2 > 6 K ln t.
"""

from __future__ import annotations

from bufalu.reference.policies.decisions import Admissible, Decision, Reason, add, frozen, initial
from bufalu.reference.ties import TieBreak
from bufalu.reference.view import N, View, maximisers

NAME = "greedy"


def decide(view: View[N], ties: TieBreak) -> Decision:
    """One round of the greedy baseline: the query rule, then the candidate."""
    # initial rounds
    if view.round <= view.arms:
        return Decision(view.round, True)

    # query rule
    everyone = range(1, view.arms + 1)
    if view.six_k_log() < view.overspend() * view.epsilon * view.epsilon:
        return Decision(ties(maximisers(everyone, view.mean)), False)

    # leader, challenger, candidate: the candidate alone
    return Decision(ties(maximisers(everyone, view.ucb)), True)


def admissible(view: View[N]) -> Admissible:
    """The decisions of every selection from the argmax set that the query rule points to."""
    # initial rounds
    if view.round <= view.arms:
        return initial(view.round)

    # query rule
    found: dict[Decision, set[Reason]] = {}
    everyone = range(1, view.arms + 1)
    if view.six_k_log() < view.overspend() * view.epsilon * view.epsilon:
        for arm in maximisers(everyone, view.mean):
            add(found, Decision(arm, False), Reason.BUDGET_SPENT)
        return frozen(found)

    # leader, challenger, candidate: every candidate
    for arm in maximisers(everyone, view.ucb):
        add(found, Decision(arm, True), Reason.BUDGET_LEFT)
    return frozen(found)
