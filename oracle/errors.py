"""What can go wrong with a program under test."""

from __future__ import annotations

from bufalu.reference.errors import BufaluError


class UnusableCommand(BufaluError):
    """A command that cannot be started at all, or that does not offer what was asked for."""


class BrokenProgram(BufaluError):
    """A program that crashed, hung or answered garbage: what happened, whose fault it probably is, what it was asked."""

    def __init__(self, reason: str, message: str, hint: str, request: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.hint = hint
        self.request = request
        self.stderr = ""
