"""The dial, beyond the paper: a number rho in [0, 1] between BuFAU's candidate (0) and BuFALU's (1).

Leader, challenger and query rule are those of Algorithm 1 (l.371-389). Only the candidate changes: the leader, if its
width is at least rho times the challenger's and its UCB at least the challenger's; else the challenger. With equality
in what decides, both are candidates. docs/dial.md has the theorem.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bufalu.reference.comparisons import Comparisons, EveryTie
from bufalu.reference.errors import InvalidNumber
from bufalu.reference.exact import Exact
from bufalu.reference.policies.decisions import Decision, Possibility, Reason, query_rule
from bufalu.reference.policies.explanations import RoleStep, Step
from bufalu.reference.policies.leaders import LeaderPolicy
from bufalu.reference.policies.policy import RuleKind
from bufalu.reference.policies.roles import Roles
from bufalu.reference.rationals import NumberLike, Rational, format_rational, parameter
from bufalu.reference.ties import TieBreak
from bufalu.reference.view import ExactView, N, View, maximisers


@dataclass(frozen=True, init=False, repr=False)
class DialPolicy(LeaderPolicy):
    """Leader l_t, challenger u_t, and as the candidate the leader while it is wide enough and on top.

    Raises `InvalidNumber` unless rho is a rational between 0 and 1.
    """

    rho: Rational
    kind = RuleKind.DIAL
    obeys = frozenset(
        {
            "counts.queries_at_most_plays",
            "gap_query.queried_is_wide",
            "gap_query.unqueried_is_near_optimal",
            "cap.almost_sure",
            "cap.exact_recurrence",
            "count.unqueried",
        }
    )

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

    def decide(self, view: View[N], ties: TieBreak) -> Decision:
        """One round of the dial: leader l_t, challenger u_t, candidate c_t, then the query rule."""
        # initial rounds
        if view.round <= view.arms:
            return Decision(view.round, True)

        # leader, challenger, candidate
        everyone = range(1, view.arms + 1)
        leader = ties(maximisers(everyone, view.lcb))
        others = [arm for arm in everyone if arm != leader]
        if not others:
            return Decision(leader, False)
        challenger = ties(maximisers(others, view.ucb))
        candidate = ties(self.candidates_of(view, EveryTie[N](), leader, challenger))

        # query rule
        if view.ucb(challenger) <= view.lcb(leader) or view.ucb(candidate) - view.lcb(leader) <= view.epsilon:
            return Decision(leader, False)
        return Decision(candidate, True)

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every selection of l_t, u_t and c_t from the arms that the definition allows."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # leader, challenger, candidate: all of them
        everyone = range(1, view.arms + 1)
        for leader in comparisons.largest(everyone, view.lcb):
            others = [arm for arm in everyone if arm != leader]
            if not others:
                yield Decision(leader, False), Reason.SEPARATED
            for challenger in comparisons.largest(others, view.ucb):
                for candidate in self.candidates_of(view, comparisons, leader, challenger):
                    # query rule
                    yield from query_rule(view, comparisons, leader, challenger, candidate)

    def candidates_of(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> list[int]:
        """The candidates for one leader and one challenger, in increasing order; never empty."""
        leader_ucb, challenger_ucb = view.ucb(leader), view.ucb(challenger)
        may_be_leader = True in comparisons.at_most(challenger_ucb, leader_ucb)
        may_be_challenger = True in comparisons.at_most(leader_ucb, challenger_ucb)
        # At rho = 0 no width is too small, and 0 times an infinite width is not asked for.
        if self.rho:
            width, share = view.width(leader), view.number(self.rho) * view.width(challenger)
            may_be_leader = may_be_leader and True in comparisons.at_most(share, width)
            may_be_challenger = may_be_challenger or True in comparisons.at_most(width, share)
        return sorted([leader] * may_be_leader + [challenger] * may_be_challenger)

    def candidates(self, view: ExactView, roles: Roles[Exact]) -> list[int]:
        """The leader, the challenger, or both."""
        return self.candidates_of(view, EveryTie[Exact](), roles.leader, roles.challenger)

    def candidate_step(self, view: ExactView, roles: Roles[Exact]) -> Step:
        """Names the candidate and the definition."""
        share = format_rational(self.rho)
        reason = f"the leader if its UCB is the largest and its width at least {share} of the challenger's"
        return RoleStep("candidate", tuple(self.candidates(view, roles)), reason)


def dial(argument: str | None) -> DialPolicy:
    """The policy of the text form `dial:RHO`; raises `InvalidNumber` without a rational between 0 and 1."""
    if argument is None:
        raise InvalidNumber("the dial needs its number: dial:1/2")
    return DialPolicy(argument)
