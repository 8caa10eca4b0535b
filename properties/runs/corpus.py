"""One set of games for many statements: games made by hand, and generated ones of every kind, the same for the same seed."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bufalu.properties.runs.directed_scenarios import directed_scenarios
from bufalu.properties.runs.scenarios import Oblivious, Scenario
from bufalu.properties.runs.search import Observation, search
from bufalu.properties.runs.strategies import LONGEST, adversaries, scenarios, separating_scenarios
from bufalu.reference.schedules import Budget


@st.composite
def _budget_ties(draw: st.DrawFn, policy: str, confidence: str, longest: int) -> Scenario:
    """Games under budgets that are multiples of K: widths meet epsilon exactly."""
    game = draw(scenarios(policy=policy, confidence=st.just(confidence), longest=longest))
    return replace(game, epsilon=Oblivious(Budget(draw(st.integers(1, 20)) * game.arms)))


def all_kinds_of_scenarios(policy: str, confidence: str, longest: int = LONGEST) -> SearchStrategy[Scenario]:
    """Games of one policy and interval: any, long, against an adversary, and with exact ties."""
    long = separating_scenarios(policy).map(
        lambda game: replace(game, confidence=confidence, horizon=min(game.horizon, longest + 10))
    )
    aimed = scenarios(policy=policy, epsilon=adversaries(), longest=longest).map(
        lambda game: replace(game, confidence=confidence)
    )
    return (
        scenarios(policy=policy, confidence=st.just(confidence), longest=longest)
        | long
        | aimed
        | _budget_ties(policy, confidence, longest)
    )


def corpus(policy: str, confidence: str, size: int, seed: int = 0, longest: int = LONGEST) -> list[Scenario]:
    """The directed games and `size` others, the same for the same seed."""
    collected = [
        replace(game, horizon=min(game.horizon, longest + 10)) for game in directed_scenarios(policy, confidence)
    ]

    def keep(game: Scenario) -> Observation:
        collected.append(game)
        return Observation(True, True, float("inf"), "")

    search(
        f"corpus:{policy}:{confidence}",
        all_kinds_of_scenarios(policy, confidence, longest),
        keep,
        cases=size,
        seed_number=seed,
    )
    return collected
