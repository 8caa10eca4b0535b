"""BuFAU (l.1377-1394): BuFALU's query rule, but the candidate is an arm of largest UCB."""

from __future__ import annotations

from collections.abc import Iterable

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.policies.leaders import LeaderPolicy
from bufalu.reference.view import N, View


class BuFAUPolicy(LeaderPolicy):
    """Leader l_t, challenger u_t, and an arm of largest UCB, be it the leader, as the candidate."""

    ours = True
    text = "bufau"
    title = "BuFAU"
    steering = 0
    kernel = "dial"
    queries_largest_ucb = True
    candidate_words = "the largest UCB of all"

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[int]:
        """u_t over all arms."""
        return comparisons.largest(range(1, view.arms + 1), view.ucb)
