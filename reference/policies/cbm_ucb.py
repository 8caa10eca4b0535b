"""CBM-UCB (l.1397-1414): play an arm of largest UCB, and query it while its interval is wider than epsilon."""

from __future__ import annotations

from collections.abc import Iterator

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.policies.decisions import ComparisonStep, Decision, Possibility, Reason, Roles, RoleStep, Step
from bufalu.reference.policies.policy import Policy
from bufalu.reference.view import ExactView, N, View


class CBMUCBPolicy(Policy):
    """The arm u_t of largest UCB is the candidate, and is played in every round."""

    ours = True
    text = "cbm-ucb"
    title = "CBM-UCB"
    kernel = "width"
    queries_largest_ucb = True
    stops_by_epsilon_alone = True
    uncertainty_words = "width of the played arm"

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every selection of u_t from its argmax set."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # leader, challenger, candidate: every candidate
        for candidate in comparisons.largest(range(1, view.arms + 1), view.ucb):
            # query rule
            for within in comparisons.at_most(view.width(candidate), view.epsilon):
                reason = Reason.WITHIN_EPSILON if within else Reason.UNCERTAIN
                yield Decision(candidate, not within), reason

    def steps(self, view: ExactView) -> list[Step]:
        """The candidate, and its width against epsilon."""
        candidates = Roles(view).top
        width = view.width(candidates[0])
        within = width <= view.epsilon
        return [
            RoleStep("candidate", tuple(candidates), "the largest UCB"),
            ComparisonStep("within epsilon?", "width", width, "<=", "", view.epsilon, within),
        ]
