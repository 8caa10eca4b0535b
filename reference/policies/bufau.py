"""BuFAU (l.1377-1394): BuFALU's query rule, but the candidate is an arm of largest UCB."""

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


class BuFAUPolicy(LeaderPolicy):
    """Leader l_t, and the arm u_t of largest UCB as the candidate."""

    text = "bufau"
    title = "BuFAU"
    steering = 0
    kind = RuleKind.LARGEST_UCB_AGAINST_LEADER

    def decide(self, view: View[N], ties: TieBreak) -> Decision:
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

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every selection of l_t and u_t from their argmax sets."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # leader, challenger, candidate: all of them
        everyone = range(1, view.arms + 1)
        candidates = comparisons.largest(everyone, view.ucb)
        for leader in comparisons.largest(everyone, view.lcb):
            others = [arm for arm in everyone if arm != leader]
            if not others:
                yield Decision(leader, False), Reason.SEPARATED
            for challenger in comparisons.largest(others, view.ucb):
                for candidate in candidates:
                    # query rule
                    yield from query_rule(view, comparisons, leader, challenger, candidate)

    def candidates(self, view: ExactView, roles: Roles[Exact]) -> list[int]:
        """The arms of largest UCB."""
        return roles.top

    def candidate_step(self, view: ExactView, roles: Roles[Exact]) -> Step:
        """Names the arm of largest UCB."""
        return RoleStep("candidate", tuple(roles.top), "the largest UCB of all")
