"""Ties the registry to one text of the paper: a sha256 of the source lines of every claim, and no word of the text."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from bufalu.properties.claims.claim import Claim, Lines
from bufalu.reference.errors import BufaluError, UnusableFile
from bufalu.reference.whole_files import read_at_most

HASH_FILE = "source_hashes.json"


class PaperMismatch(BufaluError):
    """The given file is not the text that the registry speaks about."""


def read_source(path: Path) -> list[str]:
    """The lines of the paper's source with line ends normalised; raises `UnusableFile` if it cannot be read."""
    try:
        return read_at_most(path).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    except (OSError, UnicodeDecodeError) as problem:
        raise UnusableFile(f"cannot read the paper's source {path}: {problem}") from None


def digest(source: list[str], lines: Lines) -> str:
    """sha256 over the given lines, each stripped of trailing blanks and ended by a newline.

    Raises `PaperMismatch` if the text is shorter than the line numbers.
    """
    chosen: list[str] = []
    for first, last in lines:
        if not 1 <= first <= last <= len(source):
            raise PaperMismatch(f"the paper's source has {len(source)} lines, and the registry needs line {last}")
        chosen.extend(line.rstrip() + "\n" for line in source[first - 1 : last])
    return hashlib.sha256("".join(chosen).encode()).hexdigest()


def recorded_hashes() -> Mapping[str, str]:
    """The hash of every claim's lines, by claim id, as recorded in the repository."""
    text = files("bufalu.properties.claims").joinpath(HASH_FILE).read_text(encoding="utf-8")
    hashes: dict[str, str] = json.loads(text)
    return hashes


def changed_claims(source: list[str], claims: Iterable[Claim]) -> list[str]:
    """The ids whose source lines do not have the recorded hash; all of these claims must have lines."""
    recorded = recorded_hashes()
    return [claim.id for claim in claims if recorded.get(claim.id) != digest(source, claim.lines)]


def of_the_paper(claims: Iterable[Claim]) -> list[Claim]:
    """The claims that stand in the paper; the others, beyond it, have no lines that could be compared."""
    return [claim for claim in claims if claim.lines]


def verify_paper(path: Path, claims: Iterable[Claim]) -> int:
    """Compares the lines of every claim of the paper with the recorded hash and returns how many were compared.

    Raises `PaperMismatch` naming the first claims whose lines differ.
    """
    source = read_source(path)
    compared = of_the_paper(claims)
    changed = changed_claims(source, compared)
    if changed:
        named = ", ".join(changed[:5]) + (" and others" if len(changed) > 5 else "")
        raise PaperMismatch(f"{path} differs from the audited text at {len(changed)} claims: {named}")
    return len(compared)


def seal(path: Path, claims: Iterable[Claim]) -> str:
    """The JSON text to record in `source_hashes.json` for this source of the paper."""
    source = read_source(path)
    return (
        json.dumps(
            {claim.id: digest(source, claim.lines) for claim in of_the_paper(claims)}, indent=1, sort_keys=True
        )
        + "\n"
    )


def _main() -> None:
    """Prints the text of `source_hashes.json` for the source of the paper that is named on the command line."""
    from bufalu.properties.claims import CLAIMS

    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m bufalu.properties.claims.source PAPER.tex")
    try:
        print(seal(Path(sys.argv[1]), CLAIMS), end="")
    except BufaluError as problem:
        raise SystemExit(str(problem)) from None


if __name__ == "__main__":
    _main()
