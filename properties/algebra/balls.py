"""Certified enclosures: a typed surface over python-flint's balls, and inequalities decided on whole boxes.

A ball contains the true value, whatever was rounded, at any precision (the default of 53 bits suffices here).
`positive_on_box` splits a box until the enclosure of the function is positive on every piece: a proof by finitely many
interval evaluations, without sampling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import flint

MAX_PIECES = 200_000

Operand: TypeAlias = "Ball | int | Fraction"
Interval = tuple[Fraction, Fraction]


class Ball:
    """A real number known to lie in an interval."""

    __slots__ = ("raw",)

    def __init__(self, raw: flint.arb) -> None:
        self.raw = raw

    @staticmethod
    def between(lower: Fraction, upper: Fraction) -> Ball:
        """The interval from `lower` to `upper`."""
        return Ball(_raw(lower).union(_raw(upper)))

    def __add__(self, other: Operand) -> Ball:
        return Ball(self.raw + _raw(other))

    def __radd__(self, other: Operand) -> Ball:
        return Ball(_raw(other) + self.raw)

    def __sub__(self, other: Operand) -> Ball:
        return Ball(self.raw - _raw(other))

    def __rsub__(self, other: Operand) -> Ball:
        return Ball(_raw(other) - self.raw)

    def __mul__(self, other: Operand) -> Ball:
        return Ball(self.raw * _raw(other))

    def __rmul__(self, other: Operand) -> Ball:
        return Ball(_raw(other) * self.raw)

    def __truediv__(self, other: Operand) -> Ball:
        return Ball(self.raw / _raw(other))

    def __rtruediv__(self, other: Operand) -> Ball:
        return Ball(_raw(other) / self.raw)

    def ln(self) -> Ball:
        """The natural logarithm."""
        return Ball(self.raw.log())

    def exp(self) -> Ball:
        """The exponential."""
        return Ball(self.raw.exp())

    def sqrt(self) -> Ball:
        """The square root."""
        return Ball(self.raw.sqrt())

    @property
    def positive(self) -> bool:
        """Whether every number of the ball is positive."""
        return bool(self.raw > 0)

    @property
    def negative(self) -> bool:
        """Whether every number of the ball is negative."""
        return bool(self.raw < 0)

    def __str__(self) -> str:
        return str(self.raw.str(8, radius=False))


def ball(value: int | Fraction) -> Ball:
    """An exact number as a ball."""
    return Ball(_raw(value))


def ln(value: int | Fraction) -> Ball:
    """The natural logarithm of an exact number."""
    return ball(value).ln()


def sqrt(value: int | Fraction) -> Ball:
    """The square root of an exact number."""
    return ball(value).sqrt()


def zeta(argument: int) -> Ball:
    """Riemann's zeta function."""
    return Ball(flint.arb(argument).zeta())


@dataclass(frozen=True)
class BoxProof:
    """How an inequality on a box came out: certified with this many pieces, or a piece where it could not be."""

    certified: bool
    pieces: int
    failing: tuple[Interval, ...] | None = None


def positive_on_box(function: Callable[[Sequence[Ball]], Ball], box: Sequence[Interval]) -> BoxProof:
    """Whether `function` is positive on the whole box, by splitting the longest side until enclosures decide.

    Stops at a point (a corner or centre) where the function is certainly not positive, and gives up after
    `MAX_PIECES` pieces: both come out as not certified, with the piece.
    """
    stack = [tuple(box)]
    pieces = 0
    while stack:
        piece = stack.pop()
        pieces += 1
        if function([Ball.between(lower, upper) for lower, upper in piece]).positive:
            continue
        centre = [ball((lower + upper) / 2) for lower, upper in piece]
        if function(centre).negative or pieces > MAX_PIECES:
            return BoxProof(False, pieces, piece)
        side = max(range(len(piece)), key=lambda index: piece[index][1] - piece[index][0])
        lower, upper = piece[side]
        middle = (lower + upper) / 2
        stack.append((*piece[:side], (lower, middle), *piece[side + 1 :]))
        stack.append((*piece[:side], (middle, upper), *piece[side + 1 :]))
    return BoxProof(True, pieces)


def _raw(value: Operand) -> flint.arb:
    if isinstance(value, Ball):
        return value.raw
    if isinstance(value, Fraction):
        return flint.arb(flint.fmpq(value.numerator, value.denominator))
    return flint.arb(value)
