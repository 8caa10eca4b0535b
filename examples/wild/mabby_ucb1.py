"""UCB1 of mabby behind the conformance protocol: `bufalu conform -- python THIS_FILE [--alpha A]`.

The index is mean + alpha sqrt(ln N / n) with N the rewards seen so far, and no 2 under the root: UCB1 as printed is
alpha = sqrt(2). The adapter takes alpha = 1, whose square is exact, hence `hoeffding:1:before`. --alpha A plants
a wrong alpha.
"""

import numpy
from mabby.strategies import UCB1Strategy
from protocol import option, serve


class Run:
    """One run of the library."""

    def __init__(self, arms):
        strategy = UCB1Strategy(alpha=float(option("--alpha") or 1))
        strategy.prime(arms, 0)
        generator = numpy.random.default_rng(0)
        self.choose = lambda: strategy.choose(generator)
        self.learn = strategy.update


serve("mabby UCB1Strategy", "mabby", "hoeffding:1:before", Run)
