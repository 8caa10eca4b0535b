"""What the paper calls its parts: section numbers, and numbers of theorems, tables, figures and algorithms, by line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

KINDS = {
    "theorem": ("theorem", "Theorem"),
    "theorem-rst": ("theorem", "Theorem"),
    "lemma": ("lemma", "Lemma"),
    "proposition": ("lemma", "Proposition"),
    "proposition-rst": ("lemma", "Proposition"),
    "corollary-rst": ("lemma", "Corollary"),
    "claim": ("lemma", "Claim"),
    "remark": ("remark", "Remark"),
    "example": ("example", "Example"),
    "definition": ("definition", "Definition"),
    "algorithm": ("algorithm", "Algorithm"),
    "table": ("table", "Table"),
    "table*": ("table", "Table"),
}
"""Environments with a number: the counter they share, and the word in print."""

LEVELS = {"section": 0, "subsection": 1, "subsubsection": 2}
WORDS = re.compile(r"\\(appendix)\b|\\((?:sub)*section)\{|\\(begin|end)\{(restatable\}\{)?([\w*-]+)\}|\\(item)\b")


@dataclass
class PaperPart:
    """A numbered piece of the paper, its lines, and the lines at which its items start."""

    name: str
    first: int
    last: int = 0
    items: list[int] = field(default_factory=list)


def structure(source: list[str]) -> tuple[list[tuple[int, str]], list[PaperPart]]:
    """The sections with their first lines, and the numbered environments, in the order of the text."""
    sections: list[tuple[int, str]] = []
    parts: list[PaperPart] = []
    open_parts: list[tuple[str, PaperPart]] = []
    counters: dict[str, int] = {}
    numbers, appendix = [0, 0, 0], False
    for line, text in enumerate(source, start=1):
        for found in WORDS.finditer(re.sub(r"(?<!\\)%.*", "", text)):
            appended, heading, bracket, restated, environment, item = found.groups()
            if appended:
                numbers, appendix = [0, 0, 0], True
            elif heading:
                level = LEVELS[heading]
                numbers[level] += 1
                numbers[level + 1 :] = [0] * (2 - level)
                first = chr(ord("A") - 1 + numbers[0]) if appendix else str(numbers[0])
                sections.append((line, ".".join(["Section " + first, *map(str, numbers[1 : level + 1])])))
            elif item and open_parts:
                open_parts[-1][1].items.append(line)
            elif bracket == "begin" and environment in KINDS:
                counter, word = KINDS[environment]
                counters[counter] = counters.get(counter, 0) + 1
                part = PaperPart(f"{word} {counters[counter]}", line)
                parts.append(part)
                open_parts.append(("restatable" if restated else environment, part))
            elif bracket == "end" and open_parts and open_parts[-1][0] == environment:
                open_parts.pop()[1].last = line
    return sections, parts
