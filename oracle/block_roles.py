"""Who was who in each round of a slice, and why it was decided so: from doubles where they settle it, else `unsure`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bufalu.doubles.block_doubles import BlockDoubles
from bufalu.doubles.blocks import Booleans, Floats, Integers
from bufalu.oracle.block_filter import FilteredRun, Sorter
from bufalu.reference.policies import Policy, Reason, RuleKind
from bufalu.reference.policies.decisions import stopping_reason

REASONS = tuple(Reason)
"""The order in which reasons are numbered."""

LEADER_KINDS = frozenset(
    {RuleKind.WIDER_OF_LEADER_AND_CHALLENGER, RuleKind.LARGEST_UCB_AGAINST_LEADER, RuleKind.DIAL}
)
"""The rules with a leader, a challenger and both tests."""

_PAIRED = frozenset({RuleKind.WIDER_OF_LEADER_AND_CHALLENGER, RuleKind.DIAL})
"""The rules whose candidate is the leader or the challenger; that of the others has the largest UCB of all."""

_REASON_OF = {
    (RuleKind.LARGEST_UCB_BY_WIDTH, False): Reason.WITHIN_EPSILON,
    (RuleKind.LARGEST_UCB_BY_WIDTH, True): Reason.UNCERTAIN,
    (RuleKind.LARGEST_UCB_BY_BUDGET, False): Reason.BUDGET_SPENT,
    (RuleKind.LARGEST_UCB_BY_BUDGET, True): Reason.BUDGET_LEFT,
    (RuleKind.LARGEST_UCB, True): Reason.ALWAYS,
    **{(kind, False): Reason.SEPARATED for kind in LEADER_KINDS},
}
"""Why a decision is taken where the rule and the query say it all; a leader that is alone is separated."""

_LOWEST_BIT = np.array(
    [0, *((mask & -mask).bit_length() - 1 for mask in range(1, 1 << len(REASONS)))], dtype=np.int64
)


@dataclass(frozen=True)
class BlockRoles:
    """For each round of a slice the first leader, the first challenger and the first candidate, arms from 1, and the
    number of the reason: the first for the decision that was taken, or that of the rule where it was not admissible.

    Where `unsure`, the others say nothing.
    """

    leader: Integers
    challenger: Integers
    candidate: Integers
    reason: Integers
    unsure: Booleans


def block_roles(policy: Policy, doubles: BlockDoubles, arm: Integers, query: Booleans) -> BlockRoles:
    """The roles of a slice after the initial rounds; unsure everywhere for a policy without a filter."""
    run = _Told(policy, doubles, arm - 1, query)
    unsure = run.findings.unsure
    if not run.follow(policy):
        unsure[:] = True
    # A decision that no tie-break gives is told by what the rule wanted, if that has one reason alone.
    several = run.every & (run.every - 1) != 0
    unsure |= (run.own == 0) & (several | (run.every == 0)) | (run.candidate == run.arms)
    reason = _LOWEST_BIT[np.where(run.own != 0, run.own, run.every)]
    return BlockRoles(run.leader + 1, run.challenger + 1, run.candidate + 1, reason, unsure)


class _Told(FilteredRun):
    """The strict filter, which keeps reasons as sets of bits: `own` of the decision taken, `every` of any."""

    def __init__(self, policy: Policy, doubles: BlockDoubles, arm: Integers, query: Booleans) -> None:
        super().__init__(doubles, arm, query, Sorter(strict=True, slack=0.0))
        self._kind = policy.kind
        self.own, self.every = np.zeros(self.size, dtype=np.int64), np.zeros(self.size, dtype=np.int64)
        self.leader = self._first(doubles.lcb)
        others = doubles.ucb.copy()
        others[self.leader, self.all_rounds] = -np.inf
        self.challenger = self._first(others) if self.arms > 1 else self.leader
        paired = policy.kind in _PAIRED and self.arms > 1
        self.candidate = np.full(self.size, self.arms, dtype=np.int64) if paired else self._first(doubles.ucb)

    def _first(self, values: Floats) -> Integers:
        """The first arm of each argmax set."""
        doubles = self.doubles
        members = self._largest(values, doubles.bound_error, self.all_rounds, doubles.same_interval)
        first: Integers = np.argmax(members, axis=0)
        return first

    def _query_rule(self, places: Integers, leader: int, rivals: Integers | int, candidate: int) -> None:
        tests = self._both_tests(places, leader, rivals, candidate)
        for separated in (False, True):
            for within in (False, True):
                here = places[(tests.separated == separated) & (tests.within == within)]
                stopped = stopping_reason(separated, within)
                if stopped is None:
                    self._note(here, candidate, True, Reason.UNCERTAIN)
                else:
                    self._note(here, leader, False, stopped)
        if self._kind in _PAIRED:
            mine = places[(self.leader[places] == leader) & (self.challenger[places] == rivals)]
            self.candidate[mine] = np.minimum(self.candidate[mine], candidate)

    def _accept(self, places: Integers, arm: int, query: bool) -> None:
        if self._kind is not None:
            self._note(places, arm, query, _REASON_OF[self._kind, query])

    def _note(self, places: Integers, arm: int, query: bool, reason: Reason) -> None:
        bit = 1 << REASONS.index(reason)
        self.every[places] |= bit
        taken = places[(self.arm[places] == arm) & (self.query[places] == query)]
        self.own[taken] |= bit
