"""The outcome of `bufalu law`: the exact law of a run, and what a claim about expectations says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bufalu.pages.outcome import Case, Ending, FilePlace, Outcome
from bufalu.pages.text import Span, line
from bufalu.reference.rationals import format_rational

if TYPE_CHECKING:
    from bufalu.law import Law, Value
    from bufalu.properties.expectations.claims_on_law import OnLaw

LONGEST_FRACTION = 40
"""Longer fractions are told by their decimals alone."""


def law_outcome(found: Law, asked: Sequence[OnLaw], texts: Mapping[str, str], more: Mapping[str, object]) -> Outcome:
    """One case for each inequality of the claim that was asked; SKIPPED if none was.

    `texts` says by which policy, interval, schedule and tie-break the law is; `more` stands behind it in the JSON.
    """
    cases = tuple(Case(one.claim, _verdict(one.holds), _sentence(one)) for one in asked)
    worst = next((case for case in cases if case.verdict.fails), cases[0] if cases else None)
    document = {**texts, **_law_document(found), **more}
    if asked:
        document["claim"] = [_inequality(one) for one in asked]
    return Outcome(
        "bufalu law",
        ", ".join(texts.values()),
        Ending.SKIPPED if worst is None else worst.verdict,
        "no claim was asked" if worst is None else worst.message,
        cases,
        FilePlace("law"),
        lines=(
            *(line(Span(case.message, "red" if case.verdict.fails else "green")) for case in cases),
            line(_law_text(found)),
        ),
        document=document,
    )


def _sentence(one: OnLaw) -> str:
    verdict, relation = ("holds", "<=") if one.holds else ("fails", ">")
    size = "infinity" if one.bound.is_infinite else f"{float(one.bound):.8g}"
    ties = "fair ties" if one.ties.startswith("random") else f"ties broken {one.ties}, which is one way among others"
    told = f"{one.claim} {verdict} on this law with {ties}"
    return f"{told}: {one.what}: {float(one.value):.8g} {relation} {size}"


def _inequality(one: OnLaw) -> dict[str, object]:
    bound = None if one.bound.is_infinite else float(one.bound)
    return {
        "claim": one.claim,
        "what": one.what,
        "value": float(one.value),
        "bound": bound,
        "holds": one.holds,
        "ties": one.ties,
    }


def _verdict(holds: bool) -> Ending:
    return Ending.CONFORMS if holds else Ending.VIOLATES_CLAIMS


def _law_document(found: Law) -> dict[str, object]:
    """The law for machines: exact numbers as text beside the nearest doubles; lists are per arm."""
    return {
        "arms": found.instance.number_of_arms,
        "horizon": found.horizon,
        "means": [format_rational(mean) for mean in found.instance.means],
        "expected_regret": _value_document(found.expected_regret()),
        "expected_queries": _value_document(found.expected_queries()),
        "expected_plays": [_value_document(value) for value in found.expected_plays()],
        "expected_queries_per_arm": [_value_document(value) for value in found.expected_queries_per_arm()],
        "bad_event_probability_sum": _value_document(found.bad_event_probability_sum())
        if found.knows_bad_events
        else None,
        "states": found.states,
    }


def _value_document(value: Value) -> dict[str, object]:
    """`{"exact": "p/q", "float": x}`; where mass was dropped, `exact` is null and `lower`, `upper` enclose it."""
    if value.is_exact:
        return {"exact": format_rational(value.exact), "float": float(value)}
    return {
        "exact": None,
        "float": float(value),
        "lower": format_rational(value.lower),
        "upper": format_rational(value.upper),
    }


def _law_text(found: Law) -> str:
    """The law for people."""
    rows = [("expected regret", found.expected_regret()), ("expected queries", found.expected_queries())]
    for what, values in (("plays", found.expected_plays()), ("queries", found.expected_queries_per_arm())):
        rows += [(f"expected {what} of arm {arm}", value) for arm, value in enumerate(values, start=1)]
    if found.knows_bad_events:
        rows.append(("sum of P(not G_t)", found.bad_event_probability_sum()))
    lines = [f"{name:<26} {_shown(value)}" for name, value in rows]
    return "\n".join([*lines, f"{found.states:,} states in {found.horizon:,} rounds"])


def _shown(value: Value) -> str:
    if not value.is_exact:
        return f"between {float(value.lower):.10g} and {float(value.upper):.10g}"
    exact = format_rational(value.exact)
    return f"{float(value):.10g}" + (f" = {exact}" if len(exact) <= LONGEST_FRACTION else "")
