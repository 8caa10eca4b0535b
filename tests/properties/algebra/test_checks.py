"""Every statement of the algebra room holds as it stands and is refuted in each of its wrong versions."""

from __future__ import annotations

import pytest

from bufalu.properties.algebra.checks import STATEMENTS
from bufalu.properties.algebra.decided import DecidedStatement
from bufalu.properties.claims.evidence import Verdict

WRONG_VERSIONS = [
    pytest.param(statement, changes, id=f"{statement.decide.__name__}-{name.replace(' ', '_')}")
    for statement in STATEMENTS
    for name, changes in statement.mutants.items()
]


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.decide.__name__)
def test_statement_holds(statement: DecidedStatement) -> None:
    evidence = statement.evidence()
    assert evidence.verdict is statement.verdict, evidence.detail
    assert evidence.detail
    if statement.verdict in (Verdict.ERRATUM, Verdict.GAP):
        assert evidence.witness is not None
        assert evidence.witness.command.startswith("bufalu ")


@pytest.mark.kills(*(statement.name for statement in STATEMENTS if statement.mutants))
@pytest.mark.parametrize(("statement", "changes"), WRONG_VERSIONS)
def test_wrong_version_is_refuted(statement: DecidedStatement, changes: dict[str, object]) -> None:
    assert statement.evidence(changes).verdict is Verdict.REFUTED
