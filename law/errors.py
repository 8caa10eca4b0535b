"""What the exact law refuses."""

from __future__ import annotations

from bufalu.reference.errors import BufaluError


class NoExactLaw(BufaluError):
    """A question outside of what the exact law covers: a schedule that looks at rewards, a bad threshold."""


class TooManyStates(BufaluError):
    """The merged states no longer fit: a shorter horizon, fewer arms or a threshold for negligible mass is needed."""
