"""The bounds of one question as text for a person."""

from __future__ import annotations

import textwrap
from fractions import Fraction

from bufalu.bounds.bound import Bound
from bufalu.bounds.enclosures import Enclosure, Number, Truth
from bufalu.bounds.frontiers import Frontier
from bufalu.bounds.report import Question
from bufalu.pages.text import columns
from bufalu.reference.rationals import Rational, format_rational

WIDTH = 120

MOST_ARMS = 30
"""More arms than this are not listed one by one."""

FRONTIER_ROWS = 12
"""About so many corners of a frontier are listed."""

MOST_DIGITS = 12
"""Longer fractions are shown as decimals."""


def bounds_text(question: Question) -> str:
    """Quantities per arm, upper bounds with their terms, sharper versions, lower bounds, and what is vacuous."""
    parts = [
        _heading(question),
        _arms(question),
        _upper(question),
        _sharp(question),
        _terms(question),
        _lower(question),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _heading(question: Question) -> str:
    numbers = question.quantities
    optimal = ", ".join(map(str, sorted(question.instance.optimal_arms)))
    kind = "unique optimal arm" if question.instance.unique else "optimal arms"
    epsilon = question.schedule.text or "given by a list or a function"
    arms = "1 arm" if numbers.arms == 1 else f"{numbers.arms} arms"
    told = (
        f"{numbers.policy.title}{numbers.guarantee.words}, {arms} ({kind} {optimal}), "
        f"T = {question.horizon:,}, epsilon {epsilon}"
    )
    supposed = numbers.guarantee.supposition
    return told if supposed is None else f"{told}\n{textwrap.fill(f'NOTE: {supposed}.', WIDTH)}"


def _arms(question: Question) -> str:
    instance, numbers = question.instance, question.quantities
    if numbers.arms > MOST_ARMS:
        return f"({numbers.arms} arms: too many to list; --json has them all)"
    rows = [["arm", "mean", "gap", "level", "L_eps", "N-bar", "main text", "sharper", "regret"]]
    for index in range(numbers.arms):
        gap, level = instance.gaps[index], numbers.levels[index]
        count, blocked = numbers.n_bar[index].count, numbers.l_epsilon[index]
        regret = Enclosure.of(0) if blocked is None else gap * (Enclosure.of(count) + blocked)
        rows.append(
            [
                f"{index + 1}{'' if gap else '*'}",
                _fraction(instance.means[index]),
                _fraction(gap),
                "inf" if level is None else _fraction(level),
                "-" if blocked is None else f"{blocked:,}",
                shown(count),
                shown(numbers.n_bar_main[index]),
                shown(numbers.n_bar_sharper[index].count),
                shown(regret),
            ]
        )
    notes = (
        "* optimal. level: where the theorem takes N-bar. L_eps: rounds with epsilon at least the gap. N-bar: queries to\n"
        "know the arm to the level, capped by t - 1; main text: without the cap. regret: gap (N-bar + L_eps)."
    )
    return f"{columns(rows)}\n{notes}"


def _upper(question: Question) -> str:
    upper, numbers = question.upper, question.quantities
    most = Fraction(question.instance.largest_gap) * question.horizon
    rows = [
        ["upper bounds", "theorem", "sharper", "refined", "trivial"],
        _bound_row(upper.regret, upper.sharper_regret, upper.refined_regret, most),
        _bound_row(upper.queries, upper.sharper_queries, upper.refined_queries, question.horizon),
        _single_row(upper.regret_problem_independent, "-", most),
        _single_row(upper.query_cap, f"{upper.query_cap_exact:,}", question.horizon),
    ]
    lines = [columns(rows)]
    lines.append(
        "refined: what the proof gives beside the theorem, argued in docs/bounds.md and not proved in Coq; for the query\n"
        "cap, the exact worst case of one arm's queries."
    )
    lines.append(
        f"C(T) is {shown(numbers.failures)} by the theorem and {shown(numbers.failures_least)} at the least that its proof "
        "allows."
        if numbers.guarantee.supposition is None
        else f"C(T) is {shown(numbers.failures)} as stated."
    )
    lines.append(f"All arms together are queried at most {numbers.all_queries:,} times, on every run.")
    names = {"regret": "expected regret", "queries": "expected queries", "query_cap": "query cap"}
    vacuous = [names[name] for name, empty in question.vacuous.items() if empty]
    if (upper.regret_problem_independent.evaluate() >= most) is Truth.TRUE:
        vacuous.append(upper.regret_problem_independent.name)
    if vacuous:
        lines.append(f"VACUOUS (no better than the trivial bound): {', '.join(vacuous)}")
    return "\n".join(lines)


def _sharp(question: Question) -> str:
    found = question.sharp
    if found is None:
        return ""
    log = Enclosure.of(question.horizon).log()
    rates = (("regret", found.regret_rate), ("queries", found.queries_rate))
    grown = [
        f"{name} at most {shown(rate.evaluate())} ln T ({shown(rate.evaluate() * log)} at this T)"
        for name, rate in rates
        if rate is not None
    ]
    rows = [
        ["sharp theorem", f"delta = {_fraction(found.delta)}"],
        [f"  {found.regret.name} ({found.regret.line})", shown(found.regret.evaluate())],
        [f"  {found.queries.name} ({found.queries.line})", shown(found.queries.evaluate())],
    ]
    return f"{columns(rows)}\nas T grows, and delta falls: {', '.join(grown)}."


def frontier_text(found: Frontier, horizon: int) -> str:
    """What no consistent strategy has: rates, and what they are at a horizon, in a dozen rows."""
    log = Enclosure.of(horizon).log()
    rows = [["queries per ln T", "regret per ln T", f"queries, T = {horizon:,}", "regret"]]
    for queries, regret in found.corners[:: max(1, len(found.corners) // FRONTIER_ROWS)]:
        rows.append([shown(value) for value in (queries, regret, queries * log, regret * log)])
    least = found.least_regret
    rows.append(["any number", shown(least), "any number", shown(least * log)])
    told = (
        f"The frontier for strategies that are consistent on the family {found.family.name}, as T grows: nothing lies left "
        f"of the first row ({shown(found.fewest_queries * log)} queries) or below the path through the rows. At this T it "
        "bounds nothing."
    )
    return f"{textwrap.fill(told, WIDTH)}\n\n{columns(rows)}\n"


def _terms(question: Question) -> str:
    if question.quantities.arms > MOST_ARMS:
        return ""
    lines = ["where they come from"]
    for bound in (question.upper.regret, question.upper.queries, question.upper.regret_problem_independent):
        parts = "; ".join(f"{label} {shown(value)}" for label, value in bound.contributions() if not value.is_zero)
        lines.append(_wrapped(f"  {bound.name}: {parts or '0'}"))
    return "\n".join(lines)


def _lower(question: Question) -> str:
    lower = question.lower
    listed = lower.bounds if question.quantities.arms <= MOST_ARMS else (lower.optimal,)
    rows = [[f"lower bounds on queries per ln T, family {lower.family.name}", "at least"]]
    for bound in listed:
        # every name says "per ln T", and so does the heading
        rows.append([f"  {bound.name.replace(', per ln T', '')} ({bound.line})", shown(bound.evaluate())])
    return columns(rows)


def _bound_row(paper: Bound, sharper: Bound, refined: Bound, trivial: Rational) -> list[str]:
    values = [shown(bound.evaluate()) for bound in (paper, sharper, refined)]
    return [f"  expected {paper.name} ({paper.line})", *values, shown(trivial)]


def _single_row(paper: Bound, refined: str, trivial: Rational) -> list[str]:
    return [f"  {paper.name} ({paper.line})", shown(paper.evaluate()), "-", refined, shown(trivial)]


def shown(value: Number) -> str:
    """A number rounded for reading: whole numbers as such, about six digits otherwise."""
    enclosed = Enclosure.of(value)
    if enclosed.is_infinite:
        return "inf"
    number = float(enclosed)
    if enclosed.lower == enclosed.upper and number == round(number) and abs(number) < 10**15:
        return f"{round(number):,}"
    if 1e-4 <= abs(number) < 1e9:
        return f"{number:,.2f}" if abs(number) >= 100 else f"{number:.6g}"
    return f"{number:.6g}"


def _fraction(value: Rational) -> str:
    text = format_rational(value)
    return text if len(text) <= MOST_DIGITS else f"{float(value):.6g}"


def _wrapped(text: str, width: int = 116) -> str:
    """Breaks a long line at its semicolons."""
    lines, current = [], ""
    for part in text.split("; "):
        if current and len(current) + len(part) > width:
            lines.append(current + ";")
            current = "    " + part
        else:
            current = f"{current}; {part}" if current else part
    return "\n".join([*lines, current])
