"""What a claim is: where it stands in the paper or in our pages, what it says in our words, and what a machine should
make of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import NamedTuple

from bufalu.properties.claims.evidence import Evidence, Verdict
from bufalu.properties.claims.paper_parts import label

Lines = tuple[tuple[int, int], ...]
"""Ranges of lines of the paper's source, first and last inclusive."""


class Section(Enum):
    """The parts of the paper in the order of the audit's table, and what goes beyond it."""

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
    BEYOND = "Beyond the paper"
    OWN = "Registered from outside"


class Subject(Enum):
    """What a claim speaks about; `value` is said for a claim that cannot be asked of something else."""

    ROUND = "BuFALU on one path, with any intervals"
    THEOREM = "BuFALU in expectation, with regular intervals"
    HOEFFDING = "Hoeffding's interval and its numbers"
    BERNSTEIN = "Bernstein's interval and its numbers"
    KL_UCB = "the interval of l.1644"
    OTHER_POLICIES = "another policy than BuFALU"
    DEPLOYMENT = "a deployment, where answers come late or never"
    NEITHER = "neither intervals nor the algorithm"


@dataclass(frozen=True, kw_only=True)
class Erratum:
    """A place where the print is wrong: its number, what is wrong, and the claim that states the correction.

    A `slip` is wrong by the letter alone: an index, a rounded word, a case that nobody means. A careful author would mend
    it, and would not call it an error.
    """

    number: str
    printed: str
    corrected: str
    slip: bool = False


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One statement of the paper, by its `lines`; or one of ours, which has none and names the `page` that states it.

    `expected` is what the machine must establish, no less and no more: a verdict that rises without a word in the
    record is looked at as hard as one that falls. `statement` and `latex` are restatements, never the paper's own sentences.

    `source` ties it to its lines: their hash, by `properties/claims/source.py`. `about` says of what it can be asked.
    `rests_on` are the ids of the claims that its proof, or the meaning of its words, goes back to directly: by the paper's
    proofs where they are right and by ours elsewhere. Without any, it is ground: a definition, an elementary fact, a
    cited result, a run, an arithmetic identity; or wrong, for its correction has edges of its own. The kernel's proofs are
    complete in themselves: an edge says how the argument goes, not that a kernel took the other claim on trust.
    `although` says why a claim recorded as PROVED may rest on one that is not, and is no hole.
    """

    id: str
    lines: Lines = ()
    source: str | None = None
    page: str | None = None
    section: Section
    statement: str
    latex: str
    expected: Verdict
    about: Subject
    hypotheses: tuple[str, ...] = ()
    erratum: Erratum | None = None
    rests_on: tuple[str, ...] = ()
    although: str = ""

    @property
    def place(self) -> str:
        """The place as people write it: `Theorem 2, part 1, l.421; Section B.1, l.931, l.938-945`, or the page."""
        if self.page is not None:
            return self.page
        named = groupby(self.lines, key=lambda lines: label(*lines))
        return "; ".join(", ".join([name, *map(_shown_lines, lines)]) for name, lines in named)


def _shown_lines(lines: tuple[int, int]) -> str:
    first, last = lines
    return f"l.{first}" if first == last else f"l.{first}-{last}"


class Passage(NamedTuple):
    """Where the paper makes a claim: the lines of its source, and their hash."""

    lines: Lines
    source: str


def at(*lines: int | tuple[int, int], sha: str) -> Passage:
    """The passage of these single lines and ranges, which `properties/claims/source.py` gives this hash."""
    return Passage(tuple((line, line) if isinstance(line, int) else line for line in lines), sha)


@dataclass(frozen=True)
class PaperClaims:
    """Makes the claims of one part of the paper; what they are about is `about`, where a claim does not say otherwise."""

    section: Section
    about: Subject

    def __call__(
        self,
        name: str,
        passage: Passage,
        statement: str,
        latex: str,
        *hypotheses: str,
        erratum: str | None = None,
        printed: str = "",
        slip: bool = False,
        expected: Verdict | None = None,
        about: Subject | None = None,
        rests_on: tuple[str, ...] = (),
        although: str = "",
    ) -> Claim:
        """The claim of this name: PROVED, where it does not say what else is expected.

        One that carries the number of an `erratum` is an ERRATUM, for what `printed` says is wrong with the print, and the
        claim that corrects it has its name with `.corrected`.
        """
        return Claim(
            id=name,
            lines=passage.lines,
            source=passage.source,
            section=self.section,
            statement=statement,
            latex=latex,
            expected=expected or (Verdict.ERRATUM if erratum else Verdict.PROVED),
            about=about or self.about,
            hypotheses=hypotheses,
            erratum=Erratum(number=erratum, printed=printed, corrected=f"{name}.corrected", slip=slip)
            if erratum
            else None,
            rests_on=rests_on,
            although=although,
        )


@dataclass(frozen=True)
class OurClaims:
    """Makes claims beyond the paper that one page of the documentation states, whose proofs the Coq kernel checks.

    Their ids begin with `prefix`, and `supposed` are hypotheses that all of them share.
    """

    prefix: str
    page: str
    about: Subject
    supposed: tuple[str, ...] = ()

    def __call__(
        self, name: str, statement: str, latex: str, *hypotheses: str, rests_on: tuple[str, ...] = ()
    ) -> Claim:
        """The claim of this name."""
        return Claim(
            id=f"{self.prefix}.{name}",
            page=self.page,
            section=Section.BEYOND,
            statement=statement,
            latex=latex,
            expected=Verdict.PROVED,
            hypotheses=(*self.supposed, *hypotheses),
            about=self.about,
            rests_on=rests_on,
        )


PROVED_AS_A_WHOLE = (
    "the kernel has the whole proof; what is below a proof here are the paper's steps, each with a check of its own"
)
DEFINITION_CARRIED_ALONG = (
    "the kernel's theorem carries the definition itself; the claim about the definition says more than is used"
)
"""Reasons why a claim recorded as PROVED rests on one that is not."""

_STRENGTH = (
    Verdict.PROVED,
    Verdict.CERTIFIED,
    Verdict.EXACT,
    Verdict.TESTED,
    Verdict.REPRODUCED,
    Verdict.ARGUED,
)
GOOD_NEWS = frozenset(_STRENGTH)
"""The verdicts of a claim that stands."""
_DOMINANT = (Verdict.REFUTED, Verdict.VACUOUS, Verdict.ERRATUM, Verdict.GAP)


def strength(verdict: Verdict) -> int | None:
    """How strong good news is, more being stronger; None for what is not good news."""
    return -_STRENGTH.index(verdict) if verdict in _STRENGTH else None


def combined(verdicts: list[Verdict]) -> Verdict:
    """The verdict of a claim from those of its checks: bad news first, then the strongest good news.

    NOT RUN only if nothing else was said.
    """
    for verdict in (*_DOMINANT, *_STRENGTH):
        if verdict in verdicts:
            return verdict
    return Verdict.NOT_RUN


class Standing(Enum):
    """How the verdict of a claim compares with the one that the registry records for it."""

    REACHED = "reached its recorded verdict"
    BELOW = "below its recorded verdict: some evidence could not be gathered here"
    MISSED = "contradicts its recorded verdict"
    FAILED = "a check did not do its work"


def standing(evidence: Sequence[Evidence], recorded: Verdict) -> Standing:
    """Where a claim with this evidence stands. A verdict above the recorded one contradicts it, as much as one below.

    A weaker verdict is excused only by evidence that is NOT RUN for want of a tool: the stronger verdict is then
    unknown rather than lost; so is an erratum of which only the gap in the printed proof was found, because its
    counterexample is NOT RUN. Nothing excuses a check that broke, gave up or was stopped, nor a claim without evidence.
    """
    if not evidence or any(item.failed for item in evidence):
        return Standing.FAILED
    verdict = combined([item.verdict for item in evidence])
    if verdict is recorded:
        return Standing.REACHED
    if verdict in _STRENGTH and recorded in _STRENGTH and _STRENGTH.index(verdict) < _STRENGTH.index(recorded):
        return Standing.MISSED
    absent = any(item.verdict is Verdict.NOT_RUN for item in evidence)
    unfinished = verdict is Verdict.GAP and recorded is Verdict.ERRATUM
    bad = verdict not in (*_STRENGTH, Verdict.NOT_RUN) and not unfinished
    return Standing.BELOW if absent and not bad else Standing.MISSED
