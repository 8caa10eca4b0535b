"""A statement about runs: where its hypotheses are met it is decided exactly, and says by how much it held."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from bufalu.properties.runs.observed_rounds import Run
from bufalu.reference.exact import Exact
from bufalu.reference.policies import Policy
from bufalu.reference.rationals import Rational, format_rational


class Place(NamedTuple):
    """One place of one run where a statement's hypotheses are met.

    `holds` is decided exactly. `slack` is only shown and pushed towards zero by the search. `telling` says whether
    the conclusion could have failed at all at this place.
    """

    holds: bool
    slack: float
    telling: bool
    round: int
    arm: int | None
    account: Callable[[], str]


@dataclass(frozen=True)
class TrueMeans:
    """What nobody in the run knows: the means of the arms, and their variances where an interval asks for them."""

    means: tuple[Rational, ...]
    variances: tuple[Rational, ...]

    @cached_property
    def best(self) -> Rational:
        """mu*."""
        return max(self.means)

    @cached_property
    def exact_means(self) -> tuple[Exact, ...]:
        """The means as numbers that can be compared with interval ends."""
        return tuple(map(Exact.of, self.means))

    def gap(self, arm: int) -> Rational:
        """Delta_a."""
        return self.best - self.means[arm - 1]

    @property
    def optimal(self) -> tuple[int, ...]:
        """The optimal arms."""
        return tuple(arm for arm in range(1, len(self.means) + 1) if self.gap(arm) == 0)

    @property
    def smallest_gap(self) -> Rational | None:
        """Delta_min, None if every arm is optimal."""
        return min((self.gap(arm) for arm in range(1, len(self.means) + 1) if self.gap(arm) > 0), default=None)

    def text(self) -> str:
        """The means, for a person."""
        return ", ".join(format_rational(mean) for mean in self.means)


Examination = Callable[[Run], Iterable[Place]]
"""Looks at a run; decides the statement at every place where it has something to say."""


@dataclass(frozen=True)
class Statement:
    """A named statement with the claims of the registry that it is a form of, and the words for a person.

    It holds of the runs of `policies`, by name, and if it is `steered`, of every policy that the theorem of the dial bounds.
    """

    name: str
    claims: tuple[str, ...]
    words: str
    examine: Examination
    policies: frozenset[str] = field(default=frozenset({"bufalu"}))
    steered: bool = False

    def speaks_of(self, policy: Policy) -> bool:
        """Whether it is known to hold of the policy's runs."""
        return policy.text in self.policies or (self.steered and policy.steering is not None)


class Violation(NamedTuple):
    """A statement that does not hold on a run."""

    statement: str
    round: int
    arm: int | None
    account: str


def violations(statement: Statement, run: Run) -> list[Violation]:
    """Every place where the statement fails on the run."""
    return [
        Violation(statement.name, finding.round, finding.arm, finding.account())
        for finding in statement.examine(run)
        if not finding.holds
    ]


def shown(number: Exact | Rational) -> str:
    """A number for a person, to six digits."""
    return f"{displayed(number):.6g}"


def displayed(number: Exact | Rational) -> float:
    """A double near the number, for display and for the search; nothing is decided by it."""
    if isinstance(number, Exact):
        return number.approximation if math.isfinite(number.error) else float(number)
    return float(number)


def at_most(
    left: Exact,
    right: Exact,
    round_number: int,
    arm: int | None,
    reason: str,
    *,
    telling: bool = True,
    strict: bool = False,
) -> Place:
    """The finding that left <= right (or left < right if `strict`); both numbers belong to the same round."""
    holds = left < right if strict else left <= right

    def account() -> str:
        relation = ("<" if strict else "<=") if holds else (">=" if strict else ">")
        return f"{reason}: {shown(left)} {relation} {shown(right)}"

    slack = math.inf
    if not (left.is_infinite or right.is_infinite):
        # The doubles may be on the wrong side of an exact tie; the sign is what was decided.
        slack = displayed(right) - displayed(left)
        slack = max(slack, 0.0) if holds else min(slack, 0.0)
    return Place(holds, slack, telling, round_number, arm, account)
