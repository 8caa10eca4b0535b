"""The dial, beyond the paper: a number rho in [0, 1] between BuFAU's candidate (0) and BuFALU's (1).

Leader, challenger and query rule are those of Algorithm 1 (l.371-389). Only the candidate changes: the leader, if its
width is at least rho times the challenger's and its UCB at least the challenger's; else the challenger. With equality
in what decides, both are candidates. docs/dial.md has the theorem.
"""

from __future__ import annotations

from collections.abc import Iterator
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
                for wide, narrow in self._widths(view, comparisons, leader, challenger):
                    either = [leader] * (leader_on_top and wide) + [challenger] * (challenger_on_top or narrow)
                    yield from comparisons.largest(sorted(either), lambda arm: view.number(0))

    def _widths(
        self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int
    ) -> Iterator[tuple[bool, bool]]:
        """Whether the leader's width is at least, and at most, rho of the challenger's."""
        if not self.rho:
            # No width is too small, and 0 times an infinite width is not asked for.
            yield True, False
            return
        width, share = view.width(leader), view.number(self.rho) * view.width(challenger)
        for wide in comparisons.at_most(share, width):
            for narrow in comparisons.at_most(width, share):
                yield wide, narrow


def dial(argument: str | None) -> DialPolicy:
    """The policy of the text form `dial:RHO`; raises `InvalidNumber` without a rational between 0 and 1."""
    if argument is None:
        raise InvalidNumber("the dial needs its number: dial:1/2")
    return DialPolicy(argument)
