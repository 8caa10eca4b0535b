"""How a decision must change when the question changes: another epsilon, other rewards that are not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Protocol, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from bufalu.properties.runs.examination import check_statement, check_subjects
from bufalu.properties.runs.observed_rounds import ObservedRound, Run
from bufalu.properties.runs.scenarios import Player, Scenario, reference_player
from bufalu.properties.runs.statements import Place, Statement
from bufalu.properties.runs.strategies import scenarios
from bufalu.properties.runs.wrong import wrong
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import POLICIES, Decision, policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.state import State
from bufalu.reference.view import ExactView

EVERY_POLICY = frozenset(POLICIES)
STEP = Fraction(1, 4)


def any_policy_scenarios() -> st.SearchStrategy[Scenario]:
    """Games of the four policies of the paper."""
    return st.sampled_from(sorted(POLICIES)).flatmap(lambda policy: scenarios(policy=policy, longest=60))


def yes(holds: bool, situation: ObservedRound, words: str) -> Place:
    """A finding without a slack; `words` say what is wrong if it does not hold."""
    account = (
        f"round {situation.round}: {words}"
        if not holds
        else f"round {situation.round}: the decision is as it must be"
    )
    return Place(holds, 0.0, True, situation.round, situation.arm, partial(str, account))


def decisions_at(run: Run, situation: ObservedRound, epsilon: Exact) -> set[Decision]:
    """The admissible decisions of a situation under another epsilon."""
    return set(run.rule.admissible(ExactView(situation.state, run.confidence, situation.round, epsilon)))


def raising_epsilon_only_stops(run: Run) -> Iterator[Place]:
    """A larger epsilon turns queries into rounds without one, never the other way."""
    yield from moved_epsilon_only_stops(run, STEP)


def moved_epsilon_only_stops(run: Run, step: Fraction) -> Iterator[Place]:
    """Epsilon moved by a step turns queries into rounds without one; a negative step may start queries."""
    for situation in run.situations:
        now = decisions_at(run, situation, situation.epsilon)
        other = situation.epsilon + Exact.of(step)
        raised = decisions_at(run, situation, ZERO if other.sign() < 0 else other)
        stays_unqueried = {decision for decision in now if not decision.query} <= raised
        stays_queried = {decision for decision in raised if decision.query} <= now
        yield yes(stays_unqueried and stays_queried, situation, "a larger epsilon starts a query")


def decision_is_admissible(run: Run) -> Iterator[Place]:
    """The decision belongs to the relation of the paper, exactly; the initial rounds query every arm once."""
    for played in run.rounds[: run.arms]:
        conforms = played.query and played.arm == played.number
        words = f"round {played.number} must play and query arm {played.number}"
        yield Place(conforms, 0.0, True, played.number, played.arm, partial(str, words))
    for situation in run.situations:
        allowed = run.rule.admissible(situation.view)
        yield yes(situation.decision in allowed, situation, f"{situation.decision} is not among {sorted(allowed)}")


@dataclass(frozen=True)
class RewardTable:
    """Rewards by round and arm, seen or not: R_t of arm a is `rows[(t - 1) mod length][(a - 1) mod width]`."""

    rows: tuple[tuple[Rational, ...], ...]

    def reward(self, round_number: int, arm: int) -> Rational:
        """R_t if arm a is played in round t."""
        row = self.rows[(round_number - 1) % len(self.rows)]
        return row[(arm - 1) % len(row)]


class Spectator(Protocol):
    """A player who is shown every reward, queried or not, and should look at the queried ones only."""

    def decide(self, round: int, epsilon: Exact) -> Decision:
        """The decision of the round."""

    def see(self, decision: Decision, reward: Rational) -> None:
        """The reward of the round."""


@dataclass(frozen=True)
class Honest:
    """Passes on the queried rewards alone."""

    player: Player

    def decide(self, round: int, epsilon: Exact) -> Decision:
        """The player's decision."""
        return self.player.decide(round, epsilon)

    def see(self, decision: Decision, reward: Rational) -> None:
        """Observes a queried reward."""
        if decision.query:
            self.player.observe(reward)


SpectatorFactory: TypeAlias = Callable[[Scenario], Spectator]


def honest_reference(scenario: Scenario) -> Spectator:
    """The reference, which cannot see an unqueried reward."""
    return Honest(reference_player(scenario.policy, scenario.arms, scenario.confidence, scenario.ties.start()))


@st.composite
def tables(draw: DrawFn) -> tuple[Scenario, RewardTable]:
    """A scenario of any policy whose rewards come from a table."""
    rewards: st.SearchStrategy[Rational] = st.sampled_from([0, 1, Fraction(1, 2)])
    row = st.lists(rewards, min_size=1, max_size=4).map(tuple)
    return draw(any_policy_scenarios()), RewardTable(tuple(draw(st.lists(row, min_size=1, max_size=5))))


class PeekingPlayer:
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
    return PeekingPlayer(scenario)


def unqueried_rewards_do_not_matter(
    subject: tuple[Scenario, RewardTable], make: SpectatorFactory = honest_reference
) -> Iterator[Place]:
    """Changing the rewards of all unqueried rounds changes no decision (l.268)."""
    scenario, table = subject
    honest = play_table(scenario, table, frozenset(), make(scenario))
    forged = frozenset(number for number, decision in enumerate(honest, start=1) if not decision.query)
    again = play_table(scenario, table, forged, make(scenario))
    for number, (before, after) in enumerate(zip(honest, again, strict=True), start=1):
        telling = any(earlier < number for earlier in forged)
        words = f"round {number}: {before} stays {after}, or should, when unqueried rewards change"
        yield Place(before == after, 0.0, telling, number, before.arm, partial(str, words))


def play_table(
    scenario: Scenario, table: RewardTable, forged: frozenset[int], spectator: Spectator
) -> list[Decision]:
    """Plays with rewards by round; in the rounds of `forged` the reward is another one."""
    state = State(scenario.arms)
    confidence = confidence_named(scenario.confidence)
    decisions: list[Decision] = []
    for number in range(1, scenario.horizon + 1):
        epsilon = ZERO
        if number > scenario.arms:
            epsilon = scenario.epsilon.level(ExactView(state, confidence, number, ZERO))
        decision = spectator.decide(number, epsilon)
        reward = table.reward(number, decision.arm)
        spectator.see(decision, 1 - reward if number in forged else reward)
        if decision.query:
            state.record(decision.arm, reward)
        decisions.append(decision)
    return decisions


RAISING_EPSILON = check_statement(
    Statement(
        "metamorphic.raising_epsilon",
        ("epsilon.wide_blocks",),
        "a larger epsilon never starts a query",
        raising_epsilon_only_stops,
        EVERY_POLICY,
    ),
    any_policy_scenarios,
    30,
    mutants={
        "a smaller epsilon never starts a query": wrong(
            partial(moved_epsilon_only_stops, step=Fraction(-1)), any_policy_scenarios
        )
    },
)
CONFORMS_EXACTLY = Statement(
    "conformance.exact",
    ("conformance.exact",),
    "every decision is one that some tie-break of the paper's rule gives",
    decision_is_admissible,
    EVERY_POLICY,
)

check_subjects(
    "mean.ignores_unqueried",
    subjects=tables,
    quick=40,
    mutants={"a player who uses unqueried rewards": wrong(partial(unqueried_rewards_do_not_matter, make=peeking))},
)(unqueried_rewards_do_not_matter)
