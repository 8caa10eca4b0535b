"""UCB1 of MABWiser 2.7.4 behind the conformance protocol: `bufalu conform -- python THIS_FILE [--as-is] [--alpha A]`.

The library's index is mean + alpha sqrt(2 ln N / n) with N the rewards seen so far, and an arm that it has not seen has the
expectation 0: it wants to be fitted with rewards of every arm first. So the adapter plays the initial rounds itself and
fits the library with them. With --as-is it only fits round 1 and leaves round 2 to the library. --alpha A plants a wrong
alpha in place of 1.
"""

import sys

from mabwiser.mab import MAB, LearningPolicy
from protocol import serve

ALPHA = float(sys.argv[sys.argv.index("--alpha") + 1]) if "--alpha" in sys.argv else 1.0


class Adapter:
    """One run."""

    def __init__(self, arms):
        self.mab = MAB(arms=list(range(1, arms + 1)), learning_policy=LearningPolicy.UCB1(alpha=ALPHA))
        self.initial = 1 if "--as-is" in sys.argv else arms
        self.seen = []
        self.played = None

    def decide(self, round_number, epsilon):
        """The arm of an initial round, then the library's."""
        self.played = round_number if round_number <= self.initial else self.mab.predict()
        return self.played, True

    def observe(self, reward):
        """Fits the library with the initial rounds together, then round by round."""
        if len(self.seen) < self.initial:
            self.seen.append((self.played, reward))
            if len(self.seen) == self.initial:
                self.mab.fit([arm for arm, _ in self.seen], [paid for _, paid in self.seen])
        else:
            self.mab.partial_fit([self.played], [reward])


serve("MABWiser UCB1", "2.7.4", "hoeffding:2:before", Adapter)
