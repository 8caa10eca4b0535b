"""Policies as live objects: `decide(round, epsilon)`, then `observe(reward)` if the decision was to query.

Where the answer is not there yet, `later()` goes on without it, and `observe(reward, round)` takes it when it comes.
"""

from __future__ import annotations

from typing import ClassVar

from bufalu.reference import arguments
from bufalu.reference.arguments import IntervalLike, PolicyLike, TiesLike
from bufalu.reference.errors import OutOfTurn
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import (
    BUFALU,
    BUFAU,
    CBM_UCB,
    GREEDY,
    Admissible,
    Decision,
    DialPolicy,
    PairsPolicy,
    Policy,
    Rule,
)
from bufalu.reference.policies.interchangeable import admissible_decisions
from bufalu.reference.policies.pairs import DEFAULT_SPREAD
from bufalu.reference.rationals import CountLike, NumberLike, Rational, data, whole_number
from bufalu.reference.schedules import nonnegative_level
from bufalu.reference.state import MOST_ARMS, State
from bufalu.reference.view import ExactView


class LivePolicy:
    """A policy with its state. Rounds are numbered from 1 and must be decided in order.

    Raises `UnknownName` for a rule, an interval or a tie-break that is none, and `InvalidNumber` for arms that are none.
    """

    RULE: ClassVar[Policy | None] = None
    """The rule of a class that has one, so that the class stands for the policy wherever one is wanted."""

    def __init__(
        self,
        rule: PolicyLike | Rule,
        arms: CountLike,
        confidence: IntervalLike = "hoeffding",
        ties: TiesLike = "first",
    ) -> None:
        own = isinstance(rule, Rule) and not isinstance(rule, Policy | type)
        self.rule: Rule = rule if own else arguments.policy(rule, "rule")  # type: ignore[arg-type,assignment]  # a Rule or not
        self.confidence = arguments.interval(confidence)
        self.state = State(whole_number(arms, "arms", 1, MOST_ARMS))
        self._ties = arguments.ties(ties)
        self._next_round = 1
        self._pending: int | None = None
        self._awaited: dict[int, int] = {}
        """The arms of the rounds whose answers come later, if they come."""

    def __repr__(self) -> str:
        title = self.rule.title if isinstance(self.rule, Policy) else type(self.rule).__name__
        queries = ", ".join(str(record.queries) for record in self.state.records[:12])
        more = ", ..." if self.state.arms > 12 else ""
        return (
            f"<{title} with {self.confidence.text} intervals, {self.state.arms} arms: round {self._next_round} is next, "
            f"queries {queries}{more}>"
        )

    def decide(self, round: CountLike, epsilon: NumberLike | Exact) -> Decision:
        """The decision of this round. Epsilon is a number, also in the initial rounds, where it plays no role. It is data:
        a float is the binary64 that it is.

        Raises `OutOfTurn` if the round is not the next one or a queried reward was not observed, and
        `InvalidSchedule` for a negative epsilon.
        """
        round = whole_number(round, "round")
        if self._pending is not None:
            raise OutOfTurn(f"round {self._next_round - 1} queried arm {self._pending}: observe its reward first")
        if round != self._next_round:
            raise OutOfTurn(f"round {round} was asked for where round {self._next_round} comes next")
        view = ExactView(self.state, self.confidence, round, self._level(round, epsilon))
        decision = self.rule.decide(view, self._ties)
        self._next_round += 1
        if decision.query:
            self._pending = decision.arm
        return decision

    def later(self) -> None:
        """Goes on without the answer to the round just queried; raises `OutOfTurn` if none was."""
        if self._pending is None:
            raise OutOfTurn("no reward was asked for in this round")
        self._awaited[self._next_round - 1] = self._pending
        self._pending = None

    def observe(self, reward: NumberLike, round: CountLike | None = None) -> None:
        """Takes the reward of the round just queried, or of an earlier one that was left for `later`; a float is the
        binary64 that it is.

        Raises `OutOfTurn` if none was queried or the answer was given already, `InvalidReward` outside [0, 1].
        """
        number = self._next_round - 1 if round is None else whole_number(round, "round", 1)
        if self._pending is not None and number == self._next_round - 1:
            self._learn(self._pending, data(reward, "reward"))
            self._pending = None
        elif number in self._awaited:
            learn = self._learn if number == self._next_round - 1 else self._learn_late
            learn(self._awaited[number], data(reward, "reward"))
            del self._awaited[number]
        else:
            asked = "in this round" if round is None else f"in round {number}, or it was given already"
            raise OutOfTurn(f"no reward was asked for {asked}")

    def _learn(self, arm: int, reward: Rational) -> None:
        """Counts an answer."""
        self.state.record(arm, reward)

    def _learn_late(self, arm: int, reward: Rational) -> None:
        """Counts an answer that was not known in the round after its query: the same, if it is done right."""
        self._learn(arm, reward)

    def admissible(self, round: CountLike, epsilon: NumberLike | Exact) -> Admissible:
        """Every decision that some tie-break gives in this state, with its reasons; changes nothing."""
        round = whole_number(round, "round", 1)
        view = ExactView(self.state, self.confidence, round, self._level(round, epsilon))
        return admissible_decisions(self.rule, view) if isinstance(self.rule, Policy) else self.rule.admissible(view)

    def _level(self, round_number: int, epsilon: NumberLike | Exact) -> Exact:
        """Epsilon as an exact number, 0 in the initial rounds; raises `InvalidSchedule` for a negative one."""
        if not isinstance(epsilon, Exact) or not epsilon.approximation >= epsilon.error:
            epsilon = nonnegative_level(epsilon, f"epsilon({round_number})")
        return ZERO if round_number <= self.state.arms else epsilon


class BuFALU(LivePolicy):
    """Algorithm 1 of the paper (l.371)."""

    RULE = BUFALU

    def __init__(self, arms: CountLike, confidence: IntervalLike = "hoeffding", ties: TiesLike = "first") -> None:
        super().__init__(BUFALU, arms, confidence, ties)


class BuFAU(LivePolicy):
    """The baseline with the candidate of largest UCB (l.1377)."""

    RULE = BUFAU

    def __init__(self, arms: CountLike, confidence: IntervalLike = "hoeffding", ties: TiesLike = "first") -> None:
        super().__init__(BUFAU, arms, confidence, ties)


class CBMUCB(LivePolicy):
    """Confidence-budget matching (l.1397)."""

    RULE = CBM_UCB

    def __init__(self, arms: CountLike, confidence: IntervalLike = "hoeffding", ties: TiesLike = "first") -> None:
        super().__init__(CBM_UCB, arms, confidence, ties)


class Greedy(LivePolicy):
    """The greedy baseline with an effective budget (l.1417)."""

    RULE = GREEDY

    def __init__(self, arms: CountLike, confidence: IntervalLike = "hoeffding", ties: TiesLike = "first") -> None:
        super().__init__(GREEDY, arms, confidence, ties)


class Dial(LivePolicy):
    """The dial between BuFAU (rho = 0) and BuFALU (rho = 1), beyond the paper; raises `InvalidNumber` outside [0, 1]."""

    def __init__(
        self,
        rho: NumberLike,
        arms: CountLike,
        confidence: IntervalLike = "hoeffding",
        ties: TiesLike = "first",
    ) -> None:
        super().__init__(DialPolicy(rho), arms, confidence, ties)


class Pairs(LivePolicy):
    """The pair rule, beyond the paper, which has no confidence interval; raises `InvalidNumber` for a kappa below 1."""

    def __init__(
        self, kappa: NumberLike, arms: CountLike, spread: CountLike = DEFAULT_SPREAD, ties: TiesLike = "first"
    ) -> None:
        super().__init__(PairsPolicy(kappa, spread), arms, ties=ties)
