"""The claims on a trace, block by block, against the same claims on the whole run in exact arithmetic."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from bufalu.doubles import slices
from bufalu.doubles.blocks import blocks_of_rounds
from bufalu.properties.runs import claims_on_blocks as streamed
from bufalu.properties.runs.claims_on_blocks import claims_on_blocks
from bufalu.properties.runs.claims_on_trace import check_claims_on_trace
from bufalu.properties.runs.thresholds import BernsteinCount, HoeffdingCount, SharpBernsteinCount, VariantCount
from bufalu.reference.exact import Exact
from bufalu.reference.rounds import Round
from bufalu.reference.traces import Trace, TraceHeader
from tests.oracle.runs import play, reference, rewards

SCHEDULES = (
    None,
    "zero",
    "constant:1/4",
    "constant:1/3",
    "power:1/4",
    "inverse-log",
    "budget:12",
    "bernstein-budget:12",
)


@st.composite
def traces(draw: st.DrawFn) -> tuple[Trace, tuple[Fraction, ...]]:
    """Runs of a policy and runs of nobody, with means that fit, and means that make a gap of epsilon."""
    arms = draw(st.integers(1, 3))
    policy = draw(st.sampled_from(["bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2"]))
    interval = draw(st.sampled_from(["hoeffding", "bernstein", "kl-ucb"]))
    header = TraceHeader(policy, interval, arms, draw(st.sampled_from(SCHEDULES)))
    seed, horizon = draw(st.integers(0, 99)), draw(st.integers(arms + 1, 60))
    paid = rewards(draw(st.sampled_from(["bernoulli", "deterministic", "thirds", "doubles"])), seed)
    epsilons = draw(st.lists(st.sampled_from([0, Fraction(1, 4), Fraction(1, 3), 1, 3]), min_size=1, max_size=4))
    trace = play(reference(header), header, horizon, paid, epsilons)
    if draw(st.booleans()):
        chance = random.Random(seed)
        changed = []
        for played in trace.rounds:
            arm, query = chance.randint(1, arms), played.number <= arms or chance.random() < 0.8
            reward = paid(arm, played.number) if query else None
            changed.append(Round(played.number, arm, query, reward, played.epsilon))
        trace = Trace(header, tuple(changed))
    means = st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(1)])
    return trace, tuple(draw(st.lists(means, min_size=arms, max_size=arms)))


UNSEEN_VARIANCE = TraceHeader("bufalu", "bernstein", 2, None)
"""Nothing but zeros, epsilon 0 and variances 0: N^g is infinite, and its formula in doubles is 0 / 0."""


@given(traces(), st.integers(1, 9))
@example(
    (
        play(reference(UNSEEN_VARIANCE), UNSEEN_VARIANCE, 6, lambda arm, k: 0, [0]),
        (Fraction(0), Fraction(0)),
    ),
    1,
)
@settings(deadline=None)
def test_slices_find_what_the_whole_run_shows(drawn, length):
    trace, means = drawn
    schedule = trace.header.schedule
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "_SLICE_ROUNDS", length)
        found = claims_on_blocks(trace.header, blocks_of_rounds(trace.rounds), schedule, means)
    wanted = check_claims_on_trace(trace, means)
    event("violated" if wanted else "holds")
    for violation in wanted:
        event(violation.statement)
    assert found == wanted
    assert claims_on_blocks(trace.header, blocks_of_rounds(trace.rounds), schedule) == check_claims_on_trace(trace)


@pytest.mark.parametrize("interval", ["hoeffding", "bernstein"])
@pytest.mark.parametrize("schedule", ["power:1/4", "budget:100", "constant:1/4"])
def test_doubles_decide_nearly_all(interval, schedule, monkeypatch):
    # Without this the agreement above would hold of a filter that is never sure.
    header = TraceHeader("bufalu", interval, 2, schedule)
    trace = play(reference(header), header, 400, rewards("bernoulli", 3))
    asked = []
    situation = streamed._ObservedSlice.situation
    monkeypatch.setattr(
        streamed._ObservedSlice, "situation", lambda self, place: asked.append(place) or situation(self, place)
    )
    means = (Fraction(1, 3), Fraction(1, 2))
    assert claims_on_blocks(header, blocks_of_rounds(trace.rounds), header.schedule, means) == []
    assert len(asked) < 20


@pytest.mark.parametrize("rule", [HoeffdingCount(), BernsteinCount(), SharpBernsteinCount(), VariantCount()])
@given(st.integers(3, 10**9), st.fractions(Fraction(1, 1000), 20))
def test_estimates_of_counts_are_near(rule, round_number, level):
    (estimate,) = rule.estimate(np.log([float(round_number)]), np.array([float(level)]))
    exact = Exact.of(level)
    assert rule.reached(Fraction(estimate * (1 - 1e-13)), round_number, exact)
    assert not rule.reached(Fraction(estimate * (1 + 1e-13)), round_number, exact)


def test_progress_is_told():
    header = TraceHeader("bufalu", "hoeffding", 2, "power:1/4")
    trace = play(reference(header), header, 50, rewards("bernoulli", 3))
    told = []
    assert claims_on_blocks(header, blocks_of_rounds(trace.rounds), header.schedule, (0, 1), told.append) is not None
    assert told == [50]
