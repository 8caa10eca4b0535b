"""Ties the registry to one text of the paper: every claim has a hash of its source lines, and no word of the text."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

from bufalu.properties.claims.claim import Claim, Lines
from bufalu.reference.errors import BufaluError, UnusableFile
from bufalu.reference.whole_files import read_at_most

_DIGITS = 16
"""How much of a hash a record keeps: enough for a change to be noticed, short enough to stand there."""


class PaperMismatch(BufaluError):
    """The given file is not the text that the registry speaks about."""


def read_source(path: Path) -> list[str]:
    """The lines of the paper's source with line ends normalised; raises `UnusableFile` if it cannot be read."""
    try:
        return read_at_most(path).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    except OSError as problem:
        raise UnusableFile(f"cannot read the paper's source {path}: {problem}") from None


def digest(source: list[str], lines: Lines) -> str:
    """The first digits of the sha256 of the given lines, each stripped of trailing blanks and ended by a newline.

    Raises `PaperMismatch` if the text is shorter than the line numbers.
    """
    chosen: list[str] = []
    for first, last in lines:
        if not 1 <= first <= last <= len(source):
            raise PaperMismatch(f"the paper's source has {len(source)} lines, and the registry needs line {last}")
        chosen.extend(line.rstrip() + "\n" for line in source[first - 1 : last])
    return hashlib.sha256("".join(chosen).encode()).hexdigest()[:_DIGITS]


def changed_claims(source: list[str], claims: Iterable[Claim]) -> dict[str, str]:
    """The hash of the source lines of the claims whose records have another; all of these claims must have lines."""
    hashes = {claim: digest(source, claim.lines) for claim in claims}
    return {claim.id: found for claim, found in hashes.items() if claim.source != found}


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
        named = ", ".join([*changed][:5]) + (" and others" if len(changed) > 5 else "")
        raise PaperMismatch(f"{path} differs from the audited text at {len(changed)} claims: {named}")
    return len(compared)


def _main() -> None:
    """Prints the claims whose records have another hash than their lines in the named source, with the right one."""
    from bufalu.properties.claims import CLAIMS

    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m bufalu.properties.claims.source PAPER.tex")
    try:
        changed = changed_claims(read_source(Path(sys.argv[1])), of_the_paper(CLAIMS))
    except BufaluError as problem:
        raise SystemExit(str(problem)) from None
    for claim, found in changed.items():
        print(f'{claim}: sha="{found}"')


if __name__ == "__main__":
    _main()
