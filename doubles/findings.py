"""What arrays of doubles say of the decisions of many rounds: who was who, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bufalu.doubles.blocks import Booleans, Integers
from bufalu.doubles.masks import Masks, Ties
from bufalu.doubles.views import ArrayView
from bufalu.reference.policies import Policy
from bufalu.reference.policies.decisions import REASONS

_LOWEST_BIT = np.array(
    [0, *((mask & -mask).bit_length() - 1 for mask in range(1, 1 << len(REASONS)))], dtype=np.int64
)


@dataclass(frozen=True)
class BlockRoles:
    """For each of many rounds the first leader, the first challenger and the first candidate, arms from 1, and the
    number of the reason: the first for the decision that was taken, or that of the rule where it was not admissible.

    Where `unsure`, the others say nothing.
    """

    leader: Integers
    challenger: Integers
    candidate: Integers
    reason: Integers
    unsure: Booleans


def block_roles(policy: Policy, view: ArrayView, arm: Integers, query: Booleans) -> BlockRoles:
    """The roles in rounds after the initial ones. Who has no rule for a candidate has the arm of largest UCB for one."""
    masks = Masks(len(arm))
    own, every = np.zeros(len(arm), dtype=np.int64), np.zeros(len(arm), dtype=np.int64)
    for decision, reason in masks.follow(policy, view):
        here, bit = masks.here(), 1 << REASONS.index(reason)
        every[here] |= bit
        own[here] |= np.where((arm[here] == decision.arm) & (query[here] == decision.query), bit, 0)
    leader, challenger, candidate, unsure = _first_roles(policy, view, len(arm))
    reason_number, silent = told_reasons(own, every)
    return BlockRoles(leader, challenger, candidate, reason_number, unsure | silent | masks.unsettled)


def told_reasons(own: Integers, every: Integers) -> tuple[Integers, Booleans]:
    """The number of the reason that is told, and where there is none, from sets of bits: the reasons for the decision that
    was taken, and those for any. A decision that no tie-break gives is told by what the rule wanted, if that has one
    reason alone.
    """
    several = every & (every - 1) != 0
    silent: Booleans = (own == 0) & (several | (every == 0))
    return _LOWEST_BIT[np.where(own != 0, own, every)], silent


def _first_roles(policy: Policy, view: ArrayView, size: int) -> tuple[Integers, Integers, Integers, Booleans]:
    """The first leader, challenger and candidate of each round, and where they are not known."""
    masks = Masks(size, ties=Ties.FIRST)
    leaders, challengers, candidates = (np.zeros(size, dtype=np.int64) for _ in range(3))
    with np.errstate(invalid="ignore", over="ignore"):
        for leader, challenger, candidate in policy.selections(view, masks):
            here = masks.here()
            leaders[here], challengers[here], candidates[here] = leader, challenger or leader, candidate
    return leaders, challengers, candidates, masks.unsettled | (candidates == 0)
