"""What a study refuses, one exception for each kind of failure."""

from __future__ import annotations

from bufalu.reference.errors import BufaluError


class InvalidStudy(BufaluError):
    """A study that says nothing, says something twice, or asks for what cannot be run."""


class StudiesUnavailable(BufaluError):
    """A library that only studies need is not installed."""


class UnusableFolder(BufaluError):
    """A folder for results that cannot be written, holds another study, or is in use."""


class BrokenWork(BufaluError):
    """A piece of work that cannot be finished, with the reason."""


class DifferentCode(BufaluError):
    """A worker that runs another bufalu than the one that asks."""
