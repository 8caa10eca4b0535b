"""What a journal knows so far: counts, means and intervals by name, which arms may be best, what was lost at most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bufalu.live.settings import Settings
from bufalu.live.store import ArmSums, state_of
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.rationals import Rational
from bufalu.reference.state import ArmRecord
from bufalu.reference.view import ExactView, maximisers


@dataclass(frozen=True)
class ArmSummary:
    """One arm in the unit of the rewards; mean and bounds are None before its first answer."""

    name: str
    plays: int
    asked: int
    answers: int
    mean: float | None
    lower: float | None
    upper: float | None


@dataclass(frozen=True)
class Summary:
    """`answers` counts all that are known, `before` those from before the first round, `waiting` those still to come.

    `may_be_best`: the arms whose interval reaches the highest lower bound; one alone is best if the intervals hold.

    `lost_at_most`: if every mean lies in its interval now, the plays so far lost no more than this against the best arm.
    """

    rounds: int
    asked: int
    answers: int
    before: int
    waiting: int
    arms: tuple[ArmSummary, ...]
    may_be_best: tuple[str, ...]
    lost_at_most: float

    @property
    def given(self) -> int:
        """The answers of this run."""
        return self.answers - self.before

    @property
    def never(self) -> int:
        """The questions that were closed without an answer."""
        return self.asked - self.given - self.waiting


def summary_of(settings: Settings, rounds: int, sums: Sequence[ArmSums], waiting: int) -> Summary:
    """The summary before the next round; what is shown is rounded to doubles, which arms may be best is decided exactly."""
    state = state_of(sums)
    # In round 1 the logarithm is 0 and every interval a point: the first interval that says something is that of round 2.
    view = ExactView(state, settings.interval, max(2, rounds + 1), ZERO)
    everyone = range(1, len(sums) + 1)
    floor = view.lcb(maximisers(everyone, view.lcb)[0])
    rows = tuple(_arm(settings, view, arm, row) for arm, row in zip(everyone, sums, strict=True))
    return Summary(
        rounds,
        sum(row.asked for row in sums),
        sum(row.answers for row in sums),
        sum(record.queries for record in settings.records_before()),
        waiting,
        rows,
        tuple(settings.arms[arm - 1] for arm in everyone if not view.ucb(arm) < floor),
        float(settings.spread) * sum(row.plays * _gap(view, arm) for arm, row in zip(everyone, sums, strict=True)),
    )


def _gap(view: ExactView, arm: int) -> float:
    """How much better another arm can be, in [0, 1]: its largest mean less the smallest of this one."""
    worst = max(0.0, view.lcb(arm).approximation)
    others = (other for other in range(1, view.arms + 1) if other != arm)
    return max([0.0, *(min(1.0, view.ucb(other).approximation) - worst for other in others)])


def _arm(settings: Settings, view: ExactView, arm: int, sums: ArmSums) -> ArmSummary:
    record = ArmRecord(sums.answers, sums.total, sums.squares)
    mean = _in_unit(settings, float(record.exact_mean())) if sums.answers else None
    return ArmSummary(
        settings.arms[arm - 1],
        sums.plays,
        sums.asked,
        sums.answers,
        mean,
        _bound(settings, view.lcb(arm)),
        _bound(settings, view.ucb(arm)),
    )


def _bound(settings: Settings, bound: Exact) -> float | None:
    return None if bound.is_infinite else _in_unit(settings, float(bound))


def _in_unit(settings: Settings, value: float | Rational) -> float:
    return float(settings.lowest) + float(value) * float(settings.spread)
