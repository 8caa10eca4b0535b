"""What a check says for a claim: a verdict, what was examined, and the case that came closest to failing."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from bufalu.properties.claims.shared_work import SharedWork


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


class EvidenceKind(Enum):
    """How a check comes to its verdict: `value` is the word that is printed, `meaning` the sentence that explains it."""

    meaning: str

    def __new__(cls, word: str, meaning: str) -> EvidenceKind:
        """A member with its word and its sentence."""
        member = object.__new__(cls)
        member._value_ = word
        member.meaning = meaning
        return member

    COQ = "Coq kernel", "the Coq kernel accepted a proof of the statement"
    SMT = "solver", "an SMT solver found that the negation of the statement has no model"
    CODE_PATHS = "code paths", "the policy's own code was run on symbolic numbers, and a solver decided every path"
    ALGEBRA = "algebra", "identities and inequalities between formulas, decided by exact algebra"
    ENCLOSURE = "enclosures", "inequalities between numbers, decided by interval arithmetic with rigorous rounding"
    ALL_CASES = "all cases", "every case of a stated finite list was decided in rational arithmetic"
    EXAMPLE = "example", "one explicit example was computed in rational arithmetic"
    REFERENCE_RUN = (
        "reference run",
        "the reference implementation was run on stated inputs and its decisions were examined",
    )
    EXACT_LAW = "exact law", "the exact distribution of runs was computed on listed small instances"
    GENERATED = "generated cases", "cases proposed by Hypothesis, each of them decided exactly"
    MONTE_CARLO = (
        "Monte Carlo",
        "runs on random rewards were compared with printed figures at a declared false-alarm rate",
    )
    ENGINE_RUN = "engine run", "the compiled engine was run on arms that always pay the same"
    PRINTED = "printed numbers", "arithmetic on numbers that the paper prints; nothing was run"
    LIMIT = "limit", "a step of the proof was decided, often a limit; the statement itself was not"
    NOTHING = "nothing", "no check said anything"


@dataclass(frozen=True)
class AuditProfile:
    """How long to look: `quick` (two minutes for the whole audit) or `full` (thirty), from one seed."""

    name: str = "quick"
    seed: int = 0

    @property
    def full(self) -> bool:
        """Whether this is the full profile."""
        return self.name == "full"

    @property
    def options(self) -> str:
        """What the command line needs to look in the same way again; empty for the defaults."""
        return (" --profile full" if self.full else "") + (f" --seed {self.seed}" if self.seed else "")


@dataclass(frozen=True)
class Witness:
    """A case that a person can replay: a command, and the text of the file that it needs (a trace file, if any).

    `closest` marks a case in which the statement held, nearer to failing than in all other cases.
    """

    summary: str
    command: str
    filename: str | None = None
    content: str | None = None
    closest: bool = False

    @property
    def label(self) -> str:
        """What to call it before a person."""
        return "closest case" if self.closest else "witness"

    def replay(self, rerun: str, folder: str | None = None) -> str:
        """The command as it can be typed: on the file in `folder`, or after `rerun` has written the file here."""
        if self.filename is None:
            return self.command
        if folder is None:
            return f"{rerun} --witnesses . && {self.command}"
        return self.command.replace(self.filename, shlex.quote(str(Path(folder) / self.filename)))


@dataclass(frozen=True)
class Evidence:
    """The outcome of one check. `nonvacuous` is the share of cases in which the statement had something to say.

    `seconds` of the processor are measured by the audit, those of work that is `shared` with other checks apart from them.
    `failed` marks a check that did not do its work: it broke, its solver gave up, or it was stopped. That fails the
    audit, unlike a tool that is not installed, which is NOT RUN alone.
    """

    kind: EvidenceKind
    verdict: Verdict
    detail: str
    cases: int | None = None
    nonvacuous: float | None = None
    slack: str | None = None
    seconds: float = 0.0
    witness: Witness | None = None
    failed: bool = False
    shared: tuple[SharedWork, ...] = ()


@dataclass(frozen=True)
class Decided:
    """What a function decided: whether the statement holds, in a sentence, and how many cases were looked at."""

    holds: bool
    detail: str
    cases: int | None = None
    slack: str | None = None
    witness: Witness | None = None


def check_name(room: str, words: str) -> str:
    """The name of a check in the one dialect of the audit: its room, a point, and its words joined by underscores."""
    return f"{room}.{re.sub('[^a-z0-9]+', '_', words.lower()).strip('_')}"


Mutants = Mapping[str, Mapping[str, object]]
"""Wrong versions of what a check examines, by words that say what is wrong: the arguments that make it so."""


@dataclass(frozen=True)
class Check:
    """A named examination that speaks for one or more claims of the registry, by their ids.

    `run` takes the profile; its other arguments have the right values as defaults, and a mutant has wrong ones.

    Checks of one `group` share work (a build, a set of runs), so the audit runs them one after the other in one process.
    """

    name: str
    claims: tuple[str, ...]
    kind: EvidenceKind
    run: Callable[..., Evidence]
    group: str | None = None
    mutants: Mutants = field(default_factory=dict)

    def against(self, mutant: str) -> Evidence:
        """What it says of one of its mutants: it must be REFUTED."""
        return self.run(AuditProfile(), **self.mutants[mutant])
