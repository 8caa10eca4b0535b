"""The claim registry: every statement of the paper that the audit speaks about, in the order of the paper."""

from __future__ import annotations

from fnmatch import fnmatchcase

from bufalu.properties.claims import (
    algorithm,
    discussion,
    lower_bounds,
    numbers,
    regularity,
    scarce,
    setting,
    slips,
    tables,
    upper_bounds,
)
from bufalu.properties.claims.claim import Claim, Erratum, Section, as_expected, combined
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
)

BY_ID: dict[str, Claim] = {claim.id: claim for claim in CLAIMS}


def claims_matching(pattern: str) -> tuple[Claim, ...]:
    """The claims whose id fits a shell pattern (`gap_query.*`); raises `UnknownName` if none does.

    An erratum's number (`E7`) finds the claims that carry it and their corrections.
    """
    found = {claim.id for claim in CLAIMS if fnmatchcase(claim.id, pattern)}
    for claim in CLAIMS:
        if claim.erratum is not None and fnmatchcase(claim.erratum.number, pattern):
            found |= {claim.id, claim.erratum.corrected}
    if not found:
        raise UnknownName(f"no claim fits '{pattern}' (for example: gap_query.*, theorem.unique.regret, E7)")
    return tuple(claim for claim in CLAIMS if claim.id in found)


__all__ = ["BY_ID", "CLAIMS", "Claim", "Erratum", "Section", "as_expected", "claims_matching", "combined"]
