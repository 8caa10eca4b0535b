"""The audit as a function: `audit()` for every claim, `audit(["cap.almost_sure"])` for some."""

from __future__ import annotations

from collections.abc import Iterable

from bufalu.properties.audit.running import AuditReport
from bufalu.properties.audit.running import audit as run_audit
from bufalu.properties.claims import Claim, all_claims
from bufalu.properties.claims.evidence import AuditProfile
from bufalu.reference.errors import UnknownName
from bufalu.reference.rationals import CountLike, many, shown, whole_number


def audit(
    claims: Iterable[Claim | str] | None = None, profile: AuditProfile | None = None, workers: CountLike = 1
) -> AuditReport:
    """Runs every check that speaks for one of the claims, all of them unless some are given by id, and reports.

    Raises `UnknownName` for a claim or a profile that is none.
    """
    if profile is not None and not isinstance(profile, AuditProfile):
        raise UnknownName(f"profile must be an AuditProfile, not {shown(profile)}")
    chosen = None if claims is None else tuple(_claim(claim) for claim in many(claims, "claims"))
    return run_audit(chosen, profile, whole_number(workers, "workers", 1))


def _claim(given: Claim | str) -> Claim:
    for claim in all_claims():
        if given == claim.id or (isinstance(given, Claim) and given == claim):
            return claim
    raise UnknownName(f"claims: there is no claim {shown(given)} (bufalu audit --list has them all)")
