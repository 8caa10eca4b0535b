"""UCBPolicy of PyMAB behind the conformance protocol: `bufalu conform -- python THIS_FILE [--constant C]`.

The index is mean + sqrt(c ln t / n), by default with c = 2, and t is the round that is decided: one more than the rewards
seen. --constant C plants a wrong c.
"""

import numpy
from protocol import option, serve
from pymab.policies import UCBPolicy


class Run:
    """One run of the library."""

    def __init__(self, arms):
        policy = UCBPolicy(n_arms=arms, c=float(option("--constant") or 2))
        generator = numpy.random.default_rng(0)
        self.choose = lambda: policy.select_action(rng=generator)
        self.learn = lambda arm, reward: policy.update(action=arm, reward=reward)


serve("PyMAB UCBPolicy", "pymab", "hoeffding:2", Run)
