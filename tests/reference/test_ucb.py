"""UCB, and the interval with the logarithm of the rounds before: what they are, and what is refused."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.radii import check_shape
from bufalu.experiments.engine.rules import family_of
from bufalu.law import exact_law
from bufalu.oracle.report import check_trace
from bufalu.properties.runs.strategies import fractions
from bufalu.properties.runs.thresholds import RadiusCount, sure_count
from bufalu.reference.confidence import HoeffdingInterval, confidence_named
from bufalu.reference.errors import MixedRounds, UnknownName
from bufalu.reference.exact import ZERO, Exact, log_root
from bufalu.reference.instances import Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import CBM_UCB, Decision, Reason, check_one_logarithm, policy_named
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import Values, parse_schedule
from bufalu.reference.simulation import simulate
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.reference.view import ExactView

CONVENTIONS = ("hoeffding", "hoeffding:2", "hoeffding:2:before", "hoeffding:1/2:before")
ROUND_DEPENDENT = ("power:1/4", "inverse-log", "budget:8")


def states(arms: int = 3) -> st.SearchStrategy[list[list[Fraction]]]:
    rewards = fractions(0, 1, 4)
    return st.lists(st.lists(rewards, min_size=1, max_size=4), min_size=arms, max_size=arms)


def state_of(rewards: list[list[Fraction]]) -> State:
    state = State(len(rewards))
    for arm, paid in enumerate(rewards, start=1):
        for reward in paid:
            state.record(arm, reward)
    return state


@given(states(), st.sampled_from([*CONVENTIONS, "bernstein"]), st.integers(0, 10**6))
@example([[Fraction(1)], [Fraction(0)], [Fraction(1)]], "bernstein", 0)  # all widths infinite
def test_ucb_is_cbm_ucb_with_epsilon_zero(rewards: list[list[Fraction]], confidence: str, later: int) -> None:
    state = state_of(rewards)
    view = ExactView(state, confidence_named(confidence), state.all_queries + 1 + later, ZERO)
    ucb, cbm = policy_named("ucb").admissible(view), CBM_UCB.admissible(view)
    assert ucb.keys() == cbm.keys()
    assert set().union(*ucb.values()) == {Reason.ALWAYS}
    for ties in (min, max):
        assert policy_named("ucb").decide(view, ties) == CBM_UCB.decide(view, ties)


def test_ucb_queries_where_the_width_is_zero() -> None:
    """The one difference: ln 1 = 0 makes a width of 0 at t = 2, which CBM-UCB does not query with epsilon = 0."""
    state = State(1)
    state.record(1, Fraction(1, 2))
    view = ExactView(state, confidence_named("hoeffding:2:before"), 2, ZERO)
    assert set(policy_named("ucb").admissible(view)) == {Decision(1, True)}
    assert set(CBM_UCB.admissible(view)) == {Decision(1, False)}


def test_ucb_does_not_look_at_epsilon() -> None:
    live = LivePolicy("ucb", 2, "hoeffding:2")
    for number in (1, 2):
        assert live.decide(number, 10**9) == Decision(number, True)
        live.observe(Fraction(number - 1))
    assert set(live.admissible(3, 10**9)) == set(live.admissible(3, 0)) == {Decision(2, True)}
    assert not policy_named("ucb").uses_epsilon
    assert CBM_UCB.uses_epsilon


@given(st.integers(1, 50), st.integers(3, 10**6))
def test_the_radius_before_is_the_radius_of_the_round_before(queries: int, number: int) -> None:
    plain, before = HoeffdingInterval(2), HoeffdingInterval(2, before=True)
    assert before.radius_form(queries, 0, number) == plain.radius_form(queries, 0, number - 1)
    record = ArmRecord(queries, Fraction(queries, 2), Fraction(queries, 4))
    assert before.radius(record, number) == plain.radius(record, number - 1)
    assert before.radius(record, number) < plain.radius(record, number)


def test_the_radius_before_is_zero_in_round_two() -> None:
    record = ArmRecord(1, Fraction(1), Fraction(1))
    assert HoeffdingInterval(2, before=True).radius(record, 2) == ZERO


@pytest.mark.parametrize("text", CONVENTIONS)
def test_text_forms_name_the_convention(text: str) -> None:
    assert confidence_named(text).text == text


def test_the_papers_coefficient_with_the_other_logarithm_has_a_name_of_its_own() -> None:
    interval = confidence_named("hoeffding:3/2:before")
    assert interval.text == "hoeffding:3/2:before"
    assert interval.regularity is None


@pytest.mark.parametrize(
    "text", ["hoeffding:2:after", "hoeffding:2:", "hoeffding::before", "hoeffding:before", "hoeffding:0:before"]
)
def test_what_is_no_convention_is_refused(text: str) -> None:
    with pytest.raises(UnknownName, match="in the confidence interval"):
        confidence_named(text)


def trace(policy: str, epsilon: str, rounds: int = 6) -> Trace:
    header = TraceHeader(policy, "hoeffding:2:before", 2, epsilon)
    live = LivePolicy(policy, 2, "hoeffding:2:before")
    instance = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
    played = simulate(live, instance, parse_schedule(epsilon), rounds, SeededRewards(instance, 0))
    return Trace(header, tuple(played))


@pytest.mark.parametrize("epsilon", ROUND_DEPENDENT)
def test_two_logarithms_are_refused_before_the_first_round(epsilon: str) -> None:
    with pytest.raises(MixedRounds, match="the logarithm of the rounds before"):
        trace("bufalu", epsilon)
    rounds = trace("bufalu", "constant:1/2").rounds
    with pytest.raises(MixedRounds, match="the logarithm of the rounds before"):
        check_trace(Trace(TraceHeader("bufalu", "hoeffding:2:before", 2, epsilon), rounds))
    with pytest.raises(MixedRounds, match="the logarithm of the rounds before"):
        exact_law(Instance.bernoulli([Fraction(1, 2)]), epsilon, 5, policy="cbm-ucb", confidence="hoeffding:2:before")


@pytest.mark.parametrize(("policy", "epsilon"), [("ucb", "budget:8"), ("ucb", "zero"), ("bufalu", "constant:1/2")])
def test_what_has_one_logarithm_is_played_and_checked(policy: str, epsilon: str) -> None:
    assert check_trace(trace(policy, epsilon), strict=True).conforms
    instance = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
    law = exact_law(instance, epsilon, 5, policy=policy, confidence="hoeffding:2:before")
    assert law.expected_queries().exact == 5


def test_a_list_of_epsilons_and_an_interval_without_a_shape_are_not_asked() -> None:
    before = HoeffdingInterval(2, before=True)
    check_one_logarithm(CBM_UCB, before, Values((Fraction(1),)), 5)
    check_one_logarithm(CBM_UCB, HoeffdingInterval(2), parse_schedule("budget:8"), 5)


def test_a_live_policy_refuses_what_doubles_cannot_tell_apart() -> None:
    live = LivePolicy("cbm-ucb", 1, "hoeffding:2:before")
    live.decide(1, 0)
    live.observe(0)
    beside = log_root(3)
    undecided = Exact(beside.approximation, 10.0, beside.form())
    live.decide(2, 0)
    with pytest.raises(MixedRounds):
        live.decide(3, undecided)


def test_the_engine_refuses_with_a_reason_and_the_counts_follow_the_radius() -> None:
    before = HoeffdingInterval(2, before=True)
    with pytest.raises(OutsideEngine, match=r"ln\(t - 1\)"):
        check_shape(before.text, before.shape)
    with pytest.raises(OutsideEngine, match="no kernel for the policy 'ucb'"):
        family_of("ucb")
    count = sure_count(before)
    assert isinstance(count, RadiusCount)
    assert not count.reached(1, 2, Exact.of(1))  # ln 1 = 0: the width is 0
    assert count.reached(1, 3, Exact.of(1))  # 2 sqrt(2 ln 2) > 1
    assert not count.reached(6, 3, Exact.of(1))
    assert count.reached(5, 3, Exact.of(1))  # 4 * 2 ln 2 / 5 > 1 > 4 * 2 ln 2 / 6
