"""What a stranger brings along: one interval without doubles, one with, a schedule and a policy, from public names alone.

`test_stranger.py` copies this file into a folder of its own and runs everything there in another process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from bufalu import (
    Comparisons,
    ConfidenceInterval,
    Decision,
    Exact,
    NormalForm,
    Policy,
    RadicalTerm,
    RadiusShape,
    RadiusTerm,
    Reason,
    Round,
    Schedule,
    ShapedInterval,
    ShapedSchedule,
    View,
    log_root,
    register_interval,
    register_policy,
    register_schedule,
)


class SlowInterval(ConfidenceInterval):
    """mean +- (1/n + sqrt(ln t / n)): 1/n does not grow with t, so that it has no shape."""

    text = "stranger-slow"

    def radius_form(self, queries, variance, round_number):
        return NormalForm(
            (RadicalTerm(Fraction(1, queries)), RadicalTerm(1, radicand=Fraction(1, queries), degree=1)), round_number
        )


class NarrowInterval(ShapedInterval):
    """mean +- sqrt(V ln t / n) + ln t / n: a shape of its own, with a variance, that the engine does not know."""

    text = "stranger-narrow"
    shape = RadiusShape((RadiusTerm(1, uses_variance=True), RadiusTerm(1, rooted=False)))


class HalvedLog(ShapedSchedule):
    """epsilon(t) = c / sqrt(ln t), by its terms."""

    def __init__(self, factor: Fraction) -> None:
        self.factor = factor

    @property
    def text(self) -> str:
        return f"stranger-log:{self.factor}"

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        return (RadicalTerm(self.factor, degree=-1),)


class OpaqueLog(Schedule):
    """epsilon(t) = c / sqrt(ln t), without terms: exact numbers are all that is known of it."""

    def __init__(self, factor: Fraction) -> None:
        self.factor = factor

    @property
    def text(self) -> str:
        return f"stranger-opaque:{self.factor}"

    def at(self, round_number: int, arms: int, history: Sequence[Round] = ()) -> Exact:
        return Exact.of(self.factor) * log_root(round_number, -1)


class Cautious(Policy):
    """Plays an arm of largest LCB and queries it while its width exceeds RHO times epsilon."""

    def __init__(self, share: Fraction) -> None:
        self.share = share

    @property
    def text(self) -> str:
        return f"stranger-cautious:{self.share}"

    def possible(self, view: View, comparisons: Comparisons) -> Iterator[tuple[Decision, Reason]]:
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return
        for arm in comparisons.largest(range(1, view.arms + 1), view.lcb):
            for within in comparisons.at_most(view.width(arm), view.number(self.share) * view.epsilon):
                yield Decision(arm, not within), Reason.WITHIN_EPSILON if within else Reason.UNCERTAIN


register_interval("stranger-slow", SlowInterval())
register_interval("stranger-narrow", NarrowInterval())
register_schedule(
    "stranger-log", lambda argument: HalvedLog(Fraction(1 if argument is None else argument)), "stranger-log:C"
)
register_schedule(
    "stranger-opaque", lambda argument: OpaqueLog(Fraction(1 if argument is None else argument)), "stranger-opaque:C"
)
register_policy(
    "stranger-cautious",
    lambda argument: Cautious(Fraction(2 if argument is None else argument)),
    "stranger-cautious:RHO",
)
