"""Everything that the bounds say of one question, as the object that `bufalu bounds --json` prints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from bufalu.bounds.bound import Bound
from bufalu.bounds.enclosures import DEFAULT_PRECISION, Enclosure, Number, Truth, working_precision
from bufalu.bounds.expressions import number
from bufalu.bounds.families import Family, chosen_family
from bufalu.bounds.frontiers import Frontier
from bufalu.bounds.lower import LowerBounds, lower_bounds
from bufalu.bounds.quantities import Quantities
from bufalu.bounds.sharp import SharpBounds, sharp_bounds
from bufalu.bounds.upper import UpperBounds, upper_bounds
from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike, IntervalLike, PolicyLike, ScheduleLike
from bufalu.reference.errors import UndecidedComparison
from bufalu.reference.instances import Instance
from bufalu.reference.policies import BUFALU
from bufalu.reference.rationals import CountLike, format_rational, whole_number
from bufalu.reference.schedules import Schedule

MOST_BITS = 4096
"""How far the precision grows before a comparison with the trivial bound is called undecided."""


@dataclass(frozen=True)
class Question:
    """An instance, a schedule, a horizon, an interval (Hoeffding's if None), a family (see `chosen_family`), a policy."""

    instance: Instance
    schedule: Schedule
    horizon: int
    confidence: IntervalLike | None = None
    chosen_family: Family | None = None
    policy: PolicyLike = BUFALU
    progress: Callable[[int], None] | None = None
    """Is told how many arms the lower bounds have done."""

    @cached_property
    def upper(self) -> UpperBounds:
        """The upper bounds."""
        return upper_bounds(self.instance, self.schedule, self.horizon, self.confidence, self.policy)

    @cached_property
    def lower(self) -> LowerBounds:
        """The lower bounds; raises `NotInFamily` if the chosen family does not hold the arms."""
        return lower_bounds(self.instance, self.chosen_family, progress=self.progress)

    @cached_property
    def sharp(self) -> SharpBounds | None:
        """The theorem with the best leading constant, where one is proved."""
        return sharp_bounds(self.quantities)

    @property
    def quantities(self) -> Quantities:
        """The numbers that the upper bounds are made of."""
        return self.upper.quantities

    @cached_property
    def vacuous(self) -> dict[str, bool]:
        """Which bounds say no more than Delta_max T, T and T."""
        most = Fraction(self.instance.largest_gap) * self.horizon
        return {
            "regret": self._reaches(lambda upper: upper.regret, most),
            "queries": self._reaches(lambda upper: upper.queries, Fraction(self.horizon)),
            "query_cap": self._reaches(lambda upper: upper.query_cap, Fraction(self.horizon)),
        }

    def _reaches(self, pick: Callable[[UpperBounds], Bound], trivial: Fraction) -> bool:
        """Whether a bound is at least `trivial`, with as many bits as it takes.

        A bound of rational numbers only may be equal to it; algebra then says so.
        """
        bits = DEFAULT_PRECISION
        while True:
            with working_precision(bits):
                bound = pick(self.upper if bits == DEFAULT_PRECISION else self._upper_again())
                verdict = bound.evaluate() >= trivial
            if verdict is not Truth.UNDECIDED:
                return bool(verdict)
            exact = {symbol: value for symbol, value in bound.values.items() if isinstance(value, int | Fraction)}
            if len(exact) == len(bound.values) and bound.expression.substitute(exact).is_identically(number(trivial)):
                return True
            bits *= 2
            if bits > MOST_BITS:
                raise UndecidedComparison(f"the bound '{bound.name}' and its trivial value agree to {MOST_BITS} bits")

    def _upper_again(self) -> UpperBounds:
        """The upper bounds from scratch, at the precision in force."""
        return upper_bounds(self.instance, self.schedule, self.horizon, self.confidence, self.policy)


def bounds_report(
    instance: InstanceLike,
    schedule: ScheduleLike,
    horizon: CountLike,
    confidence: IntervalLike | None = None,
    family: Family | str | None = None,
    *,
    policy: PolicyLike = BUFALU,
) -> dict[str, object]:
    """The report as JSON data: reals are {"lower", "upper"}, counts are integers, None is infinite or not applicable.

    Lists are per arm. Raises what `upper_bounds` and `lower_bounds` raise.
    """
    bandit = arguments.instance(instance)
    chosen, rounds = arguments.schedule(schedule), whole_number(horizon, "horizon")
    return as_json(Question(bandit, chosen, rounds, confidence, chosen_family(family, bandit), policy))


def as_json(question: Question) -> dict[str, object]:
    """`bounds_report` of a question whose parts may have been computed already."""
    instance, numbers, upper, lower = question.instance, question.quantities, question.upper, question.lower
    return {
        "policy": numbers.policy.text,
        "supposes": numbers.guarantee.supposition,
        "arms": instance.number_of_arms,
        "horizon": question.horizon,
        "gaps": [_real(gap) for gap in instance.gaps],
        "optimal_arms": sorted(instance.optimal_arms),
        "unique": instance.unique,
        "l_epsilon": list(numbers.l_epsilon),
        "n_bar": [_real(largest.count) for largest in numbers.n_bar],
        "n_bar_main": [_real(count) for count in numbers.n_bar_main],
        "upper": {
            "query_cap": _real(upper.query_cap.evaluate()),
            "query_cap_exact": upper.query_cap_exact,
            "regret": _real(upper.regret.evaluate()),
            "queries": _real(upper.queries.evaluate()),
            "regret_problem_independent": _real(upper.regret_problem_independent.evaluate()),
        },
        "sharper": {
            "regret": _real(upper.sharper_regret.evaluate()),
            "queries": _real(upper.sharper_queries.evaluate()),
        },
        "sharp": _sharp(question.sharp),
        "lower": {
            "kinf_plus": [_real(value) for value in lower.kinf_plus],
            "kinf_minus": [None if value is None else _real(value) for value in lower.kinf_minus],
            "suboptimal_queries_per_log": [
                None if bound is None else _real(bound.evaluate()) for bound in lower.suboptimal
            ],
            "optimal_queries_per_log": _real(lower.optimal.evaluate()),
        },
        "vacuous": dict(question.vacuous),
    }


def frontier_report(found: Frontier, horizon: int) -> dict[str, object]:
    """A frontier as JSON data: rates per ln T that no consistent strategy undercuts, as doubles that are not above them."""

    def below(value: Fraction) -> float:
        return Enclosure.of(value).lower_float

    return {
        "family": found.family.name,
        "horizon": horizon,
        "fewest_queries_per_log": below(found.fewest_queries),
        "least_regret_per_log": below(found.least_regret),
        "corners_per_log": [
            {"queries": below(queries), "regret": below(regret)} for queries, regret in found.corners
        ],
    }


def _sharp(found: SharpBounds | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "delta": format_rational(found.delta),
        "regret": _real(found.regret.evaluate()),
        "queries": _real(found.queries.evaluate()),
        "regret_per_log": None if found.regret_rate is None else _real(found.regret_rate.evaluate()),
        "queries_per_log": _real(found.queries_rate.evaluate()),
    }


def _real(value: Number) -> dict[str, float] | None:
    return Enclosure.of(value).as_json()
