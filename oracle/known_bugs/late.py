"""Wrong ways to deal with answers that come late or never: they show in runs with such answers alone."""

from __future__ import annotations

from bufalu.oracle.known_bugs.bookkeeping import Bookkeeping
from bufalu.oracle.known_bugs.intervals import Interval
from bufalu.oracle.known_bugs.known_bug import KnownBug
from bufalu.reference.rationals import Rational
from bufalu.reference.state import ArmRecord, State


class MissingCountsAsZero(Bookkeeping):
    """A question counts as an answer of 0 until the answer comes."""

    REMEMBERS = True

    def unanswered(self, round_number: int, arm: int) -> None:
        """Records a zero."""
        self.state.record(arm, 0)

    def late(self, round_number: int, arm: int, reward: Rational) -> None:
        """Puts the reward in the place of the zero."""
        seen = self.state.records[arm - 1]
        self.state.records[arm - 1] = ArmRecord(seen.queries, seen.total + reward, seen.squares + reward * reward)


class LateCountsTwice(Bookkeeping):
    """An answer that comes late counts twice."""

    REMEMBERS = True

    def late(self, round_number: int, arm: int, reward: Rational) -> None:
        """Records it twice."""
        self.state.record(arm, reward)
        self.state.record(arm, reward)


class LateIsForgotten(Bookkeeping):
    """An answer that comes late is thrown away."""

    REMEMBERS = True

    def late(self, round_number: int, arm: int, reward: Rational) -> None:
        """Records nothing."""


class LateGoesToTheLastArm(Bookkeeping):
    """An answer that comes late counts for the arm that was asked about last."""

    REMEMBERS = True

    def __init__(self, state: State, interval: Interval) -> None:
        super().__init__(state, interval)
        self.last = 1

    def queried(self, round_number: int, arm: int, reward: Rational) -> None:
        """Remembers the arm."""
        self.last = arm
        super().queried(round_number, arm, reward)

    def unanswered(self, round_number: int, arm: int) -> None:
        """Remembers the arm."""
        self.last = arm

    def late(self, round_number: int, arm: int, reward: Rational) -> None:
        """Credits the arm that is remembered."""
        self.state.record(self.last, reward)


LATE_BUGS: tuple[KnownBug, ...] = (
    KnownBug(
        "missing-counts-as-zero",
        "counts a question as an answer of 0 until the answer comes",
        "arms whose answers are late or lost look bad, and well known",
        bookkeeping=MissingCountsAsZero,
    ),
    KnownBug(
        "late-counts-twice",
        "counts an answer that comes late twice",
        "intervals are narrower than what is known",
        bookkeeping=LateCountsTwice,
    ),
    KnownBug(
        "late-is-forgotten",
        "throws away answers that come after another decision",
        "questions are paid for and asked again",
        bookkeeping=LateIsForgotten,
    ),
    KnownBug(
        "late-goes-to-the-last-arm",
        "counts an answer that comes late for the arm that was asked about last",
        "means of two arms are mixed",
        bookkeeping=LateGoesToTheLastArm,
    ),
)
