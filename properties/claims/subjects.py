"""What each claim speaks about, so that it is asked of a user's own interval or policy only where that makes sense."""

from __future__ import annotations

from enum import Enum
from fnmatch import fnmatchcase

from bufalu.properties.claims.claim import Claim, Section


class Subject(Enum):
    """What a claim speaks about; `value` is said for a claim that cannot be asked of something else."""

    ROUND = "BuFALU on one path, with any intervals"
    THEOREM = "BuFALU in expectation, with regular intervals"
    HOEFFDING = "Hoeffding's interval and its numbers"
    BERNSTEIN = "Bernstein's interval and its numbers"
    KL_UCB = "the interval of l.1644"
    OTHER_POLICIES = "another policy than BuFALU"
    NEITHER = "neither intervals nor the algorithm"


_PATTERNS: tuple[tuple[Subject, tuple[str, ...]], ...] = (
    (
        Subject.ROUND,
        (
            "counts.queries_at_most_plays",
            "gap.*",
            "algorithm.*",
            "epsilon.*",
            "gap_query.*",
            "cap.almost_sure",
            "count.*",
            "beyond.infinite_interval_forces_query",
            "theorem.adaptive_epsilon",
            "proof.*",
            "discussion.middle_point",
        ),
    ),
    (
        Subject.BERNSTEIN,
        (
            "theorem.bernstein*",
            "independent.bernstein*",
            "regular.bernstein*",
            "bernstein.*",
            "discussion.bernstein_*",
        ),
    ),
    (
        Subject.HOEFFDING,
        (
            "interval.hoeffding_width",
            "n_bar.*",
            "budget.*",
            "regular.hoeffding*",
            "theorem.factor_four",
            "independent.minimiser",
            "independent.unit_rewards_keep_asking",
            "independent.rewards_in_unit_interval",
            "discussion.total_budget",
            "discussion.regret_with_budget*",
            "discussion.unique_logarithmic",
            "discussion.epsilon_below_smallest_gap",
            "discussion.ucb_count",
            "summary.unique_upper",
            "summary.multiple_upper",
            "deterministic.*",
            "table.*.bufalu",
        ),
    ),
    (Subject.KL_UCB, ("kl_ucb.*",)),
    (Subject.OTHER_POLICIES, ("baselines.*", "cbm.wastes", "dial.*", "greedy.*", "table.*")),
    (Subject.THEOREM, ("theorem.*", "independent.*", "costs.arm_dependent", "discussion.general_reduces")),
    (
        Subject.NEITHER,
        ("l_epsilon.*", "auxiliary.*", "regular.smaller_number", "regular.tape*"),
    ),
)
"""The first pattern that fits counts."""

_ABOUT_OTHER_THINGS = frozenset(
    {
        Section.SETTING,
        Section.LOWER,
        Section.SCARCE,
        Section.DISCUSSION,
        Section.NUMBERS,
        Section.TABLES,
        Section.ERRATA,
        Section.OWN,
    }
)
"""Parts of the paper whose other claims speak neither of intervals nor of the algorithm."""


def subject_of(claim: Claim) -> Subject:
    """What the claim speaks about; raises `KeyError` for a claim that the table has forgotten."""
    for subject, patterns in _PATTERNS:
        if any(fnmatchcase(claim.id, pattern) for pattern in patterns):
            return subject
    if claim.section in _ABOUT_OTHER_THINGS:
        return Subject.NEITHER
    raise KeyError(claim.id)
