"""The regularity that is asked of an interval for which nobody has proved one."""

from __future__ import annotations

from bufalu.bounds.errors import NotRegular
from bufalu.bounds.regularity import Regularity, regularity_of, regularity_with
from bufalu.properties.runs.thresholds import root_factor
from bufalu.reference.confidence import ConfidenceInterval, RegularityNumbers, SampleNumbers
from bufalu.reference.radius_shapes import Growth

HOEFFDING_FAILURES = 2
"""The C(T)/K of Hoeffding's interval (l.1134), which is asked of an interval that states none."""


def asked_numbers(interval: ConfidenceInterval) -> RegularityNumbers | None:
    """What the interval states; or, for a radius sqrt(c ln t / n), N = 4 c ln t / level^2 and C = 2K; else None."""
    if interval.regularity is not None:
        return interval.regularity
    factor = root_factor(interval.shape)
    if interval.shape is None or factor is None or interval.shape.growth is not Growth.LOG:
        return None
    samples = SampleNumbers(quadratic=factor)
    return RegularityNumbers("", HOEFFDING_FAILURES, samples, samples, samples)


def asked_regularity(interval: ConfidenceInterval) -> Regularity:
    """What is proved or stated of an interval, or else what is asked of it; raises `NotRegular` if nothing can be."""
    if interval.regularity is not None:
        return regularity_of(interval)
    numbers = asked_numbers(interval)
    if numbers is None:
        raise NotRegular(
            f"nothing says after how many queries the interval '{interval.text}' is narrower than a level, nor how often "
            "it fails: give it a `regularity` (RegularityNumbers) with N^g, N^as and C"
        )
    return regularity_with(interval, numbers)
