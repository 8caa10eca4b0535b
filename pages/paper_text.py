"""The numerical section in a terminal: a verdict for each printed number, and what rounding had to do with it."""

from __future__ import annotations

from collections.abc import Iterator

from bufalu.experiments.paper.results import Results
from bufalu.experiments.paper.verdicts import table_evidence
from bufalu.pages.text import Line, Span, line

_COLOURS = {"REPRODUCED": "green", "EXACT": "green", "ERRATUM": "magenta", "REFUTED": "red"}


def results_lines(results: Results) -> Iterator[Line]:
    """The verdicts with their reasons, and which variants of BuFALU the tables tell apart."""
    for evidence in table_evidence(results):
        verdict = Span(f"{evidence.verdict:<10}", _COLOURS.get(evidence.verdict, "yellow"))
        yield line(verdict, f" {evidence.claim:<34} l.{evidence.line:<5} {evidence.figures}")
        yield line(f"{'':<10} {evidence.reason}")
    for record in results.power:
        told = "told apart" if record["told_apart"] else "NOT told apart"
        yield line(
            f"{'power':<10} {record['variant']!s:<34} {told} by the tables (largest |z| {record['largest_z']:.1f})"
        )
    yield line(
        f"\ncertified: no decision depended on rounding ({results.resolved} rounds were too close for doubles and were "
        "decided exactly)"
    )
