"""Known bugs of the dial, made for the position that a trace or a program claims."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bufalu.oracle.known_bugs.edited_rules import LeaderRule, N
from bufalu.oracle.known_bugs.known_bug import KnownBug
from bufalu.reference.comparisons import Comparisons
from bufalu.reference.rationals import Rational
from bufalu.reference.view import View


@dataclass(frozen=True)
class DialRule(LeaderRule):
    """The dial with the two tests of its candidate as fields: a test that is dropped never stands in the way."""

    rho: Rational = 1
    width_test: bool = True
    ucb_test: bool = True

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Sequence[int]:
        """The arms that the tests which are left allow."""
        leader_ucb, challenger_ucb = view.ucb(leader), view.ucb(challenger)
        may_be_leader = not self.ucb_test or True in comparisons.at_most(challenger_ucb, leader_ucb)
        may_be_challenger = self.ucb_test and True in comparisons.at_most(leader_ucb, challenger_ucb)
        if self.rho and self.width_test:
            width, share = view.width(leader), view.number(self.rho) * view.width(challenger)
            may_be_leader = may_be_leader and True in comparisons.at_most(share, width)
            may_be_challenger = may_be_challenger or True in comparisons.at_most(width, share)
        return sorted([leader] * may_be_leader + [challenger] * may_be_challenger)


def bugs_of_the_dial(text: str, rho: Rational, general: Sequence[KnownBug]) -> list[KnownBug]:
    """The wrong dials at the position rho, and the general bugs that change no rule (intervals, bookkeeping) with it."""
    right = DialRule(text, rho=rho)
    wrong = []
    if rho:
        wrong = [
            KnownBug(
                "dial-without-width-test",
                "takes the arm of largest UCB, whatever its width",
                "queries the leader where it is too narrow: more queries than the dial's",
            ).under(text, replace(right, width_test=False)),
            KnownBug(
                "dial-without-ucb-test",
                "compares the widths alone",
                "queries the leader although the challenger's UCB is larger",
            ).under(text, replace(right, ucb_test=False)),
            KnownBug(
                "dial-inverted",
                "multiplies the leader's width by rho, not the challenger's",
                "asks the leader for more width than the challenger has",
            ).under(text, replace(right, rho=1 / Fraction(rho))),
        ]
    return [*wrong, *(bug.under(text, right) for bug in general if not bug.rules)]
