"""What the lemma and the count bounds become for BuFAU and CBM-UCB (l.1377-1414).

Both play or query an arm of largest UCB, so under the good event a queried suboptimal arm is at least as wide as its
whole gap, whether one arm is optimal or several: the level is Delta_a where BuFALU needs Delta_a / 2.
"""

from __future__ import annotations

from functools import partial

from bufalu.properties.runs.counts import over_corner_means, queried_rounds, unqueried_rounds
from bufalu.properties.runs.statements import Statement, TrueMeans
from bufalu.reference.rationals import Rational

BASELINES = frozenset({"bufau", "cbm-ucb"})


def whole_gap(true_means: TrueMeans, arm: int) -> Rational:
    """Delta_a, which is 0 for an optimal arm."""
    return true_means.gap(arm)


BASELINE_QUERIED_COUNT = Statement(
    "baselines.count_queried",
    ("baselines.count_queried",),
    "under the good event BuFAU and CBM query a suboptimal arm at most N-bar^g(T, gap) + 1 times",
    over_corner_means(partial(queried_rounds, level=whole_gap)),
    BASELINES,
)
BASELINE_UNQUERIED_COUNT = Statement(
    "baselines.count_unqueried",
    ("baselines.count_unqueried",),
    "under the good event BuFAU and CBM play an arm unqueried in at most L_epsilon(T, gap) rounds",
    over_corner_means(unqueried_rounds),
    BASELINES,
)
