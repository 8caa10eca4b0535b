"""What is proved of a policy, as far as the numbers of its bounds go: one object for each theorem.

A policy says itself what bounds it: `steering` is its position on the dial, BuFALU's or BuFAU's included, and `pairing`
the constants of the pair rule. One that says neither is bounded by nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from bufalu.bounds.enclosures import Enclosure, Number
from bufalu.bounds.errors import NoTheorem, OutsideDomain
from bufalu.bounds.expressions import Expression, counting, log, nonnegative, positive
from bufalu.bounds.growths import growth_formula
from bufalu.bounds.maxima import LevelRule
from bufalu.bounds.pairs import PairCount, PairRoot, SharpPairCount, enough_answers, rare_failures, reach
from bufalu.bounds.regularity import HOEFFDING, LOG_LOG, Regularity, SampleRule
from bufalu.reference.instances import Instance
from bufalu.reference.policies import BUFALU, Policy
from bufalu.reference.policies.policy import Pairing
from bufalu.reference.rationals import Rational


@dataclass(frozen=True)
class AnyGaps:
    """2 r sqrt(K A T F) + r K (B F + D Delta_max), what separating the arms costs whatever the gaps are.

    F is `growth`, a formula in T and in the symbols that `values` explains.
    """

    factor: Rational
    leading: Rational
    slope: Rational
    constant: Rational
    growth: Expression
    values: Mapping[str, Number] = field(default_factory=dict)


@dataclass(frozen=True)
class SharpForm:
    """A theorem with a free delta > 0: an arm is queried at most N(gap - 2 delta) times, and some more whatever T is.

    `rule` gives N of an arm for a delta. The arms in order: `leading` is the limit of N(gap) gap^2 / ln T, `extra` what
    depends on delta alone. The level of the unique optimal arm is that of the smallest gap. `failures` are added, beside K.
    """

    place: str
    rule: Callable[[int, Fraction], SampleRule]
    leading: tuple[Rational, ...]
    extra: tuple[Expression, ...]
    failures: Expression
    values: Mapping[str, Number]


class Guarantee(Protocol):
    """How often a policy queries an arm, at which level, and how often its good event fails."""

    @property
    def words(self) -> str:
        """What the policy is used with, after its name: " with hoeffding intervals", or nothing."""

    @property
    def supposition(self) -> str | None:
        """What every bound supposes; None where it is proved here."""

    @property
    def sure(self) -> SampleRule:
        """N^as: with more queries an arm is not queried, on any run."""

    @property
    def sure_exactly(self) -> SampleRule:
        """N^as without what its formula gives away."""

    def place(self, main: str, general: str) -> str:
        """Where the theorem stands: one of two places in the paper, or a page of ours."""

    def rule(self, instance: Instance, number: int, *, sharper: bool) -> SampleRule:
        """N_a^g: with more queries the arm is not queried in a good round."""

    def level(self, instance: Instance, number: int, *, sharper: bool) -> LevelRule | None:
        """The level at which N_a^g is taken; None for +infinity."""

    def failures(self, instance: Instance, horizon: int) -> Number:
        """C(T), as the theorem says it."""

    def least_failures(self, instance: Instance, horizon: int) -> Enclosure:
        """C(T) as small as the proof allows."""

    def any_gaps(self, instance: Instance, horizon: int, variance: Rational) -> AnyGaps:
        """What the bound that does not know the gaps is made of."""

    def sharp(self, instance: Instance, horizon: int) -> SharpForm | None:
        """The theorem with the best leading constant; None where none is proved."""


@dataclass(frozen=True)
class SteeredGuarantee:
    """The paper's theorem (l.417-436, l.846-867) with half the gap as gap / (1 + rho): the dial; BuFALU is rho = 1."""

    regularity: Regularity
    rho: Fraction
    printed: bool

    @property
    def words(self) -> str:
        """See `Guarantee`."""
        return f" with {self.regularity.name} intervals"

    @property
    def supposition(self) -> str | None:
        """See `Guarantee`."""
        return self.regularity.supposition

    @property
    def sure(self) -> SampleRule:
        """See `Guarantee`."""
        return self.regularity.sure

    @property
    def sure_exactly(self) -> SampleRule:
        """See `Guarantee`."""
        return self.regularity.sure

    def place(self, main: str, general: str) -> str:
        """See `Guarantee`."""
        if not self.printed:
            return "docs/dial.md"
        if self.regularity is LOG_LOG:
            return self.regularity.line
        return main if self.regularity is HOEFFDING else general

    def rule(self, instance: Instance, number: int, *, sharper: bool) -> SampleRule:
        """See `Guarantee`; the same rule at another level where `sharper`."""
        return self.regularity.good(instance.arms[number - 1].variance)

    def level(self, instance: Instance, number: int, *, sharper: bool) -> LevelRule | None:
        """Several optimal arms: the gap, 0 for optimal ones. One: gap / (1 + rho), half of it for BuFALU, and for the
        optimal arm rho / (1 + rho) of the smallest gap, which is infinite when there is no other arm (l.422-431).

        The sharper level of a suboptimal arm is min{gap, (gap + epsilon(t)) / (1 + rho)}.
        """
        gap = instance.gaps[number - 1]
        if not instance.unique:
            return LevelRule(gap)
        if gap:
            return LevelRule(gap, 1 + self.rho) if sharper else LevelRule(Fraction(gap) / (1 + self.rho))
        smallest = instance.smallest_gap
        return None if smallest is None else LevelRule(self.rho * Fraction(smallest) / (1 + self.rho))

    def failures(self, instance: Instance, horizon: int) -> Number:
        """The printed C(T)."""
        return self.regularity.failure_sum(instance.number_of_arms)

    def least_failures(self, instance: Instance, horizon: int) -> Enclosure:
        """C(T) as small as the proof allows (erratum E14)."""
        return self.regularity.least_failure_sum(instance.number_of_arms, horizon)

    def any_gaps(self, instance: Instance, horizon: int, variance: Rational) -> AnyGaps:
        """r = 1 + rho, A = 6, B = D = 0 for Hoeffding's interval; A = 24 V, B = 52, D = 1 for Bernstein's (l.1052), and
        A = 2, B = D = 0 for that of l.1644, whose F is max(0, ln T + 3 ln ln T).

        V is a bound on the variances of the suboptimal arms; raises `OutsideDomain` if it is none.
        """
        if any(arm.variance > variance for arm, gap in zip(instance.arms, instance.gaps, strict=True) if gap):
            raise OutsideDomain(f"a suboptimal arm has a variance above {variance}")
        good = self.regularity.good_numbers
        leading = Fraction(good.quadratic) + good.by_variance * Fraction(variance)
        return AnyGaps(1 + self.rho, leading, good.linear, good.constant, growth_formula(good.growth, counting("T")))

    def sharp(self, instance: Instance, horizon: int) -> SharpForm | None:
        """BuFALU with Hoeffding's interval and a unique optimal arm (`sharp.*`): 6 ln T where the paper has 24 ln T."""
        if self.rho != 1 or self.regularity is not HOEFFDING or instance.smallest_gap is None or not instance.unique:
            return None
        rule, arms = self.regularity.good(0), instance.number_of_arms
        one, rivals = 1 / positive("delta") ** 2, 1 / positive("delta") ** 2 + 1 / (2 * positive("delta") ** 4)
        suboptimal, optimal = one + rivals, one + (arms - 1) * rivals
        extra = tuple(suboptimal if gap else optimal for gap in instance.gaps)
        return SharpForm("docs/proofs.md", lambda number, delta: rule, (6,) * arms, extra, counting("K"), {"K": arms})


@dataclass(frozen=True)
class PairGuarantee:
    """The theorem of the pair rule (docs/pairs.md), with one optimal arm and with several."""

    pairing: Pairing

    words = ""
    supposition = None

    @property
    def sure(self) -> PairCount:
        """See `Guarantee`."""
        return PairCount(self.pairing, *self._sure_factors)

    @property
    def sure_exactly(self) -> PairRoot:
        """See `Guarantee`."""
        return PairRoot(self.pairing, *self._sure_factors)

    @property
    def _sure_factors(self) -> tuple[Fraction, Fraction]:
        kappa = Fraction(self.pairing.kappa)
        return (1 + kappa) / 2, (1 + 1 / kappa) / 2

    def place(self, main: str, general: str) -> str:
        """See `Guarantee`."""
        return "docs/pairs.md"

    def rule(self, instance: Instance, number: int, *, sharper: bool) -> PairCount:
        """See `Guarantee`; the largest number that the inequality allows where `sharper`."""
        leader, challenger = self._sure_factors
        if not instance.unique:
            challenger = Fraction(2)
        elif instance.gaps[number - 1]:
            challenger = 4 * challenger
        else:
            leader = 4 * leader
        return (PairRoot if sharper else PairCount)(self.pairing, leader, challenger)

    def level(self, instance: Instance, number: int, *, sharper: bool) -> LevelRule | None:
        """The gap; for a unique optimal arm the smallest gap, which is infinite when there is no other arm."""
        gap: Rational | None = instance.gaps[number - 1]
        if not gap and instance.unique:
            gap = instance.smallest_gap
        return None if gap is None else LevelRule(gap)

    def failures(self, instance: Instance, horizon: int) -> Enclosure:
        """K - 1 times the sum of 1/(t b(t)); with several optimal arms twice that."""
        return self._pairs(instance) * rare_failures(1, horizon)

    def least_failures(self, instance: Instance, horizon: int) -> Enclosure:
        """C(T) without the rounds up to K, which need no good event."""
        return self._pairs(instance) * rare_failures(instance.number_of_arms + 1, horizon)

    def _pairs(self, instance: Instance) -> int:
        others = instance.number_of_arms - 1
        return others if instance.unique else 2 * others

    def any_gaps(self, instance: Instance, horizon: int, variance: Rational) -> AnyGaps:
        """r = 1, A the larger factor of a suboptimal arm, D what its number has beside F/level^2; F = F_T."""
        kappa, spread = Fraction(self.pairing.kappa), Fraction(self.pairing.spread)
        rule = PairCount(self.pairing, (1 + kappa) / 2, 2 * (1 + 1 / kappa))
        (leader, shift), (challenger, _) = rule.roles
        rounds = counting("T")
        logarithm = log(rounds * counting("b")) + log((rounds - 1 + spread) / spread)
        return AnyGaps(1, max(leader, challenger), 0, max(shift, spread), logarithm, rule.symbols(horizon))

    def sharp(self, instance: Instance, horizon: int) -> SharpForm | None:
        """With a unique optimal arm (`pairs.sharp.*`): (1 + 1/kappa)/2 ln T, and (1 + kappa)/2 ln T for the optimal arm."""
        smallest, arms = instance.smallest_gap, instance.number_of_arms
        if smallest is None or not instance.unique:
            return None
        gap, (leader, challenger) = Fraction(smallest), self._sure_factors

        def rule(number: int, delta: Fraction) -> SampleRule:
            most = enough_answers(self.pairing, horizon, gap, delta)
            factors = (Fraction(0), challenger) if instance.gaps[number - 1] else (leader, Fraction(0))
            return SharpPairCount(self.pairing, *factors, most)

        tail = 1 / positive("delta") ** 2
        extra = tail + (arms - 1) * positive("R") * tail * (1 + tail / 2)
        values: dict[str, Number] = {"K": arms, "C": self.failures(instance, horizon), "R": reach(self.pairing, gap)}
        leading = tuple(challenger if each else leader for each in instance.gaps)
        failures = nonnegative("C") + counting("K") * (2 + tail)
        return SharpForm("docs/pairs.md", rule, leading, (extra,) * arms, failures, values)


def guarantee_of(policy: Policy, regularity: Callable[[], Regularity]) -> Guarantee:
    """The theorem that bounds a policy, which may ask for the regularity of its interval; raises `NoTheorem`."""
    if policy.pairing is not None:
        return PairGuarantee(policy.pairing)
    if policy.steering is None:
        raise NoTheorem(f"no theorem of ours or of the paper bounds the policy '{policy.text}'")
    return SteeredGuarantee(regularity(), Fraction(policy.steering), policy is BUFALU)
