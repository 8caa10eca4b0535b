"""Cases (i)-(v) of the proof of the upper bound (l.966-1016), round by round, at the worst corner of the box.

Each case says that a queried arm's interval is at least as wide as some part of its gap. Within one round the means
may be the irrational ends of the intervals themselves: the exact numbers carry them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from bufalu.properties.runs.examination import check_statement
from bufalu.properties.runs.gap_query import box_is_bounded, highest_mean, is_foreign, lowest_mean
from bufalu.properties.runs.observed_rounds import ObservedRound, Run, maximum
from bufalu.properties.runs.statements import Examination, Place, Statement, at_most
from bufalu.properties.runs.strategies import scenarios
from bufalu.properties.runs.wrong import twice, with_epsilon, wrong
from bufalu.reference.comparisons import EveryTie
from bufalu.reference.exact import Exact
from bufalu.reference.policies import BUFALU
from bufalu.reference.rationals import Rational


class ProofCase(Enum):
    """The five cases, in the paper's order."""

    OPTIMAL = "(i) the queried arm is optimal, the level is 0"
    LEADER = "(ii) the queried arm is suboptimal and leads"
    CHALLENGER_OF_MANY = "(iii) a suboptimal challenger is queried, several arms are optimal"
    CHALLENGER_OF_ONE = "(iv) a suboptimal challenger is queried, one arm is optimal"
    UNIQUE_BEST = "(v) the unique optimal arm is queried"


class Corner(NamedTuple):
    """The worst gap for one case in one round."""

    case: ProofCase
    gap: Exact


@dataclass(frozen=True)
class Shares:
    """Which share of the gap the width must reach in each case; the paper's are 0, 1, 1, 1/2, 1/2."""

    leader: Rational = 1
    challenger_of_many: Rational = 1
    challenger_of_one: Rational = Fraction(1, 2)
    unique_best: Rational = Fraction(1, 2)
    optimal: Rational = 0

    def of(self, case: ProofCase) -> Rational:
        """The share of one case."""
        return {
            ProofCase.OPTIMAL: self.optimal,
            ProofCase.LEADER: self.leader,
            ProofCase.CHALLENGER_OF_MANY: self.challenger_of_many,
            ProofCase.CHALLENGER_OF_ONE: self.challenger_of_one,
            ProofCase.UNIQUE_BEST: self.unique_best,
        }[case]


PAPER_SHARES = Shares()


def roles(situation: ObservedRound, foreign: bool = False) -> set[str]:
    """Whether the queried arm can be the leader, the challenger or both, over all choices of l_t, u_t and c_t.

    A foreign policy, none of the paper's, may query the narrower of the two.
    """
    found: set[str] = set()
    for leader, challenger, candidate in BUFALU.selections(situation.view, EveryTie()):
        if foreign or situation.arm == candidate:
            found |= {role for role, arm in (("leader", leader), ("challenger", challenger)) if arm == situation.arm}
    return found


def corners(situation: ObservedRound, foreign: bool = False) -> Iterator[Corner]:  # noqa: C901 - one branch for each case of the proof
    """The worst means inside the box for every case that the queried arm can be in; in [0, 1] for a foreign policy."""

    def low_of(arm: int) -> Exact:
        return lowest_mean(situation, arm, foreign)

    def high_of(arm: int) -> Exact:
        return highest_mean(situation, arm, foreign)

    arm = situation.arm
    others = [other for other in situation.arms if other != arm]
    if not others:
        return
    low = low_of(arm)
    played_as = roles(situation, foreign)
    by_reach = sorted_by_reach(situation, others)
    best = high_of(by_reach[0])
    if low < best and all(low_of(other) < best for other in others if other != by_reach[0]):
        # a single best arm, everybody else strictly below it
        if "leader" in played_as:
            yield Corner(ProofCase.LEADER, best - low)
        if "challenger" in played_as:
            yield Corner(ProofCase.CHALLENGER_OF_ONE, best - low)
    if len(others) >= 2:
        level = min(best, high_of(by_reach[1]))
        if low < level and all(low_of(other) <= level for other in others):
            if "leader" in played_as:
                yield Corner(ProofCase.LEADER, level - low)
            if "challenger" in played_as:
                yield Corner(ProofCase.CHALLENGER_OF_MANY, level - low)
    ahead = high_of(arm) - maximum([low_of(other) for other in others])
    if ahead.sign() > 0:
        yield Corner(ProofCase.UNIQUE_BEST, ahead)
        yield Corner(ProofCase.OPTIMAL, ahead)


def sorted_by_reach(situation: ObservedRound, arms: list[int]) -> list[int]:
    """The arms in decreasing order of their UCB (by insertion: K is small)."""
    ordered: list[int] = []
    for arm in arms:
        reach = situation.view.ucb(arm)
        place = sum(1 for known in ordered if not situation.view.ucb(known) < reach)
        ordered.insert(place, arm)
    return ordered


def queried_width_reaches_gap(run: Run, shares: Shares, cases: frozenset[ProofCase]) -> Iterator[Place]:
    """In every queried round and every one of the cases that fits, share * gap <= CI_t(a_t)."""
    foreign = is_foreign(run)
    for situation in run.situations:
        if not situation.query or not box_is_bounded(situation):
            continue
        width = situation.view.width(situation.arm)
        for corner in corners(situation, foreign):
            if corner.case in cases:
                needed = Exact.of(shares.of(corner.case)) * corner.gap
                reason = f"round {situation.round}, arm {situation.arm}, case {corner.case.value}: needed width"
                yield at_most(needed, width, situation.round, situation.arm, reason)


def queried_width_exceeds_average(run: Run) -> Iterator[Place]:
    """Beyond the paper: a queried suboptimal arm has CI_t(a) > (Delta_a + epsilon(t)) / 2 under the good event."""
    foreign = is_foreign(run)
    for situation in run.situations:
        if not situation.query or not box_is_bounded(situation):
            continue
        others = [highest_mean(situation, arm, foreign) for arm in situation.arms if arm != situation.arm]
        if not others:
            continue
        gap = maximum(others) - lowest_mean(situation, situation.arm, foreign)
        if gap.sign() <= 0:
            continue
        width = situation.view.width(situation.arm)
        reason = f"round {situation.round}, arm {situation.arm}: (gap + epsilon) against twice its width"
        double = width + width
        total = gap + situation.epsilon
        yield at_most(total, double, situation.round, situation.arm, reason, strict=True)


def one_case(case: ProofCase, shares: Shares) -> Examination:
    """One of the five cases with these shares of the gap."""
    return lambda run: queried_width_reaches_gap(run, shares, frozenset({case}))


def _case(case: ProofCase, claim: str, words: str, too_much: Shares) -> Statement:
    """One case with the paper's share of the gap, and with too much of it as a mutant."""
    statement = Statement(
        claim,
        (claim, "count.queried"),
        f"a queried arm's interval is as wide as its share of the gap: case {case.value}",
        one_case(case, PAPER_SHARES),
    )
    return check_statement(statement, scenarios, 40, mutants={words: wrong(one_case(case, too_much))})


CASES = (
    _case(ProofCase.LEADER, "count.case_leader", "11/10 of the gap", Shares(leader=Fraction(11, 10))),
    _case(
        ProofCase.CHALLENGER_OF_MANY,
        "count.case_challenger_multiple",
        "11/10 of the gap",
        Shares(challenger_of_many=Fraction(11, 10)),
    ),
    _case(ProofCase.CHALLENGER_OF_ONE, "count.case_challenger_unique", "the whole gap", Shares(challenger_of_one=1)),
    _case(ProofCase.UNIQUE_BEST, "count.case_optimal_unique", "the whole smallest gap", Shares(unique_best=1)),
)
"""Case (i) says that a width is not negative, which `regular.hoeffding.width_nonnegative` covers."""

SHARPER = check_statement(
    Statement(
        "theorem.sharper",
        ("theorem.sharper",),
        "under the good event a queried suboptimal arm's interval is wider than the mean of its gap and epsilon",
        queried_width_exceeds_average,
    ),
    scenarios,
    40,
    mutants={"with twice epsilon": wrong(with_epsilon(queried_width_exceeds_average, twice))},
)
