"""What a check says for a claim: a verdict, what was examined, and the case that came closest to failing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """What a machine could establish, strongest first; the words are explained in docs/soundness.md."""

    PROVED = "PROVED"
    CERTIFIED = "CERTIFIED"
    EXACT = "EXACT"
    TESTED = "TESTED"
    REPRODUCED = "REPRODUCED"
    ARGUED = "ARGUED"
    ERRATUM = "ERRATUM"
    GAP = "GAP"
    REFUTED = "REFUTED"
    VACUOUS = "VACUOUS"
    NOT_RUN = "NOT RUN"


@dataclass(frozen=True)
class AuditProfile:
    """How long to look: `quick` (two minutes for the whole audit) or `full` (thirty), from one seed."""

    name: str = "quick"
    seed: int = 0

    @property
    def full(self) -> bool:
        """Whether this is the full profile."""
        return self.name == "full"


@dataclass(frozen=True)
class Witness:
    """A case that a person can replay: a command, and the text of the file that it needs (a trace file, if any)."""

    summary: str
    command: str
    filename: str | None = None
    content: str | None = None


@dataclass(frozen=True)
class Evidence:
    """The outcome of one check. `nonvacuous` is the share of cases in which the statement had something to say."""

    kind: str
    verdict: Verdict
    detail: str
    cases: int | None = None
    nonvacuous: float | None = None
    slack: str | None = None
    seconds: float = 0.0
    witness: Witness | None = None


@dataclass(frozen=True)
class Check:
    """A named examination that speaks for one or more claims of the registry, by their ids.

    Checks of one `group` share work (a build, a set of runs), so the audit runs them one after the other in one
    process.
    """

    name: str
    claims: tuple[str, ...]
    kind: str
    run: Callable[[AuditProfile], Evidence]
    group: str | None = None
