"""Decides curve(t) <= bound(t) for every t at once, where both never fall.

On a block a..b of rounds curve(b) <= bound(a) settles all of its rounds; a block that it does not settle is halved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bufalu.bounds import Enclosure, Truth
from bufalu.law.law import Value
from bufalu.reference.errors import UndecidedComparison


@dataclass(frozen=True)
class AllRounds:
    """The first round found in which the bound fails (None: it holds in all), and the share of it used in round T."""

    violated_at: int | None
    share_used: float


def at_most_in_all_rounds(curve: Callable[[int], Value], bound: Callable[[int], Enclosure], last: int) -> AllRounds:
    """Whether curve(t) <= bound(t) for all t <= last; raises `UndecidedComparison` where balls overlap.

    Where mass was dropped the upper end of the curve must be within the bound, and the lower end above it refutes.
    """
    blocks = [(1, last)]
    while blocks:
        start, end = blocks.pop()
        if (bound(start) >= curve(end).upper) is Truth.TRUE:
            continue
        if start == end:
            if (bound(start) < curve(start).lower) is Truth.TRUE:
                return AllRounds(start, _share(curve(start), bound(start)))
            raise UndecidedComparison(
                f"the bound of round {start} and its expectation agree to the working precision, or to the dropped mass"
            )
        middle = (start + end) // 2
        blocks += [(middle + 1, end), (start, middle)]
    return AllRounds(None, _share(curve(last), bound(last)))


def _share(value: Value, bound: Enclosure) -> float:
    if bound.is_infinite:
        return 0.0
    size = float(bound)
    return float(value.upper) / size if size else 0.0
