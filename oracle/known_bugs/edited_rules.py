"""The rules of the known bugs: the rule of a policy itself, with an answer to one of its questions changed.

A rule asks which arms are largest and how tests turn out, and says what is done then. An edited rule stands between the
policy of `bufalu.reference.policies` and the comparisons: it passes every question on, but for the ones that its bug asks
wrongly, and changes what is done where the bug does that. Without a change it is the policy, tested equal. All of this is
generic over ordered numbers, so that the same bugs run on exact numbers, on doubles and on symbolic reals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from bufalu.reference.comparisons import Comparisons, EveryTie, OneTie, TieBreak
from bufalu.reference.policies import BUFALU as WIDER_CANDIDATE
from bufalu.reference.policies import BUFAU as LARGEST_UCB_CANDIDATE
from bufalu.reference.policies import Rule, policy_named
from bufalu.reference.policies.decisions import Admissible, Decision, Possibility, Reason, collected
from bufalu.reference.policies.leaders import LeaderPolicy
from bufalu.reference.view import Number, View

N = TypeVar("N", bound=Number)

Score: TypeAlias = Literal["lcb", "ucb", "mean", "width"]
Test: TypeAlias = Literal["at most", "below", "ignored"]
Start: TypeAlias = Literal["once", "skipped", "twice", "reversed", "unqueried", "last skipped"]


class EditedRule(Rule, Protocol):
    """A rule that lists its possible outcomes under given comparisons."""

    @property
    def NAME(self) -> str:
        """The policy that the rule is or claims to be."""

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every outcome that the comparisons leave open, with its reason."""


class _AfterTheStart(Generic[N]):
    """A view of an initial round for a rule that decides in it already."""

    def __init__(self, view: View[N]) -> None:
        self.round = view.arms + 1
        self.arms = view.arms
        self.epsilon = view.epsilon
        self.lcb, self.ucb, self.width, self.mean = view.lcb, view.ucb, view.width, view.mean
        self.queries, self.pair_radius, self.all_queries = view.queries, view.pair_radius, view.all_queries
        self.log, self.number = view.log, view.number


@dataclass(frozen=True)
class PartedRule:
    """The rule of a policy with parts of it as fields."""

    NAME: str
    start: Start = "once"

    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every outcome that the comparisons leave open, with its reason."""
        opening = opening_move(self.start, view.round, view.arms)
        if opening is not None:
            yield opening, Reason.INITIAL
            return
        yield from self.later(view, comparisons)

    def later(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """The outcomes after the initial rounds."""
        raise NotImplementedError

    def decide(self, view: View[N], ties: TieBreak) -> Decision:
        """The decision that this tie-break gives."""
        decision, _ = next(self.possible(view, OneTie[N](ties)))
        return decision

    def admissible(self, view: View[N]) -> Admissible:
        """Every decision that some tie-break gives."""
        return collected(self.possible(view, EveryTie[N]()))


class Questions(Generic[N]):
    """What a rule asks, passed on as it is: comparisons for one round."""

    def __init__(self, view: View[N], comparisons: Comparisons[N]) -> None:
        self.view = view
        self.comparisons = comparisons

    @property
    def everyone(self) -> Sequence[int]:
        """All arms."""
        return range(1, self.view.arms + 1)

    @property
    def seen(self) -> View[N]:
        """What the policy sees: it never takes this round for an initial one."""
        return self.view if self.view.round > self.view.arms else _AfterTheStart(self.view)

    def ranked(self, by: Score) -> Iterable[int]:
        """The arms that are largest by a score."""
        return self.comparisons.largest(self.everyone, lambda arm: score(self.view, arm, by))

    def largest(self, arms: Sequence[int], value: Callable[[int], N]) -> Iterable[int]:
        """The arms of largest value."""
        return self.comparisons.largest(arms, value)

    def smallest(self, arms: Sequence[int], value: Callable[[int], N]) -> Iterable[int]:
        """The arms of smallest value."""
        return self.comparisons.smallest(arms, value)

    def at_most(self, left: N, right: N) -> Iterable[bool]:
        """The outcomes of left <= right."""
        return self.comparisons.at_most(left, right)

    def below(self, left: N, right: N) -> Iterable[bool]:
        """The outcomes of left < right."""
        return self.comparisons.below(left, right)

    def toss(self, chance: Fraction) -> Iterable[bool]:
        """The outcomes of a toss."""
        return self.comparisons.toss(chance)


@dataclass(frozen=True)
class LeaderRule(PartedRule):
    """BuFALU, BuFAU and the dial: leader, challenger, candidate, separation test, epsilon test."""

    leader: Score = "lcb"
    challenger_among: Literal["others", "everyone"] = "others"
    candidate: Literal["its own", "wider", "narrower", "challenger", "leader", "largest ucb"] = "its own"
    separation: Test = "at most"
    separation_of: Literal["challenger", "candidate", "leader"] = "challenger"
    epsilon_test: Test = "at most"
    epsilon_side: Literal["candidate", "challenger", "candidate width", "leader width", "mean gap"] = "candidate"
    epsilon_squared: bool = False
    both_needed: bool = False
    queried: Literal["candidate", "leader", "challenger"] = "candidate"
    unqueried: Literal["leader", "candidate", "challenger", "best mean"] = "leader"

    def later(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """What the policy does, its questions answered as the bug would."""
        asked = _LeaderQuestions(self, view, comparisons)
        for decision, reason in _NotedRule(self, asked.roles).possible(asked.seen, asked):
            yield from self._done(asked, decision, reason)

    def leaders(self, view: View[N], comparisons: Comparisons[N]) -> Iterable[int]:
        """Every arm that may lead."""
        return comparisons.largest(range(1, view.arms + 1), lambda arm: score(view, arm, self.leader))

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[int]:
        """Every arm that may be the candidate."""
        if self.candidate == "narrower":
            return comparisons.smallest(sorted({leader, challenger}), view.width)
        if self.candidate in ("challenger", "leader"):
            return [challenger if self.candidate == "challenger" else leader]
        others = {"wider": WIDER_CANDIDATE, "largest ucb": LARGEST_UCB_CANDIDATE}
        policy = others.get(self.candidate) or policy_named(self.NAME)
        return policy.candidates(view, comparisons, leader, challenger)

    def separated(self, asked: _LeaderQuestions[N]) -> Iterable[bool]:
        """The outcomes of the separation test."""
        view = asked.view
        upper = view.ucb(asked.roles.arm(self.separation_of))
        return outcomes(asked.comparisons, self.separation, upper, view.lcb(asked.roles.leader))

    def within(self, asked: _LeaderQuestions[N]) -> Iterable[bool]:
        """The outcomes of the epsilon test."""
        view, roles = asked.view, asked.roles
        epsilon = view.epsilon * view.epsilon if self.epsilon_squared else view.epsilon
        if self.epsilon_side in ("candidate width", "leader width"):
            side = view.width(roles.candidate if self.epsilon_side == "candidate width" else roles.leader)
        elif self.epsilon_side == "mean gap":
            side = view.mean(roles.challenger) - view.mean(roles.leader)
        else:
            side = view.ucb(roles.arm(self.epsilon_side)) - view.lcb(roles.leader)
        return outcomes(asked.comparisons, self.epsilon_test, side, epsilon)

    def _done(self, asked: _LeaderQuestions[N], decision: Decision, reason: Reason) -> Iterator[Possibility]:
        if not asked.roles.challenger:
            # A single arm, which the policy takes for separated; not so where it challenges itself.
            if self.challenger_among == "others" and self.separation != "ignored":
                yield decision, reason
            return
        stopping = {Reason.SEPARATED_AND_WITHIN_EPSILON} | (
            set() if self.both_needed else {Reason.SEPARATED, Reason.WITHIN_EPSILON}
        )
        if reason not in stopping:
            yield Decision(asked.roles.arm(self.queried), True), Reason.UNCERTAIN
        elif self.unqueried == "best mean":
            for arm in asked.ranked("mean"):
                yield Decision(arm, False), reason
        else:
            yield Decision(asked.roles.arm(self.unqueried), False), reason


@dataclass
class _Roles:
    """Who is who in the loops that Algorithm 1 has entered (0: nobody yet), and which of them that is."""

    leader: int = 0
    challenger: int = 0
    candidate: int = 0
    choosing: bool = False
    """Whether the candidate is being chosen."""
    tested: bool = False
    """Whether the separation test has been made."""

    def arm(self, role: str) -> int:
        """The arm that is leader, challenger or candidate."""
        return {"leader": self.leader, "challenger": self.challenger, "candidate": self.candidate}[role]


class _LeaderQuestions(Questions[N]):
    """The questions of Algorithm 1: leader, inside of that challenger, then candidate, separation and epsilon."""

    def __init__(self, rule: LeaderRule, view: View[N], comparisons: Comparisons[N]) -> None:
        super().__init__(view, comparisons)
        self.roles = _Roles()
        self._rule = rule

    def largest(self, arms: Sequence[int], value: Callable[[int], N]) -> Iterator[int]:
        """Who may lead, or challenge the leader."""
        roles = self.roles
        if roles.choosing:
            yield from super().largest(arms, value)
            return
        if not roles.leader:
            for leader in self._rule.leaders(self.view, self.comparisons):
                roles.leader = leader
                yield leader
            roles.leader = 0
            return
        if self._rule.challenger_among == "everyone":
            arms = self.everyone
        elif not arms and self._rule.separation == "ignored":
            arms = [roles.leader]
        for challenger in self.comparisons.largest(arms, self.view.ucb):
            roles.challenger = challenger
            yield challenger
        roles.challenger = 0

    def at_most(self, left: N, right: N) -> Iterator[bool]:
        """Whether the leader is separated, and inside of that whether the candidate is within epsilon."""
        roles = self.roles
        if roles.choosing:
            yield from super().at_most(left, right)
        elif roles.tested:
            yield from self._rule.within(self)
        else:
            for separated in self._rule.separated(self):
                roles.tested = True
                yield separated
                roles.tested = False


class _NotedRule(LeaderPolicy):
    """Algorithm 1 with the candidate of an edited rule, which is noted."""

    def __init__(self, rule: LeaderRule, roles: _Roles) -> None:
        self._rule = rule
        self._roles = roles

    @property
    def text(self) -> str:
        """The text form of the policy whose rule is edited."""
        return self._rule.NAME

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterator[int]:
        """The candidates of the rule."""
        roles = self._roles
        roles.choosing = True
        for candidate in self._rule.candidates(view, comparisons, leader, challenger):
            roles.candidate, roles.choosing = candidate, False
            yield candidate
            roles.choosing = True
        roles.choosing = False


@dataclass(frozen=True)
class IndexRule(PartedRule):
    """CBM-UCB: the arm of largest index, queried while it is wider than epsilon; UCB, which asks nothing of epsilon."""

    index: Score = "ucb"
    epsilon_test: Test = "at most"
    epsilon_side: Literal["width", "radius", "to best lcb"] = "width"
    epsilon_squared: bool = False
    unqueried: Literal["candidate", "best lcb", "best mean"] = "candidate"

    def later(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """What the policy does, its questions answered as the bug would."""
        asked = _IndexQuestions(self, view, comparisons)
        for decision, reason in policy_named(self.NAME).possible(asked.seen, asked):
            if decision.query or self.unqueried == "candidate":
                yield decision, reason
                continue
            for arm in asked.ranked("lcb" if self.unqueried == "best lcb" else "mean"):
                yield Decision(arm, False), reason


class _IndexQuestions(Questions[N]):
    """The questions of CBM-UCB: the candidate, and whether it is within epsilon."""

    def __init__(self, rule: IndexRule, view: View[N], comparisons: Comparisons[N]) -> None:
        super().__init__(view, comparisons)
        self._rule = rule
        self._candidate = 0

    def largest(self, arms: Sequence[int], value: Callable[[int], N]) -> Iterator[int]:
        """The arms of largest index."""
        for candidate in self.ranked(self._rule.index):
            self._candidate = candidate
            yield candidate

    def at_most(self, left: N, right: N) -> Iterator[bool]:
        """Whether the candidate is within epsilon."""
        epsilon = right * right if self._rule.epsilon_squared else right
        for side in self._sides(left):
            yield from outcomes(self.comparisons, self._rule.epsilon_test, side, epsilon)

    def _sides(self, width: N) -> list[N]:
        view, candidate = self.view, self._candidate
        if self._rule.epsilon_side == "width":
            return [width]
        if self._rule.epsilon_side == "radius":
            return [view.ucb(candidate) - view.mean(candidate)]
        return [view.ucb(candidate) - view.lcb(leader) for leader in self.ranked("lcb")]


@dataclass(frozen=True)
class BudgetRule(PartedRule):
    """Greedy: the arm of largest index while the effective budget lasts, then the best mean.

    `spent_test` compares 6 K ln t with the spending (B^q - K + 1) epsilon^2.
    """

    index: Score = "ucb"
    spent_test: Test = "below"
    epsilon_squared: bool = True
    unqueried: Score = "mean"

    def later(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """What the policy does, its questions answered as the bug would."""
        asked = _BudgetQuestions(self, view, comparisons)
        return policy_named(self.NAME).possible(asked.seen, asked)


class _BudgetQuestions(Questions[N]):
    """The questions of greedy: whether the budget is spent, and the best arm then."""

    def __init__(self, rule: BudgetRule, view: View[N], comparisons: Comparisons[N]) -> None:
        super().__init__(view, comparisons)
        self._rule = rule
        self._spent = False

    def below(self, left: N, right: N) -> Iterator[bool]:
        """Whether the budget is spent."""
        view = self.view
        unsquared = (view.all_queries() - view.number(view.arms - 1)) * view.epsilon
        spending = right if self._rule.epsilon_squared else unsquared
        for spent in outcomes(self.comparisons, self._rule.spent_test, left, spending):
            self._spent = spent
            yield spent

    def largest(self, arms: Sequence[int], value: Callable[[int], N]) -> Iterable[int]:
        """The arms that are best while the budget lasts, or then."""
        return self.ranked(self._rule.unqueried if self._spent else self._rule.index)


BUFALU = LeaderRule("bufalu")
BUFAU = LeaderRule("bufau")
CBM_UCB = IndexRule("cbm-ucb")
GREEDY = BudgetRule("greedy")
UNEDITED_RULES: dict[str, EditedRule] = {rule.NAME: rule for rule in (BUFALU, BUFAU, CBM_UCB, GREEDY)}


def outcomes(comparisons: Comparisons[N], test: Test, left: N, right: N) -> Iterable[bool]:
    """The possible outcomes of a test; one that is ignored never holds."""
    if test == "ignored":
        return (False,)
    return comparisons.at_most(left, right) if test == "at most" else comparisons.below(left, right)


def score(view: View[N], arm: int, by: Score) -> N:
    """The figure by which a rule ranks an arm."""
    return {"lcb": view.lcb, "ucb": view.ucb, "mean": view.mean, "width": view.width}[by](arm)


def opening_move(start: Start, round_number: int, arms: int) -> Decision | None:
    """The decision of an initial round, or None when the rule decides."""
    rounds = {"skipped": 0, "twice": 2 * arms, "last skipped": arms - 1}.get(start, arms)
    if round_number > rounds:
        return None
    arm = (round_number - 1) % arms + 1
    if start == "reversed":
        arm = arms + 1 - arm
    return Decision(arm, start != "unqueried")
