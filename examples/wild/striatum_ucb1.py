"""UCB1 of striatum behind the conformance protocol: `bufalu conform -- python THIS_FILE [--mended]`.

The library starts every arm with a reward of 1 that nobody observed. --mended takes it out of the model after every arm
was played, and leaves the rest as it is.
"""

import sys

from protocol import serve
from striatum.bandit import UCB1
from striatum.storage import Action, MemoryActionStorage, MemoryHistoryStorage, MemoryModelStorage


class Run:
    """One run of the library."""

    def __init__(self, arms):
        actions = MemoryActionStorage()
        actions.add([Action(arm) for arm in range(arms)])
        self.models = MemoryModelStorage()
        self.bandit = UCB1(MemoryHistoryStorage(), self.models, actions)
        self.unplayed = arms
        self.asked = None

    def choose(self):
        """The library's action."""
        self.asked, recommended = self.bandit.get_action()
        return recommended.action.id

    def learn(self, arm, reward):
        """Hands the reward on."""
        self.bandit.reward(self.asked, {arm: reward})
        self.unplayed -= 1
        if self.unplayed == 0 and "--mended" in sys.argv:
            self.forget_the_invented()

    def forget_the_invented(self):
        """Takes the invented reward of every arm back."""
        model = self.models.get_model()
        for arm in model["action_times"]:
            model["total_action_reward"][arm] -= 1
            model["action_times"][arm] -= 1
            model["n_rounds"] -= 1
        self.models.save_model(model)


serve("striatum UCB1", "striatum", "hoeffding:2:before", Run)
