"""Known bugs of UCB, made for the interval that a trace or a program claims: constants and logarithms of other textbooks,
other indices, and the bugs of the catalogue that are no policy's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from bufalu.oracle.known_bugs import intervals as wrong
from bufalu.oracle.known_bugs.edited_rules import IndexRule
from bufalu.oracle.known_bugs.known_bug import KnownBug
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.radius_shapes import Growth, RadiusShape
from bufalu.reference.rationals import format_rational, nearest_float

RIGHT = IndexRule("ucb")
_WRONG_RULES: tuple[tuple[str, IndexRule, str], ...] = (
    ("index-by-mean", replace(RIGHT, index="mean"), "ranks the arms by their means where UCB belongs"),
    ("index-by-lcb", replace(RIGHT, index="lcb"), "ranks the arms by LCB where UCB belongs"),
    ("index-by-width", replace(RIGHT, index="width"), "ranks the arms by width where UCB belongs"),
    (
        "initial-rounds-in-any-order",
        replace(RIGHT, start="skipped"),
        "plays the unseen arms in any order, not round t arm t",
    ),
    ("initial-rounds-twice", replace(RIGHT, start="twice"), "plays every arm twice at the start"),
)
_TEXTBOOK_CONSTANTS = (Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(4))
"""The c in sqrt(c ln t / n) that papers and libraries write."""


def bugs_of_ucb(confidence: ConfidenceInterval, general: Sequence[KnownBug]) -> list[KnownBug]:
    """The wrong UCBs with this interval, and the general bugs of bookkeeping with it."""
    rules = [KnownBug(name, words, "another arm is played").under("ucb", rule) for name, rule, words in _WRONG_RULES]
    shape = confidence.shape
    radii = [] if shape is None else _wrong_radii(confidence.text, shape)
    named = {bug.id for bug in radii}
    others = [
        bug.under("ucb", RIGHT)
        for bug in general
        if not bug.rules and bug.id not in named and (not bug.intervals or confidence.text in bug.intervals)
    ]
    return [*rules, *radii, *others]


def _wrong_radii(text: str, shape: RadiusShape) -> list[KnownBug]:
    """Hoeffding's radius with one part wrong: the coefficient, the logarithm, the count, the root. None for other radii."""
    right = shape.hoeffding_coefficient
    if right is None:
        return []
    claimed, before = nearest_float(right), shape.growth is Growth.LOG_BEFORE
    log = wrong.log_of_previous_round if before else math.log

    def bug(name: str, words: str, interval: wrong.DoubleInterval) -> KnownBug:
        made = KnownBug(name, words, "intervals of another size", intervals={text: interval}, only_intervals=(text,))
        return made.under("ucb", RIGHT)

    logarithms: list[tuple[str, str, Callable[[int], float]]] = [
        ("log-of-this-round", "uses ln t where ln(t - 1) is claimed", math.log)
        if before
        else ("log-of-previous-round", "uses ln(t - 1)", wrong.log_of_previous_round),
        ("log-of-next-round", "uses ln(t + 1)", wrong.log_of_next_round),
        ("log-base-2", "uses the logarithm to base 2", lambda t: log(t) / math.log(2)),
        ("log-base-10", "uses the logarithm to base 10", lambda t: log(t) / math.log(10)),
    ]
    found = [bug(name, words, wrong.hoeffding(wrong_log, claimed)) for name, words, wrong_log in logarithms]
    other_name, other_words, other_log = logarithms[0]
    for constant in _TEXTBOOK_CONSTANTS:
        if constant != right:
            used = format_rational(constant)
            words = f"uses {used} for {format_rational(right)} in the radius"
            name = f"constant-{used.replace('/', '-')}"
            found.append(bug(name, words, wrong.hoeffding(log, float(constant))))
            both = wrong.hoeffding(other_log, float(constant))
            found.append(bug(f"{name}-and-{other_name}", f"{words}, and {other_words.removeprefix('uses ')}", both))
    found.append(bug("width-for-radius", "adds the whole width to the mean", wrong.hoeffding(log, 4 * claimed)))
    if right != 1:
        outside = wrong.hoeffding(log, claimed**2)
        found.append(bug("constant-outside-root", "takes the constant out of the square root", outside))
    return [
        *found,
        bug("root-missing", "forgets the square root of the radius", wrong.hoeffding(log, claimed, 0, False)),
        bug("count-plus-one", "divides by n + 1 in the radius", wrong.hoeffding(log, claimed, 1)),
        bug("count-minus-one", "divides by n - 1 in the radius", wrong.hoeffding(log, claimed, -1)),
    ]
