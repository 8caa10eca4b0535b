"""A deployment on runs: late and lost answers, samples from before, and rewards in another unit (docs/live.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from bufalu.properties.runs.cap import count_finding
from bufalu.properties.runs.examination import check_statement, check_subjects
from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.scenarios import TieScript
from bufalu.properties.runs.statements import Place, Statement
from bufalu.properties.runs.strategies import oblivious, probabilities, scenarios, tie_scripts
from bufalu.properties.runs.thresholds import HoeffdingCount
from bufalu.properties.runs.wrong import one_less, wrong
from bufalu.reference.comparisons import EveryTie, OneTie
from bufalu.reference.confidence import HoeffdingInterval
from bufalu.reference.exact import ZERO, Exact, log_root
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import Schedule
from bufalu.reference.state import State
from bufalu.reference.view import ExactView

LOST = -1
"""The delay of an answer that never comes."""


@dataclass(frozen=True)
class LiveGame:
    """What is fixed before a deployment runs. Answer j of the run comes `delays[j]` rounds late; both lists are cyclic."""

    arms: int
    policy: str
    schedule: Schedule
    horizon: int
    rewards: tuple[Rational, ...]
    delays: tuple[int, ...]
    start: tuple[int, ...]
    ties: TieScript


class LiveRound(NamedTuple):
    """One query: its round and arm, the arm's queries with this one, its lost answers, and the most that ever waited."""

    round: int
    arm: int
    queries: int
    lost: int
    waiting: int


@st.composite
def live_games(draw: DrawFn) -> LiveGame:
    """Short games of BuFALU and the dial; levels of epsilon up to 3, so that the cap binds."""
    arms = draw(st.integers(2, 3))
    return LiveGame(
        arms,
        draw(st.sampled_from(["bufalu", "dial:1/2"])),
        draw(oblivious(arms, 3)).schedule,
        draw(st.integers(10, 40)),
        tuple(draw(st.lists(probabilities(), min_size=1, max_size=5))),
        tuple(draw(st.lists(st.sampled_from([0, 0, 1, 3, 9, LOST]), min_size=1, max_size=6))),
        tuple(draw(st.sampled_from([0, 0, 1, 4])) for _ in range(arms)),
        draw(tie_scripts()),
    )


def queries_of(game: LiveGame) -> Iterator[LiveRound]:
    """Plays the game: decisions see the answers that have come, and nothing else."""
    rule, interval, state = policy_named(game.policy), HoeffdingInterval(), State(game.arms)
    comparisons = OneTie[Exact](game.ties.start())
    for arm, known in enumerate(game.start, start=1):
        for sample in range(known):
            state.record(arm, game.rewards[sample % len(game.rewards)])
    asked, lost, waiting = ([0] * game.arms for _ in range(3))
    most = [0] * game.arms
    due: list[tuple[int, int, Rational]] = []
    for number in range(1, game.horizon + 1):
        for _, arm, reward in (each for each in due if each[0] == number):
            state.record(arm, reward)
            waiting[arm - 1] -= 1
        most = [max(pair) for pair in zip(most, waiting, strict=True)]
        epsilon = ZERO if number <= game.arms else game.schedule.at(number, game.arms)
        view = ExactView(state, interval, number, epsilon)
        (arm, query), _ = next(iter(rule.possible(view, comparisons)))
        if not query:
            continue
        delay = game.delays[sum(asked) % len(game.delays)]
        if delay == LOST:
            lost[arm - 1] += 1
        else:
            due.append((number + 1 + delay, arm, game.rewards[sum(asked) % len(game.rewards)]))
            waiting[arm - 1] += 1
        asked[arm - 1] += 1
        yield LiveRound(number, arm, asked[arm - 1], lost[arm - 1], most[arm - 1])


def queries_with_late_answers(
    game: LiveGame, *, waiting: bool = True, lost: bool = True, least: int = 0
) -> Iterator[Place]:
    """n^q_t(a) <= max{0, N-bar(t) - start} + D + lost + 1 after every query, up to which D and the losses are counted."""
    sure = HoeffdingCount()
    most, seen = [0] * game.arms, game.arms
    for found in queries_of(game):
        for number in range(seen + 1, found.round + 1):
            epsilon = game.schedule.at(number, game.arms)
            for arm in range(game.arms):
                possible = game.start[arm] + number - 1
                while most[arm] < possible and sure.reached(most[arm] + 1, number, epsilon):
                    most[arm] += 1
        seen = max(seen, found.round)
        needed = max(least, most[found.arm - 1] - game.start[found.arm - 1])
        bound = needed + found.waiting * waiting + found.lost * lost + 1
        yield count_finding(
            found.queries,
            bound,
            telling=game.arms < found.round > bound,
            round_number=found.round,
            arm=found.arm,
            words=f"arm {found.arm} after round {found.round}: its queries against the cap with late answers",
        )


check_subjects(
    "live.cap",
    subjects=live_games,
    quick=40,
    mutants={
        "D forgotten: no answer is waiting": wrong(partial(queries_with_late_answers, waiting=False)),
        "lost answers forgotten": wrong(partial(queries_with_late_answers, lost=False)),
        "samples from before taken off below 0": wrong(partial(queries_with_late_answers, least=-10)),
        "without + 1": wrong(one_less(queries_with_late_answers)),
    },
)(queries_with_late_answers)


class StretchedView:
    """The view of a round with intervals moved by `lo` and stretched by `spread`, and `epsilon` in that unit."""

    def __init__(self, view: ExactView, lo: Rational, spread: Rational, epsilon: Rational) -> None:
        self.round, self.arms = view.round, view.arms
        self.epsilon = Exact.of(epsilon) * view.epsilon
        self._view, self._lo, self._spread = view, Exact.of(lo), Exact.of(spread)

    def lcb(self, arm: int) -> Exact:
        """lo + spread LCB_t(a)."""
        return self._lo + self._spread * self._view.lcb(arm)

    def ucb(self, arm: int) -> Exact:
        """lo + spread UCB_t(a)."""
        return self._lo + self._spread * self._view.ucb(arm)

    def width(self, arm: int) -> Exact:
        """spread CI_t(a)."""
        return self._spread * self._view.width(arm)

    def mean(self, arm: int) -> Exact:
        """lo + spread times the mean."""
        return self._lo + self._spread * self._view.mean(arm)

    def queries(self, arm: int) -> Exact:
        """n^q(a)."""
        return self._view.queries(arm)

    def pair_radius(self, arm: int, other: int, spread: int) -> Exact:
        """Spread times the radius of two arms together."""
        return self._spread * self._view.pair_radius(arm, other, spread)

    def all_queries(self) -> Exact:
        """B^q(t-1)."""
        return self._view.all_queries()

    def log(self) -> Exact:
        """ln t."""
        return log_root(self.round, 2)

    def number(self, value: Rational) -> Exact:
        """A rational constant."""
        return Exact.of(value)


STARS = (Fraction(1), Fraction(4))
"""One to five stars: the smallest reward and the range."""


def decisions_in_stars(run: Run, epsilon: Rational = STARS[1]) -> Iterable[Place]:
    """The decisions that are admissible with intervals and epsilon in stars are those on the scale from 0 to 1."""
    for situation in run.situations:
        if situation.epsilon.is_infinite:
            continue
        stretched = StretchedView(situation.view, *STARS, epsilon)
        unit = _decisions(run, situation.view)
        stars = _decisions(run, stretched)
        words = (
            f"round {situation.round}: decisions {sorted(unit)} on the scale from 0 to 1, {sorted(stars)} in stars"
        )
        yield Place(unit == stars, 0.0, True, situation.round, None, lambda words=words: words)  # type: ignore[misc]


def _decisions(run: Run, view: ExactView | StretchedView) -> frozenset[Decision]:
    return frozenset(decision for decision, _ in run.rule.possible(view, EveryTie[Exact]()))


RANGE = check_statement(
    Statement(
        "live.range",
        ("live.range",),
        "decisions do not depend on the unit of the rewards, if epsilon has the same unit",
        decisions_in_stars,
    ),
    scenarios,
    20,
    mutants={"epsilon left on the scale from 0 to 1": wrong(partial(decisions_in_stars, epsilon=1))},
)
