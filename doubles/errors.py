"""What a rule cannot do with arrays."""

from __future__ import annotations

from bufalu.reference.errors import BufaluError


class NotOnArrays(BufaluError):
    """A rule that asks one number of many rounds at once for a single answer: it is run on exact numbers instead."""
