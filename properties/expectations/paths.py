"""All paths of a short run, one by one: the slow way that the merged walk is measured against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from bufalu.properties.expectations.cases import ExactCase
from bufalu.reference.instances import Instance
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.rounds import Round
from bufalu.reference.simulation import simulate


class _Script:
    """Rewards that follow a list of choices, one for each query of the run, and then the smallest value."""

    def __init__(self, instance: Instance, choices: list[int]) -> None:
        self._instance = instance
        self.choices = list(choices)
        self.sizes: list[int] = []
        self.probability = Fraction(1)

    def draw(self, arm: int, k: int) -> Rational:
        """The value that is next in the script."""
        distribution = self._instance.arms[arm - 1]
        if len(self.sizes) == len(self.choices):
            self.choices.append(0)
        choice = self.choices[len(self.sizes)]
        self.sizes.append(len(distribution.values))
        self.probability *= distribution.probabilities[choice]
        return distribution.values[choice]


def all_paths(case: ExactCase) -> Iterator[tuple[list[Round], Fraction]]:
    """Every path of a case with a fixed tie-break, with its probability; exponentially many."""
    choices: list[int] | None = []
    while choices is not None:
        script = _Script(case.instance, choices)
        policy = LivePolicy(policy_named(case.policy), case.instance.number_of_arms, case.confidence, case.ties)
        rounds = list(simulate(policy, case.instance, case.schedule, case.horizon, script))
        yield rounds, script.probability
        choices = _following(script.choices, script.sizes)


def _following(choices: list[int], sizes: list[int]) -> list[int] | None:
    for position in reversed(range(len(choices))):
        if choices[position] + 1 < sizes[position]:
            return [*choices[:position], choices[position] + 1]
    return None
