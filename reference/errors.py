"""One exception for each kind of failure; a caller who wants them all catches `BufaluError`."""

from __future__ import annotations

import re
from collections.abc import Iterable

_QUOTED = re.compile(r"(?<!\w)'([^']{81,})'(?!\w)")
LONGEST = 400
"""What somebody gave and a sentence has without quotes, a path most of all, stands there whole up to this length."""
_UNBROKEN = re.compile(rf"\S{{{LONGEST + 1},}}")


def cut(text: str) -> str:
    """At most 80 characters of a text: its beginning, and its end, since a path ends with what tells it from others."""
    return text if len(text) <= 80 else f"{text[:50]}...{text[-27:]}"


def shortened(sentence: str, given: Iterable[str] = ()) -> str:
    """A sentence in which at most 80 characters are quoted of what was given, be it a whole file in one word.

    `given`: what is known to have been given, and may stand in the sentence without quotes.
    """
    for word in given:
        if len(word) > LONGEST:
            sentence = sentence.replace(word, cut(word))
    sentence = _QUOTED.sub(lambda found: f"'{cut(found[1])}'", sentence)
    return _UNBROKEN.sub(lambda found: cut(found[0]), sentence)


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


class NoNumber(BufaluError):
    """Infinity minus infinity, 0 times infinity, or the exact form of an infinity."""


class NoDecision(BufaluError):
    """A policy that leaves no decision open in some round: every round plays an arm."""


class NoCounts(BufaluError):
    """A number of answers asked of a view that has given intervals and no answers."""


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
