"""How a wrong claim is made out of a right one, from outside, and refuted; the catalogue is in wrong_statements.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bufalu.properties.runs.cases import ProofCase, Shares, queried_width_reaches_gap
from bufalu.properties.runs.counts import over_corner_means, proof_level, queried_rounds, unqueried_rounds
from bufalu.properties.runs.examination import observe_findings
from bufalu.properties.runs.metamorphic import (
    Spectator,
)
from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.scenarios import Adversary, Aim, Oblivious, Scenario, play
from bufalu.properties.runs.search import search
from bufalu.properties.runs.sequences import (
    SequenceCase,
    count_of_reaching_rounds,
    counts_stay_within,
    last_reaching_round,
    whole,
)
from bufalu.properties.runs.statements import Examination, Place, TrueMeans, at_most
from bufalu.properties.runs.strategies import scenarios
from bufalu.properties.runs.thresholds import BernsteinCount, HoeffdingCount, SampleCount, good_event_count
from bufalu.properties.runs.worst_means import Intervals, corner_means
from bufalu.reference.confidence import BernsteinInterval, ConfidenceInterval, HoeffdingInterval
from bufalu.reference.exact import ONE, Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import Zero
from bufalu.reference.view import ExactView

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
    subjects: Callable[[], SearchStrategy[Scenario]] = scenarios,
) -> ClaimMutant:
    """A wrong statement about runs."""
    search_runs = refutation(identifier, subjects, lambda scenario: examine(play(scenario)))
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


def hoeffding_scenarios() -> SearchStrategy[Scenario]:
    """Games with Hoeffding's interval."""
    return scenarios(confidence=st.just("hoeffding"))


def bernstein_scenarios() -> SearchStrategy[Scenario]:
    """Games with Bernstein's interval."""
    return scenarios(confidence=st.just("bernstein"))


def free_scenarios() -> SearchStrategy[Scenario]:
    """Games in which queries are free: what goes unqueried has a gap of exactly epsilon = 0."""
    return scenarios(epsilon=st.just(Oblivious(Zero())), longest=60)


def free_adversaries() -> SearchStrategy[Scenario]:
    """The same, the adversary being generous."""
    return scenarios(epsilon=st.just(Adversary((Aim.FREE,))), longest=60)


def without_good_event(run: Run) -> Iterator[Place]:
    """(ii) for all means in [0, 1]: an unqueried arm would never have a gap above epsilon."""
    for situation in run.situations:
        if not situation.query and run.arms > 1:
            holds = situation.epsilon >= ONE
            words = f"round {situation.round}: arm {situation.arm} may have mean 0 and another arm mean 1"
            yield Place(holds, 0.0, True, situation.round, situation.arm, partial(str, words))


def with_epsilon(examine: Examination, change: Callable[[Exact], Exact]) -> Examination:
    """A statement that is told another epsilon than the run had: wrong where its epsilon should be the run's."""

    def examination(run: Run) -> Iterable[Place]:
        told = [
            replace(each, view=ExactView(each.state, run.confidence, each.round, change(each.epsilon)))
            for each in run.situations
        ]
        return examine(replace(run, situations=tuple(told), memory={}))

    return examination


def twice(epsilon: Exact) -> Exact:
    """2 epsilon."""
    return epsilon + epsilon


def half(epsilon: Exact) -> Exact:
    """epsilon / 2."""
    return Exact.of(Fraction(1, 2)) * epsilon


def slightly_less(epsilon: Exact) -> Exact:
    """epsilon - 2^-40: whatever held with equality does not hold any more."""
    return epsilon - Exact.of(Fraction(1, 2**40))


def one_less(examine: Callable[[S], Iterable[Place]]) -> Callable[[S], Iterator[Place]]:
    """A statement about whole numbers with a bound that is smaller by one."""

    def examination(subject: S) -> Iterator[Place]:
        for place in examine(subject):
            yield place._replace(holds=place.holds and place.slack >= 1)

    return examination


def never(examine: Examination) -> Examination:
    """A statement that forbids everything about which the right one has something to say."""
    return lambda run: (place._replace(holds=False) for place in examine(run))


def gap_within_own_width(run: Run) -> Iterator[Place]:
    """Every arm's gap would be at most its own width, not only that of the arm with the largest upper bound."""
    intervals = Intervals(run)
    for true_means in corner_means(intervals):
        for index, situation in enumerate(run.situations):
            if intervals.good(index, true_means):
                for arm, (low, high) in zip(situation.arms, intervals.bounds[index], strict=True):
                    reason = (
                        f"round {situation.round}, arm {arm}, means {true_means.text()}: its gap against its width"
                    )
                    yield at_most(Exact.of(true_means.gap(arm)), high - low, situation.round, arm, reason)


class AlwaysGood(Intervals):
    """Intervals that pass every round off as good."""

    def good(self, index: int, true_means: TrueMeans) -> bool:
        """True, whatever the means are."""
        return True


def unqueried_in_bad_rounds(run: Run) -> Iterator[Place]:
    """L_epsilon bounding all unqueried rounds of an arm, where that arm is the worst and all rounds are bad."""
    for arm in range(1, run.arms + 1):
        means = tuple(0 if other == arm else 1 for other in range(1, run.arms + 1))
        yield from unqueried_rounds(AlwaysGood(run), TrueMeans(means, (0,) * run.arms))


def queried_at_level(share: Rational, applies: Callable[[TrueMeans, int], bool]) -> Examination:
    """The bound on queried rounds with the level of some arms multiplied."""

    def level(true_means: TrueMeans, arm: int) -> Rational | None:
        right = proof_level(true_means, arm)
        return right if right is None or not applies(true_means, arm) else share * right

    return over_corner_means(partial(queried_rounds, level=level))


def suboptimal_beside_one(true_means: TrueMeans, arm: int) -> bool:
    """Whether one arm alone is optimal, and it is another one."""
    return len(true_means.optimal) == 1 and true_means.gap(arm) > 0


def alone_at_the_top(true_means: TrueMeans, arm: int) -> bool:
    """Whether the arm is the only optimal one."""
    return true_means.optimal == (arm,)


def beside_several(true_means: TrueMeans, arm: int) -> bool:
    """Whether several arms are optimal."""
    return len(true_means.optimal) > 1


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

    def __init__(self, scenario: Scenario) -> None:
        self._policy = LivePolicy(
            policy_named(scenario.policy), scenario.arms, scenario.confidence, scenario.ties.start()
        )

    def decide(self, round: int, epsilon: Exact) -> Decision:
        """The policy's decision, with what it should not know."""
        return self._policy.decide(round, epsilon)

    def see(self, decision: Decision, reward: Rational) -> None:
        """Remembers the reward in any case."""
        if decision.query:
            self._policy.observe(reward)
        else:
            self._policy.state.record(decision.arm, reward)


def peeking(scenario: Scenario) -> Spectator:
    """The peeking player of a scenario."""
    return Peeking(scenario)


def count_rises_with_level(question: SequenceCase) -> Iterator[Place]:
    """L_epsilon would grow with Delta."""
    count = count_of_reaching_rounds(question)
    higher = count_of_reaching_rounds(replace(question, level=question.level + Fraction(1, 8)))
    words = f"{question.text()}: L = {count} against {higher} at a level higher by 1/8"
    yield whole(count <= higher, abs(count - higher), True, words)


def inverse_equals_count(question: SequenceCase) -> Iterator[Place]:
    """L_epsilon would be epsilon^-1 for every sequence."""
    count, last = count_of_reaching_rounds(question), last_reaching_round(question)
    yield whole(count == last, 0, last > 0, f"{question.text()}: L = {count}, last round {last}")


def budget_for_one_arm_more(question: SequenceCase) -> Iterator[Place]:
    """N-bar(T, 0) <= B(T) / (K + 1)."""
    total = question.schedule.budget_at(question.horizon, question.arms)
    if total is not None:
        yield from counts_stay_within(question, Fraction(total) / (question.arms + 1))
