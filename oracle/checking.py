"""Checks a trace, block by block: the filter first, exact arithmetic where it is unsure, the first divergence last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from bufalu.doubles.blocks import Block
from bufalu.doubles.masks import STRICT, Findings, Tolerance, examine, nothing_found
from bufalu.doubles.slices import Slice, Unfolding, longest_sum
from bufalu.doubles.views import block_doubles, view_of_block
from bufalu.oracle.tolerance import CLOSENESS_DOUBLE, NearTies, largest_slack, slack
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import BufaluError
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Admissible, Decision, Reason, check_one_logarithm, policy_named
from bufalu.reference.policies.decisions import REASONS, collected
from bufalu.reference.policies.interchangeable import admissible_decisions, possibilities
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import State
from bufalu.reference.traces import TraceHeader
from bufalu.reference.view import ExactView

SHORT_SUM = 4_096
"""Bits of a sum of rewards up to which a round costs little to decide exactly; sums of doubles are always shorter."""

MOST_LONG_BITS = 100_000
"""Of the rounds with longer sums that doubles cannot decide, so many bits are decided exactly: some seconds."""

LONGEST_SUMS = 20_000
"""Bits of a sum of squares beyond which no bug is looked for: the suspects would compute with it hundreds of times."""


class SumsTooLong(BufaluError):
    """Too many rounds of a trace must be decided exactly from sums of too many digits."""


@dataclass(frozen=True)
class Divergence:
    """The first round whose decision no tie-break gives, with the exact state before it.

    `reason` is the one that was given for the decision, if no tie-break gives the decision with that reason.
    """

    round: int
    got: Decision
    admissible: Admissible
    exact: Admissible
    state: State
    epsilon: Exact | None
    reason: Reason | None = None

    @property
    def in_reason_alone(self) -> bool:
        """Whether some tie-break gives the decision, and for another reason."""
        return self.got in self.admissible


@dataclass(frozen=True)
class TraceCheck:
    """The outcome of a check. `rounds` counts the whole trace, `exact_rounds` what the filter could not decide."""

    header: TraceHeader
    rounds: int
    ambiguous_rounds: int
    exact_rounds: int
    divergence: Divergence | None

    @property
    def conforms(self) -> bool:
        """Whether every decision is admissible."""
        return self.divergence is None


class Referee:
    """Judges one round after another in exact arithmetic."""

    def __init__(self, header: TraceHeader, strict: bool) -> None:
        self.policy = policy_named(header.policy)
        self.confidence = confidence_named(header.confidence)
        self._strict = strict

    def view(self, state: State, round_number: int, epsilon: Exact | None) -> ExactView:
        """What the policy sees."""
        return ExactView(state, self.confidence, round_number, ZERO if epsilon is None else epsilon)

    def exact(self, state: State, round_number: int, epsilon: Exact | None) -> Admissible:
        """The decisions that some tie-break gives."""
        return admissible_decisions(self.policy, self.view(state, round_number, epsilon))

    def accepted(self, state: State, round_number: int, epsilon: Exact | None) -> tuple[Admissible, bool]:
        """The decisions that are accepted, and whether closeness played a role."""
        if self._strict:
            return self.exact(state, round_number, epsilon), False
        comparisons = NearTies(lambda: slack(state.records, self.confidence, round_number))
        found = collected(possibilities(self.policy, self.view(state, round_number, epsilon), comparisons))
        return found, comparisons.ambiguous

    def gap(self, state: State, round_number: int, epsilon: Exact | None, got: Decision) -> Exact | None:
        """The largest distance of two sides that had to count as close for this decision to be accepted; None if it is
        not accepted even so, or is admissible as it is.
        """
        view = self.view(state, round_number, epsilon)
        if got in admissible_decisions(self.policy, view):
            return None
        comparisons = NearTies(lambda: slack(state.records, self.confidence, round_number))
        found = collected(possibilities(self.policy, view, comparisons))
        return comparisons.widest if got in found else None


class Checker:
    """Takes the blocks of a trace in order; stops at the first divergence."""

    def __init__(self, header: TraceHeader, strict: bool = False, schedule: Schedule | None = None) -> None:
        self.header = header
        self.strict = strict
        self._schedule = header.schedule if schedule is None else schedule
        self._referee = Referee(header, strict)
        if self._schedule is not None:
            check_one_logarithm(self._referee.policy, self._referee.confidence, self._schedule, header.arms)
        self._unfolding = Unfolding(header.opening(), with_squares=self._referee.confidence.uses_variance)
        self._rounds = 0
        self._ambiguous = 0
        self._exact = 0
        self._long_bits = 0
        self._divergence: Divergence | None = None

    @property
    def result(self) -> TraceCheck:
        """What is known so far."""
        return TraceCheck(self.header, self._rounds, self._ambiguous, self._exact, self._divergence)

    def take(self, block: Block) -> None:
        """Checks one more block; after a divergence, only counts its rounds."""
        self._rounds += len(block)
        if self._divergence is None:
            self._divergence = self._examine(block)

    def _examine(self, block: Block) -> Divergence | None:
        for piece in self._unfolding.slices(block):
            found = self._initial(piece) if piece.initial else self._later(piece)
            if found is not None:
                return found
        return None

    def _initial(self, piece: Slice) -> Divergence | None:
        """Rounds t <= K play and query arm t."""
        expected = np.arange(piece.first, piece.first + len(piece))
        wrong = (piece.block.arm != expected) | ~piece.block.query
        if piece.block.reason is not None:
            wrong |= piece.block.reason != REASONS.index(Reason.INITIAL)
        return self._divergent(piece, int(np.argmax(wrong))) if wrong.any() else None

    def _later(self, piece: Slice) -> Divergence | None:
        """The filter's verdicts; exact ones where it is unsure or says no."""
        findings = self._filtered(piece)
        settled = ~findings.unsure & findings.accepted
        ambiguous = findings.ambiguous & settled
        for doubtful in np.flatnonzero(~settled):
            place = int(doubtful)
            number, state = piece.first + place, piece.state_before(place)
            self._exact += 1
            self._spend(state, number)
            accepted, close = self._referee.accepted(state, number, piece.epsilon(place, self._schedule))
            if not _admitted(piece.block, place, accepted):
                self._ambiguous += int(ambiguous[:place].sum())
                return self._divergent(piece, place)
            ambiguous[place] = close
        self._ambiguous += int(ambiguous.sum())
        return None

    def _spend(self, state: State, number: int) -> None:
        """Counts the bits of long sums that exact arithmetic is asked about; raises `SumsTooLong` beyond the limit."""
        length = longest_sum(state)
        if length <= SHORT_SUM:
            return
        if self._long_bits > MOST_LONG_BITS:
            raise SumsTooLong(
                f"round {number}: doubles cannot tell the sides apart, and the sums of the rewards have {length:,} bits; "
                f"rounds with such sums are decided exactly up to {MOST_LONG_BITS:,} bits in all"
            )
        self._long_bits += length

    def _filtered(self, piece: Slice) -> Findings:
        """What doubles can tell; nothing for an interval that has no form in doubles."""
        shape = self._referee.confidence.shape
        if shape is None:
            return nothing_found(len(piece))
        view = view_of_block(block_doubles(piece, shape, self._schedule), piece.first)
        tolerance = (
            STRICT if self.strict else Tolerance(CLOSENESS_DOUBLE, largest_slack(shape, piece.first + len(piece)))
        )
        block = piece.block
        return examine(self._referee.policy, view, block.arm, block.query, tolerance, reasons=block.reason)

    def _divergent(self, piece: Slice, place: int) -> Divergence:
        number, state = piece.first + place, piece.state_before(place)
        epsilon = None if piece.initial else piece.epsilon(place, self._schedule)
        accepted, _ = self._referee.accepted(state, number, epsilon)
        exact = self._referee.exact(state, number, epsilon)
        got, reason = piece.block.decision(place), piece.block.given_reason(place)
        return Divergence(number, got, accepted, exact, state, epsilon, reason)


def _admitted(block: Block, place: int, accepted: Admissible) -> bool:
    """Whether a decision is accepted, with the reason that was given for it, if one was."""
    reasons, given = accepted.get(block.decision(place), frozenset()), block.given_reason(place)
    return bool(reasons) if given is None else given in reasons


def check_blocks(
    header: TraceHeader, blocks: Iterable[Block], strict: bool = False, schedule: Schedule | None = None
) -> TraceCheck:
    """Checks the blocks of a trace. After a divergence the rest is still read, so that a broken file is found out."""
    checker = Checker(header, strict, schedule)
    for block in blocks:
        checker.take(block)
    return checker.result
