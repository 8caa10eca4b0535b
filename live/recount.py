"""The sums of a journal counted again from its steps: what the file keeps of an arm must be what its steps add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from bufalu.live.journal import RoundColumns
from bufalu.live.settings import Settings
from bufalu.live.store import CODES, ArmSums
from bufalu.reference.rationals import Rational, format_rational

_WORDS = ("plays", "questions", "answers", "a sum of answers in [0, 1] of", "a sum of their squares of")
_SHOWN = 40
"""Characters of a number that a message repeats, at most."""


class Recount:
    """Takes all rounds of one moment of a journal, stretch by stretch."""

    def __init__(self, settings: Settings) -> None:
        self._names = settings.arms
        self._sums = [
            ArmSums(0, 0, record.queries, record.total, record.squares) for record in settings.records_before()
        ]
        self._rounds = 0
        self._latest = 0
        self._kept: list[ArmSums] = []

    def take(self, stretch: RoundColumns) -> None:
        """Counts the rounds of the next stretch, all of arms that exist, and the answers to them."""
        for decision, times in Counter(stretch.decisions).items():
            arm, asked = divmod(decision // CODES, 2)
            self._add(arm, ArmSums(times, times * asked, 0, 0, 0))
        # Rewards of a stretch are added over one denominator, equal ones at once: fractions are slow to add.
        common = lcm(*(reward.denominator for reward in stretch.rewards))
        whole = [reward.numerator * (common // reward.denominator) for reward in stretch.rewards]
        arms = (stretch.decisions[asked - stretch.first] // (2 * CODES) for asked in stretch.asked)
        totals, squares, answers = Counter[int](), Counter[int](), Counter[int]()
        for (arm, code), times in Counter(zip(arms, stretch.codes, strict=True)).items():
            answers[arm] += times
            totals[arm] += times * whole[code]
            squares[arm] += times * whole[code] ** 2
        for arm, times in answers.items():
            self._add(arm, ArmSums(0, 0, times, Fraction(totals[arm], common), Fraction(squares[arm], common**2)))
        self._rounds += len(stretch.decisions)
        self._latest = max(self._latest, *stretch.known, 0)
        self._kept = stretch.sums

    def differences(self) -> list[str]:
        """What the file says and its steps do not add up to, a sentence each; nothing before the first step."""
        return [*self._differences()] if self._rounds else []

    def _differences(self) -> Iterator[str]:
        if len(self._kept) != len(self._names):
            yield f"The journal keeps sums of {len(self._kept)} arms and has {len(self._names)}."
        for name, kept, counted in zip(self._names, self._kept, self._sums, strict=False):
            for word, said, right in zip(_WORDS, kept, counted, strict=True):
                if said != right:
                    yield f"The journal keeps for {name!r} {word} {_short(said)}; its steps have {_short(right)}."
        if self._latest > self._rounds + 1:
            yield f"An answer is marked as known from round {self._latest} on, and {self._rounds} rounds were played."

    def _add(self, arm: int, more: ArmSums) -> None:
        plays, asked, answers, total, squares = self._sums[arm - 1]
        self._sums[arm - 1] = ArmSums(
            plays + more.plays,
            asked + more.asked,
            answers + more.answers,
            total + more.total,
            squares + more.squares,
        )


def _short(number: Rational) -> str:
    text = format_rational(number)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
