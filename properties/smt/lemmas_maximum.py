"""`maximisers` (reference/view.py), for every number of arms: the arms that doubles leave, and the loop over them.

The invariant of the loop: `tied` holds exactly the arms seen so far whose value is `best`, no arm seen so far has a larger
value, and some arm is tied. Values are compared and nothing else, so that reals stand for any total order, infinite values
included.
"""

from __future__ import annotations

from bufalu.properties.smt.lemma import Hypothesis, Lemma
from bufalu.properties.smt.terms import Predicate, Real, RealFunction, arm, exists, for_all, real

LOOP = """\
if not arms:
    return []
if isinstance(value, Quantity):
    arms = value.shortlist(arms)
    if len(arms) == 1 or value.alike(arms):
        return arms
remaining = iter(arms)
tied = [next(remaining)]
best = value(tied[0])
for arm in remaining:
    contender = value(arm)
    if contender < best:
        continue
    if best < contender:
        tied = []
        best = contender
    tied.append(arm)
return tied"""
"""The body of `maximisers` that the lemmas transcribe; a check compares it with the code."""

SHORTLIST = """\
doubles, margin = (self._doubles, self._margin)
found = [arms[0]]
top = doubles[arms[0]]
for arm in arms[1:]:
    gap = doubles[arm] - top
    if gap > margin:
        found, top = ([arm], doubles[arm])
    elif not gap < -margin:
        found.append(arm)
        if gap > 0:
            top = doubles[arm]
return found"""
"""The body of `Quantity.shortlist`, compared with the code as well."""

VALUE, DOUBLE = RealFunction("value"), RealFunction("double")
KEPT = Predicate("kept")
ERROR = real("error")
SEEN, SEEN_NOW = Predicate("seen_before"), Predicate("seen_now")
TIED, TIED_NOW = Predicate("tied_before"), Predicate("tied_now")
BEST, BEST_NOW = real("best_before"), real("best_now")
FIRST, NEXT, LARGEST, ANY = arm("first_arm"), arm("next_arm"), arm("arm_of_largest_double"), arm("any_arm")
_CLAIMS = ("algorithm.maximisers",)
_LINES = "l.371-389, l.403, as the code takes a maximum"


def _invariant(seen: Predicate, tied: Predicate, best: Real) -> tuple[Hypothesis, Hypothesis, Hypothesis]:
    return (
        Hypothesis(
            "the tied arms are those seen with the best value",
            for_all(lambda a: tied(a).iff(seen(a) & VALUE(a).equals(best))),
        ),
        Hypothesis("no arm seen has a larger value", for_all(lambda a: seen(a).implies(VALUE(a) <= best))),
        Hypothesis("some arm is tied", exists(tied)),
    )


def _holds(seen: Predicate, tied: Predicate, best: Real) -> Hypothesis:
    first, second, third = _invariant(seen, tied, best)
    return Hypothesis("the invariant holds", first.formula & second.formula & third.formula)


RULED_OUT = Lemma(
    name="maximisers: doubles rule out no maximiser",
    claims=_CLAIMS,
    lines=_LINES,
    says="The maximisers of all arms are those of the arms that are not ruled out by doubles.",
    hypotheses=(
        Hypothesis(
            "no double is off by more than the error",
            for_all(lambda a: (VALUE(a) <= DOUBLE(a) + ERROR) & (DOUBLE(a) <= VALUE(a) + ERROR)),
        ),
        Hypothesis(
            "who is ruled out is more than two errors below the largest double",
            for_all(lambda a: (~KEPT(a)).implies(DOUBLE(a) + ERROR + ERROR < DOUBLE(LARGEST))),
        ),
    ),
    conclusion=for_all(lambda b: VALUE(b) <= VALUE(ANY)).iff(
        KEPT(ANY) & for_all(lambda b: KEPT(b).implies(VALUE(b) <= VALUE(ANY)))
    ),
    meta=(
        "`top` is the largest double so far, so that who is ruled out, by a difference of more than three errors from it, is "
        "as far from the largest of all; the rounding of that difference is less than one error: an error is at least "
        "2^-47 of mean plus radius, or 0 where all are infinite. Infinite values have infinite doubles, and are kept "
        "or ruled out as such; where the difference is no number, nobody is ruled out. Arms made of the same numbers, "
        "and an arm alone, are maximisers among themselves, and the loop is left out."
    ),
)

START = Lemma(
    name="maximisers: the invariant holds after the first arm",
    claims=_CLAIMS,
    lines=_LINES,
    says="With one arm seen, tied and best, the invariant of the loop holds.",
    hypotheses=(
        Hypothesis("the first arm is seen, alone", for_all(lambda a: SEEN(a).iff(a.equals(FIRST)))),
        Hypothesis("the first arm is tied, alone", for_all(lambda a: TIED(a).iff(a.equals(FIRST)))),
        Hypothesis("the best value is its value", BEST.equals(VALUE(FIRST))),
    ),
    conclusion=_holds(SEEN, TIED, BEST).formula,
)

STEP = Lemma(
    name="maximisers: every pass through the loop keeps the invariant",
    claims=_CLAIMS,
    lines=_LINES,
    says="In each of its three branches the body of the loop keeps the invariant, step by step.",
    hypotheses=(
        *_invariant(SEEN, TIED, BEST),
        Hypothesis("the next arm is seen as well", for_all(lambda a: SEEN_NOW(a).iff(SEEN(a) | a.equals(NEXT)))),
        Hypothesis(
            "a smaller value changes nothing",
            (VALUE(NEXT) < BEST).implies(BEST_NOW.equals(BEST) & for_all(lambda a: TIED_NOW(a).iff(TIED(a)))),
        ),
        Hypothesis(
            "a larger value starts anew",
            (VALUE(NEXT) > BEST).implies(
                BEST_NOW.equals(VALUE(NEXT)) & for_all(lambda a: TIED_NOW(a).iff(a.equals(NEXT)))
            ),
        ),
        Hypothesis(
            "an equal value joins",
            (~(VALUE(NEXT) < BEST) & ~(VALUE(NEXT) > BEST)).implies(
                BEST_NOW.equals(BEST) & for_all(lambda a: TIED_NOW(a).iff(TIED(a) | a.equals(NEXT)))
            ),
        ),
    ),
    conclusion=_holds(SEEN_NOW, TIED_NOW, BEST_NOW).formula,
    meta=(
        "Induction on the passes through the loop. That its statements mean the three branches is read off the text of "
        "`maximisers`, which a check compares with the transcribed one; arms are only appended, so they keep their order."
    ),
)

END = Lemma(
    name="maximisers: the arms tied at the end are the maximisers",
    claims=_CLAIMS,
    lines=_LINES,
    says="Once every arm is seen, the tied arms are exactly those with v(b) <= v(a) for all b.",
    hypotheses=(
        *_invariant(SEEN, TIED, BEST),
        Hypothesis("every arm is seen", for_all(SEEN)),
    ),
    conclusion=for_all(lambda a: TIED(a).iff(for_all(lambda b: VALUE(b) <= VALUE(a)))),
)

LEMMAS = (RULED_OUT, START, STEP, END)
