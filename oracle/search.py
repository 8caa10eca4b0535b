"""The search for counterexamples with Hypothesis, and the shrinking of those that directed games have found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, Unsatisfiable

from bufalu.oracle.aims import compared_with_epsilon
from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.games import FinishedGame, Game, Scene, game_of_trace
from bufalu.oracle.tolerance import CLOSENESS_DOUBLE
from bufalu.reference.rounds import Round
from bufalu.reference.traces import Trace

SEARCHED_ROUNDS = 40
"""A searched game has at most so many rounds, and a counterexample with no more of them is short enough."""

REWARDS = (0.0, 1.0, 0.5, 0.25, 0.75, 0.125, 0.1, 0.3, 0.6180339887498949, 0.9358979323846264)
"""Both ends, fractions whose sums are exact in doubles, and decimals whose sums are not."""

EPSILONS = (0.0, 1.0, 2.0, 0.5, 3.0, 0.25, 8.0, 0.1, 30.0, 1e-07, 2e16, 1e300)
"""None, the size of widths in early rounds, and numbers that are written with an exponent."""

_ASIDE = 4 * CLOSENESS_DOUBLE
AIMS = (0.0, 1 - _ASIDE, 1 + _ASIDE, 0.9, 1.1, 2.0)
"""Epsilon as a multiple of what it is compared with: by four times the closeness beside it, or further; 0 for no aim."""

FEW_ARMS, MORE_ARMS = 5, 12
"""Two searched games in three have at most the smaller number of arms."""

_SHRINKING_GAMES, _SHRINKING_ROUNDS = 80, 60_000
"""A counterexample is made smaller by so many more games, or rounds, at most."""

Play = Callable[[Game], FinishedGame]


@dataclass(frozen=True)
class Script:
    """A small game in plain numbers, which Hypothesis can shrink: tapes and epsilons repeat."""

    policy: str
    rounds: int
    tapes: tuple[tuple[float, ...], ...]
    epsilons: tuple[float, ...]
    aims: tuple[float, ...]

    def game(self) -> Game:
        """The game; an aim other than 0 replaces epsilon by that factor on what it is compared with."""
        return Game("search", len(self.tapes), self.rounds, self._epsilon, self._reward)

    def _epsilon(self, scene: Scene) -> float:
        place = scene.round - scene.arms - 1
        aim = self.aims[place % len(self.aims)]
        if aim and place >= 0:
            return min(1e300, aim * compared_with_epsilon(self.policy, scene))
        return self.epsilons[place % len(self.epsilons)]

    def _reward(self, scene: Scene, arm: int) -> float:
        tape = self.tapes[arm - 1]
        return tape[scene.queries(arm) % len(tape)]


@lru_cache(maxsize=64)  # Hypothesis remembers something of every strategy that it has drawn from
def scripts(policy: str, rounds: int, most_arms: int = MORE_ARMS) -> st.SearchStrategy[Script]:
    """Scripts of at most so many rounds and arms, mostly of few arms."""
    tape = st.lists(st.sampled_from(REWARDS), min_size=1, max_size=4).map(tuple)
    few = st.lists(tape, min_size=1, max_size=min(FEW_ARMS, most_arms))
    more = st.lists(tape, min_size=1, max_size=min(MORE_ARMS, most_arms))
    return st.builds(
        Script,
        policy=st.just(policy),
        rounds=st.integers(1, max(rounds, 1)),
        tapes=st.one_of(few, few, more).map(tuple),
        epsilons=st.lists(st.sampled_from(EPSILONS), min_size=1, max_size=5).map(tuple),
        aims=st.lists(st.sampled_from(AIMS), min_size=1, max_size=3).map(tuple),
    )


class _Found(Exception):
    """Raised inside the search when a game has failed."""


def search(
    play: Play, policy: str, examples: int, seed_number: int, *, rounds: int, most_arms: int
) -> FinishedGame | None:
    """Looks for a failing game and shrinks it; raises `BrokenProgram` as soon as the program breaks."""
    failures: list[FinishedGame] = []
    broken: list[BrokenProgram] = []

    @seed(seed_number)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        print_blob=False,
        report_multiple_bugs=False,
    )
    @given(scripts(policy, rounds, most_arms))
    def probe(script: Script) -> None:
        if broken:
            raise _Found
        try:
            played = play(script.game())
        except BrokenProgram as problem:
            broken.append(problem)
            raise _Found from None
        if played.divergence is not None:
            failures.append(played)
            raise _Found

    # A program that breaks ties at random may not fail twice alike (Flaky): the smallest failure seen stands.
    with suppress(_Found, Flaky, Unsatisfiable):
        probe()
    if broken:
        raise broken[0]
    return min(failures, key=size, default=None)


def size(played: FinishedGame) -> tuple[int, int]:
    """What shrinking makes small: rounds, then arms."""
    return played.rounds, played.header.arms


def shrunk(found: FinishedGame, play: Play, policy: str, seed_number: int) -> FinishedGame:
    """A smaller failing game, if one is found in reasonable time: by search among small games, else by leaving out
    rounds of the one that failed. Small games have no late answers: one that fails with them only loses rounds.
    """
    if found.game.delay is not None:
        return _without_rounds(found, play)
    arms = found.header.arms
    rounds = min(SEARCHED_ROUNDS, found.rounds)
    smaller = search(play, policy, _SHRINKING_GAMES, seed_number, rounds=rounds, most_arms=min(arms, FEW_ARMS))
    best = found if smaller is None else min(found, smaller, key=size)
    return best if best.rounds <= SEARCHED_ROUNDS else _without_rounds(best, play)


def _without_rounds(found: FinishedGame, play: Play) -> FinishedGame:
    """Leaves out stretches of rounds, halving their length, as long as the game still fails."""
    length = found.rounds // 2
    games = rounds = 0
    while length >= 1 and games < _SHRINKING_GAMES and rounds < _SHRINKING_ROUNDS:
        start, progress = found.header.arms, False
        while start + length < found.rounds and games < _SHRINKING_GAMES and rounds < _SHRINKING_ROUNDS:
            games += 1
            played = play(game_of_trace(_cut(found.trace, start, length)))
            rounds += played.rounds
            if played.divergence is not None and size(played) < size(found):
                found, progress = played, True
            else:
                start += length
        length = length if progress and length > 8 else length // 2
    return found


def _cut(trace: Trace, start: int, length: int) -> Trace:
    """The trace without some rounds, those after it renumbered; an answer that came in them comes after them."""
    rounds = [played for played in trace.rounds if not start < played.number <= start + length]
    return Trace(
        trace.header,
        tuple(_renumbered(played, number, start, length) for number, played in enumerate(rounds, start=1)),
    )


def _renumbered(played: Round, number: int, start: int, length: int) -> Round:
    known = played.answered
    if known is not None and known > start + 1:
        known = max(start + 1, known - length)
    return played._replace(number=number, answered=None if known is None or known <= number + 1 else known)
