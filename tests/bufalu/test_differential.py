"""One question, several answers: reference, relation, oracle with and without its filter, engine, law and the formulas
of the bounds agree.

The cases go where one of them may leave its ground: intervals registered by a user, floats, huge and tiny rationals, up
to fifty arms, infinite widths, ties, epsilons that rise or answer to the run.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.bounds.query_cap import exact_query_cap
from bufalu.bounds.regularity import regularity_of
from bufalu.doubles.blocks import blocks_of_rounds
from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.rules import Configuration
from bufalu.experiments.engine.tracing import traced_rounds
from bufalu.law.law import exact_law
from bufalu.oracle.checking import Referee, check_blocks
from bufalu.reference import confidence as confidence_module
from bufalu.reference.confidence import ConfidenceInterval, ShapedInterval, confidence_named, register_interval
from bufalu.reference.exact import ZERO
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.policies.interchangeable import admissible_decisions
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.radius_shapes import RadiusShape, RadiusTerm
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import Adaptive, BernsteinBudget, Budget, Constant, InverseLog, Power, Values, Zero
from bufalu.reference.simulation import simulate
from bufalu.reference.state import State
from bufalu.reference.traces import Tally, TraceHeader
from bufalu.reference.view import ExactView

POLICIES = ("bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2")
TINY, HUGE = Fraction(1, 10**300), Fraction(10**300)


class OwnRadius(ShapedInterval):
    """A user's interval that the oracle has doubles for: mean +- sqrt(V ln t / n) + ln t / (n - 1)."""

    text = "own-shaped"
    shape = RadiusShape((RadiusTerm(1, uses_variance=True), RadiusTerm(1, rooted=False, offset=1)))


class Shapeless(ConfidenceInterval):
    """A user's interval without doubles: mean +- (1/n + sqrt(ln t / n))."""

    text = "own-shapeless"

    def radius_form(self, queries, variance, round_number):
        share = Fraction(1, queries)
        return NormalForm((RadicalTerm(share), RadicalTerm(1, radicand=share, degree=1)), round_number)


@pytest.fixture(scope="module", autouse=True)
def _own_intervals():
    registry = confidence_module.KNOWN_INTERVALS
    makers, forms = dict(registry._makers), dict(registry._forms)
    register_interval("own-shaped", OwnRadius())
    register_interval("own-shapeless", Shapeless())
    yield
    registry._makers, registry._forms = makers, forms


INTERVALS = ("hoeffding", "bernstein", "kl-ucb", "own-shaped", "own-shapeless")

numbers = st.one_of(
    st.integers(0, 4).map(lambda k: Fraction(k, 4)),
    st.floats(0, 1).map(Fraction),
    st.sampled_from([TINY, 1 - TINY, Fraction(1, 3), Fraction(2**61 - 1, 2**61), Fraction(10**25, 10**25 + 1)]),
)


def finite(values):
    return Arm.finite([(value, Fraction(1, len(values))) for value in values])


arms = st.one_of(
    numbers.map(Arm.bernoulli),
    numbers.map(Arm.deterministic),
    st.lists(numbers, min_size=2, max_size=3, unique=True).map(finite),
)


def answering(history, round_number, number_of_arms):
    """An adversary: wide after a query, narrow after none, and rising with the rounds."""
    asked = bool(history) and history[-1].query
    return Fraction(round_number, 7) if asked else Fraction(1, round_number)


schedules = st.one_of(
    st.sampled_from([Zero(), InverseLog(), Power(Fraction(1, 4)), Power(Fraction(2, 3)), Constant(TINY)]),
    st.sampled_from([Constant(HUGE), Constant(Fraction(3, 2)), Adaptive(answering)]),
    st.sampled_from(
        [Values(tuple(Fraction(t, 9) for t in range(200))), Values(tuple(Fraction(9, t + 1) for t in range(200)))]
    ),
    st.integers(1, 30).map(Budget),
    st.integers(51, 90).map(BernsteinBudget),
    st.lists(st.floats(0, 4).map(Fraction), min_size=130, max_size=130).map(lambda v: Values(tuple(v))),
)


@st.composite
def cases(draw):
    """(policy, interval, instance, schedule, horizon, ties, seed): few arms, or up to fifty with many of them equal."""
    if draw(st.integers(0, 4)):
        found = draw(st.lists(arms, min_size=1, max_size=5))
        horizon = draw(st.integers(1, 60))
    else:
        found = draw(st.lists(arms, min_size=1, max_size=3)) * draw(st.integers(4, 17))
        found, horizon = found[:50], min(50, len(found)) + draw(st.integers(1, 25))
    instance = Instance(tuple(found))
    return (
        draw(st.sampled_from(POLICIES)),
        draw(st.sampled_from(INTERVALS)),
        instance,
        draw(schedules),
        horizon,
        draw(st.sampled_from(["first", "last"])),
        draw(st.integers(0, 10**6)),
    )


@given(cases())
def test_all_agree(case):
    policy, interval, instance, schedule, horizon, ties, seed = case
    live = LivePolicy(policy_named(policy), instance.number_of_arms, interval, ties)
    rounds = list(simulate(live, instance, schedule, horizon, SeededRewards(instance, seed)))

    assert_in_the_relation(policy, interval, instance.number_of_arms, rounds)
    header = TraceHeader(policy, interval, instance.number_of_arms, schedule.text)
    filed = [played if schedule.text is None else played._replace(epsilon=None) for played in rounds]
    for strict in (True, False):
        checked = check_blocks(header, blocks_of_rounds(iter(filed)), strict)
        assert checked.divergence is None
        assert checked.rounds == len(rounds)
    assert_wrong_rounds_are_found(header, filed, rounds)
    assert_within_the_cap(policy, interval, instance.number_of_arms, schedule, rounds)
    assert_engine_agrees(case, rounds)
    if not schedule.adaptive and all(len(arm.values) == 1 for arm in instance.arms) and len(instance.arms) <= 5:
        law = exact_law(instance, schedule, horizon, policy=policy, confidence=interval, ties=ties)
        tally = Tally(instance.number_of_arms)
        for _ in tally.count(iter(rounds)):
            pass
        assert [value.exact for value in law.expected_plays()] == list(tally.plays)
        assert [value.exact for value in law.expected_queries_per_arm()] == list(tally.queries_per_arm())


def assert_in_the_relation(policy, interval, number_of_arms, rounds):
    """Every decision of the rule is one that the relation admits."""
    state = State(number_of_arms)
    rule, chosen = policy_named(policy), confidence_named(interval)
    for played in rounds:
        view = ExactView(state, chosen, played.number, played.epsilon or ZERO)
        assert Decision(played.arm, played.query) in admissible_decisions(rule, view)
        if played.reward is not None:
            state.record(played.arm, played.reward)


def assert_within_the_cap(policy, interval, number_of_arms, schedule, rounds):
    """No arm is queried more often than the formula of the bounds says that the querying rule allows."""
    if schedule.adaptive or policy == "greedy" or confidence_named(interval).regularity is None:
        return
    rule = regularity_of(confidence_named(interval)).sure
    tally = Tally(number_of_arms)
    for _ in tally.count(iter(rounds)):
        pass
    assert max(tally.queries_per_arm()) <= exact_query_cap(rule, schedule, number_of_arms, len(rounds))


def assert_wrong_rounds_are_found(header, filed, rounds):
    """The last round with its query denied: the filter and the exact referee say the same."""
    last = filed[-1]
    wrong = last._replace(query=not last.query, reward=None if last.query else Fraction(1, 2))
    state = State(header.arms)
    for played in rounds[:-1]:
        if played.reward is not None:
            state.record(played.arm, played.reward)
    for strict in (True, False):
        accepted, _ = Referee(header, strict).accepted(state, last.number, rounds[-1].epsilon)
        checked = check_blocks(header, blocks_of_rounds(iter([*filed[:-1], wrong])), strict)
        assert (checked.divergence is None) == (Decision(wrong.arm, wrong.query) in accepted)


def assert_engine_agrees(case, rounds):
    """The engine plays the same rounds, or refuses the setting."""
    policy, interval, instance, schedule, horizon, ties, seed = case
    try:
        configuration = Configuration(policy, instance, schedule, horizon, interval, ties)
    except OutsideEngine:
        return
    played = [
        (int(arm), bool(query))
        for block in traced_rounds(configuration, seed)
        for arm, query in zip(block.arm, block.query, strict=True)
    ]
    assert played == [(expected.arm, expected.query) for expected in rounds]
