"""Registries, shapes and interchangeable arms: what is not known is refused, and what is fast is what is slow."""

import ast
import inspect
import math
import textwrap
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu import Instance, SeededRewards, bounds_report, exact_law, simulate, upper_bounds
from bufalu.bounds import BERNSTEIN
from bufalu.bounds.errors import NoTheorem
from bufalu.oracle.tolerance import NearTies
from bufalu.properties.runs.strategies import fractions
from bufalu.reference.comparisons import EveryTie, OneTie
from bufalu.reference.confidence import BernsteinInterval, HoeffdingInterval, KLUCBInterval, confidence_named
from bufalu.reference.errors import (
    BufaluError,
    InvalidInterval,
    InvalidNumber,
    InvalidSchedule,
    NameTaken,
    UnknownName,
)
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.instances import Arm
from bufalu.reference.live import BuFALU, Dial, LivePolicy
from bufalu.reference.policies import (
    POLICIES,
    BuFALUPolicy,
    BuFAUPolicy,
    Decision,
    DialPolicy,
    Reason,
    interchangeable,
    policy_named,
    register_policy,
)
from bufalu.reference.policies.decisions import collected
from bufalu.reference.policies.policy import Policy
from bufalu.reference.radicals import NormalForm, RadicalTerm
from bufalu.reference.radius_shapes import Growth, RadiusShape, RadiusTerm
from bufalu.reference.registry import Registry
from bufalu.reference.schedules import Constant, Zero, parse_schedule
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.view import ExactView
from tests.reference.balls import ball


def test_a_text_form_with_the_papers_parameter_is_the_papers_interval():
    assert confidence_named("hoeffding:3/2") == confidence_named("hoeffding") == HoeffdingInterval()
    assert confidence_named("hoeffding:1.5").text == "hoeffding"
    assert confidence_named("hoeffding:2").text == "hoeffding:2"
    assert confidence_named("hoeffding:2").regularity is None


@pytest.mark.parametrize(
    ("look_up", "text", "error", "message"),
    [
        (confidence_named, "hoeffding:0", UnknownName, "between 10\\^-100 and 10\\^100"),
        (confidence_named, "hoeffding:-1", UnknownName, "between 10\\^-100 and 10\\^100"),
        (confidence_named, "hoeffding:x", UnknownName, "'x' is not a number"),
        (confidence_named, "hoeffding:", UnknownName, "is not a number"),
        (confidence_named, "bernstein:2", UnknownName, "takes no argument"),
        (confidence_named, "Hoeffding", UnknownName, "there is no confidence interval"),
        (confidence_named, 3, UnknownName, "not 3"),
        (policy_named, "bufalu:1", UnknownName, "takes no argument"),
        (policy_named, "ucb9", UnknownName, "there is no policy"),
        (policy_named, BuFALU(2), UnknownName, "not <BuFALU"),
        (parse_schedule, "power", InvalidSchedule, "needs a number"),
        (parse_schedule, 0.5, InvalidSchedule, "not 0.5"),
    ],
)
def test_what_is_not_known_is_refused(look_up, text, error, message):
    with pytest.raises(error, match=message):
        look_up(text)


def test_a_registry_takes_a_name_once():
    registry = Registry("thing")
    registry.register("one", lambda argument: (1, argument), "one:X")
    assert registry.parse("one") == (1, None)
    assert registry.parse("one:a:b") == (1, "a:b")
    assert registry.forms == ("one:X",)
    with pytest.raises(NameTaken):
        registry.register("one", lambda argument: (2, argument))
    for name in ("", "One", "a b", "1", "x:y", "x" * 41):
        with pytest.raises(UnknownName):
            registry.register(name, lambda argument: (3, argument))
    with pytest.raises(UnknownName, match="form must be a text, not 3"):
        registry.register("two", lambda argument: (2, argument), 3)
    with pytest.raises(NameTaken):
        register_policy("greedy", POLICIES["greedy"])


class AlwaysTheFirst:
    """A rule that is no policy: it plays arm 1 and asks."""

    def decide(self, view, ties):
        return Decision(1, query=True)

    def admissible(self, view):
        return {Decision(1, query=True): frozenset({Reason.ALWAYS})}


def test_a_live_policy_asks_a_rule_that_is_no_policy_itself():
    assert LivePolicy(AlwaysTheFirst(), 3).admissible(2, 0) == {Decision(1, query=True): frozenset({Reason.ALWAYS})}


def test_a_tie_break_is_asked_where_there_is_a_tie_and_nowhere_else():
    asked = []

    def last(tied):
        asked.append(list(tied))
        return tied[-1]

    comparisons, value = OneTie(last), {1: 0, 2: 5, 3: 5, 4: 0}.__getitem__
    assert [*comparisons.largest([1, 2], value)] == [2] and [*comparisons.smallest([1, 2], value)] == [1]
    assert asked == []
    assert [*comparisons.largest([1, 2, 3], value)] == [3] and [*comparisons.smallest([1, 2, 4], value)] == [4]
    assert asked == [[2, 3], [1, 4]]


shapes = st.builds(
    RadiusShape,
    st.lists(
        st.builds(
            RadiusTerm,
            fractions(Fraction(1, 50), 50, 60),
            st.booleans(),
            st.booleans(),
            st.integers(0, 2),
        ),
        min_size=1,
        max_size=4,
    ).map(tuple),
    st.sampled_from(Growth),
)
records = st.lists(fractions(0, 1, 1000), min_size=4, max_size=9).map(
    lambda rewards: ArmRecord(len(rewards), sum(rewards), sum(reward * reward for reward in rewards))
)


@given(shapes, records, st.integers(3, 10**6))
def test_the_doubles_of_any_shape_are_within_the_filters_error(shape, record, t):
    coefficients = shape.coefficients(record)
    assert coefficients is not None
    root, growth = shape.growth.doubles(t)
    approximation = coefficients[0] * root + coefficients[1] * growth
    truth = ball(shape.form(record.queries, record.exact_variance(), t))
    difference = abs(truth - approximation)
    assert bool(difference <= approximation * 2.0**-48)


@pytest.mark.parametrize("terms", [(), (RadiusTerm(0),), (RadiusTerm(1),) * 5])
def test_a_shape_that_is_none_is_refused(terms):
    with pytest.raises(InvalidInterval):
        RadiusShape(terms)


def test_a_tiny_variance_has_no_doubles():
    tiny = ArmRecord(2, Fraction(1, 10**160), Fraction(1, 10**320))
    assert BernsteinInterval().shape.coefficients(tiny) is None
    assert BernsteinInterval().radius(tiny, 9).error == math.inf
    state = State(2)
    state.records = [tiny, ArmRecord(2, 0, 0)]
    view = ExactView(state, BernsteinInterval(), 9, Exact.of(0))
    assert view.width(2) < view.width(1)
    assert view.lcb(1) < view.lcb(2)


@pytest.mark.parametrize("name", [*POLICIES, "ucb", "dial:1/2"])
def test_decisions_without_doubles_are_those_of_the_relation(name):
    """The last of the arms has the largest upper bound, which only exact arithmetic can tell."""
    state, policy = State(3), policy_named(name)
    state.records = [ArmRecord(2, Fraction(n, 10**160), Fraction(n * n, 10**320)) for n in (1, 1, 2)]
    for epsilon in (0, 1, 100):
        view = ExactView(state, BernsteinInterval(), 9, Exact.of(epsilon))
        assert {policy.decide(view, ties) for ties in (min, max)} <= set(policy.admissible(view))


few_rewards = st.lists(st.sampled_from([0, Fraction(1, 2), 1]), min_size=0, max_size=3)


@given(
    st.lists(few_rewards, min_size=1, max_size=7),
    st.sampled_from(sorted(POLICIES)),
    st.sampled_from([HoeffdingInterval(), BernsteinInterval(), KLUCBInterval()]),
    fractions(0, 4, 4),
    st.booleans(),
)
def test_a_few_of_equal_arms_decide_like_all(arms, name, interval, epsilon, near):
    state = State(len(arms))
    for arm, rewards in enumerate(arms, start=1):
        for reward in rewards:
            state.record(arm, reward)
    view = ExactView(state, interval, len(arms) + 3, Exact.of(epsilon))
    policy = policy_named(name)
    comparisons = NearTies if near else EveryTie
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interchangeable, "_FEW_ARMS", 0)
        few = collected(interchangeable.possibilities(policy, view, comparisons()))
    assert few == collected(policy.possible(view, comparisons()))


def test_a_few_arms_numbered_anew_are_themselves():
    state = State(4)
    for arm in range(1, 5):
        for _ in range(arm):
            state.record(arm, Fraction(1, arm))
    view = ExactView(state, HoeffdingInterval(), 11, Exact.of(1))
    few = interchangeable._Representatives(view, [2, 4])
    for place, arm in ((1, 2), (2, 4)):
        of_few = (few.lcb(place), few.ucb(place), few.width(place), few.mean(place), few.queries(place))
        assert of_few == (view.lcb(arm), view.ucb(arm), view.width(arm), view.mean(arm), view.queries(arm))
    assert few.pair_radius(1, 2, 4) == few.pair_radius(2, 1, 4) == view.pair_radius(2, 4, 4)
    assert (few.all_queries(), few.log(), few.number(3)) == (view.all_queries(), view.log(), view.number(3))


class CountingTies(EveryTie):
    def __init__(self):
        self.asked = Counter()

    def at_most(self, left, right):
        self.asked["tests"] += 1
        return super().at_most(left, right)


@pytest.mark.parametrize("name", ["bufalu", "bufau"])
@pytest.mark.parametrize("confidence", ["hoeffding", "bernstein"])
def test_eight_hundred_tied_arms_cost_a_few_tests(name, confidence):
    live = LivePolicy(name, 800, confidence)
    for number in range(1, 801):
        live.decide(number, 0)
        live.observe(Fraction(number, 800) if confidence == "bernstein" else 1)
    view = ExactView(live.state, live.confidence, 801, Exact.of(1))
    ties = CountingTies()
    found = collected(interchangeable.possibilities(policy_named(name), view, ties))
    assert {decision.arm for decision in found} == set(range(1, 801))
    assert ties.asked["tests"] <= 16


def test_bounds_and_laws_take_texts_and_refuse_what_is_neither():
    instance = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
    assert upper_bounds(instance, Zero(), 50, confidence="bernstein").quantities.guarantee.regularity is BERNSTEIN
    assert bounds_report(instance, Zero(), 50, "bernstein") == bounds_report(
        instance, Zero(), 50, BernsteinInterval()
    )
    assert bounds_report(instance, Zero(), 50, "hoeffding") == bounds_report(instance, Zero(), 50)
    for wrong in ({"policy": BuFALU(2)}, {"policy": Dial}, {"confidence": 2}, {"policy": None}):
        with pytest.raises(BufaluError):
            exact_law(instance, "zero", 4, **wrong)
    with pytest.raises(BufaluError):
        upper_bounds(instance, Zero(), 50, confidence="gauss")
    with pytest.raises(BufaluError):
        upper_bounds(instance, Zero(), 50, confidence="hoeffding:2")


@pytest.mark.parametrize("wrong", [math.nan, math.inf, "one half", None, True])
def test_what_is_no_number_is_no_mean(wrong):
    for make in (Instance.bernoulli, Instance.deterministic):
        with pytest.raises(InvalidNumber):
            make([wrong])
    with pytest.raises(InvalidNumber):
        Arm((0, wrong), (Fraction(1, 2), Fraction(1, 2)))


def test_every_form_of_an_argument_means_the_same():
    means, law = [Fraction(1, 4), Fraction(13, 100)], None
    for form in (means, [0.25, 0.13], ["1/4", "0.13"], np.array([0.25, 0.13]), np.array([0.25, 0.13], np.float32)):
        assert Instance.bernoulli(form) == Instance.bernoulli(means)
    assert Instance.bernoulli([Fraction(0.13)]) != Instance.bernoulli([0.13])
    for policy in ("bufalu", BuFALU, BuFALU.RULE, type(BuFALU.RULE)):
        for confidence in ("hoeffding", HoeffdingInterval, HoeffdingInterval()):
            for epsilon in ("constant:1/4", Constant(0.25), lambda t: 0.25, [0.25] * 6, np.full(6, 0.25)):
                found = exact_law(means, epsilon, 6, policy=policy, confidence=confidence).expected_regret()
                assert law is None or found == law
                law = found


def test_rewards_are_a_seed_a_list_for_each_arm_or_an_iterator():
    instance = Instance.bernoulli([0.5, 0.25])
    runs = [
        [played.reward for played in simulate("bufalu", [0.5, 0.25], "zero", 8, form)]
        for form in (3, np.int64(3), SeededRewards(instance, 3))
    ]
    assert runs[0] == runs[1] == runs[2]
    in_order = [[0.1, 1] * 4, iter([0.1, 1] * 4), np.array([0.1, 1] * 4)]
    assert all(
        [played.reward for played in simulate("bufalu", instance, "zero", 2, form)] == [Fraction(0.1), 1]
        for form in in_order
    )
    by_arm = list(simulate("bufalu", instance, "zero", 2, [[0, 0], [1, 1]]))
    assert [played.reward for played in by_arm] == [0, 1]
    with pytest.raises(BufaluError, match="rewards has lists for 3 arms"):
        simulate("bufalu", instance, "zero", 2, np.zeros((3, 2)))
    with pytest.raises(BufaluError, match="confidence"):
        simulate(BuFALU(2), instance, "zero", 2, 0, confidence="bernstein")


def test_the_ends_of_the_coefficients_are_where_they_are_said_to_be():
    for inside in (10**100, Fraction(1, 10**100)):
        assert HoeffdingInterval(inside).coefficient == inside
    for outside in (10**100 + 1, Fraction(1, 10**100 + 1)):
        with pytest.raises(InvalidInterval, match=r"between 10\^-100 and 10\^100"):
            HoeffdingInterval(outside)


@pytest.mark.parametrize("text", ["hoeffding", "hoeffding:1/7", "bernstein", "kl-ucb"])
def test_the_double_of_a_radius_is_within_its_error(text):
    record = ArmRecord(5, Fraction(7, 3), Fraction(9, 5))
    for number in (2, 3, 10, 10**6):
        radius = confidence_named(text).radius(record, number)
        truth = Exact(0.0, math.inf, radius.form())
        allowed = Exact.of(Fraction(radius.error))
        assert -allowed <= truth - Exact.of(Fraction(radius.approximation)) <= allowed


class _AlwaysFirst(BuFALUPolicy):
    """Derived from BuFALU, and another rule."""

    text = "test-always-first"

    def possible(self, view, comparisons):
        yield Decision(1 if view.round > view.arms else view.round, view.round <= view.arms), Reason.INITIAL


class _Another(Policy):
    """A rule of which nothing but the rule is said."""

    text = "test-another"
    possible = _AlwaysFirst.possible


class _SameRule(BuFALUPolicy):
    text = "test-renamed"


class _ChallengerAlone(BuFALUPolicy):
    text = "test-challenger-alone"

    def selections(self, view, comparisons):
        return ((leader, other, other) for leader, other, _ in super().selections(view, comparisons))


class _Third(BuFAUPolicy):
    text = "test-third"

    def candidates(self, view, comparisons, leader, challenger):
        others = [arm for arm in range(1, view.arms + 1) if arm not in (leader, challenger)]
        return comparisons.largest(others, view.ucb)


class _WiderStill(DialPolicy):
    def candidates(self, view, comparisons, leader, challenger):
        return [leader]


def test_a_class_that_changes_the_rule_inherits_nothing_that_is_known_of_the_rule():
    changed, renamed, other = _AlwaysFirst(), _SameRule(), _WiderStill(Fraction(1, 2))
    assert (changed.kernel, changed.steering, changed.interchangeable) == (None, None, None)
    assert (renamed.kernel, renamed.steering, renamed.interchangeable) == ("dial", 1, 2)
    assert (other.kernel, other.steering, other.interchangeable) == (None, None, None)
    assert not _Third().queries_largest_ucb
    for stranger in (changed, _ChallengerAlone(), _Another()):
        assert (stranger.kernel, stranger.steering, stranger.interchangeable) == (None, None, None)
        assert stranger.pairing is None
        assert stranger.uses_epsilon and stranger.uses_interval
        assert not (stranger.queries_largest_ucb or stranger.counts_all_queries or stranger.stops_by_epsilon_alone)
        assert not stranger.tosses
    with pytest.raises(NoTheorem):
        upper_bounds(Instance.bernoulli([Fraction(1, 2), Fraction(1, 4)]), "zero", 10, policy=changed)


def parts_of_the_rule(policy):
    """The public methods that `possible` calls on the policy itself, with those that they call."""
    found, waiting = set(), ["possible"]
    while waiting:
        name = waiting.pop()
        body = ast.parse(textwrap.dedent(inspect.getsource(getattr(type(policy), name))))
        called = {
            ast.unparse(node.func).removeprefix("self.") for node in ast.walk(body) if isinstance(node, ast.Call)
        }
        new = {each for each in called if callable(getattr(type(policy), each, None))} - found
        found |= new
        waiting += new
    return {name for name in found if not name.startswith("_")}


PARTS = {
    "bufalu": {"selections", "candidates"},
    "bufau": {"selections", "candidates"},
    "dial:1/2": {"selections", "candidates"},
    "pairs:2": {"index", "load"},
    "coin:1/2": {"chosen"},
    "every:2": {"chosen"},
    "greedy": set(),
    "cbm-ucb": set(),
    "ucb": set(),
    "explore:3": set(),
}
"""The methods, beside `possible` and `decide`, that make the rules of the policies."""


def test_the_parts_of_all_rules_are_known():
    assert set(POLICIES) <= set(PARTS)
    assert {name: parts_of_the_rule(policy_named(name)) for name in PARTS} == PARTS


@pytest.mark.parametrize(
    ("name", "part"), [(name, part) for name in PARTS for part in sorted({"possible", *PARTS[name]})]
)
def test_whoever_changes_a_part_of_a_rule_inherits_nothing_that_is_known_of_the_rule(name, part):
    rule = type(policy_named(name))
    changed = type("Changed", (rule,), {part: getattr(rule, part)})
    assert (changed.kernel, changed.steering, changed.pairing) == (None, Policy.steering, Policy.pairing)
    assert changed.uses_epsilon or part == "candidates"
    assert changed.interchangeable is None
    if part in ("possible", "selections"):
        assert (changed.title, changed.steps, changed.epsilon_side) == (
            Policy.title,
            Policy.steps,
            Policy.epsilon_side,
        )
    if part == "candidates":
        assert (changed.title, changed.candidate_words) == (Policy.title, "chosen beside them")


def test_a_candidate_that_is_neither_leader_nor_challenger_is_sought_among_all_arms():
    state = State(14)
    for arm in range(1, 15):
        state.record(arm, 1 if arm <= 5 else 0)
    view = ExactView(state, HoeffdingInterval(), 15, ZERO)
    assert interchangeable.admissible_decisions(_Third(), view) == _Third().admissible(view)
    assert {decision.arm for decision in _Third().admissible(view)} == {1, 2, 3, 4, 5}


def test_a_class_that_changes_the_radius_inherits_nothing_that_is_proved_of_it():
    class Narrow(HoeffdingInterval):
        shape = RadiusShape((RadiusTerm(Fraction(1, 200)),))

    class Loose(BernsteinInterval):
        shape = RadiusShape((RadiusTerm(7, rooted=False, offset=1),))

    assert Narrow().regularity is None
    assert (Loose().regularity, Loose().deviation) == (None, None)
    with pytest.raises(InvalidInterval, match="keeps the shape that it comes from"):

        class Zeroed(HoeffdingInterval):
            def radius_form(self, queries, variance, round_number):
                return NormalForm((RadicalTerm(0),), round_number)
