"""The map from the paper to the code, written from the registry, the checks and the docstrings: docs/paper-to-code.md.

`python -m bufalu.pages.paper_map` writes it; a test compares it with the file.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from bufalu.pages.errata_page import errata_page
from bufalu.properties.audit.collecting import collect
from bufalu.properties.claims import CLAIMS, Claim
from bufalu.properties.claims.evidence import Check, EvidenceKind
from bufalu.properties.coq.theorems import THEOREMS, VECTORS
from bufalu.reference.errors import BufaluError

ROOMS = ("reference", "bounds", "doubles", "law", "oracle", "experiments")
"""The rooms whose docstrings name lines of the paper; those of `properties` are reached through the claims."""

INTRODUCTION = """\
# From the paper to the code

Line numbers, as in l.421, are lines of the paper's source. This page is written by `make map` from the claim registry, the
checks and the docstrings, and a test fails when it is stale. What the verdicts mean is said in
[soundness.md](soundness.md), what is wrong in the paper in [errata.md](errata.md); `bufalu audit --only ID` shows the
evidence for a claim.
"""

LINES = re.compile(r"\bl\.(\d+)(?:-\d+)?")
PLACES = re.compile(r"\s\(l\.\d+(?:-\d+)?(?:, l\.\d+(?:-\d+)?)*\)")
"""Lines in brackets, which the table has in a column of their own."""


class IncompleteCollection(BufaluError):
    """Some checks cannot be loaded here, so that the map would miss them."""


@dataclass(frozen=True)
class Definition:
    """Something public whose docstring names lines of the paper."""

    first_line: int
    place: str
    name: str
    path: str
    summary: str


def paper_map(root: Path) -> str:
    """The page as Markdown; `root` is the repository.

    Raises `IncompleteCollection` where a package is missing which some checks need.
    """
    return "\n".join([INTRODUCTION, *_definitions_part(root), *_claims_part(), *_theorems_part()])


def pages(root: Path) -> dict[Path, str]:
    """Every page of docs/ that is written from the code, with its text."""
    docs = root / "docs"
    return {
        docs / "paper-to-code.md": paper_map(root),
        docs / "errata.md": errata_page(),
    }


def definitions(root: Path) -> list[Definition]:
    """What the rooms define from the paper, in the order of the paper's lines."""
    found = [
        definition
        for room in ROOMS
        for path in sorted((root / room).rglob("*.py"))
        for definition in definitions_in(path.read_text(encoding="utf-8"), path.relative_to(root).as_posix())
    ]
    return sorted(found, key=lambda each: (each.first_line, each.path, each.name))


def definitions_in(source: str, path: str) -> Iterator[Definition]:
    """What one module defines from the paper: the module itself, public classes, functions and methods."""
    tree = ast.parse(source)
    yield from _definition(tree, "", path)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield from _definition(node, node.name, path)
            for inner in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                    yield from _definition(inner, f"{node.name}.{inner.name}", path)


def sources_by_check() -> dict[str, str]:
    """For every check the path of the module that has it."""
    gathered = collect()
    for module, reason in gathered.missing.items():
        raise IncompleteCollection(f"{module} cannot be loaded: {reason}")
    return {
        check.name: _module_of(check.run).removeprefix("bufalu.").replace(".", "/") + ".py"
        for check in gathered.checks
    }


def _module_of(function: Callable[..., object]) -> str:
    return _module_of(function.func) if isinstance(function, partial) else function.__module__


def _definition(node: ast.Module | ast.FunctionDef | ast.ClassDef, name: str, path: str) -> Iterator[Definition]:
    text = ast.get_docstring(node) or ""
    places = list(LINES.finditer(text))
    if places:
        summary = PLACES.sub("", re.split(r"(?<=\.)\s", " ".join(text.split()))[0]).rstrip(".")
        place = ", ".join(dict.fromkeys(match.group() for match in places))
        yield Definition(min(int(match.group(1)) for match in places), place, name, path, summary)


def _definitions_part(root: Path) -> Iterator[str]:
    yield "## Definitions and formulas\n"
    yield "| paper | code | in | says |\n|---|---|---|---|"
    for each in definitions(root):
        name = f"`{each.name}`" if each.name else "the module"
        yield f"| {each.place} | {name} | {_link(each.path)} | {_cell(each.summary)} |"
    yield ""


def _claims_part() -> Iterator[str]:
    paths = sources_by_check()
    checks = collect().checks
    yield "## Claims and their checks\n"
    yield "*Least* is the least verdict that the audit must reach for the claim.\n"
    for section, claims in groupby(CLAIMS, key=lambda claim: claim.section):
        yield f"### {section.value}\n"
        yield "| claim | paper | statement | least | checks |\n|---|---|---|---|---|"
        for claim in claims:
            mine = [check for check in checks if claim.id in check.claims]
            yield _claim_row(claim, mine, paths)
        yield ""


def _claim_row(claim: Claim, checks: list[Check], paths: dict[str, str]) -> str:
    groups = []
    for path, group in groupby(sorted(checks, key=lambda check: paths[check.name]), key=lambda c: paths[c.name]):
        kinds: dict[EvidenceKind, int] = {}
        for check in group:
            kinds[check.kind] = kinds.get(check.kind, 0) + 1
        told = ", ".join(kind.value if count == 1 else f"{kind.value} ({count})" for kind, count in kinds.items())
        groups.append(f"{told} in {_link(path)}")
    number = f" ({claim.erratum.number})" if claim.erratum is not None else ""
    shown = "; ".join(groups) or "none"
    return f"| `{claim.id}`{number} | {claim.place} | {_cell(claim.statement)} | {claim.expected.value} | {shown} |"


def _theorems_part() -> Iterator[str]:
    yield "## Theorems of the Coq development\n"
    yield "| theorem | in | paper | says | differs from print |\n|---|---|---|---|---|"
    for theorem in THEOREMS:
        file = _link("properties/coq/vectors.py" if theorem.file == VECTORS else f"proofs/{theorem.file}")
        parts = ", ".join(f"`{part}`" for part in theorem.parts)
        says, differs = (f"together: {parts}", "as they do") if parts else map(_cell, (theorem.says, theorem.differs))
        yield f"| `{theorem.name}` | {file} | {_cell(theorem.lines)} | {says} | {differs} |"
    yield ""


def _link(path: str) -> str:
    return f"[{path}](../{path})"


def _cell(text: str) -> str:
    """Text that Markdown leaves alone inside a table."""
    return re.sub(r"([\\|*_<\[\]^])", r"\\\1", text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the pages into the repository in the current folder; 2 with one clear line if that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m bufalu.pages.paper_map", description="Write the pages of docs/ that come from the code."
    )
    parser.parse_args(arguments)
    try:
        written = pages(Path())
        for path, text in written.items():
            path.write_text(text, encoding="utf-8")
    except (BufaluError, OSError) as problem:
        print(f"map: {problem}", file=sys.stderr)
        return 2
    print(f"written: {', '.join(map(str, written))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
