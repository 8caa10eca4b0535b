"""How a wrong claim is stated and refuted; the catalogue is in claim_mutants.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bufalu.properties.runs.cases import ProofCase, Shares, queried_width_reaches_gap
from bufalu.properties.runs.counts import (
    CountBounds,
    over_corner_worlds,
    queried_rounds,
    unqueried_rounds,
)
from bufalu.properties.runs.examination import observe_findings
from bufalu.properties.runs.games import Adversary, Aim, Game, Oblivious, play
from bufalu.properties.runs.metamorphic import (
    Spectator,
)
from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.search import search
from bufalu.properties.runs.statements import Examination, Place, TrueMeans
from bufalu.properties.runs.strategies import games
from bufalu.properties.runs.thresholds import BernsteinCount, HoeffdingCount, SampleCount, good_event_count
from bufalu.properties.runs.worst_means import Intervals
from bufalu.reference.confidence import BernsteinInterval, ConfidenceInterval, HoeffdingInterval
from bufalu.reference.exact import ONE, Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import Zero

MOST_CASES = 400
"""How many cases a killer may look at; nearly all mutants die within a few dozen."""

S = TypeVar("S")


@dataclass(frozen=True)
class ClaimMutant:
    """A wrong claim, the check that must refute it, and the search that does (None if it fails to)."""

    id: str
    description: str
    check: str
    attempt: Callable[[int, int], str | None]

    def killed(self, cases: int = MOST_CASES, seed: int = 0) -> str | None:
        """The account of a counterexample among so many cases, or None."""
        return self.attempt(cases, seed)


def refutation(
    name: str, subjects: Callable[[], SearchStrategy[S]], examine: Callable[[S], Iterable[Place]]
) -> Callable[[int, int], str | None]:
    """The search for a counterexample to a wrong statement."""

    def attempt(cases: int, seed: int) -> str | None:
        outcome = search(
            f"mutant.{name}",
            subjects(),
            lambda subject: observe_findings(examine(subject)),
            cases=cases,
            seed_number=seed,
            shrink=False,
        )
        return None if outcome.refuted is None else outcome.refuted_account

    return attempt


def on_runs(
    identifier: str,
    description: str,
    check: str,
    examine: Examination,
    subjects: Callable[[], SearchStrategy[Game]] = games,
) -> ClaimMutant:
    """A wrong statement about runs."""
    search_runs = refutation(identifier, subjects, lambda game: examine(play(game)))
    return ClaimMutant(identifier, description, f"runs.{check}", search_runs)


def on_others(
    identifier: str,
    description: str,
    check: str,
    *,
    subjects: Callable[[], SearchStrategy[S]],
    examine: Callable[[S], Iterable[Place]],
) -> ClaimMutant:
    """A wrong statement about something else than a run."""
    return ClaimMutant(identifier, description, f"runs.{check}", refutation(identifier, subjects, examine))


def hoeffding_games() -> SearchStrategy[Game]:
    """Games with Hoeffding's interval."""
    return games(confidence=st.just("hoeffding"))


def bernstein_games() -> SearchStrategy[Game]:
    """Games with Bernstein's interval."""
    return games(confidence=st.just("bernstein"))


def free_games() -> SearchStrategy[Game]:
    """Games in which queries are free: what goes unqueried has a gap of exactly epsilon = 0."""
    return games(epsilon=st.just(Oblivious(Zero())), longest=60)


def free_adversaries() -> SearchStrategy[Game]:
    """The same, the adversary being generous."""
    return games(epsilon=st.just(Adversary((Aim.FREE,))), longest=60)


def without_good_event(run: Run) -> Iterator[Place]:
    """(ii) for all means in [0, 1]: an unqueried arm would never have a gap above epsilon."""
    for situation in run.situations:
        if not situation.query and run.arms > 1:
            holds = situation.epsilon >= ONE
            words = f"round {situation.round}: arm {situation.arm} may have mean 0 and another arm mean 1"
            yield Place(holds, 0.0, True, situation.round, situation.arm, partial(str, words))


def unqueried_in_any_world(run: Run) -> Iterator[Place]:
    """L_epsilon bounding all unqueried rounds of an arm, in a world where that arm is the worst and all rounds bad."""
    intervals = Intervals(run)
    for arm in range(1, run.arms + 1):
        means = tuple(0 if other == arm else 1 for other in range(1, run.arms + 1))
        yield from unqueried_rounds(intervals, TrueMeans(means, (0,) * run.arms), CountBounds(good_event=False))


def counting(change: CountBounds, queried: bool = True) -> Examination:
    """The count bounds with other constants."""
    return over_corner_worlds(queried_rounds if queried else unqueried_rounds, change)


def one_case(case: ProofCase, shares: Shares) -> Examination:
    """One of the five cases with another share of the gap."""
    return lambda run: queried_width_reaches_gap(run, shares, frozenset({case}))


def smaller_hoeffding(interval: ConfidenceInterval, variance: Rational) -> SampleCount | None:
    """N_a^g with 1 for 6."""
    return HoeffdingCount(1) if interval == HoeffdingInterval() else good_event_count(interval, variance)


def smaller_bernstein(interval: ConfidenceInterval, variance: Rational) -> SampleCount | None:
    """N_a^g with 6 for 52."""
    if interval != BernsteinInterval():
        return good_event_count(interval, variance)
    return BernsteinCount(quadratic=24 * Fraction(variance), linear=6)


class Peeking:
    """A player who looks at every reward, queried or not."""

    def __init__(self, game: Game) -> None:
        self._policy = LivePolicy(policy_named(game.policy), game.arms, game.confidence, game.ties.start())

    def decide(self, round: int, epsilon: Exact) -> Decision:
        """The policy's decision, with what it should not know."""
        return self._policy.decide(round, epsilon)

    def see(self, decision: Decision, reward: Rational) -> None:
        """Remembers the reward in any case."""
        if decision.query:
            self._policy.observe(reward)
        else:
            self._policy.state.record(decision.arm, reward)


def peeking(game: Game) -> Spectator:
    """The peeking player of a game."""
    return Peeking(game)
