"""The vectorised filter: for each round of a slice, either the verdict or `unsure`, never a guess.

A comparison is *far* when the doubles, with their error bounds, settle it (by default: settle that the sides are not
even close); a *tie* when two arms are known to be equal; by default a *near* test has both outcomes, and the round is
ambiguous. Everything else is left to exact arithmetic. The loops are those of the policies' relations, over sets of
rounds; rounds with many tied arms are left to exact arithmetic too, which looks at a few of equal arms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from bufalu.doubles.block_doubles import BlockDoubles
from bufalu.doubles.blocks import Booleans, Floats, Integers
from bufalu.oracle.tolerance import CLOSENESS_DOUBLE
from bufalu.reference.policies import Policy, RuleKind

_NEARER = 1 - 1e-3
_FURTHER = 1 + 1e-3
_MOST_TIED = 16

Sameness = Callable[[int, Integers, Integers], Booleans]


@dataclass
class Findings:
    """For each round of a slice: accepted, ambiguous, or unsure (then the other two say nothing)."""

    accepted: Booleans
    ambiguous: Booleans
    unsure: Booleans


@dataclass(frozen=True)
class Sorter:
    """Sorts pairs of numbers into far, near and undecided; strictly, only exact arithmetic knows what is near."""

    strict: bool
    slack: float
    """No round of the slice has more of it (see `tolerance.py`)."""

    def far(self, gap: Floats, scale: Floats, error: Floats) -> Booleans:
        """Where numbers with this gap and this |x| + |y| are certainly not close (strictly: not equal)."""
        reach = 0.0 if self.strict else CLOSENESS_DOUBLE * _FURTHER * (1 + scale + error) + self.slack
        result: Booleans = gap > reach + error
        return result

    def near(self, gap: Floats, scale: Floats, error: Floats) -> Booleans:
        """Where they are certainly close; never under `strict`."""
        if self.strict:
            return np.zeros(gap.shape, dtype=np.bool_)
        result: Booleans = gap + error < CLOSENESS_DOUBLE * _NEARER * (1 + np.maximum(scale - error, 0.0))
        return result


def nothing_found(size: int) -> Findings:
    """Unsure of every round."""
    return Findings(np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_), np.ones(size, dtype=np.bool_))


def examine(policy: Policy, doubles: BlockDoubles, arm: Integers, query: Booleans, sorter: Sorter) -> Findings:
    """Judges the decisions (arm, query) of a slice after the initial rounds; unsure of rules without a filter."""
    run = FilteredRun(doubles, arm - 1, query, sorter)
    return run.findings if run.follow(policy) else nothing_found(len(arm))


class _Tests(NamedTuple):
    """Where each outcome of the two tests of the query rule stands; near ones have both."""

    separated: Booleans
    not_separated: Booleans
    within: Booleans
    beyond: Booleans


class FilteredRun:
    """The rounds of a slice gone through by the relation of a policy; arms are numbered from 0 here."""

    def __init__(self, doubles: BlockDoubles, arm: Integers, query: Booleans, sorter: Sorter) -> None:
        self.doubles = doubles
        self.arm = arm
        self.query = query
        self.sorter = sorter
        size = len(arm)
        self.arms = len(doubles.mean)
        self.size = size
        self.all_rounds = np.arange(size, dtype=np.int64)
        self.findings = Findings(*(np.zeros(size, dtype=np.bool_) for _ in range(3)))

    def follow(self, policy: Policy) -> bool:
        """Goes through the rounds; whether the policy has a filter."""
        known: dict[RuleKind, Callable[[], None]] = {
            RuleKind.WIDER_OF_LEADER_AND_CHALLENGER: partial(self.leader_and_challenger, self.wider),
            RuleKind.LARGEST_UCB_AGAINST_LEADER: self.bufau,
            RuleKind.LARGEST_UCB_BY_WIDTH: self.cbm_ucb,
            RuleKind.LARGEST_UCB_BY_BUDGET: self.greedy,
            RuleKind.LARGEST_UCB: self.ucb,
        }
        if policy.steering is not None:
            known[RuleKind.DIAL] = partial(self.leader_and_challenger, partial(self.dialled, float(policy.steering)))
        if policy.kind is None or policy.kind not in known:
            return False
        known[policy.kind]()
        return True

    def leader_and_challenger(self, candidates: Callable[[Integers, int, int], None]) -> None:
        """Leader, challenger, then the candidates with the query rule, as BuFALU and the dial have them."""
        ucb = self.doubles.ucb
        for leader, places in self._leaders():
            if self.arms == 1:
                self._accept(places, leader, False)
                continue
            contenders = self._columns(ucb, places)
            contenders[leader] = -np.inf
            members = self._largest(contenders, self.doubles.bound_error, places, self.doubles.same_interval)
            members = self._uncrowded(members, places)
            for challenger in range(self.arms):
                if challenger == leader:
                    continue
                chosen = places[members[challenger]]
                if len(chosen):
                    candidates(chosen, leader, challenger)

    def bufau(self) -> None:
        """Leader, candidate over all arms, query rule with the best of the others."""
        doubles = self.doubles
        candidates = self._largest(doubles.ucb, doubles.bound_error, self.all_rounds, doubles.same_interval)
        candidates = self._uncrowded(candidates, self.all_rounds)
        for leader, places in self._leaders():
            if self.arms == 1:
                self._accept(places, leader, False)
                continue
            contenders = self._columns(doubles.ucb, places)
            contenders[leader] = -np.inf
            # Only the largest UCB of the others matters, not whose it is; close ones that differ are left to exactness.
            self._largest(contenders, doubles.bound_error, places, doubles.same_interval)
            rivals = np.argmax(contenders, axis=0)
            for candidate in range(self.arms):
                inside = candidates[candidate][places]
                if inside.any():
                    self._query_rule(places[inside], leader, rivals[inside], candidate)

    def cbm_ucb(self) -> None:
        """Candidate, then its width against epsilon."""
        doubles = self.doubles
        members = self._largest(doubles.ucb, doubles.bound_error, self.all_rounds, doubles.same_interval)
        for candidate in range(self.arms):
            places = np.flatnonzero(members[candidate])
            if not len(places):
                continue
            holds, fails = self._at_most(
                doubles.width[candidate, places],
                doubles.epsilon[places],
                2 * doubles.bound_error[candidate, places] + doubles.epsilon_error[places],
                places,
            )
            self._accept(places[holds], candidate, False)
            self._accept(places[fails], candidate, True)

    def ucb(self) -> None:
        """Every candidate, queried."""
        doubles = self.doubles
        members = self._largest(doubles.ucb, doubles.bound_error, self.all_rounds, doubles.same_interval)
        for candidate in range(self.arms):
            self._accept(np.flatnonzero(members[candidate]), candidate, True)

    def greedy(self) -> None:
        """The budget test, then the largest UCB or the best mean."""
        doubles = self.doubles
        budget = 6 * self.arms * doubles.log
        overspend = doubles.total_queries - self.arms + 1
        with np.errstate(over="ignore", invalid="ignore"):
            spending = overspend * doubles.epsilon * doubles.epsilon
            error = 2.0**-46 * (budget + spending) + 3 * overspend * doubles.epsilon * doubles.epsilon_error
        # spent: budget < spending. Where both outcomes stand, both argmax sets do.
        left, spent = self._at_most(spending, budget, error, self.all_rounds)
        ucb = self._largest(doubles.ucb, doubles.bound_error, self.all_rounds[left], doubles.same_interval)
        means = self._largest(
            doubles.mean,
            np.broadcast_to(doubles.mean_error, doubles.mean.shape),
            self.all_rounds[spent],
            doubles.same_mean,
        )
        for arm in range(self.arms):
            self._accept(self.all_rounds[left][ucb[arm]], arm, True)
            self._accept(self.all_rounds[spent][means[arm]], arm, False)

    def _columns(self, values: Floats, places: Integers) -> Floats:
        """A copy of some columns; a whole copy is much cheaper than a choice of all."""
        return values.copy() if len(places) == self.size else values[:, places]

    def _row(self, values: Floats, arm: int, places: Integers) -> Floats:
        """The doubles of one arm in some rounds."""
        row: Floats = values[arm] if len(places) == self.size else values[arm].take(places)
        return row

    def _leaders(self) -> list[tuple[int, Integers]]:
        doubles = self.doubles
        members = self._largest(doubles.lcb, doubles.bound_error, self.all_rounds, doubles.same_interval)
        members = self._uncrowded(members, self.all_rounds)
        found = [(leader, np.flatnonzero(members[leader])) for leader in range(self.arms)]
        return [(leader, places) for leader, places in found if len(places)]

    def _uncrowded(self, members: Booleans, places: Integers) -> Booleans:
        """The members of argmax sets that are small enough for a loop; the rounds of the others are unsure."""
        crowded = members.sum(axis=0) > _MOST_TIED
        if crowded.any():
            self.findings.unsure[places[crowded]] = True
            members = members & ~crowded
        return members

    def wider(self, places: Integers, leader: int, challenger: int) -> None:
        """BuFALU's candidates, and the query rule for each."""
        doubles = self.doubles
        mine, theirs = self._row(doubles.width, leader, places), self._row(doubles.width, challenger, places)
        tied = doubles.same_width(leader, challenger, places) | (np.isinf(mine) & np.isinf(theirs))
        with np.errstate(invalid="ignore"):
            gap = np.abs(mine - theirs)
            errors = doubles.bound_error
            error = 2 * (self._row(errors, leader, places) + self._row(errors, challenger, places))
            apart = self.sorter.far(gap, mine + theirs, error) | (np.isinf(mine) != np.isinf(theirs))
        self.findings.unsure[places[~tied & ~apart]] = True
        for candidate, chosen in ((leader, tied | (mine > theirs)), (challenger, tied | (theirs > mine))):
            if chosen.all():
                self._query_rule(places, leader, challenger, candidate)
            elif chosen.any():
                self._query_rule(places[chosen], leader, challenger, candidate)

    def dialled(self, rho: float, places: Integers, leader: int, challenger: int) -> None:
        """The dial's candidate where the doubles settle both tests; rounds with ties are left to exact arithmetic."""
        doubles, errors = self.doubles, self.doubles.bound_error
        mine = self._row(doubles.width, leader, places)
        ours, theirs = self._row(doubles.ucb, leader, places), self._row(doubles.ucb, challenger, places)
        error = self._row(errors, leader, places) + self._row(errors, challenger, places)
        with np.errstate(invalid="ignore"):
            share = rho * self._row(doubles.width, challenger, places)
            # rho itself is rounded, and so is its product: far less than the last term
            apart = self.sorter.far(np.abs(mine - share), mine + share, 2 * error + 2.0**-50 * share)
            beside = self.sorter.far(np.abs(ours - theirs), np.abs(ours) + np.abs(theirs), error)
            ahead, behind = beside & (ours > theirs), beside & (ours < theirs)
            wide = (apart & (mine > share)) if rho else np.ones(len(places), dtype=np.bool_)
            narrow = apart & (mine < share) & bool(rho)
        leads, follows = wide & ahead, narrow | behind
        self.findings.unsure[places[~(leads | follows)]] = True
        for candidate, chosen in ((leader, leads), (challenger, follows)):
            if chosen.any():
                self._query_rule(places[chosen], leader, challenger, candidate)

    def _query_rule(self, places: Integers, leader: int, rivals: Integers | int, candidate: int) -> None:
        tests = self._both_tests(places, leader, rivals, candidate)
        self._accept(places[tests.separated | tests.within], leader, False)
        self._accept(places[tests.not_separated & tests.beyond], candidate, True)

    def _both_tests(self, places: Integers, leader: int, rivals: Integers | int, candidate: int) -> _Tests:
        """The separation test and the epsilon test (l.385)."""
        doubles, errors = self.doubles, self.doubles.bound_error
        lower, leader_error = self._row(doubles.lcb, leader, places), self._row(errors, leader, places)
        if isinstance(rivals, int):
            upper, rival_error = self._row(doubles.ucb, rivals, places), self._row(errors, rivals, places)
        else:
            upper, rival_error = doubles.ucb[rivals, places], errors[rivals, places]
        separated, not_separated = self._at_most(upper, lower, rival_error + leader_error, places)
        uncertainty = self._row(doubles.ucb, candidate, places) - lower
        whole = len(places) == self.size
        epsilon = doubles.epsilon if whole else doubles.epsilon.take(places)
        error = leader_error + self._row(errors, candidate, places)
        error += doubles.epsilon_error if whole else doubles.epsilon_error.take(places)
        within, beyond = self._at_most(uncertainty, epsilon, error, places)
        return _Tests(separated, not_separated, within, beyond)

    def _at_most(self, left: Floats, right: Floats, error: Floats, places: Integers) -> tuple[Booleans, Booleans]:
        """Where left <= right may hold and where it may fail."""
        with np.errstate(invalid="ignore"):
            gap = np.abs(left - right)
            scale = np.abs(left) + np.abs(right)
            far = self.sorter.far(gap, scale, error) | np.isinf(left) | np.isinf(right)
            near = self.sorter.near(gap, scale, error)
        self.findings.unsure[places[~far & ~near]] = True
        self.findings.ambiguous[places[near]] = True
        return near | (left <= right), near | (left > right)

    def _largest(self, values: Floats, errors: Floats, places: Integers, same: Sameness) -> Booleans:
        """The members of each argmax set, one row for each arm; `values` may already be cut down to `places`."""
        cut = values.shape[1] == len(places)
        if not cut:
            values = values[:, places]
        best = np.argmax(values, axis=0)
        columns = np.arange(len(places))
        top = values.max(axis=0)
        members = np.zeros(values.shape, dtype=np.bool_)
        members[best, columns] = True
        # Most pairs are further apart than any two numbers of this slice can be while close.
        size, error_size = self.doubles.largest, self.doubles.largest_error
        surely_far = (
            CLOSENESS_DOUBLE * _FURTHER * (1 + 2 * size + 2 * error_size) + 2 * error_size + self.sorter.slack
        )
        with np.errstate(invalid="ignore"):
            for arm in range(self.arms):
                gap = top - values[arm]
                doubtful = np.flatnonzero(~(gap > surely_far) & (best != arm))
                if not len(doubtful):
                    continue
                value, rival = values[arm, doubtful], top[doubtful]
                error = errors[arm, places[doubtful]] + errors[best[doubtful], places[doubtful]]
                far = self.sorter.far(gap[doubtful], np.abs(rival) + np.abs(value), error)
                tied = same(arm, best[doubtful], places[doubtful]) & (np.isinf(rival) == np.isinf(value))
                members[arm, doubtful[tied]] = True
                self.findings.unsure[places[doubtful[~tied & ~far]]] = True
        return members

    def _accept(self, places: Integers, arm: int, query: bool) -> None:
        taken = (self.arm[places] == arm) & (self.query[places] == query)
        self.findings.accepted[places[taken]] = True
