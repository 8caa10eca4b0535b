"""BuFALU, Algorithm 1 (l.371-389, arm choice l.403): query the wider of leader and challenger until they separate."""

from __future__ import annotations

from collections.abc import Iterator

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.exact import Exact
from bufalu.reference.policies.decisions import Decision, Possibility, Reason, query_rule
from bufalu.reference.policies.explanations import RoleStep, Step
from bufalu.reference.policies.leaders import LeaderPolicy
from bufalu.reference.policies.policy import RuleKind
from bufalu.reference.policies.roles import Roles
from bufalu.reference.ties import TieBreak
from bufalu.reference.view import ExactView, N, View, maximisers


class BuFALUPolicy(LeaderPolicy):
    """Leader l_t, challenger u_t, and the wider of the two as the candidate c_t."""

    text = "bufalu"
    title = "BuFALU"
    steering = 1
    kind = RuleKind.WIDER_OF_LEADER_AND_CHALLENGER

    def decide(self, view: View[N], ties: TieBreak) -> Decision:
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
        floor = view.lcb(leader)
        if view.ucb(challenger) <= floor or view.ucb(candidate) - floor <= view.epsilon:
            return Decision(leader, False)
        return Decision(candidate, True)

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every selection of l_t, u_t and c_t from their argmax sets."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # leader, challenger, candidate: all of them
        everyone = range(1, view.arms + 1)
        for leader in comparisons.largest(everyone, view.lcb):
            others = [arm for arm in everyone if arm != leader]
            if not others:
                yield Decision(leader, False), Reason.SEPARATED
            for challenger in comparisons.largest(others, view.ucb):
                for candidate in comparisons.largest(sorted((leader, challenger)), view.width):
                    # query rule
                    yield from query_rule(view, comparisons, leader, challenger, candidate)

    def candidates(self, view: ExactView, roles: Roles[Exact]) -> list[int]:
        """The wider of the two."""
        return roles.wider

    def candidate_step(self, view: ExactView, roles: Roles[Exact]) -> Step:
        """Names the wider one."""
        return RoleStep("candidate", tuple(roles.wider), "the wider of leader and challenger")
