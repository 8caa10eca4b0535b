"""UCB1 of MABWiser behind the conformance protocol: `bufalu conform -- python THIS_FILE [--as-is] [--alpha A]`.

The library's index is mean + alpha sqrt(2 ln N / n) with N the rewards seen so far, and an arm that it has not seen has the
expectation 0: it wants to be fitted with rewards of every arm first. So the adapter plays the initial rounds itself and
fits the library with them. With --as-is it only fits round 1 and leaves round 2 to the library. --alpha A plants a wrong
alpha in place of 1.
"""

import sys

from mabwiser.mab import MAB, LearningPolicy
from protocol import option, serve


class Run:
    """One run of the library, and the initial rounds in front of it."""

    def __init__(self, arms):
        policy = LearningPolicy.UCB1(alpha=float(option("--alpha") or 1))
        self.mab = MAB(arms=list(range(arms)), learning_policy=policy)
        self.initial = 1 if "--as-is" in sys.argv else arms
        self.seen = []

    def choose(self):
        """The arm of an initial round, then the library's."""
        return len(self.seen) if len(self.seen) < self.initial else self.mab.predict()

    def learn(self, arm, reward):
        """Fits the library with the initial rounds together, then round by round."""
        if len(self.seen) >= self.initial:
            self.mab.partial_fit([arm], [reward])
            return
        self.seen.append((arm, reward))
        if len(self.seen) == self.initial:
            self.mab.fit([arm for arm, _ in self.seen], [paid for _, paid in self.seen])


serve("MABWiser UCB1", "mabwiser", "hoeffding:2:before", Run)
