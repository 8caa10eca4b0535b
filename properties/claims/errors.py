"""What can go wrong when a claim is asked of something of the user's own."""

from __future__ import annotations

from bufalu.reference.errors import BufaluError


class SaysNothing(BufaluError):
    """The claim that was asked does not speak of this run or instance, so that nothing was judged."""
