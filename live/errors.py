"""What a journal refuses, one class for each kind of refusal."""

from __future__ import annotations

from bufalu.reference.errors import BufaluError


class JournalDiffers(BufaluError):
    """A journal that exists was opened with other arms, another policy, schedule or range; both values are told."""


class UnusableJournal(BufaluError):
    """A file that is no journal, cannot be opened, or stayed locked by another program."""


class UnknownStep(BufaluError):
    """An answer to a step that was never taken, or that asked for none."""


class AnsweredTwice(BufaluError):
    """A second answer to one step: the first one counts, and nothing changed."""


class LibraryMissing(BufaluError, ImportError):
    """An adapter to a library that is not installed."""
