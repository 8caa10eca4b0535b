"""What the engine refuses, one exception for each kind of failure."""

from __future__ import annotations

from bufalu.reference.errors import BufaluError


class ExperimentsUnavailable(BufaluError):
    """A library that only the numerical section needs is not installed."""


class OutsideEngine(BufaluError):
    """A run that the fast engine cannot carry exactly: the reference simulator still can."""
