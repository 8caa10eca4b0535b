"""The documentation as a static site: README, docs/ and the pages for contributors, and the sources that they point to.

`python -m bufalu.pages.site` writes it to site/; nothing is fetched, and the pages open from the disk.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path, PurePosixPath

from markupsafe import Markup

from bufalu.pages.api_page import api_page
from bufalu.pages.assets import asset
from bufalu.pages.command_page import command_page
from bufalu.pages.gallery import write_gallery
from bufalu.pages.markdown import Heading, addresses, headings, highlight_style, parse, source_page, to_html
from bufalu.pages.mathematics import font_face
from bufalu.pages.site_search import SearchEntry, entries, index_script, words_of
from bufalu.pages.templates import rendered
from bufalu.pages.theorem_pages import TITLES, theorem_pages
from bufalu.reference.errors import BufaluError

GROUPS: dict[str, tuple[str, ...]] = {
    "Start": ("README.md", "docs/bufalu.md", "docs/quickstart.md", "docs/words.md"),
    "Look": ("gallery/index", "gallery/errata"),
    "Compare": ("docs/studies.md",),
    "Plan": ("docs/bounds.md", "docs/dial.md", "docs/pairs.md"),
    "Check": ("docs/tutorial-conformance.md", "docs/ci.md", "docs/wild.md"),
    "Live": ("docs/live.md", "docs/tutorial-which-prompt.md", "docs/tutorial-shell.md"),
    "Audit": ("docs/tutorial-own-claim.md", "docs/tutorial-own-interval.md", "docs/tutorial-own-policy.md"),
    "Reference": (
        "docs/commands.md",
        "docs/api.md",
        "docs/inputs.md",
        "docs/trace-format.md",
        "docs/protocol.md",
        "docs/speed.md",
    ),
    "Trust": (
        "docs/soundness.md",
        "docs/errata.md",
        "docs/proofs.md",
        "theorems/index",
        "theorems/definitions",
        "docs/solvers.md",
        "docs/mutants.md",
        "docs/reach.md",
        "docs/reproduction.md",
        "docs/paper-to-code.md",
    ),
}
"""The navigation in the order that a newcomer takes; what is named here and not there is left out."""

REST, CONTRIBUTE = "More", "Contribute"
LAST = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
"""The pages that come last, where the repository has them."""

GALLERY = {"gallery/index": "Gallery", "gallery/errata": "Errata with witnesses", **TITLES}
"""Pages that are computed, and no document of the repository."""

MADE = {"docs/api.md": cache(api_page), "docs/commands.md": cache(command_page)}
"""Documents that are written when the site is built, and not kept in the repository."""

SECTION, LONG, VERY_LONG = 2, 4, 50_000
"""The level of a section's heading; from how many sections, or with two from how many characters on, a page lists them."""

COPIED = frozenset({".svg", ".png", ".html", ".json"})
"""What is copied as it is. Other files that a page points to are shown as text."""


class BrokenLink(BufaluError):
    """A page points to a file or a heading that is not there."""


def build(root: Path, out: Path, *, gallery: bool = True, goals: bool = False) -> list[Path]:
    """Writes the whole site below `out` and returns its pages; raises `BrokenLink` if one points nowhere.

    Without the gallery and the theorems nothing is computed, and the site is there in a second or two. With `goals`
    Coq tells what is left to prove after every sentence of every proof.
    """
    sources = documents(root)
    links = {source: targets(root, source) for source in sources}
    names = {source: title(root, source) for source in sources}
    if gallery:
        names |= GALLERY
    written: list[Path] = []
    found: list[SearchEntry] = []
    for source in sources:
        text = text_of(root, source)

        def rewrite(address: str, source: str = source) -> str:
            return address_in_site(source, address)

        body = with_contents(to_html(text, rewrite), headings(parse(text)), source)
        written.append(_write(out, source, names, body))
        found += entries(text, names[source], page_of(source))
    for name, body in (write_gallery(out / "gallery") if gallery else {}).items():
        source = f"gallery/{name}"
        written.append(_write(out, source, names, body))
        found.append(SearchEntry(names[source], names[source], page_of(source), words_of(body)))
    for place, name, body in theorem_pages(goals=goals) if gallery else ():
        written.append(_write(out, place, {**names, place: name}, body))
        found.append(SearchEntry("Theorem", name, page_of(place), ""))
    for target in sorted(set().union(*links.values()) - set(sources)):
        copy = out / page_of(target)
        if PurePosixPath(target).suffix in COPIED:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / target, copy)
        else:
            text = (root / target).read_text(encoding="utf-8")
            body = source_page(text, target)
            written.append(_write(out, target, {**names, target: target}, body, is_source=True))
    (out / "search-index.js").write_text(index_script(found), encoding="utf-8")
    (out / "site.js").write_text(asset("site.js"), encoding="utf-8")
    style = font_face() + highlight_style() + asset("common.css") + asset("site.css")
    (out / "site.css").write_text(style, encoding="utf-8")
    return written


def with_contents(html: str, found: Sequence[Heading], source: str = "") -> str:
    """The page with a list of its sections below the title, if it has many; what stands in a section beside it, in small.

    The first page has none: there one reads on.
    """
    sections = [heading for heading in found if heading.level == SECTION]
    few = 2 if len(html) > VERY_LONG else LONG
    if len(sections) < few or source == "README.md":
        return html
    listed: list[tuple[Heading, list[Heading]]] = []
    for heading in found:
        if heading.level == SECTION:
            listed.append((heading, []))
        elif heading.level == SECTION + 1 and listed:
            listed[-1][1].append(heading)
    title, end, rest = html.partition("</h1>")
    return title + end + rendered("contents.html", sections=listed).rstrip() + rest


def documents(root: Path) -> list[str]:
    """The documents as paths in the repository, in the order of the navigation."""
    pages = sorted({*MADE, *(path.relative_to(root).as_posix() for path in (root / "docs").rglob("*.md"))})
    found = ["README.md", *pages, *(name for name in LAST if (root / name).is_file())]
    first = [name for group in GROUPS.values() for name in group if name in found]
    return first + [name for name in found if name not in first]


def text_of(root: Path, source: str) -> str:
    """A document's Markdown: made here, or read."""
    return MADE[source]() if source in MADE else (root / source).read_text(encoding="utf-8")


def title(root: Path, source: str) -> str:
    """The first heading of a document; raises `BrokenLink` for one without."""
    found = headings(parse(text_of(root, source)))
    if not found:
        raise BrokenLink(f"{root / source} has no heading")
    return found[0].words


def page_of(source: str) -> str:
    """Where a file of the repository stands in the site."""
    if source == "README.md":
        return "index.html"
    if source in GALLERY:
        return f"{source}.html"
    path = PurePosixPath(source)
    if path.suffix == ".md":
        return str(path.with_suffix(".html"))
    return source if path.suffix in COPIED else f"{source}.html"


def is_outside(address: str) -> bool:
    """Whether an address leaves the repository."""
    return address.startswith(("http://", "https://", "mailto:"))


def target_of(source: str, address: str) -> str:
    """The file of the repository that a relative address in `source` means."""
    path, _, _ = address.partition("#")
    if not path:
        return source
    return os.path.normpath(PurePosixPath(source).parent / path).replace(os.sep, "/")


def targets(root: Path, source: str) -> set[str]:
    """The files that a document points to; raises `BrokenLink` unless each one, and each heading, is there."""
    found: set[str] = set()
    for address in addresses(parse(text_of(root, source))):
        if is_outside(address):
            continue
        target = target_of(source, address)
        if target.startswith("..") or not (target in MADE or (root / target).is_file()):
            raise BrokenLink(f"{source} points to {address}, and there is no such file")
        _, _, anchor = address.partition("#")
        if anchor and target.endswith(".md"):
            there = headings(parse(text_of(root, target)))
            if anchor not in {heading.anchor for heading in there}:
                raise BrokenLink(f"{source} points to {address}, and {target} has no such heading")
        found.add(target)
    return found


def address_in_site(source: str, address: str) -> str:
    """A relative address of a document, rewritten for its page."""
    if is_outside(address) or address.startswith("#"):
        return address
    _, mark, anchor = address.partition("#")
    here = PurePosixPath(page_of(source)).parent
    return _relative(page_of(target_of(source, address)), here) + mark + anchor


def grouped(names: dict[str, str]) -> dict[str, list[str]]:
    """The pages of the navigation by group: what no group names comes before the pages for contributors."""
    known = {name for group in GROUPS.values() for name in group}
    groups = {title: [name for name in group if name in names] for title, group in GROUPS.items()}
    others = [name for name in names if name not in known]
    groups[REST] = [name for name in others if name.startswith("docs/") and "/contributing/" not in name]
    groups[CONTRIBUTE] = [name for name in others if name not in groups[REST] and name.endswith(".md")]
    return {title: group for title, group in groups.items() if group}


def navigation(names: dict[str, str], current: str) -> dict[str, list[dict[str, object]]]:
    """Every page's address and name, by group, the current one marked."""
    here = PurePosixPath(page_of(current)).parent
    return {
        heading: [
            {"address": _relative(page_of(source), here), "name": names[source], "current": source == current}
            for source in group
        ]
        for heading, group in grouped(names).items()
    }


def _relative(page: str, here: PurePosixPath) -> str:
    return os.path.relpath(page, here).replace(os.sep, "/")


def main(arguments: Sequence[str] | None = None) -> int:
    """Builds the site of the repository in the current folder; 2 with one clear line if that fails."""
    parser = argparse.ArgumentParser(prog="python -m bufalu.pages.site", description="Build the documentation.")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("site"), help="folder (default: site)")
    parser.add_argument(
        "--goals", action="store_true", help="let Coq tell what is left after each sentence of a proof"
    )
    chosen = parser.parse_args(arguments)
    try:
        pages = build(Path(), chosen.out, goals=chosen.goals)
    except (BufaluError, OSError) as problem:
        print(f"site: {problem}", file=sys.stderr)
        return 2
    print(f"{len(pages)} pages; open {chosen.out / 'index.html'}")
    return 0


def _write(out: Path, source: str, names: dict[str, str], body: str, *, is_source: bool = False) -> Path:
    page = out / page_of(source)
    page.parent.mkdir(parents=True, exist_ok=True)
    up = "../" * (len(PurePosixPath(page_of(source)).parts) - 1)
    filled = rendered(
        "site.html",
        up=up,
        title=names[source],
        navigation=navigation(names, source),
        body=Markup(body),
        is_source=is_source,
    )
    page.write_text(filled, encoding="utf-8")
    return page


if __name__ == "__main__":
    sys.exit(main())
