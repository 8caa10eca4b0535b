"""Arms with the same interval, or the same answers, are interchangeable: of many such arms a relation need look at a few.

800 tied arms have 640,000 pairs of leader and challenger, and all of these pairs decide alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from bufalu.reference.comparisons import Comparisons, EveryTie
from bufalu.reference.exact import Exact
from bufalu.reference.policies.decisions import Admissible, Possibility, collected
from bufalu.reference.policies.policy import Policy
from bufalu.reference.rationals import Rational
from bufalu.reference.view import ExactView

_FEW_ARMS = 12
"""Up to this many arms every one is looked at."""


class _Representatives:
    """A view of some of the arms, numbered anew."""

    def __init__(self, view: ExactView, chosen: list[int]) -> None:
        self.round = view.round
        self.arms = len(chosen)
        self.epsilon = view.epsilon
        self._view = view
        self._chosen = chosen

    def lcb(self, arm: int) -> Exact:
        return self._view.lcb(self._chosen[arm - 1])

    def ucb(self, arm: int) -> Exact:
        return self._view.ucb(self._chosen[arm - 1])

    def width(self, arm: int) -> Exact:
        return self._view.width(self._chosen[arm - 1])

    def mean(self, arm: int) -> Exact:
        return self._view.mean(self._chosen[arm - 1])

    def queries(self, arm: int) -> Exact:
        return self._view.queries(self._chosen[arm - 1])

    def pair_radius(self, arm: int, other: int, spread: int) -> Exact:
        return self._view.pair_radius(self._chosen[arm - 1], self._chosen[other - 1], spread)

    def all_queries(self) -> Exact:
        return self._view.all_queries()

    def log(self) -> Exact:
        return self._view.log()

    def number(self, value: Rational) -> Exact:
        return self._view.number(value)


def possibilities(policy: Policy, view: ExactView, comparisons: Comparisons[Exact]) -> Iterator[Possibility]:
    """What `policy.possible` gives, from a few of arms that it cannot tell apart, if it says how many are enough."""
    enough = policy.interchangeable
    if enough is None or view.arms <= _FEW_ARMS or view.round <= view.arms:
        yield from policy.possible(view, comparisons)
        return
    classes: dict[Hashable, list[int]] = {}
    key = view.same_interval_key if policy.uses_interval else view.same_answers_key
    for arm in range(1, view.arms + 1):
        classes.setdefault(key(arm), []).append(arm)
    alike = {arm: arms for arms in classes.values() for arm in arms[:enough]}
    chosen = sorted(alike)
    found = collected(policy.possible(_Representatives(view, chosen), comparisons))
    for decision, reasons in found.items():
        for arm in alike[chosen[decision.arm - 1]]:
            for reason in reasons:
                yield decision._replace(arm=arm), reason


def admissible_decisions(policy: Policy, view: ExactView) -> Admissible:
    """What `policy.admissible` gives, at the cost of `possibilities`."""
    return collected(possibilities(policy, view, EveryTie[Exact]()))
