"""What a claim of the paper is: where it stands, what it says in our words, and what a machine should make of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bufalu.properties.claims.evidence import Verdict

Lines = tuple[tuple[int, int], ...]
"""Ranges of lines of the paper's source, first and last inclusive."""


class Section(Enum):
    """The parts of the paper in the order of the audit's table."""

    SETTING = "Setting and summary table"
    LOWER = "Lower bounds for consistent strategies"
    SCARCE = "Lower bounds for scarce querying"
    ALGORITHM = "The algorithm and its quantities"
    UPPER = "Upper bounds"
    REGULARITY = "Regular confidence intervals"
    DISCUSSION = "Discussion"
    NUMBERS = "Numbers in the text"
    TABLES = "Tables"
    ERRATA = "Slips of the text"


@dataclass(frozen=True)
class Erratum:
    """A place where the print is wrong: its number, what is wrong, and the claim that states the correction."""

    number: str
    printed: str
    corrected: str


@dataclass(frozen=True)
class Claim:
    """One statement of the paper.

    `expected` is the least that the machine must establish: a stronger positive verdict is welcome, ERRATUM and GAP
    must come out exactly. `statement` and `latex` are restatements, never the paper's own sentences.
    """

    id: str
    lines: Lines
    section: Section
    statement: str
    latex: str
    expected: Verdict
    hypotheses: tuple[str, ...] = ()
    erratum: Erratum | None = None

    @property
    def place(self) -> str:
        """The lines as people write them: `l.421` or `l.421-425, l.849`."""
        return ", ".join(f"l.{first}" if first == last else f"l.{first}-{last}" for first, last in self.lines)


def at(*lines: int | tuple[int, int]) -> Lines:
    """Line ranges from single lines and pairs."""
    return tuple((line, line) if isinstance(line, int) else line for line in lines)


_STRENGTH = (
    Verdict.PROVED,
    Verdict.CERTIFIED,
    Verdict.EXACT,
    Verdict.TESTED,
    Verdict.REPRODUCED,
    Verdict.ARGUED,
)
_DOMINANT = (Verdict.REFUTED, Verdict.VACUOUS, Verdict.ERRATUM, Verdict.GAP)


def combined(verdicts: list[Verdict]) -> Verdict:
    """The verdict of a claim from those of its checks: bad news first, then the strongest good news.

    NOT RUN only if nothing else was said.
    """
    for verdict in (*_DOMINANT, *_STRENGTH):
        if verdict in verdicts:
            return verdict
    return Verdict.NOT_RUN


def as_expected(verdict: Verdict, expected: Verdict, something_not_run: bool) -> bool:
    """Whether a verdict is at least what the registry expects.

    NOT RUN never counts against a claim. A weaker positive verdict is accepted only if some evidence for the claim
    could not be gathered (a tool is missing), because then the stronger verdict is unknown rather than lost.
    """
    if verdict is Verdict.NOT_RUN or verdict is expected:
        return True
    if verdict not in _STRENGTH:
        return False
    if expected in _STRENGTH:
        return something_not_run or _STRENGTH.index(verdict) <= _STRENGTH.index(expected)
    # An erratum whose witness could not be produced is unknown, not gone.
    return something_not_run
