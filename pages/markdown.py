"""Markdown to HTML: the one place that knows markdown-it. Headings get the anchors that GitHub gives them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bufalu.reference.errors import BufaluError


class UnknownMarkup(BufaluError):
    """A document has HTML that the site does not take."""


@dataclass(frozen=True)
class Heading:
    """A heading: its level from 1, its words, its anchor."""

    level: int
    words: str
    anchor: str


@dataclass(frozen=True)
class Fence:
    """A fenced block: the language and the rest of its first line, its text, and the line where the text begins."""

    language: str
    remark: str
    text: str
    line: int


def parse(text: str) -> list[Token]:
    """The tokens of a document: CommonMark with tables."""
    return _parser().parse(text)


def to_html(text: str, rewrite: Callable[[str], str]) -> str:
    """The document as HTML; every address of a link or an image goes through `rewrite`.

    Raises `UnknownMarkup` for HTML in the document other than a picture or a comment.
    """
    parser = _parser()
    tokens = parser.parse(text)
    anchors = iter(headings(tokens))
    for token in tokens:
        if token.type == "html_block":
            token.content = _ADDRESS.sub(lambda found: f'{found[1]}="{rewrite(found[2])}"', _picture(token))
        if token.type == "heading_open":
            token.attrSet("id", next(anchors).anchor)
        for child in token.children or ():
            for attribute in ("href", "src"):
                if (address := child.attrGet(attribute)) is not None:
                    child.attrSet(attribute, rewrite(str(address)))
    html: str = parser.renderer.render(tokens, parser.options, {})
    # A wide table scrolls by itself instead of widening the page.
    return html.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


def headings(tokens: Sequence[Token]) -> list[Heading]:
    """The headings in order, with an anchor each: a repeated one is numbered."""
    found: list[Heading] = []
    seen: dict[str, int] = {}
    for position, token in enumerate(tokens):
        if token.type == "heading_open":
            words = "".join(child.content for child in tokens[position + 1].children or ())
            anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            repeated = seen.get(anchor, 0)
            seen[anchor] = repeated + 1
            found.append(Heading(int(token.tag[1]), words, f"{anchor}-{repeated}" if repeated else anchor))
    return found


def addresses(tokens: Sequence[Token]) -> list[str]:
    """Every address that a link or an image of the document points to."""
    found: list[str] = []
    for token in tokens:
        if token.type == "html_block":
            found += [address for _, address in _ADDRESS.findall(_picture(token))]
        for child in token.children or ():
            for attribute in ("href", "src"):
                if (address := child.attrGet(attribute)) is not None:
                    found.append(str(address))
    return found


def fences(text: str) -> list[Fence]:
    """The fenced blocks of a document in order."""
    found: list[Fence] = []
    for token in parse(text):
        if token.type == "fence":
            language, _, remark = token.info.strip().partition(" ")
            first = token.map[0] + 2 if token.map is not None else 0
            found.append(Fence(language, remark.strip(), token.content, first))
    return found


def source_page(text: str) -> str:
    """A program as HTML, line for line."""
    return f"<pre><code>{escape(text)}</code></pre>"


_ADDRESS = re.compile(r'\b(src|srcset)="([^"]*)"')
_COMMENT = re.compile(r"<!--[^<>]*-->\s*")
_PICTURE = re.compile(r"<picture>\s*(<source [^<>]*>\s*)*<img [^<>]*>\s*</picture>\s*")


def _picture(token: Token) -> str:
    """The HTML of a picture, which is the only HTML that a document may have besides comments."""
    if _COMMENT.fullmatch(token.content):
        return ""
    if not _PICTURE.fullmatch(token.content):
        raise UnknownMarkup(f"HTML other than a picture in a document: {token.content[:60]!r}")
    return token.content


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": True}).enable("table").disable("html_inline")
