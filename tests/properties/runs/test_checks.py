"""The checks of the audit: their verdicts, their witnesses, and that a seed fixes everything."""

import pytest

from bufalu.properties.audit.collecting import collect
from bufalu.properties.claims.evidence import AuditProfile, Check, Verdict
from bufalu.properties.runs.claims_on_trace import check_claims_on_trace
from bufalu.properties.runs.metamorphic import CONFORMS_EXACTLY
from bufalu.properties.runs.observed_rounds import replay
from bufalu.properties.runs.statements import violations
from bufalu.reference.trace_files import read_trace

CHECKS = collect(("runs",)).checks
EXPECTED = {"runs.budget_overdrawn": Verdict.ERRATUM}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_each_check_gives_its_verdict_and_a_witness_that_replays(check: Check, tmp_path) -> None:
    evidence = check.run(AuditProfile())
    assert evidence.verdict is EXPECTED.get(check.name, Verdict.TESTED), evidence.detail
    if evidence.verdict is Verdict.TESTED:
        assert evidence.nonvacuous is not None
        assert evidence.nonvacuous >= 0.1
    if evidence.witness is None:
        return
    assert evidence.witness.filename is not None
    path = tmp_path / evidence.witness.filename
    path.write_text(evidence.witness.content or "")
    trace = read_trace(str(path))
    assert check_claims_on_trace(trace) == []
    assert violations(CONFORMS_EXACTLY, replay(trace.header, trace.rounds)) == []


def test_the_same_seed_gives_the_same_evidence_and_another_seed_other_cases() -> None:
    check = next(check for check in CHECKS if check.name == "runs.cap.almost_sure")
    first, again, other = (
        check.run(AuditProfile(seed=3)),
        check.run(AuditProfile(seed=3)),
        check.run(AuditProfile(seed=4)),
    )
    assert (first.detail, first.slack, first.nonvacuous) == (again.detail, again.slack, again.nonvacuous)
    assert first.witness == again.witness
    assert first.detail != other.detail


@pytest.mark.parametrize("seed", range(6))
def test_the_budget_erratum_has_a_small_witness_for_every_seed(seed: int) -> None:
    check = next(check for check in CHECKS if check.name == "runs.budget_overdrawn")
    evidence = check.run(AuditProfile(seed=seed))
    assert evidence.verdict is Verdict.ERRATUM
    assert evidence.witness is not None
    assert evidence.witness.content is not None
    assert len(evidence.witness.content.splitlines()) <= 12
