"""What the lemma and the count bounds become for BuFAU and CBM-UCB (l.1377-1414).

Both play or query an arm of largest UCB, so under the good event a queried suboptimal arm is at least as wide as its
whole gap, whether one arm is optimal or several: the level is Delta_a where BuFALU needs Delta_a / 2.
"""

from __future__ import annotations

from bufalu.properties.runs.counts import CountBounds, over_corner_worlds, queried_rounds, unqueried_rounds
from bufalu.properties.runs.statements import Statement

BASELINES = frozenset({"bufau", "cbm-ucb"})

WHOLE_GAP = CountBounds(unique_share=1, best_share=0)
"""Suboptimal arms have level Delta_a; the optimal arm has level 0."""

BASELINE_QUERIED_COUNT = Statement(
    "baselines.count_queried",
    ("baselines.count_queried",),
    "under the good event BuFAU and CBM query a suboptimal arm at most N-bar^g(T, gap) + 1 times",
    over_corner_worlds(queried_rounds, WHOLE_GAP),
    BASELINES,
)
BASELINE_UNQUERIED_COUNT = Statement(
    "baselines.count_unqueried",
    ("baselines.count_unqueried",),
    "under the good event BuFAU and CBM play an arm unqueried in at most L_epsilon(T, gap) rounds",
    over_corner_worlds(unqueried_rounds, CountBounds()),
    BASELINES,
)
