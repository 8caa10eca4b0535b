"""The directed games, stage by stage: each is after a family of known bugs, some of which show only late, only with many
arms, or only where two numbers are close.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from bufalu.oracle.aims import (
    HUGE,
    ClosingIn,
    TieAims,
    all_bits,
    all_bits_tape,
    beside_test,
    coins,
    cycle,
    in_turn,
    opened,
    sixteenths,
    times_test,
)
from bufalu.oracle.every_arm import FEW, every_arm, every_winner, last_arms_best
from bufalu.oracle.games import Epsilon, Game, Reward, Scene, Tape, from_tape
from bufalu.oracle.late_games import late_games
from bufalu.oracle.limits import LONG, MANY_ARMS
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import policy_named

_HAIR = 1e-6
_BOTH_SIDES = (1 - _HAIR, 1 + _HAIR)
_MOSTLY_QUERIES = (1 - _HAIR, 1 - _HAIR, 1 - _HAIR, 1 + _HAIR)
_RATIOS = (1.02, 0.98, 1.07, 1.13, 1.18, 1.25, 1.33, 1.5, 1.7, 1.9, 2.1, 0.93, 0.85, 0.75, 0.65, 0.55, 0.4)
_FINE_RATIOS = tuple(1 + sign * step for step in (1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 4e-4, 1e-3, 4e-3) for sign in (-1, 1))
_SPIKES = (0.0, 5.0, 0.3, 1.0, 40.0, 0.7, 0.05, 2.0)
_EXTREMES = (
    *(1.5e-7, 2e7, 3e-12, 4.5e-07, 1e16, 0.0, 7e-300, 1e30, 2.5e-9, 1.7e308, 8e-6, 12.0, 5e-324),
    # What whole numbers of 16, 32 and 64 bits, or millionths in 32 bits, take for 0 or nearly so.
    *(65536.0, 4294967296.0, 1e-7, 18446744073709551616.0, 4294.967296),
)
_LOW_FIRST = (0.0, 1e9, 1e-9)
_HIGH_FIRST = (HUGE, 0.0, 2e-7, 40.0)
_ASIDE = (-1.3, 1.3, -3.0, -1.3, 4.0)
_BY_FEW_TOLERANCES = (-1.3, 1.3, -3.0, -8.0, 1.3, -1.3, 20.0)
_JUST_BESIDE = (-1.3, 1.3)
_FAR_AND_NEAR = tuple(sign * size for size in (4.0, 1e2, 2e3, 2e4, 2e5, 1.5e6) for sign in (-1, 1))
_TINY = (1e2, 1e3, 1e4, 1e5)
_GOLDEN = 0.6180339887498949
_ROUNDS_BEYOND, _ROUNDS_TO_CLOSE_IN = 24, 36
_LATE = 200

ENDURANCE, ENDURANCE_OF_TWO = 73_500, 133_500
"""Rounds of the longest game, where one arm is queried almost alone, and where two are in turn: more queries of an arm than
16 bits count, though not all rounds query that arm.
"""

_AHEAD = 0.035
"""By how much: of the last rounds about every thirtieth then queries the other arm."""


class Stage(Enum):
    """The stages of a conformance run, in order, with what each is after."""

    SMOKE = "a dozen easy rounds"
    DIRECTED = "one game for each family of known bugs"
    PRECISION = "epsilons beside the test, by a few times the tolerance"
    TIES = "rewards that bring LCBs, UCBs, widths and means beside each other"
    ARMS = "six arms and more"
    ROLES = "every arm in every role, early and late"
    SIZES = "each number of arms, by each policy with one interval"
    LATE = "answers late, out of order or never, if the program takes them so"
    SEARCH = "small random games, and shrinking"
    LONG = "thousands of rounds"
    ENDURANCE = "tens of thousands of rounds, by one policy with one interval"


@dataclass(frozen=True)
class Scope:
    """How far the games go: rounds of the long ones, the most arms, and whether answers may be late."""

    rounds: int = LONG
    arms: int = max(MANY_ARMS)
    late: bool = False


def games(stage: Stage, policy: str, confidence: str, scope: Scope) -> tuple[Game, ...]:
    """The games of a stage with no more arms than wanted; none for the search, whose games are drawn."""
    makers: dict[Stage, Callable[[], tuple[Game, ...]]] = {
        Stage.SMOKE: lambda: (smoke(),),
        Stage.DIRECTED: lambda: directed(policy, confidence),
        Stage.PRECISION: lambda: precise(policy, confidence),
        Stage.TIES: lambda: tied(policy, confidence),
        Stage.ARMS: lambda: many_arms(policy, confidence, scope.arms),
        Stage.ROLES: lambda: roles(policy, confidence, scope.rounds),
        Stage.SIZES: lambda: sizes(confidence, scope.arms),
        Stage.LATE: lambda: late_games(policy) if scope.late else (),
        Stage.SEARCH: lambda: (),
        Stage.LONG: lambda: long_games(policy, confidence, scope.rounds),
        Stage.ENDURANCE: lambda: endurance(policy, scope.rounds),
    }
    return tuple(game for game in makers[stage]() if game.arms <= scope.arms)


def smoke() -> Game:
    """A dozen easy rounds: does the program speak the protocol at all?"""
    return Game("smoke run", 2, 12, lambda scene: 1.0, _constant((0.0, 1.0)))


def directed(policy: str, confidence: str) -> tuple[Game, ...]:
    """The games for a policy and an interval, the short ones first."""
    # Intervals with a variance, Bernstein's say, are several times wider: separation needs about twice the rounds.
    bernstein = _is_wide(confidence)
    long = 900 if bernstein else 450
    wide = 12.0 if bernstein else 1.0
    # BuFAU queries the arm of largest UCB and is seldom separated: only if the losers are well known already.
    late = _late_winner(150, (1,)) if bernstein else _late_winner(60, (1,))
    return (
        Game("a single arm", 1, 12, opened(_LOW_FIRST, cycle((0.0, 3.0, 0.1, 1000.0))), _constant((0.5,))),
        Game("huge epsilon", 3, 12, opened(_LOW_FIRST, cycle((1e6,))), _constant((1.0, 0.25, 0.25))),
        Game("no epsilon", 3, 60, opened(_HIGH_FIRST, cycle((0.0,))), coins(1, (0.2, 0.5, 0.8))),
        Game("extreme epsilons", 3, 100, opened(_LOW_FIRST, cycle(_EXTREMES)), all_bits(21, (0.3, 0.5, 0.6))),
        Game("extreme epsilons, two arms", 2, 80, opened(_HIGH_FIRST, cycle(_EXTREMES)), coins(22, (0.5, 0.6))),
        Game("epsilon that rises", 3, 150, opened(_LOW_FIRST, _rising(wide)), all_bits(23, (0.4, 0.5, 0.6))),
        Game("epsilon that falls", 3, 150, opened(_HIGH_FIRST, _sinking(wide)), all_bits(24, (0.5, 0.4, 0.6))),
        Game("epsilon that jumps", 4, 160, opened(_LOW_FIRST, cycle(_SPIKES)), sixteenths(2, (0.3, 0.5, 0.6, 0.7))),
        Game("epsilon aimed at the test", 3, 160, times_test(policy, _BOTH_SIDES), sixteenths(3, (0.4, 0.5, 0.6))),
        Game(
            "epsilon aimed at the test, coins",
            5,
            240,
            times_test(policy, _MOSTLY_QUERIES),
            coins(4, (0.2,) * 4 + (0.8,)),
        ),
        Game("epsilon from far to near", 2, 120, opened(_LOW_FIRST, _falling), sixteenths(5, (0.3, 0.7))),
        Game("one clear winner", 2, long, opened(_HIGH_FIRST, cycle((0.0,))), _constant((0.0, 1.0))),
        Game("one clear winner, noise", 3, long, cycle((0.0, 0.0, 0.02)), from_tape(_near_the_ends)),
        Game("a late winner", 2, long, opened(_LOW_FIRST, cycle((0.0,))), from_tape(late)),
        Game("nothing but zeros", 3, 200, cycle((0.0, 0.0, 0.0, 1e6)), _constant((0.0, 0.02, 0.0))),
        Game("nothing but ones", 3, 200, cycle((0.0, 0.0, 0.0, 1e6)), _constant((1.0, 0.98, 1.0))),
        Game("a budget", 3, 200, _budget(30), coins(6, (0.4, 0.5, 0.6))),
        Game("many queries, then aimed", 2, 400, _late(policy), sixteenths(7, (0.45, 0.55))),
        Game("a long run", 3, 1200, opened(_HIGH_FIRST, _power), coins(8, (0.25, 0.5, 0.75))),
    )


def precise(policy: str, confidence: str) -> tuple[Game, ...]:
    """Epsilon beside the test by a few tolerances, on rewards that use all their bits."""
    beside = opened(_HIGH_FIRST, beside_test(policy, _BY_FEW_TOLERANCES))
    # Where intervals are wide the tolerance is too: errors of the variance show best after some hundred queries.
    known = 300 if _is_wide(confidence) else 60
    return (
        Game("beside the test, two arms", 2, 160, beside, all_bits(31, (0.45, 0.55))),
        Game("beside the test, four arms", 4, 240, beside, all_bits(32, (0.3, 0.5, 0.6, 0.4))),
        # Rewards below 1e-4 are sent with an exponent.
        Game("beside the test, small rewards", 3, 120, beside, all_bits(33, (0.01, 3e-5, 6e-5), 2e-5)),
        Game("beside the test, large rewards", 3, 120, beside, all_bits(34, (0.93, 0.95, 0.97), 0.03)),
        Game("beside the test, known arms", 2, known + 160, _beside_after(policy, known), from_tape(_at_both_ends)),
    )


def tied(policy: str, confidence: str) -> tuple[Game, ...]:
    """Rewards that bring the figures of two arms beside each other, and epsilons that show which was taken."""
    aside = _aside(policy)
    close = TieAims(41, ("lcb", "ucb", "width", "mean"), all_bits_tape(41, (0.4, 0.5, 0.6), 0.4), aside)
    pair = TieAims(42, ("lcb", "ucb", "width", "mean"), all_bits_tape(42, (0.5, 0.55), 0.45), aside)
    five = TieAims(43, ("lcb", "ucb", "ucb", "mean"), all_bits_tape(43, (0.5, 0.45, 0.55, 0.5, 0.4), 0.3), aside)
    made = [
        Game("figures side by side, three arms", 3, 200, opened(_LOW_FIRST, close.epsilon), close.reward),
        Game("figures side by side, two arms", 2, 160, opened(_LOW_FIRST, pair.epsilon), pair.reward),
        Game("figures side by side, five arms", 5, 240, opened(_LOW_FIRST, five.epsilon), five.reward),
    ]
    if policy_named(policy).queries_largest_ucb:
        made.append(_unlike_pair())
    steering = policy_named(policy).steering
    if steering is not None and 0 < steering < 1 and _is_wide(confidence):
        made.append(_dialled_pair(float(steering)))
    if _separates(policy):
        long = 520 if _is_wide(confidence) else 220
        apart, two = all_bits_tape(44, (0.04, 0.96, 0.06), 0.04), all_bits_tape(45, (0.97, 0.02), 0.02)
        if not _queries_the_wider(policy):
            unknown = _unknown_rounds(confidence)
            apart, two = _late_winner(unknown, (2,)), _late_winner(unknown, (1,))
            long += 2 * unknown
        three_arms, two_arms = (TieAims(44, ("separation",), tape, cycle((0.0,))) for tape in (apart, two))
        tiny = TieAims(50, ("separation",), two, times_test(policy, (1.5, 0.6, 1.1)), _TINY)
        made += [
            Game("on the edge of separation", 2, long, two_arms.epsilon, two_arms.reward),
            Game("on the edge of separation, three arms", 3, 2 * long, three_arms.epsilon, three_arms.reward),
            Game("tiny epsilons before separation", 2, long, tiny.epsilon, tiny.reward),
        ]
    return tuple(made)


def _dialled_pair(rho: float) -> Game:
    """Widths in the dial's proportion. Only a variance can be aimed so: counts of queries meet rho^2 or miss it by far."""
    tape = all_bits_tape(51, (0.95, 0.5), 0.05)
    aims = TieAims(51, ("width",), tape, cycle((0.0,)), share=rho)
    plain = from_tape(tape)
    return Game(
        "widths in the dial's proportion",
        2,
        500,
        aims.epsilon,
        lambda scene, arm: aims.reward(scene, arm) if scene.round > 40 else plain(scene, arm),
    )


def _unlike_pair() -> Game:
    """An arm that is queried far more often than the other, and stays just ahead of it: what is wrong with a radius does not
    cancel out where their UCBs meet.
    """
    tape = all_bits_tape(49, (0.95, 0.05), 0.05)
    aims = TieAims(49, ("ucb",), tape, cycle((0.0,)), (1.3,))
    often = from_tape(tape)
    return Game(
        "unlike figures side by side",
        2,
        300,
        aims.epsilon,
        lambda scene, arm: aims.reward(scene, arm) if arm == 1 and scene.round > 100 else often(scene, arm),
    )


def many_arms(policy: str, confidence: str, most: int) -> tuple[Game, ...]:
    """Games with six arms and more, up to `most`; with so many, figures side by side and a separated winner as well."""
    counts = [arms for arms in sorted({*MANY_ARMS, most}) if 5 < arms <= most]
    made = [_crowd(policy, arms) for arms in counts]
    if counts:
        made.append(_tied_crowd(policy, counts[-1]))
    if _separates(policy) and not _is_wide(confidence):
        # Every arm is queried 56 times; wide intervals take more than a hundred queries, and `roles` plays those.
        few = [arms for arms in counts if arms <= max(MANY_ARMS)]
        made += [_separated_crowd(policy, arms) for arms in few[-1:]]
    return tuple(made)


def roles(policy: str, confidence: str, rounds: int) -> tuple[Game, ...]:
    """Every arm in every role with few arms, for every reason, early and late."""
    wide = _is_wide(confidence)
    made = [every_arm(arms, wide) for arms in FEW]
    if not policy_named(policy).uses_interval:
        # The pair rule queries the challenger of a well known leader alone, and arms that take turns are not.
        made += [every_arm(arms, wide, ahead=1) for arms in FEW[1:]]
    if _separates(policy):
        made += [game for arms in FEW[1:] for game in every_winner(policy, arms, wide)]
    return tuple(replace(game, rounds=min(game.rounds, rounds)) for game in made)


def sizes(confidence: str, most: int) -> tuple[Game, ...]:
    """Each number of arms up to `most` that no other stage plays in every role."""
    return tuple(last_arms_best(arms, _is_wide(confidence)) for arms in range(FEW[-1] + 1, most + 1))


def long_games(policy: str, confidence: str, rounds: int) -> tuple[Game, ...]:
    """Thousands of rounds: querying all the way, resting long and starting again, separated late."""
    made = [
        Game("long, queries all the way", 2, rounds, _free_then_aimed(policy), _golden(0.0)),
        _rests_and_starts(policy, rounds * 2 // 3),
    ]
    if _separates(policy):
        unknown = _unknown_rounds(confidence)
        tape = _near_the_ends if _queries_the_wider(policy) else _late_winner(unknown, (2,))
        made.append(Game("long, separated", 3, rounds * 2 // 3, opened(_HIGH_FIRST, cycle((0.0,))), from_tape(tape)))
    else:
        made.append(Game("long, one arm", 1, rounds * 2 // 3, _free_then_aimed(policy), _golden(0.2)))
    return tuple(game for one in made for game in (one, _after(one)))


def _after(game: Game) -> Game:
    """A short game with as many arms: what a long one has left behind shows in it."""
    return Game(f"after {game.name}", game.arms, 30, cycle((0.0, 0.0, 2.0)), _golden(0.4))


def endurance(policy: str, rounds: int) -> tuple[Game, ...]:
    """One of two arms is queried more often than 16 bits count; and a short game after that.

    Policies that query the arm of largest UCB query the slightly better one almost alone, and the other one often enough
    that a wrong figure of the first would show; the others query both in turn, and take twice as long.
    """
    alone = policy_named(policy).queries_largest_ucb
    enough = ENDURANCE if alone else ENDURANCE_OF_TWO
    tape = _golden_tape(0.0)
    ahead = _AHEAD if alone else 0.0
    longest = Game(
        "endurance",
        2,
        max(rounds, enough) if rounds >= LONG else rounds,
        _free_then_aimed(policy),
        from_tape(lambda arm, k: tape(arm, k) * (1 - ahead) + (ahead if arm == 1 else 0.0)),
    )
    return longest, _after(longest)


def second_opinions(game: Game, divergent_round: int, policy: str, confidence: str) -> tuple[Game, ...]:
    """What a program that failed a game plays so that its bug can be named.

    That game, on beyond the error. If that came late, two arms alike up to that round and beyond. With many arms, as many
    of small rewards, and some more, until all UCBs are below 1. The games of `distinguishing`.
    """
    played_on = [game]
    if _LATE < divergent_round <= LONG:
        played_on.append(Game("late opinion", 2, divergent_round, cycle((0.0,)), _golden(0.3)))
    made = [_beyond(one, divergent_round, policy) for one in played_on]
    if game.arms >= min(MANY_ARMS):
        made += [_small_crowd(arms, confidence) for arms in (game.arms, game.arms + 3)]
    return (*made, *distinguishing(policy, confidence))


def _small_crowd(arms: int, confidence: str) -> Game:
    """Many arms of small rewards."""
    tape = _golden_tape(0.6)
    rounds = min(arms * (60 if _is_wide(confidence) else 14), 1_500)
    reward = from_tape(lambda arm, k: tape(arm, k) / 16)
    return Game("opinion of many arms", arms, rounds, cycle((0.0,)), reward)


def distinguishing(policy: str, confidence: str) -> tuple[Game, ...]:
    """Games to tell wrong figures apart: epsilon at many ratios, large and tiny, to what it should be compared with, and
    figures of two arms at many distances; a leader that is soon separated by far tells a wrong test from none.
    """
    apart = TieAims(
        48, ("lcb", "ucb", "width", "mean"), all_bits_tape(48, (0.5,) * 3, 0.3), _aside(policy), _FAR_AND_NEAR
    )
    made = [
        Game("second opinion", 3, 80, times_test(policy, _RATIOS), sixteenths(9, (0.3, 0.5, 0.7))),
        Game("third opinion", 3, 90, times_test(policy, _FINE_RATIOS), all_bits(10, (0.3, 0.5, 0.7))),
        Game("fourth opinion", 3, 120, apart.epsilon, apart.reward),
    ]
    if _separates(policy):
        made += [_separated_wide(confidence, last) for last in (True, False)]
    return tuple(made)


def _separated_wide(confidence: str, last: bool) -> Game:
    """A leader, the last arm or the first, that is separated though it is wider than its challenger: where the challenger
    is the wider one and epsilon is 0, being separated is being within epsilon, and a program without a separation test does
    the same.
    """
    if _is_wide(confidence):
        # The late winner has the larger variance.
        return Game("fifth opinion", 2, 560, cycle((0.0,)), from_tape(_late_winner(150, (1 + last,))))
    # The late winner has 158 queries then, the others 178: no tie-break changes that.
    winner = 3 if last else 1
    late = _late_winner(40, (winner,))
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


def _is_wide(confidence: str) -> bool:
    return confidence_named(confidence).uses_variance


def _unknown_rounds(confidence: str) -> int:
    """How many queries of each arm a late winner waits for, so that separation comes late with either width."""
    return 150 if _is_wide(confidence) else 60


def _separates(policy: str) -> bool:
    """Whether the policy may stop because its leader is separated; one of which nothing is known plays those games too."""
    return not policy_named(policy).stops_by_epsilon_alone


def _queries_the_wider(policy: str) -> bool:
    """Whether the policy is BuFALU, by whatever name: it knows the winner as well as the others."""
    return policy_named(policy).steering == 1


def _crowd(policy: str, arms: int) -> Game:
    """Arms of slowly rising means, the best one now first, now last, now in between; every kind of epsilon in turn."""
    means = tuple(0.3 + 0.4 * ((arm * 7 + arms) % arms) / arms for arm in range(arms))
    turn = in_turn(
        (
            cycle((0.0,)),
            beside_test(policy, _JUST_BESIDE),
            cycle((0.0,)),
            cycle((0.0, 1e6, 0.7)),
            times_test(policy, (0.9, 1.1, 0.5)),
        )
    )
    rounds = arms + 120 if arms <= 20 else 2 * arms + 100
    return Game(f"{arms} arms", arms, rounds, opened(_LOW_FIRST, turn), all_bits(60 + arms, means, 0.3))


def _tied_crowd(policy: str, arms: int) -> Game:
    """All arms alike, so that the figures of any two can be brought side by side."""
    aims = TieAims(46, ("lcb", "ucb", "lcb", "width", "mean"), all_bits_tape(46, (0.5,) * arms, 0.3), _aside(policy))
    rounds = 2 * arms + 160
    return Game(f"figures side by side, {arms} arms", arms, rounds, opened(_LOW_FIRST, aims.epsilon), aims.reward)


def _separated_crowd(policy: str, arms: int) -> Game:
    """Epsilon 0, and an arm that wins so clearly that the others are given up, the last one as the last.

    BuFALU and the dial, which query the wider intervals too, must know every arm well. BuFAU queries the arm of largest
    UCB alone: it must know the losers before the winner shows, and keeps their UCBs equal up to one query. The last arm is
    ahead of the others by less than that.
    """
    winner = arms // 2 + 1
    unknown, rounds, second = (
        (32, 32 * arms + 400, 0.003) if policy_named(policy).steering == 0 else (0, 56 * arms, 0.2)
    )

    def tape(arm: int, k: int) -> float:
        noise = (k * _GOLDEN + arm * 0.377) % 1.0 / 128
        if arm == winner:
            return 1.0 - noise if k > unknown else noise + 2 * second
        return noise + second if arm == arms else noise

    return Game(f"a winner of {arms} arms", arms, rounds, cycle((0.0,)), from_tape(tape))


def _aside(policy: str) -> Epsilon:
    return beside_test(policy, _ASIDE)


def _constant(levels: tuple[float, ...]) -> Reward:
    return lambda scene, arm: levels[arm - 1]


def _golden(offset: float) -> Reward:
    return from_tape(_golden_tape(offset))


def _golden_tape(offset: float) -> Tape:
    """Rewards spread evenly over [0, 1] for every arm, with all their bits, and cheap to compute."""
    return lambda arm, k: (k * _GOLDEN + arm * 0.377 + offset) % 1.0


def _budget(total: int) -> Epsilon:
    return lambda scene: math.sqrt(6 * scene.arms * math.log(scene.round) / total) if scene.round > 1 else 0.0


def _late(policy: str) -> Epsilon:
    """Zero until round 250, then aimed."""
    aim = times_test(policy, _BOTH_SIDES)
    return lambda scene: 0.0 if scene.round <= 250 else aim(scene)


def _beside_after(policy: str, known: int) -> Epsilon:
    """Zero for so many rounds, then just beside the test."""
    aim = beside_test(policy, _JUST_BESIDE)
    return lambda scene: 0.0 if scene.round <= known else aim(scene)


def _free_then_aimed(policy: str) -> Epsilon:
    """Zero, but beside the test in every 61st round and for a while after each power of two."""
    aim = beside_test(policy, _JUST_BESIDE)

    def epsilon(scene: Scene) -> float:
        number = scene.round
        after_power = number - (1 << (number.bit_length() - 1))
        return aim(scene) if number > scene.arms and (number % 61 == 0 or after_power < 6) else 0.0

    return epsilon


def _rests_and_starts(policy: str, rounds: int) -> Game:
    """A huge epsilon for 1,250 rounds, then figures side by side for 250, and again."""
    aims = TieAims(47, ("lcb", "ucb", "width", "mean"), _golden_tape(0.1), beside_test(policy, _JUST_BESIDE))

    def epsilon(scene: Scene) -> float:
        return 1e7 if 150 <= scene.round % 1500 < 1400 else aims.epsilon(scene)

    return Game("long, rests and starts again", 3, rounds, epsilon, aims.reward)


def _rising(scale: float) -> Epsilon:
    return lambda scene: scale * scene.round / 60


def _sinking(scale: float) -> Epsilon:
    return lambda scene: 3 * scale * max(0.0, 1 - scene.round / 200)


def _falling(scene: Scene) -> float:
    return 12.0 / scene.round


def _power(scene: Scene) -> float:
    return float(scene.round**-0.25)


def _late_winner(unknown: int, winners: tuple[int, ...]) -> Tape:
    """Every arm near 0 for so many queries, then the winners near 1; with all their bits."""

    def tape(arm: int, k: int) -> float:
        noise = (k * _GOLDEN + arm * 0.377) % 1.0 / 32
        return 1.0 - noise if arm in winners and k > unknown else noise

    return tape


def _at_both_ends(arm: int, k: int) -> float:
    """Rewards near 0 and near 1, half of them each, with all their bits: a large variance."""
    place = (k * _GOLDEN + arm * 0.377) % 1.0
    return place / 8 if place < 0.5 else 1.0 - (1.0 - place) / 8


def _near_the_ends(arm: int, k: int) -> float:
    """One arm near 1, the others near 0, a little noise."""
    noise = (k * (arm + 2) % 5) / 64
    return 1.0 - noise if arm == 1 else noise
