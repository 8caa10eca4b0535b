"""The upper-bound theorem on the cases, in every round: regret, queries, the cap, the sharper and gap-free forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from bufalu.bounds import Enclosure, Quantities, Truth, query_costs
from bufalu.bounds import upper as formulas
from bufalu.law.law import Law, Value
from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, EvidenceKind, Verdict
from bufalu.properties.expectations.all_rounds import AllRounds, at_most_in_all_rounds
from bufalu.properties.expectations.cases import DIAL, PAIRS, THREE_CERTAIN, TWO_CERTAIN, ExactCase, cases
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import parse_schedule

KIND = EvidenceKind.EXACT_LAW

Cases = Callable[[AuditProfile], Sequence[ExactCase]]
"""The laws that a check is asked on: by default the paper's policy with the paper's intervals."""


@dataclass(frozen=True)
class Promise:
    """A bound of the theorem: what it bounds, by what, and what is trivially true (the bound bites below that)."""

    name: str
    curve: Callable[[Law, int], Value]
    bound: Callable[[Quantities], Enclosure]
    trivial: Callable[[ExactCase], Rational]
    applies: Callable[[ExactCase], bool]

    def decide(self, case: ExactCase) -> AllRounds:
        """Whether it holds in every round of a case."""
        found = case.law()
        return at_most_in_all_rounds(
            lambda t: self.curve(found, t), lambda t: self.bound(case.quantities(t)), case.horizon
        )

    def times(self, share: Fraction) -> Promise:
        """A bolder promise: this share of the bound."""
        return replace(self, bound=lambda numbers: share * self.bound(numbers))

    def bites(self, case: ExactCase) -> bool:
        """Whether the bound at T says more than the trivial one."""
        return (self.bound(case.quantities(case.horizon)) < self.trivial(case)) is Truth.TRUE


def _regret(found: Law, round_number: int) -> Value:
    return found.expected_regret(round_number)


def _queries(found: Law, round_number: int) -> Value:
    return found.expected_queries(round_number)


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


def decide_promises(promises: Iterable[Promise], chosen: Iterable[ExactCase], claim: str | None = None) -> Evidence:
    """Whether the promises are kept in given cases; `claim` is named in the replay command of a failing case."""
    examined, biting, rounds = 0, 0, 0
    closest, closest_case, closest_promise = -1.0, None, ""
    pairs = [(promise, case) for promise in promises for case in chosen if promise.applies(case)]
    for promise, case in pairs:
        outcome = promise.decide(case)
        if outcome.violated_at is not None:
            return _refuted(promise.name, case, outcome.violated_at, claim)
        examined += 1
        rounds += case.horizon
        if promise.bites(case):
            biting += 1
            # A single arm is never queried again: its slack says nothing.
            if outcome.share_used > closest and case.instance.number_of_arms > 1:
                closest, closest_case, closest_promise = outcome.share_used, case, promise.name
    verdict = Verdict.EXACT if biting else Verdict.VACUOUS
    used = "" if closest_case is None else f"{closest:.3g} of the {closest_promise} bound is reached"
    return Evidence(
        kind=KIND,
        verdict=verdict,
        detail=f"holds in each of {rounds:,} rounds of the exact laws of {examined} small instances; in {biting} of them the "
        "bound at the horizon says more than what holds trivially",
        cases=examined,
        nonvacuous=biting / examined if examined else 0.0,
        slack=f"{used} ({closest_case.name})" if closest_case is not None else None,
        witness=None
        if closest_case is None
        else replace(closest_case.witness(f"{used}: {closest_case.name}", claim), closest=True),
    )


def _refuted(name: str, case: ExactCase, round_number: int, claim: str | None = None) -> Evidence:
    return Evidence(
        kind=KIND,
        verdict=Verdict.REFUTED,
        detail=f"the {name} bound fails in round {round_number}: {case.name}",
        witness=replace(case, horizon=round_number).witness(
            f"the expectation exceeds the {name} bound in round {round_number}", claim
        ),
    )


def one_query_less(found: Law) -> Fraction:
    """A law that forgets a query."""
    return max(found.expected_queries().exact - 1, Fraction(0))


def queries_at_the_end(found: Law) -> Fraction:
    """E B^q(T)."""
    return found.expected_queries().exact


@check("theorem.short_horizon", kind=KIND, mutants={"a round without a query": {"queries": one_query_less}})
def short_horizons_and_a_single_arm(
    profile: AuditProfile, queries: Callable[[Law], Fraction] = queries_at_the_end, chosen: Cases = cases
) -> Evidence:
    """T <= K and K = 1: all bounds, in each of these rounds (l.929), on cases that are cut after round K."""
    whole = chosen(profile)
    short = [replace(case, horizon=min(case.horizon, case.instance.number_of_arms)) for case in whole]
    single = [case for case in whole if case.instance.number_of_arms == 1]
    promises = (MULTIPLE_REGRET, MULTIPLE_QUERIES, UNIQUE_REGRET, UNIQUE_QUERIES, INDEPENDENT)
    evidence = decide_promises(promises, [*short, *single], "theorem.short_horizon")
    if evidence.verdict is Verdict.REFUTED:
        return evidence
    everyone_once = all(queries(case.law()) == case.horizon for case in short)
    return Evidence(
        kind=KIND,
        verdict=Verdict.EXACT if everyone_once else Verdict.REFUTED,
        detail=f"{evidence.cases} bounds at horizons T <= K, or with one arm, hold; every round t <= K queries",
        cases=evidence.cases,
        nonvacuous=evidence.nonvacuous,
    )


def _cap_at(case: ExactCase, round_number: int, extra: int = 1) -> Enclosure:
    return Enclosure.of(case.quantities(round_number).n_bar_sure.count) + extra


@check("cap.almost_sure", kind=KIND, mutants={"without + 1": {"extra": 0}})
def the_cap_on_every_path(profile: AuditProfile, extra: int = 1, chosen: Cases = cases) -> Evidence:
    """n^q_t(a) <= N-bar^as(t) + 1 on every path, in every round, for every arm (l.421, l.849)."""
    examined, biting, attained = 0, 0, 0
    for case in chosen(profile):
        if case.negligible:
            continue
        most = _most_queries(case)
        outcome = at_most_in_all_rounds(partial(_count_at, most), partial(_cap_at, case, extra=extra), case.horizon)
        if outcome.violated_at is not None:
            return _refuted("query", case, outcome.violated_at, "cap.almost_sure")
        examined += 1
        biting += (_cap_at(case, case.horizon) < case.horizon) is Truth.TRUE
        attained += most[case.horizon] == case.quantities(case.horizon).query_cap_exact
    return Evidence(
        kind=KIND,
        verdict=Verdict.EXACT if biting else Verdict.VACUOUS,
        detail=f"holds on every path of {examined} small instances; in {attained} of them a path has as many queries as "
        "the rule can ever make",
        cases=examined,
        nonvacuous=biting / examined if examined else 0.0,
    )


def _most_queries(case: ExactCase) -> tuple[int, ...]:
    """The largest number of queries of any arm on any path, for t = 0..T."""
    per_arm = [case.law().most_queries(arm) for arm in range(1, case.instance.number_of_arms + 1)]
    return tuple(max(counts) for counts in zip(*per_arm, strict=True))


def _count_at(counts: tuple[int, ...], round_number: int) -> Value:
    return Value(Fraction(counts[round_number]), Fraction(counts[round_number]))


def bound_on_costs(case: ExactCase, costs: dict[int, Fraction], round_number: int) -> Enclosure:
    """The bound on the expected cost of all queries in t rounds."""
    return query_costs(case.quantities(round_number), costs).evaluate()


def bound_without_initial_rounds(case: ExactCase, costs: dict[int, Fraction], round_number: int) -> Enclosure:
    """The bound without the + 1 of each arm and without the failures."""
    failures = case.quantities(round_number).failures * max(costs.values())
    return bound_on_costs(case, costs, round_number) - sum(costs.values()) - failures


@check("costs.arm_dependent", kind=KIND, mutants={"without initial rounds": {"bound": bound_without_initial_rounds}})
def query_costs_of_the_arms(
    profile: AuditProfile,
    bound: Callable[[ExactCase, dict[int, Fraction], int], Enclosure] = bound_on_costs,
    chosen: Cases = cases,
) -> Evidence:
    """E sum_a c_a n^q_t(a) <= sum_a c_a (N-bar_a + 1) + C max c, in every round, for several costs (l.268)."""
    examined, biting = 0, 0
    for case in chosen(profile):
        for costs in costs_of_arms(case):
            cost_bound = partial(bound, case, costs)
            outcome = at_most_in_all_rounds(partial(expected_costs, case.law(), costs), cost_bound, case.horizon)
            if outcome.violated_at is not None:
                return _refuted("query cost", case, outcome.violated_at, "costs.arm_dependent")
            examined += 1
            biting += (cost_bound(case.horizon) < max(costs.values()) * case.horizon) is Truth.TRUE
    return Evidence(
        kind=KIND,
        verdict=Verdict.EXACT if biting else Verdict.VACUOUS,
        detail=f"holds in every round of the exact laws of small instances, {examined} with costs; in {biting} of them the "
        "bound at the horizon says more than what holds trivially",
        cases=examined,
        nonvacuous=biting / examined,
    )


def costs_of_arms(case: ExactCase) -> tuple[dict[int, Fraction], ...]:
    """Costs that grow with the number of the arm, and a cost for the first arm alone."""
    arms = range(1, case.instance.number_of_arms + 1)
    return {arm: Fraction(arm) for arm in arms}, {arm: Fraction(arm == 1) for arm in arms}


def expected_costs(found: Law, costs: dict[int, Fraction], round_number: int) -> Value:
    """The expected cost of all queries in t rounds."""
    values = list(enumerate(found.expected_queries_per_arm(round_number), start=1))
    return Value(
        sum((costs[arm] * value.lower for arm, value in values), Fraction(0)),
        sum((costs[arm] * value.upper for arm, value in values), Fraction(0)),
    )


TWO_SURE_ARMS = ExactCase(TWO_CERTAIN, parse_schedule("power:1/4"), 20_000)
THREE_SURE_ARMS = ExactCase(THREE_CERTAIN, parse_schedule("constant:1/2"), 2_000)
BY_PAIRS = replace(TWO_SURE_ARMS, horizon=4_000, policy="pairs:2", bounds_of="pairs:2")
SEVERAL_BY_PAIRS = replace(THREE_SURE_ARMS, horizon=1_000, policy="pairs:2", bounds_of="pairs:2")
DIALLED = replace(TWO_SURE_ARMS, horizon=10_000, policy="dial:1/2", bounds_of="dial:1/2")
"""Long runs on arms that always pay the same, on which a bound that promises too much is caught."""


def dial_cases(profile: AuditProfile) -> Sequence[ExactCase]:
    """The dial's cases with Hoeffding's interval (docs/dial.md)."""
    return [case for case in DIAL if case.confidence == "hoeffding"]


def bernstein_dial_cases(profile: AuditProfile) -> Sequence[ExactCase]:
    """The dial's cases with Bernstein's interval."""
    return [case for case in DIAL if case.confidence == "bernstein"]


def pairs_cases(profile: AuditProfile) -> Sequence[ExactCase]:
    """The cases of the pair rule (docs/pairs.md)."""
    return PAIRS


check("pairs.cap", kind=KIND, name="expectations.the_cap_of_the_pair_rule", mutants={"N - 3": {"extra": -3}})(
    partial(the_cap_on_every_path, chosen=pairs_cases)
)


def _promise(name: str, claim: str, on: Cases, caught_on: ExactCase, share: Fraction, *promises: Promise) -> None:
    """The check of some bounds on the cases to which they apply, and as mutants this share of each of them."""

    def run(profile: AuditProfile, bounds: Sequence[Promise] = promises, chosen: Cases = on) -> Evidence:
        return decide_promises(bounds, chosen(profile), claim)

    mutants = {
        f"{share} of the {promise.name} bound": {"bounds": [promise.times(share)], "chosen": lambda _: [caught_on]}
        for promise in promises
        if promise.applies(caught_on)
    }
    check(claim, kind=KIND, name=f"expectations.{name}", mutants=mutants)(run)


_promise(
    "regret_with_several_optimal_arms",
    "theorem.multiple.regret",
    cases,
    THREE_SURE_ARMS,
    Fraction(1, 7),
    MULTIPLE_REGRET,
)
_promise(
    "queries_with_several_optimal_arms",
    "theorem.multiple.queries",
    cases,
    THREE_SURE_ARMS,
    Fraction(5, 6),
    MULTIPLE_QUERIES,
)
_promise("regret_with_one_optimal_arm", "theorem.unique.regret", cases, TWO_SURE_ARMS, Fraction(1, 5), UNIQUE_REGRET)
_promise(
    "queries_with_one_optimal_arm", "theorem.unique.queries", cases, TWO_SURE_ARMS, Fraction(1, 5), UNIQUE_QUERIES
)
_promise(
    "the_sharper_theorem", "theorem.sharper", cases, TWO_SURE_ARMS, Fraction(1, 5), SHARPER_REGRET, SHARPER_QUERIES
)
_promise("regret_whatever_the_gaps", "independent.hoeffding", cases, TWO_SURE_ARMS, Fraction(1, 200), INDEPENDENT)
_promise(
    "regret_of_the_dial", "dial.theorem.regret", dial_cases, DIALLED, Fraction(1, 8), UNIQUE_REGRET, MULTIPLE_REGRET
)
_promise(
    "queries_of_the_dial",
    "dial.theorem.queries",
    dial_cases,
    DIALLED,
    Fraction(1, 8),
    UNIQUE_QUERIES,
    MULTIPLE_QUERIES,
)
_promise(
    "the_sharper_dial", "dial.theorem.sharper", dial_cases, DIALLED, Fraction(1, 8), SHARPER_REGRET, SHARPER_QUERIES
)
_promise(
    "regret_of_the_dial_whatever_the_gaps",
    "dial.theorem.independent",
    dial_cases,
    DIALLED,
    Fraction(1, 200),
    INDEPENDENT,
)
_promise(
    "the_dial_with_bernstein_intervals",
    "dial.theorem.bernstein",
    bernstein_dial_cases,
    replace(DIALLED, horizon=4_000, confidence="bernstein"),
    Fraction(1, 30),
    UNIQUE_REGRET,
    UNIQUE_QUERIES,
    MULTIPLE_REGRET,
    MULTIPLE_QUERIES,
)
_promise("regret_of_the_pair_rule", "pairs.theorem.regret", pairs_cases, BY_PAIRS, Fraction(1, 7), UNIQUE_REGRET)
_promise("queries_of_the_pair_rule", "pairs.theorem.queries", pairs_cases, BY_PAIRS, Fraction(1, 7), UNIQUE_QUERIES)
_promise(
    "the_pair_rule_with_several_optimal_arms",
    "pairs.theorem.several_optima",
    pairs_cases,
    SEVERAL_BY_PAIRS,
    Fraction(1, 10),
    MULTIPLE_REGRET,
    MULTIPLE_QUERIES,
)
