"""What the float filter assumes of the machine: doubles are IEEE 754, and log and pow are off by few ulps."""

import math
import random
import sys
from decimal import Context, Decimal

from bufalu.reference.exact import LIBM_ULPS

PRECISE = Context(prec=60)


def ulps_off(computed: float, truth: Decimal) -> Decimal:
    return abs(Decimal(computed) - truth) / Decimal(math.ulp(computed))


def test_doubles_are_binary64_with_correct_rounding():
    assert sys.float_info.mant_dig == 53
    assert sys.float_info.max_exp == 1024
    assert 1.0 + 2.0**-53 == 1.0
    assert 1.0 + (2.0**-53 + 2.0**-80) > 1.0
    assert math.sqrt(2.0) == float(PRECISE.sqrt(Decimal(2)))


def test_log_is_within_the_assumed_ulps():
    generator = random.Random(1)
    rounds = [*range(2, 3000), *(generator.randrange(2, 10**18) for _ in range(3000)), 10**30, 2**200 + 1]
    worst = max(ulps_off(math.log(t), PRECISE.ln(Decimal(t))) for t in rounds)
    assert worst <= LIBM_ULPS


def test_pow_is_within_the_assumed_ulps():
    generator = random.Random(2)
    for _ in range(2000):
        t = generator.randrange(2, 2**53)
        slope = -generator.randrange(1, 200) / 64
        truth = PRECISE.exp(PRECISE.multiply(Decimal(slope), PRECISE.ln(Decimal(t))))
        assert ulps_off(float(t) ** slope, truth) <= LIBM_ULPS
        log = math.log(t)
        half_power = generator.choice([-4, -2, -1, 1, 2, 3, 4]) / 2
        truth = PRECISE.exp(PRECISE.multiply(Decimal(half_power), PRECISE.ln(Decimal(log))))
        assert ulps_off(log**half_power, truth) <= LIBM_ULPS
