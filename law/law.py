"""The exact law of a run: expected plays, queries and regret, and the failure probabilities, as rational numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from bufalu.law.bad_events import LastBadRounds
from bufalu.law.branching import tie_law
from bufalu.law.errors import NoExactLaw
from bufalu.law.ledger import ByRound, Ledger
from bufalu.law.round_values import RoundValues
from bufalu.law.walk import Setting, Walk, Weighing
from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike, IntervalLike, PolicyLike, ScheduleLike, TiesLike
from bufalu.reference.instances import Instance
from bufalu.reference.policies import check_one_logarithm
from bufalu.reference.rationals import CountLike, NumberLike, format_rational, parameter, whole_number
from bufalu.reference.schedules import callable_with


@dataclass(frozen=True, repr=False)
class Value:
    """A number known exactly (lower = upper), or between two rationals when negligible mass was dropped."""

    lower: Fraction
    upper: Fraction

    @property
    def exact(self) -> Fraction:
        """The number; raises `NoExactLaw` when mass was dropped."""
        if self.lower != self.upper:
            raise NoExactLaw("negligible mass was dropped, which leaves an enclosure: negligible=0 drops none")
        return self.lower

    @property
    def is_exact(self) -> bool:
        """Whether nothing was dropped."""
        return self.lower == self.upper

    def __float__(self) -> float:
        return float((self.lower + self.upper) / 2)

    def __repr__(self) -> str:
        if not self.is_exact:
            return f"<between {float(self.lower):.10g} and {float(self.upper):.10g}>"
        exact = format_rational(self.lower)
        return f"<{float(self):.10g}{f' = {exact}' if len(exact) <= 40 else ', exactly known'}>"


class Law:
    """The law of a run up to round T. Every method takes a round t <= T; without one it means T."""

    def __init__(self, instance: Instance, horizon: int, ledger: Ledger, states: int, decided_exactly: int) -> None:
        self.instance = instance
        self.horizon = horizon
        self.states = states
        """How many (round, state) pairs were examined."""
        self.decided_exactly = decided_exactly
        """In how many of them doubles could not tell, or a tie needed more than an arm's number."""
        self._ledger = ledger

    def __repr__(self) -> str:
        return (
            f"<Law of {self.horizon:,} rounds on {self.instance!r}: expected regret {float(self.expected_regret()):.6g}, "
            f"expected queries {float(self.expected_queries()):.6g}, {self.states:,} states>"
        )

    @cached_property
    def plays(self) -> tuple[ByRound, ...]:
        """E n_t(a) for each arm (a lower bound if mass was dropped)."""
        return tuple(rates.running_sums(self.horizon) for rates in self._ledger.plays)

    @cached_property
    def queries(self) -> tuple[ByRound, ...]:
        """E n^q_t(a) for each arm (a lower bound if mass was dropped)."""
        return tuple(rates.running_sums(self.horizon) for rates in self._ledger.queries)

    @property
    def knows_bad_events(self) -> bool:
        """Whether failures of the good event were followed: not for an interval without a `shape`."""
        return self._ledger.follows_bad_events

    @cached_property
    def bad_rounds(self) -> ByRound:
        """The sum of P(not G_s) over s <= t (a lower bound if mass was dropped); raises `NoExactLaw` if not known."""
        if not self.knows_bad_events:
            raise NoExactLaw("the interval is not known to widen with t, so its failures were not followed")
        return self._ledger.bad.running_sums(self.horizon)

    @cached_property
    def missing(self) -> ByRound:
        """The sum over s <= t of the mass that is no longer followed in round s."""
        return self._ledger.missing.running_sums(self.horizon)

    def dropped_mass(self, round_number: int | None = None) -> Fraction:
        """The sum over s <= t of the mass that is no longer followed in round s; 0 for an exact law."""
        return self.missing.at(self._round(round_number))

    def expected_plays(self, round_number: int | None = None) -> tuple[Value, ...]:
        """E n_t(a) for each arm (l.268)."""
        return tuple(self._value(curve.at(self._round(round_number)), round_number) for curve in self.plays)

    def expected_queries_per_arm(self, round_number: int | None = None) -> tuple[Value, ...]:
        """E n^q_t(a) for each arm (l.268)."""
        return tuple(self._value(curve.at(self._round(round_number)), round_number) for curve in self.queries)

    def expected_queries(self, round_number: int | None = None) -> Value:
        """E B^q(t) (l.270)."""
        number = self._round(round_number)
        return self._value(sum((curve.at(number) for curve in self.queries), Fraction(0)), round_number)

    def expected_regret(self, round_number: int | None = None) -> Value:
        """Reg(t), the sum over arms of Delta_a E n_t(a) (l.270)."""
        number = self._round(round_number)
        regret = sum(
            (gap * curve.at(number) for gap, curve in zip(self.instance.gaps, self.plays, strict=True)), Fraction(0)
        )
        return Value(regret, regret + self.instance.largest_gap * self.dropped_mass(round_number))

    def bad_event_probability_sum(self, round_number: int | None = None) -> Value:
        """The sum of P(not G_s) over s <= t (l.836)."""
        return self._value(self.bad_rounds.at(self._round(round_number)), round_number)

    def bad_event_probabilities(self) -> tuple[Fraction, ...]:
        """P(not G_t) for t = 1..T (lower bounds if mass was dropped)."""
        return tuple(self.bad_rounds.increments())

    def query_distribution(self) -> dict[int, Fraction]:
        """P(B^q(T) = m) for each m that is reached, in increasing order."""
        found: dict[int, Fraction] = {}
        for counts, mass in self._ledger.final.items():
            found[sum(counts)] = found.get(sum(counts), Fraction(0)) + mass
        return dict(sorted(found.items()))

    def query_count_distribution(self) -> dict[tuple[int, ...], Fraction]:
        """The joint distribution of (n^q_T(1), ..., n^q_T(K))."""
        return dict(sorted(self._ledger.final.items()))

    def most_queries(self, arm: int) -> tuple[int, ...]:
        """The largest n^q_t(arm) over all paths, for t = 0..T; arms are numbered from 1."""
        largest, found = 0, []
        for made in self._ledger.most_queries[arm - 1]:
            largest = max(largest, made)
            found.append(largest)
        return tuple(found)

    def _round(self, round_number: int | None) -> int:
        if round_number is None:
            return self.horizon
        if not 0 <= whole_number(round_number, "round_number") <= self.horizon:
            raise NoExactLaw(f"the law was computed for the rounds up to {self.horizon}, not {round_number}")
        return round_number

    def _value(self, lower: Fraction, round_number: int | None) -> Value:
        return Value(lower, lower + self.dropped_mass(round_number))


def exact_law(
    instance: InstanceLike,
    schedule: ScheduleLike,
    horizon: CountLike,
    *,
    policy: PolicyLike = "bufalu",
    confidence: IntervalLike = "hoeffding",
    ties: TiesLike = "first",
    negligible: NumberLike = 0,
    progress: Callable[[int], None] | None = None,
) -> Law:
    """The exact law of `horizon` rounds of a policy (l.371, l.1377-1435) on an instance with finite supports.

    `ties` is `first`, `last`, `random` (uniform over each argmax) or a function of the tied arms. A state whose
    probability is below `negligible` is not followed any further; its mass is added to the upper ends of all values,
    which are then enclosures. Raises `NoExactLaw` for an adaptive schedule, `InvalidNumber` for a negative horizon,
    `MixedRounds` for an interval and a schedule that do not go together, `TooManyStates` when the states do not fit.
    """
    rounds, threshold = whole_number(horizon, "horizon"), parameter(negligible, "negligible")
    if not 0 <= threshold < 1:
        raise NoExactLaw(f"the negligible probability must be in [0, 1), and {format_rational(threshold)} is not")
    if progress is not None:
        callable_with(progress, 1, "progress", NoExactLaw)
    bandit = arguments.instance(instance)
    rule, interval = arguments.policy(policy), arguments.interval(confidence)
    chosen_schedule, chosen_ties = arguments.schedule(schedule), tie_law(ties)
    check_one_logarithm(rule, interval, chosen_schedule, bandit.number_of_arms)
    weighing = Weighing.probabilities(bandit, chosen_ties)
    clock = RoundValues(interval, chosen_schedule, bandit.number_of_arms, rounds)
    # Failures are followed as "until some round", which needs an interval that is known to widen with t.
    bad = None if interval.shape is None else LastBadRounds(bandit, interval, clock)
    ledger = Ledger(bandit.number_of_arms, rounds, weighing.base, bad)
    walk = Walk(Setting(bandit, rule, interval, clock, chosen_ties), weighing, threshold)
    walk.run(ledger, progress)
    return Law(bandit, rounds, ledger, walk.states, walk.decided_exactly)
