"""Pages of the site for the theorems of the kernel: what each says, in words and in Coq, what one must read to believe it,
which claims it serves, what uses it, and its proof, with what is left to prove after every sentence if Coq is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape

from bufalu.pages.mathematics import typeset
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
    yield INDEX, TITLES[INDEX], _index()
    yield DEFINITIONS, TITLES[DEFINITIONS], _definitions()
    for theorem in _SHOWN:
        used_by = [name for name, used in uses.items() if theorem.name in used]
        body = _statement(theorem) + _links("Its proof uses", uses[theorem.name]) + _links("Used by", used_by)
        yield f"{FOLDER}/{theorem.name}", _title(theorem), body + _proof(proofs.get(theorem.name, ()))


def _written(texts: Mapping[str, str]) -> dict[str, tuple[ProofStep, ...]]:
    return {name: proof for text in texts.values() for name, proof in written_proofs(text).items()}


def _title(theorem: Theorem) -> str:
    return theorem.name.replace("_", " ").capitalize()


def _uses(theorem: Theorem, proofs: Mapping[str, tuple[ProofStep, ...]], names: set[str]) -> list[str]:
    """The theorems of the catalogue that are named in its proof, or that it joins: by their names, as they are written."""
    words = {word for step in proofs.get(theorem.name, ()) for word in re.findall(r"[\w']+", step.sentence)}
    return [each.name for each in _SHOWN if each.name in words & names or each.name in theorem.parts]


def _index() -> str:
    rows = "".join(
        f'<tr><td data-label="theorem"><a href="{theorem.name}.html">{escape(_title(theorem))}</a></td>'
        f'<td data-label="paper">{escape(theorem.lines)}</td>'
        f'<td data-label="claims">{", ".join(map(escape, theorem.claims))}</td></tr>'
        for theorem in _SHOWN
    )
    return (
        f"<h1>{TITLES[INDEX]}</h1><p>Accepted by the kernel of Coq; <a href='../docs/proofs.html'>what PROVED means</a>.</p>"
        '<div class="wide"><table class="several"><thead><tr><th>theorem</th><th>paper</th><th>claims</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _definitions() -> str:
    entries = pinned().definitions.items()
    texts = (f'<h3 id="{escape(name)}">{escape(name)}</h3><pre>{escape(entry.text)}</pre>' for name, entry in entries)
    return f"<h1>{TITLES[DEFINITIONS]}</h1><p>As Coq prints them, with no notation of ours.</p>{''.join(texts)}"


def _statement(theorem: Theorem) -> str:
    claims = "".join(
        f"<li><code>{escape(claim)}</code>{' (as printed, refuted)' if claim in theorem.refutes else ''}: "
        f'{escape(BY_ID[claim].statement)}<div class="formula">{typeset(BY_ID[claim].latex)}</div></li>'
        for claim in theorem.claims
    )
    served = f"<h2>Claims that it serves</h2><ul>{claims}</ul>" if claims else "<p>It supports other theorems.</p>"
    return (
        f"<h1>{escape(_title(theorem))}</h1><p>In words: {escape(theorem.says)}.</p>"
        f"<p>Paper: {escape(theorem.lines)}. Against the print: {escape(theorem.differs)}. "
        f"In <code>proofs/{theorem.file}</code>.</p>"
        f"{served}<h2>In Coq</h2>{_in_coq(theorem)}"
    )


def _in_coq(theorem: Theorem) -> str:
    """As Coq prints it, with what it goes back to; a theorem that speaks for no claim alone, as it is written."""
    if theorem.place not in pinned().theorems:
        return f"<pre>{escape(_stated(theorem.file)[theorem.name])}</pre>"
    surface = pinned().surface(theorem.place)
    _, *definitions = surface
    links = ", ".join(
        f'<a href="definitions.html#{escape(name)}"><code>{escape(name)}</code></a>' for name in definitions
    )
    lines = sum(entry.lines for entry in surface.values())
    return (
        f"<pre>{escape(surface[theorem.place].text)}</pre><p>Lines to read: {lines}. Definitions that it goes "
        f"back to: {len(definitions)}{': ' if links else ''}{links}.</p>"
    )


@cache
def _stated(file: str) -> dict[str, str]:
    return written_statements((PROOFS / file).read_text(encoding="utf-8"))


def _links(words: str, names: list[str]) -> str:
    # In words: a name of seventy letters without a space is wider than a telephone.
    links = ", ".join(f'<a href="{name}.html">{escape(name.replace("_", " "))}</a>' for name in names)
    return f"<p>{words}: {links}.</p>" if links else ""


def _proof(steps: tuple[ProofStep, ...]) -> str:
    """The proof; each sentence unfolds to what is left after it, where that is known."""
    if not any(step.left for step in steps):
        text = "\n".join(step.sentence for step in steps)
        return f"<h2>Proof</h2><pre>{escape(text)}</pre>" if steps else ""
    told = "".join(
        f"<details><summary><code>{escape(step.sentence)}</code></summary><pre>{escape(step.left)}</pre></details>"
        if step.left
        else f"<p><code>{escape(step.sentence)}</code></p>"
        for step in steps
    )
    return f"<h2>Proof, with what is left to prove after each sentence</h2>{told}"
