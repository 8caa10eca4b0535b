"""The adapters: by themselves, and under the real libraries where they are installed (`make adapters`)."""

from __future__ import annotations

import importlib.util
import math
import sys
from fractions import Fraction

import pytest

from bufalu.live.adapters.mabwiser import AskingMAB
from bufalu.live.adapters.river import AskingModel, AskingPolicy
from bufalu.live.deciding import DecidingRun
from bufalu.live.errors import LibraryMissing
from bufalu.reference.errors import InvalidInstance, InvalidNumber, InvalidReward
from bufalu.reference.instances import Instance
from bufalu.reference.simulation import simulate

MEANS = [Fraction(1, 4), Fraction(3, 4), Fraction(1, 2)]
ARMS = ["a", "b", "c"]


def test_a_run_in_memory_decides_as_a_simulation_does() -> None:
    instance = Instance.bernoulli(MEANS)
    run = DecidingRun(ARMS, epsilon="constant:1/2", ties="first")
    for expected in simulate("bufalu", instance, "constant:1/2", 400, 5):
        step = run.next()
        assert (step.id, step.arm, step.ask) == (expected.number, ARMS[expected.arm - 1], expected.query)
        if expected.reward is not None:
            run.learn(step.arm, expected.reward)
    with pytest.raises(InvalidInstance, match="there is no arm"):
        run.learn("d", 1)
    assert DecidingRun(ARMS).settings.ties == "random:0", "the same run every time, if nobody says otherwise"


def test_rivers_policy_looks_at_what_it_asked_for_alone() -> None:
    policy: AskingPolicy[int] = AskingPolicy(epsilon="constant:2", rewards=(1, 5))
    rewards = {0: 1, 1: 5, 2: 3}
    quiet = 0
    for _ in range(200):
        arm = policy.pull(range(3))
        quiet += not policy.asks
        policy.update(arm, rewards[arm])
    assert 0 < quiet < 200
    assert policy._run is not None
    assert policy._run.state.all_queries == 200 - quiet, "no reward was learned that was not asked for"
    with pytest.raises(InvalidInstance, match="the arms of this policy"):
        policy.pull(range(4))
    again = policy.clone()
    assert again._run is None and again.rewards == (1, 5)


def test_what_rivers_policy_was_given_is_what_decides() -> None:
    given: AskingPolicy[int] = AskingPolicy("bufau", "zero", rewards=(1, 5), confidence="bernstein", seed=7)
    for policy in (given, given.clone()):
        policy.pull(range(3))
        assert policy._run is not None
        settings = policy._run.settings
        assert (settings.policy, settings.epsilon, settings.rewards) == ("bufau", "zero", ("1", "5"))
        assert (settings.confidence, settings.ties) == ("bernstein", "random:7")
    plain: AskingPolicy[int] = AskingPolicy()
    plain.pull(range(3))
    assert plain._run is not None
    assert plain._run.settings == DecidingRun(["0", "1", "2"]).settings, (
        "the same run every time, if nobody says otherwise"
    )


def test_rivers_answers_may_be_late() -> None:
    policy: AskingPolicy[str] = AskingPolicy()
    assert [policy.pull(ARMS) for _ in ARMS] == ARMS
    policy.update("c", 1)
    policy.update("c", 1)
    assert policy._run is not None and policy._run.state.queries(3) == 1, "one question, one answer"
    with pytest.raises(InvalidReward):
        policy.update("a", 2)
    policy.update("a", 0)
    assert policy._run.state.queries(1) == 1, "a wrong answer left the question open"


def test_active_learning_says_whether_to_ask() -> None:
    model = AskingModel(ARMS, AskingPolicy(epsilon="constant:1"))
    said = []
    for _ in range(150):
        arm, ask = model.predict_one({"ignored": 1})
        said.append(ask)
        if ask:
            model.learn_one({}, 1 if arm == "b" else 0)
    assert said[:3] == [True] * 3 and not all(said)


def test_active_learning_takes_a_late_answer_by_the_name_of_its_arm() -> None:
    model = AskingModel(ARMS)
    first, _ = model.predict_one({})
    second, _ = model.predict_one({})
    model.learn_one({}, 1, first)
    assert isinstance(model.policy, AskingPolicy) and model.policy._run is not None
    answered = [model.policy._run.state.queries(ARMS.index(arm) + 1) for arm in (first, second)]
    assert answered == [1, 0]


def test_mabwisers_methods() -> None:
    mab = AskingMAB(ARMS, epsilon="constant:1", rewards=(0, 10))
    mab.fit(["a", "b", "b"], [0, 10, 5])
    assert mab.predict_expectations() == {"a": 0.0, "b": 7.5, "c": 0.0}
    asked = []
    for _ in range(120):
        arm = mab.predict()
        asked.append(mab.asks)
        if mab.asks:
            mab.partial_fit([arm], [10 if arm == "b" else 0])
    assert asked[0] and not asked[-1] and arm == "b"
    before = mab.predict_expectations()
    for decisions, rewards in ((["a", "b"], [1, 11]), (["a", "z"], [1, 1]), (["a"], [1, 1])):
        with pytest.raises((InvalidReward, InvalidInstance)):
            mab.partial_fit(decisions, rewards)
        with pytest.raises((InvalidReward, InvalidInstance)):
            mab.fit(decisions, rewards)
    assert mab.predict_expectations() == before, "all or nothing"
    stars = AskingMAB(ARMS, rewards=(1, 5))
    stars.fit(["a", "b"], [2, 5])
    assert stars.predict_expectations() == {"a": 2.0, "b": 5.0, "c": 0.0}, (
        "without a reward it is 0, in the range or not"
    )
    plain = AskingMAB(ARMS)
    assert plain._run.settings == DecidingRun(ARMS).settings
    plain.fit(["a", "b"], [0, 1])
    assert plain.predict_expectations() == {"a": 0.0, "b": 1.0, "c": 0.0}
    for beyond in (Fraction(-1, 2), Fraction(3, 2)):
        with pytest.raises(InvalidReward):
            plain.partial_fit(["a"], [beyond])


def test_gymnasium_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "bufalu.live.adapters.gymnasium", raising=False)
    with pytest.raises(LibraryMissing, match="pip install"):
        importlib.import_module("bufalu.live.adapters.gymnasium")


def test_river_evaluates_our_policy() -> None:
    if importlib.util.find_spec("river") is None or importlib.util.find_spec("gymnasium") is None:
        pytest.skip("river is not installed")
    import gymnasium
    from river import bandit

    def world() -> gymnasium.Env:
        return gymnasium.make("river_bandits/KArmedTestbed-v0", max_episode_steps=40)

    ours: AskingPolicy[int] = AskingPolicy(rewards=(-20, 20), epsilon="constant:1")
    told = list(bandit.evaluate([ours, bandit.UCB(delta=1, seed=1)], world(), n_episodes=2, seed=3))
    assert len(told) == 160
    played = [row["arm"] for row in told if row["policy_idx"] == 0]
    assert played[:10] == played[40:50] == list(range(10)), "a new clone in every episode begins with every arm"
    history = [(ARMS, None, "b", 1.0)] * 30
    total, used = bandit.evaluate_offline(AskingPolicy(), history)
    assert total.get() == used > 0


def test_active_learning_in_the_form_of_river() -> None:
    if importlib.util.find_spec("river") is None:
        pytest.skip("river is not installed")
    from river import active, linear_model

    theirs = active.EntropySampler(linear_model.LogisticRegression(), seed=1)
    for model in (theirs, AskingModel(ARMS)):
        _, ask = model.predict_one({"x": 1.0})
        assert isinstance(ask, bool)
        model.learn_one({"x": 1.0}, 1)


def test_mabwiser_is_called_alike() -> None:
    if importlib.util.find_spec("mabwiser") is None:
        pytest.skip("mabwiser is not installed")
    from mabwiser.mab import MAB, LearningPolicy

    for mab in (MAB(ARMS, LearningPolicy.UCB1(alpha=1.0)), AskingMAB(ARMS)):
        mab.fit(["a", "b", "c"], [0, 1, 0])
        mab.partial_fit(["b"], [1])
        assert mab.predict() in ARMS
        assert set(mab.predict_expectations()) == set(ARMS)
    assert AskingMAB(ARMS).predict_expectations() == dict.fromkeys(ARMS, 0.0)


def test_gymnasium_plays_the_run_of_a_simulation() -> None:
    if importlib.util.find_spec("gymnasium") is None:
        pytest.skip("gymnasium is not installed")
    from bufalu.live.adapters.gymnasium import Agent, AskingBandit

    world, agent = AskingBandit(MEANS, horizon=400, cost="1/4"), Agent(3, epsilon="constant:1/2")
    observation, _ = world.reset(seed=5)
    total = {"env": 0.0, "mon": 0.0}
    for expected in simulate("bufalu", Instance.bernoulli(MEANS), "constant:1/2", 400, 5):
        assert world.observation_space.contains(observation)
        action = agent.act(observation)
        assert world.action_space.contains(action)
        assert (action["env"] + 1, bool(action["mon"])) == (expected.arm, expected.query)
        observation, reward, terminated, truncated, _ = world.step(action)
        agent.learn(reward)
        assert set(reward) == {"env", "mon", "proxy"}
        if expected.query:
            assert (reward["proxy"], reward["mon"]) == (expected.reward, -0.25)
        else:
            assert math.isnan(reward["proxy"]) and reward["mon"] == 0 and reward["env"] in (0, 1)
        assert not terminated
        assert truncated == (expected.number == 400)
        for key in total:
            total[key] += reward[key]
    assert total["env"] > 200 and total["mon"] > -100, "the best arm is played, and questions end"
    with pytest.raises(InvalidNumber):
        Agent(0)
    world.reset(seed=5)
    unseen = [world.step({"env": 0, "mon": 0})[1]["env"] for _ in range(400)]
    assert 70 < sum(unseen) < 130, "an arm pays by its own law also where nobody asks"
    drawn = set()
    for _ in range(5):
        world.reset()
        drawn.add(repr(world._rewards))
    assert len(drawn) == 5, "an episode without a seed is another one each time"
    with pytest.raises(InvalidInstance):
        AskingBandit([], 5)


def test_gymnasium_sees_nothing_and_asks_for_nothing_unless_it_is_told() -> None:
    if importlib.util.find_spec("gymnasium") is None:
        pytest.skip("gymnasium is not installed")
    from bufalu.live.adapters.gymnasium import Agent, AskingBandit

    world = AskingBandit(MEANS, horizon=3)
    assert [space.n for space in world.observation_space.values()] == [1, 1]
    assert (world.action_space["env"].n, world.action_space["mon"].n) == (3, 2)
    assert world.reset(seed=1) == ({"env": 0, "mon": 0}, {})
    assert world.step({"env": 0, "mon": 1})[1]["mon"] == 0, "asking is free"
    assert Agent(1).act() == {"env": 0, "mon": 1}
    with pytest.raises(InvalidNumber, match="arms"):
        Agent(0)
