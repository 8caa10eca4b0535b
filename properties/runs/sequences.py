"""What the bounds say of an epsilon schedule alone: L_epsilon, its inverse, N-bar in closed form (l.410-416)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from bufalu.properties.runs.examination import check_subjects
from bufalu.properties.runs.statements import Place
from bufalu.properties.runs.strategies import levels, oblivious, probabilities, step_budgets
from bufalu.properties.runs.thresholds import HoeffdingCount
from bufalu.properties.runs.wrong import wrong
from bufalu.reference.epsilon_shapes import Direction
from bufalu.reference.exact import Exact, log_root
from bufalu.reference.rationals import Rational, format_rational
from bufalu.reference.schedules import Budget, NondecreasingBudget, Schedule, Values


@dataclass(frozen=True)
class SequenceCase:
    """A schedule, K, T and a level Delta."""

    schedule: Schedule
    arms: int
    horizon: int
    level: Rational

    def epsilon(self, round_number: int) -> Exact:
        """epsilon(t)."""
        return self.schedule.at(round_number, self.arms)

    def reaches(self, round_number: int) -> bool:
        """Whether epsilon(t) >= Delta."""
        return Exact.of(self.level) <= self.epsilon(round_number)

    def text(self) -> str:
        """The question for a person."""
        name = self.schedule.text or repr(self.schedule)
        return f"{name}, K = {self.arms}, T = {self.horizon}, level {format_rational(self.level)}"


@st.composite
def questions(draw: DrawFn, longest: int = 60) -> SequenceCase:
    """Questions about every kind of schedule; lists of values rise, fall, or do both."""
    arms = draw(st.integers(1, 5))
    horizon = draw(st.integers(1, longest))
    level = draw(probabilities())
    if draw(st.booleans()):
        return SequenceCase(draw(oblivious(arms, 3)).schedule, arms, horizon, level)
    values = draw(st.lists(levels(2), min_size=horizon, max_size=horizon))
    order = draw(st.sampled_from(["any", "falling", "rising"]))
    if order != "any":
        values.sort(reverse=order == "falling")
    return SequenceCase(Values(tuple(values)), arms, horizon, level)


@st.composite
def budget_questions(draw: DrawFn) -> SequenceCase:
    """Questions about budgets small enough to bind before the horizon, constant or rising."""
    arms = draw(st.integers(1, 5))
    budget = Budget(draw(st.integers(1, 60)))
    schedule = budget if draw(st.booleans()) else NondecreasingBudget(draw(step_budgets()))
    return SequenceCase(schedule, arms, draw(st.integers(2, 80)), 0)


def count_of_reaching_rounds(question: SequenceCase) -> int:
    """L_epsilon(T, Delta), by its definition."""
    return sum(question.reaches(t) for t in range(1, question.horizon + 1))


def last_reaching_round(question: SequenceCase) -> int:
    """The last of the rounds 1..T with epsilon(t) >= Delta: at most epsilon^-1(Delta); 0 if there is none."""
    return max((t for t in range(1, question.horizon + 1) if question.reaches(t)), default=0)


def count_is_monotone(question: SequenceCase) -> Iterator[Place]:
    """L_epsilon(T, Delta) is at most T, grows with T by at most one a round, and falls with Delta (l.410)."""
    count = count_of_reaching_rounds(question)
    words = f"{question.text()}: L = {count}"
    yield whole(count <= question.horizon, question.horizon - count, True, f"{words} against T")
    if question.horizon > 1:
        before = count_of_reaching_rounds(replace(question, horizon=question.horizon - 1))
        yield whole(before <= count <= before + 1, count - before, True, f"{words} after {before} a round earlier")
    higher = count_of_reaching_rounds(replace(question, level=question.level + Fraction(1, 8)))
    yield whole(higher <= count, abs(count - higher), True, f"{words} against {higher} at a level higher by 1/8")


def inverse_bounds_count(question: SequenceCase) -> Iterator[Place]:
    """L_epsilon(T, Delta) <= the last reaching round up to T, with equality when epsilon never rises (l.414)."""
    count, last = count_of_reaching_rounds(question), last_reaching_round(question)
    yield whole(count <= last, last - count, last > 0, f"{question.text()}: L = {count}, last round {last}")
    if question.schedule.direction(question.arms) is Direction.NONINCREASING:
        yield whole(count == last, 0, last > 0, f"{question.text()}: nonincreasing, L = {count}, last round {last}")


def never_falls(question: SequenceCase) -> bool:
    """Whether the hypothesis of the closed form holds: nonincreasing epsilon, or a budget that never falls."""
    schedule, arms = question.schedule, question.arms
    falls = schedule.direction(arms) is Direction.NONINCREASING
    return falls or schedule.budget_at(question.horizon, arms) is not None


def maximum_is_last(question: SequenceCase) -> Iterator[Place]:
    """N_bar(T, Delta) = N(T, max{Delta, epsilon(T)}), capped by T - 1, for schedules as in l.416."""
    if never_falls(question):
        yield from earlier_counts_are_smaller(question)


def earlier_counts_are_smaller(question: SequenceCase) -> Iterator[Place]:
    """N(t, max{Delta, epsilon(t)}) <= N(T, max{Delta, epsilon(T)}) for t < T, both capped.

    N(t, .) is irrational, so a rational just below it is compared: q <= N(t, .) must imply q <= N(T, .), exactly.
    """
    if question.horizon < 2:
        return
    rule = HoeffdingCount()
    final = widest(question, question.horizon)
    for t in range(2, question.horizon):
        level = widest(question, t)
        count = just_below(t, level)
        if count is None or not rule.reached(count, t, level):
            continue
        holds = rule.reached(count, question.horizon, final)
        slack = 0.0 if not holds else float(question.horizon - 1 - count)
        yield whole(holds, slack, count > 0, f"{question.text()}: N({t}) >= {float(count):.6g}, and N(T) must be too")


def widest(question: SequenceCase, round_number: int) -> Exact:
    """max{Delta, epsilon(t)}."""
    level, epsilon = Exact.of(question.level), question.epsilon(round_number)
    return epsilon if level < epsilon else level


def just_below(round_number: int, level: Exact) -> Fraction | None:
    """A rational about 1e-12 (relatively) below min{6 ln t / level^2, t - 1}; None for an unusable level."""
    square = level.approximation * level.approximation
    if not math.isfinite(square) or square < 1e-12:
        return Fraction(round_number - 1)
    return min(Fraction(6 * math.log(round_number) / square * (1 - 1e-12)), Fraction(round_number - 1))


def budget_caps_n_bar(question: SequenceCase) -> Iterator[Place]:
    """N_bar(T, 0) <= B(T) / K for epsilon(t) = sqrt(6 K ln t / B(t)), B nondecreasing (l.416)."""
    total = question.schedule.budget_at(question.horizon, question.arms)
    if total is not None:
        yield from counts_stay_within(question, Fraction(total) / question.arms)


def counts_stay_within(question: SequenceCase, share: Fraction) -> Iterator[Place]:
    """N(t, epsilon(t)), capped by t - 1, is at most this share in every round up to T."""
    for t in range(2, question.horizon + 1):
        epsilon = question.epsilon(t)
        capped = t - 1 <= share
        left, right = Exact.of(6) * log_root(t, 2), Exact.of(share) * epsilon * epsilon
        words = f"{question.text()}: N({t}, epsilon) against B(T)/K = {format_rational(share)}"
        yield whole(capped or left <= right, 0.0, not capped, words)


def whole(holds: bool, slack: float, telling: bool, words: str) -> Place:
    """A finding about a schedule, which has no round of its own."""
    return Place(holds, float(slack), telling, 0, None, lambda: words)


def count_rises_with_level(question: SequenceCase) -> Iterator[Place]:
    """L_epsilon would grow with Delta."""
    count = count_of_reaching_rounds(question)
    higher = count_of_reaching_rounds(replace(question, level=question.level + Fraction(1, 8)))
    words = f"{question.text()}: L = {count} against {higher} at a level higher by 1/8"
    yield whole(count <= higher, abs(count - higher), True, words)


def inverse_equals_count(question: SequenceCase) -> Iterator[Place]:
    """L_epsilon would be epsilon^-1 for every sequence."""
    count, last = count_of_reaching_rounds(question), last_reaching_round(question)
    yield whole(count == last, 0, last > 0, f"{question.text()}: L = {count}, last round {last}")


def budget_for_one_arm_more(question: SequenceCase) -> Iterator[Place]:
    """N-bar(T, 0) <= B(T) / (K + 1)."""
    total = question.schedule.budget_at(question.horizon, question.arms)
    if total is not None:
        yield from counts_stay_within(question, Fraction(total) / (question.arms + 1))


_LEVEL = wrong(count_rises_with_level)
_INVERSE = wrong(inverse_equals_count)
_CLOSED_FORM = wrong(earlier_counts_are_smaller)
_BUDGET = wrong(budget_for_one_arm_more)

check_subjects(
    "l_epsilon.definition", subjects=questions, quick=60, mutants={"L_epsilon growing with the gap": _LEVEL}
)(count_is_monotone)
check_subjects("l_epsilon.inverse", subjects=questions, quick=60, mutants={"equality for every sequence": _INVERSE})(
    inverse_bounds_count
)
check_subjects(
    "n_bar.closed_form", subjects=questions, quick=60, mutants={"the maximum at T for every schedule": _CLOSED_FORM}
)(maximum_is_last)
check_subjects(
    "n_bar.budget", subjects=budget_questions, quick=60, mutants={"N-bar(T, 0) <= B(T) / (K + 1)": _BUDGET}
)(budget_caps_n_bar)
