"""Algorithm 1 of the paper (l.371-389) with its third line left open: how the candidate is chosen.

BuFALU (arm choice l.403), BuFAU (l.1377-1394) and the dial differ in that line alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bufalu.reference.comparisons import Comparisons
from bufalu.reference.errors import InvalidNumber
from bufalu.reference.exact import Exact
from bufalu.reference.policies.decisions import ComparisonStep, Decision, Possibility, Reason, Roles, RoleStep, Step
from bufalu.reference.policies.policy import Policy
from bufalu.reference.rationals import NumberLike, Rational, format_rational, parameter
from bufalu.reference.view import ExactView, N, View


class LeaderPolicy(Policy):
    """Leader l_t, challenger u_t, candidate c_t; a query of c_t unless l_t is separated or c_t within epsilon of it."""

    uncertainty_words = "UCB(candidate) − LCB(leader)"

    @abstractmethod
    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[int]:
        """Every arm that may be the candidate c_t beside this leader and this challenger."""

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every selection of l_t, u_t and c_t from the arms that may be each."""
        # initial rounds
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return

        # leader, challenger, candidate
        for leader, challenger, candidate in self.selections(view, comparisons):
            if not challenger:
                yield Decision(leader, False), Reason.SEPARATED
                continue

            # query rule (l.385)
            floor = view.lcb(leader)
            for separated in comparisons.at_most(view.ucb(challenger), floor):
                for within in comparisons.at_most(view.ucb(candidate) - floor, view.epsilon):
                    if stopped := stopping_reason(separated, within):
                        yield Decision(leader, False), stopped
                    else:
                        yield Decision(candidate, True), Reason.UNCERTAIN

    def epsilon_side(self, view: ExactView) -> Exact:
        """UCB(candidate) - LCB(leader)."""
        roles = Roles(view)
        return view.ucb(self.first_candidates(view, roles)[0]) - view.lcb(roles.leader)

    def steps(self, view: ExactView) -> list[Step]:
        """Leader, challenger, candidate, and both tests."""
        roles = Roles(view)
        leader, challenger = roles.leader, roles.challenger
        lines: list[Step] = [RoleStep("leader", tuple(roles.leaders), "the largest LCB", leader)]
        if not roles.challengers:
            return [*lines, "separated? there is no other arm: yes"]
        candidates = self.first_candidates(view, roles)
        candidate = candidates[0]
        lines.append(RoleStep("challenger", tuple(roles.challengers), "the largest UCB of the others", challenger))
        lines.append(RoleStep("candidate", tuple(candidates), self.candidate_words))
        upper, lower = view.ucb(challenger), view.lcb(leader)
        side = view.ucb(candidate) - lower
        epsilon = view.epsilon
        return [
            *lines,
            ComparisonStep("separated?", f"UCB({challenger})", upper, "<=", f"LCB({leader})", lower, upper <= lower),
            ComparisonStep(
                "within epsilon?",
                f"UCB({candidate}) - LCB({leader})",
                side,
                "<=",
                "epsilon",
                epsilon,
                side <= epsilon,
            ),
        ]


def stopping_reason(separated: bool, within_epsilon: bool) -> Reason | None:
    """Why BuFALU and BuFAU do not query, or None if they do."""
    if separated and within_epsilon:
        return Reason.SEPARATED_AND_WITHIN_EPSILON
    if separated:
        return Reason.SEPARATED
    return Reason.WITHIN_EPSILON if within_epsilon else None


class BuFALUPolicy(LeaderPolicy):
    """Algorithm 1 (l.371-389, arm choice l.403): query the wider of leader and challenger until they separate."""

    ours = True
    text = "bufalu"
    title = "BuFALU"
    steering = 1
    kernel = "dial"
    interchangeable = 2
    candidate_words = "the wider of leader and challenger"

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[int]:
        """c_t, the wider of l_t and u_t."""
        return comparisons.largest(sorted((leader, challenger)), view.width)


class BuFAUPolicy(LeaderPolicy):
    """BuFALU's query rule (l.1377-1394), but the candidate is an arm of largest UCB, be it the leader."""

    ours = True
    text = "bufau"
    title = "BuFAU"
    steering = 0
    kernel = "dial"
    interchangeable = 2
    queries_largest_ucb = True
    candidate_words = "the largest UCB of all"

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[int]:
        """u_t over all arms."""
        return comparisons.largest(range(1, view.arms + 1), view.ucb)


@dataclass(frozen=True, init=False, repr=False)
class DialPolicy(LeaderPolicy):
    """Beyond the paper: a number rho in [0, 1] between BuFAU's candidate (0) and BuFALU's (1). docs/dial.md has the theorem.

    The candidate is the leader, if its width is at least rho times the challenger's and its UCB at least the challenger's;
    else the challenger. With equality in what decides, both are candidates.

    Raises `InvalidNumber` unless rho is a rational between 0 and 1.
    """

    rho: Rational
    ours = True
    kernel = "dial"
    interchangeable = 2

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
