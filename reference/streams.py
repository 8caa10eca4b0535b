"""The one stream of random rewards: X_a(k) is a function of seed, arm and k alone, drawn with whole numbers.

Whatever the order of the queries, the machine or the program that draws: same seed, same rewards. The k-th draw of an
arm is SplitMix64's output function at key + k * golden (Steele, Lea and Flood 2014), the key being mixed from seed and
arm by the same function. The top 63 bits of the word, as a number U in [0, 1), are compared with the cumulative
probabilities of the arm, exactly: P(X = x) is right for probabilities over powers of two up to 2^63 and off by less
than 2^-63 otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import ceil

from bufalu.reference.errors import InvalidNumber
from bufalu.reference.instances import Arm

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
FIRST_FACTOR = 0xBF58476D1CE4E5B9
SECOND_FACTOR = 0x94D049BB133111EB
DRAW_BITS = 63


def mixed(word: int) -> int:
    """SplitMix64's output function: a bijection of 64-bit words that looks like chance."""
    word = ((word ^ (word >> 30)) * FIRST_FACTOR) & MASK
    word = ((word ^ (word >> 27)) * SECOND_FACTOR) & MASK
    return word ^ (word >> 31)


def stream_key(seed: int, arm: int) -> int:
    """Where the stream of an arm (numbered from 1) begins; seeds beyond 64 bits are taken in, word by word.

    Raises `InvalidNumber` for a negative seed.
    """
    if seed < 0:
        raise InvalidNumber(f"a seed is a whole number of at least 0, not {seed}")
    key = mixed((seed + GOLDEN) & MASK)
    while seed := seed >> 64:
        key = mixed((key + seed) & MASK)
    return mixed((key + arm * GOLDEN) & MASK)


def draw_bits(key: int, k: int) -> int:
    """The 63 bits of draw number k (from 1) of a stream."""
    return mixed((key + k * GOLDEN) & MASK) >> 1


def thresholds(arm: Arm) -> list[int]:
    """Draws below entry i give one of the values 0..i of the arm; the last entry, 2^63, lies above every draw."""
    return [ceil(Fraction(total) * (1 << DRAW_BITS)) for total in accumulate(arm.probabilities)]
