"""What a program that failed plays on, so that its bug can be named: the games in which likely bugs differ."""

from __future__ import annotations

from dataclasses import replace

from bufalu.oracle.aims import BESIDE, ClosingIn, TieAims, beside_test, cycle, times_test
from bufalu.oracle.games import Game, from_tape
from bufalu.oracle.late_games import delays
from bufalu.oracle.limits import LONG, MANY_ARMS
from bufalu.oracle.tapes import all_bits, all_bits_tape, late_winner, sixteenths, spread_rewards, spread_tape
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import policy_named

_RATIOS = (1.02, 0.98, 1.07, 1.13, 1.18, 1.25, 1.33, 1.5, 1.7, 1.9, 2.1, 0.93, 0.85, 0.75, 0.65, 0.55, 0.4)
"""Epsilon as a multiple of what it is compared with: constants of textbooks change a radius by such factors."""

_FINE_RATIOS = tuple(1 + sign * step for step in (1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 4e-4, 1e-3, 4e-3) for sign in (-1, 1))
"""The factors of bugs of arithmetic: single precision, rounded decimals."""

FAR_AND_NEAR = tuple(sign * size for size in (4.0, 1e2, 2e3, 2e4, 2e5, 1.5e6) for sign in (-1, 1))
"""Multiples of the tolerance by which two figures differ, up to a few thousandths."""

_ROUNDS_BEYOND, _ROUNDS_TO_CLOSE_IN = 24, 36
"""How far a failed game is played on, and how many halvings then find the number that the program compares."""

_LATE = 200
"""A program that fails after this round plays two arms alike up to there, too."""


def second_opinions(game: Game, divergent_round: int, policy: str, confidence: str) -> tuple[Game, ...]:
    """What a program that failed a game plays so that its bug can be named.

    That game, on beyond the error. If that came late, two arms alike up to that round and beyond. If answers came late, some
    more that do, in and out of order, and some that never come. With many arms, as many of small rewards, and some more,
    until all UCBs are below 1. The games of `distinguishing`.
    """
    played_on = [game]
    if _LATE < divergent_round <= LONG:
        played_on.append(Game("late opinion", 2, divergent_round, cycle((0.0,)), spread_rewards(0.3)))
    made = [_beyond(one, divergent_round, policy) for one in played_on]
    if game.delay is not None:
        made.append(_late_answers(policy))
    if game.arms >= min(MANY_ARMS):
        made += [_small_crowd(arms, confidence) for arms in (game.arms, game.arms + 3)]
    return (*made, *distinguishing(policy, confidence))


def _late_answers(policy: str) -> Game:
    """Answers that come at once, late, out of order and never, of arms that are known and of one that is not yet."""
    lateness = delays((40, 0, 1, None, 0, 12, 0, 3))
    return Game(
        "opinion of late answers", 3, 120, times_test(policy, _RATIOS), all_bits(52, (0.3, 0.5, 0.7)), lateness
    )


def _small_crowd(arms: int, confidence: str) -> Game:
    """Many arms of small rewards."""
    tape = spread_tape(0.6)
    rounds = min(arms * (60 if confidence_named(confidence).uses_variance else 14), 1_500)
    reward = from_tape(lambda arm, k: tape(arm, k) / 16)
    return Game("opinion of many arms", arms, rounds, cycle((0.0,)), reward)


def distinguishing(policy: str, confidence: str) -> tuple[Game, ...]:
    """Games to tell wrong figures apart: epsilon at many ratios, large and tiny, to what it should be compared with, and
    figures of two arms at many distances; a leader that is soon separated by far tells a wrong test from none.
    """
    apart = TieAims(
        48,
        ("lcb", "ucb", "width", "mean"),
        all_bits_tape(48, (0.5,) * 3, 0.3),
        beside_test(policy, BESIDE),
        FAR_AND_NEAR,
    )
    made = [
        Game("second opinion", 3, 80, times_test(policy, _RATIOS), sixteenths(9, (0.3, 0.5, 0.7))),
        Game("third opinion", 3, 90, times_test(policy, _FINE_RATIOS), all_bits(10, (0.3, 0.5, 0.7))),
        Game("fourth opinion", 3, 120, apart.epsilon, apart.reward),
    ]
    if not policy_named(policy).stops_by_epsilon_alone:
        made += [_separated_wide(confidence, last) for last in (True, False)]
    return tuple(made)


def _separated_wide(confidence: str, last: bool) -> Game:
    """A leader, the last arm or the first, that is separated though it is wider than its challenger: where the challenger
    is the wider one and epsilon is 0, being separated is being within epsilon, and a program without a separation test does
    the same.
    """
    if confidence_named(confidence).uses_variance:
        # The late winner has the larger variance.
        return Game("fifth opinion", 2, 560, cycle((0.0,)), from_tape(late_winner(150, 1 + last)))
    # The late winner has 158 queries then, the others 178: no tie-break changes that.
    winner = 3 if last else 1
    late = late_winner(40, winner)
    return Game("fifth opinion", 3, 540, cycle((0.0,)), from_tape(lambda arm, k: late(arm, k) + (arm != winner) / 4))


def _beyond(game: Game, divergent_round: int, policy: str) -> Game:
    """The game up to this round and some more, then rounds that close in on the number that the program itself compares
    with epsilon.
    """
    closing_in = ClosingIn(policy)
    last = max(divergent_round, game.arms) + _ROUNDS_BEYOND
    return replace(
        game,
        rounds=last + _ROUNDS_TO_CLOSE_IN,
        epsilon=lambda scene: game.epsilon(scene) if scene.round <= last else closing_in.epsilon(scene),
    )
