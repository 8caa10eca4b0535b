"""One exception for each kind of failure; a caller who wants them all catches `BufaluError`."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"(?<!\w)'([^']{81,})'(?!\w)")
_UNBROKEN = re.compile(r"\S{401,}")
_SHOWN = 77


def shortened(sentence: str) -> str:
    """A sentence in which at most 80 characters are quoted of what somebody gave, be it a whole file in one word."""
    sentence = _QUOTED.sub(lambda found: f"'{found[1][:_SHOWN]}...'", sentence)
    return _UNBROKEN.sub(lambda found: f"{found[0][:_SHOWN]}...", sentence)


class BufaluError(Exception):
    """Anything that this software refuses, with a sentence for a person, which quotes little of what was given."""

    def __str__(self) -> str:
        return shortened(super().__str__())


class InvalidNumber(BufaluError):
    """A text that is not a rational number."""


class InvalidInstance(BufaluError):
    """Arms that are not a bandit instance with rewards in [0, 1]."""


class InvalidSchedule(BufaluError):
    """An epsilon schedule that does not exist or gives a negative or missing value."""


class UnknownName(BufaluError):
    """A policy, confidence interval or tie-break that does not exist."""


class NameTaken(BufaluError):
    """A name that is registered already."""


class InvalidInterval(BufaluError):
    """A confidence interval with parameters that make none."""


class NoDecision(BufaluError):
    """A policy that leaves no decision open in some round: every round plays an arm."""


class NoChance(BufaluError):
    """A policy that tosses a coin, run with a tie-break that always chooses alike."""


class OutOfTurn(BufaluError):
    """A decision or an observation asked of a live policy in the wrong order."""


class InvalidReward(BufaluError):
    """A reward outside [0, 1], or a tape that has run out."""


class UndecidedComparison(BufaluError):
    """Two numbers outside the decidable class that agree to the stated precision."""


class MixedRounds(BufaluError):
    """A number of one round compared with one of another: ln t and ln t' have no common algebra."""


class InvalidTrace(BufaluError):
    """A trace that breaks its format: names the file, the line and the field."""

    def __init__(self, path: str, line: int | None, field: str | None, problem: str) -> None:
        place = path if line is None else f"{path}:{line}"
        super().__init__(f"{place}: {problem}" if field is None else f"{place}: field '{field}': {problem}")
        self.path = path
        self.line = line
        self.field = field
        self.problem = problem


class UnusableFile(BufaluError):
    """A file that cannot be opened, read or written."""
