"""River's two shapes: a bandit policy (`pull`, `update`), and active learning (a prediction, and whether to ask).

River itself is not imported: its tools, `bandit.evaluate` among them, take what has these methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Generic, Self, TypeVar

from bufalu.live.deciding import DecidingRun
from bufalu.reference.errors import InvalidInstance
from bufalu.reference.rationals import NumberLike

Arm = TypeVar("Arm", int, str)


class AskingPolicy(Generic[Arm]):
    """A policy as `river.bandit` has them. After `pull`, `asks` says whether the reward of that arm is worth asking for.

    `update` takes the answer when it comes, in any order; a reward of an arm about which no question is open is one
    that was not asked for, and is not looked at, so that loops that know every reward can be used too. The arms are
    those of the first `pull`. Raises what `Journal.open` raises for arguments that are wrong.
    """

    def __init__(
        self,
        policy: str = "bufalu",
        epsilon: str = "power:1/4",
        *,
        rewards: tuple[NumberLike, NumberLike] = (0, 1),
        confidence: str = "hoeffding",
        seed: int = 0,
    ) -> None:
        self.policy = policy
        self.epsilon = epsilon
        self.rewards = rewards
        self.confidence = confidence
        self.seed = seed
        self.asks = False
        self._n = 0  # how often `update` was called: `bandit.evaluate_offline` reads it
        self._arms: list[Arm] = []
        self._open: Counter[Arm] = Counter()
        self._run: DecidingRun | None = None

    def clone(self) -> Self:
        """A new policy with the same parameters, which has learned nothing."""
        return type(self)(self.policy, self.epsilon, rewards=self.rewards, confidence=self.confidence, seed=self.seed)

    def pull(self, arm_ids: Sequence[Arm]) -> Arm:
        """The arm to play next; `asks` says whether to ask. Raises `InvalidInstance` if the arms are others than before."""
        if self._run is None:
            self._arms = list(arm_ids)
            names = [str(arm) for arm in self._arms]
            ties = f"random:{self.seed}"
            self._run = DecidingRun(
                names, self.policy, self.epsilon, self.rewards, confidence=self.confidence, ties=ties
            )
        elif list(arm_ids) != self._arms:
            raise InvalidInstance(f"the arms of this policy are {self._arms}, and {list(arm_ids)} was given")
        step = self._run.next()
        arm, self.asks = self._arms[self._run.settings.arms.index(step.arm)], step.ask
        self._open[arm] += step.ask
        return arm

    def update(self, arm_id: Arm, reward: NumberLike) -> None:
        """Takes an answer about this arm; raises `InvalidReward` outside the range."""
        self._n += 1
        if self._run is not None and self._open[arm_id]:
            self._run.learn(str(arm_id), reward)
            self._open[arm_id] -= 1


class AskingModel:
    """A policy in the shape of `river.active`: `arm, ask = model.predict_one(x)`, and `learn_one` if asked.

    The context `x` is taken and not looked at: the policies know none.
    """

    def __init__(self, arms: Sequence[str], policy: AskingPolicy[str] | None = None) -> None:
        self.arms = list(arms)
        self.policy: AskingPolicy[str] = AskingPolicy() if policy is None else policy
        self._last: str | None = None

    def predict_one(self, x: object) -> tuple[str, bool]:
        """The arm to play, and whether its reward is worth asking for."""
        self._last = self.policy.pull(self.arms)
        return self._last, self.policy.asks

    def learn_one(self, x: object, y: NumberLike, arm: str | None = None) -> None:
        """Takes the reward of the arm predicted last, or of the one that is named, for answers that come late."""
        answered = self._last if arm is None else arm
        if answered is not None:
            self.policy.update(answered, y)
