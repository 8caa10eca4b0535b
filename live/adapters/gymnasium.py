"""Gymnasium: a bandit whose action is an arm and whether to ask, and our policies as agents for it.

The keys are those of code for monitored MDPs: actions and observations have `env` and `mon`, rewards `env` (what the arm
paid), `mon` (minus the price of asking) and `proxy` (what the agent sees: nan unless it asked).
"""

from __future__ import annotations

import math
from typing import TypeAlias

from bufalu.live.deciding import DecidingRun
from bufalu.live.errors import LibraryMissing
from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike
from bufalu.reference.rationals import CountLike, NumberLike, nearest_float, parameter, whole_number
from bufalu.reference.rewards import SeededRewards

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise LibraryMissing("bufalu.live.adapters.gymnasium needs Gymnasium: pip install 'bufalu[adapters]'") from None

Action: TypeAlias = dict[str, int]
Observation: TypeAlias = dict[str, int]
MonitoredReward: TypeAlias = dict[str, float]


class AskingBandit(gymnasium.Env):  # type: ignore[misc]  # types are checked without the library
    """Arms that pay rewards in [0, 1], seen only where the action asks, at a price; an episode has `horizon` rounds.

    After `reset(seed=s)` the k-th answer of an arm is that of `simulate` with the seed s. What an arm pays when nobody
    asks comes from Gymnasium's generator. Raises `InvalidInstance` and `InvalidNumber` for what makes no bandit.
    """

    def __init__(self, instance: InstanceLike, horizon: CountLike, cost: NumberLike = 0) -> None:
        self.instance = arguments.instance(instance)
        self.horizon = whole_number(horizon, "horizon", 1)
        self.cost = nearest_float(parameter(cost, "cost"))
        self.action_space = spaces.Dict(
            {"env": spaces.Discrete(self.instance.number_of_arms), "mon": spaces.Discrete(2)}
        )
        self.observation_space = spaces.Dict({"env": spaces.Discrete(1), "mon": spaces.Discrete(1)})
        self._rounds = 0
        self._answers = [0] * self.instance.number_of_arms
        self._rewards: SeededRewards | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Observation, dict[str, object]]:
        """A new episode; without a seed the next one of the generator."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2**32)) if seed is None else seed
        self._rewards = SeededRewards(self.instance, drawn)
        self._rounds, self._answers = 0, [0] * self.instance.number_of_arms
        return {"env": 0, "mon": 0}, {}

    def step(self, action: Action) -> tuple[Observation, MonitoredReward, bool, bool, dict[str, object]]:
        """Plays an arm, numbered from 0, and asks if `mon` is 1; truncated in the last round."""
        if self._rewards is None:
            raise gymnasium.error.ResetNeeded("reset comes before the first step")
        arm, asks = int(action["env"]), bool(action["mon"])
        self._rounds += 1
        if asks:
            self._answers[arm] += 1
            paid = nearest_float(self._rewards.draw(arm + 1, self._answers[arm]))
        else:
            law = self.instance.arms[arm]
            chances = [nearest_float(probability) for probability in law.probabilities]
            paid = nearest_float(law.values[int(self.np_random.choice(len(chances), p=chances))])
        reward = {"env": paid, "mon": -self.cost if asks else 0.0, "proxy": paid if asks else math.nan}
        return {"env": 0, "mon": 0}, reward, False, self._rounds == self.horizon, {}


class Agent:
    """One of our policies as an agent: `act` gives an action, `learn` takes the reward, of which it sees `proxy` alone."""

    def __init__(
        self, arms: CountLike, policy: str = "bufalu", epsilon: str = "power:1/4", *, ties: str = "first"
    ) -> None:
        self._run = DecidingRun(
            [str(arm) for arm in range(whole_number(arms, "arms", 1))], policy, epsilon, ties=ties
        )
        self._arm = ""

    def act(self, observation: object = None) -> Action:
        """The arm, numbered from 0, and whether to ask."""
        step = self._run.next()
        self._arm = step.arm
        return {"env": int(step.arm), "mon": int(step.ask)}

    def learn(self, reward: MonitoredReward) -> None:
        """Takes the answer to the last action, if there is one."""
        if not math.isnan(reward["proxy"]):
            self._run.learn(self._arm, reward["proxy"])
