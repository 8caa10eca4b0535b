"""BuFALU, Algorithm 1 (l.371-389, arm choice l.403): query the wider of leader and challenger until they separate."""

from __future__ import annotations

from collections.abc import Iterable

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.policies.leaders import LeaderPolicy
from bufalu.reference.view import N, View


class BuFALUPolicy(LeaderPolicy):
    """Leader l_t, challenger u_t, and the wider of the two as the candidate c_t."""

    ours = True
    text = "bufalu"
    title = "BuFALU"
    steering = 1
    kernel = "dial"
    candidate_words = "the wider of leader and challenger"

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[int]:
        """c_t, the wider of l_t and u_t."""
        return comparisons.largest(sorted((leader, challenger)), view.width)
