"""The list of errata as Markdown: `make map` writes `docs/errata.md` from the registry, and a test compares them."""

from __future__ import annotations

import re

from bufalu.properties.claims import BY_ID, CLAIMS
from bufalu.properties.claims.claim import Claim, Erratum
from bufalu.properties.claims.evidence import Verdict

HEAD = """\
# Errata of the paper

Every place where the printed text is wrong, as far as this software knows. `bufalu audit --only E7` shows the witness
that a machine computed and the verdict of the corrected statement. A *gap* is a step that its printed reason does not
give; whether it is true is not decided. Most errata leave the results standing; those which change a statement are E1,
E2, E4, E7, E8, E10, E12, E17 and E34. What is wrong by the letter alone stands below them as a *slip*. The numbers E21,
E23, E24 and E27 are withdrawn: the print does not say what they corrected.

This page is written by `pages/errata_page.py` from the claim registry.
"""

TABLE = """
| number | place | what is wrong | correctly |
|---|---|---|---|
"""

SLIPS = """
## Slips

An index, a rounded word, a case that nobody means: a careful author would mend these, and would not call them errors.
"""


def errata_page() -> str:
    """The page as markdown, one row for each claim that carries an erratum, by number; slips after the others."""
    wrong = [(claim, claim.erratum) for claim in sorted(CLAIMS, key=erratum_number) if claim.erratum is not None]
    errata, slips = (
        "".join(_row(claim, erratum) for claim, erratum in wrong if erratum.slip is slip) for slip in (False, True)
    )
    return f"{HEAD}{TABLE}{errata}{SLIPS}{TABLE}{slips}"


def erratum_number(claim: Claim) -> int:
    """The number of a claim's erratum: 7 for E7, and 0 where the print is right."""
    return 0 if claim.erratum is None else int(claim.erratum.number[1:])


def _row(claim: Claim, erratum: Erratum) -> str:
    kind = " (gap)" if claim.expected is Verdict.GAP else ""
    corrected = BY_ID[erratum.corrected]
    cells = (
        f"{erratum.number}{kind}",
        claim.place,
        f"{claim.statement} {_formula(claim)} Wrong: {erratum.printed}.",
        f"{corrected.statement} {_formula(corrected)} (`{corrected.id}`)",
    )
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |\n"


def _formula(claim: Claim) -> str:
    """The claim's formula inside a line, as GitHub and the site typeset it; in parts, so that a cell can break it."""
    return " ".join(f"$`{part}`$" for part in _parts(claim.latex))


def _parts(latex: str) -> list[str]:
    """The formula cut outside all brackets, at its spaces and before what relates one part to the next."""
    parts, depth = [""], 0
    for token in _TOKEN.findall(latex):
        depth += token in _OPENING
        depth -= token in _CLOSING
        if depth == 0 and token in (r"\quad", "\\ "):
            parts.append("")
        elif depth == 0 and token in (r"\Rightarrow", r"\iff", "="):
            parts.append(token)
        else:
            parts[-1] += token
    return [part.strip() for part in parts if part.strip()]


_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_OPENING = frozenset({"{", "(", "[", r"\{", r"\lfloor", r"\lceil"})
_CLOSING = frozenset({"}", ")", "]", r"\}", r"\rfloor", r"\rceil"})
