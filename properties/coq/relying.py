"""What the kernel's proofs go back to, claim by claim, beside what the claims rest on by hand.

Coq follows every constant that a proof uses, down to the axioms, and names the opaque ones: the lemmas and theorems. A claim
goes back to another if the proof of its theorem uses that of the other, or a part of it where that joins several, and is
no part of its own. The walk takes about a second a theorem, so that its answer is a file, `proofs/rests.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bufalu.properties.claims import Claim
from bufalu.properties.coq.asking import OURS, Library, library
from bufalu.properties.coq.building import built, find_coqc
from bufalu.properties.coq.kernel import NO_COMPILER, built_texts, speaking, ties
from bufalu.properties.coq.theorem import Theorem
from bufalu.properties.coq.theorems import PROOFS, THEOREMS, VECTORS

RESTS = "rests.txt"
Pairs = frozenset[tuple[str, str]]
"""Claims, each with one that it rests on."""

_HEAD = """\
# What the kernel's proof for each claim goes back to: the nearest other claims whose theorems, or parts of them, it uses.
# `make rests` writes it from what Coq prints of the built proofs; never by hand.
"""
_OPAQUE = re.compile(rf"^{re.escape(OURS)}([\w'.]*[\w'])", flags=re.MULTILINE)


def everything_used(asked: Library, theorem: str) -> frozenset[str]:
    """All lemmas and theorems of ours that the proof of a theorem goes back to."""
    return frozenset(_OPAQUE.findall(asked.ask(f"Print Opaque Dependencies {OURS}{theorem}."))) - {theorem}


def between_claims(theorems: Sequence[Theorem], used: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """The nearest claims that each claim goes back to, if the proof of each theorem uses these constants."""
    places = {theorem.name: theorem.place for theorem in theorems}
    wholes = {theorem.place: {theorem.place, *(places[part] for part in theorem.parts)} for theorem in theorems}
    spoken = {claim: place for place, claims in speaking(ties(theorems)).items() if place in used for claim in claims}
    found = {
        claim: {other for other, there in spoken.items() if (wholes[there] - wholes[place]) & {*used[place]}}
        for claim, place in spoken.items()
    }
    return nearest(found)


def nearest(found: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """What each goes back to, without what one of these goes back to in its turn; two that use each other stay."""
    return {
        name: tuple(
            sorted(
                far
                for far in others
                if not any(far in found[near] and near not in found[far] for near in others if near != far)
            )
        )
        for name, others in found.items()
    }


def written(rests: Mapping[str, Iterable[str]]) -> str:
    """The text of the file."""
    return _HEAD + "".join(f"{name}: {', '.join(found)}".rstrip() + "\n" for name, found in sorted(rests.items()))


@cache
def kept(directory: Path = PROOFS) -> Mapping[str, tuple[str, ...]]:
    """What the file says."""
    lines = (directory / RESTS).read_text(encoding="utf-8").splitlines()
    pairs = [line.partition(":") for line in lines if not line.startswith("#")]
    return {name: tuple(found.replace(",", "").split()) for name, _, found in pairs}


@dataclass(frozen=True)
class HandAndKernel:
    """What claims rest on, by hand and by the kernel.

    `both`: named by hand, and the proof of the one goes back to that of the other. `by_hand`: one of the two has no theorem
    of the kernel, so that the hand alone can say it. `hand_only`: both have one, and the proof does without the other.
    `kernel_only`: the proof goes back to the other, and by hand there is no way from the one to the other.
    """

    both: Pairs
    by_hand: Pairs
    hand_only: Pairs
    kernel_only: Pairs

    def differences(self) -> list[str]:
        """Where the two do not agree, a line each."""
        kinds = (("by hand alone", self.hand_only), ("by the kernel alone", self.kernel_only))
        return [f"{kind}: {claim} rests on {support}" for kind, pairs in kinds for claim, support in sorted(pairs)]


def compared(claims: Sequence[Claim], rests: Mapping[str, Sequence[str]] | None = None) -> HandAndKernel:
    """What these claims rest on among themselves, by hand and by the kernel, as far as `rests.txt` knows their theorems."""
    kernel = kept() if rests is None else rests
    shown = {claim.id for claim in claims}
    hand = {claim.id: claim.rests_on for claim in claims}
    named = frozenset((claim, support) for claim, supports in hand.items() for support in supports)
    proved = frozenset((claim, support) for claim, support in named if claim in kernel and support in kernel)
    both = frozenset((claim, support) for claim, support in proved if support in _behind(claim, kernel))
    unwritten = frozenset(
        (claim, support)
        for claim in shown & kernel.keys()
        for support in kernel[claim]
        if support in shown and support not in _behind(claim, hand)
    )
    return HandAndKernel(both, named - proved, proved - both, unwritten)


def _behind(start: str, graph: Mapping[str, Iterable[str]]) -> set[str]:
    """All that can be reached."""
    found, waiting = set[str](), [start]
    while waiting:
        new = {*graph.get(waiting.pop(), ())} - found
        found |= new
        waiting += new
    return found


def asked_of_the_kernel() -> dict[str, tuple[str, ...]]:
    """What Coq says now of all theorems that speak for claims; takes minutes. Raises `SystemExit` without Coq."""
    compiler = find_coqc()
    if compiler is None:
        raise SystemExit(NO_COMPILER)
    theorems = [theorem for theorem in THEOREMS if theorem.file != VECTORS]
    with built(compiler, built_texts(PROOFS)) as folder, library(compiler, folder) as asked:
        used = {theorem.place: everything_used(asked, theorem.place) for theorem in theorems if theorem.claims}
    return between_claims(theorems, used)


if __name__ == "__main__":
    (PROOFS / RESTS).write_text(written(asked_of_the_kernel()), encoding="utf-8")
