"""Games in which answers come late, out of order or never, for programs that declare that they take them so.

Aimed at is what is counted before it is known (a missing answer as 0), counted twice, credited to another arm than the one
that was asked about, or forgotten because the question is old, because there are many, or because a table has grown.
"""

from __future__ import annotations

from collections.abc import Sequence

from bufalu.oracle.aims import HUGE, JUST_BESIDE, beside_test, cycle, opened, times_test
from bufalu.oracle.games import Delay, Game, Scene
from bufalu.oracle.tapes import all_bits, coins, constant, sixteenths
from bufalu.reference.confidence import confidence_named

_BOTH_SIDES = (0.8, 1.2, 0.97, 1.03)
"""Epsilon as a multiple of what it is compared with: a query, then none, by a fifth and by three hundredths."""

_INITIAL = (0.0, HUGE)
"""Epsilons of the initial rounds, which no policy may look at."""


def slow_answers(rounds: int) -> Game:
    """The first answers of three arms come after 70, 550 and 1,100 rounds, those to all other questions never.

    An arm is asked about in every round as long as its interval has no end, and epsilon then allows a rest: an answer that is
    lost, or credited to another arm, shows at once, and little else does. Played as the first run with late answers, so that
    what a program keeps of its questions grows for the first time while some of them wait.
    """
    first_known = (70, 550, 1_100)

    def delay(scene: Scene, arm: int) -> int | None:
        if scene.asked(arm) >= scene.confidence.needed_queries:
            return None
        return max(0, first_known[arm - 1] - scene.round - 1)

    last = min(rounds, first_known[-1] + 8)
    return Game("answers after hundreds of rounds", 3, last, cycle((1e6,)), constant((0.25, 0.5, 0.75)), delay)


def late_games(policy: str, confidence: str, rounds: int, most: int) -> tuple[Game, ...]:
    """A game for each kind of lateness, none of more `rounds`, the last with `most` arms; `slow_answers` comes before."""
    beside = times_test(policy, _BOTH_SIDES)
    return (
        Game("a single arm that is never answered", 1, 8, cycle((HUGE, 0.0, 3.0)), constant((0.5,)), never(1)),
        _spent_beside_the_unknown(),
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
        _hundreds_of_rounds_late(policy, rounds),
        _late_crowd(policy, confidence, most),
    )


def _spent_beside_the_unknown() -> Game:
    """The arm that is asked about after the initial rounds, whichever it is, is answered in round 9, often enough to spend
    greedy's budget; the other one never is. Greedy then rests beside an arm without answers, which no other policy does.
    """

    def delay(scene: Scene, arm: int) -> int | None:
        most = max(scene.asked(each) for each in range(1, scene.arms + 1))
        return max(0, 8 - scene.round) if scene.round > scene.arms and scene.asked(arm) == most else None

    return Game("a budget spent beside the unknown", 2, 16, cycle((HUGE,)), constant((0.5, 0.5)), delay)


def _late_crowd(policy: str, confidence: str, arms: int) -> Game:
    """Many questions wait at once: the answers to the initial rounds come together, the latest one first. Epsilon then allows
    a rest, so that an answer credited to another arm shows at once, and is beside the test at the end.
    """
    needed = confidence_named(confidence).needed_queries
    known = needed * arms + 8
    beside = times_test(policy, _BOTH_SIDES)
    means = tuple((arm + 0.5) / arms for arm in range(arms))
    return Game(
        f"late answers of {arms} arms",
        arms,
        known + 12,
        lambda scene: HUGE if scene.round <= known else beside(scene),
        all_bits(47, means, 0.3),
        lambda scene, arm: max(0, arms - scene.round) if scene.asked(arm) < needed else 1,
    )


_MIXED = (0, 20, None, 2, 70, 1, 11, 0, 300, 5, None, 0, 1_100, 0, 150, 0, 550)
"""How late the answers are, in turn with the queries: none, a few rounds, more than 64, 256 and 1,024, or for ever."""


def _hundreds_of_rounds_late(policy: str, rounds: int) -> Game:
    """All kinds of lateness at once. An answer that is up to 1,100 rounds late finds that other arms were asked about since:
    who keeps the arms of the last 64, 256 or 1,024 questions alone credits one of those.
    """
    near, nearer = times_test(policy, _BOTH_SIDES), beside_test(policy, JUST_BESIDE)

    def epsilon(scene: Scene) -> float:
        if scene.round <= 240:
            return near(scene)
        return nearer(scene) if scene.round % 7 == 0 else 0.0

    means = (0.3, 0.4, 0.5, 0.6, 0.7)
    return Game(
        "late and never", 5, min(1_300, rounds), opened(_INITIAL, epsilon), all_bits(46, means), delays(_MIXED)
    )


def delays(rounds: Sequence[int | None]) -> Delay:
    """Answers come so many rounds after the next one, in turn with the queries; None for never."""
    return lambda scene, arm: rounds[sum(scene.asked(each) for each in range(1, scene.arms + 1)) % len(rounds)]


def first_ones(rounds: int) -> Delay:
    """The answers to the initial rounds come late, the others at once."""
    return lambda scene, arm: rounds if scene.round <= scene.arms else 0


def never(unanswered: int) -> Delay:
    """One arm is never answered: its interval stays without end."""

    def delay(scene: Scene, arm: int) -> int | None:
        return None if arm == unanswered else 0

    return delay
