"""The page's own decisions are those of the oracle, on edited runs too."""

import json
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from bufalu import AnswerTimes, Instance, SeededRewards, Trace, TraceHeader, check_trace, parse_schedule, simulate
from bufalu.pages.story import tell
from bufalu.pages.trace_page import embedded, trace_page
from bufalu.pages.trace_play import MOST_ROUNDS, can_be_played
from bufalu.reference.exact import Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.rationals import format_rational
from bufalu.reference.traces import with_epsilon
from tests.pages.scripts import REPLAY, changed, said_by

HORIZON = 130
DRIVER = """
globalThis.BufaluReplay = require(process.argv[1]);
const replay = BufaluReplay, data = require(process.argv[2]);
const jobs = JSON.parse(require("fs").readFileSync(0, "utf8"));
(async () => console.log(JSON.stringify(await Promise.all(jobs.map(async ({ packed, rewards, epsilons }) => {
  const story = await data.read(JSON.stringify(packed));
  const { played, queried, rewards: seen, answered } = story;
  const run = { ...story.replay, played, queried, rewards: seen, answered };
  const cannot = replay.refusal(run);
  if (cannot) return { cannot };
  const steps = replay.replay(run, rewards, epsilons);
  for (;;) { const step = steps.next(); if (step.done) return step.value; }
})))))();
"""


def in_the_page(jobs, script=REPLAY):
    return said_by(DRIVER, json.dumps(jobs), script)


def run(policy, confidence, epsilon, means, seed, ties="first", answers=None):
    instance = Instance.bernoulli([Fraction(mean) for mean in means])
    header = TraceHeader(policy, confidence, len(means), epsilon, instance.means)
    live = LivePolicy(policy, len(means), confidence, ties)
    rewards = SeededRewards(instance, seed)
    rounds = simulate(live, instance, parse_schedule(epsilon), HORIZON, rewards, answers=answers)
    return Trace(header, tuple(rounds))


def with_edits(trace, rewards, epsilons):
    """The decisions of a trace with other rewards and epsilons; the rounds carry their epsilon."""
    header = replace(trace.header, epsilon=None)
    rounds = []
    for played in with_epsilon(trace.rounds, trace.header.schedule, trace.header.arms):
        reward = rewards.get(played.number, played.reward)
        epsilon = epsilons.get(played.number)
        rounds.append(
            played._replace(reward=reward, epsilon=played.epsilon if epsilon is None else Exact.of(epsilon))
        )
    return Trace(header, tuple(rounds))


def asked_of(trace, rewards=(), epsilons=()):
    """What the page is asked: a trace with edits."""
    return {
        "packed": json.loads(embedded(tell(trace))),
        "rewards": {number: format_rational(value) for number, value in dict(rewards).items()},
        "epsilons": {number: format_rational(value) for number, value in dict(epsilons).items()},
    }


def job(trace, chance):
    """An edit of a reward, of an epsilon, or none, for the page and for the oracle."""
    rewards, epsilons = {}, {}
    if chance.random() < 0.6:
        played = chance.choice([played for played in trace.rounds if played.reward is not None])
        rewards[played.number] = chance.choice([Fraction(0), Fraction(1), Fraction(1, 3), Fraction(7, 10)])
    if chance.random() < 0.4:
        epsilons[chance.randrange(trace.header.arms + 1, HORIZON + 1)] = chance.choice(
            [Fraction(0), Fraction(9, 10), Fraction(2)]
        )
    divergence = check_trace(with_edits(trace, rewards, epsilons), strict=True).checked.divergence
    return asked_of(trace, rewards, epsilons), divergence


POLICIES = ("bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2", "dial:0", "dial:1", "ucb")
PAIRS = ("pairs:1", "pairs:2", "pairs:3/2:1")
SCHEDULES = ("zero", "constant:1/5", "power:1/4", "inverse-log", "budget:24")


@pytest.mark.parametrize("confidence", ["hoeffding", "hoeffding:1/5", "hoeffding:1/2:before", "bernstein"])
def test_the_page_decides_as_the_oracle_does(confidence):
    agree(POLICIES, confidence)


def test_the_page_decides_the_pair_rule_as_the_oracle_does():
    agree(PAIRS * 4, "hoeffding")


def agree(policies, confidence):
    chance = random.Random(4)
    jobs, expected = [], []
    for number, policy in enumerate(policies * 2):
        # The reference compares the logarithm of the rounds before with no epsilon that has one of its own.
        schedules = SCHEDULES[:2] if confidence.endswith(":before") else SCHEDULES
        epsilon = schedules[number % len(schedules)]
        means = chance.choice([("1/4", "1/2"), ("0", "1", "1"), ("1/4", "1/2", "3/4", "1/2")])
        # In the second half answers come late or never.
        answers = AnswerTimes(5, Fraction(1, 5), number) if number >= len(policies) else None
        asked, divergence = job(run(policy, confidence, epsilon, means, number, answers=answers), chance)
        jobs.append(asked)
        expected.append(divergence)
    answers = in_the_page(jobs)
    for asked, answer, divergence in zip(jobs, answers, expected, strict=True):
        place = (asked["packed"]["policy"], asked["packed"]["epsilon"], asked["rewards"], asked["epsilons"], answer)
        assert answer is None or "admissible" in answer, place
        assert (None if answer is None else answer["round"]) == (None if divergence is None else divergence.round), (
            place
        )
        if divergence is not None:
            shown = {(each["arm"], each["query"]) for each in answer["admissible"]}
            assert shown == {(each.arm, each.query) for each in divergence.admissible}, place
    assert any(divergence is not None for divergence in expected)
    assert any(divergence is None for divergence in expected)


FIFTH = "bufalu", "hoeffding:1/5", "power:1/4", ("1/4", "1/2"), 1
PAIRED = "pairs:2", "hoeffding", "power:1/4", ("1/4", "1/2", "3/4"), 1


@pytest.mark.parametrize(
    ("setting", "answers", "right", "wrong"),
    [
        (FIFTH, None, "const low = 2n * (BigInt(k)", "const low = 3n * (BigInt(k)"),
        (FIFTH, AnswerTimes(5), "run.answered ? run.answered[t - 1] : t + 1", "t + 1"),
        (PAIRED, None, "over(plus(thin(a), thin(b)), 4)", "over(thin(a), 4)"),
        (
            PAIRED,
            None,
            "times(kappa, [BigInt(view.record(challenger).n), 1n])",
            "[BigInt(view.record(challenger).n), 1n]",
        ),
        (PAIRED, None, "[BigInt(n + spread), BigInt(n) * BigInt(n)]", "[1n, BigInt(n)]"),
    ],
    ids=[
        "another logarithm",
        "late answers at once",
        "the radius of one arm",
        "kappa forgotten",
        "the spread forgotten",
    ],
)
def test_a_wrong_page_is_noticed(tmp_path, setting, answers, right, wrong):
    """The comparison above has teeth."""
    asked = asked_of(run(*setting, answers=answers))
    assert in_the_page([asked]) == [None]
    assert in_the_page([asked], changed(REPLAY, right, wrong, tmp_path)) != [None]


INDICES = """
globalThis.BufaluReplay = require(process.argv[1]);
require(process.argv[2]).read(require("fs").readFileSync(0, "utf8")).then((story) => {
  const found = Array.from(story.played, (_, i) => story.challengers[i] ? story.index(story.challengers[i], i + 1) : null);
  const drawn = [story.interval(1, 50), story.index(story.leaders[49], 50)];
  console.log(JSON.stringify({ found: found.map(String), drawn }));
});
"""


def test_the_page_shows_the_index_of_the_challenger():
    story = tell(
        run("pairs:2", "hoeffding", "power:1/4", ("1/4", "1/2"), 1, answers=AnswerTimes(7, Fraction(1, 4), 2))
    )
    told = said_by(INDICES, str(embedded(story)))
    shown = [float(value.replace("Infinity", "inf").replace("null", "nan")) for value in told["found"]]
    assert np.allclose(shown, story.uncertainties, equal_nan=True)
    (lower, upper), leader = told["drawn"]
    assert lower == upper and leader is None


MEANS = """
globalThis.BufaluReplay = require(process.argv[1]);
require(process.argv[2]).read(require("fs").readFileSync(0, "utf8")).then((story) => {
  const found = [];
  for (let round = 3; round <= story.played.length; round++) for (const arm of [1, 2]) {
    const at = story.arms[arm - 1].lastBefore(round);
    found.push([at + 1, at < 0 ? null : story.exactMean(arm, at), story.arms[arm - 1].nextQuery(round) ?? null]);
  }
  console.log(JSON.stringify({ found, uncertainties: Array.from(story.uncertainties, String) }));
});
"""


@pytest.mark.parametrize("answers", [None, AnswerTimes(7, Fraction(1, 4), 2)])
def test_the_page_shows_the_answers_known_in_a_round(answers):
    trace = run("bufalu", "hoeffding", "power:1/4", ("1/4", "1/2"), 1, answers=answers)
    story = tell(trace)
    told = said_by(MEANS, str(embedded(story)))
    wanted = []
    for number in range(3, HORIZON + 1):
        state = trace.tally(number - 1).state
        for arm in (1, 2):
            asked = [played.number for played in trace.rounds[number - 1 :] if played.query and played.arm == arm]
            mean = format_rational(state.mean(arm)) if state.queries(arm) else None
            wanted.append([state.queries(arm), mean, asked[0] if asked else None])
    assert told["found"] == wanted
    shown = [float(value.replace("Infinity", "inf")) for value in told["uncertainties"]]
    assert np.allclose(shown, story.uncertainties, equal_nan=True)


def test_what_the_page_cannot_decide_it_says():
    variant = run("bufalu", "kl-ucb", "power:1/4", ("1/4", "1/2"), 1)
    budget = run("bufalu", "bernstein", "bernstein-budget:60", ("1/4", "1/2"), 1)
    assert in_the_page([asked_of(variant), asked_of(budget)]) == [
        {"cannot": "the page does not know this interval"},
        {"cannot": "the page does not know the schedule bernstein-budget:60"},
    ]


def test_a_long_run_is_not_offered(monkeypatch):
    story = tell(run("bufalu", "hoeffding", "zero", ("1/4", "1/2"), 1))
    long = replace(story, played=np.tile(story.played, MOST_ROUNDS))
    assert can_be_played(story)
    assert not can_be_played(long)
    assert 'id="play"' in trace_page(story)
    monkeypatch.setattr("bufalu.pages.trace_play.MOST_ROUNDS", story.length - 1)
    assert 'id="play"' not in trace_page(story)
