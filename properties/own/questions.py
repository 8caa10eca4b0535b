"""Every claim that speaks of intervals or of the algorithm, with the checks that ask it of the user's own, or the reason
why it cannot be asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from inspect import signature

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bufalu.bounds.errors import NotRegular
from bufalu.properties.audit.collecting import collect
from bufalu.properties.claims import BY_ID, CLAIMS, Claim
from bufalu.properties.claims.claim import Subject
from bufalu.properties.claims.evidence import Check, EvidenceKind
from bufalu.properties.expectations.asked import asked_regularity
from bufalu.properties.expectations.cases import FAR_APART, JAGGED, THREE_CERTAIN, TINY, TWO_CERTAIN, ExactCase
from bufalu.properties.expectations.claims_on_law import PROMISES
from bufalu.properties.own.interval_checks import (
    failures_sum_up,
    no_count_because,
    queries_shrink_width,
    width_is_nonnegative,
)
from bufalu.properties.own.subject import Brought
from bufalu.properties.runs.cap import CAP, COUNTS
from bufalu.properties.runs.cases import CASES, SHARPER
from bufalu.properties.runs.counts import QUERIED_COUNT, UNQUERIED_COUNT
from bufalu.properties.runs.gap_query import (
    GAP_IS_ENCLOSED,
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    WIDE_EPSILON_BLOCKS,
    ZERO_EPSILON_IS_FREE,
)
from bufalu.properties.runs.scenarios import Scenario
from bufalu.properties.runs.statements import Statement
from bufalu.properties.runs.strategies import adversaries, scenarios, separating_scenarios
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import Schedule, parse_schedule

LAWS = "the exact laws of one's own"
"""One group: these checks share the laws that they compute."""

QUICK_CASES, SEARCHES = 50, 4
"""A search that begins anew finds what one that went astray does not; where the policy is BuFALU, one is enough."""

OF_ANY_POLICY: tuple[Statement, ...] = (
    COUNTS,
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    CAP,
    UNQUERIED_COUNT,
    QUERIED_COUNT,
    *CASES,
    SHARPER,
)
"""The statements about runs that can be asked of any policy."""

OF_BUFALU: tuple[Statement, ...] = (GAP_IS_ENCLOSED, WIDE_EPSILON_BLOCKS, ZERO_EPSILON_IS_FREE)
"""Those that speak of BuFALU's own roles, or of intervals alone."""

NEED_COUNTS = frozenset({CAP.name, QUERIED_COUNT.name})
"""They need N^as or N^g."""

NEED_LONG_RUNS = (QUERIED_COUNT, UNQUERIED_COUNT, ZERO_EPSILON_IS_FREE, *CASES, SHARPER)
"""They say something only once intervals are narrower than a gap can be."""

FOR_ANY_INTERVALS = frozenset(
    {
        "gap.ucb_minus_lcb",
        "gap_query.queried_is_wide",
        "gap_query.unqueried_is_near_optimal",
        "count.case_leader",
        "count.case_challenger_multiple",
        "count.case_challenger_unique",
        "count.case_optimal_unique",
        "count.unqueried",
        "epsilon.wide_blocks",
        "epsilon.zero_never_blocks",
        "algorithm.maximisers",
        "algorithm.separated_is_optimal",
        "algorithm.two_optima_overlap",
        "beyond.infinite_interval_forces_query",
    }
)
"""Claims about BuFALU whose lemmas the solvers prove for all intervals with LCB <= UCB and no further hypothesis on them."""


OWN_WORDS = {
    "regular.hoeffding": "Condition 3: the probabilities that the good event fails sum to at most C, on every law.",
    "regular.hoeffding.width_nonnegative": "Condition 1: widths are nonnegative.",
    "regular.hoeffding.queries_shrink_width": (
        "Conditions 4 and 5: more than N^as queries make the width smaller than the level, and more than N^g do so "
        "under the good event."
    ),
    "independent.hoeffding": (
        "For rewards in [0, 1] the regret is at most 4 sqrt(A K T ln T), A ln T / level^2 being the leading term of N^g, "
        "plus its lower order terms, plus the sum of epsilon(t) over t > K, plus (K + C) Delta_max, whatever the gaps."
    ),
    "theorem.adaptive_epsilon": "The cap holds on every path, also if an adversary who sees the run chooses epsilon.",
    "costs.arm_dependent": "With cost c_a for a query of arm a, the expected cost is within the bounds weighted with c_a.",
}
"""Claims that speak of Hoeffding's numbers, or of more than is asked, as they are asked here."""


@dataclass(frozen=True)
class Asked:
    """A claim with the checks that ask it of the user's own; without checks, `reason` says why there are none.

    `applies` is False for a claim about something else; a claim that applies and has no checks is open.
    """

    claim: Claim
    checks: tuple[Check, ...] = ()
    reason: str = ""
    applies: bool = True

    @property
    def words(self) -> str:
        """What the claim says of the user's own."""
        return OWN_WORDS.get(self.claim.id, self.claim.statement) if self.checks else self.claim.statement


def questions(brought: Brought) -> tuple[Asked, ...]:
    """Every claim about intervals or the algorithm, in the registry's order."""
    checks = [*_run_checks(brought), *_law_checks(brought)]
    if brought.policy is None:
        checks += _interval_checks(brought)
        if brought.the_interval.shape is not None:
            # The lemmas suppose LCB <= UCB, which is certain of a radius with a shape, and known on a grid of another.
            checks += _lemmas()
    own: dict[str, list[Check]] = {}
    for check in checks:
        for claim in check.claims:
            own.setdefault(claim, []).append(check)
    return tuple(
        _asked(brought, claim, tuple(own.get(claim.id, ()))) for claim in CLAIMS if claim.about is not Subject.NEITHER
    )


def _asked(brought: Brought, claim: Claim, checks: tuple[Check, ...]) -> Asked:  # noqa: PLR0911 - one answer for each kind of claim
    if checks:
        return Asked(claim, checks)
    subject = claim.about
    if claim.erratum is not None:
        return Asked(claim, reason="is a slip of the print, which has a correction", applies=False)
    if claim.id == "theorem.general" and brought.policy is None:
        return Asked(
            claim,
            reason="proved for every regular interval; whether this one is regular is asked as regular.hoeffding",
        )
    if subject is Subject.THEOREM and claim.id in (*PROMISES, "costs.arm_dependent"):
        return Asked(claim, reason=_no_numbers(brought))
    if claim.id in (CAP.name, QUERIED_COUNT.name, "theorem.adaptive_epsilon"):
        return Asked(claim, reason=no_count_because(brought.the_interval) or "nothing is known")
    if claim.id in FOR_ANY_INTERVALS and brought.policy is None:
        return Asked(
            claim, reason="proved for every interval with LCB <= UCB; of this one that is known on a grid alone"
        )
    if subject is Subject.ROUND and brought.policy is None:
        return Asked(claim, reason="does not depend on the interval", applies=False)
    return Asked(claim, reason=f"speaks of {subject.value}", applies=False)


def _no_numbers(brought: Brought) -> str:
    try:
        asked_regularity(brought.the_interval)
    except NotRegular as problem:
        return str(problem)
    return "no check asks it"


def _run_checks(brought: Brought) -> list[Check]:
    """The statements about single runs, on generated runs of the user's own."""
    longest = 130 if brought.the_interval.shape is not None else 40
    policy = brought.the_policy.text
    confidence = None if brought.interval is None else st.just(brought.interval.text)

    def games() -> SearchStrategy[Scenario]:
        return scenarios(policy=policy, confidence=confidence, longest=longest)

    def long_games() -> SearchStrategy[Scenario]:
        return games() | separating_scenarios(policy, brought.the_interval.text)

    def adaptive() -> SearchStrategy[Scenario]:
        return scenarios(policy=policy, confidence=confidence, epsilon=adversaries(), longest=longest)

    counted = no_count_because(brought.the_interval) is None
    statements = OF_ANY_POLICY if brought.policy is not None else (*OF_ANY_POLICY, *OF_BUFALU)
    searches = 1 if brought.policy is None else SEARCHES
    found: list[Check] = []
    for statement in statements:
        if statement.name in NEED_COUNTS and not counted:
            continue
        kind = long_games if statement in NEED_LONG_RUNS else games
        found.append(_asked_of(f"runs.{statement.name}", statement.name, subjects=kind, searches=searches))
    if counted:
        name = f"runs.adaptive.{CAP.name}"
        found.append(_asked_of(name, "theorem.adaptive_epsilon", subjects=adaptive, searches=searches))
    return found


def _asked_of(name: str, claim: str, *, subjects: Callable[[], SearchStrategy[Scenario]], searches: int) -> Check:
    """The check of the audit with other runs than the paper's."""
    (found,) = (check for check in collect(("runs",)).checks if check.name == name)
    run = partial(found.run, subjects=subjects, quick=QUICK_CASES, searches=searches)
    return replace(found, claims=(claim,), run=run)


def own_cases(brought: Brought) -> tuple[ExactCase, ...]:
    """Small laws on every path, and long ones on which the bounds bite."""
    shaped = brought.the_interval.shape is not None
    power, half = parse_schedule("power:1/4"), parse_schedule("constant:1/2")
    policy, confidence = brought.the_policy.text, brought.the_interval.text

    def case(instance: Instance, schedule: Schedule, horizon: int, ties: str, negligible: Rational = 0) -> ExactCase:
        return ExactCase(instance, schedule, horizon, confidence, ties, policy, negligible)

    if brought.policy is not None:
        # A policy without a fast version, and one that may toss coins: on every path where that is quick, and for
        # arms that always pay the same under two tie-breaks.
        return (
            case(_bernoulli("1/2", "1/4"), power, 9, "random"),
            case(_bernoulli("1/3", "2/3", "2/3"), JAGGED, 6, "random"),
            case(_bernoulli("2/5"), power, 9, "random"),
            *(case(TWO_CERTAIN, power, 400, ties) for ties in ("first", "last")),
            *(case(THREE_CERTAIN, half, 400, ties) for ties in ("first", "last")),
        )
    return (
        case(_bernoulli("1/2", "1/4"), power, 30 if shaped else 12, "first"),
        case(_bernoulli("1/3", "2/3", "2/3"), JAGGED, 12 if shaped else 7, "first"),
        case(_bernoulli("1/2", "1/2"), parse_schedule("inverse-log"), 20 if shaped else 10, "first"),
        case(_bernoulli("2/5"), power, 12, "first"),
        case(TWO_CERTAIN, power, 3000 if shaped else 300, "first"),
        case(THREE_CERTAIN, half, 1000 if shaped else 200, "first"),
        *([case(FAR_APART, power, 150, "first", TINY)] if shaped else []),
    )


def _bernoulli(*means: str) -> Instance:
    return Instance.bernoulli([Fraction(mean) for mean in means])


def _law_checks(brought: Brought) -> list[Check]:
    """The theorem's bounds on exact laws, with the user's numbers, or those that are asked of the interval."""
    try:
        asked_regularity(brought.the_interval)
    except NotRegular:
        return []
    cases = own_cases(brought)
    return [
        replace(check, run=partial(check.run, chosen=lambda profile: cases), group=LAWS)
        for check in collect(("expectations",)).checks
        if "chosen" in signature(check.run).parameters
        and BY_ID[check.claims[0]].about in (Subject.ROUND, Subject.THEOREM)
    ]


def _interval_checks(brought: Brought) -> list[Check]:
    """The conditions of regularity."""
    interval = brought.the_interval

    def replay(claim: str) -> str:
        return f"bufalu audit{brought.options} --only {claim}"

    width, shrink, failing = (
        "regular.hoeffding.width_nonnegative",
        "regular.hoeffding.queries_shrink_width",
        "regular.hoeffding",
    )
    return [
        Check(
            "own.width_is_nonnegative",
            (width,),
            EvidenceKind.ALL_CASES,
            lambda profile: width_is_nonnegative(interval, replay(width)),
        ),
        Check(
            "own.queries_shrink_width",
            (shrink,),
            EvidenceKind.ALL_CASES,
            lambda profile: queries_shrink_width(interval, replay(shrink)),
        ),
        Check("own.failures_sum_up", (failing,), EvidenceKind.EXACT_LAW, partial(failures_sum_up, interval), LAWS),
    ]


def _lemmas() -> list[Check]:
    """The solvers' lemmas about BuFALU with any intervals: they carry over as they stand."""
    found = []
    for check in collect(("smt",)).checks:
        claims = tuple(claim for claim in check.claims if claim in FOR_ANY_INTERVALS)
        if check.kind is EvidenceKind.SMT and claims:
            found.append(replace(check, claims=claims))
    return found
