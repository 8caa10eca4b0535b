"""The audit for machines and for the disk: JSON objects, and witnesses as files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bufalu.properties.audit.running import AuditReport, ClaimResult
from bufalu.properties.claims.claim import Claim
from bufalu.properties.claims.evidence import Evidence, Verdict
from bufalu.reference.errors import UnusableFile
from bufalu.reference.whole_files import write_whole


def report_objects(report: AuditReport) -> list[dict[str, object]]:
    """One object for each claim, in the registry's order."""
    verdicts = {result.claim.id: result.verdict for result in report.results}
    return [claim_object(report, result, verdicts) for result in report.results]


def claim_object(report: AuditReport, result: ClaimResult, verdicts: dict[str, Verdict]) -> dict[str, object]:
    """The JSON object of a claim; `verdicts` gives the verdict of an erratum's correction, if it was examined."""
    claim = result.claim
    return {
        **statement_object(claim),
        "verdict": result.verdict.value,
        "standing": result.standing.name.lower(),
        "evidence": [evidence_object(name, evidence) for name, evidence in result.evidence],
        "erratum": None
        if claim.erratum is None
        else {
            "number": claim.erratum.number,
            "printed": claim.erratum.printed,
            "corrected": claim.erratum.corrected,
            "corrected_verdict": verdicts[claim.erratum.corrected].value
            if claim.erratum.corrected in verdicts
            else None,
        },
        "witness": witness_object(report, result),
    }


def statement_object(claim: Claim) -> dict[str, object]:
    """What a claim says, before any check."""
    return {
        "id": claim.id,
        "lines": [list(pair) for pair in claim.lines],
        "section": claim.section.value,
        "hypotheses": list(claim.hypotheses),
        "statement": claim.statement,
        "latex": claim.latex,
        "rests_on": list(claim.rests_on),
    }


def evidence_object(name: str, evidence: Evidence) -> dict[str, object]:
    """The JSON object of one piece of evidence."""
    return {
        "check": name,
        "kind": evidence.kind.value,
        "kind_means": evidence.kind.meaning,
        "verdict": evidence.verdict.value,
        "detail": evidence.detail,
        "cases": evidence.cases,
        "nonvacuous": evidence.nonvacuous,
        "slack": evidence.slack,
        "seconds": round(evidence.seconds, 3),
        "shared": [{"work": work.name, "seconds": round(work.seconds, 3)} for work in evidence.shared],
    }


def witness_object(report: AuditReport, result: ClaimResult) -> dict[str, object] | None:
    """The JSON object of a witness or, of a claim that holds, of the closest case; None if there is neither."""
    witness = result.witness
    if witness is None:
        return None
    return {
        "called": witness.label,
        "summary": witness.summary,
        "command": report.replay(result, witness),
        "file": witness.filename,
    }


def write_witnesses(folder: Path, results: Iterable[ClaimResult]) -> list[Path]:
    """Writes the files that witnesses need, so that their commands replay them; raises `UnusableFile`."""
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for result in results:
            for _, evidence in result.evidence:
                witness = evidence.witness
                if witness is not None and witness.filename is not None and witness.content is not None:
                    path = folder / Path(witness.filename).name
                    write_whole(path, witness.content)
                    written.append(path)
    except OSError as problem:
        raise UnusableFile(f"cannot write witnesses to {folder}: {problem.strerror or problem}") from None
    return written
