"""What is known about a theorem of the Coq development besides its proof: the comment above it, read.

The comment has fields, one word and a colon at the beginning of a line, in this order, after what else there is to say:

    says: quantifiers and hypotheses, and what follows, in words
    paper: the lines of the paper that it is about; or "beyond the paper", or "not a statement of the paper"
    differs: every difference from the print, or "none"; left out where the paper has no such statement
    settles: claims, separated by semicolons; "(2 of 3)" after one says that three theorems settle it together, this
      being the second of them
    refutes: claims, wrong as printed, to which it is a counterexample
    breaks: "one text of the statement" to "another one", with which the proof must be rejected

A theorem with `says` belongs to the catalogue. One that only supports others, or whose hypotheses hold what should be
proved, settles nothing; a lemma may have `breaks` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bufalu.properties.claims.evidence import Mutants
from bufalu.reference.errors import BufaluError

FIELDS = ("says", "paper", "differs", "settles", "refutes", "breaks")
NOT_PRINTED = ("beyond the paper", "not a statement of the paper")

_STATED = re.compile(r"\(\*\*((?:(?!\*\)).)*)\*\)\s*(?:Theorem|Lemma|Corollary)\s+([\w']+)", flags=re.DOTALL)
_FIELD = re.compile(rf"^\s*({'|'.join(FIELDS)}): ", flags=re.MULTILINE)
_BREAKS = re.compile(r'"([^"]*)"\s+to\s+"([^"]*)"')
_SETTLES = re.compile(r"(\S+)(?: \((\d+) of (\d+)\))?")


class UnreadableComment(BufaluError):
    """What is said above a theorem of the Coq development cannot be read, or contradicts what another says."""


@dataclass(frozen=True)
class Part:
    """A claim that a theorem settles: alone, being 1 of 1, or as one of several theorems that all are needed."""

    claim: str
    number: int = 1
    of: int = 1


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
    """A theorem of `proofs/`. `says` names quantifiers and hypotheses; `differs`, every difference from the print."""

    name: str
    file: str
    lines: str
    says: str
    differs: str
    settles: tuple[Part, ...] = ()
    refutes: tuple[str, ...] = ()
    broken: BrokenVersion | None = None

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that it settles, alone or together with the other theorems that name them."""
        return tuple(part.claim for part in self.settles)

    @property
    def mutants(self) -> Mutants:
        """The broken version, by its words; whether the kernel rejects it is asked file by file, in the tests."""
        return {} if self.broken is None else {self.broken.words: {"broken": self.broken}}


def theorems_in(texts: Mapping[str, str]) -> tuple[Theorem, ...]:
    """The catalogue of these files, in their order.

    Raises `UnreadableComment` for a comment without a field that it needs, for a name that is used twice, and for a
    claim of whose theorems one is missing.
    """
    found = tuple(
        _theorem(name, file, fields)
        for file, text in texts.items()
        for name, fields in _comments(text)
        if "says" in fields
    )
    names = [theorem.name for theorem in found]
    if len(set(names)) < len(names):
        raise UnreadableComment(f"two theorems are called {next(name for name in names if names.count(name) > 1)}")
    _all_parts_are_there(found)
    return found


def broken_versions_in(text: str) -> dict[str, BrokenVersion]:
    """The broken version of each theorem and lemma of a file that has one, by name."""
    return {name: _broken(name, fields["breaks"]) for name, fields in _comments(text) if "breaks" in fields}


def _comments(text: str) -> Iterable[tuple[str, dict[str, str]]]:
    """Names of statements, with the fields of the comments right above them, where there are any."""
    for comment, name in _STATED.findall(text):
        _, *parts = _FIELD.split(comment)
        keys = parts[::2]
        if keys != [field for field in FIELDS if field in keys]:
            raise UnreadableComment(f"the fields above {name} are not {', '.join(FIELDS)}, each once, in this order")
        if keys:
            yield name, {key: " ".join(value.split()) for key, value in zip(keys, parts[1::2], strict=True)}


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
        fields["differs"] if printed else "not in the paper",
        tuple(_part(name, each) for each in _listed(fields, "settles")),
        tuple(_listed(fields, "refutes")),
        _broken(name, fields["breaks"]) if "breaks" in fields else None,
    )


def _listed(fields: Mapping[str, str], field: str) -> list[str]:
    return [each.strip() for each in fields[field].split(";")] if field in fields else []


def _part(name: str, text: str) -> Part:
    found = _SETTLES.fullmatch(text)
    if found is None:
        raise UnreadableComment(f"above {name}: '{text}' is not a claim, nor a claim with (number of number)")
    claim, number, of = found.groups()
    return Part(claim) if number is None else Part(claim, int(number), int(of))


def _broken(name: str, text: str) -> BrokenVersion:
    found = _BREAKS.fullmatch(text)
    if found is None or found[1] == found[2]:
        raise UnreadableComment(f'above {name}: {text} is not of the form "text" to "another"')
    return BrokenVersion(*found.groups())


def _all_parts_are_there(theorems: Iterable[Theorem]) -> None:
    """A claim that needs several theorems has all of them: one that is untied from it is missed."""
    parts: dict[str, list[Part]] = {}
    for theorem in theorems:
        for part in theorem.settles:
            parts.setdefault(part.claim, []).append(part)
    for claim, found in parts.items():
        of = found[0].of
        if [(part.number, part.of) for part in found] != [(number, of) for number in range(1, of + 1)]:
            numbers = ", ".join(f"{part.number} of {part.of}" for part in found)
            raise UnreadableComment(f"the theorems that settle {claim} are {numbers}")
