"""Every statement of the algebra room holds as it stands; its wrong versions are tried in tests/properties/mutants."""

from __future__ import annotations

import pytest

from bufalu.properties.audit.collecting import collect
from bufalu.properties.claims.evidence import AuditProfile, Check, Verdict

DECIDED = {Verdict.CERTIFIED, Verdict.EXACT, Verdict.ARGUED, Verdict.ERRATUM, Verdict.GAP}


@pytest.mark.parametrize("check", collect(("algebra",)).checks, ids=lambda check: check.name)
def test_statement_holds(check: Check) -> None:
    evidence = check.run(AuditProfile())
    assert evidence.verdict in DECIDED, evidence.detail
    assert evidence.detail
    if evidence.verdict in (Verdict.ERRATUM, Verdict.GAP):
        assert evidence.witness is not None
        assert evidence.witness.command.startswith("bufalu ")
