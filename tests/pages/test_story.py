"""The story of a trace is what exact arithmetic says round by round, and the page reads back what was packed."""

import json
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bufalu import Instance, SeededRewards, Trace, TraceHeader, parse_schedule, simulate
from bufalu.doubles.blocks import Block
from bufalu.pages import packing
from bufalu.pages.story import tell, tell_blocks
from bufalu.pages.trace_page import embedded
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.policies.decisions import REASONS, Roles
from bufalu.reference.policies.interchangeable import admissible_decisions
from bufalu.reference.state import State
from bufalu.reference.traces import with_epsilon
from bufalu.reference.view import ExactView
from tests.pages.scripts import DATA, changed, said_by

HORIZON = 60
POLICIES = ("bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2", "dial:0", "dial:1", "ucb")
SCHEDULES = ("zero", "constant:1/5", "power:1/4", "inverse-log", "budget:24", "bernstein-budget:90")
MEANS = (("1/4", "1/2"), ("0", "1", "1"), ("1/3", "1/2", "3/4", "1/3"), ("1/7",))


def run(policy, confidence, epsilon, means, *, seed=1, rewards="bernoulli", ties="first"):
    instance = getattr(Instance, rewards)([Fraction(mean) for mean in means])
    header = TraceHeader(policy, confidence, len(means), epsilon, instance.means)
    live = LivePolicy(policy, len(means), confidence, ties)
    rounds = simulate(live, instance, parse_schedule(epsilon), HORIZON, SeededRewards(instance, seed))
    return Trace(header, tuple(rounds))


def disturbed(trace, chance):
    """A trace with some of its decisions changed: most of those are then wrong."""
    arms = trace.header.arms
    rounds = [
        played._replace(arm=chance.randint(1, arms))
        if played.number > arms and not played.query and chance.random() < 0.2
        else played
        for played in trace.rounds
    ]
    return Trace(trace.header, tuple(rounds))


def exactly(trace):
    """Leader, challenger, reason and uncertainty of each round after the initial ones, one by one in exact arithmetic."""
    header = trace.header
    rule, confidence = policy_named(header.policy), confidence_named(header.confidence)
    state = State(header.arms)
    for played in with_epsilon(trace.rounds, header.schedule, header.arms):
        if played.number > header.arms:
            view = ExactView(state, confidence, played.number, played.epsilon or ZERO)
            allowed = admissible_decisions(rule, view)
            reasons = allowed.get(Decision(played.arm, played.query)) or next(iter(allowed.values()))
            roles = Roles(view)
            challenger = roles.challengers[0] if roles.challengers else 0
            yield (
                played.number,
                (roles.leader, challenger, min(REASONS.index(reason) for reason in reasons)),
                float(rule.uncertainty(view)),
                float(played.epsilon),
            )
        if played.reward is not None:
            state.record(played.arm, played.reward)


@pytest.mark.parametrize("confidence", ["hoeffding", "hoeffding:1/5", "bernstein", "kl-ucb"])
@pytest.mark.parametrize("policy", POLICIES)
def test_the_story_is_what_exact_arithmetic_says(policy, confidence):
    chance = random.Random(f"{policy} {confidence}")
    for number, means in enumerate(MEANS):
        kind = ("bernoulli", "deterministic")[number % 2]
        # kl-ucb has no theorem that decides its exact ties.
        ties = "first" if confidence == "kl-ucb" else chance.choice(["first", "last", "random:3"])
        epsilon = SCHEDULES[1 + number % 2] if confidence == "kl-ucb" else chance.choice(SCHEDULES)
        trace = run(policy, confidence, epsilon, means, seed=number, rewards=kind, ties=ties)
        for told in (trace, disturbed(trace, chance)):
            story = tell(told)
            for round_number, roles, uncertainty, level in exactly(told):
                place = round_number - 1
                found = (story.leaders[place], story.challengers[place], story.reasons[place])
                assert found == roles, (policy, confidence, epsilon, means, round_number)
                assert story.uncertainties[place] == pytest.approx(uncertainty, abs=1e-9)
                assert story.epsilons[place] == pytest.approx(level, rel=1e-12)
            assert not story.reasons[: len(means)].any()
            assert np.isnan(story.epsilons[: len(means)]).all()


def test_a_policy_that_draws_a_number_of_its_own_is_drawn_so(monkeypatch):
    """Only the policies that are known have their uncertainty told by arms."""
    from bufalu.reference.policies.leaders import BuFALUPolicy

    trace = run("bufalu", "hoeffding", "power:1/4", MEANS[0])
    told = tell(trace)
    monkeypatch.setattr(BuFALUPolicy, "ours", False)
    exact = tell(trace)
    assert not exact.candidates.any()
    assert told.candidates[2:].all()
    np.testing.assert_allclose(exact.uncertainties[2:], told.uncertainties[2:], rtol=1e-9)
    for name in ("leaders", "challengers", "reasons", "epsilons"):
        np.testing.assert_array_equal(getattr(exact, name)[2:], getattr(told, name)[2:])
    assert json.loads(embedded(exact))["uncertainties"] is not None
    assert json.loads(embedded(told))["uncertainties"] is None


DRIVER = """
globalThis.BufaluReplay = require(process.argv[1]);
const data = require(process.argv[2]);
data.read(require("fs").readFileSync(0, "utf8")).then((story) => console.log(JSON.stringify({
  played: [...story.played], queried: [...story.queried], rewards: story.rewards,
  leaders: [...story.leaders], reasons: [...story.reasons],
  epsilons: [...new BigInt64Array(story.epsilons.buffer)].map(String),
  uncertainties: [...story.uncertainties].map(String),
  rounds: story.arms.map((arm) => [...arm.rounds]),
  means: story.arms.map((arm, place) => [...arm.rounds].map((_, at) => story.exactMean(place + 1, at))),
  drawn: story.arms.map((arm) => [...arm.means]), variances: story.arms.map((arm) => [...arm.variances]),
})));
"""


def read_in_the_page(story, script=DATA):
    return said_by(DRIVER, embedded(story), data=script)


def long_story(rewards):
    """UCB with more queries than lie between two exact sums that the page keeps, and rewards of the given values."""
    length, chance = 3000, np.random.default_rng(3)
    values = chance.choice(np.array([float(reward) for reward in rewards]), length)
    places = {place: next(r for r in rewards if float(r) == value) for place, value in enumerate(values)}
    exact = {place: reward for place, reward in places.items() if Fraction(float(reward)) != reward}
    arms = np.array([1, 2, *chance.choice([1, 1, 2], length - 2)])
    block = Block(1, arms, np.ones(length, dtype=np.bool_), values, np.full(length, np.nan), exact)
    return tell_blocks(TraceHeader("ucb", "bernstein", 2, "power:1/4"), [block]), arms, places


@pytest.mark.parametrize(
    "rewards",
    [
        [Fraction(0), Fraction(1)],
        [Fraction(1, 3), Fraction(2, 7), Fraction(1)],
        [Fraction(0.1), Fraction(0.7), Fraction(2**-40)],
    ],
)
def test_the_page_reads_back_what_was_packed_and_adds_exactly(rewards):
    story, arms, places = long_story(rewards)
    read = read_in_the_page(story)
    assert read["played"] == arms.tolist()
    assert read["leaders"] == story.leaders.tolist()
    assert read["reasons"] == story.reasons.tolist()
    assert read["epsilons"] == [str(bits) for bits in story.epsilons.view(np.int64).tolist()]
    assert [Fraction(reward) for reward in read["rewards"]] == list(places.values())
    np.testing.assert_allclose([float(number) for number in read["uncertainties"]], story.uncertainties, rtol=1e-9)
    for arm in (1, 2):
        mine = [place for place in range(len(arms)) if arms[place] == arm]
        assert read["rounds"][arm - 1] == [place + 1 for place in mine]
        total = Fraction(0)
        for count, (place, mean, drawn) in enumerate(
            zip(mine, read["means"][arm - 1], read["drawn"][arm - 1], strict=True), start=1
        ):
            total += places[place]
            assert Fraction(mean) == total / count
            assert drawn == pytest.approx(float(total / count), rel=1e-12)
        seen = [float(places[place]) for place in mine]
        assert read["variances"][arm - 1][-1] == pytest.approx(np.var(seen, ddof=1), rel=1e-9)


def test_a_page_that_skips_a_kept_sum_is_noticed(tmp_path):
    right = "for (let i = start * EVERY; i <= at"
    wrong = changed(DATA, right, right.replace("<=", "<"), tmp_path)
    story, _, _ = long_story([Fraction(0), Fraction(1)])
    assert read_in_the_page(story, wrong)["means"] != read_in_the_page(story)["means"]


def test_many_arms_and_rewards_need_more_bytes():
    assert packing.packed_integers(np.array([0, 255]))["bytes"] == 1
    assert packing.packed_integers(np.array([0, 256]))["bytes"] == 2
    assert packing.packed_integers(np.array([0, 65_536]))["bytes"] == 4


def test_smooth_doubles_take_little_room():
    rounds = np.arange(2.0, 100_002.0)
    assert len(str(packing.packed_doubles(1 / np.log(rounds))["data"])) < 200_000


def test_a_story_without_rounds_after_the_initial_ones():
    trace = run("bufalu", "hoeffding", "zero", MEANS[0])
    story = tell(Trace(replace(trace.header, epsilon=None), trace.rounds[:2]))
    assert len(story.columns) == 0
    assert story.divergence is None
