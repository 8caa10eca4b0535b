"""One round of a run: what was played, whether it was queried, what was seen."""

from __future__ import annotations

from typing import NamedTuple

from bufalu.reference.exact import Exact
from bufalu.reference.rationals import Rational


class Round(NamedTuple):
    """Round `number` >= 1. `reward` is None where it was not queried; `epsilon` is None in the initial rounds."""

    number: int
    arm: int
    query: bool
    reward: Rational | None
    epsilon: Exact | None
