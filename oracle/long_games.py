"""Games of thousands of rounds, for what overflows, drifts or is forgotten, and the longest, for counters of 16 bits."""

from __future__ import annotations

from bufalu.oracle.aims import HIGH_FIRST, JUST_BESIDE, TieAims, beside_test, cycle, opened
from bufalu.oracle.games import Epsilon, Game, Scene, from_tape
from bufalu.oracle.limits import LONG
from bufalu.oracle.tapes import first_arm_best, late_winner, late_winner_after, spread, spread_rewards, spread_tape
from bufalu.reference.policies import policy_named

ENDURANCE, ENDURANCE_OF_TWO = 73_500, 133_500
"""Rounds of the longest game, where one arm is queried almost alone, and where two are in turn: more queries of an arm than
16 bits count, though not all rounds query that arm.
"""

_AHEAD = 0.035
"""By how much the arm that is queried almost alone is better: of the last rounds about every thirtieth then queries the
other one.
"""


def long_games(policy: str, confidence: str, rounds: int) -> tuple[Game, ...]:
    """Thousands of rounds: querying all the way, resting long and starting again, separated late; querying eight arms."""
    made = [
        Game("long, queries all the way", 2, rounds, _free_then_aimed(policy), spread_rewards(0.0)),
        _rests_and_starts(policy, rounds * 2 // 3),
    ]
    if not policy_named(policy).stops_by_epsilon_alone:
        unknown = late_winner_after(confidence)
        tape = first_arm_best if policy_named(policy).steering == 1 else late_winner(unknown, 2)
        made.append(Game("long, separated", 5, rounds * 2 // 3, opened(HIGH_FIRST, cycle((0.0,))), from_tape(tape)))
    else:
        made.append(Game("long, one arm", 1, rounds * 2 // 3, _free_then_aimed(policy), spread_rewards(0.2)))
    # With small rewards every LCB is negative all the way.
    small = from_tape(lambda arm, k: spread(arm, k, 0.5) / 16)
    made.append(Game("long, eight arms", 8, rounds, _free_then_aimed(policy), small))
    return tuple(game for one in made for game in (one, _after(one)))


def _after(game: Game) -> Game:
    """A short game with as many arms: what a long one has left behind shows in it."""
    return Game(f"after {game.name}", game.arms, 30, cycle((0.0, 0.0, 2.0)), spread_rewards(0.4))


def endurance(policy: str, rounds: int) -> tuple[Game, ...]:
    """One of two arms is queried more often than 16 bits count; and a short game after that.

    Policies that query the arm of largest UCB query the slightly better one almost alone, and the other one often enough
    that a wrong figure of the first would show; the others query both in turn, and take twice as long.
    """
    alone = policy_named(policy).queries_largest_ucb
    enough = ENDURANCE if alone else ENDURANCE_OF_TWO
    tape = spread_tape(0.0)
    ahead = _AHEAD if alone else 0.0
    longest = Game(
        "endurance",
        2,
        max(rounds, enough) if rounds >= LONG else rounds,
        _free_then_aimed(policy),
        from_tape(lambda arm, k: tape(arm, k) * (1 - ahead) + (ahead if arm == 1 else 0.0)),
    )
    return longest, _after(longest)


def _free_then_aimed(policy: str) -> Epsilon:
    """Zero, but beside the test in every 61st round and for a while after each power of two."""
    aim = beside_test(policy, JUST_BESIDE)

    def epsilon(scene: Scene) -> float:
        number = scene.round
        after_power = number - (1 << (number.bit_length() - 1))
        return aim(scene) if number > scene.arms and (number % 61 == 0 or after_power < 6) else 0.0

    return epsilon


def _rests_and_starts(policy: str, rounds: int) -> Game:
    """A huge epsilon for 1,250 rounds, then figures side by side for 250, and again."""
    aims = TieAims(47, ("lcb", "ucb", "width", "mean"), spread_tape(0.1), beside_test(policy, JUST_BESIDE))

    def epsilon(scene: Scene) -> float:
        return 1e7 if 150 <= scene.round % 1500 < 1400 else aims.epsilon(scene)

    return Game("long, rests and starts again", 3, rounds, epsilon, aims.reward)
