"""Rounds of a field of two arms are the rounds of all arms: what waits outside is bounded, and nothing is lost on the way."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.experiments.engine import loop, running
from bufalu.experiments.engine.arrays import (
    ARM_ROWS,
    COUNT,
    DIAL,
    MEAN,
    PAIR,
    REST_ROWS,
    SLOPE,
    SUM,
    WIDEST,
)
from bufalu.experiments.engine.compiled import compiled, inlined
from bufalu.experiments.engine.decisions import Rest
from bufalu.experiments.engine.jumps import Stretch
from bufalu.experiments.engine.lanes import every, flags, load
from bufalu.experiments.engine.narrowing import narrow, rest_of, widen
from bufalu.experiments.engine.running import Configuration, play, run_seeds
from bufalu.experiments.engine.seed_groups import arm_rows, fresh_seeds
from bufalu.experiments.engine.streams import reward_tables
from bufalu.experiments.engine.tracing import traced_rounds
from bufalu.experiments.engine.vectors import WIDTH
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.schedules import parse_schedule

MULTIPLE = Instance.bernoulli([Fraction(1, 4)] * 3 + [Fraction(1, 2)] * 2)
POLICIES = ["bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2"]


@compiled
def narrowed(rule, family, seeds, prizes, group, growth, end_growth):
    narrow(
        rule,
        0,
        family,
        seeds.arms,
        seeds.keys,
        prizes,
        seeds.field,
        group,
        Stretch(every(growth), every(0.0), every(end_growth), every(0.0), every(0.0), 0.0, 0.0),
        flags(0),
    )


@compiled
def widened(rule, seeds, group):
    widen(rule, 0, seeds.arms, seeds.field, group)


@pytest.mark.parametrize("family", [DIAL, WIDEST])
def test_the_arms_outside_are_bounded_in_every_round_and_come_back_untouched(family):
    configuration = Configuration("bufalu", MULTIPLE, parse_schedule("zero"), 10**6)
    seeds = fresh_seeds(configuration, range(16))
    rows, draw = arm_rows(seeds), np.random.default_rng(family)
    rows[:, COUNT] = draw.integers(1, 400, rows[:, COUNT].shape)
    rows[:, SUM] = draw.binomial(rows[:, COUNT].astype(int), 0.5)
    rows[:, MEAN] = rows[:, SUM] / rows[:, COUNT] + configuration.rule.offset
    rows[:, SLOPE] = 1 / np.sqrt(rows[:, COUNT])
    before, growth = rows.copy(), np.linspace(3.0, 3.4, 9)
    prizes = reward_tables(configuration.ordered_arms, 1).prizes
    narrowed(configuration.rule, family, seeds, prizes, 1, growth[0], growth[-1])

    inside = configuration.rule.tags - seeds.field.tags.reshape(2, PAIR, WIDTH)[1]
    low, high, mean = seeds.field.rest.reshape(2, REST_ROWS, WIDTH)[1]
    bound = 2 * configuration.rule.margin
    for lane in range(WIDTH):
        outside = [a for a in range(5) if a not in inside[:, lane]]
        means, radii = before[1, MEAN, :, lane], before[1, SLOPE, :, lane][:, None] * growth
        lower, upper = means[:, None] - radii, means[:, None] + radii
        assert (lower[outside] <= low[lane] + bound).all()
        assert (upper[outside] <= high[lane] + bound).all()
        assert (means[outside] <= mean[lane]).all()
        front = lower if family == DIAL else upper
        assert front[:, 0].argmax() in inside[:, lane]
        assert inside[0, lane] < inside[1, lane]

    # What happens to the pair comes back to its arms, and the others stay as they were.
    field = seeds.field.arms.reshape(2, ARM_ROWS, PAIR, WIDTH)
    field[1, COUNT] += 7.0
    widened(configuration.rule, seeds, 1)
    before[1, COUNT][inside, np.arange(WIDTH)] += 7.0
    assert np.array_equal(rows, before)
    assert seeds.field.until.tolist() == [-1, -1]


unlike = st.tuples(st.integers(0, 3), st.integers(4, 8), st.integers(1, 3)).map(
    lambda t: Arm.finite([(Fraction(t[0], 8), Fraction(t[2], 4)), (Fraction(t[1], 8), Fraction(4 - t[2], 4))])
)
alike = st.integers(1, 7).map(lambda k: Arm.bernoulli(Fraction(k, 8)))


@pytest.mark.parametrize("policy", POLICIES)
@given(
    arms=st.one_of(st.lists(alike, min_size=3, max_size=9), st.lists(unlike, min_size=3, max_size=5)),
    schedule=st.sampled_from(["zero", "power:1/4", "inverse-log", "constant:1/10", "budget:300"]),
    confidence=st.sampled_from(["hoeffding", "bernstein"]),
    ties=st.sampled_from(["first", "last"]),
    seeds=st.lists(st.integers(0, 10**6), min_size=1, max_size=11, unique=True),
)
def test_a_field_of_two_changes_no_round(*, policy, arms, schedule, confidence, ties, seeds):
    instance = Instance((*arms, arms[-1]))
    fast, plain = (
        run_seeds(
            Configuration(policy, instance, parse_schedule(schedule), 1_500, confidence, ties, jumps),
            seeds,
            [700, 1_500],
        )
        for jumps in (True, False)
    )
    assert np.array_equal(fast.plays, plain.plays)
    assert np.array_equal(fast.queries, plain.queries)


@pytest.mark.parametrize("confidence", ["hoeffding", "bernstein"])
@pytest.mark.parametrize("policy", POLICIES)
def test_fields_are_made_where_every_round_is_queried(policy, confidence):
    configuration = Configuration(policy, MULTIPLE, parse_schedule("zero"), 4_000, confidence)
    state = fresh_seeds(configuration, range(11))
    play(configuration, state, 1, 4_000)
    assert state.field.since.min() > 3_500
    assert state.field.until.tolist() == [-1, -1]


@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize("policy", POLICIES)
def test_a_trace_names_the_arms_of_the_field(policy, ties):
    configuration = Configuration(policy, MULTIPLE, parse_schedule("zero"), 1_500, "hoeffding", ties)
    (found,) = traced_rounds(configuration, 3)
    right = run_seeds(replace(configuration, jumps=False), [3], [700, 1_500])
    for place, last in enumerate((700, 1_500)):
        arm, query = found.arm[:last], found.query[:last]
        assert np.bincount(arm - 1, minlength=5).tolist() == right.plays[place, 0].tolist()
        assert np.bincount(arm[query] - 1, minlength=5).tolist() == right.queries[place, 0].tolist()


@inlined
def nobody_outside(field, group):
    return Rest(every(0.0), every(0.0), every(0.0))


@inlined
def lower_outside(field, group):
    at = group * REST_ROWS * WIDTH
    return Rest(load(field.rest, at), load(field.rest, at + WIDTH) - every(0.01), load(field.rest, at + 2 * WIDTH))


@pytest.mark.nightly  # each compiles a kernel
@pytest.mark.parametrize(("number", "mutant"), [(1, nobody_outside), (2, lower_outside), (3, rest_of)])
def test_forgetting_the_arms_outside_is_noticed(monkeypatch, number, mutant):
    configuration = Configuration("cbm-ucb", MULTIPLE, parse_schedule("zero"), 3_000)
    right = run_seeds(configuration, range(8))
    monkeypatch.setattr(loop, "rest_of", mutant)
    broken = loop.build(WIDEST, 0, loop.sources() + number)
    monkeypatch.setattr(running, "kernel", lambda family, curved: broken)
    found = run_seeds(configuration, range(8))
    assert np.array_equal(found.plays, right.plays) == (mutant is rest_of)
