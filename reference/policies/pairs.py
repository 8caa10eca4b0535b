"""The pair rule, beyond the paper: compare the leader with each other arm by a radius that the two arms share.

It has no confidence interval of its own for an arm. An arm without answers has an infinite radius with every other, so it is
queried before any arm that has some. docs/pairs.md has the theorem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.errors import InvalidNumber
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies.decisions import ComparisonStep, Decision, Possibility, Reason, RoleStep, Step
from bufalu.reference.policies.policy import Pairing, Policy
from bufalu.reference.radius_shapes import LARGEST_SPREAD
from bufalu.reference.rationals import (
    CountLike,
    NumberLike,
    Rational,
    format_rational,
    parameter,
    parse_count,
    whole_number,
)
from bufalu.reference.view import ExactView, N, View, maximisers

DEFAULT_SPREAD = 4
"""The spread that `pairs:KAPPA` means: it measured best."""


@dataclass(frozen=True, init=False, repr=False)
class PairsPolicy(Policy):
    """The leader has the largest mean, the challenger the largest index beside it; the less queried of the two is queried.

    Less queried means that the challenger's queries count `kappa` times. Raises `InvalidNumber` unless kappa is a rational
    of at least 1 and the spread a whole number of at least 1.
    """

    kappa: Rational
    spread: int
    ours = True
    uses_interval = False
    kernel = "pairs"
    interchangeable = 2
    uncertainty_words = "index of the challenger"

    def __init__(self, kappa: NumberLike, spread: CountLike = DEFAULT_SPREAD) -> None:
        object.__setattr__(self, "kappa", parameter(kappa, "kappa"))
        object.__setattr__(self, "spread", whole_number(spread, "spread", 1, LARGEST_SPREAD))
        if self.kappa < 1:
            raise InvalidNumber(f"the pair rule's kappa is at least 1, not {format_rational(self.kappa)}")

    @property
    def text(self) -> str:
        """`pairs:KAPPA`, or `pairs:KAPPA:SPREAD` with another spread than 4."""
        return f"pairs:{self._numbers}"

    @property
    def title(self) -> str:
        """The name for people."""
        return f"The pair rule at {self._numbers}"

    @property
    def _numbers(self) -> str:
        return format_rational(self.kappa) + ("" if self.spread == DEFAULT_SPREAD else f":{self.spread}")

    @property
    def pairing(self) -> Pairing:
        """kappa and the spread."""
        return Pairing(self.kappa, self.spread)

    def index(self, view: View[N], leader: int) -> Callable[[int], N]:
        """U_t of the other arms: mean(a) - mean(leader) + r_t(a, leader)."""
        mean, radius, best, spread = view.mean, view.pair_radius, view.mean(leader), self.spread
        return lambda arm: radius(arm, leader, spread) - (best - mean(arm))

    def load(self, view: View[N], leader: int) -> Callable[[int], N]:
        """The queries of leader and challenger, those of the challenger kappa times, both in whole numbers."""
        ours, theirs = view.number(self.kappa.denominator), view.number(self.kappa.numerator)
        return lambda arm: (ours if arm == leader else theirs) * view.queries(arm)

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every selection of leader, challenger and candidate from the arms that may be each."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # leader, challenger, candidate
        everyone = range(1, view.arms + 1)
        for leader in comparisons.largest(everyone, view.mean):
            index, load = self.index(view, leader), self.load(view, leader)
            others = [arm for arm in everyone if arm != leader]
            if not others:
                yield Decision(leader, False), Reason.UNCHALLENGED
            for challenger in comparisons.largest(others, index):
                # query rule
                for within in comparisons.at_most(index(challenger), view.epsilon):
                    if within:
                        yield Decision(leader, False), Reason.UNCHALLENGED
                        continue
                    for candidate in comparisons.smallest(sorted((leader, challenger)), load):
                        yield Decision(candidate, True), Reason.CHALLENGED

    def steps(self, view: ExactView) -> list[Step]:
        """Leader, challenger, the challenger's index against epsilon, and the counts of both."""
        leaders, challengers = self.roles(view)
        leader = leaders[0]
        steps: list[Step] = [RoleStep("leader", tuple(leaders), "the largest mean", leader)]
        if not challengers:
            return [*steps, "challenged? there is no other arm: no"]
        challenger = challengers[0]
        steps.append(RoleStep("challenger", tuple(challengers), "the largest index of the others", challenger))
        index, epsilon = self.index(view, leader)(challenger), view.epsilon
        ours, theirs = view.queries(leader), view.number(self.kappa) * view.queries(challenger)
        name = f"mean({challenger}) - mean({leader}) + radius({challenger}, {leader})"
        kappa = format_rational(self.kappa)
        return [
            *steps,
            ComparisonStep("within epsilon?", name, index, "<=", "epsilon", epsilon, index <= epsilon),
            ComparisonStep(
                "leader's turn?",
                f"queries({leader})",
                ours,
                "<=",
                f"{kappa} queries({challenger})",
                theirs,
                ours <= theirs,
            ),
        ]

    def epsilon_side(self, view: ExactView) -> Exact:
        """The index of the first challenger; 0 with a single arm."""
        leaders, challengers = self.roles(view)
        return self.index(view, leaders[0])(challengers[0]) if challengers else ZERO

    def roles(self, view: ExactView) -> tuple[list[int], list[int]]:
        """All leaders, and all challengers of the first."""
        everyone = range(1, view.arms + 1)
        leaders = maximisers(everyone, view.mean)
        return leaders, maximisers([arm for arm in everyone if arm != leaders[0]], self.index(view, leaders[0]))


def pairs(argument: str | None) -> PairsPolicy:
    """The policy of the text form `pairs:KAPPA` or `pairs:KAPPA:SPREAD`; raises `InvalidNumber` for other numbers."""
    if argument is None:
        raise InvalidNumber("the pair rule needs its number: pairs:2")
    kappa, colon, spread = argument.partition(":")
    return PairsPolicy(kappa, parse_count(spread, 1) if colon else DEFAULT_SPREAD)
