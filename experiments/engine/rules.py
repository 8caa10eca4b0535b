"""A configuration of an experiment, and the numbers by which a kernel knows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor

from bufalu.experiments.engine.arrays import DIAL, PAIRS, SPENDING, WIDEST, KernelRule
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.radii import MOST_GROWTH, IntervalRadii, PairRadii, Radii, check_shape, offset_of
from bufalu.experiments.engine.round_tables import margin_of
from bufalu.experiments.engine.streams import common_denominator
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.policies import policy_named
from bufalu.reference.policies.policy import Pairing
from bufalu.reference.radius_shapes import Growth, RadiusShape
from bufalu.reference.schedules import Schedule

EXACT = 1 << 52
"""Counts and sums are kept in doubles, where whole numbers below this are exact, with a bit to spare."""

NONE = -1.0
"""Stands for a count that a rule does not have."""


@dataclass(frozen=True)
class KernelFamily:
    """The kernel of a policy, where its dial stands, and kappa and spread of the pair rule (see `arrays.DIAL`)."""

    code: int
    rho: Fraction = Fraction(0)
    kappa: Fraction = Fraction(0)
    spread: Fraction = Fraction(0)

    @property
    def weights(self) -> tuple[int, int]:
        """What the queries of leader and challenger are multiplied by before they are compared: a width is at least rho of
        another where n_l p^2 <= n_u q^2, rho = p/q.
        """
        if self.code == PAIRS:
            return self.kappa.denominator, self.kappa.numerator
        return self.rho.numerator**2, self.rho.denominator**2


KERNELS = {"dial": DIAL, "width": WIDEST, "budget": SPENDING, "pairs": PAIRS}
"""The compiled rules, by the names that policies have for them."""


def family_of(policy: str) -> KernelFamily:
    """The kernel that plays this policy; raises `UnknownName`, and `OutsideEngine` for one that has none."""
    found = policy_named(policy)
    if found.kernel not in KERNELS:
        raise OutsideEngine(f"the fast engine has no kernel for the policy '{policy}': `simulate` takes it")
    pairing = found.pairing or Pairing(0, 0)
    numbers = (found.steering or 0, pairing.kappa, pairing.spread)
    return KernelFamily(KERNELS[found.kernel], *map(Fraction, numbers))


@dataclass(frozen=True)
class Configuration:
    """One cell of an experiment: everything that a run depends on but its seed.

    Raises `UnknownName` for a policy or interval that does not exist, and `OutsideEngine` for a run that the engine
    cannot carry: the reference still can.
    """

    policy: str
    instance: Instance
    schedule: Schedule
    horizon: int
    confidence: str = "hoeffding"
    ties: str = "first"
    jumps: bool = True

    def __post_init__(self) -> None:
        family, curved = self.family, self.curved
        if self.ties not in ("first", "last"):
            raise OutsideEngine(f"the fast engine breaks ties `first` or `last`, not '{self.ties}'")
        if self.schedule.adaptive:
            raise OutsideEngine("the fast engine takes schedules fixed in advance; `simulate` takes an adaptive one")
        if self.horizon < 0:
            raise OutsideEngine(f"a horizon of {self.horizon} rounds is negative")
        largest = self.denominator ** (2 if curved else 1) * max(self.horizon, 1)
        if largest >= EXACT:
            sums = "sums of squares" if curved else "sums"
            raise OutsideEngine(
                f"the {sums} of {self.horizon} rewards over the denominator {self.denominator} can reach 2^52, beyond "
                "which the fast engine cannot count exactly; the reference can"
            )
        if max(family.weights) * max(self.horizon, 1) >= EXACT:
            raise OutsideEngine(
                f"the number of {self.policy} is too fine for {self.horizon} rounds of the fast engine: "
                "`simulate` takes it"
            )
        if family.spread > MOST_GROWTH or family.spread.denominator > 1:
            raise OutsideEngine(
                f"the fast engine takes whole spreads up to 2^30, not that of {self.policy}: `simulate` takes it"
            )

    @property
    def family(self) -> KernelFamily:
        """The kernel of the policy."""
        return family_of(self.policy)

    @property
    def interval(self) -> ConfidenceInterval:
        """The confidence interval."""
        return confidence_named(self.confidence)

    @cached_property
    def shape(self) -> RadiusShape:
        """The interval's radius as data."""
        return check_shape(self.confidence, self.interval.shape)

    @property
    def radii(self) -> Radii:
        """What the policy compares: intervals, or pairs of arms, which look at no interval."""
        return PairRadii(int(self.family.spread)) if self.family.code == PAIRS else IntervalRadii(self.shape)

    @property
    def curved(self) -> bool:
        """Whether the radii need the squares of the rewards."""
        return self.family.code != PAIRS and self.shape.uses_variance

    @cached_property
    def denominator(self) -> int:
        """The common denominator of all rewards."""
        return common_denominator(self.instance)

    @property
    def ordered_arms(self) -> tuple[Arm, ...]:
        """The arms in the order in which ties are broken: the kernels know only `first`."""
        return self.instance.arms[:: self.direction]

    @property
    def direction(self) -> int:
        """1 or -1: the way from the kernels' order of the arms to that of the instance, and back."""
        return -1 if self.ties == "last" else 1

    @cached_property
    def rule(self) -> KernelRule:
        """What the kernel needs to know."""
        family, arms = self.family, self.instance.number_of_arms
        tag_bits = (arms - 1).bit_length()
        offset = offset_of(self.radii, self.horizon)
        # With curved intervals the rounds K+1..2K query arms 1..K again under these rules: unqueried-twice arms have
        # infinite intervals, which tie, and an arm with two rewards leads every other.
        turns = self.shape.needed_queries if family.code == DIAL and arms > 1 else 1
        full, tied, spend = NONE, NONE, NONE
        if family.code != PAIRS:
            full, tied, spend = budget_counts(self.schedule, self.shape, arms)
        leader_weight, challenger_weight = map(float, family.weights)
        return KernelRule(
            arms=arms,
            all_arms=arms,
            backwards=int(self.ties == "last"),
            initial=turns * arms,
            tags=(1 << tag_bits) - 1,
            margin=margin_of(offset, tag_bits),
            offset=offset,
            denominator=float(self.denominator),
            scale=1.0 / self.denominator,
            rho=float(family.rho),
            leader_weight=leader_weight,
            challenger_weight=challenger_weight,
            spread=float(family.spread),
            full_count=full,
            tied_count=tied,
            spend_limit=spend,
            jumps=int(self.jumps),
        )


def budget_counts(schedule: Schedule, shape: RadiusShape, arms: int) -> tuple[float, float, float]:
    """`full_count`, `tied_count` and `spend_limit` of a rule, NONE where there is no such number.

    Let epsilon(t) = a sqrt(ln t) + b ln t. With b = 0 and a width of 2 sqrt(c ln t / n), the width exceeds it iff
    n < 4 c / a^2; greedy's (B^q - K + 1) epsilon^2 > 6 K ln t holds iff B^q - K + 1 > 6 K / a^2. A width of
    2 sqrt(c V ln t / n) + 2 d ln t / (n - 1) equals it iff V is the largest, n / (4 (n - 1)), and n - 1 = c / a^2 = 2 d / b.
    """
    terms = schedule.shape(arms)
    level = None if terms is None else terms.log_polynomial
    if level is None or not level.slope_squared:
        return NONE, NONE, NONE
    rooted = next(term.coefficient for term in shape.terms if term.rooted)
    reached = rooted / level.slope_squared
    if not level.curvature:
        full = NONE if shape.uses_variance or shape.growth is not Growth.LOG else _count(ceil(4 * reached))
        return full, NONE, _count(floor(6 * arms / level.slope_squared))
    bend = sum(term.coefficient for term in shape.terms if not term.rooted)
    tied = shape.uses_variance and reached == 2 * bend / level.curvature and reached.denominator == 1
    return NONE, _count(reached.numerator + 1) if tied else NONE, NONE


def _count(number: int) -> float:
    return float(min(number, EXACT))


def checked_marks(checkpoints: Sequence[int] | None, horizon: int) -> tuple[int, ...]:
    """The rounds after which counts are kept, by default the last; raises `OutsideEngine` unless they increase."""
    marks = tuple(checkpoints) if checkpoints is not None else (horizon,)
    if any(mark < 0 or mark > horizon for mark in marks) or list(marks) != sorted(set(marks)):
        raise OutsideEngine("checkpoints must be distinct, increasing and within the horizon")
    return marks
