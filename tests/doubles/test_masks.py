"""The filter is right about every truth that the error bounds allow, and decides where they leave no doubt.

The doubles are made up, with large errors: a bound that is too small by a sign or a factor shows at once. All of them
are short dyadic numbers, so that the relation of a policy in floats is exact.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bufalu.doubles.blocks import Floats
from bufalu.doubles.masks import STRICT, Findings, Masks, Tolerance, examine
from bufalu.doubles.numbers import ArrayConstant, ArrayQuantity, OfPair, Product
from bufalu.doubles.views import BlockDoubles, Rounds, view_of_block
from bufalu.oracle.tolerance import CLOSENESS, CLOSENESS_DOUBLE
from bufalu.reference.comparisons import EveryTie
from bufalu.reference.exact import FILTER, Exact
from bufalu.reference.policies import Decision, Policy, policy_named
from bufalu.reference.radius_shapes import LARGEST_SPREAD, LATEST_ROUND, pair_radius

ROUNDS = 100
POLICIES = ("bufalu", "bufau", "cbm-ucb", "greedy", "ucb", "dial:1/2", "dial:0")


@dataclass(frozen=True)
class ArmsInFloats:
    """What a rule sees, in floats."""

    epsilon: float
    log_of_round: float
    queries: float
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    widths: tuple[float, ...]
    means: tuple[float, ...]

    @property
    def round(self) -> int:
        return 100

    @property
    def arms(self) -> int:
        return len(self.lower)

    def lcb(self, arm: int, /) -> float:
        return self.lower[arm - 1]

    def ucb(self, arm: int, /) -> float:
        return self.upper[arm - 1]

    def width(self, arm: int, /) -> float:
        return self.widths[arm - 1]

    def mean(self, arm: int, /) -> float:
        return self.means[arm - 1]

    def all_queries(self) -> float:
        return self.queries

    def log(self) -> float:
        return self.log_of_round

    def number(self, value: int | Fraction, /) -> float:
        return float(value)


def made_up(generator: np.random.Generator, arms: int, largest_error: int) -> BlockDoubles:
    """Intervals on a coarse grid with errors up to `largest_error` / 64; some arms are known to be equal, some unseen."""

    def grid(low: int, high: int, *size: int) -> np.ndarray:
        return generator.integers(low, high, size) / 16

    queries = np.tile(np.arange(1.0, arms + 1)[:, None], ROUNDS)
    sums = queries * (queries + 6)
    mean, radius = grid(0, 17, arms, ROUNDS), grid(1, 17, arms, ROUNDS)
    error = generator.integers(0, largest_error + 1, (arms, ROUNDS)) / 64
    unseen = generator.random((arms, ROUNDS)) < 0.05
    radius[unseen], error[unseen] = np.inf, 0.0
    twins = generator.random(ROUNDS) < 0.2
    for rows in (queries, sums, mean, radius, error):
        rows[1, twins] = rows[0, twins]
    return BlockDoubles(
        queries=queries,
        sums=sums,
        squares=np.empty((arms, 0)),
        mean=mean,
        lcb=mean - radius,
        ucb=mean + radius,
        width=2 * radius,
        mean_error=largest_error / 64,
        bound_error=error,
        log=grid(1, 9, ROUNDS),
        epsilon=grid(4, 40, ROUNDS),
        epsilon_error=generator.integers(0, largest_error + 1, ROUNDS) / 64,
        total_queries=generator.integers(arms, 40, ROUNDS).astype(float),
        exact=True,
        width_uses_squares=False,
        largest=3.0,
        largest_error=largest_error / 64,
        constant=np.zeros(arms, dtype=np.bool_),
    )


def corner(doubles: BlockDoubles, place: int, generator: np.random.Generator) -> ArmsInFloats:
    """A truth at the very ends of what the errors allow; arms that are known to be equal stay equal."""

    def moved(values: np.ndarray, errors: np.ndarray | float) -> tuple[float, ...]:
        ends = values[:, place] + generator.choice([-1, 1], len(values)) * np.broadcast_to(errors, len(values))
        if doubles.queries[0, place] == doubles.queries[1, place]:
            ends[1] = ends[0]
        return tuple(ends.tolist())

    error = doubles.bound_error[:, place]
    return ArmsInFloats(
        float(doubles.epsilon[place] + generator.choice([-1, 1]) * doubles.epsilon_error[place]),
        float(doubles.log[place]),
        float(doubles.total_queries[place]),
        moved(doubles.lcb, error),
        moved(doubles.ucb, error),
        moved(doubles.width, 2 * error),
        moved(doubles.mean, doubles.mean_error),
    )


def admissible(policy: Policy, truth: ArmsInFloats) -> set[Decision]:
    return {decision for decision, _ in policy.possible(truth, EveryTie[float]())}


def decisions(policy: Policy, doubles: BlockDoubles, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """For each round a decision that is right if the doubles are, or (every fourth time) any."""
    arms = len(doubles.mean)
    exact = replace(
        doubles, bound_error=0 * doubles.bound_error, epsilon_error=0 * doubles.epsilon_error, mean_error=0.0
    )
    made = []
    for place in range(ROUNDS):
        right = sorted(admissible(policy, corner(exact, place, generator)))
        wrong = [Decision(arm, query) for arm in range(1, arms + 1) for query in (False, True)]
        choices = wrong if generator.random() < 0.25 else right
        made.append(choices[generator.integers(len(choices))])
    return np.array([made_one.arm for made_one in made]), np.array([made_one.query for made_one in made])


def examined(
    name: str, arms: int, largest_error: int
) -> tuple[Policy, BlockDoubles, np.ndarray, np.ndarray, Findings, np.random.Generator]:
    generator = np.random.default_rng([arms, largest_error, POLICIES.index(name)])
    policy = policy_named(name)
    doubles = made_up(generator, arms, largest_error)
    arm, query = decisions(policy, doubles, generator)
    return policy, doubles, arm, query, examine(policy, view_of_block(doubles, 100), arm, query, STRICT), generator


@pytest.mark.parametrize("largest_error", [0, 3, 8])
@pytest.mark.parametrize("arms", [2, 3])
@pytest.mark.parametrize("name", POLICIES)
def test_what_is_sure_holds_for_every_truth_within_the_errors(name: str, arms: int, largest_error: int) -> None:
    policy, doubles, arm, query, findings, generator = examined(name, arms, largest_error)
    sure = np.flatnonzero(~findings.unsure)
    assert len(sure) > (ROUNDS // 8 if largest_error else ROUNDS // 3)
    for place in sure.tolist():
        for _ in range(12 if largest_error else 1):
            accepted = Decision(int(arm[place]), bool(query[place])) in admissible(
                policy, corner(doubles, place, generator)
            )
            assert accepted == findings.accepted[place], (place, doubles.lcb[:, place], doubles.ucb[:, place])


@pytest.mark.parametrize("arms", [2, 3])
@pytest.mark.parametrize("name", POLICIES)
def test_without_errors_and_ties_nothing_is_unsure(name: str, arms: int) -> None:
    generator = np.random.default_rng(arms)
    doubles = made_up(generator, arms, 0)
    # Small powers of two, all different, leave no two sides equal.
    mean = doubles.mean + 2.0 ** -np.arange(8, 8 + arms)[:, None]
    radius = np.minimum(doubles.width / 2, 4.0) + 2.0 ** -np.arange(12, 12 + 3 * arms, 3)[:, None]
    doubles = replace(
        doubles,
        mean=mean,
        lcb=mean - radius,
        ucb=mean + radius,
        width=2 * radius,
        epsilon=doubles.epsilon + 2.0**-20,
        log=doubles.log + 2.0**-30,
        exact=False,
    )
    policy = policy_named(name)
    arm, query = decisions(policy, replace(doubles, queries=np.arange(arms * ROUNDS).reshape(arms, -1)), generator)
    findings = examine(policy, view_of_block(doubles, 100), arm, query, STRICT)
    assert not findings.unsure.any() and not findings.ambiguous.any()
    assert 0.5 < findings.accepted.mean() < 1


@pytest.mark.parametrize("error", [0.0, 1e-10, 3e-9])
@pytest.mark.parametrize("slack", [0.0, 1e-8])
@pytest.mark.parametrize("scale", [0.0, 1.0, 50.0])
def test_far_and_near_are_sure_and_no_shyer_than_they_say(scale: float, slack: float, error: float) -> None:
    """Against |x - y| <= 1e-9 (1 + |x| + |y|) + slack in rationals, at the worst ends of the errors."""
    tolerance = Tolerance(CLOSENESS_DOUBLE, slack)
    widest = CLOSENESS * (1 + Fraction(scale) + Fraction(error)) + Fraction(slack) + Fraction(error)
    narrowest = CLOSENESS * (1 + max(Fraction(scale) - Fraction(error), Fraction(0))) - Fraction(error)

    def verdicts(gap: float) -> tuple[bool, bool]:
        far = tolerance.far(np.array([gap]), np.array([scale]), np.array([error]))
        return bool(far[0]), bool(tolerance.near(np.array([gap]), np.array([scale]), np.array([error]))[0])

    assert verdicts(float(widest)) == (False, False)
    assert verdicts(1.002 * float(widest)) == (True, False)
    if narrowest > 0:
        assert verdicts(float(narrowest)) == (False, False)
        assert verdicts(float(narrowest) - 2e-3 * float(CLOSENESS) * (1 + scale)) == (False, True)


def test_strictly_only_a_difference_beyond_the_errors_is_far_and_nothing_is_near() -> None:
    gap, scale, error = np.array([0.0, 0.25, 0.5, 0.75]), np.full(4, 2.0), np.full(4, 0.5)
    assert STRICT.far(gap, scale, error).tolist() == [False, False, False, True]
    assert not STRICT.near(gap, scale, error).any()


class NearInFloats(EveryTie[float]):
    """What a program in doubles cannot tell apart, as `tolerance.py` defines it, in floats."""

    def __init__(self) -> None:
        self.ambiguous = False

    @staticmethod
    def close(left: float, right: float) -> bool:
        return left == right or abs(left - right) <= float(CLOSENESS) * (1 + abs(left) + abs(right))

    def largest(self, arms, value):
        best = max(map(value, arms))
        return [arm for arm in arms if self.close(value(arm), best)]

    def at_most(self, left: float, right: float) -> list[bool]:
        if self.close(left, right):
            self.ambiguous = True
            return [True, False]
        return [left <= right]

    def below(self, left: float, right: float) -> list[bool]:
        return [not outcome for outcome in self.at_most(right, left)]


@pytest.mark.parametrize("size", [1.0, 300.0])
@pytest.mark.parametrize("name", ["bufalu", "bufau", "cbm-ucb", "dial:1/2"])
def test_by_default_what_is_just_within_the_tolerance_counts_both_ways(name: str, size: float) -> None:
    """Epsilon is moved beside what it is compared with, by a little less or more than the tolerance."""
    arms, policy, seen = 2, policy_named(name), 0
    generator = np.random.default_rng([int(size), len(name)])
    doubles = made_up(generator, arms, 0)
    mean = size * (doubles.mean + 2.0 ** -np.arange(8, 8 + arms)[:, None])
    radius = size * (np.minimum(doubles.width / 2, 4.0) + 2.0 ** -np.arange(12, 12 + 3 * arms, 3)[:, None])
    doubles = replace(doubles, mean=mean, lcb=mean - radius, ucb=mean + radius, width=2 * radius, exact=False)
    different = np.arange(1.0, arms * ROUNDS + 1).reshape(arms, -1)
    doubles = replace(doubles, largest=9.0 * size, queries=different)
    epsilon = np.empty(ROUNDS)
    for place in range(ROUNDS):
        sides = _sides(name, doubles, place)
        side = sides[place % len(sides)]
        epsilon[place] = side + (-1.1, -0.9, 0.9, 1.1)[place % 4] * float(CLOSENESS) * (1 + 2 * abs(side))
    doubles = replace(doubles, epsilon=np.maximum(epsilon, 0.0))
    arm, query = decisions(policy, doubles, generator)
    findings = examine(policy, view_of_block(doubles, 100), arm, query, Tolerance(CLOSENESS_DOUBLE))
    for place in np.flatnonzero(~findings.unsure).tolist():
        near = NearInFloats()
        truth = corner(doubles, place, generator)
        wanted = {decision for decision, _ in policy.possible(truth, near)}
        assert (Decision(int(arm[place]), bool(query[place])) in wanted) == findings.accepted[place], place
        assert near.ambiguous == findings.ambiguous[place], place
        seen += near.ambiguous
    assert seen > ROUNDS // 10


def _sides(name: str, doubles: BlockDoubles, place: int) -> list[float]:
    """What epsilon may be compared with: a width, or distances of bounds."""
    lower, upper, width = (rows[:, place].tolist() for rows in (doubles.lcb, doubles.ucb, doubles.width))
    if name == "cbm-ucb":
        return [width[upper.index(max(upper))]]
    leader = lower.index(max(lower))
    return [upper[0] - lower[leader], upper[1] - lower[leader]]


def test_what_is_close_to_the_largest_is_not_passed_over() -> None:
    """2 and 1.1 are closer than a quarter of 1 + 2 + 1.1; what counts is the size of both."""
    masks, numbers = Masks(1, Tolerance(0.25)), {1: ArrayConstant(2, 1), 2: ArrayConstant(Fraction(11, 10), 1)}
    found = [arm for arm in masks.largest([1, 2], numbers.__getitem__) if masks.here() is not None]
    assert found == [] and masks.unsettled.all(), "two that are close are told apart by exact arithmetic"


def test_the_radius_of_two_is_the_same_for_the_same_numbers_of_answers_in_either_order() -> None:
    """Arms by rounds: the first two meet in round 3 alone; of the others, each has what one of these has."""
    answers = np.array([[1.0, 5.0, 3.0], [4.0, 2.0, 3.0], [4.0, 5.0, 2.0], [1.0, 2.0, 9.0]])
    queries, places = quantity("queries", answers, 0.0, 9.0), np.arange(3)
    first, second = (OfPair(queries, np.ones(3), rows, 1) for rows in ((0, 1), (2, 3)))
    assert first.counts(places).tolist() == [[1, 2, 3], [4, 5, 3]]
    assert first.same(second, places).tolist() == [True, True, False]
    assert not first.same(OfPair(queries, np.ones(3), (2, 3), 2), places).any()
    assert not np.isinf(first.values(places)).any()
    assert first.errors(places).tolist() == (first.values(places) * FILTER).tolist()
    unasked = OfPair(quantity("queries", np.array([[0.0, 1.0], [2.0, 2.0]]), 0.0, 9.0), np.ones(2), (0, 1), 1)
    assert np.isinf(unasked.values(np.arange(2))).tolist() == [True, False]
    assert (unasked.errors(np.arange(2)) > 0).tolist() == [False, True]


COUNTS = st.one_of(st.integers(1, 40), st.integers(1, LATEST_ROUND))
TIMES = st.one_of(st.integers(2, 70), st.integers(2, LATEST_ROUND))
SPREADS = st.one_of(st.integers(1, 3), st.integers(1, LARGEST_SPREAD))


@given(TIMES, COUNTS, COUNTS, SPREADS)
@example(2, 1, 1, 1)
@example(LATEST_ROUND, 1, LATEST_ROUND, LARGEST_SPREAD)
def test_the_radius_of_two_holds_the_truth_within_its_error(time: int, one: int, other: int, spread: int) -> None:
    answers = quantity("queries", np.array([[one], [other]], dtype=np.float64), 0.0, float(max(one, other)))
    found = OfPair(answers, Rounds(np.array([time])).log_scales, (0, 1), spread)
    (double,), (error,) = found.values(np.arange(1)).tolist(), found.errors(np.arange(1)).tolist()
    truth = pair_radius(time, one, other, spread)
    assert Exact.of(Fraction(double) - Fraction(error)) <= truth <= Exact.of(Fraction(double) + Fraction(error))
    assert double <= found.size and 0 < error <= found.error_size


def test_the_radius_of_two_has_no_double_where_none_is_safe() -> None:
    assert np.isnan(Rounds(np.array([LATEST_ROUND, LATEST_ROUND + 1])).log_scales).tolist() == [False, True]


def quantity(name: str, doubles: Floats, error: float, size: float) -> ArrayQuantity:
    """Numbers of which all are off by at most the same, and none is known to be equal to another."""

    def unknown(_one: int, _other: int, places: np.ndarray) -> np.ndarray:
        return np.zeros(len(places), dtype=np.bool_)

    return ArrayQuantity(name, doubles, np.full_like(doubles, error), unknown, size=size, error_size=error)


@pytest.mark.parametrize("equal", [True, False])
def test_signs_decide_what_doubles_cannot_tell(equal: bool) -> None:
    """In rounds 2 to 4 the doubles are closer than their errors: exactly, the left is smaller, equal and larger."""
    doubles = np.array([[1.0, 5.0, 5.0, 5.0, 9.0], [3.0, 5.0, 5.0, 5.0, 3.0]])
    numbers = quantity("ucb", doubles, 0.25, 9.0)
    exact = np.array([-1, -1, 0, 1, 1])
    for signs in (lambda _left, _right, places: exact[places], None):
        masks = Masks(5, signs=signs)
        compare = masks.at_most if equal else masks.below
        told = {outcome: np.arange(5)[masks.here()].tolist() for outcome in compare(numbers(1), numbers(2))}
        if signs is None:
            assert told == {True: [0], False: [4]}
            assert masks.unsettled.tolist() == [False, True, True, True, False]
        else:
            assert told == ({True: [0, 1, 2], False: [3, 4]} if equal else {True: [0, 1], False: [2, 3, 4]})
            assert not masks.unsettled.any()


@pytest.mark.parametrize("value", [3.0, -3.0, 1 / 3])
def test_the_error_of_a_product_holds_what_its_factors_may_be(value: float) -> None:
    """No single error is larger than what is said of all of them."""
    off = 0.25
    doubles = np.array([[value], [1.7]])
    numbers = quantity("ucb", doubles, off, max(abs(value), 1.7))
    places = np.array([0])
    for one, other in ((1, 2), (1, 1), (2, 1)):
        product = Product(numbers(one), numbers(other))
        (double,), (error,) = product.values(places), product.errors(places)
        left, right = Fraction(float(doubles[one - 1, 0])), Fraction(float(doubles[other - 1, 0]))
        for move, further in ((off, off), (off, -off), (-off, off), (-off, -off)):
            assert abs((left + Fraction(move)) * (right + Fraction(further)) - Fraction(double)) <= Fraction(error)
        assert error <= product.error_size and abs(double) <= product.size
