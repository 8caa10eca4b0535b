"""The claim registry: every statement that the audit speaks about, in the order of the paper, then ours beyond it."""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase

from bufalu.properties.claims import (
    algorithm,
    beyond,
    discussion,
    live,
    lower_bounds,
    model,
    numbers,
    pairs,
    regularity,
    scarce,
    setting,
    slips,
    tables,
    upper_bounds,
)
from bufalu.properties.claims.claim import Claim, Erratum, Section, Standing, combined, standing
from bufalu.properties.claims.registered import registered_claims
from bufalu.reference.errors import UnknownName

CLAIMS: tuple[Claim, ...] = (
    *setting.CLAIMS,
    *lower_bounds.CLAIMS,
    *scarce.CLAIMS,
    *algorithm.CLAIMS,
    *upper_bounds.CLAIMS,
    *regularity.CLAIMS,
    *discussion.CLAIMS,
    *numbers.CLAIMS,
    *tables.CLAIMS,
    *slips.CLAIMS,
    *beyond.CLAIMS,
    *live.CLAIMS,
    *pairs.CLAIMS,
    *model.CLAIMS,
)

BY_ID: dict[str, Claim] = {claim.id: claim for claim in CLAIMS}


def all_claims() -> tuple[Claim, ...]:
    """The registry's claims, and after them those registered from outside."""
    return (*CLAIMS, *registered_claims())


def claims_matching(*patterns: str) -> tuple[Claim, ...]:
    """The claims that fit at least one of the patterns, in the order of the registry.

    A pattern is a claim's id, a shell pattern (`gap_query.*`) or the number of an erratum (`E7`), which stands for the
    claims that carry it and their corrections; several may be joined by commas, and case does not matter. Raises
    `UnknownName` for a pattern that nothing fits, with the nearest name.
    """
    found: set[str] = set()
    for pattern in (part.strip().lower() for joined in patterns for part in joined.split(",")):
        fitting = {claim.id for claim in all_claims() if fnmatchcase(claim.id.lower(), pattern)}
        for claim in CLAIMS:
            if claim.erratum is not None and fnmatchcase(claim.erratum.number.lower(), pattern):
                fitting |= {claim.id, claim.erratum.corrected}
        if not fitting:
            raise UnknownName(f"no claim fits '{pattern}'; {_nearest(pattern)} (`bufalu audit --list` has them all)")
        found |= fitting
    return tuple(claim for claim in all_claims() if claim.id in found)


def _nearest(pattern: str) -> str:
    numbers = [claim.erratum.number.lower() for claim in CLAIMS if claim.erratum is not None]
    close = get_close_matches(pattern, [*(claim.id for claim in all_claims()), *numbers], n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else "for example: gap_query.*, theorem.unique.regret, E7"


__all__ = [
    "BY_ID",
    "CLAIMS",
    "Claim",
    "Erratum",
    "Section",
    "Standing",
    "all_claims",
    "claims_matching",
    "combined",
    "standing",
]
