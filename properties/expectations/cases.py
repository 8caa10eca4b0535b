"""The settings on which the claims about expectations are decided: small ones exactly, long ones where bounds bite."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from bufalu.bounds import Quantities
from bufalu.bounds.guarantees import guarantee_of
from bufalu.law.law import Law, exact_law
from bufalu.properties.claims.evidence import AuditProfile, Witness
from bufalu.properties.expectations.asked import asked_regularity
from bufalu.reference.confidence import confidence_named
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.policies import named_with, policy_named
from bufalu.reference.rationals import Rational, format_rational
from bufalu.reference.schedules import Schedule, Values, parse_schedule

TINY = Fraction(1, 10**9)
"""States rarer than this are not followed in the long cases; their mass stays in the upper ends."""

EPSILON_FILE = "jagged-epsilon.txt"
"""Where a witness keeps epsilons that have no text form."""


@dataclass(frozen=True)
class ExactCase:
    """One run whose law is computed, and the policy whose bounds are held against it."""

    instance: Instance
    schedule: Schedule
    horizon: int
    confidence: str = "hoeffding"
    ties: str = "first"
    policy: str = "bufalu"
    negligible: Rational = 0
    bounds_of: str = "bufalu"

    def law(self) -> Law:
        """The law, computed once for all checks, whichever policy's bounds they hold against it."""
        return _law(replace(self, bounds_of=self.policy))

    def quantities(self, horizon: int) -> Quantities:
        """What the theorem's bounds are made of, at a horizon up to the case's."""
        return _quantities(self, horizon)

    @cached_property
    def name(self) -> str:
        """The case in a few words."""
        arms = ", ".join(_described(arm) for arm in self.instance.arms)
        schedule = self.schedule.text or "a jagged sequence"
        setting = named_with(self.policy, self.confidence, ", ")
        return f"{setting}, {schedule}, T = {self.horizon:,}, ({arms})"

    @property
    def command(self) -> str:
        """How to see the law at the command line."""
        means = ",".join(format_rational(mean) for mean in self.instance.means)
        epsilon = self.schedule.text or f"file:{EPSILON_FILE}"
        return (
            f"bufalu law --means {means}{self._rewards} --epsilon {epsilon} --horizon {self.horizon} "
            f"--policy {named_with(self.policy, self.confidence, ' --confidence ')} --ties {self.ties} "
            f"--negligible {format_rational(self.negligible)}"
        )

    @property
    def _rewards(self) -> str:
        """How the arms pay, where it is not the default."""
        certain = all(len(arm.values) == 1 for arm in self.instance.arms)
        return " --rewards deterministic" if certain else ""

    def witness(self, summary: str, claim: str | None = None) -> Witness:
        """The case as something to replay; epsilons without a text go along as a file.

        The claim that it is about is named where `bufalu law` knows it, which has BuFALU's bounds alone.
        """
        known = claim is not None and self.bounds_of == "bufalu"
        command = f"{self.command} --claim {claim}" if known else self.command
        listed = self.schedule.listed
        if listed is None:
            return Witness(summary, command)
        lines = [format_rational(value) + "\n" for value in listed[: self.horizon]]
        return Witness(summary, command, EPSILON_FILE, "".join(lines))


def _described(arm: Arm) -> str:
    mean = format_rational(arm.mean)
    return mean if len(arm.values) > 1 else f"always {mean}"


@lru_cache(maxsize=256)
def _law(case: ExactCase) -> Law:
    return exact_law(
        case.instance,
        case.schedule,
        case.horizon,
        policy=case.policy,
        confidence=case.confidence,
        ties=case.ties,
        negligible=case.negligible,
    )


@lru_cache(maxsize=4096)
def _quantities(case: ExactCase, horizon: int) -> Quantities:
    policy = policy_named(case.bounds_of)
    guarantee = guarantee_of(policy, lambda: asked_regularity(confidence_named(case.confidence)))
    return Quantities(case.instance, case.schedule, horizon, guarantee, policy)


def _bernoulli(*means: str) -> Instance:
    return Instance.bernoulli([Fraction(mean) for mean in means])


def _schedule(text: str) -> Schedule:
    return parse_schedule(text)


JAGGED = Values(tuple(Fraction(k * k % 7, 4) for k in range(1, 201)))
"""An epsilon that rises and falls, with free rounds between."""

FAR_APART = _bernoulli("19/20", "1/20")
TWINS_AND_A_LOSER = _bernoulli("19/20", "19/20", "1/20")
TWO_CERTAIN = Instance.deterministic([0, 1])
THREE_CERTAIN = Instance.deterministic([0, 1, 1])

QUICK: tuple[ExactCase, ...] = (
    # small, exact, every path
    ExactCase(_bernoulli("1/2", "1/4"), _schedule("power:1/4"), 40),
    ExactCase(_bernoulli("1/2", "1/2"), _schedule("inverse-log"), 30, ties="last"),
    ExactCase(_bernoulli("3/4", "1/4", "1/4"), _schedule("budget:12"), 20),
    ExactCase(_bernoulli("1/3", "2/3", "2/3"), JAGGED, 16),
    ExactCase(_bernoulli("1/2", "1/4"), _schedule("constant:1"), 30, confidence="bernstein"),
    ExactCase(_bernoulli("9/10", "1/5"), _schedule("zero"), 12, ties="random"),
    ExactCase(_bernoulli("2/5"), _schedule("power:1/4"), 20),
    ExactCase(_bernoulli("1/10", "1/2", "9/10", "1/3"), _schedule("zero"), 6),
    # long: here the bounds bite
    ExactCase(FAR_APART, _schedule("power:1/4"), 400, negligible=TINY),
    ExactCase(TWINS_AND_A_LOSER, _schedule("constant:9/10"), 150, negligible=100 * TINY),
    ExactCase(TWO_CERTAIN, _schedule("power:1/4"), 20_000),
    ExactCase(TWO_CERTAIN, _schedule("power:1/4"), 5_000, confidence="bernstein"),
    ExactCase(THREE_CERTAIN, _schedule("constant:1/2"), 2_000),
    ExactCase(THREE_CERTAIN, _schedule("constant:9/10"), 4_000, confidence="bernstein"),
)

MORE: tuple[ExactCase, ...] = (
    ExactCase(_bernoulli("1/2", "1/4"), _schedule("power:1/4"), 100),
    ExactCase(_bernoulli("1/2", "1/4", "1/4"), _schedule("power:1/4"), 60),
    ExactCase(_bernoulli("1/2", "1/2", "1/4"), _schedule("inverse-log"), 50, ties="last"),
    ExactCase(FAR_APART, _schedule("zero"), 400, ties="last", negligible=TINY),
    ExactCase(FAR_APART, _schedule("constant:1/2"), 400, negligible=TINY),
    ExactCase(FAR_APART, JAGGED, 200, negligible=TINY),
    ExactCase(_bernoulli("99/100", "1/100"), _schedule("power:1/4"), 1_000, negligible=TINY),
    ExactCase(TWO_CERTAIN, _schedule("power:1/4"), 100_000),
    ExactCase(TWO_CERTAIN, _schedule("zero"), 100_000),
    ExactCase(THREE_CERTAIN, _schedule("power:1/4"), 20_000),
    ExactCase(_bernoulli("1/2", "1/4"), _schedule("bernstein-budget:20"), 80, confidence="bernstein"),
)


def _by(policy: str, case: ExactCase) -> ExactCase:
    """The case with another policy, held against its own bounds."""
    return replace(case, policy=policy, bounds_of=policy)


DIAL: tuple[ExactCase, ...] = (
    _by("dial:1/2", ExactCase(_bernoulli("1/2", "1/4"), _schedule("power:1/4"), 40)),
    _by("dial:1/4", ExactCase(_bernoulli("1/3", "2/3", "2/3"), JAGGED, 14, ties="last")),
    _by("dial:1/2", ExactCase(_bernoulli("9/10", "1/5"), _schedule("zero"), 12, ties="random")),
    _by("dial:1/2", ExactCase(FAR_APART, _schedule("power:1/4"), 400, negligible=TINY)),
    _by("dial:1/2", ExactCase(TWO_CERTAIN, _schedule("power:1/4"), 10_000)),
    # epsilon above rho times the gap: here the sharper level is the gap itself
    _by("dial:1/4", ExactCase(TWO_CERTAIN, _schedule("constant:1/2"), 3_000)),
    _by("dial:0", ExactCase(TWO_CERTAIN, _schedule("constant:9/10"), 2_000)),
    _by("dial:1/4", ExactCase(THREE_CERTAIN, _schedule("constant:1/2"), 2_000)),
    _by("dial:1/2", ExactCase(TWO_CERTAIN, _schedule("power:1/4"), 4_000, confidence="bernstein")),
    _by("dial:3/4", ExactCase(THREE_CERTAIN, _schedule("constant:9/10"), 4_000, confidence="bernstein")),
)
"""The dial of docs/dial.md at several positions, held against its own bounds."""

PAIRS: tuple[ExactCase, ...] = (
    _by("pairs:2", ExactCase(_bernoulli("1/2", "1/4"), _schedule("power:1/4"), 40)),
    _by("pairs:1", ExactCase(_bernoulli("1/3", "2/3", "2/3"), JAGGED, 14, ties="last")),
    _by("pairs:3/2:1", ExactCase(_bernoulli("9/10", "1/5"), _schedule("zero"), 12, ties="random")),
    _by("pairs:2", ExactCase(FAR_APART, _schedule("power:1/4"), 400, negligible=TINY)),
    _by("pairs:2", ExactCase(TWO_CERTAIN, _schedule("power:1/4"), 4_000)),
    _by("pairs:4", ExactCase(TWO_CERTAIN, _schedule("constant:1/2"), 1_000)),
    _by("pairs:2", ExactCase(THREE_CERTAIN, _schedule("constant:1/2"), 1_000)),
)
"""The pair rule of docs/pairs.md with several numbers, held against its own bounds."""


def cases(profile: AuditProfile) -> tuple[ExactCase, ...]:
    """The cases of a profile."""
    return QUICK + MORE if profile.full else QUICK
