"""The search for counterexamples with Hypothesis, and the shrinking of those that directed games have found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, Unsatisfiable

from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.games import Game, Played, compared_with_epsilon, game_of_trace
from bufalu.reference.rounds import Round
from bufalu.reference.traces import Trace
from bufalu.reference.view import ExactView

REWARDS = (0.0, 1.0, 0.5, 0.25, 0.75, 0.125, 0.1, 0.3)
EPSILONS = (0.0, 1.0, 2.0, 0.5, 3.0, 0.25, 8.0, 0.1, 30.0)
AIMS = (0.0, 1 - 1e-6, 1 + 1e-6, 0.9, 1.1, 2.0)
_SHRINKING_GAMES = 80

Play = Callable[[Game], Played]


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

    def _epsilon(self, view: ExactView) -> float:
        place = view.round - view.arms - 1
        aim = self.aims[place % len(self.aims)]
        if aim:
            return min(1e6, aim * compared_with_epsilon(self.policy, view))
        return self.epsilons[place % len(self.epsilons)]

    def _reward(self, arm: int, k: int) -> float:
        tape = self.tapes[arm - 1]
        return tape[(k - 1) % len(tape)]


def scripts(policy: str, rounds: int) -> st.SearchStrategy[Script]:
    """Scripts of at most so many rounds."""
    tape = st.lists(st.sampled_from(REWARDS), min_size=1, max_size=4).map(tuple)
    return st.builds(
        Script,
        policy=st.just(policy),
        rounds=st.integers(1, max(rounds, 1)),
        tapes=st.lists(tape, min_size=1, max_size=5).map(tuple),
        epsilons=st.lists(st.sampled_from(EPSILONS), min_size=1, max_size=5).map(tuple),
        aims=st.lists(st.sampled_from(AIMS), min_size=1, max_size=3).map(tuple),
    )


class _Found(Exception):
    """Raised inside the search when a game has failed."""


def search(play: Play, policy: str, examples: int, rounds: int, seed_number: int) -> Played | None:
    """Looks for a failing game and shrinks it; raises `BrokenProgram` as soon as the program breaks."""
    failures: list[Played] = []
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
    @given(scripts(policy, rounds))
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


def size(played: Played) -> tuple[int, int]:
    """What shrinking makes small: rounds, then arms."""
    return len(played.trace.rounds), played.trace.header.arms


def shrunk(found: Played, play: Play, policy: str, seed_number: int) -> Played:
    """A smaller failing game, if one is found in reasonable time: by search among small games, else by leaving out
    rounds of the one that failed.
    """
    smaller = search(play, policy, _SHRINKING_GAMES, min(40, len(found.trace.rounds)), seed_number)
    best = found if smaller is None else min(found, smaller, key=size)
    return best if len(best.trace.rounds) <= 40 else _without_rounds(best, play)


def _without_rounds(found: Played, play: Play) -> Played:
    """Leaves out stretches of rounds, halving their length, as long as the game still fails."""
    length = len(found.trace.rounds) // 2
    games = 0
    while length >= 1 and games < _SHRINKING_GAMES:
        start, progress = found.trace.header.arms, False
        while start + length < len(found.trace.rounds) and games < _SHRINKING_GAMES:
            games += 1
            played = play(game_of_trace(_cut(found.trace, start, length)))
            if played.divergence is not None and size(played) < size(found):
                found, progress = played, True
            else:
                start += length
        length = length if progress and length > 8 else length // 2
    return found


def _cut(trace: Trace, start: int, length: int) -> Trace:
    """The trace without some rounds, those after it renumbered."""
    kept: list[Round] = [*trace.rounds[:start], *trace.rounds[start + length :]]
    return Trace(trace.header, tuple(r._replace(number=number) for number, r in enumerate(kept, start=1)))
