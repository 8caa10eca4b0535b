"""Games that put every arm into every role, early and late, with each number of arms.

`tests/oracle/coverage.py` counts what they reach, and a test fails where they leave a gap.
"""

from __future__ import annotations

from bufalu.oracle.aims import HUGE, beside_test, cycle
from bufalu.oracle.games import Game, Scene, from_tape
from bufalu.oracle.tapes import spread
from bufalu.reference.policies import policy_named

FEW = range(1, 13)
"""Numbers of arms with which every decision is played for every reason, with every place of the arm."""

LATE = 500
"""Rounds up to this one are early."""

_AHEAD = 0.03
"""By how much the second-best arm is better than the others, so that it is the challenger whatever the noise."""

_MOSTLY_ZERO = (0.0, 0.0, 0.0, 1e6)
"""Epsilons in turn: three rounds that query until something is separated, and one without a query."""

_MOSTLY_A_REST = (1.3, 1.3, -1.3)
"""Multiples of the tolerance: an epsilon that is just large enough to stop, twice in three times."""


def every_arm(policy: str, arms: int, wide: bool, ahead: int = 0) -> Game:
    """Arms that take turns as the best one, or one that stays `ahead`, queried early and again late, and a long rest
    between: a huge epsilon in every fourth round, and in all rounds of the rest; late, every 16th just beside the test.
    """
    busy = _busy_rounds(arms, wide)
    favourites = (ahead,) if ahead else tuple(dict.fromkeys((1, (arms + 1) // 2, arms)))

    beside = beside_test(policy, _MOSTLY_A_REST)

    def epsilon(scene: Scene) -> float:
        if busy < scene.round <= LATE:
            return HUGE
        return beside(scene) if scene.round > LATE and scene.round % 16 == 3 else _MOSTLY_ZERO[scene.round % 4]

    def reward(scene: Scene, arm: int) -> float:
        again = scene.round > busy
        past = max(0, scene.round - 1 - LATE * again)  # in the rest only a wrong program queries
        turn = min(3 * past // busy, len(favourites) - 1)
        # Who was the last is the first later. A reward brings the arm's mean where it shall be, as soon as may be.
        wanted = 0.56 if arm == favourites[-1 - turn if again else turn] else 0.44
        known = scene.queries(arm)
        needed = wanted * (known + 1) - known * float(scene.state.mean(arm))
        return min(1.0, max(0.0, needed)) * (1 - spread(arm, known) / 16)

    name = f"arm {ahead} of {arms} stays ahead" if ahead else f"every role, {_count_of_arms(arms)}"
    return Game(name, arms, LATE + busy, epsilon, reward)


def every_winner(policy: str, arms: int, wide: bool) -> tuple[Game, ...]:
    """Epsilon 0, and the first arm, one in the middle or the last one wins so clearly that it is separated, early if so
    many arms allow it, and late: rounds enough that the growing logarithm opens the case again.

    Whichever way a program breaks ties, its candidate is then the leader in one of those rounds, and a program without a
    separation test would query it.
    """
    winners = tuple(dict.fromkeys((1, (arms + 1) // 2, arms)))
    return tuple(_winner(policy, arms, wide, winner) for winner in winners)


def _winner(policy: str, arms: int, wide: bool, winner: int) -> Game:
    """The game that one arm wins."""
    unknown, rounds = _until_separated(policy, arms, wide)
    second = 1 if winner > 1 else arms

    def tape(arm: int, k: int) -> float:
        noise = spread(arm, k) / 128
        if arm == winner and k > unknown:
            return 1.0 - noise * (2 if wide else 1)  # what varies more is wider: a leader that would be queried
        return noise + _AHEAD if arm == second else noise

    name = f"arm {winner} of {arms} wins"
    return Game(name, arms, max(rounds, LATE + 140), cycle((0.0,)), from_tape(tape))


def _until_separated(policy: str, arms: int, wide: bool) -> tuple[int, int]:
    """How many queries of each arm tell nothing, and how many rounds the game takes.

    BuFAU queries the arm of largest UCB alone: it must know the losers before the winner shows.
    """
    if policy_named(policy).steering == 0:
        return (76, 76 * arms + 700) if wide else (20, 20 * arms + 320)
    return 0, (117 if wide else 52) * arms


def last_arms_best(arms: int, wide: bool) -> Game:
    """A short game of many arms, the last ones the best: who leaves out some of the last arms errs at once.

    The last arm is the challenger at first, and leads as soon as it is queried.
    """
    needed = 2 if wide else 1
    known = arms * needed

    def epsilon(scene: Scene) -> float:
        return 1e6 if scene.round > known and scene.round % 2 else 0.0

    def tape(arm: int, k: int) -> float:
        if arm < arms - 1:
            return (arm + spread(arm, k) / 2) / (arms + 1)
        if k > needed:
            return 1.0 if arm == arms else 0.4
        return 0.99 if arm == arms else 1.0

    return Game(f"{arms} arms, the last ones best", arms, known + 8, epsilon, from_tape(tape))


def _busy_rounds(arms: int, wide: bool) -> int:
    """Rounds in which, as was tried, every one of so many arms takes every role: more for intervals with a variance."""
    return 72 + (18 if wide else 12) * arms


def _count_of_arms(arms: int) -> str:
    return "one arm" if arms == 1 else f"{arms} arms"
