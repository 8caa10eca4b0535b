"""The upper bounds of BuFALU (l.417-436, l.846-867, l.1052), the sharper theorem, and bounds with small constants.

For a position rho of the dial, half the gap becomes gap / (1 + rho); BuFALU is rho = 1 (docs/dial.md).

The general theorem is stated once; Hoeffding's interval is the instance with N^g = N^as = 6 ln t / level^2, C = 2K, and
that of l.1644 the one with 2 (ln t + 3 ln ln t) / level^2 and C = 8K.
The sharper theorem and its proof are in docs/bounds.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds.bound import Bound, BoundTerm, listed_bounds, summing
from bufalu.bounds.enclosures import Enclosure, Number
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.expressions import Expression, counting, nonnegative, positive, sqrt
from bufalu.bounds.maxima import Largest
from bufalu.bounds.quantities import Quantities, quantities
from bufalu.bounds.regularity import Count
from bufalu.reference.arguments import InstanceLike, IntervalLike, PolicyLike, ScheduleLike
from bufalu.reference.instances import Instance
from bufalu.reference.policies import BUFALU
from bufalu.reference.rationals import CountLike, NumberLike, Rational, parameter, shown


@dataclass(frozen=True, repr=False)
class UpperBounds:
    """What the theorems promise for one question; `quantities` holds the numbers that they are made of.

    `sharper_*` equal the paper's when several arms are optimal. `refined_*` add everything that the proof gives for
    free: whole numbers of queries, the exact cap, epsilon only after round K, the least C(T), each arm's own "+1".
    """

    quantities: Quantities
    query_cap: Bound
    regret: Bound
    queries: Bound
    regret_problem_independent: Bound
    sharper_regret: Bound
    sharper_queries: Bound
    refined_regret: Bound
    refined_queries: Bound

    def __repr__(self) -> str:
        return listed_bounds(self.title, self.bounds)

    @property
    def title(self) -> str:
        """What is bounded, and after how many rounds."""
        numbers = self.quantities
        return f"Upper bounds of {numbers.policy.text}{numbers.guarantee.words}, T = {numbers.horizon:,}"

    @property
    def query_cap_exact(self) -> int:
        """The exact worst case of the queries of one arm."""
        return self.quantities.query_cap_exact

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """All of them, in the order of the paper."""
        return (
            self.query_cap,
            self.regret,
            self.queries,
            self.regret_problem_independent,
            self.sharper_regret,
            self.sharper_queries,
            self.refined_regret,
            self.refined_queries,
        )


def upper_bounds(
    instance: InstanceLike,
    schedule: ScheduleLike,
    horizon: CountLike,
    confidence: IntervalLike | None = None,
    policy: PolicyLike = BUFALU,
) -> UpperBounds:
    """The upper bounds, by default for BuFALU with Hoeffding's interval; raises what `quantities` raises."""
    numbers = quantities(instance, schedule, horizon, confidence, policy)
    return UpperBounds(
        quantities=numbers,
        query_cap=query_cap(numbers),
        regret=regret(numbers, numbers.n_bar, "regret"),
        queries=queries(numbers, numbers.n_bar, "queries"),
        regret_problem_independent=problem_independent(numbers),
        sharper_regret=regret(numbers, numbers.n_bar_sharper, "sharper regret"),
        sharper_queries=queries(numbers, numbers.n_bar_sharper, "sharper queries"),
        refined_regret=refined_regret(numbers),
        refined_queries=refined_queries(numbers),
    )


def query_cap(numbers: Quantities) -> Bound:
    """N-bar^as(T) + 1: no arm is queried more often, on any run (l.421, l.856)."""
    samples = nonnegative("N_as")
    return Bound(
        name="query cap",
        line=_lines(numbers, "l.421", "l.856"),
        statement="every arm is queried at most this often, on every run",
        expression=samples + 1,
        values={"N_as": numbers.n_bar_sure.count},
        terms=(BoundTerm("N-bar^as(T)", samples), BoundTerm("rounding up", _one())),
    )


def regret(numbers: Quantities, samples: Sequence[Largest], name: str) -> Bound:
    """sum_a Delta_a (N_a + L_a) + (K + C) Delta_max over the suboptimal arms (l.422-431, l.857-866)."""
    values: dict[str, Number] = {"K": numbers.arms, "C": numbers.failures, "Delta_max": numbers.instance.largest_gap}
    terms: list[BoundTerm] = []
    for number, gap in _suboptimal(numbers.instance):
        delta, count, blocked = positive(f"Delta_{number}"), nonnegative(f"N_{number}"), nonnegative(f"L_{number}")
        values |= {
            f"Delta_{number}": gap,
            f"N_{number}": samples[number - 1].count,
            f"L_{number}": numbers.l_epsilon[number - 1] or 0,
        }
        terms.append(BoundTerm(f"arm {number} queried", delta * count))
        terms.append(BoundTerm(f"arm {number} not queried", delta * blocked))
    overhead = (counting("K") + nonnegative("C")) * nonnegative("Delta_max")
    terms.append(BoundTerm("first rounds and failures", overhead))
    return summing(name, _theorem_lines(numbers), "the expected regret", terms, values)


def queries(numbers: Quantities, samples: Sequence[Largest], name: str) -> Bound:
    """sum_a N_a + K + C over all arms (l.422-431, l.857-866)."""
    values: dict[str, Number] = {"K": numbers.arms, "C": numbers.failures}
    terms: list[BoundTerm] = []
    for number in range(1, numbers.arms + 1):
        values[f"N_{number}"] = samples[number - 1].count
        terms.append(BoundTerm(f"arm {number}", nonnegative(f"N_{number}")))
    terms.append(BoundTerm("first rounds and failures", counting("K") + nonnegative("C")))
    return summing(name, _theorem_lines(numbers), "the expected number of queries", terms, values)


def problem_independent(numbers: Quantities, variance: Rational = Fraction(1, 4)) -> Bound:
    """2 r sqrt(K A T F) + r K (B F + D Delta_max) + sum epsilon + (K + C) Delta_max (l.435, l.1052-1061).

    It is the infimum over Delta_0 of r K M(T, Delta_0 / r) + Delta_0 T with M(T, x) = A F / x + B F + D Delta_max, at
    Delta_0 = r sqrt(K A F / T). For BuFALU F = ln T and r = 2; `Guarantee.any_gaps` has the numbers. The proof uses the
    hypothesis x N-bar_a^g(T, x) <= M(T, Delta_0) at every level Delta_0 < x <= Delta_a, not at the gap alone (erratum
    E10); it holds here, since M falls with its second argument. Raises `OutsideDomain` for a variance below that of a
    suboptimal arm.
    """
    parts = numbers.guarantee.any_gaps(numbers.instance, numbers.horizon, variance)
    slope, constant, spread, growth = parts.slope, parts.constant, parts.factor, parts.growth
    arms, horizon, largest = counting("K"), counting("T"), nonnegative("Delta_max")
    terms = [
        BoundTerm("separating arms", 2 * spread * sqrt(parts.leading * arms * horizon * growth)),
        BoundTerm("sum of epsilon", nonnegative("S")),
        BoundTerm("first rounds and failures", (arms + nonnegative("C")) * largest),
    ]
    if slope or constant:
        terms.insert(1, BoundTerm("lower order", spread * arms * (slope * growth + constant * largest)))
    values: dict[str, Number] = {
        "K": numbers.arms,
        "T": numbers.horizon,
        "S": numbers.sum_of_epsilon,
        "C": numbers.failures,
        "Delta_max": numbers.instance.largest_gap,
        **parts.values,
    }
    return summing("regret for any gaps", _lines(numbers, "l.435", "l.1052"), "the expected regret", terms, values)


def refined_regret(numbers: Quantities) -> Bound:
    """sum_a Delta_a (q_a + L_a) + C Delta_max with the whole numbers q_a of `refined_counts` and the least C."""
    counts = refined_counts(numbers)
    values: dict[str, Number] = {"C": numbers.failures_least, "Delta_max": numbers.instance.largest_gap}
    terms: list[BoundTerm] = []
    for number, gap in _suboptimal(numbers.instance):
        delta, count, blocked = positive(f"Delta_{number}"), nonnegative(f"q_{number}"), nonnegative(f"L_{number}")
        values |= {
            f"Delta_{number}": gap,
            f"q_{number}": counts[number - 1],
            f"L_{number}": numbers.l_epsilon_used[number - 1] or 0,
        }
        terms.append(BoundTerm(f"arm {number}", delta * (count + blocked)))
    terms.append(BoundTerm("failures", nonnegative("C") * nonnegative("Delta_max")))
    return summing("refined regret", "docs/bounds.md", "the expected regret", terms, values)


def refined_queries(numbers: Quantities) -> Bound:
    """sum_a q_a + C with the whole numbers q_a of `refined_counts` and the least C."""
    values: dict[str, Number] = {"C": numbers.failures_least}
    values |= {f"q_{number}": count for number, count in enumerate(refined_counts(numbers), start=1)}
    terms = [BoundTerm(f"arm {number}", nonnegative(f"q_{number}")) for number in range(1, numbers.arms + 1)]
    terms.append(BoundTerm("failures", nonnegative("C")))
    return summing("refined queries", "docs/bounds.md", "the expected number of queries", terms, values)


def refined_counts(numbers: Quantities) -> tuple[Count, ...]:
    """min{floor(N_a) + 1, m_T} with the sharper N_a: queries are whole, and no arm exceeds the exact cap.

    An arm queried only with n <= N_a earlier queries is queried at most floor(N_a) + 1 times.
    """
    return tuple(_refined(largest.count, numbers.query_cap_exact) for largest in numbers.n_bar_sharper)


def query_costs(numbers: Quantities, costs: Mapping[int, NumberLike]) -> Bound:
    """sum_a c_a (N_a + 1) + C max_a c_a: the expected cost of queries when arm a charges c_a for each (l.268).

    The proof of l.1032-1038 with each query weighed by its cost. Raises
    `OutsideDomain` unless every arm has a nonnegative cost.
    """
    if not isinstance(numbers, Quantities):
        raise OutsideDomain(f"numbers must be what `quantities` gives, not {shown(numbers)}")
    if not isinstance(costs, Mapping) or set(costs) != set(range(1, numbers.arms + 1)):
        raise OutsideDomain(f"costs must map each of the arms 1..{numbers.arms} to a cost, not {shown(costs)}")
    prices = {number: parameter(cost, f"the cost of arm {number}") for number, cost in costs.items()}
    if min(prices.values()) < 0:
        raise OutsideDomain(f"each of the arms 1..{numbers.arms} needs a cost that is not negative")
    values: dict[str, Number] = {"C": numbers.failures, "c_max": max(prices.values())}
    terms: list[BoundTerm] = []
    for number, cost in sorted(prices.items()):
        values |= {f"c_{number}": cost, f"N_{number}": numbers.n_bar[number - 1].count}
        terms.append(BoundTerm(f"arm {number}", nonnegative(f"c_{number}") * (nonnegative(f"N_{number}") + 1)))
    terms.append(BoundTerm("failures", nonnegative("C") * nonnegative("c_max")))
    return summing("cost of queries", "l.268", "the expected cost of all queries", terms, values)


def _refined(count: Count, cap: int) -> Count:
    enclosed = Enclosure.of(count)
    if enclosed.is_infinite:
        return cap
    # Rounding the upper end down is right whether or not the enclosure decides the whole part.
    return min(math.floor(count if isinstance(count, int | Fraction) else enclosed.upper) + 1, cap)


def _suboptimal(instance: Instance) -> list[tuple[int, Rational]]:
    return [(number, gap) for number, gap in enumerate(instance.gaps, start=1) if gap]


def _one() -> Expression:
    return counting("T") ** 0


def _lines(numbers: Quantities, main: str, general: str) -> str:
    return numbers.guarantee.place(main, general)


def _theorem_lines(numbers: Quantities) -> str:
    if numbers.instance.unique:
        return _lines(numbers, "l.427-431", "l.862-866")
    return _lines(numbers, "l.422-426", "l.857-861")
