"""One round of a run: what was played, whether it was queried, what was seen, and when."""

from __future__ import annotations

from typing import NamedTuple

from bufalu.reference.exact import Exact
from bufalu.reference.rationals import Rational


class Round(NamedTuple):
    """Round `number` >= 1. `reward` is None where it was not queried, and where the answer never came.

    `answered` is the first round that knew the reward, told only where that was not the next one. Decisions see answers only.

    `epsilon` is epsilon(t), None in the initial rounds t <= K, where no policy looks at it. A file whose header names a
    schedule does not repeat its numbers: `traces.with_epsilon` puts them back, and everything that reads a file uses it.
    """

    number: int
    arm: int
    query: bool
    reward: Rational | None
    epsilon: Exact | None
    answered: int | None = None

    @property
    def late(self) -> bool:
        """Whether the answer to a query was not known in the next round."""
        return self.answered not in (None, self.number + 1) or (self.query and self.reward is None)


class Answer(NamedTuple):
    """The reward of an arm, when it becomes known; `asked` is the round that was queried."""

    asked: int
    arm: int
    reward: Rational


class Arrivals:
    """The answers on their way: takes the rounds of a run in order, and gives each answer when it arrives."""

    def __init__(self) -> None:
        self._coming: dict[int, list[Answer]] = {}

    def after(self, played: Round) -> list[Answer]:
        """The answers, to this round or to earlier ones, that the round after `played` is the first to know."""
        if played.reward is not None:
            known = played.number + 1 if played.answered is None else played.answered
            self._coming.setdefault(known, []).append(Answer(played.number, played.arm, played.reward))
        return self._coming.pop(played.number + 1, [])

    def copy(self) -> Arrivals:
        """A copy of what is on its way, which can be followed apart."""
        twin = Arrivals()
        twin._coming = {known: list(answers) for known, answers in self._coming.items()}
        return twin
