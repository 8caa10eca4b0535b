"""Identities and inequalities of expectations that hold for every strategy (l.268-270, l.754, l.833)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from bufalu.law.law import Law
from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, Verdict
from bufalu.properties.expectations.cases import JAGGED, ExactCase, cases
from bufalu.properties.expectations.paths import all_paths
from bufalu.properties.expectations.theorem_checks import KIND
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import UndecidedComparison
from bufalu.reference.instances import Instance
from bufalu.reference.policies import POLICIES
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import Schedule, parse_schedule

COSTS = (Fraction(1, 400), Fraction(1, 10), Fraction(2))


def expected_regret(found: Law) -> Fraction:
    """Reg(T)."""
    return found.expected_regret().exact


def regret_of_queries(found: Law) -> Fraction:
    """What the queried rounds alone would cost."""
    queries = found.expected_queries_per_arm()
    gaps = found.instance.gaps
    return sum((Fraction(gap) * each.exact for gap, each in zip(gaps, queries, strict=True)), Fraction(0))


@check(
    "regret.decomposes",
    kind=KIND,
    name="expectations.regret_path_by_path",
    mutants={"the regret of queries alone": {"regret": regret_of_queries}},
)
def regret_decomposes(profile: AuditProfile, regret: Callable[[Law], Fraction] = expected_regret) -> Evidence:
    """Reg(T) = sum_a Delta_a E n_T(a): the sum over single paths against the merged law (l.270)."""
    schedules: tuple[Schedule, ...] = (parse_schedule("constant:3/2"), parse_schedule("budget:5"), JAGGED)
    two = Instance.bernoulli([Fraction(3, 4), Fraction(1, 3)])
    three = Instance.bernoulli([Fraction(1, 5), Fraction(2, 5), Fraction(4, 5)])
    examined, paths = 0, 0
    for policy in POLICIES:
        for schedule in schedules:
            for instance in (two, three):
                case = ExactCase(instance, schedule, 9 if profile.full else 7, policy=policy)
                along_paths = Fraction(0)
                for rounds, probability in all_paths(case):
                    along_paths += probability * sum(Fraction(instance.gaps[played.arm - 1]) for played in rounds)
                    paths += 1
                if along_paths != regret(case.law()):
                    return _refuted("the regret is not the weighted sum of plays", case)
                examined += 1
    return _exact(
        f"equal on the exact laws of {examined} small instances ({paths:,} paths one by one)", examined, 1.0
    )


def expected_plays(found: Law, round_number: int) -> list[Fraction]:
    """E n_t(a) of every arm."""
    return [value.exact for value in found.expected_plays(round_number)]


def no_plays(found: Law, round_number: int) -> list[Fraction]:
    """A law in which nobody plays."""
    return [Fraction(0) for _ in found.instance.arms]


@check("costs.query_aware_regret", kind=KIND, mutants={"nobody plays": {"plays_of": no_plays}})
def query_aware_regret(
    profile: AuditProfile, plays_of: Callable[[Law, int], list[Fraction]] = expected_plays
) -> Evidence:
    """sum_a Delta_a E n_t(a) + c E n^q_t(a) >= sum_a (Delta_a + c) E n^q_t(a), in every round (l.754)."""
    examined, strict = 0, 0
    for case in _exact_cases(profile):
        found, gaps = case.law(), case.instance.gaps
        for cost in COSTS:
            for t in range(1, min(case.horizon, 200) + 1):
                plays = plays_of(found, t)
                queries = [value.exact for value in found.expected_queries_per_arm(t)]
                left = sum((gap * n + cost * q for gap, n, q in zip(gaps, plays, queries, strict=True)), Fraction(0))
                right = sum(((gap + cost) * q for gap, q in zip(gaps, queries, strict=True)), Fraction(0))
                if left < right or any(n < q for n, q in zip(plays, queries, strict=True)):
                    return _refuted(f"queries outnumber plays in round {t}", case)
                examined += 1
                strict += left > right
    detail = f"holds for {examined:,} choices of a small instance, a price and a round; strictly for {strict:,}"
    return _exact(detail, examined, strict / examined)


def failure_cases(confidence: str, profile: AuditProfile) -> tuple[ExactCase, ...]:
    """Laws on which the failure probabilities are summed, for all policies: the claim is for every strategy."""
    horizon, shorter = (200, 36) if profile.full else (90, 14)
    single = [
        ExactCase(Instance.bernoulli([mean]), parse_schedule("zero"), horizon, confidence, policy="cbm-ucb")
        for mean in (Fraction(1, 100), Fraction(1, 20), Fraction(1, 6), Fraction(1, 2))
    ]
    pairs = [
        ExactCase(
            Instance.bernoulli([Fraction(1, 10), Fraction(4, 5)]),
            parse_schedule(text),
            shorter,
            confidence,
            policy=policy,
        )
        for policy in POLICIES
        for text in ("zero", "constant:3/2")
    ]
    return (*single, *pairs)


@check(
    "regular.hoeffding",
    "regular.hoeffding.failure_probability.corrected",
    kind=KIND,
    mutants={"C = K/1000": {"constant": Fraction(1, 1000)}},
)
def hoeffding_failures_in_every_round(profile: AuditProfile, constant: Rational = 2) -> Evidence:
    """The failures of Hoeffding's intervals, with C = 2K."""
    return failures("hoeffding", constant, failure_cases("hoeffding", profile))


# Bernstein's intervals never fail on these short runs: only a negative sum is exceeded.
@check(
    "regular.bernstein",
    "regular.bernstein.failure_probability",
    kind=KIND,
    mutants={"a negative C": {"constant": -1}},
)
def bernstein_failures_in_every_round(profile: AuditProfile, constant: Rational = 12) -> Evidence:
    """The failures of Bernstein's intervals, with C = 12K."""
    return failures("bernstein", constant, failure_cases("bernstein", profile))


def failures(
    confidence: str,
    constant: Rational,
    chosen: Iterable[ExactCase],
    claim: str | None = None,
    *,
    rounds_too: bool = True,
) -> Evidence:
    """sum_t P(not G_t) <= C = constant K, and P(not G_t) <= constant K (t - 1)/t^3 in each round (l.836, E14).

    For Hoeffding the constant is 2 (l.1138, with 2/t^3 for 1/t^3), for Bernstein 12 with 6 in each round (l.1262). For
    another interval the sum alone is of interest: not `rounds_too`.
    """
    # With a deviation in the good event 12 K is generous: four tails of the mean and two of the deviation (l.1265).
    each_round = constant if confidence_named(confidence).deviation is None else 6
    examined, positive, worst, worst_case = 0, 0, Fraction(0), ""
    for case in chosen:
        found, arms = case.law(), case.instance.number_of_arms
        for t, probability in enumerate(_failures(found) if rounds_too else (), start=1):
            if probability * t**3 > each_round * arms * (t - 1):
                return _refuted(f"the good event of round {t} fails with probability {float(probability):.3g}", case)
        summed = found.bad_event_probability_sum()
        if summed.lower > constant * arms:
            return _refuted(*_too_many(case, constant), claim)
        total = summed.upper
        if total > constant * arms:
            raise UndecidedComparison(f"the dropped mass leaves open what the failures sum to: {case.name}")
        examined += 1
        positive += total > 0
        if total / arms > worst:
            worst, worst_case = total / arms, case.name
    evidence = _exact(
        f"{'every round and the sum' if rounds_too else 'the sum'} of the failure probabilities, on the exact laws of "
        f"{examined} small instances; the largest sum is {float(worst):.3g} K",
        examined,
        positive / examined,
    )
    slack = f"C = {float(worst):.3g} K would have held too, where {constant} K is printed ({worst_case})"
    return replace(evidence, slack=slack)


def _failures(found: Law) -> list[Fraction]:
    """Upper ends of P(not G_t), t = 1..T."""
    totals = [found.bad_event_probability_sum(t).upper for t in range(found.horizon + 1)]
    return [after - before for before, after in pairwise(totals)]


def _exact_cases(profile: AuditProfile) -> list[ExactCase]:
    small = [case for case in cases(profile) if not case.negligible and case.horizon <= 200]
    others = [
        ExactCase(
            Instance.bernoulli([Fraction(1, 2), Fraction(1, 4)]), parse_schedule("constant:3/2"), 25, policy=policy
        )
        for policy in POLICIES
    ]
    return small + others


def _exact(detail: str, examined: int, nonvacuous: float) -> Evidence:
    verdict = Verdict.EXACT if nonvacuous else Verdict.VACUOUS
    return Evidence(KIND, verdict, detail, examined, nonvacuous)


def _too_many(case: ExactCase, constant: Rational) -> tuple[str, ExactCase]:
    """What to say of failures above constant K, and the case cut after the first round in which they are."""
    allowed = constant * case.instance.number_of_arms
    sums = (case.law().bad_event_probability_sum(t).lower for t in range(1, case.horizon + 1))
    first, total = next((t, total) for t, total in enumerate(sums, start=1) if total > allowed)
    return f"the failure probabilities sum to {float(total):.4g} > {constant}K = {allowed}", replace(
        case, horizon=first
    )


def _refuted(detail: str, case: ExactCase, claim: str | None = None) -> Evidence:
    return Evidence(
        KIND,
        Verdict.REFUTED,
        f"{detail}: {case.name}",
        witness=case.witness(detail, claim),
    )
