"""Games in which answers come late, out of order or never, for programs that declare that they take them so.

Three families of bugs are aimed at: what is counted before it is known (a missing answer as 0), what is counted twice, and
what is credited to another arm than the one that was asked about.
"""

from __future__ import annotations

from collections.abc import Sequence

from bufalu.oracle.aims import HUGE, cycle, opened, times_test
from bufalu.oracle.games import Delay, Game, Scene
from bufalu.oracle.tapes import all_bits, coins, sixteenths

_BOTH_SIDES = (0.8, 1.2, 0.97, 1.03)
_INITIAL = (0.0, HUGE)


def late_games(policy: str) -> tuple[Game, ...]:
    """The games with late answers, the short ones first."""
    beside = times_test(policy, _BOTH_SIDES)
    return (
        Game(
            "answers a round late",
            2,
            30,
            opened(_INITIAL, cycle((0.0, 3.0, 1.0))),
            coins(41, (0.3, 0.7)),
            delays((1,)),
        ),
        Game(
            "some answers never",
            3,
            80,
            opened(_INITIAL, beside),
            sixteenths(42, (0.3, 0.5, 0.7)),
            delays((None, 0, 0)),
        ),
        Game(
            "answers in another order",
            3,
            120,
            opened(_INITIAL, beside),
            all_bits(43, (0.3, 0.6, 0.5)),
            delays((7, 0, 3)),
        ),
        Game(
            "first answers late", 4, 90, opened(_INITIAL, beside), sixteenths(44, (0.2, 0.4, 0.6, 0.8)), first_ones(9)
        ),
        Game("an arm that is never answered", 3, 60, opened(_INITIAL, beside), coins(45, (0.4, 0.5, 0.6)), never(2)),
        Game(
            "late and never",
            5,
            240,
            opened(_INITIAL, beside),
            all_bits(46, (0.3, 0.4, 0.5, 0.6, 0.7)),
            delays(_MIXED),
        ),
    )


_MIXED = (0, 20, None, 2, 0, 1, 11, None, 0, 5)


def delays(rounds: Sequence[int | None]) -> Delay:
    """So many rounds after the next one, in turn with the queries; None for never."""
    return lambda scene, arm: rounds[sum(scene.asked(each) for each in range(1, scene.arms + 1)) % len(rounds)]


def first_ones(rounds: int) -> Delay:
    """The answers to the initial rounds come late, the others at once."""
    return lambda scene, arm: rounds if scene.round <= scene.arms else 0


def never(unanswered: int) -> Delay:
    """One arm is never answered: its interval stays without end."""

    def delay(scene: Scene, arm: int) -> int | None:
        return None if arm == unanswered else 0

    return delay
