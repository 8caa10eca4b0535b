"""The dial, beyond the paper: a number rho in [0, 1] between BuFAU's candidate (0) and BuFALU's (1).

Leader, challenger and query rule are those of Algorithm 1 (l.371-389). Only the candidate changes: the leader, if its
width is at least rho times the challenger's and its UCB at least the challenger's; else the challenger. With equality
in what decides, both are candidates. docs/dial.md has the theorem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.errors import InvalidNumber
from bufalu.reference.policies.leaders import LeaderPolicy
from bufalu.reference.rationals import NumberLike, Rational, format_rational, parameter
from bufalu.reference.view import N, View


@dataclass(frozen=True, init=False, repr=False)
class DialPolicy(LeaderPolicy):
    """Leader l_t, challenger u_t, and as the candidate the leader while it is wide enough and on top.

    Raises `InvalidNumber` unless rho is a rational between 0 and 1.
    """

    rho: Rational
    ours = True
    kernel = "dial"

    def __init__(self, rho: NumberLike) -> None:
        object.__setattr__(self, "rho", parameter(rho, "rho"))
        if not 0 <= self.rho <= 1:
            raise InvalidNumber(f"the dial's rho is between 0 and 1, not {format_rational(self.rho)}")

    @property
    def text(self) -> str:
        """`dial:RHO`."""
        return f"dial:{format_rational(self.rho)}"

    @property
    def title(self) -> str:
        """The name for people."""
        return f"The dial at {format_rational(self.rho)}"

    @property
    def steering(self) -> Rational:
        """rho."""
        return self.rho

    @property
    def candidate_words(self) -> str:  # type: ignore[override]  # rho is in the words
        """Who is the candidate, in words."""
        share = format_rational(self.rho)
        return f"the leader if its UCB is the largest and its width at least {share} of the challenger's"

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterator[int]:
        """c_t: the leader where it is on top and wide, the challenger where it is on top or the leader narrow."""
        ours, theirs = view.ucb(leader), view.ucb(challenger)
        for leader_on_top in comparisons.at_most(theirs, ours):
            for challenger_on_top in comparisons.at_most(ours, theirs):
                # A width is compared only where it matters.
                for wide in self._wide(view, comparisons, leader, challenger) if leader_on_top else (False,):
                    for narrow in (
                        (False,) if challenger_on_top else self._narrow(view, comparisons, leader, challenger)
                    ):
                        either = [leader] * wide + [challenger] * (challenger_on_top or narrow)
                        yield from comparisons.largest(sorted(either), lambda arm: view.number(0))

    def _wide(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[bool]:
        """Whether the leader's width is at least rho of the challenger's."""
        # At rho = 0 no width is too small, and 0 times an infinite width is not asked for.
        if not self.rho:
            return (True,)
        return comparisons.at_most(view.number(self.rho) * view.width(challenger), view.width(leader))

    def _narrow(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[bool]:
        """Whether the leader's width is at most rho of the challenger's."""
        if not self.rho:
            return (False,)
        return comparisons.at_most(view.width(leader), view.number(self.rho) * view.width(challenger))


def dial(argument: str | None) -> DialPolicy:
    """The policy of the text form `dial:RHO`; raises `InvalidNumber` without a rational between 0 and 1."""
    if argument is None:
        raise InvalidNumber("the dial needs its number: dial:1/2")
    return DialPolicy(argument)
