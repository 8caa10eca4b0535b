"""Inequalities decided on whole boxes: a box is split until the enclosure of the function is positive on every piece.

A proof by finitely many interval evaluations, without sampling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds.enclosures import Enclosure

MAX_PIECES = 200_000

Side = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class BoxProof:
    """How an inequality on a box came out: certified with this many pieces, or a piece where it could not be."""

    certified: bool
    pieces: int
    failing: tuple[Side, ...] | None = None


def positive_on_box(function: Callable[[Sequence[Enclosure]], Enclosure], box: Sequence[Side]) -> BoxProof:
    """Whether `function` is positive on the whole box, by splitting the longest side until enclosures decide.

    Stops at a centre where the function is certainly negative, and gives up after `MAX_PIECES` pieces: both come out
    as not certified, with the piece.
    """
    stack = [tuple(box)]
    pieces = 0
    while stack:
        piece = stack.pop()
        pieces += 1
        if function([Enclosure.between(lower, upper) for lower, upper in piece]).is_positive:
            continue
        centre = [Enclosure.of((lower + upper) / 2) for lower, upper in piece]
        if function(centre).is_negative or pieces > MAX_PIECES:
            return BoxProof(False, pieces, piece)
        side = max(range(len(piece)), key=lambda index: piece[index][1] - piece[index][0])
        lower, upper = piece[side]
        middle = (lower + upper) / 2
        stack.append((*piece[:side], (lower, middle), *piece[side + 1 :]))
        stack.append((*piece[:side], (middle, upper), *piece[side + 1 :]))
    return BoxProof(True, pieces)
