"""The adapter to the numerical section: verdicts are passed on, missing tools are said, wrong counts are refuted."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from bufalu.experiments.engine.running import SeedResults
from bufalu.experiments.paper.printed import HORIZON, PaperRow, paper_rows
from bufalu.experiments.paper.tables import measured, table_threshold
from bufalu.experiments.paper.verdicts import NumericEvidence, row_evidence
from bufalu.experiments.studies.counts import counts_of
from bufalu.properties.claims.check import checks_of
from bufalu.properties.claims.evidence import AuditProfile, Verdict
from bufalu.properties.numerics import checks as reproduction


def record(verdict: str) -> NumericEvidence:
    return NumericEvidence("table.zero.unique.greedy", 1549, verdict, "regret 1 (printed 2)", "because", 20, -1.5)


@pytest.mark.parametrize("verdict", ["REPRODUCED", "REFUTED"])
def test_verdicts_are_passed_on(monkeypatch: pytest.MonkeyPatch, verdict: str) -> None:
    monkeypatch.setattr(reproduction, "AVAILABLE", True)
    monkeypatch.setattr(
        reproduction, "_numbers", cache(lambda seeds: {"table.zero.unique.greedy": [record(verdict)]})
    )
    evidence = reproduction.claim_evidence("table.zero.unique.greedy", AuditProfile())
    assert evidence.verdict.value == verdict
    assert evidence.slack == "1.50 standard errors"
    assert (evidence.witness is not None) == (verdict == "REFUTED")


def test_without_numba_everything_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduction, "AVAILABLE", False)
    for check in checks_of("numerics"):
        evidence = check.run(AuditProfile())
        assert evidence.verdict is Verdict.NOT_RUN
        assert "numba" in evidence.detail


@pytest.mark.parametrize("optimum", ["unique", "multiple"])
def test_deterministic_counts(optimum: str) -> None:
    pytest.importorskip("numba", reason="the deterministic runs need numba")
    assert reproduction.deterministic_evidence(optimum, AuditProfile()).verdict is Verdict.EXACT


def test_several_statements_of_a_claim_are_heard_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduction, "AVAILABLE", True)
    both = {"table.zero.unique.greedy": [record("ARGUED"), record("REPRODUCED")]}
    monkeypatch.setattr(reproduction, "_numbers", lambda seeds: both)
    evidence = reproduction.claim_evidence("table.zero.unique.greedy", AuditProfile())
    assert evidence.verdict is Verdict.REPRODUCED
    assert evidence.detail.count("because") == 2


@pytest.mark.parametrize("row", paper_rows(), ids=lambda row: row.claim)
def test_a_policy_that_always_queries_the_worst_arm_does_not_reproduce_a_row(row: PaperRow) -> None:
    counts = np.zeros((1, 3, row.instance.number_of_arms), np.int64)
    counts[..., int(np.argmax(row.instance.gaps))] = HORIZON
    wrong = measured(row, counts_of(row.instance, SeedResults((HORIZON,), counts, counts, 0)))
    assert row_evidence(wrong, table_threshold([wrong])).verdict == "REFUTED"
