"""The query bound for all means at once: a polynomial on the unit square against the bound at its smallest."""

from __future__ import annotations

from fractions import Fraction

from bufalu.bounds import upper_bounds
from bufalu.law.polynomials import BernsteinForm, polynomial_law
from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, Verdict
from bufalu.properties.expectations.lower_checks import combined
from bufalu.properties.expectations.theorem_checks import KIND
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import parse_schedule

QUESTIONS = (("budget:4", 12), ("budget:6", 14), ("constant:2", 17))
"""Schedules with horizons; the last one in the full profile alone."""


@check(
    "theorem.multiple.queries",
    "theorem.unique.queries",
    kind=KIND,
    name="expectations.queries_for_all_means_at_once",
    mutants={"a quarter of the bound": {"scale": Fraction(1, 4)}},
)
def queries_for_all_means(profile: AuditProfile, scale: Fraction = Fraction(1)) -> Evidence:
    """E B^q(T) <= the query bound, for two Bernoulli arms with any means (l.424, l.430).

    The right side only falls as the gap grows (N-bar of a larger level is smaller, and two optimal arms have level
    0), so its smallest value is the one for the means 1 and 0.
    """
    return decide_boxes(QUESTIONS if profile.full else QUESTIONS[:2], scale)


def decide_boxes(questions: tuple[tuple[str, int], ...], scale: Fraction = Fraction(1)) -> Evidence:
    """Whether the bound, times `scale`, holds on boxes of means, for given schedules and horizons."""
    biting, closest = 0, Fraction(0)
    for text, horizon in questions:
        counted = polynomial_law(2, text, horizon)
        form = combined([(1, counted.queries[0]), (1, counted.queries[1])]).bernstein()
        extreme = upper_bounds(Instance.bernoulli([1, 0]), parse_schedule(text), horizon)
        bound = scale * extreme.queries.evaluate().lower
        verdict = BernsteinForm(bound - form.coefficients).nonnegative()
        if verdict is not True:
            detail = f"{text}, T = {horizon}: the query bound is not certified for all means"
            return Evidence(KIND, Verdict.REFUTED, detail)
        biting += bound < horizon
        closest = max(closest, form.largest / bound)
    return Evidence(
        KIND,
        Verdict.EXACT if biting else Verdict.VACUOUS,
        f"holds for all means of two Bernoulli arms in {len(questions)} settings of epsilon and horizon; in {biting} of "
        "them the bound is below the number of rounds",
        len(questions),
        biting / len(questions),
        f"at most {float(closest):.3g} of the bound is reached",
    )
