"""What BuFALU and BuFAU have in common, and any policy with a leader, a challenger and a candidate: how a round is told."""

from __future__ import annotations

from abc import abstractmethod

from bufalu.reference.exact import Exact
from bufalu.reference.policies.explanations import ComparisonStep, RoleStep, Step
from bufalu.reference.policies.policy import Policy
from bufalu.reference.policies.roles import Roles
from bufalu.reference.view import ExactView


class LeaderPolicy(Policy):
    """Two tests stop a query: the leader is separated, or the candidate is within epsilon of it."""

    interchangeable = 2
    uncertainty_words = "UCB(candidate) − LCB(leader)"

    @abstractmethod
    def candidates(self, view: ExactView, roles: Roles[Exact]) -> list[int]:
        """All candidates for the first leader and the first challenger."""

    @abstractmethod
    def candidate_step(self, view: ExactView, roles: Roles[Exact]) -> Step:
        """The candidates in an argument, with the reason."""

    def epsilon_side(self, view: ExactView) -> Exact:
        """UCB(candidate) - LCB(leader)."""
        roles = Roles(view)
        return view.ucb(self.candidates(view, roles)[0]) - view.lcb(roles.leader)

    def steps(self, view: ExactView) -> list[Step]:
        """Leader, challenger, candidate, and both tests."""
        roles = Roles(view)
        leader, challenger = roles.leader, roles.challenger
        lines: list[Step] = [RoleStep("leader", tuple(roles.leaders), "the largest LCB", leader)]
        if not roles.challengers:
            return [*lines, "separated? there is no other arm: yes"]
        lines.append(RoleStep("challenger", tuple(roles.challengers), "the largest UCB of the others", challenger))
        lines.append(self.candidate_step(view, roles))
        candidate = self.candidates(view, roles)[0]
        upper, lower = view.ucb(challenger), view.lcb(leader)
        side = view.ucb(candidate) - lower
        epsilon = view.epsilon
        return [
            *lines,
            ComparisonStep("separated?", f"UCB({challenger})", upper, "<=", f"LCB({leader})", lower, upper <= lower),
            ComparisonStep(
                "within epsilon?",
                f"UCB({candidate}) - LCB({leader})",
                side,
                "<=",
                "epsilon",
                epsilon,
                side <= epsilon,
            ),
        ]
