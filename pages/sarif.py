"""SARIF 2.1.0, as code scanning reads it: one result for each case that does not hold or could not be judged."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import quote

from bufalu._version import __version__
from bufalu.pages.outcome import Case, Ending, FilePlace, Outcome

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = tuple(verdict for verdict in Ending if verdict.fails or verdict.prevents)


def sarif(outcome: Outcome) -> str:
    """A log with one run. `executionSuccessful` is false where no judgement was possible."""
    driver = {"name": "bufalu", "semanticVersion": __version__, "rules": [_rule(verdict) for verdict in _RULES]}
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": not outcome.verdict.prevents}],
        "results": [_result(outcome, case) for case in outcome.cases if case.verdict in _RULES],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(verdict: Ending) -> dict[str, object]:
    return {"id": _rule_id(verdict), "shortDescription": {"text": verdict.meaning}}


def _rule_id(verdict: Ending) -> str:
    return verdict.value.replace(" ", "-")


def _result(outcome: Outcome, case: Case) -> dict[str, object]:
    again = [f"  {command}" for command in outcome.again]
    lines = [case.message, *case.details, *(["To see it again:", *again] if again else [])]
    result: dict[str, object] = {
        "ruleId": _rule_id(case.verdict),
        "ruleIndex": _RULES.index(case.verdict),
        "level": "error",
        "message": {"text": "\n".join(lines)},
        # GitHub takes no result without a place, nor a place without a line.
        "locations": [_location(outcome.place)],
    }
    if outcome.witness is not None:
        result["relatedLocations"] = [
            {"id": 1, "message": {"text": "the counterexample"}, **_location(outcome.witness)}
        ]
    return result


def _location(place: FilePlace) -> dict[str, object]:
    region = {"startLine": place.line or 1}
    return {"physicalLocation": {"artifactLocation": {"uri": address(place.path)}, "region": region}}


def address(path: str) -> str:
    """The URI of a file: relative to the current folder for what is below it, as code scanning wants, else absolute."""
    absolute = Path(os.path.abspath(path))
    here = Path(os.getcwd())
    if absolute.is_relative_to(here):
        return quote(absolute.relative_to(here).as_posix(), errors="surrogateescape")
    return "file://" + quote(absolute.as_posix(), errors="surrogateescape")
