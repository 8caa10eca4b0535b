"""What is known about a theorem of the Coq development besides its proof: the comment above it, read.

The comment has fields, one word and a colon at the beginning of a line, in this order, after what else there is to say:

    says: quantifiers and hypotheses, and what follows, in words
    paper: the lines of the paper that it is about; or "beyond the paper", or "not a statement of the paper"
    differs: every difference from the print, or "none"; left out where the paper has no such statement
    settles: claims, separated by semicolons
    refutes: claims, wrong as printed, to which it is a counterexample
    breaks: "one text of the statement" to "another one", with which the proof must be rejected

A theorem with `says` belongs to the catalogue. One that only supports others, or whose hypotheses hold what should be
proved, settles nothing; a lemma may have `breaks` alone. A claim has one theorem. One that needs several has their
conjunction, `Definition both := conj (@one) (@other).`, above which stands `settles` or `refutes` alone: what it says, in
words, is what its parts say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bufalu.properties.claims.evidence import Mutants
from bufalu.reference.errors import BufaluError

FIELDS = ("says", "paper", "differs", "settles", "refutes", "breaks")
NOT_PRINTED = ("beyond the paper", "not a statement of the paper")
NO_DIFFERENCE = ("none", "not in the paper")
"""What is said of a theorem that is as printed, or not printed."""

_STATED = re.compile(r"\(\*\*((?:(?!\*\)).)*)\*\)\s*(?:Theorem|Lemma|Corollary)\s+([\w']+)", flags=re.DOTALL)
_FIELD = re.compile(rf"^\s*({'|'.join(FIELDS)}): ", flags=re.MULTILINE)
_BREAKS = re.compile(r'"([^"]*)"\s+to\s+"([^"]*)"')
_JOINED = re.compile(
    r"\(\*\*((?:(?!\*\)).)*)\*\)\s*Definition\s+([\w']+)\s*:=\s*(conj\b[\w'@()\s]*)\.$",
    flags=re.DOTALL | re.MULTILINE,
)


class UnreadableComment(BufaluError):
    """What is said above a theorem of the Coq development cannot be read, or contradicts what another says."""


@dataclass(frozen=True)
class BrokenVersion:
    """A text of a theorem's statement, and what a stronger, unproved statement has in its place."""

    was: str
    becomes: str

    @property
    def words(self) -> str:
        """The change, for people."""
        return f"{self.becomes} for {self.was}"


@dataclass(frozen=True)
class Theorem:
    """A theorem of `proofs/`. `says` names quantifiers and hypotheses; `differs`, every difference from the print.

    A conjunction has `parts`, and their broken versions.
    """

    name: str
    file: str
    lines: str
    says: str
    differs: str
    settles: tuple[str, ...] = ()
    refutes: tuple[str, ...] = ()
    broken: tuple[BrokenVersion, ...] = ()
    parts: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The theorem's name in the built library, `File.name`."""
        return f"{self.file.removesuffix('.v')}.{self.name}"

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that it speaks for: it settles them, or it refutes them."""
        return self.settles + self.refutes

    @property
    def mutants(self) -> Mutants:
        """The broken versions, by their words; whether the kernel rejects one is asked file by file, in the tests."""
        return {version.words: {"broken": version} for version in self.broken}


def theorems_in(texts: Mapping[str, str]) -> tuple[Theorem, ...]:
    """The catalogue of these files, in their order.

    Raises `UnreadableComment` for a comment without a field that it needs, for a name that is used twice, for a claim
    that two theorems speak for, and for a conjunction of what is not in the catalogue.
    """
    found: dict[str, Theorem] = {}
    for file, text in texts.items():
        single = [_theorem(name, file, fields) for name, fields in _comments(text) if "says" in fields]
        known = {**found, **{theorem.name: theorem for theorem in single}}
        for theorem in (*single, *_conjunctions(file, text, known)):
            if theorem.name in found:
                raise UnreadableComment(f"two theorems are called {theorem.name}")
            found[theorem.name] = theorem
    _each_claim_has_one(found.values())
    return tuple(found.values())


def broken_versions_in(text: str) -> dict[str, BrokenVersion]:
    """The broken version of each theorem and lemma of a file that has one, by name."""
    return {name: _broken(name, fields["breaks"]) for name, fields in _comments(text) if "breaks" in fields}


def _comments(text: str) -> Iterable[tuple[str, dict[str, str]]]:
    """Names of statements, with the fields of the comments right above them, where there are any."""
    for comment, name in _STATED.findall(text):
        if fields := _fields(name, comment):
            yield name, fields


def _fields(name: str, comment: str) -> dict[str, str]:
    _, *parts = _FIELD.split(comment)
    keys = parts[::2]
    if keys != [field for field in FIELDS if field in keys]:
        raise UnreadableComment(f"the fields above {name} are not {', '.join(FIELDS)}, each once, in this order")
    return {key: " ".join(value.split()) for key, value in zip(keys, parts[1::2], strict=True)}


def _conjunctions(file: str, text: str, known: Mapping[str, Theorem]) -> Iterable[Theorem]:
    """The conjunctions of a file, with the words of their parts."""
    for comment, name, joined in _JOINED.findall(text):
        fields = _fields(name, comment)
        names = [word for word in re.findall(r"[\w']+", joined) if word != "conj"]
        if fields.keys() - {"settles", "refutes"} or not fields or not names or {*names} - known.keys():
            raise UnreadableComment(f"{name} does not settle or refute claims by theorems of the catalogue alone")
        parts = [known[each] for each in names]
        differs = dict.fromkeys(part.differs for part in parts if part.differs not in NO_DIFFERENCE)
        yield Theorem(
            name,
            file,
            "; ".join(dict.fromkeys(part.lines for part in parts)),
            "; and ".join(part.says for part in parts),
            "; ".join(differs) or parts[0].differs,
            _listed(name, fields, "settles"),
            _listed(name, fields, "refutes"),
            tuple(version for part in parts for version in part.broken),
            tuple(names),
        )


def _theorem(name: str, file: str, fields: Mapping[str, str]) -> Theorem:
    if "paper" not in fields:
        raise UnreadableComment(f"the comment above {name} does not say which lines of the paper it is about")
    printed = not fields["paper"].startswith(NOT_PRINTED)
    if printed != ("differs" in fields):
        raise UnreadableComment(f"the comment above {name} says how it differs if and only if it is in the paper")
    return Theorem(
        name,
        file,
        fields["paper"],
        fields["says"],
        fields["differs"] if printed else NO_DIFFERENCE[1],
        _listed(name, fields, "settles"),
        _listed(name, fields, "refutes"),
        (_broken(name, fields["breaks"]),) if "breaks" in fields else (),
    )


def _listed(name: str, fields: Mapping[str, str], field: str) -> tuple[str, ...]:
    claims = tuple(each.strip() for each in fields[field].split(";")) if field in fields else ()
    if wrong := [claim for claim in claims if not re.fullmatch(r"\S+", claim)]:
        raise UnreadableComment(f"above {name}: '{wrong[0]}' is not a claim")
    return claims


def _broken(name: str, text: str) -> BrokenVersion:
    found = _BREAKS.fullmatch(text)
    if found is None or found[1] == found[2]:
        raise UnreadableComment(f'above {name}: {text} is not of the form "text" to "another"')
    return BrokenVersion(*found.groups())


def _each_claim_has_one(theorems: Iterable[Theorem]) -> None:
    """Several theorems that settle a claim together are one theorem, their conjunction."""
    speaks: dict[str, str] = {}
    for theorem in theorems:
        for claim in theorem.claims:
            if speaks.setdefault(claim, theorem.name) != theorem.name or theorem.claims.count(claim) > 1:
                raise UnreadableComment(f"{claim} has two theorems, {speaks[claim]} and {theorem.name}")
