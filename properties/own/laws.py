"""The exact laws on which the theorem is asked of a user's own.

A few are fixed. The others are searched: instances drawn with the seed begin with short runs, and those on which a bound
is nearest to failing are followed for twice as many rounds, and twice as many again, as long as the states are few.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import cycle, islice

from bufalu.properties.claims.evidence import AuditProfile
from bufalu.properties.claims.shared_work import shared_work
from bufalu.properties.expectations.cases import FAR_APART, JAGGED, THREE_CERTAIN, TINY, TWO_CERTAIN, ExactCase
from bufalu.properties.expectations.theorem_checks import (
    INDEPENDENT,
    MULTIPLE_QUERIES,
    MULTIPLE_REGRET,
    SHARPER_QUERIES,
    SHARPER_REGRET,
    Promise,
)
from bufalu.properties.own.subject import OwnSubject
from bufalu.properties.runs.search import number_of_cases
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import MixedRounds
from bufalu.reference.instances import Instance
from bufalu.reference.policies import check_one_logarithm, policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import Schedule, parse_schedule


class LawTies(Enum):
    """How the laws break ties; `value` says it before a person.

    A rule's own coin is a tie between decisions that it holds for equally good: FAIR tosses it, FIXED never does.
    """

    FAIR = "fair ties"
    FIXED = "ties broken first or last"

    @property
    def first_horizon(self) -> int:
        """How many rounds a law has before anybody knows whether it is worth more."""
        return 8 if self is LawTies.FAIR else 12

    @property
    def texts(self) -> tuple[str, ...]:
        """The words of the command line."""
        return ("random",) if self is LawTies.FAIR else ("first", "last")


MEANS = tuple(map(Fraction, ["0", "1/20", "1/4", "1/3", "9/20", "1/2", "11/20", "2/3", "3/4", "9/10", "19/20", "1"]))
SCHEDULES = ("zero", "zero", "power:1/4", "zero", "power:1/2", "constant:1/10", "inverse-log", "zero", "constant:1/2")
"""Free queries most often: epsilon is a term of the regret bounds, which are smallest without it."""

TO_BREAK: tuple[Promise, ...] = (
    MULTIPLE_REGRET,
    MULTIPLE_QUERIES,
    SHARPER_REGRET,
    SHARPER_QUERIES,
    INDEPENDENT,
)
"""The bounds by which laws are ranked; the others are larger than one of these."""

QUICK_CANDIDATES, FOLLOWED = 16, 2
"""How many instances are drawn, and how many of them are followed for each bound, in the quick profile."""

QUICK_HORIZON, FULL_HORIZON = 200, 1_600
MOST_STATES = 30_000
"""States of a law that are followed in the quick profile; the full one follows more, as it draws more."""

EXACT_COST = 5
"""A state that is decided exactly, as those with fair ties are, counts as so many in doubles."""

FURTHER = 8
"""A bound and what it bounds are compared as if both grew for eight times as long as in the last half of the run."""


def laws(brought: OwnSubject, profile: AuditProfile, ties: LawTies) -> tuple[ExactCase, ...]:
    """The fixed laws, and those that were searched for, each of them as long as it was followed."""
    return _laws(brought.the_policy.text, brought.the_interval.text, brought.policy is not None, profile, ties)


@lru_cache(maxsize=4)
def _laws(
    policy: str, confidence: str, own_policy: bool, profile: AuditProfile, ties: LawTies
) -> tuple[ExactCase, ...]:
    with shared_work(f"the laws of one's own, {ties.value}"):
        fixed = fixed_cases(policy, confidence, ties, own_policy=own_policy)
        return (*fixed, *searched(candidates(policy, confidence, profile, ties), profile))


def fixed_cases(policy: str, confidence: str, ties: LawTies, *, own_policy: bool) -> tuple[ExactCase, ...]:
    """Small laws on every path, and long ones on which the bounds bite."""
    power, half = parse_schedule("power:1/4"), parse_schedule("constant:1/2")

    def case(instance: Instance, schedule: Schedule, horizon: int, ties: str, negligible: Rational = 0) -> ExactCase:
        return ExactCase(instance, schedule, horizon, confidence, ties, policy, negligible)

    if ties is LawTies.FAIR:
        # Every state is decided exactly: short laws alone.
        return (
            case(_bernoulli("1/2", "1/4"), power, 9, "random"),
            case(_bernoulli("1/3", "2/3", "2/3"), JAGGED, 6, "random"),
            case(_bernoulli("2/5"), power, 9, "random"),
            case(TWO_CERTAIN, power, 30, "random"),
            case(THREE_CERTAIN, half, 16, "random"),
        )
    shaped = confidence_named(confidence).shape is not None
    if own_policy:
        return tuple(
            case(instance, schedule, 400, way)
            for instance, schedule in ((TWO_CERTAIN, power), (THREE_CERTAIN, half))
            for way in ties.texts
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


def candidates(policy: str, confidence: str, profile: AuditProfile, ties: LawTies) -> list[ExactCase]:
    """Instances of two or three arms with a schedule, drawn with the seed; every schedule and tie-break in turn."""
    drawn = random.Random(f"laws:{profile.seed}")
    size = number_of_cases(profile, QUICK_CANDIDATES)
    found = []
    for schedule, way in islice(zip(cycle(SCHEDULES), cycle(ties.texts), strict=False), size):
        means = [drawn.choice(MEANS) for _ in range(drawn.choice((2, 2, 2, 3)))]
        if drawn.random() < 1 / 4:
            means[0] = max(means)
        kind = Instance.deterministic if drawn.random() < 1 / 8 else Instance.bernoulli
        case = ExactCase(kind(means), parse_schedule(schedule), ties.first_horizon, confidence, way, policy)
        if _goes_together(case):
            found.append(case)
    return found


def searched(pool: Sequence[ExactCase], profile: AuditProfile) -> tuple[ExactCase, ...]:
    """The candidates, those nearest to failing with the longest horizons."""
    longest = {replace(case, horizon=0): case for case in pool}
    ahead = list(pool)
    while ahead:
        near = nearest(ahead, FOLLOWED * (8 if profile.full else 1))
        ahead = [replace(case, horizon=2 * case.horizon) for case in near if _may_grow(case, profile)]
        longest.update({replace(case, horizon=0): case for case in ahead})
    return tuple(longest.values())


def nearest(pool: Sequence[ExactCase], followed: int) -> list[ExactCase]:
    """For each bound the laws on which it is nearest to failing, each law once; none for a bound that has failed."""
    found: dict[ExactCase, None] = {}
    for promise in TO_BREAK:
        speaking = [case for case in pool if promise.applies(case)]
        if not any(share_used(promise, case) > 1 for case in speaking):
            found.update(dict.fromkeys(sorted(speaking, key=lambda case: -share_ahead(promise, case))[:followed]))
    return list(found)


def share_used(promise: Promise, case: ExactCase) -> float:
    """The share of the bound that is used in round T; it ranks laws, and decides nothing."""
    bound = float(promise.bound(case.quantities(case.horizon)))
    return float(promise.curve(case.law(), case.horizon).upper) / bound if bound else 0.0


def share_ahead(promise: Promise, case: ExactCase) -> float:
    """The share of the bound that would be used if all went on as in the last half of the run; it ranks laws alone."""
    law, last = case.law(), case.horizon
    bound, before = (float(promise.bound(case.quantities(t))) for t in (last, last // 2))
    value, earlier = (float(promise.curve(law, t).upper) for t in (last, last // 2))
    ahead = bound + FURTHER * (bound - before)
    return (value + FURTHER * (value - earlier)) / ahead if 0 < ahead < float("inf") else 0.0


def single_arms(confidence: str, profile: AuditProfile) -> Iterable[ExactCase]:
    """One arm that is always queried, of fixed means and of some drawn with the seed: here failures are most often met."""
    drawn = random.Random(f"single arms:{profile.seed}")
    means = [Fraction(1, 2), Fraction(1, 6), Fraction(1, 20)]
    means += [Fraction(drawn.randint(1, 99), 100) for _ in range(number_of_cases(profile, 3))]
    horizon = 200 if profile.full else 60
    return [
        ExactCase(Instance.bernoulli([mean]), parse_schedule("zero"), horizon, confidence, policy="cbm-ucb")
        for mean in means
    ]


def _may_grow(case: ExactCase, profile: AuditProfile) -> bool:
    """Whether twice as many rounds stay within what a profile follows; doubling them gives about eight times the states."""
    exactly = case.ties == "random" or confidence_named(case.confidence).shape is None
    states = 8 * case.law().states * (EXACT_COST if exactly else 1)
    longest = FULL_HORIZON if profile.full else QUICK_HORIZON
    return 2 * case.horizon <= longest and states <= number_of_cases(profile, MOST_STATES)


def _goes_together(case: ExactCase) -> bool:
    """Whether the interval can be compared with this epsilon."""
    try:
        check_one_logarithm(
            policy_named(case.policy),
            confidence_named(case.confidence),
            case.schedule,
            case.instance.number_of_arms,
        )
    except MixedRounds:
        return False
    return True


def _bernoulli(*means: str) -> Instance:
    return Instance.bernoulli([Fraction(mean) for mean in means])
