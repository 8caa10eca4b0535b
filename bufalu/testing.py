"""For Python projects: the conformance games as a test class in your own test run.

    from bufalu.testing import conformance

    TestMyBandit = conformance(lambda arms: MyBandit(arms), policy="bufalu", confidence="hoeffding")

pytest collects `TestMyBandit` like any other class: a smoke test, one test for each directed game, and a Hypothesis
search that shrinks. The factory's objects need `decide(round, epsilon) -> (arm, query)`, arms and rounds from 1, and
`observe(reward)`, which is called only after a decision that queried.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import HealthCheck, given, settings

from bufalu.oracle.conformance import SEARCHED_ROUNDS
from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.games import Game, play
from bufalu.oracle.implementations import FactoryUnderTest, LiveObject
from bufalu.oracle.limits import LONG
from bufalu.oracle.report import diagnosed
from bufalu.oracle.search import Script, scripts
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import policy_named

__all__ = ["Nonconforming", "conformance"]


class Nonconforming(AssertionError):
    """A decision that no tie-break gives; the message is the argument that `bufalu check` would print."""


def conformance(
    factory: Callable[[int], LiveObject],
    policy: str = "bufalu",
    confidence: str = "hoeffding",
    *,
    strict: bool = False,
    rounds: int = LONG,
    arms: int = Scope().arms,
) -> type:
    """A test class for objects made by `factory(arms)`; raises `UnknownName` for a policy or interval that is none.

    By default, what doubles cannot tell apart is accepted either way; `strict` accepts only exact arithmetic. The long
    games have so many rounds, and no game has more arms.
    """
    policy_named(policy)
    confidence_named(confidence)

    def run(game: Game) -> None:
        played = play(game, FactoryUnderTest(factory), policy, confidence, strict)
        if played.divergence is not None:
            report = diagnosed(played.checked, played.trace, strict)
            raise Nonconforming("\n".join(report.lines()))

    def directed_test(game: Game) -> Callable[[object], None]:
        def test(self: object) -> None:
            run(game)

        test.__doc__ = f"Directed game: {game.name}."
        return test

    @settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors])
    @given(script=scripts(policy, min(rounds, SEARCHED_ROUNDS), arms))
    def test_search(self: object, script: Script) -> None:
        """A Hypothesis search over small games."""
        run(script.game())

    members: dict[str, object] = {"test_search": test_search, "__doc__": f"{policy} with {confidence} intervals."}
    for stage in Stage:
        for game in games(stage, policy, confidence, Scope(rounds, arms)):
            if stage is not Stage.ENDURANCE:
                members[f"test_{re.sub('[^a-z0-9]+', '_', game.name)}"] = directed_test(game)
    return type("Conformance", (), members)
