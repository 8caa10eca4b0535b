"""The fenced blocks of a document."""

from dataclasses import dataclass

from bufalu.pages.markdown import parse


@dataclass(frozen=True)
class Fence:
    """A fenced block: the language and the rest of its first line, its text, and the line where the text begins."""

    language: str
    remark: str
    text: str
    line: int


def fences(text: str) -> list[Fence]:
    """The fenced blocks of a document in order."""
    found: list[Fence] = []
    for token in parse(text):
        if token.type == "fence":
            language, _, remark = token.info.strip().partition(" ")
            first = token.map[0] + 2 if token.map is not None else 0
            found.append(Fence(language, remark.strip(), token.content, first))
    return found
