"""The search of the site: an index written beside the pages, since a page opened from the disk can fetch nothing."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from html import unescape

from markdown_it.token import Token

from bufalu.pages.markdown import headings, parse
from bufalu.pages.mathematics import spoken

LONGEST = 600
"""How many characters of a section are indexed: tables of hundreds of rows would make the index larger than the site."""

LONGEST_TABLE = 20_000


@dataclass(frozen=True)
class SearchEntry:
    """A section that can be found: the page it is on, its heading, where it leads, and its words."""

    page: str
    heading: str
    address: str
    words: str


def entries(text: str, title: str, address: str) -> list[SearchEntry]:
    """The sections of a document; a long table is found by what its rows say."""
    tokens = parse(text)
    anchors = iter(headings(tokens))
    found: list[SearchEntry] = []
    heading, anchor, words = title, "", [""]
    for position, token in enumerate(tokens):
        if token.type == "heading_open":
            _keep(found, SearchEntry(title, heading, f"{address}{anchor}", " ".join(words)))
            here = next(anchors)
            heading, anchor, words = here.words, f"#{here.anchor}", []
        elif token.type == "inline" and tokens[position - 1].type != "heading_open":
            words.append(_plain(token))
        elif token.type == "fence" and token.info.strip() != "math":
            words.append(re.sub(r"^\$ ", "", token.content, flags=re.MULTILINE))
    _keep(found, SearchEntry(title, heading, f"{address}{anchor}", " ".join(words)))
    return found


def _keep(found: list[SearchEntry], entry: SearchEntry) -> None:
    words = re.sub(r"\s+", " ", entry.words).strip()
    if words or entry.address.count("#"):
        longest = LONGEST_TABLE if entry.page.startswith("Errata") else LONGEST
        found.append(SearchEntry(entry.page, entry.heading, entry.address, words[:longest]))


def words_of(html: str) -> str:
    """The words of a page that is no document."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html))).strip()[:LONGEST_TABLE]


def _plain(token: Token) -> str:
    """The words of a line; a formula, which is code between two dollar signs, as it would be said."""
    children = token.children or []
    words = [child.content or " " for child in children]
    for at in range(1, len(children) - 1):
        dollars = words[at - 1].endswith("$") and words[at + 1].startswith("$")
        if children[at].type == "code_inline" and dollars:
            words[at - 1 : at + 2] = words[at - 1][:-1], spoken(words[at]), words[at + 1][1:]
    return "".join(words)


def index_script(found: list[SearchEntry]) -> str:
    """The index as a script, which a page may load from the disk."""
    text = json.dumps([asdict(entry) for entry in found], ensure_ascii=False, separators=(",", ":"))
    return f"window.bufaluIndex = {text.replace('<', chr(92) + 'u003c')};\n"
