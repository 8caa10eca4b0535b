"""What the theorems say, word for word: the statements as Coq prints them, and the definitions that they use.

`proofs/statements.txt` pins both, so that a hypothesis that is added to a theorem, or hidden in a definition, is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

PINNED = "statements.txt"

_THEOREMS = "## Theorems, as Coq prints them"
_DEFINITIONS = "## Definitions that they use, and the variables of their sections, from the sources"
_HEADER = (
    "# What the catalogue of theorems says. A change here is a change of what is proved.\n"
    "# Written by `python -m bufalu.properties.coq.checks > proofs/statements.txt`, never by hand.\n"
)
_DEFINES = re.compile(r"(?:Definition|Fixpoint|Inductive|Record|Notation)\b")
_ASSUMES = re.compile(r"(?:Variables?|Hypothes[ie]s|Context|Let)\b")
_WORD = re.compile(r"[A-Za-z_][\w']*")


@dataclass(frozen=True)
class Statements:
    """Statements by theorem, and the text of definitions by the place where they stand, `File.v: name`."""

    theorems: Mapping[str, str]
    definitions: Mapping[str, str]

    def text(self) -> str:
        """The text of `statements.txt`."""
        theorems = "\n".join(f"{name}\n{statement}" for name, statement in self.theorems.items())
        definitions = "\n".join(f"{place}\n  {text}" for place, text in self.definitions.items())
        return f"{_HEADER}\n{_THEOREMS}\n\n{theorems}\n\n{_DEFINITIONS}\n\n{definitions}\n"


def read_pinned(text: str) -> Statements:
    """The statements in the text of `statements.txt`."""
    theorems, _, definitions = text.partition(_DEFINITIONS)
    return Statements(
        _entries(theorems.partition(_THEOREMS)[2]), {k: v.strip() for k, v in _entries(definitions).items()}
    )


def printed_statements(output: str) -> dict[str, str]:
    """The statements that Coq printed for `Check` commands, by the name of the theorem."""
    return {name.lstrip("@").rpartition(".")[2]: statement for name, statement in _entries(output).items()}


def _entries(text: str) -> dict[str, str]:
    """Indented blocks by the line above each."""
    found = re.findall(r"^(\S[^\n]*)\n((?:[ \t]+[^\n]*\n?)+)", text, flags=re.MULTILINE)
    return {name.strip(): block.rstrip() for name, block in found}


def used_definitions(sources: Mapping[str, str], statements: Iterable[str]) -> dict[str, str]:
    """The definitions of the sources whose names occur in the statements, or in definitions found so, and so on.

    With them come the variables and hypotheses of the sections that they stand in, which are part of their meaning.
    """
    known = [passage for name, text in sources.items() for passage in _passages(name, text)]
    words = {word for statement in statements for word in _WORD.findall(statement)}
    used: dict[str, str] = {}
    growing = True
    while growing:
        growing = False
        for passage in known:
            if passage.place not in used and words & passage.names:
                used[passage.place] = passage.text
                words.update(_WORD.findall(passage.text))
                growing = True
    order = [passage.place for passage in known]
    return dict(sorted(used.items(), key=lambda each: order.index(each[0])))


@dataclass(frozen=True)
class _Passage:
    """A definition with the context of its sections before it, and the names that it introduces."""

    place: str
    text: str
    names: frozenset[str]


def _passages(file: str, text: str) -> list[_Passage]:
    """The definitions of one file, each with what its sections assume before it."""
    code = re.sub(r"\(\*.*?\*\)", " ", text, flags=re.DOTALL)
    sentences = [" ".join(sentence.split()) for sentence in re.split(r"\.(?=\s|$)", code)]
    sections: list[tuple[str, list[str]]] = []
    found: list[_Passage] = []
    for index, sentence in enumerate(sentences):
        word, _, rest = sentence.partition(" ")
        if word == "Section":
            sections.append((rest, []))
        elif word == "End" and sections and sections[-1][0] == rest:
            sections.pop()
        elif _ASSUMES.match(sentence) and sections:
            sections[-1][1].append(sentence)
        elif _DEFINES.match(sentence):
            # a definition without := is given by tactics, up to Defined
            last = index if ":=" in sentence else sentences.index("Defined", index)
            context = [assumed for _, section in sections for assumed in section]
            name = _WORD.findall(rest)[0]
            defined = ". ".join((*context, *sentences[index : last + 1])) + "."
            found.append(_Passage(f"{file}: {name}", defined, _introduced(name, sentence)))
    return found


def _introduced(name: str, sentence: str) -> frozenset[str]:
    """The name of a definition, with the constructors of an inductive and the fields of a record."""
    names = {name}
    if sentence.startswith("Inductive"):
        names.update(re.findall(r"\|\s*(\w+)", sentence))
    if sentence.startswith("Record"):
        head, _, body = sentence.partition("{")
        names.update(re.findall(r":=\s*(\w+)", head))
        names.update(re.findall(r"(?:^|;)\s*(\w+)\s*:", body))
    return frozenset(names)
