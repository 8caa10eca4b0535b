"""Test vectors for the Coq model: rational intervals, and what the Python reference calls admissible for each policy.

The Coq build evaluates its own decision relations on them, so that a disagreement of model and code fails the build.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle, product

from bufalu.reference.exact import MINUS_INFINITY, PLUS_INFINITY, Exact
from bufalu.reference.policies import POLICIES
from bufalu.reference.policies.decisions import Decision
from bufalu.reference.policies.policy import Policy
from bufalu.reference.rationals import Rational
from bufalu.reference.view import WithoutCounts

Answer = Callable[[Policy, "RationalView"], frozenset[Decision]]
"""The answer that is put into the vectors: the reference's, or in a test a wrong one."""


@dataclass(frozen=True)
class RationalInterval:
    """An interval with rational ends; None is -infinity below and +infinity above."""

    lower: Fraction | None
    upper: Fraction | None


@dataclass(frozen=True)
class RationalView(WithoutCounts[Exact]):
    """What a rule sees when the intervals and epsilon are given rationals, in the reference's own exact numbers.

    Greedy also sees the queries so far, and ln t, in whose place stands the positive rational `logarithm`.
    """

    round: int
    intervals: tuple[RationalInterval, ...]
    level: Fraction
    logarithm: Fraction
    spent: int

    @property
    def arms(self) -> int:
        """K."""
        return len(self.intervals)

    @property
    def epsilon(self) -> Exact:
        """epsilon(t)."""
        return Exact.of(self.level)

    def lcb(self, arm: int) -> Exact:
        """LCB_t(a)."""
        lower = self.intervals[arm - 1].lower
        return MINUS_INFINITY if lower is None else Exact.of(lower)

    def ucb(self, arm: int) -> Exact:
        """UCB_t(a)."""
        upper = self.intervals[arm - 1].upper
        return PLUS_INFINITY if upper is None else Exact.of(upper)

    def width(self, arm: int) -> Exact:
        """CI_t(a) = UCB_t(a) - LCB_t(a)."""
        return self.ucb(arm) - self.lcb(arm)

    def mean(self, arm: int) -> Exact:
        """The middle of a finite interval, else 0."""
        interval = self.intervals[arm - 1]
        if interval.lower is None or interval.upper is None:
            return Exact.of(0)
        return Exact.of((interval.lower + interval.upper) / 2)

    def all_queries(self) -> Exact:
        """B^q(t-1)."""
        return Exact.of(self.spent)

    def log(self) -> Exact:
        """The number in the place of ln t."""
        return Exact.of(self.logarithm)

    def number(self, value: Rational) -> Exact:
        """A rational constant."""
        return Exact.of(value)


def reference_answer(policy: Policy, view: RationalView) -> frozenset[Decision]:
    """The decisions that `bufalu.reference` calls admissible."""
    return frozenset(policy.admissible(view))


WHOLE_LINE = RationalInterval(None, None)
GRID: tuple[RationalInterval, ...] = (
    WHOLE_LINE,
    RationalInterval(Fraction(0), Fraction(1)),
    RationalInterval(Fraction(0), Fraction(1, 2)),
    RationalInterval(Fraction(1, 2), Fraction(1)),
    RationalInterval(Fraction(1), Fraction(3, 2)),
    RationalInterval(Fraction(1, 2), Fraction(1, 2)),
    RationalInterval(None, Fraction(1, 2)),
    RationalInterval(Fraction(0), None),
)
"""A few intervals that tie with one another in every way, half-infinite ones included."""

LEVELS: tuple[Fraction, ...] = (Fraction(0), Fraction(1, 2), Fraction(1))
SPENDING = (0, 6, 7, 24, 25)
"""Queries beyond the first K - 1, in units of K: around the point where greedy's budget is spent, and on it."""

RANDOM_VIEWS = 160
"""How many views of three to five arms are drawn."""

CONCLUSION = """\
(** The first vector on which the model decides otherwise than the code for some policy. A failing build shows
    it: the answers are those of BuFALU, BuFAU, CBM-UCB and greedy. *)
Definition disagreement : option vector := find (fun v => negb (agrees v)) vectors.

Theorem the_code_agrees_with_the_model : disagreement = None.
Proof. vm_compute. reflexivity. Qed.

(* Told to unfold this first, the kernel does not evaluate the search a second time, by slower means. *)
Strategy expand [disagreement].

(** says: on every vector, the decisions of the Python reference for BuFALU, BuFAU, CBM-UCB and greedy are exactly
      those of the relations: for BuFALU the one that the theorems are about
    paper: l.371-389, l.403, l.1377-1435
    differs: rational intervals, a rational number in the place of ln t, listed cases only *)
Theorem the_code_decides_as_the_relation v : In v vectors -> forall p a q,
  In (a, q) (answer p v) <->
  in_round (view_arms (vector_view v)) (allows p (vector_view v)) (view_round (vector_view v)) a q.
Proof.
  intros H. apply agreement_means_the_relation.
  apply negb_false_iff. exact (find_none _ _ the_code_agrees_with_the_model v H).
Qed.
"""
"""What follows from the vectors: the text of `Vectors.v` after their list."""


def views() -> Iterator[RationalView]:
    """Every choice from the grid for one or two arms, most for three; initial rounds; seeded ones for more arms."""
    for arms, grid in ((1, GRID), (2, GRID), (3, GRID[:5])):
        spendings = cycle(SPENDING)
        for intervals, level in product(product(grid, repeat=arms), LEVELS):
            yield RationalView(arms + 1, intervals, level, Fraction(1), arms * (next(spendings) + 1) - 1)
    for arms in (1, 2, 3):
        for number in range(1, arms + 1):
            yield RationalView(number, GRID[:arms], Fraction(0), Fraction(1), number - 1)
    random_bits = random.Random(877)
    for _ in range(RANDOM_VIEWS):
        arms = random_bits.choice((3, 4, 5))
        yield RationalView(
            arms + random_bits.randint(1, 9),
            tuple(_random_interval(random_bits) for _ in range(arms)),
            Fraction(random_bits.randint(0, 12), random_bits.choice((4, 6, 7))),
            Fraction(random_bits.randint(1, 9), random_bits.choice((1, 2, 3))),
            random_bits.randint(arms, 100),
        )


def _random_interval(random_bits: random.Random) -> RationalInterval:
    """A small rational interval; now and then an end is infinite."""
    denominator = random_bits.choice((2, 3, 4))
    lower = Fraction(random_bits.randint(-3, 3), denominator)
    width = Fraction(random_bits.randint(0, 5), denominator)
    return RationalInterval(
        None if random_bits.randrange(12) == 0 else lower,
        None if random_bits.randrange(12) == 0 else lower + width,
    )


def vectors_source(answer: Answer = reference_answer) -> str:
    """The text of `Vectors.v`, which is made for every build."""
    entries = [_entry(view, [answer(policy, view) for policy in POLICIES.values()]) for view in views()]
    return "\n".join(
        (
            "(** Cases answered by the Python reference. *)",
            "",
            "From Coq Require Import Reals Lra Lia Arith List Bool QArith.",
            "From Bufalu Require Import Decision Computable.",
            "Import ListNotations.",
            "Local Notation I := QBetween.",
            "Local Notation V round intervals epsilon log queries := (Vector (View round intervals epsilon log queries)).",
            "Local Notation F := Some.",
            "Local Notation oo := None.",
            "Local Notation Y a := (a%nat, true).",
            "Local Notation P a := (a%nat, false).",
            "",
            "Definition vectors : list vector := [",
            ";\n".join(entries),
            "].",
            "",
            CONCLUSION,
        )
    )


def _entry(view: RationalView, answers: Sequence[frozenset[Decision]]) -> str:
    intervals = "; ".join(f"I {_end(each.lower)} {_end(each.upper)}" for each in view.intervals)
    answered = " ".join(f"[{_decisions(sorted(decisions))}]" for decisions in answers)
    return f"V {view.round} [{intervals}] {_rational(view.level)} {_rational(view.logarithm)} {view.spent} {answered}"


def _decisions(decisions: Sequence[Decision]) -> str:
    return "; ".join(f"{'Y' if decision.query else 'P'} {decision.arm}" for decision in decisions)


def _end(value: Fraction | None) -> str:
    return "oo" if value is None else f"(F {_rational(value)})"


def _rational(value: Fraction) -> str:
    return f"({value.numerator}#{value.denominator})"


if __name__ == "__main__":
    print(vectors_source(), end="")
