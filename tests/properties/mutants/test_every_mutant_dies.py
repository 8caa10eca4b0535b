"""Every check says REFUTED of each of its mutants; those of the kernel are put to it in tests/properties/coq."""

import pytest

from bufalu.properties.audit.collecting import collect
from bufalu.properties.claims.evidence import Check, EvidenceKind, Verdict

CHECKS = [check for check in collect().checks if check.kind is not EvidenceKind.COQ]
MUTANTS = [
    pytest.param(check, mutant, id=f"{check.name}-{mutant.replace(' ', '_')}")
    for check in CHECKS
    for mutant in check.mutants
]


@pytest.mark.parametrize(("check", "mutant"), MUTANTS)
def test_the_check_refutes_its_mutant(check: Check, mutant: str) -> None:
    evidence = check.against(mutant)
    if evidence.verdict is Verdict.NOT_RUN and not evidence.failed:
        pytest.skip(evidence.detail)
    assert evidence.verdict is Verdict.REFUTED, f"{check.name} does not notice: {mutant}"
    assert evidence.detail
