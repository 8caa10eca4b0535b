"""What a reader must trust for the claims that the Coq kernel settles: `proofs/statements.txt`, which a person has read.

It ties each claim to one theorem, and has every theorem and, down to Coq's own library, every definition that it goes back
to, as Coq prints them from the built proofs. What the audit builds must be the same, entry by entry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bufalu.reference.errors import BufaluError

PINNED = "statements.txt"
RENEW = "make pin"
PROVED_BY, REFUTED_BY = "proved by", "refuted by"

_HEADER = f"""\
# What a reader must trust for each claim that the Coq kernel settles. A change here is a change of what is proved.
# `{RENEW}` writes it from what Coq prints of the built proofs, with Coq's own notations and none of ours; never by hand.
# In brackets: a digest of the same, printed without any notation. Unseen: what only that print names.
"""
_SECTIONS = ("Claims, with the theorem of each", "Axioms", "Theorems", "Definitions that they go back to")
_ENTRY = re.compile(r"^(\S+) \[([0-9a-f]+)\](?: with (.+))?\n((?: +\S.*\n?)*)", flags=re.MULTILINE)
_TIE = re.compile(rf"^(\S+): ((?:{PROVED_BY}|{REFUTED_BY}) \S+)$", flags=re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_][\w']*(?:\.[A-Za-z_][\w']*)+")


class UnreadablePin(BufaluError):
    """`statements.txt` is not as it was written."""


@dataclass(frozen=True)
class PinEntry:
    """What Coq prints for a constant, the digest of its print without notations, and names that stand for parts of it."""

    text: str
    digest: str
    also: tuple[str, ...] = ()

    @property
    def lines(self) -> int:
        """How many lines there are to read."""
        return self.text.count("\n") + 1

    @cached_property
    def names(self) -> frozenset[str]:
        """Every qualified name in the text."""
        return frozenset(_NAME.findall(self.text))


@dataclass(frozen=True)
class Pin:
    """What a development says: claims with `proved by` or `refuted by` their theorem, axioms, and what Coq prints."""

    ties: Mapping[str, str]
    axioms: tuple[str, ...]
    theorems: Mapping[str, PinEntry]
    definitions: Mapping[str, PinEntry]
    _owners: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Constructors are looked up by the family that they belong to."""
        owners = {name: name for name in self.definitions}
        owners.update((also, name) for name, entry in self.definitions.items() for also in entry.also)
        object.__setattr__(self, "_owners", owners)

    def surface(self, theorem: str) -> dict[str, PinEntry]:
        """What one must read to know what a theorem says: itself first, then every definition that it goes back to."""
        found = {theorem: self.theorems[theorem]}
        waiting = [theorem]
        while waiting:
            mentioned = (self._owners[name] for name in found[waiting.pop()].names if name in self._owners)
            new = dict.fromkeys(name for name in mentioned if name not in found)
            found.update((name, self.definitions[name]) for name in new)
            waiting.extend(new)
        order = [name for name in self.definitions if name in found and name != theorem]
        return {theorem: found[theorem], **{name: found[name] for name in order}}

    def theorem_of(self, claim: str) -> str | None:
        """The theorem that settles or refutes a claim."""
        return self.ties[claim].rpartition(" ")[2] if claim in self.ties else None

    def text(self) -> str:
        """The text of `statements.txt`."""
        ties = (f"{claim}: {tie}\n" for claim, tie in sorted(self.ties.items()))
        axioms = (f"{axiom}\n" for axiom in self.axioms)
        parts = (ties, axioms, map(_shown, self.theorems.items()), map(_shown, self.definitions.items()))
        sections = (f"## {title}\n\n{''.join(part)}" for title, part in zip(_SECTIONS, parts, strict=True))
        return "\n".join((_HEADER, *sections))


def _shown(named: tuple[str, PinEntry]) -> str:
    name, entry = named
    also = f" with {' '.join(entry.also)}" if entry.also else ""
    return f"{name} [{entry.digest}]{also}\n{entry.text}\n"


def read_pin(text: str) -> Pin:
    """The pin that was written; raises `UnreadablePin` if writing it again would give another text."""
    _, *parts = re.split(r"^## .*\n\n", text, flags=re.MULTILINE)
    if len(parts) != len(_SECTIONS):
        raise UnreadablePin(f"{PINNED} does not have the sections {', '.join(_SECTIONS)}; `{RENEW}` writes it")
    ties, axioms, theorems, definitions = parts
    pin = Pin(dict(_TIE.findall(ties)), tuple(axioms.split()), _entries(theorems), _entries(definitions))
    if pin.text() != text:
        raise UnreadablePin(f"{PINNED} is not as `{RENEW}` writes it")
    return pin


def _entries(text: str) -> dict[str, PinEntry]:
    return {
        name: PinEntry(block.rstrip("\n"), digest, tuple(also.split()))
        for name, digest, also, block in _ENTRY.findall(text)
    }


def first_difference(found: Pin, pinned: Pin, theorem: str) -> str | None:
    """Where a theorem, or a definition that it goes back to, is not as pinned; None if all are."""
    if theorem not in found.theorems:
        return f"{theorem} is not in the build"
    if theorem not in pinned.theorems:
        return f"{theorem} is not pinned in {PINNED}"
    now, then = found.surface(theorem), pinned.surface(theorem)
    for name in (*now, *then):
        if now.get(name) != then.get(name):
            text = now[name].text if name in now else "it no longer goes back to it"
            return f"{name} is not as pinned in {PINNED}: {' '.join(text.split())}"
    return None
