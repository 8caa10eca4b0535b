"""Proofs told again sentence by sentence, with what is left to prove after each: for people who read them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bufalu.properties.coq.asking import Conversation, conversing, sentences
from bufalu.properties.coq.building import as_one_unit, default_cache, find_coqc, once, version_of

PROVED = re.compile(
    r"^(?:Theorem|Lemma|Corollary)\s+([\w']+)((?:(?!^(?:Theorem|Lemma|Corollary|Definition|Let|Proof)\b).)*)"
    r"^(Proof\.(?:(?!\bDefined\.).)*?\bQed\.)",
    flags=re.MULTILINE | re.DOTALL,
)
"""A theorem's name, the rest of its statement, and its proof."""


@dataclass(frozen=True)
class ProofStep:
    """A sentence of a proof and what is left to prove after it; nothing, if this is not known."""

    sentence: str
    left: str = ""


def written_proofs(text: str) -> dict[str, tuple[ProofStep, ...]]:
    """The sentences of every proof in a file, by the name of what it proves."""
    return {name: tuple(map(ProofStep, sentences(proof))) for name, _, proof in PROVED.findall(text)}


def written_statements(text: str) -> dict[str, str]:
    """What a file states before each proof, as it is written."""
    return {name: f"{name}{statement}".rstrip() for name, statement, _ in PROVED.findall(text)}


def replayed(texts: Mapping[str, str], names: Collection[str]) -> dict[str, tuple[ProofStep, ...]]:
    """The proofs of these names as Coq goes through the files once; without Coq, what is left is not known."""
    compiler = find_coqc()
    if compiler is None:
        written = {name: proof for text in texts.values() for name, proof in written_proofs(text).items()}
        return {name: written[name] for name in names if name in written}
    unit = as_one_unit(texts).text

    def ask() -> str:
        with conversing(compiler) as coq:
            return json.dumps(_told(coq, unit, names))

    told, _ = once(default_cache(), ["goals", version_of(compiler), sorted(names), unit], ask)
    return {name: tuple(ProofStep(*step) for step in steps) for name, steps in json.loads(told).items()}


def _told(coq: Conversation, unit: str, names: Collection[str]) -> dict[str, list[tuple[str, str]]]:
    """All of the unit is told to Coq; it is asked what is left within the proofs of these names."""
    found: dict[str, list[tuple[str, str]]] = {}
    here = 0
    coq.ask("Set Silent.", "Set Printing Width 100.")
    for proved in PROVED.finditer(unit):
        if proved[1] in names:
            coq.ask(unit[here : proved.start(3)])
            found[proved[1]] = [(each, coq.ask(each, "Show.").strip()) for each in sentences(proved[3])]
            here = proved.end()
    return found
