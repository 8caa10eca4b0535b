"""The conditions of regularity (l.833-845), asked of an interval: widths, sample numbers, failures.

Each decides; `known_inequality` only says in words where a proof of the last condition could come from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from bufalu.bounds.enclosures import Enclosure
from bufalu.properties.claims.evidence import AuditProfile, Evidence, EvidenceKind, Verdict, Witness
from bufalu.properties.expectations.asked import HOEFFDING_FAILURES
from bufalu.properties.expectations.cases import ExactCase
from bufalu.properties.expectations.claims_on_law import FAILURE_SUM
from bufalu.properties.expectations.identity_checks import failures
from bufalu.properties.own.laws import single_arms
from bufalu.properties.own.subject import OwnSubject
from bufalu.properties.runs.statements import shown
from bufalu.properties.runs.thresholds import (
    RadiusCount,
    SampleCount,
    good_event_count,
    root_factor,
    sure_count,
    sure_width,
)
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.instances import Instance
from bufalu.reference.radius_shapes import Growth
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import parse_schedule

MOST_QUERIES = 40
ROUNDS = (2, 3, 5, 10, 30, 100, 1000, 10**6)
VARIANCES = (Fraction(0), Fraction(1, 16), Fraction(1, 4))
DIGITS = 25


def grid(interval: ConfidenceInterval, most: int = MOST_QUERIES) -> Iterator[tuple[int, int]]:
    """Counts n and rounds t > n that the conditions are decided on."""
    for round_number in ROUNDS:
        for queries in range(interval.needed_queries, min(most, round_number - 1) + 1):
            yield queries, round_number


def width_is_nonnegative(interval: ConfidenceInterval, replay: str) -> Evidence:
    """Condition 1: CI_t(a) >= 0. By its form for a radius with a shape, else on a grid of counts, rounds, variances."""
    if interval.shape is not None:
        return Evidence(
            EvidenceKind.ALGEBRA,
            Verdict.CERTIFIED,
            "every term of the radius has a positive coefficient, a growth of at least 0 and a positive denominator, so "
            "that widths are nonnegative for every count, round and variance",
        )
    cases = 0
    for queries, round_number in grid(interval):
        for variance in VARIANCES if interval.uses_variance else VARIANCES[:1]:
            radius = Exact(0.0, float("inf"), interval.radius_form(queries, variance, round_number))
            cases += 1
            if radius.sign() < 0:
                detail = f"the radius after {_counted(queries)} in round {round_number} is {shown(radius)} < 0"
                return _refuted(detail, cases, replay)
    return _decided(f"nonnegative for up to {MOST_QUERIES} queries in {len(ROUNDS)} rounds up to 10^6", cases)


def queries_shrink_width(interval: ConfidenceInterval, replay: str) -> Evidence:
    """Conditions 4 and 5: more than N^as (under the good event N^g) queries make the width smaller than the level.

    At the level of the width itself the width is not smaller, so N(t, width) must be at least the count.
    """
    sure = known_count(interval)
    if isinstance(sure, str):
        return _open(sure)
    cases = 0
    for queries, round_number in grid(interval):
        width = sure_width(interval, queries, round_number)
        cases += 1
        if not sure.reached(queries, round_number, width):
            return _refuted(_too_small("N^as", queries, round_number, width, None), cases, replay)
        for variance in VARIANCES if interval.uses_variance else VARIANCES[:1]:
            good: SampleCount | None = good_event_count(interval, variance)
            level = _good_width(interval, queries, round_number, variance)
            cases += 1
            if good is not None and not good.reached(queries, round_number, level):
                return _refuted(_too_small("N^g", queries, round_number, level, variance), cases, replay)
    source = "as stated" if interval.regularity is not None else "as the radius gives them"
    return _decided(
        f"N^as and N^g {source} are large enough for up to {MOST_QUERIES} queries in {len(ROUNDS)} rounds up to 10^6",
        cases,
    )


def known_count(interval: ConfidenceInterval) -> SampleCount | str:
    """N^as of an interval, or why none is known: where it is read off the radius, no query of the grid may widen that."""
    sure = sure_count(interval)
    if sure is None:
        return "nothing says after how many queries the width is below a level: give `regularity`"
    for queries, round_number in grid(interval) if isinstance(sure, RadiusCount) else ():
        if sure_width(interval, queries, round_number) < sure_width(interval, queries + 1, round_number):
            grown = f"from {queries} to {queries + 1} queries in round {round_number}"
            return f"the radius grows {grown}: no count can be read off"
    return sure


def failures_sum_up(brought: OwnSubject, profile: AuditProfile) -> Evidence:
    """Condition 3: the probabilities that the good event fails sum to at most C = constant K, on exact laws (l.836)."""
    interval = brought.the_interval
    if interval.shape is None:
        return _open(
            "the exact law follows the failures of an interval with a `shape` alone, and this one has none: the sum of "
            "its failure probabilities is not known"
        )
    stated = interval.regularity
    constant = HOEFFDING_FAILURES if stated is None else stated.failures
    chosen = [*single_arms(interval.text, profile), *_both_arms(interval, profile)]
    evidence = failures(interval.text, constant, chosen, FAILURE_SUM, rounds_too=False)
    asked = f"C = {constant}K, {'which is the C of Hoeffding' if stated is None else 'as stated'}"
    return replace(evidence, detail=f"{evidence.detail}; asked: {asked}. {known_inequality(interval)}")


def _both_arms(interval: ConfidenceInterval, profile: AuditProfile) -> list[ExactCase]:
    """Two arms under BuFALU, whose failures depend on each other."""
    horizon, zero = 30 if profile.full else 14, parse_schedule("zero")
    return [
        ExactCase(Instance.bernoulli([Fraction(1, 10), Fraction(4, 5)]), zero, horizon, interval.text),
        ExactCase(Instance.bernoulli([Fraction(1, 2)] * 2), zero, horizon + 4, interval.text),
    ]


def known_inequality(interval: ConfidenceInterval) -> str:
    """Which inequality would bound the failures in every round, not only on these laws; said, not checked."""
    factor = root_factor(interval.shape)
    if interval.shape is None or factor is None or interval.shape.growth is not Growth.LOG:
        return (
            "For all laws and rounds it takes an inequality P(|mean - mu| > radius) <= p(t) for each count with (t - 1) "
            "p(t) summable; none is known here for this radius"
        )
    coefficient = Fraction(factor) / 4
    exponent = 2 * coefficient
    tail = f"Hoeffding's inequality bounds the failure of one count in round t by 2/{_power_of_t(exponent)}"
    if coefficient > 1:
        total = 2 * (Enclosure.of(exponent - 1).hurwitz_zeta(1) - Enclosure.of(exponent).hurwitz_zeta(1))
        return f"For all laws: {tail}, and over t - 1 counts and all rounds that sums to {float(total):.4g} K"
    union = f"{tail}, and the union over t - 1 counts does not sum to a constant (the paper's proof needs a factor above 1)"
    if coefficient > Fraction(1, 2):
        return (
            f"For all laws: {union}; Hoeffding's maximal inequality over blocks of counts, each a constant times longer than "
            "the last, would give a constant for every factor above 1/2, and is not checked here"
        )
    return f"For all laws: {union}, and no inequality known here does for a factor of at most 1/2"


def _power_of_t(exponent: Fraction) -> str:
    if exponent == 1:
        return "t"
    return f"t^{exponent}" if exponent.denominator == 1 else f"t^({exponent})"


def _good_width(interval: ConfidenceInterval, queries: int, round_number: int, variance: Rational) -> Exact:
    """The largest width under the good event for an arm of this variance, from below: its empirical variance is at most
    (sqrt(V) + sqrt(c ln t / (n - 1)))^2 if the good event bounds the deviation (l.1213), and n / (4 (n - 1)).
    """
    if not interval.uses_variance:
        return sure_width(interval, queries, round_number)
    largest = Fraction(queries, 4 * (queries - 1))
    if interval.deviation is not None:
        spread = root(variance) + root(Fraction(interval.deviation, queries - 1)) * log_root(round_number)
        lower, _ = spread.enclosure(DIGITS)
        largest = min(largest, max(Fraction(0), Fraction(lower)) ** 2)
    return Exact.of(2) * Exact(0.0, float("inf"), interval.radius_form(queries, largest, round_number))


def _too_small(name: str, queries: int, round_number: int, width: Exact, variance: Rational | None) -> str:
    given = "" if variance is None else f" for an arm of variance {variance}"
    return (
        f"after {_counted(queries)} an interval of round {round_number} can still be {shown(width)} wide, and {name} at "
        f"that level is below {queries}{given}"
    )


def _counted(queries: int) -> str:
    return "1 query" if queries == 1 else f"{queries} queries"


def _decided(detail: str, cases: int) -> Evidence:
    return Evidence(EvidenceKind.ALL_CASES, Verdict.EXACT, detail, cases, 1.0)


def _refuted(detail: str, cases: int, replay: str) -> Evidence:
    return Evidence(EvidenceKind.ALL_CASES, Verdict.REFUTED, detail, cases, witness=Witness(detail, replay))


def _open(reason: str) -> Evidence:
    return Evidence(EvidenceKind.NOTHING, Verdict.NOT_RUN, reason)
