"""What the kernels are handed: limits, tables of rounds, counts of budgets. Nothing here is compiled."""

import math
from fractions import Fraction

import numpy as np
import pytest

from bufalu.experiments.engine import round_tables as rounds
from bufalu.experiments.engine.arrays import BEND, EPSILON, GROWTH, LOG, ROUND_COLUMNS
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.radii import IntervalRadii, check_shape, offset_of
from bufalu.experiments.engine.rules import Configuration, budget_counts, checked_marks
from bufalu.experiments.engine.streams import stream_keys
from bufalu.experiments.engine.tracing import drawn, repeated
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import Exact
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.radius_shapes import Growth, RadiusShape, RadiusTerm
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import FunctionOfRound, parse_schedule

ZERO = parse_schedule("zero")
HOEFFDING, BERNSTEIN, LOG_LOG = (confidence_named(name).shape for name in ("hoeffding", "bernstein", "kl-ucb"))
VARIED = RadiusTerm(6, uses_variance=True)
LINEAR = RadiusTerm(7, rooted=False, offset=1)


def thousandths(bits: int) -> Instance:
    return Instance((Arm.deterministic(Fraction(1, 2**bits)),))


@pytest.mark.parametrize(
    ("policy", "instance", "confidence", "longest"),
    [
        ("bufalu", thousandths(20), "hoeffding", 2**32 - 1),
        ("bufalu", thousandths(20), "bernstein", 2**12 - 1),
        ("dial:1/1024", thousandths(0), "hoeffding", 2**32 - 1),
        ("dial:1023/1024", thousandths(0), "hoeffding", 2**32 - 1),
        ("pairs:1024", thousandths(0), "bernstein", 2**42 - 1),
        ("pairs:1024/1023:9", thousandths(0), "hoeffding", 2**42 - 1),
    ],
)
def test_the_longest_run_is_taken_and_one_round_more_is_not(policy, instance, confidence, longest):
    assert Configuration(policy, instance, ZERO, longest, confidence).horizon == longest
    with pytest.raises(OutsideEngine):
        Configuration(policy, instance, ZERO, longest + 1, confidence)
    # Zero rounds need no more room than one.
    Configuration(policy, instance, ZERO, 0, confidence)
    with pytest.raises(OutsideEngine, match="negative"):
        Configuration(policy, instance, ZERO, -1, confidence)


@pytest.mark.parametrize(
    "terms",
    [
        (RadiusTerm(2**30),),
        (RadiusTerm(Fraction(1, 10**9)),),
        (VARIED, LINEAR),
        (LINEAR, VARIED),
        (RadiusTerm(2**30, uses_variance=True), RadiusTerm(Fraction(1, 2**10), rooted=False, offset=1)),
    ],
)
def test_shapes_that_the_kernels_know(terms):
    assert check_shape("own", RadiusShape(terms)).terms == terms


@pytest.mark.parametrize(
    ("terms", "growth"),
    [
        ((RadiusTerm(2**30 + 1),), Growth.LOG),
        ((RadiusTerm(1), RadiusTerm(1)), Growth.LOG),
        ((RadiusTerm(1, rooted=False),), Growth.LOG),
        ((RadiusTerm(1, offset=1),), Growth.LOG),
        ((VARIED,), Growth.LOG),
        ((VARIED, VARIED, LINEAR), Growth.LOG),
        ((VARIED, LINEAR, LINEAR), Growth.LOG),
        ((VARIED, LINEAR), Growth.LOG_LOG),
        ((RadiusTerm(1),), Growth.LOG_BEFORE),
        ((RadiusTerm(6), LINEAR), Growth.LOG),
        ((VARIED, RadiusTerm(7, rooted=False)), Growth.LOG),
        ((VARIED, RadiusTerm(7, rooted=False, offset=2)), Growth.LOG),
        ((VARIED, RadiusTerm(Fraction(1, 2**10 + 1), rooted=False, offset=1)), Growth.LOG),
        ((RadiusTerm(6, uses_variance=True, offset=1), LINEAR), Growth.LOG),
    ],
)
def test_shapes_that_they_do_not_know_are_refused(terms, growth):
    with pytest.raises(OutsideEngine):
        check_shape("own", RadiusShape(terms, growth))


def test_an_interval_without_a_shape_is_refused():
    with pytest.raises(OutsideEngine):
        check_shape("own", None)


def near(found: float, wanted: float) -> bool:
    return found == pytest.approx(wanted, rel=2e-15, abs=0)


@pytest.mark.parametrize("number", [2, 3, 4, 17, 10**6])
def test_growths_are_those_of_the_radius(number):
    """Hoeffding sqrt(3 ln t / 2), Bernstein sqrt(6 ln t) and 7 ln t, and sqrt(g / 2) with g = ln t + 3 ln ln t."""
    log = math.log(number)
    grown = max(0.0, log + 3 * math.log(log))
    wanted = ((HOEFFDING, math.sqrt(1.5 * log), 0), (BERNSTEIN, math.sqrt(6 * log), 7 * log))
    for shape, slope, curve in (*wanted, (LOG_LOG, math.sqrt(grown / 2), 0)):
        found = IntervalRadii(shape).growth(np.array([float(number)]))
        assert near(found[0][0], slope) and near(found[1][0], curve)


@pytest.mark.parametrize("horizon", [0, 1, 2, 3, 50, 10**6, 10**12])
@pytest.mark.parametrize("shape", [HOEFFDING, BERNSTEIN, LOG_LOG])
def test_the_offset_is_the_power_of_two_above_every_bound(shape, horizon):
    slope, curve = IntervalRadii(shape).growth(np.array([max(2.0, horizon)]))
    reach = 1 + slope[0] + curve[0]
    offset = offset_of(IntervalRadii(shape), horizon)
    assert math.log2(offset).is_integer()
    assert 1.0005 * reach < offset < 2.01 * reach


@pytest.mark.parametrize("bits", range(5))
def test_the_margin_is_that_of_the_error_analysis(bits):
    """(128 + 2^(b+4)) u z."""
    assert rounds.margin_of(4.0, bits) == (128 + 2 ** (bits + 4)) * 2.0**-51


@pytest.mark.parametrize(
    "text", ["zero", "constant:1/10", "power:1/4", "power:3/8", "power:4", "power:1/3", "power:5"]
)
@pytest.mark.parametrize("start", [1, 2, 5])
def test_epsilons_stand_in_their_rounds_and_are_zero_in_the_initial_ones(text, start):
    schedule, arms = parse_schedule(text), 3
    table = rounds.window(IntervalRadii(HOEFFDING), schedule, arms, start, 40).table.reshape(-1, ROUND_COLUMNS)
    assert len(table) == 41 - start
    for number, row in enumerate(table, start=start):
        assert near(row[EPSILON], 0.0 if number <= arms else float(schedule.at(number, arms)))
        assert near(row[LOG], math.log(number))
        assert near(row[GROWTH], math.sqrt(1.5 * math.log(number))) and row[BEND] == 0


@pytest.mark.parametrize("text", ["budget:9", "budget:10/3", "bernstein-budget:9", "inverse-log"])
def test_epsilons_that_begin_with_a_logarithm(text):
    schedule = parse_schedule(text)
    found = rounds.levels(schedule, 2, 1, 30)
    for number in range(3, 31):
        assert near(found[number - 1], float(schedule.at(number, 2)))
    assert found[:2].tolist() == [0, 0]


def test_a_large_epsilon_is_cut():
    huge = FunctionOfRound(lambda t: 10**30)
    assert rounds.levels(huge, 1, 2, 2).tolist() == [2.0**60]


@pytest.mark.parametrize(
    ("exponent", "fast"), [("1/8", True), ("1/2", True), ("4", True), ("1/3", False), ("40", False)]
)
def test_powers_whose_doubles_are_too_far_off_are_computed_exactly(monkeypatch, exponent, fast):
    schedule = parse_schedule(f"power:{exponent}")
    asked = []
    monkeypatch.setattr(type(schedule), "at", lambda self, t, arms: asked.append(t) or Exact.of(1))
    rounds.levels(schedule, 2, 5, 7)
    assert asked == ([] if fast else [5, 6, 7])


def test_a_leap_knows_the_least_epsilon_between_its_ends_or_takes_zero():
    for text, least in (("budget:9", 10), ("bernstein-budget:9", 10), ("power:1/4", 500), ("inverse-log", 500)):
        schedule = parse_schedule(text)
        leap = rounds.ends(IntervalRadii(BERNSTEIN), schedule, 2, 10, 500)
        assert leap.floor[0] == pytest.approx(float(schedule.at(least, 2)))
        assert (leap.start, leap.length) == (10, 491)
        table = leap.table.reshape(-1, ROUND_COLUMNS)
        assert near(table[0, LOG], math.log(10)) and near(table[1, LOG], math.log(500))
        assert near(table[1, BEND], 7 * math.log(500)) and near(table[0, GROWTH], math.sqrt(6 * math.log(10)))
        assert table[:, EPSILON].tolist() == [0, 0]
    unknown = FunctionOfRound(lambda t: 5)
    assert rounds.ends(IntervalRadii(HOEFFDING), unknown, 2, 10, 500).floor.tolist() == [0]


def test_windows_are_made_once_for_two_questions():
    recent, radii = rounds.RecentWindows(), IntervalRadii(HOEFFDING)
    one, two = (recent.window(radii, ZERO, 2, 1, end) for end in (20, 30))
    assert recent.window(radii, ZERO, 2, 1, 20) is one and recent.window(radii, ZERO, 2, 1, 30) is two
    recent.window(radii, ZERO, 2, 1, 40)
    assert recent.window(radii, ZERO, 2, 1, 30) is two
    assert recent.window(radii, ZERO, 2, 1, 20) is not one


@pytest.mark.parametrize(
    ("schedule", "shape", "arms", "counts"),
    [
        ("budget:10", HOEFFDING, 3, (4, -1, 10)),
        ("budget:12", HOEFFDING, 3, (4, -1, 12)),
        ("budget:7/2", HOEFFDING, 3, (2, -1, 3)),
        ("budget:10", confidence_named("hoeffding:1/2").shape, 3, (2, -1, 10)),
        ("budget:10", LOG_LOG, 3, (-1, -1, 10)),
        ("budget:12", BERNSTEIN, 3, (-1, -1, 12)),
        ("bernstein-budget:12", BERNSTEIN, 3, (-1, 4, -1)),
        ("bernstein-budget:13", BERNSTEIN, 3, (-1, -1, -1)),
        ("bernstein-budget:12", HOEFFDING, 3, (-1, -1, -1)),
        ("power:1/4", HOEFFDING, 3, (-1, -1, -1)),
        (f"budget:{2**60}", HOEFFDING, 2, (2**52, -1, 2**52)),
        (f"bernstein-budget:{2**60}", BERNSTEIN, 2, (-1, 2**52, -1)),
    ],
)
def test_counts_of_a_budget(schedule, shape, arms, counts):
    assert budget_counts(parse_schedule(schedule), shape, arms) == counts


def test_checkpoints_are_increasing_rounds_of_the_run():
    assert checked_marks(None, 10) == (10,)
    assert checked_marks([], 10) == ()
    assert checked_marks([0, 3, 10], 10) == (0, 3, 10)
    for marks in ([-1], [11], [3, 3], [4, 3]):
        with pytest.raises(OutsideEngine, match="checkpoints"):
            checked_marks(marks, 10)


@pytest.mark.parametrize(("arms", "tags"), [(1, 0), (2, 1), (3, 3), (4, 3), (5, 7)])
def test_the_numbers_of_a_rule(arms, tags):
    instance = Instance.bernoulli([Fraction(1, 4)] * arms)
    rule = Configuration("dial:2/3", instance, ZERO, 100, "bernstein", "last").rule
    assert (rule.arms, rule.tags, rule.backwards, rule.jumps) == (arms, tags, 1, 1)
    assert (rule.leader_weight, rule.challenger_weight, rule.rho) == (4, 9, 2 / 3)
    assert rule.initial == (2 * arms if arms > 1 else 1)
    assert (rule.denominator, rule.scale) == (1, 1)
    first = Configuration("cbm-ucb", instance, ZERO, 100, "bernstein", jumps=False).rule
    assert (first.backwards, first.jumps, first.initial) == (0, 0, arms)


@pytest.mark.parametrize(("before", "number"), [(0, 300), (7, 300), (10**6, 5), (3, 0)])
def test_the_draws_of_a_trace_are_the_rewards_of_the_reference(before, number):
    third, seventh = Fraction(1, 3), Fraction(1, 7)
    three = Arm.finite([(0, seventh), (third, 2 * seventh), (1, 4 * seventh)])
    instance = Instance((Arm.deterministic(third), Arm.bernoulli(third), three))
    seen = SeededRewards(instance, 5)
    for position, (arm, key) in enumerate(zip(instance.arms, stream_keys([5], 3)[0], strict=True), 1):
        values = [arm.values[value] for value in drawn(arm, key, before, number).tolist()]
        assert values == [seen.draw(position, before + k) for k in range(1, number + 1)]
        assert number < 300 or set(values) == set(arm.values)


def test_a_jump_repeats_what_was_played_last():
    assert repeated(np.array([4, -1, -1, 3, 2, -1])).tolist() == [4, 4, 4, 3, 2, 2]
