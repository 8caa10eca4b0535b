"""Known bugs of the pair rule, made for the kappa and the spread that a trace or a program claims."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, NamedTuple

from bufalu.oracle.known_bugs.bookkeeping import Bookkeeping, BookkeepingView
from bufalu.oracle.known_bugs.edited_rules import N, PartedRule, Questions, Score, score
from bufalu.oracle.known_bugs.intervals import exact_double
from bufalu.oracle.known_bugs.known_bug import KnownBug
from bufalu.reference.comparisons import Comparisons
from bufalu.reference.exact import PLUS_INFINITY, Exact
from bufalu.reference.policies import policy_named
from bufalu.reference.policies.decisions import Decision, Possibility
from bufalu.reference.policies.policy import Pairing
from bufalu.reference.view import View


@dataclass(frozen=True)
class PairsRule(PartedRule):
    """The pair rule with the answers to its questions as fields."""

    pairing: Pairing = field(kw_only=True)
    leader: Score = "mean"
    challenger: Literal["index", "mean", "radius"] = "index"
    epsilon_side: Literal["index", "radius", "mean gap"] = "index"
    turn: Literal["kappa", "inverted", "equal", "leader", "challenger"] = "kappa"
    unqueried: Literal["leader", "challenger"] = "leader"

    def later(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """What the policy does, its questions answered as the bug would."""
        asked = _PairQuestions(self, view, comparisons)
        for decision, reason in policy_named(self.NAME).possible(asked.seen, asked):
            other = self.unqueried == "challenger" and asked.challenger and not decision.query
            yield (Decision(asked.challenger, False) if other else decision), reason


class _PairQuestions(Questions[N]):
    """The questions of the pair rule: leader, challenger, epsilon, and whose turn it is."""

    def __init__(self, rule: PairsRule, view: View[N], comparisons: Comparisons[N]) -> None:
        super().__init__(view, comparisons)
        self.leader = 0
        self.challenger = 0
        self._rule = rule

    def _radius(self, arm: int) -> N:
        return self.view.pair_radius(arm, self.leader, self._rule.pairing.spread)

    def largest(self, arms: Sequence[int], value: Callable[[int], N]) -> Iterator[int]:
        """Who may lead, or challenge the leader."""
        if not self.leader:
            for leader in self.comparisons.largest(arms, lambda arm: score(self.view, arm, self._rule.leader)):
                self.leader = leader
                yield leader
            self.leader = 0
            return
        by = {"index": value, "mean": self.view.mean, "radius": self._radius}[self._rule.challenger]
        for challenger in self.comparisons.largest(arms, by):
            self.challenger = challenger
            yield challenger
        self.challenger = 0

    def at_most(self, left: N, right: N) -> Iterable[bool]:
        """Whether the challenger is within epsilon."""
        side = self._rule.epsilon_side
        if side == "mean gap":
            left = self.view.mean(self.leader) - self.view.mean(self.challenger)
        elif side == "radius":
            left = self._radius(self.challenger)
        return self.comparisons.at_most(left, right)

    def smallest(self, arms: Sequence[int], value: Callable[[int], N]) -> Iterable[int]:
        """Whose turn it is."""
        turn = self._rule.turn
        if turn in ("leader", "challenger"):
            return [self.leader if turn == "leader" else self.challenger]
        if turn == "inverted":
            kappa = self._rule.pairing.kappa
            ours, theirs = self.view.number(kappa.numerator), self.view.number(kappa.denominator)
            return self.comparisons.smallest(
                arms, lambda arm: (ours if arm == self.leader else theirs) * self.view.queries(arm)
            )
        return self.comparisons.smallest(arms, self.view.queries if turn == "equal" else value)


class _Pair(NamedTuple):
    """What a radius is computed from: the round, the answers of the challenger and of the leader, the spread."""

    round: int
    mine: int
    theirs: int
    spread: int


def _radius(
    pair: _Pair,
    *,
    scale: Callable[[int], float] = lambda t: t * t.bit_length(),
    counted: bool = True,
    spread: bool = True,
    added: bool = False,
    factor: float = 0.5,
    leader: bool = True,
) -> float:
    """The radius with one part wrong: what ln is taken of, the counts in it, the spread, the sum under the root, the 2."""
    s, kept = pair.spread, pair.spread if spread else 0
    growth = math.log(scale(pair.round))
    if counted:
        growth += math.log((pair.mine + s) * (pair.theirs + s) / s**2) / 2
    mine, theirs = (factor * growth * (n + kept) / n**2 for n in (pair.mine, pair.theirs))
    if added:
        return math.sqrt(mine) + math.sqrt(theirs)
    return math.sqrt(mine + theirs if leader else mine)


class _WrongRadii(BookkeepingView):
    """A view with another formula for the radius of two arms."""

    def __init__(
        self, formula: Callable[[_Pair], float], bookkeeping: Bookkeeping, round_number: int, epsilon: Exact
    ) -> None:
        super().__init__(bookkeeping, round_number, epsilon)
        self._formula = formula

    def pair_radius(self, arm: int, other: int, spread: int) -> Exact:
        """The formula's double, taken as exact."""
        state = self._bookkeeping.state
        pair = _Pair(self.round, state.queries(arm), state.queries(other), spread)
        return exact_double(self._formula(pair)) if pair.mine and pair.theirs else PLUS_INFINITY


_WRONG_RADII: tuple[tuple[str, str, Callable[[_Pair], float]], ...] = (
    ("one-arm", "forgets the leader's answers under the root", partial(_radius, leader=False)),
    ("sum-of-two", "adds the radii of the two arms", partial(_radius, added=True)),
    ("without-spread", "drops + s beside the counts under the root", partial(_radius, spread=False)),
    ("without-counts", "takes ln(t b(t)) alone for f", partial(_radius, counted=False)),
    ("without-digits", "drops the number of digits b(t)", partial(_radius, scale=float)),
    ("of-decimal-digits", "counts decimal digits for binary ones", partial(_radius, scale=lambda t: t * len(str(t)))),
    ("of-natural-log", "takes ln t for the number of digits", partial(_radius, scale=lambda t: t * math.log(t))),
    (
        "of-binary-logarithm",
        "takes log2 t for the number of digits",
        partial(_radius, scale=lambda t: t * math.log2(t)),
    ),
    ("of-previous-round", "uses the round before", partial(_radius, scale=lambda t: (t - 1) * (t - 1).bit_length())),
    ("without-half", "forgets to halve f under the root", partial(_radius, factor=1.0)),
)


def bugs_of_pairs(text: str, pairing: Pairing, general: Sequence[KnownBug]) -> list[KnownBug]:
    """The wrong pair rules with these numbers, and the general bugs of bookkeeping with the right one."""
    right = PairsRule(text, pairing=pairing)

    def bug(name: str, words: str, effect: str, **changed: object) -> KnownBug:
        rule = replace(right, **changed)  # type: ignore[arg-type]  # replace() checks the names at run time
        return KnownBug(f"pairs-{name}", words, effect).under(text, rule)

    wrong = [
        bug("leader-by-lcb", "the leader has the largest LCB", "little known arms never lead", leader="lcb"),
        bug("leader-by-ucb", "the leader has the largest UCB", "little known arms lead", leader="ucb"),
        bug(
            "challenger-by-mean",
            "the challenger has the best mean but one",
            "little known arms are lost",
            challenger="mean",
        ),
        bug(
            "challenger-by-radius",
            "the challenger has the largest radius",
            "bad arms are queried too",
            challenger="radius",
        ),
        bug("epsilon-against-radius", "compares epsilon with the radius", "queries too long", epsilon_side="radius"),
        bug(
            "epsilon-against-means",
            "compares epsilon with the gap of the means",
            "stops too early",
            epsilon_side="mean gap",
        ),
        bug("leader-always-queried", "queries the leader alone", "challengers are never queried", turn="leader"),
        bug(
            "challenger-always-queried",
            "queries the challenger alone",
            "the leader is never queried",
            turn="challenger",
        ),
        bug(
            "plays-challenger-unqueried",
            "plays the challenger unqueried",
            "plays the second-best arm",
            unqueried="challenger",
        ),
    ]
    if pairing.kappa != 1:
        wrong += [
            bug("kappa-inverted", "multiplies the leader's queries by kappa", "starves the leader", turn="inverted"),
            bug("kappa-ignored", "takes kappa for 1", "asks the leader too little", turn="equal"),
        ]
    others = [
        KnownBug(f"pairs-radius-{name}", words, "radii of another size", view=partial(_WrongRadii, formula))
        for name, words, formula in _WRONG_RADII
    ] + [bug for bug in general if not bug.rules and not bug.intervals]
    return wrong + [bug.under(text, right) for bug in others]
