"""The known bugs of a policy: those of the catalogue, and those made for the numbers that policy and interval have.

For the dial its position, for the pair rule kappa and spread, for UCB the interval: constants and logarithms of other
textbooks, other indices, and the bugs of the catalogue that are no policy's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Literal, NamedTuple

from bufalu.oracle.known_bugs import intervals as wrong
from bufalu.oracle.known_bugs.bookkeeping import Bookkeeping, BookkeepingView
from bufalu.oracle.known_bugs.edited_rules import IndexRule, LeaderRule, N, PartedRule, Questions, Score, score
from bufalu.oracle.known_bugs.intervals import exact_double
from bufalu.oracle.known_bugs.known_bug import EVERY_POLICY, KnownBug
from bufalu.reference.comparisons import Comparisons
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.exact import PLUS_INFINITY, Exact
from bufalu.reference.policies import Policy, policy_named
from bufalu.reference.policies.decisions import Decision, Possibility
from bufalu.reference.policies.policy import Pairing
from bufalu.reference.radius_shapes import Growth, RadiusShape
from bufalu.reference.rationals import Rational, format_rational, nearest_float
from bufalu.reference.view import View


@dataclass(frozen=True)
class DialRule(LeaderRule):
    """The dial with the two tests of its candidate as fields: a test that is dropped never stands in the way."""

    rho: Rational = 1
    width_test: bool = True
    ucb_test: bool = True

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Sequence[int]:
        """The arms that the tests which are left allow."""
        leader_ucb, challenger_ucb = view.ucb(leader), view.ucb(challenger)
        may_be_leader = not self.ucb_test or True in comparisons.at_most(challenger_ucb, leader_ucb)
        may_be_challenger = self.ucb_test and True in comparisons.at_most(leader_ucb, challenger_ucb)
        if self.rho and self.width_test:
            width, share = view.width(leader), view.number(self.rho) * view.width(challenger)
            may_be_leader = may_be_leader and True in comparisons.at_most(share, width)
            may_be_challenger = may_be_challenger or True in comparisons.at_most(width, share)
        return sorted([leader] * may_be_leader + [challenger] * may_be_challenger)


def bugs_of_the_dial(text: str, rho: Rational, general: Sequence[KnownBug]) -> list[KnownBug]:
    """The wrong dials at the position rho, and the general bugs that change no rule (intervals, bookkeeping) with it."""
    right = DialRule(text, rho=rho)
    rules = []
    if rho:
        rules = [
            KnownBug(
                "dial-without-width-test",
                "takes the arm of largest UCB, whatever its width",
                "queries the leader where it is too narrow: more queries than the dial's",
            ).under(text, replace(right, width_test=False)),
            KnownBug(
                "dial-without-ucb-test",
                "compares the widths alone",
                "queries the leader although the challenger's UCB is larger",
            ).under(text, replace(right, ucb_test=False)),
            KnownBug(
                "dial-inverted",
                "multiplies the leader's width by rho, not the challenger's",
                "asks the leader for more width than the challenger has",
            ).under(text, replace(right, rho=1 / Fraction(rho))),
        ]
    return [*rules, *(bug.under(text, right) for bug in general if not bug.rules)]


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

    rules = [
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
        rules += [
            bug("kappa-inverted", "multiplies the leader's queries by kappa", "starves the leader", turn="inverted"),
            bug("kappa-ignored", "takes kappa for 1", "asks the leader too little", turn="equal"),
        ]
    others = [
        KnownBug(f"pairs-radius-{name}", words, "radii of another size", view=partial(_WrongRadii, formula))
        for name, words, formula in _WRONG_RADII
    ] + [bug for bug in general if not bug.rules and not bug.intervals]
    return rules + [bug.under(text, right) for bug in others]


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


def bugs_of(policy: Policy, confidence: ConfidenceInterval, catalogue: Sequence[KnownBug]) -> list[KnownBug]:
    """The bugs that change something under this policy and interval."""
    if policy.pairing is not None:
        return bugs_of_pairs(policy.text, policy.pairing, catalogue)
    if policy.steering is not None and policy.text not in EVERY_POLICY:
        catalogue = bugs_of_the_dial(policy.text, policy.steering, catalogue)
    listed = [bug for bug in catalogue if (policy.text, confidence.text) in bug.settings()]
    return listed + [bug for bug in bugs_of_ucb(confidence, catalogue) if policy.text in bug.policies]
