"""MABWiser's shape: `fit` and `partial_fit` with decisions and rewards, `predict` for the next arm. It is not imported."""

from __future__ import annotations

from collections.abc import Sequence

from bufalu.live.deciding import DecidingRun, Step
from bufalu.reference.errors import InvalidReward
from bufalu.reference.rationals import NumberLike, nearest_float


class AskingMAB:
    """A policy with the methods of `mabwiser.mab.MAB`. After `predict`, `asks` says whether to ask for its reward.

    What is fitted are the rewards that somebody asked for: leave out, never fill in, those that nobody knows. Each
    `predict` is a round. Raises what `Journal.open` raises for arguments that are wrong.
    """

    def __init__(
        self,
        arms: Sequence[str],
        policy: str = "bufalu",
        epsilon: str = "power:1/4",
        *,
        rewards: tuple[NumberLike, NumberLike] = (0, 1),
        confidence: str = "hoeffding",
        seed: int = 0,
    ) -> None:
        self.arms = list(arms)
        self._arguments = (self.arms, policy, epsilon, rewards)
        self._options = {"confidence": confidence, "ties": f"random:{seed}"}
        self._run = self._new()
        self.step: Step | None = None

    def fit(self, decisions: Sequence[str], rewards: Sequence[NumberLike]) -> None:
        """Forgets everything and learns these rewards of these arms; the rounds begin with the first again."""
        fresh = self._new()
        _learned(fresh, decisions, rewards)
        self._run, self.step = fresh, None

    def partial_fit(self, decisions: Sequence[str], rewards: Sequence[NumberLike]) -> None:
        """Learns more rewards, all or none: raises `InvalidReward` or `InvalidInstance` and has learned nothing."""
        before = self._run.state.copy()
        try:
            _learned(self._run, decisions, rewards)
        except BaseException:
            self._run.state = before
            raise

    def predict(self) -> str:
        """The arm to play in the next round."""
        self.step = self._run.next()
        return self.step.arm

    @property
    def asks(self) -> bool:
        """Whether the reward of the arm predicted last is worth asking for."""
        return self.step is not None and self.step.ask

    def predict_expectations(self) -> dict[str, float]:
        """The mean of the rewards of each arm, in their unit; 0 without any, as MABWiser has it."""
        settings, records = self._run.settings, self._run.state.records
        return {
            arm: nearest_float(settings.lowest + settings.spread * record.exact_mean()) if record.queries else 0.0
            for arm, record in zip(self.arms, records, strict=True)
        }

    def _new(self) -> DecidingRun:
        return DecidingRun(*self._arguments, **self._options)  # type: ignore[arg-type]  # as __init__ took them


def _learned(run: DecidingRun, decisions: Sequence[str], rewards: Sequence[NumberLike]) -> None:
    if len(decisions) != len(rewards):
        raise InvalidReward(f"there are {len(decisions)} decisions and {len(rewards)} rewards")
    for arm, reward in zip(decisions, rewards, strict=True):
        run.learn(str(arm), reward)
