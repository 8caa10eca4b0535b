"""Epsilons, and adversaries that aim epsilons and rewards at the very numbers that a policy compares.

An aim is a multiple of the tolerance: at 1.3 the sides of a comparison are a little further apart than what is still
accepted either way, less than 1e-8 as a rule. A program that errs by more takes the wrong turn there, and doubles,
which err by 1e-12 or less, do not.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal

from bufalu.oracle.games import Epsilon, Scene, Tape
from bufalu.oracle.tapes import seeded_by
from bufalu.oracle.tolerance import CLOSENESS_DOUBLE, double_of
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import policy_named
from bufalu.reference.state import ArmRecord
from bufalu.reference.view import ExactView

HUGE = 1e300
"""An epsilon that every finite number is below."""

JUST_BESIDE = (-1.3, 1.3)
"""Multiples of the tolerance, those below 0 for an epsilon that is too small to stop: a difference just not excused."""

BESIDE = (-1.3, 1.3, -3.0, -1.3, 4.0)
"""Multiples that also pass over the near ones, for programs that err by a few tolerances. Mostly too small: a query
tells more than a rest.
"""

FURTHER_BESIDE = (-1.3, 1.3, -3.0, -8.0, 1.3, -1.3, 20.0)
"""Multiples that reach further than `BESIDE`, for errors that grow with the queries."""

LOW_FIRST, HIGH_FIRST = (0.0, 1e9, 1e-9), (HUGE, 0.0, 2e-7, 40.0)
"""Epsilons of the initial rounds, which no policy may look at: a program that keeps one of them errs soon after."""

_BEYOND = (1e3, 1e7, 3e30, 1.7e308)
"""Epsilons where the number that they are compared with is infinite; the last is near the largest double."""

_STEPS = 30
"""Halvings after which a reward in [0, 1] is known to 1e-9, and the figure that it moves, better."""

_GOOD_ENOUGH = CLOSENESS_DOUBLE / 8
"""How near to its aim a reward must bring a figure: an eighth of a tolerance does not turn 1.3 into an excuse."""


# Epsilons.


def opened(initial: Sequence[float], later: Epsilon) -> Epsilon:
    """Epsilons of the initial rounds, the first of them in round K, the second in round K - 1, and so on."""

    def epsilon(scene: Scene) -> float:
        before = scene.arms - scene.round
        return later(scene) if before < 0 else initial[before % len(initial)]

    return epsilon


def cycle(values: Sequence[float]) -> Epsilon:
    """Epsilon takes these values in turn."""
    return lambda scene: values[(scene.round - 1) % len(values)]


def in_turn(sources: Sequence[Epsilon]) -> Epsilon:
    """Epsilon is taken from these sources in turn."""
    return lambda scene: sources[(scene.round - 1) % len(sources)](scene)


def beside_test(policy: str, multiples: Sequence[float]) -> Epsilon:
    """Epsilon beside the number that it is compared with, by multiples of the tolerance in turn."""

    def epsilon(scene: Scene) -> float:
        side = compared_with_epsilon(policy, scene)
        moved = side + multiples[scene.round % len(multiples)] * _tolerance(side, side)
        return min(max(0.0, moved), _BEYOND[-1])

    return epsilon


def times_test(policy: str, factors: Sequence[float]) -> Epsilon:
    """Epsilon as a multiple of the number that it is compared with, by factors in turn."""

    def epsilon(scene: Scene) -> float:
        return min(factors[scene.round % len(factors)] * compared_with_epsilon(policy, scene), HUGE)

    return epsilon


class ClosingIn:
    """Epsilons that close in on the number that a program compares with epsilon, whatever that is, by its own answers.

    As multiples of the right number: each round halves the range in which the program's own one must lie, on the scale of
    logarithms. A program that queried in the round before has a larger one than that round's epsilon.
    """

    def __init__(self, policy: str) -> None:
        self._policy = policy
        self._low, self._high = math.log(0.2), math.log(5.0)
        self._queries: int | None = None

    def epsilon(self, scene: Scene) -> float:
        """The middle of the range."""
        queries = sum(scene.queries(arm) for arm in range(1, scene.arms + 1))
        if self._queries is not None:
            middle = (self._low + self._high) / 2
            if queries > self._queries:
                self._low = middle
            else:
                self._high = middle
        self._queries = queries
        factor = math.exp((self._low + self._high) / 2)
        return min(factor * compared_with_epsilon(self._policy, scene), HUGE)


def compared_with_epsilon(policy: str, scene: Scene) -> float:
    """The left side of the policy's epsilon test as a double; where it is infinite, numbers of growing size."""
    side = side_of_epsilon(policy, scene.view)
    if side is None:
        return _BEYOND[scene.round % len(_BEYOND)]
    return max(0.0, double_of(side))


def side_of_epsilon(policy: str, view: ExactView) -> Exact | None:
    """What the policy compares with epsilon in this state (greedy: the epsilon that just meets its budget).

    None where it is infinite.
    """
    side = policy_named(policy).epsilon_side(view)
    return None if side.is_infinite else side


def _tolerance(left: float, right: float) -> float:
    return CLOSENESS_DOUBLE * (1 + abs(left) + abs(right))


# Rewards.


Tie = Literal["lcb", "ucb", "width", "mean", "separation"]
"""A comparison of the next round that a reward can aim at."""


class TieAims:
    """Rewards that bring the queried arm beside another in the next round, and epsilons that show who was chosen.

    In each round one tie is drawn. The reward is the root of an equation in one unknown, found by bisection; where there
    is none, it comes from the tape. How far apart the figures then are is drawn from `multiples` of the tolerance. A tie of
    widths is one of the leader's width and this `share` of the other's, as the dial compares them.
    """

    def __init__(
        self,
        seed: int,
        ties: Sequence[Tie],
        tape: Tape,
        later: Epsilon,
        multiples: Sequence[float] = (-4.0, -1.5, 1.5, 4.0),
        *,
        share: float = 1.0,
    ) -> None:
        self._multiples = multiples
        self._share = share
        self._seed = seed
        self._ties = ties
        self._tape = tape
        self._later = later

    def epsilon(self, scene: Scene) -> float:
        """Huge after an aim at the arms that are played without a query, else 0 or what `later` says."""
        draw, tie = self._drawn(scene.round - 1)
        if tie in ("lcb", "mean"):
            return 1e9
        return self._later(scene) if draw.random() < 0.3 else 0.0

    def reward(self, scene: Scene, arm: int) -> float:
        """A reward after which the comparison of the next round is close, but not close enough to be excused."""
        draw, tie = self._drawn(scene.round)
        draw.random()
        wanted = draw.choice(self._multiples)
        own, theirs = self._sides(tie, scene, arm)
        found = None
        if theirs is not None and scene.round >= scene.arms:
            target = theirs + wanted * _tolerance(theirs, theirs)
            found = _root(lambda reward: own(reward) - target)
        return self._tape(arm, scene.queries(arm) + 1) if found is None else found

    def _drawn(self, round_number: int) -> tuple[random.Random, Tie]:
        draw = seeded_by(self._seed, round_number)
        return draw, draw.choice(self._ties)

    def _sides(self, tie: Tie, scene: Scene, arm: int) -> tuple[Callable[[float], float], float | None]:
        """The arm's figure in the next round as a function of its reward, and the figure that it is aimed at."""
        state, confidence = scene.state, scene.confidence
        record = state.records[arm - 1]
        others = [other for other in range(1, scene.arms + 1) if other != arm]
        figures = _figures_after(record, confidence, scene.round + 1)

        def lower(reward: float) -> float:
            mean, radius = figures(reward)
            return mean - radius

        def upper(reward: float) -> float:
            mean, radius = figures(reward)
            return mean + radius

        if not others or record.queries + 1 < confidence.needed_queries:
            return lower, None
        if tie == "mean":
            return lambda reward: figures(reward)[0], max(float(state.mean(other)) for other in others)
        view = ExactView(state, confidence, scene.round + 1, ZERO)
        highest = max(double_of(view.ucb(other)) for other in others)
        leader = max(others, key=lambda other: double_of(view.lcb(other)))
        if tie == "ucb":
            own, theirs = upper, highest
        elif tie == "width":
            leads = self._share != 1 and state.mean(arm) > state.mean(leader)
            share = self._share if leads else 1 / self._share
            own, theirs = lambda reward: 2 * figures(reward)[1], share * double_of(view.width(leader))
        elif tie == "separation" and state.mean(arm) > state.mean(leader):
            # An arm in the lead is brought beside the challenger's UCB, any other beside the leader's LCB.
            own, theirs = lower, highest
        else:
            own, theirs = (lower if tie == "lcb" else upper), double_of(view.lcb(leader))
        return own, theirs if abs(theirs) < HUGE else None


def _figures_after(
    record: ArmRecord, confidence: ConfidenceInterval, round_number: int
) -> Callable[[float], tuple[float, float]]:
    """Mean and radius of an arm in this round as functions of one more reward, in doubles good to 1e-14 or so: from the
    exact mean and variance without it, one step of Welford's gives those with it.
    """
    shape = confidence.shape
    if shape is None or record.queries + 1 < confidence.needed_queries:

        def exactly(reward: float) -> tuple[float, float]:
            moved = record.with_reward(Fraction(reward))
            return float(moved.exact_mean()), double_of(confidence.radius(moved, round_number))

        return exactly
    n = record.queries
    mean, spread = float(record.exact_mean()), float((n - 1) * record.exact_variance()) if n else 0.0
    growth = shape.growth.doubles(round_number)[1]
    terms = [(float(term.coefficient) * growth / (n + 1 - term.offset), term) for term in shape.terms]

    def figures(reward: float) -> tuple[float, float]:
        step = reward - mean
        variance = (spread + step * step * n / (n + 1)) / n if n else 0.0
        radius = 0.0
        for factor, term in terms:
            part = factor * variance if term.uses_variance else factor
            radius += math.sqrt(part) if term.rooted else part
        return mean + step / (n + 1), radius

    return figures


def _root(function: Callable[[float], float]) -> float | None:
    """A point of [0, 1] where a smooth function vanishes, as far as doubles go; None if no sign change is seen."""
    points = [0.0, 0.5, 1.0]
    values = [function(point) for point in points]
    for left, right, at_left, at_right in zip(points, points[1:], values, values[1:], strict=False):
        if (at_left < 0) != (at_right < 0):
            return _regula_falsi(function, left, right, at_left, at_right)
    return None


def _regula_falsi(
    function: Callable[[float], float], left: float, right: float, at_left: float, at_right: float
) -> float:
    """The root between two points of different signs, by the Illinois method."""
    point = left
    for _ in range(_STEPS):
        point = right - at_right * (right - left) / (at_right - at_left)
        value = function(point)
        if abs(value) < _GOOD_ENOUGH:
            break
        if (value < 0) == (at_right < 0):
            at_left /= 2
        else:
            left, at_left = right, at_right
        right, at_right = point, value
    return min(1.0, max(0.0, point))
