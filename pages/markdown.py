"""Markdown to HTML: the one place that knows markdown-it. Headings get the anchors that GitHub gives them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import pairwise
from pathlib import PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from bufalu.pages.mathematics import plain, typeset
from bufalu.reference.errors import BufaluError


class UnknownMarkup(BufaluError):
    """A document has HTML that the site does not take."""


@dataclass(frozen=True)
class Heading:
    """A heading: its level from 1, its words, its anchor."""

    level: int
    words: str
    anchor: str


@lru_cache(maxsize=256)  # a site asks four times: for the title, the links, the index and the contents of a page
def parse(text: str) -> tuple[Token, ...]:
    """The tokens of a document: CommonMark with tables. They are shared: nobody changes them."""
    return tuple(_parser().parse(text))


def to_html(text: str, rewrite: Callable[[str], str]) -> str:  # noqa: C901 - one branch for each kind of token
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
        elif token.type == "fence" and token.info.strip() == "math":
            token.type, token.content = "html_block", f'<div class="formula">{typeset(token.content.strip())}</div>'
        for child in token.children or ():
            for attribute in ("href", "src"):
                if (address := child.attrGet(attribute)) is not None:
                    child.attrSet(attribute, rewrite(str(address)))
        if token.children:
            _typeset_inline(token.children)
    for cell, words in pairwise(tokens):
        if cell.type == "td_open":
            _let_names_break(words.children or ())
    _label_cells(tokens)
    html: str = parser.renderer.render(tokens, parser.options, {})
    # A wide table scrolls by itself instead of widening the page.
    return re.sub(r"(<table[^>]*>)", r'<div class="wide">\1', html).replace("</table>", "</table></div>")


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


def source_page(text: str, name: str) -> str:
    """A program as HTML, line for line, in colours where the ending of its name says what it is."""
    endings = {
        ".py": "python",
        ".js": "javascript",
        ".c": "c",
        ".json": "json",
        ".toml": "toml",
        ".v": "coq",
        ".sh": "bash",
    }
    return f"<pre><code>{highlighted(text, endings.get(PurePosixPath(name).suffix, ''))}</code></pre>"


def _typeset_inline(children: Sequence[Token]) -> None:
    """Formulas inside a line: code between two dollar signs, as GitHub has it."""
    for before, code, after in zip(children, children[1:], children[2:], strict=False):
        dollars = before.content.endswith("$") and after.content.startswith("$")
        if code.type == "code_inline" and before.type == after.type == "text" and dollars:
            before.content, after.content = before.content[:-1], after.content[1:]
            code.meta["plain"] = plain(code.content)
            code.type, code.content = "html_inline", typeset(code.content, "inline")


def _label_cells(tokens: Sequence[Token]) -> None:
    """In a table of several columns with long rows each cell carries its column's name: a narrow screen shows such rows as
    lists.
    """
    columns: list[str] = []
    cells: list[tuple[Token, int]] = []
    table, column, length, longest = None, 0, 0, 0
    for token, words in pairwise(tokens):
        if token.type == "table_open":
            table, columns, cells, longest = token, [], [], 0
        elif token.type == "th_open":
            columns.append(_words(words))
        elif token.type == "tr_open":
            column, length = 0, 0
        elif token.type == "td_open":
            cells.append((token, column))
            column, length = column + 1, length + len(_words(words))
            longest = max(longest, length)
        elif token.type == "tbody_close" and table is not None and len(columns) >= SEVERAL and longest > SHORT:
            table.attrSet("class", "several")
            for cell, place in cells:
                cell.attrSet("data-label", columns[place])


def _words(inline: Token) -> str:
    """What a cell says, its formulas as text."""
    return "".join(child.meta.get("plain", child.content) for child in inline.children or ())


def _let_names_break(children: Sequence[Token]) -> None:
    """A long name in a cell breaks after a dot or an underscore, not inside a word."""
    for code in children:
        if code.type == "code_inline":
            name = re.sub(r"([._])", r"\1<wbr>", escape(code.content))
            code.type, code.content = "html_inline", f"<code>{name}</code>"


@lru_cache(maxsize=1024)  # a second site of one process has the same sources
def highlighted(code: str, language: str) -> str:
    """Program text as HTML with classes for colours; plain where the language is not known."""
    try:
        lexer = get_lexer_by_name({"jsonl": "json"}.get(language, language), stripnl=False)
    except ClassNotFound:
        return escape(code)
    # The container is the caller's.
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))


def highlight_style() -> str:
    """The colours of program text, light and dark."""
    light, dark = (_style_rules(name) for name in ("default", "github-dark"))
    plain = "pre { line-height: 125%; }"
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n".replace(plain, "")


def _style_rules(name: str) -> str:
    # The library's own types leave this method without any.
    rules: Callable[[str], str] = HtmlFormatter(style=name).get_style_defs
    return rules("pre")


SEVERAL = 3
"""Columns of a table from which on a narrow screen has no room for them side by side, unless its rows are short."""

SHORT = 60
"""A row of no more letters stays a row on a narrow screen."""

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
    shown = {"html": True, "highlight": lambda code, language, _: highlighted(code, language)}
    return MarkdownIt("commonmark", shown).enable("table").disable("html_inline")
