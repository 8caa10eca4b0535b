"""The greedy baseline (l.1417-1435): query an arm of largest UCB while a budget lasts, else play the best mean.

The effective budget is B(t) = 6 K ln t / epsilon(t)^2 + K, and the test B^q(t-1) > B(t) - 1 is written without the
division, so that epsilon = 0 means an unlimited budget: (B^q(t-1) - K + 1) epsilon^2 > 6 K ln t.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.policies.decisions import ComparisonStep, Decision, Possibility, Reason, Roles, RoleStep, Step
from bufalu.reference.policies.policy import Policy
from bufalu.reference.view import ExactView, N, View, maximisers


def allowance(view: View[N]) -> N:
    """6 K ln t, the numerator of the budget (l.1426)."""
    return view.number(6 * view.arms) * view.log()


def spending(view: View[N]) -> N:
    """(B^q(t-1) - K + 1) epsilon^2, what is compared with the allowance."""
    return (view.all_queries() - view.number(view.arms - 1)) * view.epsilon * view.epsilon


class GreedyPolicy(Policy):
    """The arm of largest UCB is queried while the effective budget lasts."""

    ours = True
    text = "greedy"
    title = "Greedy"
    kernel = "budget"
    queries_largest_ucb = True
    counts_all_queries = True
    stops_by_epsilon_alone = True

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every selection from the argmax set that the query rule points to."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # query rule
        everyone = range(1, view.arms + 1)
        for spent in comparisons.below(allowance(view), spending(view)):
            # leader, challenger, candidate: every candidate
            for arm in comparisons.largest(everyone, view.mean if spent else view.ucb):
                yield Decision(arm, not spent), Reason.BUDGET_SPENT if spent else Reason.BUDGET_LEFT

    def steps(self, view: ExactView) -> list[Step]:
        """The budget test, and both argmax sets."""
        spent, allowed = spending(view), allowance(view)
        means = maximisers(range(1, view.arms + 1), view.mean)
        return [
            ComparisonStep("spent?", "(B^q - K + 1) epsilon^2", spent, ">", "6 K ln t", allowed, allowed < spent),
            RoleStep("largest UCB", tuple(Roles(view).top)),
            RoleStep("largest mean", tuple(means)),
        ]

    def epsilon_side(self, view: ExactView) -> Exact:
        """The epsilon that just meets the budget."""
        spent = max(1, round(float(view.all_queries())) - view.arms + 1)
        return root(Fraction(6 * view.arms, spent)) * log_root(view.round)

    def uncertainty(self, view: ExactView) -> Exact:
        """The width of the arm with the largest UCB: greedy has no test of its own against an interval."""
        return view.width(Roles(view).top[0])
