"""One round of a run: what was played, whether it was queried, what was seen."""

from __future__ import annotations

from typing import NamedTuple

from bufalu.reference.exact import Exact
from bufalu.reference.rationals import Rational


class Round(NamedTuple):
    """Round `number` >= 1. `reward` is None where it was not queried.

    `epsilon` is epsilon(t), None in the initial rounds t <= K, where no policy looks at it. A file whose header names a
    schedule does not repeat its numbers: `traces.with_epsilon` puts them back, and everything that reads a file uses it.
    """

    number: int
    arm: int
    query: bool
    reward: Rational | None
    epsilon: Exact | None
