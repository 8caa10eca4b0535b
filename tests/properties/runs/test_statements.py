"""The parts of the statements, each against something that does not share its code."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds.regularity import BERNSTEIN, HOEFFDING
from bufalu.properties.runs.baselines import BASELINE_QUERIED_COUNT, BASELINE_UNQUERIED_COUNT, whole_gap
from bufalu.properties.runs.cap import CAP
from bufalu.properties.runs.claims_on_trace import check_claims_on_trace
from bufalu.properties.runs.counts import over_corner_means, queried_rounds
from bufalu.properties.runs.gap_query import QUERIED_IS_WIDE, UNQUERIED_IS_NEAR_OPTIMAL
from bufalu.properties.runs.metamorphic import (
    CONFORMS_EXACTLY,
    any_policy_scenarios,
)
from bufalu.properties.runs.observed_rounds import replay
from bufalu.properties.runs.pairs import largest_log
from bufalu.properties.runs.scenarios import Oblivious, Scenario, TieScript, play
from bufalu.properties.runs.statements import violations
from bufalu.properties.runs.strategies import fractions, scenarios, separating_scenarios
from bufalu.properties.runs.thresholds import (
    BernsteinCount,
    HoeffdingCount,
    SharpBernsteinCount,
    VariantCount,
    largest_count,
)
from bufalu.properties.runs.witnesses import trace_content
from bufalu.reference.errors import InvalidInstance
from bufalu.reference.exact import Exact, log_root, root
from bufalu.reference.instances import Instance
from bufalu.reference.live import BuFALU
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Budget, Power, Zero
from bufalu.reference.simulation import simulate
from bufalu.reference.trace_files import read_trace
from bufalu.reference.traces import Trace, TraceHeader

LEVELS = fractions(Fraction(1, 8), 20, 16)


@given(st.integers(2, 10**6), LEVELS, st.integers(1, 3000))
def test_counts_agree_with_the_formulas_in_doubles(round_number, level, count) -> None:
    """Far from the boundary a double is enough to know the answer."""
    logarithm, mu = math.log(round_number), float(level)
    sharp = (math.sqrt(1.5 * logarithm / mu**2) + math.sqrt(1.5 * logarithm / mu**2 + 14 * logarithm / mu)) ** 2 + 1
    variant = max(0.0, 2 * (logarithm + 3 * math.log(logarithm))) / mu**2
    formulas = [
        (HoeffdingCount(), 6 * logarithm / mu**2),
        (BernsteinCount(), 6 * logarithm / mu**2 + 28 * logarithm / mu + 1),
        (SharpBernsteinCount(), sharp),
        (VariantCount(), variant if round_number > 2 else 0.0),
    ]
    for rule, value in formulas:
        if abs(count - value) > 1e-6 * value:
            assert rule.reached(count, round_number, Exact.of(level)) == (count <= value)


@given(st.integers(2, 10**6), LEVELS, st.integers(1, 3000))
def test_counts_agree_with_the_bounds_room(round_number, level, count) -> None:
    """count < N by the other room's exact test is count + something <= N by ours, and the reverse."""
    number = Exact.of(level)
    for mine, theirs in ((HoeffdingCount(), HOEFFDING.sure), (SharpBernsteinCount(), BERNSTEIN.sure)):
        if theirs.exceeds(count, round_number, number):
            assert mine.reached(count, round_number, number)
        elif not theirs.exceeds(count - 1, round_number, number):
            assert not mine.reached(count, round_number, number)


def test_a_count_on_the_boundary_is_reached() -> None:
    """epsilon = sqrt(6 ln t / n): exactly n queries have this width, and n <= N."""
    for n in (1, 7, 50):
        level = root(Fraction(6, n)) * log_root(101)
        assert HoeffdingCount().reached(n, 101, level)
        assert not HoeffdingCount().reached(n + 1, 101, level)


def test_infinite_levels_allow_the_initial_query_alone() -> None:
    infinite = log_root(1, -1)
    assert not HoeffdingCount().reached(1, 5, infinite)
    assert BernsteinCount().reached(1, 5, infinite)
    assert not BernsteinCount().reached(2, 5, infinite)


def test_largest_count_is_capped_by_the_round() -> None:
    assert largest_count(HoeffdingCount(), [(t, Exact.of(0)) for t in range(2, 10)]) == 8
    assert largest_count(HoeffdingCount(), [(t, Exact.of(0)) for t in range(2, 10)], enough=3) == 3


@given(any_policy_scenarios())
def test_a_run_does_not_depend_on_its_horizon(scenario) -> None:
    half = play(replace(scenario, horizon=max(1, scenario.horizon // 2)))
    assert half.rounds == play(scenario).rounds[: half.horizon]


@pytest.mark.parametrize("policy", ["bufau", "cbm-ucb"])
def test_baselines_keep_their_analogues(policy: str) -> None:
    @given(scenarios(policy=policy) | separating_scenarios(policy))
    def check(scenario) -> None:
        run = play(scenario)
        for statement in (
            QUERIED_IS_WIDE,
            UNQUERIED_IS_NEAR_OPTIMAL,
            CAP,
            BASELINE_QUERIED_COUNT,
            BASELINE_UNQUERIED_COUNT,
        ):
            assert violations(statement, run) == []

    check()


def test_bufalu_does_not_keep_the_whole_gap_of_the_baselines() -> None:
    """The level Delta_a of BuFAU and CBM is too much for BuFALU with a unique optimum: l.1018 needs Delta_a / 2."""
    scenario = Scenario(((0,), (Fraction(3, 4),)), Oblivious(Zero()), TieScript((0,)), 70)
    whole = over_corner_means(partial(queried_rounds, level=whole_gap))
    assert any(not finding.holds for finding in whole(play(scenario)))


def a_trace(schedule=None, horizon: int = 60) -> Trace:
    schedule = schedule or Power(Fraction(1, 4))
    instance = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
    rounds = simulate(BuFALU(2), instance, schedule, horizon, SeededRewards(instance, 1))
    return Trace(TraceHeader("bufalu", "hoeffding", 2, schedule.text, instance.means), tuple(rounds))


def test_claims_hold_on_a_trace_of_the_reference() -> None:
    assert check_claims_on_trace(a_trace()) == []
    assert check_claims_on_trace(a_trace(), (Fraction(1, 4), Fraction(1, 2))) == []


def test_a_query_beyond_the_budget_is_reported_with_round_and_arm() -> None:
    trace = a_trace(Budget(4), 20)
    wrong = [Round(r.number, 1, True, 1, r.epsilon) if r.number == 15 else r for r in trace.rounds]
    found = check_claims_on_trace(Trace(trace.header, tuple(wrong)), trace.header.means)
    assert {violation.statement for violation in found} >= {"gap_query.queried_is_wide", "cap.exact_recurrence"}
    assert all(violation.round == 15 and violation.arm == 1 for violation in found)


def test_a_wrong_number_of_means_is_refused() -> None:
    with pytest.raises(InvalidInstance, match="3 means were given for 2 arms"):
        check_claims_on_trace(a_trace(), (0, 0, 0))


@given(scenarios() | separating_scenarios())
def test_a_run_replays_from_its_rounds_and_from_its_file(tmp_path_factory, scenario) -> None:
    run = play(scenario)
    path = tmp_path_factory.mktemp("witness") / "trace.jsonl"
    path.write_text(trace_content(run))
    trace = read_trace(str(path))
    assert [(r.arm, r.query, r.reward) for r in trace.rounds] == [(r.arm, r.query, r.reward) for r in run.rounds]
    for again in (replay(run.header(), run.rounds), replay(trace.header, trace.rounds)):
        pairs = zip(again.situations, run.situations, strict=True)
        assert all(a.decision == b.decision and a.view.lcb(a.arm) == b.view.lcb(b.arm) for a, b in pairs)
        assert violations(CONFORMS_EXACTLY, again) == []


@pytest.mark.parametrize("round_number", [2, 3, 4, 100, 10**6, 2**40 + 1])
@pytest.mark.parametrize("spread", [1, 2, 7, 10**6 + 1])
def test_the_double_of_the_largest_logarithm_is_as_near_as_it_says(round_number, spread):
    found = largest_log(round_number, spread)
    lower, upper = (Fraction(end) for end in found.enclosure(30))
    assert max(abs(Fraction(found.approximation) - end) for end in (lower, upper)) <= Fraction(found.error)
    by_hand = math.log(round_number * round_number.bit_length()) + math.log1p((round_number - 1) / spread)
    assert found.approximation == pytest.approx(by_hand, rel=1e-12)
