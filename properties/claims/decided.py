"""What a function decided about a statement: the result that most checks start from."""

from __future__ import annotations

from dataclasses import dataclass

from bufalu.properties.claims.evidence import Witness


@dataclass(frozen=True)
class Decided:
    """What a function decided: whether the statement holds, in a sentence, and how many cases were looked at."""

    holds: bool
    detail: str
    cases: int | None = None
    slack: str | None = None
    witness: Witness | None = None
