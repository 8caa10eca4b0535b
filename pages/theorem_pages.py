"""Pages of the site for the theorems of the kernel: what each says, in words and in Coq, what one must read to believe it,
which claims it serves, what uses it, and its proof, with what is left to prove after every sentence if Coq is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from bufalu.pages.mathematics import formula
from bufalu.pages.templates import rendered
from bufalu.properties.claims import BY_ID
from bufalu.properties.coq.kernel import pinned
from bufalu.properties.coq.replaying import ProofStep, replayed, written_proofs, written_statements
from bufalu.properties.coq.theorem import Theorem
from bufalu.properties.coq.theorems import PROOFS, THEOREMS, VECTORS, written_texts

FOLDER = "theorems"
INDEX, DEFINITIONS = f"{FOLDER}/index", f"{FOLDER}/definitions"
TITLES = {INDEX: "Theorems of the kernel", DEFINITIONS: "Definitions behind the theorems"}

_SHOWN = tuple(theorem for theorem in THEOREMS if theorem.file != VECTORS)


def theorem_pages(*, goals: bool) -> Iterator[tuple[str, str, str]]:
    """Place, title and text of each page: the index, the definitions, and one page for each theorem.

    With `goals` Coq goes through all proofs once, which takes it as long as a build.
    """
    texts = written_texts(PROOFS)
    names = {theorem.name for theorem in _SHOWN}
    proofs = replayed(texts, names) if goals else _written(texts)
    uses = {theorem.name: _uses(theorem, proofs, names) for theorem in _SHOWN}
    yield INDEX, TITLES[INDEX], rendered("theorems.html", title=TITLES[INDEX], theorems=_SHOWN, words=_words)
    yield (
        DEFINITIONS,
        TITLES[DEFINITIONS],
        rendered("definitions.html", title=TITLES[DEFINITIONS], definitions=pinned().definitions),
    )
    for theorem in _SHOWN:
        used_by = [name for name, used in uses.items() if theorem.name in used]
        body = _page(theorem, proofs.get(theorem.name, ()), uses[theorem.name], used_by)
        yield f"{FOLDER}/{theorem.name}", _words(theorem.name), body


def _written(texts: Mapping[str, str]) -> dict[str, tuple[ProofStep, ...]]:
    return {name: proof for text in texts.values() for name, proof in written_proofs(text).items()}


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _uses(theorem: Theorem, proofs: Mapping[str, tuple[ProofStep, ...]], names: set[str]) -> list[str]:
    """The theorems of the catalogue that are named in its proof, or that it joins: by their names, as they are written."""
    words = {word for step in proofs.get(theorem.name, ()) for word in re.findall(r"[\w']+", step.sentence)}
    return [each.name for each in _SHOWN if each.name in words & names or each.name in theorem.parts]


def _page(theorem: Theorem, steps: tuple[ProofStep, ...], uses: list[str], used_by: list[str]) -> str:
    """As Coq prints it, with what it goes back to; a theorem that speaks for no claim alone, as it is written."""
    pin = pinned()
    surface = pin.surface(theorem.place) if theorem.place in pin.theorems else {}
    return rendered(
        "theorem.html",
        theorem=theorem,
        title=_words(theorem.name),
        claims=BY_ID,
        typeset=formula,
        stated=surface[theorem.place].text if surface else _stated(theorem.file)[theorem.name],
        surface=surface,
        definitions=[*surface][1:],
        uses=uses,
        used_by=used_by,
        steps=steps,
        replayed=any(step.left for step in steps),
    )


@cache
def _stated(file: str) -> dict[str, str]:
    return written_statements((PROOFS / file).read_text(encoding="utf-8"))
