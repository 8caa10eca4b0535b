"""JUnit XML, as Jenkins, GitLab, Azure and the actions of GitHub read it: one test case for each thing judged."""

from __future__ import annotations

from xml.etree import ElementTree

from bufalu.pages.outcome import Case, Ending, Outcome, presentable


def junit(outcome: Outcome) -> str:
    """A file with one suite. A divergence is a failure, a broken program or a refused input an error."""
    cases = outcome.cases
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(case.verdict.fails for case in cases)),
        "errors": str(sum(case.verdict.prevents for case in cases)),
    }
    suites = ElementTree.Element("testsuites", counts)
    skipped = str(sum(_child(case) == "skipped" for case in cases))
    suite = ElementTree.SubElement(suites, "testsuite", {"name": outcome.command, **counts, "skipped": skipped})
    for case in cases:
        _add(suite, outcome, case)
    ElementTree.indent(suites)
    body = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _add(suite: ElementTree.Element, outcome: Outcome, case: Case) -> None:
    names = {"classname": presentable(outcome.subject), "name": presentable(case.name)}
    element = ElementTree.SubElement(suite, "testcase", names)
    kind = _child(case)
    if kind is None:
        return
    told = {"message": presentable(case.message)}
    if kind != "skipped":
        told["type"] = case.verdict.value
    child = ElementTree.SubElement(element, kind, told)
    again = [f"  {command}" for command in outcome.again]
    details = [*case.details, *(["To see it again:", *again] if again else [])]
    if kind != "skipped" and details:
        child.text = presentable("\n".join(details))


def _child(case: Case) -> str | None:
    """The element that tells how a case ended; None for one that holds."""
    if case.verdict.fails:
        return "failure"
    if case.verdict.prevents:
        return "error"
    return None if case.verdict is Ending.CONFORMS else "skipped"
