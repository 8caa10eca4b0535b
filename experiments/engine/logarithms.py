"""Logarithms of eight doubles at once, by operations that IEEE rounds."""

from __future__ import annotations

import math

from bufalu.experiments.engine.compiled import inlined
from bufalu.experiments.engine.lanes import Lanes, doubles_of, every, every_whole, shifted, tag_of, tagged

FRACTION_BITS = 52
EXPONENT = 0x7FF << FRACTION_BITS
"""The bits of a double that hold its exponent, and those of exponent 0."""
ONE = 0x3FF << FRACTION_BITS

WHOLE = 2.0**FRACTION_BITS
WHOLE_BITS = 0x433 << FRACTION_BITS
"""A whole number added to these bits of 2^52 adds itself."""

HALF_ROOT = math.sqrt(0.5)
LOG_2 = math.log(2.0)
TERMS = 11


@inlined
def logarithm(x: Lanes) -> Lanes:
    """ln x, for x >= 1, within 8 u (1 + ln x), u = 2^-53.

    With x = 2^e m, 1 <= m < 2, v = m / sqrt(2) and z = (v - 1)/(v + 1), it is (e + 1/2) ln 2 + 2 (z + z^3/3 + z^5/5 + ...),
    where |z| < 0.172, and what follows eleven terms is below u/10. The first summand is within 2 u ln x + u. v is within 2 u,
    so that its logarithm is; z within 2 u of itself, and the series within 3 u for |z| < 0.172; the last sum adds u ln x.
    """
    exponent = doubles_of(shifted(tag_of(x, EXPONENT), FRACTION_BITS) + every_whole(WHOLE_BITS - 0x3FF)) - every(
        WHOLE
    )
    scaled = tagged(x, EXPONENT, ONE) * every(HALF_ROOT)
    z = (scaled - every(1.0)) / (scaled + every(1.0))
    square, series = z * z, every(0.0)
    for k in range(TERMS - 1, -1, -1):
        series = series * square + every(2.0 / (2 * k + 1))
    return (exponent + every(0.5)) * every(LOG_2) + z * series
