"""The games of a conformance run stay as they are: a verdict names them, and another day's verdict means the same.

`games.json` holds figures of each: arms, rounds, and sums over its first rounds with the reference and over some scenes far
into it. Six digits, so that another machine's logarithms do not matter; how close the aims come is tested by itself.
`python -m tests.oracle.test_games_stay` writes the file again after a change that is wanted.
"""

import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bufalu.oracle import aims, search
from bufalu.oracle.aims import (
    Tie,
    TieAims,
    beside_test,
    cycle,
    opened,
    side_of_epsilon,
    times_test,
)
from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.games import Game, GameTally, Scene
from bufalu.oracle.second_opinions import FAR_AND_NEAR, second_opinions
from bufalu.oracle.tapes import all_bits_tape, coins
from bufalu.oracle.tolerance import CLOSENESS_DOUBLE
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import rational
from bufalu.reference.view import ExactView

FILE = Path(__file__).with_name("games.json")
SETTINGS = (("bufalu", "hoeffding"), ("bufau", "bernstein"), ("cbm-ucb", "hoeffding"), ("greedy", "bernstein"))
AGAIN = "python -m tests.oracle.test_games_stay writes the file again"
ROUNDS = 40
LATE = (150, 151, 250, 251, 300, 301, 1399, 1400, 1500, 1650, 2047, 2048, 2053, 2054, 61 * 50, 61 * 50 + 1, 9000)
COUNTS = (151, 150, 149, 40, 39, 60, 59)


def all_games(policy: str, confidence: str) -> list[Game]:
    staged = [game for stage in Stage for game in games(stage, policy, confidence, Scope(late=True))]
    # A program failed in round 300 of the game with most arms.
    failed = replace(max(staged, key=lambda game: game.arms), name="failed")
    return [*staged, *second_opinions(failed, 300, policy, confidence)]


def known(arms: int, queries: int) -> GameTally:
    """What was seen far into a run: every arm queried so often, with different means, the first the best."""
    tally = GameTally(arms)
    for arm in range(1, arms + 1):
        for k in range(queries):
            tally.add(arm, k % 4 / 4 * (1 - arm / (2 * arms)))
    return tally


def played(game: Game, policy: str, confidence: str) -> list[float]:
    """The queries of the first rounds, and the sums of their rewards and epsilons (cut at 10)."""
    live, interval = LivePolicy(policy_named(policy), game.arms, confidence, "first"), confidence_named(confidence)
    tally, rewards, epsilons = GameTally(game.arms), 0.0, 0.0
    for number in range(1, min(game.rounds, game.arms + ROUNDS) + 1):
        scene = Scene(number, game.arms, tally, interval)
        epsilon = game.epsilon(scene)
        epsilons += number % 7 * min(epsilon, 10.0)
        decision = live.decide(number, rational(epsilon))
        if decision.query:
            reward = game.reward(scene, decision.arm)
            rewards += number % 5 * reward
            tally.add(decision.arm, reward)
            live.observe(rational(reward))
    return [live.state.all_queries, rewards, epsilons]


def late(game: Game, confidence: str) -> list[float]:
    """Sums of rewards, of epsilons (by size) and of delays in scenes far into the game."""
    rewards = epsilons = delays = 0.0
    tallies = [known(game.arms, count) for count in COUNTS]
    for place, number in enumerate(LATE, start=1):
        scene = Scene(number, game.arms, tallies[place % len(COUNTS)], confidence_named(confidence))
        epsilon = game.epsilon(scene)
        epsilons += place * (math.log10(epsilon) if epsilon else -1.0)
        arm = 1 + place % game.arms
        rewards += place * game.reward(scene, arm)
        if game.delay is not None:
            wait = game.delay(scene, arm)
            delays += place * (-1.0 if wait is None else wait)
    return [rewards, epsilons] if game.delay is None else [rewards, epsilons, delays]


def all_shapes() -> dict[str, list[float]]:
    """Arms and rounds of all games of all settings, and the numbers that the search draws from."""
    return {
        **{
            f"{policy} with {confidence}": [
                size for game in all_games(policy, confidence) for size in (game.arms, game.rounds)
            ]
            for policy in ("bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2", "ucb")
            for confidence in ("hoeffding", "bernstein")
        },
        # Finer than the figures of a game can tell.
        "aims": [*aims.BESIDE, *aims.FURTHER_BESIDE, *aims.JUST_BESIDE, *FAR_AND_NEAR],
        "search": [*search.REWARDS, *search.EPSILONS, *search.AIMS, search.FEW_ARMS, search.MORE_ARMS],
    }


def figures(policy: str, confidence: str) -> dict[str, list[float]]:
    return {
        game.name: [
            game.arms,
            game.rounds,
            *played(game, policy, confidence),
            *(late(game, confidence) if game.arms <= 12 else []),
        ]
        for game in all_games(policy, confidence)
    }


@pytest.mark.parametrize(("policy", "confidence"), SETTINGS)
def test_games_stay_as_they_are(policy: str, confidence: str) -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))[f"{policy} with {confidence}"]
    found = figures(policy, confidence)
    assert list(found) == list(kept), f"other games; {AGAIN} if they shall be"
    for name, wanted in kept.items():
        assert found[name] == pytest.approx(wanted, rel=1e-6, abs=1e-6), (
            f"{name} is another game; {AGAIN} if it shall be"
        )


def test_arms_and_rounds_and_searched_numbers_stay() -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))["shapes"]
    found = all_shapes()
    for name, wanted in kept.items():
        assert found[name] == pytest.approx(wanted, rel=1e-12), f"{name}: other games; {AGAIN} if they shall be"


@pytest.mark.parametrize(("policy", "confidence"), SETTINGS)
def test_an_epsilon_beside_the_test_is_as_far_from_it_as_it_says(policy: str, confidence: str) -> None:
    multiples = (-1.3, 1.3, 20.0)
    beside, times = beside_test(policy, multiples), times_test(policy, (0.5, 3.0))
    for number in (150, 151, 152):
        scene = Scene(number, 2, known(2, 20), confidence_named(confidence))
        exact = side_of_epsilon(policy, scene.view)
        assert exact is not None
        side = float(exact)
        tolerance = CLOSENESS_DOUBLE * (1 + 2 * side)
        assert (beside(scene) - side) / tolerance == pytest.approx(multiples[number % 3], rel=1e-4)
        assert times(scene) == pytest.approx((0.5, 3.0)[number % 2] * side)


def level(queries: int, behind: int) -> GameTally:
    """Three arms that differ little; one of them has a query less."""
    tally = GameTally(3)
    for arm in (1, 2, 3):
        for k in range(queries - (arm == behind)):
            tally.add(arm, k % 4 / 4 + arm / 100)
    return tally


@pytest.mark.parametrize(
    ("tie", "confidence"),
    # Without a variance the width does not depend on the reward.
    [*((tie, name) for tie in ("lcb", "ucb", "mean") for name in ("hoeffding", "bernstein")), ("width", "bernstein")],
)
def test_a_reward_brings_two_figures_side_by_side(tie: Tie, confidence: str) -> None:
    """Further apart than the tolerance, by the multiple that was drawn, wherever there is such a reward."""
    interval, hits = confidence_named(confidence), Counter[float]()
    for number in range(40, 60):
        for arm in (1, 2, 3):
            tally = level(number // 3, arm)
            aims = TieAims(number, (tie,), all_bits_tape(1, (0.5,) * 3, 0.3), cycle((0.5,)))
            reward = aims.reward(Scene(number, 3, tally, interval), arm)
            assert 0 <= reward <= 1
            tally.add(arm, reward)
            view = Scene(number + 1, 3, tally, interval).view
            others = [other for other in (1, 2, 3) if other != arm]
            figure = {"lcb": view.lcb, "ucb": view.ucb, "mean": view.mean, "width": view.width}[tie]
            right = figure(max(others, key=view.lcb)) if tie == "width" else max(map(figure, others))
            gap = float(figure(arm) - right) / (CLOSENESS_DOUBLE * (1 + 2 * abs(float(right))))
            if abs(gap) < 100:
                multiple = min((-4.0, -1.5, 1.5, 4.0), key=lambda multiple: abs(gap - multiple))
                hits[multiple] += 1
                assert gap == pytest.approx(multiple, abs=0.3)
    assert hits.total() > 20 and min(hits[multiple] for multiple in (-4.0, -1.5, 1.5, 4.0)) > 0


def test_rewards_and_epsilons_of_simple_sources() -> None:
    scenes = [Scene(number, 3, known(3, 2), confidence_named("hoeffding")) for number in range(1, 7)]
    assert [opened((7.0, 8.0), cycle((1.0, 2.0)))(scene) for scene in scenes] == [7.0, 8.0, 7.0, 2.0, 1.0, 2.0]
    assert {coins(3, (0.0, 0.5, 1.0))(scenes[0], arm) for arm in (1, 3)} == {0.0, 1.0}


if __name__ == "__main__":
    found = {f"{policy} with {confidence}": figures(policy, confidence) for policy, confidence in SETTINGS}
    found["shapes"] = all_shapes()
    lines = []
    for setting, entries in found.items():
        rows = ",\n".join(
            f"  {json.dumps(name)}: {json.dumps([float(f'{x:.14g}') for x in row])}" for name, row in entries.items()
        )
        lines.append(f'"{setting}": {{\n{rows}\n }}')
    FILE.write_text("{\n " + ",\n ".join(lines) + "\n}\n", encoding="utf-8")


@pytest.mark.parametrize("policy", ["bufalu", "bufau", "cbm-ucb"])
def test_there_is_no_side_to_aim_at_while_an_arm_is_unknown(policy):
    live = LivePolicy(policy, 2)
    live.state.record(1, 1)
    assert side_of_epsilon(policy, ExactView(live.state, live.confidence, 3, ZERO)) is None
    live.state.record(2, 0)
    assert side_of_epsilon(policy, ExactView(live.state, live.confidence, 3, ZERO)) is not None
