"""The upper-bound theorem on the cases, in every round: regret, queries, the cap, the sharper and gap-free forms."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from bufalu.bounds import Enclosure, Quantities, Truth, query_costs
from bufalu.bounds import upper as formulas
from bufalu.law.law import Law
from bufalu.properties.claims.evidence import AuditProfile, Evidence, EvidenceKind, Verdict
from bufalu.properties.expectations.all_rounds import AllRounds, at_most_in_all_rounds
from bufalu.properties.expectations.cases import ExactCase, cases
from bufalu.reference.rationals import Rational

KIND = EvidenceKind.EXACT_LAW


@dataclass(frozen=True)
class Promise:
    """A bound of the theorem: what it bounds, by what, and what is trivially true (the bound bites below that)."""

    name: str
    curve: Callable[[Law, int], Fraction]
    bound: Callable[[Quantities], Enclosure]
    trivial: Callable[[ExactCase], Rational]
    applies: Callable[[ExactCase], bool]

    def decide(self, case: ExactCase) -> AllRounds:
        """Whether it holds in every round of a case."""
        found = case.law()
        return at_most_in_all_rounds(
            lambda t: self.curve(found, t), lambda t: self.bound(case.quantities(t)), case.horizon
        )

    def bites(self, case: ExactCase) -> bool:
        """Whether the bound at T says more than the trivial one."""
        return (self.bound(case.quantities(case.horizon)) < self.trivial(case)) is Truth.TRUE


def _regret(found: Law, round_number: int) -> Fraction:
    return found.expected_regret(round_number).upper


def _queries(found: Law, round_number: int) -> Fraction:
    return found.expected_queries(round_number).upper


def _regret_bound(numbers: Quantities) -> Enclosure:
    return formulas.regret(numbers, numbers.n_bar, "regret").evaluate()


def _queries_bound(numbers: Quantities) -> Enclosure:
    return formulas.queries(numbers, numbers.n_bar, "queries").evaluate()


def _sharper_regret_bound(numbers: Quantities) -> Enclosure:
    return formulas.regret(numbers, numbers.n_bar_sharper, "sharper regret").evaluate()


def _sharper_queries_bound(numbers: Quantities) -> Enclosure:
    return formulas.queries(numbers, numbers.n_bar_sharper, "sharper queries").evaluate()


def _independent_bound(numbers: Quantities) -> Enclosure:
    return formulas.problem_independent(numbers).evaluate()


def _trivial_regret(case: ExactCase) -> Rational:
    return case.instance.largest_gap * case.horizon


def _trivial_queries(case: ExactCase) -> Rational:
    return case.horizon


def _unique(case: ExactCase) -> bool:
    return case.instance.unique


def _multiple(case: ExactCase) -> bool:
    return not case.instance.unique


def _always(case: ExactCase) -> bool:
    return True


MULTIPLE_REGRET = Promise("regret", _regret, _regret_bound, _trivial_regret, _multiple)
MULTIPLE_QUERIES = Promise("queries", _queries, _queries_bound, _trivial_queries, _multiple)
UNIQUE_REGRET = Promise("regret", _regret, _regret_bound, _trivial_regret, _unique)
UNIQUE_QUERIES = Promise("queries", _queries, _queries_bound, _trivial_queries, _unique)
SHARPER_REGRET = Promise("sharper regret", _regret, _sharper_regret_bound, _trivial_regret, _unique)
SHARPER_QUERIES = Promise("sharper queries", _queries, _sharper_queries_bound, _trivial_queries, _unique)
INDEPENDENT = Promise("regret whatever the gaps", _regret, _independent_bound, _trivial_regret, _always)


def promised(promises: Iterable[Promise], profile: AuditProfile, claim: str | None = None) -> Evidence:
    """The evidence for some bounds on all cases of a profile to which they apply."""
    return decide_promises(promises, cases(profile), claim)


def decide_promises(promises: Iterable[Promise], chosen: Iterable[ExactCase], claim: str | None = None) -> Evidence:
    """The same on given cases; `claim` is named in the replay command of a case in which a bound fails."""
    start = time.monotonic()
    examined, biting, rounds = 0, 0, 0
    closest, closest_case = -1.0, ""
    pairs = [(promise, case) for promise in promises for case in chosen if promise.applies(case)]
    for promise, case in pairs:
        outcome = promise.decide(case)
        if outcome.violated_at is not None:
            return _refuted(promise.name, case, outcome.violated_at, time.monotonic() - start, claim)
        examined += 1
        rounds += case.horizon
        if promise.bites(case):
            biting += 1
            # A single arm is never queried again: its slack says nothing.
            if outcome.share_used > closest and case.instance.number_of_arms > 1:
                closest, closest_case = outcome.share_used, case.name
    verdict = Verdict.EXACT if biting else Verdict.VACUOUS
    return Evidence(
        kind=KIND,
        verdict=verdict,
        detail=f"holds in each of {rounds:,} rounds of {examined} laws; bites at T in {biting} of them",
        cases=examined,
        nonvacuous=biting / examined if examined else 0.0,
        slack=f"{closest:.3g} of the bound is used ({closest_case})" if closest_case else None,
        seconds=time.monotonic() - start,
    )


def _refuted(name: str, case: ExactCase, round_number: int, seconds: float, claim: str | None = None) -> Evidence:
    return Evidence(
        kind=KIND,
        verdict=Verdict.REFUTED,
        detail=f"the {name} bound fails in round {round_number}: {case.name}",
        seconds=seconds,
        witness=replace(case, horizon=round_number).witness(
            f"the expectation exceeds the {name} bound in round {round_number}", claim
        ),
    )


def short_horizons(profile: AuditProfile) -> Evidence:
    """T <= K and K = 1: all bounds, in each of these rounds (l.929)."""
    return decide_short_horizons(cases(profile))


def decide_short_horizons(chosen: Sequence[ExactCase], claim: str | None = None) -> Evidence:
    """The same on given cases, each of them cut after round K."""
    short = [replace(case, horizon=min(case.horizon, case.instance.number_of_arms)) for case in chosen]
    single = [case for case in chosen if case.instance.number_of_arms == 1]
    promises = (MULTIPLE_REGRET, MULTIPLE_QUERIES, UNIQUE_REGRET, UNIQUE_QUERIES, INDEPENDENT)
    evidence = decide_promises(promises, [*short, *single], claim)
    if evidence.verdict is Verdict.REFUTED:
        return evidence
    everyone_once = all(case.law().expected_queries().exact == case.horizon for case in short)
    return Evidence(
        kind=KIND,
        verdict=Verdict.EXACT if everyone_once else Verdict.REFUTED,
        detail=f"{evidence.cases} bounds at T <= K and K = 1; every round t <= K queries",
        cases=evidence.cases,
        nonvacuous=evidence.nonvacuous,
        seconds=evidence.seconds,
    )


def cap_on_every_path(profile: AuditProfile) -> Evidence:
    """n^q_t(a) <= N-bar^as(t) + 1 on every path, in every round, for every arm (l.421, l.849)."""
    return decide_caps(cases(profile))


def decide_caps(chosen: Iterable[ExactCase], claim: str | None = None) -> Evidence:
    """The same on given cases."""
    start = time.monotonic()
    examined, biting, attained = 0, 0, 0
    for case in chosen:
        if case.negligible:
            continue
        most = _most_queries(case)
        outcome = at_most_in_all_rounds(partial(_count_at, most), partial(_cap_at, case), case.horizon)
        if outcome.violated_at is not None:
            return _refuted("query", case, outcome.violated_at, time.monotonic() - start, claim)
        examined += 1
        biting += (_cap_at(case, case.horizon) < case.horizon) is Truth.TRUE
        attained += most[case.horizon] == case.quantities(case.horizon).query_cap_exact
    return Evidence(
        kind=KIND,
        verdict=Verdict.EXACT if biting else Verdict.VACUOUS,
        detail=f"every path of {examined} laws; the exact worst case of the rule is attained in {attained} of them",
        cases=examined,
        nonvacuous=biting / examined if examined else 0.0,
        seconds=time.monotonic() - start,
    )


def _most_queries(case: ExactCase) -> tuple[int, ...]:
    """The largest number of queries of any arm on any path, for t = 0..T."""
    per_arm = [case.law().most_queries(arm) for arm in range(1, case.instance.number_of_arms + 1)]
    return tuple(max(counts) for counts in zip(*per_arm, strict=True))


def _count_at(counts: tuple[int, ...], round_number: int) -> Fraction:
    return Fraction(counts[round_number])


def _cap_at(case: ExactCase, round_number: int) -> Enclosure:
    return Enclosure.of(case.quantities(round_number).n_bar_sure.count) + 1


def arm_dependent_costs(profile: AuditProfile) -> Evidence:
    """E sum_a c_a n^q_t(a) <= sum_a c_a (N-bar_a + 1) + C max c, in every round, for several costs (l.268)."""
    return decide_costs(cases(profile))


def decide_costs(chosen: Iterable[ExactCase], claim: str | None = None) -> Evidence:
    """The same on given cases."""
    start = time.monotonic()
    examined, biting = 0, 0
    for case in chosen:
        for costs in costs_of_arms(case):
            cost_bound = partial(bound_on_costs, case, costs)
            outcome = at_most_in_all_rounds(partial(expected_costs, case.law(), costs), cost_bound, case.horizon)
            if outcome.violated_at is not None:
                return _refuted("query cost", case, outcome.violated_at, time.monotonic() - start, claim)
            examined += 1
            biting += (cost_bound(case.horizon) < max(costs.values()) * case.horizon) is Truth.TRUE
    return Evidence(
        kind=KIND,
        verdict=Verdict.EXACT if biting else Verdict.VACUOUS,
        detail=f"holds in every round of {examined} laws with costs; bites at T in {biting} of them",
        cases=examined,
        nonvacuous=biting / examined,
        seconds=time.monotonic() - start,
    )


def costs_of_arms(case: ExactCase) -> tuple[dict[int, Fraction], ...]:
    """Costs that grow with the number of the arm, and a cost for the first arm alone."""
    arms = range(1, case.instance.number_of_arms + 1)
    return {arm: Fraction(arm) for arm in arms}, {arm: Fraction(arm == 1) for arm in arms}


def bound_on_costs(case: ExactCase, costs: dict[int, Fraction], round_number: int) -> Enclosure:
    """The bound on the expected cost of all queries in t rounds."""
    return query_costs(case.quantities(round_number), costs).evaluate()


def expected_costs(found: Law, costs: dict[int, Fraction], round_number: int) -> Fraction:
    """The expected cost of all queries in t rounds, its upper end where mass was dropped."""
    values = found.expected_queries_per_arm(round_number)
    return sum((costs[arm] * value.upper for arm, value in enumerate(values, start=1)), Fraction(0))
