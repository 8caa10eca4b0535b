"""UCB of river behind the conformance protocol: `bufalu conform -- python THIS_FILE [--distribution] [--as-is] [--delta D]`.

The index is reward + delta sqrt(2 ln N / n) with N the rewards seen so far. New arms are played in random order. The reward
is kept in a statistic, the mean, or with --distribution in a `proba.Gaussian`, whose mode is the mean. --delta D plants a
wrong delta in place of 1.
"""

import sys

from protocol import option, serve
from river import bandit, proba, stats


class Run:
    """One run of the library."""

    def __init__(self, arms):
        kept = proba.Gaussian() if "--distribution" in sys.argv else stats.Mean()
        policy = bandit.UCB(delta=float(option("--delta") or 1), reward_obj=kept, seed=0)
        self.choose = lambda: policy.pull(range(arms))
        self.learn = policy.update


serve("river UCB", "river", "hoeffding:2:before", Run, random_start=True)
