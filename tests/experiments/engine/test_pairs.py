"""What the kernel of the pair rule rests on: logarithms, growths, bounds of radii, and how long a seed may rest."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from bufalu.experiments.engine.compiled import compiled
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.events import awake, rising
from bufalu.experiments.engine.lanes import load, store
from bufalu.experiments.engine.logarithms import logarithm
from bufalu.experiments.engine.loop import sources
from bufalu.experiments.engine.radii import PairRadii, offset_of
from bufalu.experiments.engine.round_tables import window
from bufalu.experiments.engine.rules import Configuration
from bufalu.experiments.engine.running import run_seeds
from bufalu.experiments.engine.tracing import traced_rounds
from bufalu.experiments.engine.vectors import WIDTH
from bufalu.reference.instances import Instance
from bufalu.reference.radius_shapes import pair_radius
from bufalu.reference.schedules import Values, parse_schedule

UNIQUE = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
UNIT = Decimal(2) ** -53


@compiled
def logarithms(x, out):
    store(out, 0, logarithm(load(x, 0)))


def test_logarithms_are_within_their_error():
    draw, out = np.random.default_rng(3), np.zeros(WIDTH)
    numbers = [1.0, np.nextafter(1.0, 2.0), np.nextafter(2.0, 1.0), 2.0, 3.0, 1.25, 2.0**52, 2.0**53 - 1.0]
    samples = [np.array(numbers), *(2.0 ** draw.uniform(0, 53, (100, WIDTH))), *(1 + draw.random((100, WIDTH)))]
    with localcontext() as context:
        context.prec = 40
        for sample in samples:
            logarithms(np.ascontiguousarray(sample), out)
            for number, found in zip(sample, out, strict=True):
                exact = Decimal(float(number)).ln()
                assert abs(Decimal(float(found)) - exact) <= 8 * UNIT * (1 + exact)


@pytest.mark.parametrize("number", [2, 3, 4, 7, 8, 1023, 1024, 10**6, 2**40 - 1, 2**40])
def test_the_growth_has_the_digits_of_the_round(number):
    grown, bend = PairRadii(4).growth(np.array([float(number)]))
    assert grown[0] == pytest.approx(math.log(number * number.bit_length()) / 2, rel=1e-15)
    assert bend[0] == 0


@pytest.mark.parametrize("spread", [1, 4, 1000])
@pytest.mark.parametrize("horizon", [3, 100, 10**6])
def test_the_offset_is_above_every_radius(spread, horizon):
    largest = PairRadii(spread).largest(horizon)
    for one, other in [(1, 1), (1, horizon - 2), (2, horizon // 2 + 1)]:
        assert float(pair_radius(horizon, one, other, spread)) <= largest
    assert offset_of(PairRadii(spread), horizon) > 1 + largest


def waking(sources):
    """`awake` for Python, compiled again when the kernels' sources change."""

    @compiled
    def wakes(rule, tables, place, found, lane):
        assert sources >= 0
        return awake(rule, tables, place, rising(tables, place, found, lane))

    return wakes


@pytest.mark.parametrize("text", ["power:1/4", "inverse-log", "zero", "constant:1/10", "up and down"])
def test_a_seed_rests_no_longer_than_its_bound_allows_and_as_long(text):
    horizon = 5000
    schedule = Values([Fraction(3 + t % 97, 400) for t in range(horizon)])
    schedule = schedule if text == "up and down" else parse_schedule(text)
    configuration = Configuration("pairs:2", UNIQUE, schedule, horizon)
    tables = window(configuration.radii, schedule, 5, 1, horizon)
    growth, _, _, epsilon = tables.table.reshape(-1, 4).T
    draw, rested, wakes = np.random.default_rng(1), 0, waking(sources())
    for _ in range(300):
        place, lane = int(draw.integers(6, horizon)), int(draw.integers(WIDTH))
        # the index and the radius of the challenger, and those of the other arms, which may overtake it
        radius, widest = sorted(draw.uniform(0.01, 0.5, 2))
        index, others = epsilon[place] - np.sort(draw.choice([1e-6, 1e-3, 1e-2, 0.1], 2))
        verdicts = draw.random((4, WIDTH))
        verdicts[:, lane] = index, radius, others, widest
        woken = wakes(configuration.rule, tables, place, verdicts.ravel(), lane)
        rises, looser = np.sqrt(growth / growth[place]) - 1, (growth / growth[place] - 1) / 2
        bound = np.maximum(index + radius * rises, others + widest * rises)
        assert (bound[place + 1 : woken] < epsilon[place + 1 : woken]).all()
        bound = np.maximum(index + radius * looser, others + widest * looser) + 1e-9
        assert woken == horizon or bound[woken] >= epsilon[woken]
        rested += woken - place - 1
    assert rested > 1000


def test_seeds_far_apart_play_what_each_plays_round_by_round():
    # Arms so different that some seeds rest for thousands of rounds where others ask, across windows.
    instance = Instance.bernoulli([Fraction(1, 10), Fraction(1, 2), Fraction(11, 20)])
    for schedule in ("zero", "power:1/4"):
        fast, plain = (
            Configuration("pairs:3/2", instance, parse_schedule(schedule), 70_000, ties="last", jumps=jumps)
            for jumps in (True, False)
        )
        found, wanted = run_seeds(fast, range(19)), run_seeds(plain, range(19))
        assert np.array_equal(found.plays, wanted.plays) and np.array_equal(found.queries, wanted.queries)
        for one, other in zip(traced_rounds(fast, 3), traced_rounds(plain, 3), strict=True):
            assert np.array_equal(one.arm, other.arm) and np.array_equal(one.query, other.query)


def test_spreads_beyond_the_kernels_reach_are_refused():
    zero = parse_schedule("zero")
    Configuration(f"pairs:2:{10**9}", UNIQUE, zero, 10)
    Configuration("pairs:2", UNIQUE, zero, 10, "bernstein")
    with pytest.raises(OutsideEngine, match="pairs:4503599627370496"):
        Configuration("pairs:4503599627370496", UNIQUE, zero, 10)
