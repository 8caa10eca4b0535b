"""What a command judged and found out: the one object that text, JSON, JUnit, SARIF, summary and badge are made from."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from bufalu.pages.text import Line


class Ending(Enum):
    """How one case, or the whole command, ended."""

    CONFORMS = "conforms"
    NONCONFORMING = "nonconforming"
    VIOLATES_CLAIMS = "violates claims"
    BROKEN = "broken"
    REFUSED = "refused"
    SKIPPED = "skipped"
    UNFINISHED = "unfinished"

    @property
    def meaning(self) -> str:
        """One sentence."""
        return _MEANINGS[self]

    @property
    def fails(self) -> bool:
        """Whether it contradicts: something was judged, and does not hold."""
        return self in (Ending.NONCONFORMING, Ending.VIOLATES_CLAIMS)

    @property
    def prevents(self) -> bool:
        """Whether no judgement was possible."""
        return self in (Ending.BROKEN, Ending.REFUSED)

    @property
    def code(self) -> int:
        """The exit code of a command that ends so."""
        if self.fails:
            return 1
        return {Ending.REFUSED: 2, Ending.BROKEN: 3}.get(self, 0)


_MEANINGS = {
    Ending.CONFORMS: "Every decision was one that some tie-break gives, in all rounds that were judged.",
    Ending.NONCONFORMING: "A decision was not one that any tie-break gives.",
    Ending.VIOLATES_CLAIMS: "The run contradicts a claim of the paper about single runs, with the means given.",
    Ending.BROKEN: "The program under test crashed, hung, answered garbage or skipped what it declares.",
    Ending.REFUSED: "The input could not be judged.",
    Ending.SKIPPED: "Nothing was judged here: the program declined the setting, or the claim does not speak of the run.",
    Ending.UNFINISHED: "The command ended before all games of this setting were played.",
}


@dataclass(frozen=True)
class Case:
    """One thing that was judged: a policy with an interval, say. `details` is the argument, line by line."""

    name: str
    verdict: Ending
    message: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class FilePlace:
    """A file that shows the matter, and the line in it where there is one."""

    path: str
    line: int | None = None


@dataclass(frozen=True)
class Outcome:
    """A verdict with all that led to it: `subject` is what was judged, and `place` the file to look at.

    `lines` are for a terminal, `document` is what --json prints. `witness` is a counterexample that lies elsewhere,
    `again` the commands that show the matter once more.
    """

    command: str
    subject: str
    verdict: Ending
    headline: str
    cases: tuple[Case, ...]
    place: FilePlace
    witness: FilePlace | None = None
    again: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    document: Mapping[str, object] | None = None

    @property
    def json(self) -> str:
        """The document as text."""
        return json.dumps(self.document, indent=2)

    @property
    def share(self) -> tuple[int, int]:
        """How many cases were judged to their end, and how many there are."""
        left_out = sum(case.verdict in (Ending.SKIPPED, Ending.UNFINISHED) for case in self.cases)
        return len(self.cases) - left_out, len(self.cases)


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def presentable(text: str) -> str:
    """Text from elsewhere without the characters that XML 1.0 cannot carry: they are shown as U+FFFD."""
    return _NOT_IN_XML.sub("\ufffd", text)
