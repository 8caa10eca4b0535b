"""UCB of SMPyBandits behind the conformance protocol: `bufalu conform -- python THIS_FILE [--as-is] [--constant C]`.

`UCB` plays the arms that it has not seen in random order. --constant C plants a wrong constant C in place of the library's 2.
"""

import contextlib
import math
import sys

import numpy
from protocol import option, serve

with contextlib.redirect_stdout(sys.stderr):  # stdout belongs to the protocol, and the library greets on it
    from SMPyBandits.Policies import UCB

CONSTANT = option("--constant")


class PlantedUCB(UCB):
    """The library's class with another constant in its index."""

    def computeAllIndex(self):
        """What the library computes, with C for 2."""
        indexes = self.rewards / self.pulls + numpy.sqrt(float(CONSTANT) * math.log(max(self.t, 1)) / self.pulls)
        indexes[self.pulls < 1] = float("+inf")
        self.index[:] = indexes


class Run:
    """One run of the library."""

    def __init__(self, arms):
        self.policy = (UCB if CONSTANT is None else PlantedUCB)(arms)
        self.policy.startGame()
        self.choose = self.policy.choice
        self.learn = self.policy.getReward


numpy.random.seed(0)
serve("SMPyBandits UCB", "SMPyBandits", "hoeffding:2:before", Run, random_start=True)
