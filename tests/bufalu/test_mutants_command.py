"""`bufalu mutants` in both of its voices."""

import json

import pytest

from bufalu.cli import main
from bufalu.oracle.known_bugs import KNOWN_BUGS
from bufalu.properties.mutants import matrix
from bufalu.properties.mutants.matrix import Matrix, build_matrix


@pytest.fixture
def small(monkeypatch) -> None:
    def three(size, seed, full, progress) -> Matrix:
        return build_matrix(size, seed, full, progress, KNOWN_BUGS[3:6])

    monkeypatch.setattr(matrix, "build_matrix", three)


def test_table(small, capsys) -> None:
    assert main(["mutants", "--games", "1"]) == 0
    printed = capsys.readouterr().out
    assert "leader-by-ucb" in printed
    assert "conformance.default" in printed
    assert "wrong claims" in printed


def test_json(small, capsys) -> None:
    assert main(["mutants", "--games", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    rows = {row["mutant"]: row for row in data["mutants"]}
    assert "conformance.default" in rows["leader-by-ucb"]["killed_by"]
    assert rows["leader-by-ucb"]["violates_a_claim"] is False
    assert len(data["wrong_claims"]) >= 40
