"""Who is who in a round: leaders, challengers, candidates, with every tie. The one place that derives them."""

from __future__ import annotations

from functools import cached_property
from typing import Generic

from bufalu.reference.view import N, View, maximisers


class Roles(Generic[N]):
    """The arms of each argmax, in increasing order; where a role depends on the leader, the first leader is meant."""

    def __init__(self, view: View[N]) -> None:
        self._view = view
        self._everyone = range(1, view.arms + 1)

    @cached_property
    def leaders(self) -> list[int]:
        """All arms of largest LCB (l_t of l.371)."""
        return maximisers(self._everyone, self._view.lcb)

    @property
    def leader(self) -> int:
        """The first leader."""
        return self.leaders[0]

    @cached_property
    def challengers(self) -> list[int]:
        """All arms of largest UCB but for the leader (u_t of l.371); none with a single arm."""
        return maximisers([arm for arm in self._everyone if arm != self.leader], self._view.ucb)

    @property
    def challenger(self) -> int:
        """The first challenger; the leader itself if it is alone."""
        return self.challengers[0] if self.challengers else self.leader

    @cached_property
    def wider(self) -> list[int]:
        """The wider of leader and challenger, both if they are equally wide (c_t of l.371)."""
        return maximisers(sorted({self.leader, self.challenger}), self._view.width)

    @cached_property
    def top(self) -> list[int]:
        """All arms of largest UCB (u_t of l.1377 and l.1397)."""
        return maximisers(self._everyone, self._view.ucb)
