"""Every statement of the algebra room holds as it stands and is refuted in each of its wrong versions."""

from __future__ import annotations

import pytest

from bufalu.properties.algebra.checks import STATEMENTS
from bufalu.properties.algebra.grids import Statement
from bufalu.properties.claims.evidence import AuditProfile, Verdict

KNOWN_BUGS = [
    pytest.param(statement, changes, id=f"{statement.examine.__name__}-{name.replace(' ', '_')}")
    for statement in STATEMENTS
    for name, changes in statement.mutants.items()
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.examine.__name__)
def test_statement_holds(statement: Statement) -> None:
    evidence = statement.evidence(AuditProfile())
    assert evidence.verdict is statement.verdict, evidence.detail
    assert evidence.detail


@pytest.mark.parametrize(("statement", "changes"), KNOWN_BUGS)
def test_wrong_version_is_refuted(statement: Statement, changes: dict[str, object]) -> None:
    assert statement.evidence_with(changes).verdict is Verdict.REFUTED


def test_every_statement_has_a_wrong_version() -> None:
    assert [statement.name for statement in STATEMENTS if not statement.mutants] == []


def test_errata_carry_a_witness() -> None:
    for statement in STATEMENTS:
        if statement.verdict in (Verdict.ERRATUM, Verdict.GAP):
            witness = statement.evidence(AuditProfile()).witness
            assert witness is not None, statement.name
            assert witness.command.startswith("bufalu ")
