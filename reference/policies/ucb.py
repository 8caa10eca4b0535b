"""UCB, beyond the paper: play an arm of largest UCB and query it, in every round.

With Hoeffding's interval `hoeffding:C` it is the textbook's rule of index mean + sqrt(C ln t / n), with `hoeffding:C:before`
that with the logarithm of the rounds before. While widths are positive it is CBM-UCB (l.1397) with epsilon = 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.policies.decisions import Decision, Possibility, Reason, Roles, RoleStep, Step
from bufalu.reference.policies.policy import Policy
from bufalu.reference.view import ExactView, N, View


class UCBPolicy(Policy):
    """The arm of largest UCB is played and queried; epsilon plays no role."""

    ours = True
    text = "ucb"
    title = "UCB"
    uses_epsilon = False
    queries_largest_ucb = True
    interchangeable = 1
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
            yield Decision(candidate, True), Reason.ALWAYS

    def steps(self, view: ExactView) -> list[Step]:
        """The candidate."""
        return [RoleStep("candidate", tuple(Roles(view).top), "the largest UCB")]
