"""The material of the known bugs: the four policies with every step a field, so that a bug is one field changed.

`check` does not use these: it applies `bufalu.reference.policies`, to which the unchanged ones are tested equal. They
are generic over ordered numbers, so that the same bugs run on exact numbers, on doubles and on symbolic reals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, TypeVar

from bufalu.reference.comparisons import Comparisons, EveryTie, OneTie
from bufalu.reference.policies.decisions import (
    Admissible,
    Decision,
    Possibility,
    Reason,
    collected,
    stopping_reason,
)
from bufalu.reference.policies.greedy import allowance
from bufalu.reference.ties import TieBreak
from bufalu.reference.view import Number, View

N = TypeVar("N", bound=Number)

Score: TypeAlias = Literal["lcb", "ucb", "mean", "width"]
Test: TypeAlias = Literal["at most", "below", "ignored"]
Start: TypeAlias = Literal["once", "skipped", "twice", "reversed", "unqueried", "last skipped"]


class StepwiseRule(Protocol):
    """A rule that lists its possible outcomes under given comparisons; also a `Rule`."""

    @property
    def NAME(self) -> str:
        """The policy that the rule is or claims to be."""

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every outcome that the comparisons leaves open, with its reason."""

    def decide(self, view: View[N], ties: TieBreak, /) -> Decision:
        """The decision that this tie-break gives."""

    def admissible(self, view: View[N], /) -> Admissible:
        """Every decision that some tie-break gives."""


@dataclass(frozen=True)
class _Rule:
    NAME: str
    start: Start = "once"

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every outcome that the comparisons leaves open, with its reason."""
        opening = opening_move(self.start, view.round, view.arms)
        if opening is not None:
            yield opening, Reason.INITIAL
            return
        yield from self.later(view, comparisons)

    def later(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """The outcomes after the initial rounds."""
        raise NotImplementedError

    def decide(self, view: View[N], ties: TieBreak) -> Decision:
        """The decision that this tie-break gives."""
        decision, _ = next(self.possible(view, OneTie[N](ties)))
        return decision

    def admissible(self, view: View[N]) -> Admissible:
        """Every decision that some tie-break gives."""
        return collected(self.possible(view, EveryTie[N]()))


@dataclass(frozen=True)
class LeaderRule(_Rule):
    """BuFALU and BuFAU: leader, challenger, candidate, separation test, epsilon test."""

    leader: Score = "lcb"
    challenger_among: Literal["others", "everyone"] = "others"
    candidate: Literal["wider", "narrower", "challenger", "leader", "largest ucb"] = "wider"
    separation: Test = "at most"
    separation_of: Literal["challenger", "candidate", "leader"] = "challenger"
    epsilon_test: Test = "at most"
    epsilon_side: Literal["candidate", "challenger", "candidate width", "leader width", "mean gap"] = "candidate"
    epsilon_squared: bool = False
    both_needed: bool = False
    queried: Literal["candidate", "leader", "challenger"] = "candidate"
    unqueried: Literal["leader", "candidate", "challenger", "best mean"] = "leader"

    def later(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Leader, challenger and candidate in all ways, then the query rule."""
        everyone = range(1, view.arms + 1)
        for leader in self.leaders(view, comparisons):
            others = [arm for arm in everyone if arm != leader or self.challenger_among == "everyone"]
            if not others and self.separation != "ignored":
                yield Decision(leader, False), Reason.SEPARATED
            elif not others:
                yield from self._query_rule(view, comparisons, leader, leader, leader)
            for challenger in comparisons.largest(others, view.ucb):
                for candidate in self._candidates(view, comparisons, leader, challenger):
                    yield from self._query_rule(view, comparisons, leader, challenger, candidate)

    def leaders(self, view: View[N], comparisons: Comparisons[N]) -> Iterable[int]:
        """Every arm that may lead."""
        return comparisons.largest(range(1, view.arms + 1), lambda arm: score(view, arm, self.leader))

    def _candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[int]:
        pair = sorted({leader, challenger})
        if self.candidate == "wider":
            return comparisons.largest(pair, view.width)
        if self.candidate == "narrower":
            return comparisons.smallest(pair, view.width)
        if self.candidate == "largest ucb":
            return comparisons.largest(range(1, view.arms + 1), view.ucb)
        return [challenger if self.candidate == "challenger" else leader]

    def _query_rule(
        self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int, candidate: int
    ) -> Iterator[Possibility]:
        upper = {"challenger": challenger, "candidate": candidate, "leader": leader}[self.separation_of]
        epsilon = view.epsilon * view.epsilon if self.epsilon_squared else view.epsilon
        side = self._uncertainty(view, leader, challenger, candidate)
        for separated in outcomes(comparisons, self.separation, view.ucb(upper), view.lcb(leader)):
            for within in outcomes(comparisons, self.epsilon_test, side, epsilon):
                stopped = separated and within if self.both_needed else separated or within
                if not stopped:
                    queried = {"candidate": candidate, "leader": leader, "challenger": challenger}[self.queried]
                    yield Decision(queried, True), Reason.UNCERTAIN
                    continue
                reason = stopping_reason(separated, within) or Reason.SEPARATED
                for arm in self._unqueried_arms(view, comparisons, leader, challenger, candidate):
                    yield Decision(arm, False), reason

    def _uncertainty(self, view: View[N], leader: int, challenger: int, candidate: int) -> N:
        if self.epsilon_side == "candidate width":
            return view.width(candidate)
        if self.epsilon_side == "leader width":
            return view.width(leader)
        if self.epsilon_side == "mean gap":
            return view.mean(challenger) - view.mean(leader)
        return view.ucb(candidate if self.epsilon_side == "candidate" else challenger) - view.lcb(leader)

    def _unqueried_arms(
        self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int, candidate: int
    ) -> Iterable[int]:
        if self.unqueried == "best mean":
            return comparisons.largest(range(1, view.arms + 1), view.mean)
        return [{"leader": leader, "candidate": candidate, "challenger": challenger}[self.unqueried]]


@dataclass(frozen=True)
class IndexRule(_Rule):
    """CBM-UCB: the arm of largest index, queried while it is wider than epsilon; UCB where that test is ignored."""

    index: Score = "ucb"
    epsilon_test: Test = "at most"
    epsilon_side: Literal["width", "radius", "to best lcb"] = "width"
    epsilon_squared: bool = False
    unqueried: Literal["candidate", "best lcb", "best mean"] = "candidate"

    def later(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every candidate, then the query rule."""
        everyone = range(1, view.arms + 1)
        epsilon = view.epsilon * view.epsilon if self.epsilon_squared else view.epsilon
        for candidate in comparisons.largest(everyone, lambda arm: score(view, arm, self.index)):
            for side in self._sides(view, comparisons, candidate):
                for within in outcomes(comparisons, self.epsilon_test, side, epsilon):
                    if not within:
                        yield Decision(candidate, True), Reason.UNCERTAIN
                        continue
                    for arm in self._unqueried_arms(view, comparisons, candidate):
                        yield Decision(arm, False), Reason.WITHIN_EPSILON

    def _sides(self, view: View[N], comparisons: Comparisons[N], candidate: int) -> list[N]:
        if self.epsilon_side == "width":
            return [view.width(candidate)]
        if self.epsilon_side == "radius":
            return [view.ucb(candidate) - view.mean(candidate)]
        leaders = comparisons.largest(range(1, view.arms + 1), view.lcb)
        return [view.ucb(candidate) - view.lcb(leader) for leader in leaders]

    def _unqueried_arms(self, view: View[N], comparisons: Comparisons[N], candidate: int) -> Iterable[int]:
        if self.unqueried == "candidate":
            return [candidate]
        best: Score = "lcb" if self.unqueried == "best lcb" else "mean"
        return comparisons.largest(range(1, view.arms + 1), lambda arm: score(view, arm, best))


@dataclass(frozen=True)
class BudgetRule(_Rule):
    """Greedy: the arm of largest index while the effective budget lasts, then the best mean.

    `spent_test` compares 6 K ln t with the spending (B^q - K + 1) epsilon^2.
    """

    index: Score = "ucb"
    spent_test: Test = "below"
    epsilon_squared: bool = True
    unqueried: Score = "mean"

    def later(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """The query rule, then every candidate."""
        everyone = range(1, view.arms + 1)
        spending = (view.all_queries() - view.number(view.arms - 1)) * view.epsilon
        if self.epsilon_squared:
            spending = spending * view.epsilon
        for spent in outcomes(comparisons, self.spent_test, allowance(view), spending):
            if spent:
                for arm in comparisons.largest(everyone, lambda arm: score(view, arm, self.unqueried)):
                    yield Decision(arm, False), Reason.BUDGET_SPENT
            else:
                for arm in comparisons.largest(everyone, lambda arm: score(view, arm, self.index)):
                    yield Decision(arm, True), Reason.BUDGET_LEFT


BUFALU = LeaderRule("bufalu")
BUFAU = LeaderRule("bufau", candidate="largest ucb")
CBM_UCB = IndexRule("cbm-ucb")
GREEDY = BudgetRule("greedy")
STEPWISE_RULES: dict[str, StepwiseRule] = {rule.NAME: rule for rule in (BUFALU, BUFAU, CBM_UCB, GREEDY)}


def outcomes(comparisons: Comparisons[N], test: Test, left: N, right: N) -> Iterable[bool]:
    """The possible outcomes of a test; one that is ignored never holds."""
    if test == "ignored":
        return (False,)
    return comparisons.at_most(left, right) if test == "at most" else comparisons.below(left, right)


def score(view: View[N], arm: int, by: Score) -> N:
    """The figure by which a rule ranks an arm."""
    if by == "lcb":
        return view.lcb(arm)
    if by == "ucb":
        return view.ucb(arm)
    return view.mean(arm) if by == "mean" else view.width(arm)


def opening_move(start: Start, round_number: int, arms: int) -> Decision | None:
    """The decision of an initial round, or None when the rule decides."""
    rounds = {"skipped": 0, "twice": 2 * arms, "last skipped": arms - 1}.get(start, arms)
    if round_number > rounds:
        return None
    arm = (round_number - 1) % arms + 1
    if start == "reversed":
        arm = arms + 1 - arm
    return Decision(arm, start != "unqueried")
