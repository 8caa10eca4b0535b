"""Policies as live objects: `decide(round, epsilon)`, then `observe(reward)` if the decision was to query."""

from __future__ import annotations

from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.errors import InvalidInstance, InvalidSchedule, OutOfTurn
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import (
    BUFALU,
    BUFAU,
    CBM_UCB,
    GREEDY,
    Admissible,
    Decision,
    DialPolicy,
    Policy,
    Rule,
    policy_named,
)
from bufalu.reference.policies.interchangeable import admissible_decisions
from bufalu.reference.rationals import Rational, parse_rational, rational
from bufalu.reference.state import State
from bufalu.reference.ties import TieBreak, parse_ties
from bufalu.reference.view import ExactView


class LivePolicy:
    """A policy with its state. Rounds are numbered from 1 and must be decided in order."""

    def __init__(
        self,
        rule: Rule | str,
        arms: int,
        confidence: ConfidenceInterval | str = "hoeffding",
        ties: TieBreak | str = "first",
    ) -> None:
        if arms < 1:
            raise InvalidInstance(f"a policy needs at least one arm, not {arms}")
        self.rule: Rule = policy_named(rule) if isinstance(rule, str) else rule
        self.confidence = confidence_named(confidence)
        self.state = State(arms)
        self._ties = parse_ties(ties) if isinstance(ties, str) else ties
        self._next_round = 1
        self._pending: int | None = None

    def decide(self, round: int, epsilon: Rational | float | Exact) -> Decision:
        """The decision of this round; epsilon is not looked at in the initial rounds.

        Raises `OutOfTurn` if the round is not the next one or a queried reward was not observed, and
        `InvalidSchedule` for a negative epsilon.
        """
        if self._pending is not None:
            raise OutOfTurn(f"round {round - 1} queried arm {self._pending}: observe its reward first")
        if round != self._next_round:
            raise OutOfTurn(f"round {round} was asked for where round {self._next_round} comes next")
        decision = self.rule.decide(self._view(round, epsilon), self._ties)
        self._next_round += 1
        if decision.query:
            self._pending = decision.arm
        return decision

    def observe(self, reward: Rational | float) -> None:
        """Takes the reward of the round just queried; raises `OutOfTurn` if none was, `InvalidReward` outside [0, 1]."""
        if self._pending is None:
            raise OutOfTurn("no reward was asked for in this round")
        self.state.record(self._pending, rational(reward))
        self._pending = None

    def admissible(self, round: int, epsilon: Rational | float | Exact) -> Admissible:
        """Every decision that some tie-break gives in this state, with its reasons; changes nothing."""
        view = self._view(round, epsilon)
        return admissible_decisions(self.rule, view) if isinstance(self.rule, Policy) else self.rule.admissible(view)

    def _view(self, round_number: int, epsilon: Rational | float | Exact) -> ExactView:
        return ExactView(self.state, self.confidence, round_number, self._checked(round_number, epsilon))

    def _checked(self, round_number: int, epsilon: Rational | float | Exact) -> Exact:
        """Epsilon as an exact number, 0 in the initial rounds; raises `InvalidSchedule` for a negative one."""
        if round_number <= self.state.arms:
            return ZERO
        if not isinstance(epsilon, Exact):
            epsilon = Exact.of(rational(epsilon))
        if epsilon.approximation <= epsilon.error and epsilon.sign() < 0:
            raise InvalidSchedule(f"epsilon({round_number}) = {float(epsilon)} is negative")
        return epsilon


class BuFALU(LivePolicy):
    """Algorithm 1 of the paper (l.371)."""

    def __init__(
        self, arms: int, confidence: ConfidenceInterval | str = "hoeffding", ties: TieBreak | str = "first"
    ) -> None:
        super().__init__(BUFALU, arms, confidence, ties)


class BuFAU(LivePolicy):
    """The baseline with the candidate of largest UCB (l.1377)."""

    def __init__(
        self, arms: int, confidence: ConfidenceInterval | str = "hoeffding", ties: TieBreak | str = "first"
    ) -> None:
        super().__init__(BUFAU, arms, confidence, ties)


class CBMUCB(LivePolicy):
    """Confidence-budget matching (l.1397)."""

    def __init__(
        self, arms: int, confidence: ConfidenceInterval | str = "hoeffding", ties: TieBreak | str = "first"
    ) -> None:
        super().__init__(CBM_UCB, arms, confidence, ties)


class Greedy(LivePolicy):
    """The greedy baseline with an effective budget (l.1417)."""

    def __init__(
        self, arms: int, confidence: ConfidenceInterval | str = "hoeffding", ties: TieBreak | str = "first"
    ) -> None:
        super().__init__(GREEDY, arms, confidence, ties)


class Dial(LivePolicy):
    """The dial between BuFAU (rho = 0) and BuFALU (rho = 1), beyond the paper; raises `InvalidNumber` outside [0, 1]."""

    def __init__(
        self,
        rho: Rational | float | str,
        arms: int,
        confidence: ConfidenceInterval | str = "hoeffding",
        ties: TieBreak | str = "first",
    ) -> None:
        super().__init__(DialPolicy(parse_rational(str(rho))), arms, confidence, ties)
