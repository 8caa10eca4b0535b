"""The runner: verdicts, broken and missing checks, order, processes."""

from __future__ import annotations

import os
from dataclasses import replace
from types import ModuleType

import pytest

from bufalu.pages.audit_text import details, summary, table
from bufalu.properties.audit import running
from bufalu.properties.audit.collecting import Collection, collect
from bufalu.properties.audit.files import report_objects
from bufalu.properties.audit.running import (
    ClaimResult,
    audit,
    chosen_checks,
    examine,
    kinds_of_evidence,
    report,
    run_checks,
)
from bufalu.properties.claims import BY_ID, Standing, claims_matching, shared_work
from bufalu.properties.claims.evidence import AuditProfile, Check, Evidence, EvidenceKind, Verdict

CLAIM = BY_ID["interval.hoeffding_width"]
OTHER = next(claim for claim in BY_ID.values() if claim is not CLAIM)


def says(verdict: Verdict, name: str = "one", claim: str = CLAIM.id) -> Check:
    return Check(
        name, (claim,), EvidenceKind.ALGEBRA, lambda profile: Evidence(EvidenceKind.ALGEBRA, verdict, "as it is")
    )


def outcome(*checks: Check, missing: dict[str, str] | None = None) -> tuple[Verdict, bool]:
    collection = Collection(checks, missing or {})
    result = audit((CLAIM,), collection=collection)
    return result.results[0].verdict, result.holds


def test_good_news_holds_and_bad_news_does_not() -> None:
    assert outcome(says(Verdict.PROVED)) == (Verdict.PROVED, True)
    assert outcome(says(Verdict.PROVED), says(Verdict.REFUTED, "two")) == (Verdict.REFUTED, False)
    assert outcome(says(Verdict.VACUOUS)) == (Verdict.VACUOUS, False)


def test_weaker_news_than_expected_does_not_hold_unless_something_is_missing() -> None:
    assert outcome(says(Verdict.ARGUED)) == (Verdict.ARGUED, False)
    assert outcome(says(Verdict.ARGUED), says(Verdict.NOT_RUN, "two")) == (Verdict.ARGUED, True)
    assert outcome(says(Verdict.ARGUED), missing={"room": "No module named 'z3'"}) == (Verdict.ARGUED, True)


def test_a_claim_without_finished_checks_is_not_run_and_says_so() -> None:
    collection = Collection((says(Verdict.PROVED),), {})
    result = report((CLAIM,), collection, {}, AuditProfile(), 0.0).results[0]
    assert result.verdict is Verdict.NOT_RUN
    assert "did not finish: one" in result.evidence[0][1].detail


def test_an_unfinished_check_fails_its_claim() -> None:
    collection = Collection((says(Verdict.ARGUED), says(Verdict.PROVED, "two")), {})
    weak = {"one": Evidence(EvidenceKind.LIMIT, Verdict.ARGUED, "a limit")}
    result = report((CLAIM,), collection, weak, AuditProfile(), 0.0).results[0]
    assert (result.verdict, result.standing) == (Verdict.ARGUED, Standing.FAILED)
    assert result.evidence[-1][1].detail == "did not finish: two"


def test_what_was_cut_off_is_counted_and_only_what_broke_is_told_one_by_one() -> None:
    broken = Evidence(EvidenceKind.ALGEBRA, Verdict.NOT_RUN, "the check broke", failed=True)
    checks = (says(Verdict.PROVED), says(Verdict.PROVED, "two", OTHER.id), says(Verdict.PROVED, "three", OTHER.id))
    told = report((CLAIM, OTHER), Collection(checks, {}), {"two": broken}, AuditProfile(), 0.0)
    assert not told.holds
    lines = ["".join(word for word, _ in line) for line in summary(told)]
    assert [line for line in lines if "did not do its work" in line] == [
        f"{OTHER.id}: a check did not do its work: the check broke; did not finish: three"
    ]
    assert "1 claim with a check that failed, 1 claim with a check that did not finish (" in lines[-1]


@pytest.mark.parametrize(
    "verdict", [Verdict.PROVED, Verdict.ERRATUM, Verdict.REFUTED, Verdict.VACUOUS, Verdict.NOT_RUN]
)
def test_what_established_nothing_is_not_told_as_if_it_had(verdict: Verdict) -> None:
    told = audit((CLAIM,), collection=Collection((says(verdict),), {}))
    words = " ".join("".join(word for word, _ in line) for line in details(told, 1000))
    established = verdict in (Verdict.PROVED, Verdict.ERRATUM)
    assert (EvidenceKind.ALGEBRA.meaning in words) is established
    assert f"{verdict.value} by one in " in words and "as it is" in words


def test_a_missing_package_is_not_run_and_anything_else_that_breaks_is_a_failure() -> None:
    def examined(problem: Exception) -> Evidence:
        def breaks(profile: AuditProfile) -> Evidence:
            raise problem

        return examine(Check("one", (CLAIM.id,), EvidenceKind.SMT, breaks), AuditProfile())

    absent = examined(ModuleNotFoundError("No module named 'z3'", name="z3"))
    assert (absent.verdict, absent.failed) == (Verdict.NOT_RUN, False)
    for problem in (
        ValueError("a bug"),
        ModuleNotFoundError("No module named 'bufalu.nowhere'", name="bufalu.nowhere"),
        ImportError("cannot import name 'x'", name="z3"),
    ):
        broken = examined(problem)
        assert (broken.verdict, broken.failed) == (Verdict.NOT_RUN, True)
        assert str(problem) in broken.detail


def test_a_process_that_dies_fails_its_checks() -> None:
    def dies(profile: AuditProfile) -> Evidence:
        os._exit(1)

    checks = tuple(Check(name, (CLAIM.id,), EvidenceKind.ALGEBRA, dies) for name in ("first", "second"))
    evidence = dict(run_checks(checks, AuditProfile(), 2))
    assert all(item.failed for item in evidence.values())
    assert all("died" in item.detail for item in evidence.values())


def test_a_source_without_its_package_is_reported_and_a_broken_one_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_room"):
        collect(("algebra", "no_such_room"))

    def absent(name: str) -> ModuleType:
        raise ModuleNotFoundError("No module named 'z3'", name="z3")

    monkeypatch.setattr("bufalu.properties.audit.collecting.modules_of", lambda room: [f"bufalu.properties.{room}.x"])
    monkeypatch.setattr("bufalu.properties.audit.collecting.importlib.import_module", absent)
    assert collect(("smt",)).missing == {"bufalu.properties.smt.x": "No module named 'z3'"}


def test_only_checks_of_the_chosen_claims_run() -> None:
    checks = chosen_checks(collect(("algebra",)), claims_matching("auxiliary.*"))
    assert {claim.split(".")[0] for check in checks for claim in check.claims} == {"auxiliary"}


def test_two_processes_say_the_same_as_one_and_so_does_another_run() -> None:
    collection = collect(("algebra",))
    claims = claims_matching("bernstein.*")
    runs = [audit(claims, AuditProfile(seed=3), workers, collection) for workers in (1, 2, 2)]
    verdicts = [
        [(item.claim.id, item.verdict, [e.detail for _, e in item.evidence]) for item in run.results] for run in runs
    ]
    assert verdicts[0] == verdicts[1] == verdicts[2]


def test_checks_of_one_group_run_together_in_order() -> None:
    collection = collect(("algebra",))
    checks = [replace(check, group="together") for check in collection.checks if "auxiliary" in check.claims[0]]
    names = [name for name, _ in run_checks(checks, AuditProfile(), 2)]
    assert names == [check.name for check in checks]


def test_stopping_early_ends_the_processes() -> None:
    collection = collect(("algebra",))
    iterator = run_checks(collection.checks[:12], AuditProfile(), 2)
    name, _ = next(iterator)
    assert name
    close = getattr(iterator, "close", None)
    assert close is not None
    close()


def test_each_check_has_its_own_seconds_and_shared_work_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = [0.0]
    monkeypatch.setattr(running, "processor_seconds", lambda: spent[0])
    monkeypatch.setattr(shared_work, "processor_seconds", lambda: spent[0])

    def building(own: float, together: float) -> Check:
        def run(_profile: AuditProfile) -> Evidence:
            spent[0] += own
            if together:
                with shared_work.shared_work("the build"):
                    spent[0] += together
            # What a check says of its time is not believed.
            return Evidence(EvidenceKind.COQ, Verdict.PROVED, "", seconds=99.0)

        return Check(f"takes {own}", (CLAIM.id, OTHER.id), EvidenceKind.COQ, run)

    checks = (building(2.0, 30.0), building(1.0, 0.0))
    quick = audit([CLAIM, OTHER], collection=Collection((building(2.0, 0.01),), {}))
    told = [word for line in table(quick, 120) for word, _ in line]
    assert any("takes 2.0" in word for word in told) and not any("the build" in word for word in told)
    found = audit([CLAIM, OTHER], collection=Collection(checks, {}))
    assert found.check_seconds() == {"takes 2.0": 2.0, "takes 1.0": 1.0}
    assert found.shared_seconds() == {"the build": 30.0}
    first = report_objects(found)[0]["evidence"]
    assert isinstance(first, list)
    assert first[0]["shared"] == [{"work": "the build", "seconds": 30.0}]
    assert first[1]["shared"] == []


def test_objects_have_the_promised_keys() -> None:
    collection = collect(("algebra",))
    objects = report_objects(audit(claims_matching("E19"), collection=collection))
    assert {"id", "lines", "statement", "verdict", "evidence", "erratum", "witness"} <= set(objects[0])
    evidence = objects[0]["evidence"]
    assert isinstance(evidence, list)
    assert {"kind", "verdict", "detail", "cases", "nonvacuous", "slack", "seconds"} <= set(evidence[0])
    erratum = objects[0]["erratum"]
    assert isinstance(erratum, dict)
    assert erratum["number"] == "E19"
    assert erratum["corrected_verdict"] == "CERTIFIED"


@pytest.mark.parametrize("number", ["E1", "E2"])
def test_an_illustrated_counterexample_alone_is_called_a_gap(number: str) -> None:
    """The computed path illustrates; that the statement is wrong is a theorem of the Coq development."""
    collection = collect(("algebra",))
    results = audit(claims_matching(number), collection=collection).results
    verdicts = {result.verdict for result in results if result.claim.erratum}
    assert Verdict.GAP in verdicts
    assert verdicts <= {Verdict.GAP, Verdict.NOT_RUN}


def test_what_did_not_run_is_not_listed_as_evidence() -> None:
    result = ClaimResult(
        CLAIM,
        (
            ("coq.x", Evidence(EvidenceKind.COQ, Verdict.NOT_RUN, "coqc is not installed")),
            ("smt.x", Evidence(EvidenceKind.SMT, Verdict.PROVED, "so it is")),
        ),
    )
    assert kinds_of_evidence([result]) == (EvidenceKind.SMT,)
