"""UCB of SMPyBandits 0.9.7 behind the conformance protocol: `bufalu conform -- python THIS_FILE [--as-is] [--constant C]`.

`UCB` plays the arms that it has not seen in random order, and the oracle wants arm t in round t. Which arm is called 1 is
nobody's business, so the adapter numbers the arms in the order in which the library first plays them. With --as-is it
does not. --constant C plants a wrong constant C in place of the library's 2.
"""

import contextlib
import math
import sys

import numpy
from protocol import serve

with contextlib.redirect_stdout(sys.stderr):  # stdout belongs to the protocol, and the library greets on it
    from SMPyBandits.Policies import UCB

CONSTANT = float(sys.argv[sys.argv.index("--constant") + 1]) if "--constant" in sys.argv else None


class Planted(UCB):
    """The library's class with another constant in its index."""

    def computeAllIndex(self):
        """What the library computes, with C for 2."""
        indexes = self.rewards / self.pulls + numpy.sqrt(CONSTANT * math.log(max(self.t, 1)) / self.pulls)
        indexes[self.pulls < 1] = float("+inf")
        self.index[:] = indexes


class Adapter:
    """One run: `order` holds the library's arms in the order of their first play."""

    def __init__(self, arms):
        self.policy = (UCB if CONSTANT is None else Planted)(arms)
        self.policy.startGame()
        self.order = list(range(arms)) if "--as-is" in sys.argv else []
        self.played = None

    def decide(self, round_number, epsilon):
        """The library's arm under its new number."""
        self.played = int(self.policy.choice())
        if self.played not in self.order:
            self.order.append(self.played)
        return self.order.index(self.played) + 1, True

    def observe(self, reward):
        """Hands the reward on."""
        self.policy.getReward(self.played, reward)


numpy.random.seed(0)
serve("SMPyBandits UCB", "0.9.7", "hoeffding:2:before", Adapter)
