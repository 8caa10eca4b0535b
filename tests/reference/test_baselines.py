"""What people use instead of BuFALU: a coin, a clock, exploration first. What they decide, and what is refused."""

from fractions import Fraction

import pytest

from bufalu.experiments.studies.reference_path import ties_of_run
from bufalu.law import exact_law
from bufalu.oracle.conformance import Effort, run_setting
from bufalu.oracle.directed import Stage
from bufalu.oracle.implementations import FactoryUnderTest
from bufalu.oracle.report import check_trace
from bufalu.reference.comparisons import RandomTies, first
from bufalu.reference.errors import NoChance, UnknownName
from bufalu.reference.instances import Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Decision, Reason, policy_named
from bufalu.reference.rounds import Round
from bufalu.reference.simulation import simulate
from bufalu.reference.traces import Trace, TraceHeader

ARMS = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2), Fraction(1, 3)])
QUICK = Effort(examples=3, rounds=10, arms=3)
BASELINES = ("coin:1/4", "every:4", "explore:20")


def played(policy: str, rounds: int = 60, seed: int = 3) -> list[Round]:
    return list(simulate(policy, ARMS, "zero", rounds, seed, ties=f"random:{seed}"))


def judged(policy: str, rounds: list[Round]) -> bool:
    return check_trace(Trace(TraceHeader(policy, "hoeffding", 3, "zero"), rounds), strict=True).conforms


def test_when_they_ask() -> None:
    assert [one.number for one in played("every:4") if one.query] == [1, 2, 3, *range(4, 61, 4)]
    assert [one.number for one in played("explore:20") if one.query] == list(range(1, 21))
    assert [one.arm for one in played("explore:20")[:20]] == [1, 2, 3] * 6 + [1, 2]
    asked = [one.number for one in played("coin:1/4", 400)[3:] if one.query]
    assert 60 < len(asked) < 140
    assert asked != [one.number for one in played("coin:1/4", 400, seed=4)[3:] if one.query]


def test_whom_they_play() -> None:
    live = LivePolicy("every:5", 3)
    for number, reward in enumerate((0, 1, 0), start=1):
        assert live.decide(number, 0) == Decision(number, True)
        live.observe(reward)
    assert live.admissible(4, 0) == {Decision(2, False): {Reason.OTHER_ROUND}}, "the best mean, without a query"
    assert live.admissible(5, 0) == {Decision(2, True): {Reason.CHOSEN_ROUND}}
    both = LivePolicy("coin:1/2", 3)
    both.state = live.state
    assert set(both.admissible(4, 0)) == {Decision(2, True), Decision(2, False)}
    for sure, query in (("coin:0", False), ("coin:1", True)):
        both.rule = policy_named(sure)
        assert set(both.admissible(4, 0)) == {Decision(2, query)}


@pytest.mark.parametrize("policy", BASELINES)
def test_a_run_conforms_and_a_changed_one_does_not(policy: str) -> None:
    rounds = played(policy)
    assert judged(policy, rounds)
    last = rounds[-1]
    # the arm of least mean is neither the largest UCB's nor the best mean's
    assert not judged(policy, [*rounds[:-1], last._replace(arm=1, query=False, reward=None)])
    silent = next(one for one in rounds if not one.query)
    others = [*rounds[: silent.number - 1], silent._replace(query=True, reward=Fraction(1))]
    assert not judged(policy, others) or policy.startswith("coin"), "a clock says when"


def test_the_law_of_a_toss_is_exact() -> None:
    law = exact_law(Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)]), "zero", 8, policy="coin:1/3", ties="random")
    assert law.expected_queries().exact == 2 + Fraction(6, 3)


def test_a_program_with_a_coin_is_judged() -> None:
    factory = FactoryUnderTest(lambda arms: LivePolicy("coin:1/2", arms, ties="random:9"))
    result = run_setting(factory, "coin:1/2", "hoeffding", QUICK, (Stage.SMOKE, Stage.SEARCH))
    assert result.finished and result.failed is None
    other = FactoryUnderTest(lambda arms: LivePolicy("bufau", arms))
    assert run_setting(other, "every:3", "hoeffding", QUICK, (Stage.SMOKE,)).failed is not None


def test_a_toss_needs_chance() -> None:
    with pytest.raises(NoChance, match="random:SEED"):
        list(simulate("coin:1/2", ARMS, "zero", 9, 1))
    with pytest.raises(NoChance):
        exact_law(ARMS, "zero", 5, policy="coin:1/2")
    coin, clock = policy_named("coin:1/2"), policy_named("every:2")
    drawn = ties_of_run("first", 7, coin)
    assert isinstance(drawn, RandomTies) and drawn.seed == 7, "in a study the seed of the run tosses"
    assert ties_of_run("first", 7, clock) is first


@pytest.mark.parametrize(
    "text", ["coin", "coin:", "coin:2", "coin:-1/2", "coin:1/10001", "every", "every:0", "every:1/2", "explore:x"]
)
def test_what_is_no_baseline(text: str) -> None:
    with pytest.raises(UnknownName, match="in the policy"):
        policy_named(text)


@pytest.mark.parametrize("text", ["coin:1/10", "every:10", "explore:500"])
def test_texts_are_read_back(text: str) -> None:
    assert policy_named(text).text == text
    assert policy_named(text) == policy_named(text)
    assert not policy_named(text).uses_epsilon
    assert policy_named("coin:0.1").text == "coin:1/10"
