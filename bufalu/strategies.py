"""Hypothesis strategies for properties of your own about your own implementation.

    from hypothesis import given
    from bufalu import check_trace
    from bufalu.strategies import games, played

    @given(games())
    def test_mine(game):
        assert check_trace(played(game, MyBandit)).conforms

`instances`, `schedules`, `games`, `near_ties` and `traces` are small and nasty: equal arms, tiny gaps, epsilon aimed at the
policies' own tests. Everything shrinks.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bufalu.oracle.errors import UnusableCommand
from bufalu.oracle.games import record
from bufalu.oracle.implementations import FactoryUnderTest, LiveObject
from bufalu.oracle.search import REWARDS, Script, scripts
from bufalu.oracle.tolerance import CLOSENESS_DOUBLE
from bufalu.properties.runs.strategies import MOST_ARMS, oblivious
from bufalu.properties.runs.strategies import instances as any_instances
from bufalu.reference import arguments
from bufalu.reference.arguments import IntervalLike, PolicyLike
from bufalu.reference.instances import Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.rationals import CountLike, shown, whole_number
from bufalu.reference.schedules import Schedule
from bufalu.reference.traces import Trace

__all__ = ["games", "instances", "near_ties", "played", "schedules", "traces"]

ROUNDS = 40
_NEAR = (1.0, 1 - 4 * CLOSENESS_DOUBLE, 1 + 4 * CLOSENESS_DOUBLE)


def instances(arms: CountLike = MOST_ARMS) -> SearchStrategy[Instance]:
    """Instances of at most so many arms: one mean for all, ties for the best, tiny gaps, or anything."""
    return any_instances(whole_number(arms, "arms", 1))


def schedules(arms: CountLike = 2) -> SearchStrategy[Schedule]:
    """Schedules of every kind for so many arms, with budgets for which widths meet epsilon exactly."""
    return oblivious(whole_number(arms, "arms", 1), 3).map(lambda source: source.schedule)


def games(policy: PolicyLike = "bufalu", rounds: CountLike = ROUNDS, arms: CountLike = 5) -> SearchStrategy[Script]:
    """Games in plain numbers for `played`: rewards for each arm, and epsilons, some of them aimed at the policy's test."""
    return scripts(arguments.policy(policy).text, whole_number(rounds, "rounds", 1), whole_number(arms, "arms", 1))


def near_ties(
    policy: PolicyLike = "bufalu", rounds: CountLike = ROUNDS, arms: CountLike = 3
) -> SearchStrategy[Script]:
    """Games in which every epsilon is what it is compared with, as nearly as doubles can tell, or a little aside."""
    tape = st.lists(st.sampled_from(REWARDS), min_size=1, max_size=4).map(tuple)
    return st.builds(
        Script,
        policy=st.just(arguments.policy(policy).text),
        rounds=st.integers(1, whole_number(rounds, "rounds", 1)),
        tapes=st.lists(tape, min_size=1, max_size=whole_number(arms, "arms", 1)).map(tuple),
        epsilons=st.just((0.0,)),
        aims=st.lists(st.sampled_from(_NEAR), min_size=1, max_size=3).map(tuple),
    )


def traces(
    policy: PolicyLike = "bufalu", confidence: IntervalLike = "hoeffding", rounds: CountLike = ROUNDS
) -> SearchStrategy[Trace]:
    """Traces of the reference itself, all of which conform."""
    rule, interval = arguments.policy(policy), arguments.interval(confidence)

    def reference(arms: int) -> LivePolicy:
        return LivePolicy(rule, arms, interval)

    return games(policy, rounds).map(lambda game: played(game, reference, policy, confidence))


def played(
    game: Script,
    factory: Callable[[int], LiveObject],
    policy: PolicyLike = "bufalu",
    confidence: IntervalLike = "hoeffding",
) -> Trace:
    """What an object made by `factory(arms)` does in a game, as a trace for `check_trace`.

    Raises `BrokenProgram` for an answer that is no decision.
    """
    if not isinstance(game, Script):
        raise UnusableCommand(f"game must come from `games` or `near_ties`, not {shown(game)}")
    rule, interval = arguments.policy(policy).text, arguments.interval(confidence).text
    trace = record(game.game(), FactoryUnderTest(factory), rule, interval)
    assert trace is not None, "an object skips nothing"
    return trace
