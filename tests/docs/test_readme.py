"""What the README says about the audit agrees with the registry."""

import re

import pytest

from bufalu.properties.audit.collecting import collect
from bufalu.properties.claims import BY_ID, CLAIMS, Standing, claims_matching, standing
from bufalu.properties.claims.evidence import Evidence, EvidenceKind, Verdict
from bufalu.reference.errors import UnknownName
from tests.docs.snippets import ROOT

README = (ROOT / "README.md").read_text()
COLLECTION = collect()
WORDS = "|".join(verdict.value for verdict in Verdict)


def disagreements(text):  # noqa: C901 - one branch for each way to disagree
    """Rows of the excerpt, counts and errata that the registry does not know or does not expect."""
    problems = []
    rows = re.findall(rf"^\| ({WORDS}) \| (.*) \| (.*) \| `(.*)` \|$", text, flags=re.MULTILINE)
    if len(rows) < 8:
        problems.append(f"the excerpt has only {len(rows)} rows")
    for verdict, statement, kinds, claim in rows:
        if claim not in BY_ID:
            problems.append(f"there is no claim {claim}")
            continue
        if statement != BY_ID[claim].statement:
            problems.append(f"{claim} says: {BY_ID[claim].statement}")
        found = {check.kind.value for check in COLLECTION.speaking_for(claim)}
        if not COLLECTION.missing and set(kinds.split(", ")) != found:
            problems.append(f"{claim} has the evidence {found}")
        shown = Evidence(EvidenceKind.ALGEBRA, Verdict(verdict), "")
        if standing([shown], BY_ID[claim].expected) is not Standing.REACHED:
            problems.append(f"{claim} is {verdict} in the README, expected {BY_ID[claim].expected.value}")
    (summary,) = re.findall(rf"^(\d+) claims: ((?:{WORDS}).*)$", text, flags=re.MULTILINE)
    if int(summary[0]) != len(CLAIMS) or sum(map(int, re.findall(r"\d+", summary[1]))) != len(CLAIMS):
        problems.append(f"the registry has {len(CLAIMS)} claims, and the README says {summary}")
    for number in re.findall(r"^\| (E\d+) \|", text, flags=re.MULTILINE):
        try:
            carried = {claim.erratum.number for claim in claims_matching(number) if claim.erratum is not None}
        except UnknownName as problem:
            carried = {str(problem)}
        if carried != {number}:
            problems.append(f"--only {number} finds {carried}")
    return problems


def test_the_readme_agrees_with_the_registry():
    assert disagreements(README) == []


def test_the_readme_lists_the_gaps_and_the_false_statements():
    listed = set(re.findall(r"^\| (E\d+) \|", README, flags=re.MULTILINE))
    gaps = {claim.erratum.number for claim in CLAIMS if claim.expected is Verdict.GAP and claim.erratum is not None}
    assert gaps <= listed
    assert listed >= {"E7", "E8", "E10", "E12", "E17"}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("| PROVED | When BuFALU", "| TESTED | When BuFALU"),
        ("`discussion.total_budget`", "`discussion.total_budgets`"),
        ("is wider than", "is as wide as"),
        ("| generated cases |", "| algebra |"),
        (" claims: PROVED ", " claims: PROVED 1"),
        ("| E7 |", "| E99 |"),
    ],
)
def test_a_stale_readme_is_noticed(right, wrong):
    assert right in README
    assert disagreements(README.replace(right, wrong))
