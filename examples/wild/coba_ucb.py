"""BanditUCBLearner of coba behind the conformance protocol: `bufalu conform -- python THIS_FILE [--mended] [--as-is]`.

It is UCB1-Tuned: mean + sqrt(ln N / n min(1/4, V)) with V >= sqrt(2 ln N / n). While n <= 32 ln N, in the first 150 rounds at
least, the minimum is 1/4 and the interval is `hoeffding:1/4:before`; later rounds say nothing. New arms are played in random
order. --mended brings the mean up to date with the count that includes the new reward, and leaves the rest as it is.
"""

import sys

from coba.learners import BanditUCBLearner
from protocol import serve


class MendedLearner(BanditUCBLearner):
    """The library's class with the mean of all rewards."""

    def learn(self, context, action, reward, probability):
        """What the library keeps, with its mean replaced."""
        before, mean = self._s.get(action, 0), self._m.get(action, 0.0)
        super().learn(context, action, reward, probability)
        self._m[action] = mean + (reward - mean) / (before + 1)


class Run:
    """One run of the library."""

    def __init__(self, arms):
        learner = (MendedLearner if "--mended" in sys.argv else BanditUCBLearner)()
        self.choose = lambda: learner.predict(None, list(range(arms)))[0]
        self.learn = lambda arm, reward: learner.learn(None, arm, reward, 1.0)


serve("coba BanditUCBLearner", "coba", "hoeffding:1/4:before", Run, random_start=True)
