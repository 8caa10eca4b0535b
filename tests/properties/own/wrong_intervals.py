"""Intervals of one's own that are wrong, or may be."""

from __future__ import annotations

from fractions import Fraction

from bufalu import (
    ConfidenceInterval,
    NormalForm,
    RadicalTerm,
    RadiusShape,
    RadiusTerm,
    RegularityNumbers,
    SampleNumbers,
    ShapedInterval,
)


class Root(ShapedInterval):
    """mean +- sqrt(c ln t / n), with the N and C that somebody states of it, or without."""

    text = ""

    def __init__(self, text: str, factor: Fraction, samples: Fraction | None = None, failures: int = 2) -> None:
        self.text = text
        self._factor, self._samples, self._failures = factor, samples, failures

    @property
    def shape(self) -> RadiusShape:
        return RadiusShape((RadiusTerm(self._factor),))

    @property
    def regularity(self) -> RegularityNumbers | None:
        if self._samples is None:
            return None
        samples = SampleNumbers(quadratic=self._samples)
        return RegularityNumbers("somebody", self._failures, samples, samples, samples)


class Sinking(ConfidenceInterval):
    """mean +- (1 - n/last): no shape, and negative after so many queries."""

    text = ""

    def __init__(self, text: str = "test-sinking", last: int = 10) -> None:
        self.text = text
        self._last = last

    def radius_form(self, queries: int, variance: object, round_number: int) -> NormalForm:
        return NormalForm((RadicalTerm(1 - Fraction(queries, self._last)),), round_number)
