"""The stages of a conformance run and the directed games: each is after a family of known bugs, some of which show only
where two numbers are close.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum

from bufalu.oracle.aims import (
    BESIDE,
    FURTHER_BESIDE,
    HIGH_FIRST,
    JUST_BESIDE,
    LOW_FIRST,
    TieAims,
    beside_test,
    cycle,
    opened,
    times_test,
)
from bufalu.oracle.crowds import many_arms
from bufalu.oracle.every_arm import FEW, every_arm, every_winner, last_arms_best
from bufalu.oracle.games import Epsilon, Game, Scene, from_tape
from bufalu.oracle.late_games import late_games, slow_answers
from bufalu.oracle.limits import LONG, MANY_ARMS
from bufalu.oracle.long_games import endurance, long_games
from bufalu.oracle.tapes import (
    all_bits,
    all_bits_tape,
    at_both_ends,
    coins,
    constant,
    first_arm_best,
    late_winner,
    late_winner_after,
    sixteenths,
)
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import policy_named

_HAIR = 1e-6
"""The share by which epsilon misses what it is compared with: a thousand times what doubles may err by."""
_BOTH_SIDES = (1 - _HAIR, 1 + _HAIR)
"""Epsilon as a multiple of what it is compared with: a query, then none."""
_MOSTLY_QUERIES = (1 - _HAIR, 1 - _HAIR, 1 - _HAIR, 1 + _HAIR)

_SPIKES = (0.0, 5.0, 0.3, 1.0, 40.0, 0.7, 0.05, 2.0)
"""Epsilons above and below the widths of the first hundred rounds, in no order."""

_EXTREMES = (
    *(1.5e-7, 2e7, 3e-12, 4.5e-07, 1e16, 0.0, 7e-300, 1e30, 2.5e-9, 1.7e308, 8e-6, 12.0, 5e-324),
    # What whole numbers of 16, 32 and 64 bits, or millionths in 32 bits, take for 0 or nearly so.
    *(65536.0, 4294967296.0, 1e-7, 18446744073709551616.0, 4294.967296),
)
"""Epsilons that texts, integers and single precision hold badly: exponents, the largest double, the smallest."""

_TINY = (1e2, 1e3, 1e4, 1e5)
"""Multiples of the tolerance by which a challenger is short of being separated while epsilon is tiny."""


class Stage(Enum):
    """The stages of a conformance run, in order, with what each is after."""

    SMOKE = "a dozen easy rounds, and answers after hundreds, if the program takes them so"
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
        Stage.SMOKE: lambda: (smoke(), *((slow_answers(scope.rounds),) if scope.late else ())),
        Stage.DIRECTED: lambda: directed(policy, confidence),
        Stage.PRECISION: lambda: precise(policy, confidence),
        Stage.TIES: lambda: tied(policy, confidence),
        Stage.ARMS: lambda: many_arms(policy, confidence, scope.arms),
        Stage.ROLES: lambda: roles(policy, confidence, scope.rounds),
        Stage.SIZES: lambda: sizes(confidence, scope.arms),
        Stage.LATE: lambda: late_games(policy, confidence, scope.rounds, scope.arms) if scope.late else (),
        Stage.SEARCH: lambda: (),
        Stage.LONG: lambda: long_games(policy, confidence, scope.rounds),
        Stage.ENDURANCE: lambda: endurance(policy, scope.rounds),
    }
    return tuple(game for game in makers[stage]() if game.arms <= scope.arms)


def smoke() -> Game:
    """A dozen easy rounds: does the program speak the protocol at all?"""
    return Game("smoke run", 2, 12, lambda scene: 1.0, constant((0.0, 1.0)))


def directed(policy: str, confidence: str) -> tuple[Game, ...]:
    """The games for a policy and an interval, the short ones first."""
    # Intervals with a variance, Bernstein's say, are several times wider: separation needs about twice the rounds.
    bernstein = confidence_named(confidence).uses_variance
    long = 900 if bernstein else 450
    wide = 12.0 if bernstein else 1.0
    # BuFAU queries the arm of largest UCB and is seldom separated: only if the losers are well known already.
    late = late_winner(150, 1) if bernstein else late_winner(60, 1)
    return (
        Game("a single arm", 1, 12, opened(LOW_FIRST, cycle((0.0, 3.0, 0.1, 1000.0))), constant((0.5,))),
        Game("huge epsilon", 3, 12, opened(LOW_FIRST, cycle((1e6,))), constant((1.0, 0.25, 0.25))),
        Game("no epsilon", 3, 60, opened(HIGH_FIRST, cycle((0.0,))), coins(1, (0.2, 0.5, 0.8))),
        Game("extreme epsilons", 3, 100, opened(LOW_FIRST, cycle(_EXTREMES)), all_bits(21, (0.3, 0.5, 0.6))),
        Game("extreme epsilons, two arms", 2, 80, opened(HIGH_FIRST, cycle(_EXTREMES)), coins(22, (0.5, 0.6))),
        Game("epsilon that rises", 3, 150, opened(LOW_FIRST, _rising(wide)), all_bits(23, (0.4, 0.5, 0.6))),
        Game("epsilon that falls", 3, 150, opened(HIGH_FIRST, _sinking(wide)), all_bits(24, (0.5, 0.4, 0.6))),
        Game("epsilon that jumps", 4, 160, opened(LOW_FIRST, cycle(_SPIKES)), sixteenths(2, (0.3, 0.5, 0.6, 0.7))),
        Game("epsilon aimed at the test", 3, 160, times_test(policy, _BOTH_SIDES), sixteenths(3, (0.4, 0.5, 0.6))),
        Game(
            "epsilon aimed at the test, coins",
            5,
            240,
            times_test(policy, _MOSTLY_QUERIES),
            coins(4, (0.2,) * 4 + (0.8,)),
        ),
        Game("epsilon from far to near", 2, 120, opened(LOW_FIRST, _falling), sixteenths(5, (0.3, 0.7))),
        Game("one clear winner", 2, long, opened(HIGH_FIRST, cycle((0.0,))), constant((0.0, 1.0))),
        Game("one clear winner, noise", 3, long, cycle((0.0, 0.0, 0.02)), from_tape(first_arm_best)),
        Game("a late winner", 2, long, opened(LOW_FIRST, cycle((0.0,))), from_tape(late)),
        Game("nothing but zeros", 3, 200, cycle((0.0, 0.0, 0.0, 1e6)), constant((0.0, 0.02, 0.0))),
        Game("nothing but ones", 3, 200, cycle((0.0, 0.0, 0.0, 1e6)), constant((1.0, 0.98, 1.0))),
        Game("a budget", 3, 200, _budget(30), coins(6, (0.4, 0.5, 0.6))),
        Game("many queries, then aimed", 2, 400, _late(policy), sixteenths(7, (0.45, 0.55))),
        Game("a long run", 3, 1200, opened(HIGH_FIRST, _power), coins(8, (0.25, 0.5, 0.75))),
    )


def precise(policy: str, confidence: str) -> tuple[Game, ...]:
    """Epsilon beside the test by a few tolerances, on rewards that use all their bits."""
    beside = opened(HIGH_FIRST, beside_test(policy, FURTHER_BESIDE))
    # Where intervals are wide the tolerance is too: errors of the variance show best after some hundred queries.
    known = 300 if confidence_named(confidence).uses_variance else 60
    return (
        Game("beside the test, two arms", 2, 160, beside, all_bits(31, (0.45, 0.55))),
        Game("beside the test, four arms", 4, 240, beside, all_bits(32, (0.3, 0.5, 0.6, 0.4))),
        # Rewards below 1e-4 are sent with an exponent.
        Game("beside the test, small rewards", 3, 120, beside, all_bits(33, (0.01, 3e-5, 6e-5), 2e-5)),
        Game("beside the test, large rewards", 3, 120, beside, all_bits(34, (0.93, 0.95, 0.97), 0.03)),
        Game("beside the test, known arms", 2, known + 160, _beside_after(policy, known), from_tape(at_both_ends)),
    )


def tied(policy: str, confidence: str) -> tuple[Game, ...]:
    """Rewards that bring the figures of two arms beside each other, and epsilons that show which was taken."""
    aside = beside_test(policy, BESIDE)
    close = TieAims(41, ("lcb", "ucb", "width", "mean"), all_bits_tape(41, (0.4, 0.5, 0.6), 0.4), aside)
    pair = TieAims(42, ("lcb", "ucb", "width", "mean"), all_bits_tape(42, (0.5, 0.55), 0.45), aside)
    five = TieAims(43, ("lcb", "ucb", "ucb", "mean"), all_bits_tape(43, (0.5, 0.45, 0.55, 0.5, 0.4), 0.3), aside)
    made = [
        Game("figures side by side, three arms", 3, 200, opened(LOW_FIRST, close.epsilon), close.reward),
        Game("figures side by side, two arms", 2, 160, opened(LOW_FIRST, pair.epsilon), pair.reward),
        Game("figures side by side, five arms", 5, 240, opened(LOW_FIRST, five.epsilon), five.reward),
    ]
    if policy_named(policy).queries_largest_ucb:
        made.append(_unlike_pair())
    steering = policy_named(policy).steering
    if steering is not None and 0 < steering < 1 and confidence_named(confidence).uses_variance:
        made.append(_dialled_pair(float(steering)))
    if not policy_named(policy).stops_by_epsilon_alone:
        long = 520 if confidence_named(confidence).uses_variance else 220
        apart, two = all_bits_tape(44, (0.04, 0.96, 0.06), 0.04), all_bits_tape(45, (0.97, 0.02), 0.02)
        if policy_named(policy).steering != 1:
            unknown = late_winner_after(confidence)
            apart, two = late_winner(unknown, 2), late_winner(unknown, 1)
            long += 2 * unknown
        three_arms, two_arms = (TieAims(44, ("separation",), tape, cycle((0.0,))) for tape in (apart, two))
        made += [
            Game("on the edge of separation", 2, long, two_arms.epsilon, two_arms.reward),
            Game("on the edge of separation, three arms", 3, 2 * long, three_arms.epsilon, three_arms.reward),
            _tiny_epsilons(policy, 560 if confidence_named(confidence).uses_variance else 240),
        ]
    return tuple(made)


def _tiny_epsilons(policy: str, rounds: int) -> Game:
    """Arm 3, known less than the leader, is brought just above its LCB by every query, with an epsilon as tiny.

    The candidate is the wider arm 3 then, however ties are broken: the other loser keeps the leader well known.
    """
    tape = all_bits_tape(50, (0.25, 0.97, 0.02), 0.02)
    aims = TieAims(50, ("separation",), tape, cycle((0.0,)), _TINY)
    beside, plain = times_test(policy, (1.5, 0.6, 0.6)), from_tape(tape)

    def epsilon(scene: Scene) -> float:
        near = beside(scene)
        return near if near < 1e-3 else 0.0

    def reward(scene: Scene, arm: int) -> float:
        return aims.reward(scene, arm) if arm == 3 else plain(scene, arm)

    return Game("tiny epsilons before separation", 3, rounds, opened(LOW_FIRST, epsilon), reward)


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


def roles(policy: str, confidence: str, rounds: int) -> tuple[Game, ...]:
    """Every arm in every role with few arms, for every reason, early and late."""
    wide = confidence_named(confidence).uses_variance
    made = [every_arm(policy, arms, wide) for arms in FEW]
    if not policy_named(policy).uses_interval:
        # The pair rule queries the challenger of a well known leader alone, and arms that take turns are not.
        made += [every_arm(policy, arms, wide, ahead=1) for arms in FEW[1:]]
    if not policy_named(policy).stops_by_epsilon_alone:
        made += [game for arms in FEW[1:] for game in every_winner(policy, arms, wide)]
    return tuple(replace(game, rounds=min(game.rounds, rounds)) for game in made)


def sizes(confidence: str, most: int) -> tuple[Game, ...]:
    """Each number of arms up to `most` that no other stage plays in every role."""
    return tuple(
        last_arms_best(arms, confidence_named(confidence).uses_variance) for arms in range(FEW[-1] + 1, most + 1)
    )


def _budget(total: int) -> Epsilon:
    return lambda scene: math.sqrt(6 * scene.arms * math.log(scene.round) / total) if scene.round > 1 else 0.0


def _late(policy: str) -> Epsilon:
    """Zero until round 250, then aimed."""
    aim = times_test(policy, _BOTH_SIDES)
    return lambda scene: 0.0 if scene.round <= 250 else aim(scene)


def _beside_after(policy: str, known: int) -> Epsilon:
    """Zero for so many rounds, then just beside the test."""
    aim = beside_test(policy, JUST_BESIDE)
    return lambda scene: 0.0 if scene.round <= known else aim(scene)


def _rising(scale: float) -> Epsilon:
    return lambda scene: scale * scene.round / 60


def _sinking(scale: float) -> Epsilon:
    return lambda scene: 3 * scale * max(0.0, 1 - scene.round / 200)


def _falling(scene: Scene) -> float:
    return 12.0 / scene.round


def _power(scene: Scene) -> float:
    return float(scene.round**-0.25)
