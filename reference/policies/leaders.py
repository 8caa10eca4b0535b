"""Algorithm 1 of the paper (l.371-389) with its third line left open: how the candidate is chosen.

BuFALU, BuFAU and the dial differ in that line alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.exact import Exact
from bufalu.reference.policies.decisions import Decision, Possibility, Reason, stopping_reason
from bufalu.reference.policies.explanations import ComparisonStep, RoleStep, Step
from bufalu.reference.policies.policy import Policy
from bufalu.reference.policies.roles import Roles
from bufalu.reference.view import ExactView, N, View


class LeaderPolicy(Policy):
    """Leader l_t, challenger u_t, candidate c_t; a query of c_t unless l_t is separated or c_t within epsilon of it."""

    interchangeable = 2
    uncertainty_words = "UCB(candidate) − LCB(leader)"
    candidate_words: str
    """Who is the candidate, in words."""

    @abstractmethod
    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[int]:
        """Every arm that may be the candidate c_t beside this leader and this challenger."""

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every selection of l_t, u_t and c_t from the arms that may be each."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # leader, challenger, candidate
        everyone = range(1, view.arms + 1)
        for leader in comparisons.largest(everyone, view.lcb):
            others = [arm for arm in everyone if arm != leader]
            if not others:
                yield Decision(leader, False), Reason.SEPARATED
            for challenger in comparisons.largest(others, view.ucb):
                for candidate in self.candidates(view, comparisons, leader, challenger):
                    # query rule (l.385)
                    floor = view.lcb(leader)
                    for separated in comparisons.at_most(view.ucb(challenger), floor):
                        for within in comparisons.at_most(view.ucb(candidate) - floor, view.epsilon):
                            if stopped := stopping_reason(separated, within):
                                yield Decision(leader, False), stopped
                            else:
                                yield Decision(candidate, True), Reason.UNCERTAIN

    def epsilon_side(self, view: ExactView) -> Exact:
        """UCB(candidate) - LCB(leader)."""
        roles = Roles(view)
        return view.ucb(self.first_candidates(view, roles)[0]) - view.lcb(roles.leader)

    def steps(self, view: ExactView) -> list[Step]:
        """Leader, challenger, candidate, and both tests."""
        roles = Roles(view)
        leader, challenger = roles.leader, roles.challenger
        lines: list[Step] = [RoleStep("leader", tuple(roles.leaders), "the largest LCB", leader)]
        if not roles.challengers:
            return [*lines, "separated? there is no other arm: yes"]
        candidates = self.first_candidates(view, roles)
        candidate = candidates[0]
        lines.append(RoleStep("challenger", tuple(roles.challengers), "the largest UCB of the others", challenger))
        lines.append(RoleStep("candidate", tuple(candidates), self.candidate_words))
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
