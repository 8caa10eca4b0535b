"""The `ucb` strategy of slots behind the conformance protocol: `bufalu conform -- python THIS_FILE`.

The library plays arms at random until each was played three times, and then the largest of wins / (pulls + 0.1) +
sqrt(2 ln N / pulls) with N the rewards seen so far.
"""

import numpy
from protocol import serve
from slots import MAB


class Run:
    """One run of the library."""

    def __init__(self, arms):
        mab = MAB(num_bandits=arms, live=True)
        self.choose = mab.ucb
        self.learn = mab.update


numpy.random.seed(0)
serve("slots ucb", "slots", "hoeffding:2:before", Run, random_start=True)
