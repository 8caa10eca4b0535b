"""A machine that plays BuFALU one round at a time, with every freedom of the paper drawn: epsilon, ties, rewards."""

from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bufalu.properties.runs.cap import CAP, EXACT_CAP
from bufalu.properties.runs.cases import CASES, SHARPER
from bufalu.properties.runs.counts import QUERIED_COUNT, UNQUERIED_COUNT
from bufalu.properties.runs.gap_query import QUERIED_IS_WIDE, UNQUERIED_IS_NEAR_OPTIMAL
from bufalu.properties.runs.observed_rounds import replay
from bufalu.properties.runs.scenarios import Aim, aimed
from bufalu.properties.runs.statements import violations
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.live import BuFALU
from bufalu.reference.rounds import Round
from bufalu.reference.traces import TraceHeader
from bufalu.reference.view import ExactView

REWARDS = st.sampled_from([0, 1, Fraction(1, 2), Fraction(1, 3)])
LEVELS = st.sampled_from([0, Fraction(1, 2), 1, 2, 5, 20])


class PlayedRoundByRound(RuleBasedStateMachine):
    """The claims hold after every round, whatever happened in it."""

    @initialize(arms=st.integers(1, 4), confidence=st.sampled_from(["hoeffding", "bernstein"]))
    def start(self, arms: int, confidence: str) -> None:
        self.choice = 0
        self.policy = BuFALU(arms, confidence, ties=lambda tied: tied[self.choice % len(tied)])
        self.header = TraceHeader("bufalu", confidence, arms, None)
        self.rounds: list[Round] = []

    def view(self) -> ExactView:
        return ExactView(self.policy.state, self.policy.confidence, len(self.rounds) + 1, ZERO)

    def after_start(self) -> bool:
        return len(self.rounds) >= self.header.arms

    def advance(self, epsilon: Exact | None, choice: int, reward: Fraction | int) -> None:
        self.choice = choice
        number = len(self.rounds) + 1
        level = ZERO if epsilon is None else epsilon
        allowed = self.policy.admissible(number, level)
        decision = self.policy.decide(number, level)
        assert decision in allowed
        if decision.query:
            self.policy.observe(reward)
        self.rounds.append(Round(number, *decision, reward if decision.query else None, epsilon))

    @precondition(lambda self: not self.after_start())
    @rule(reward=REWARDS)
    def initial_round(self, reward) -> None:
        self.advance(None, 0, reward)

    @precondition(lambda self: self.after_start())
    @rule(level=LEVELS, choice=st.integers(0, 3), reward=REWARDS)
    def oblivious_round(self, level, choice, reward) -> None:
        self.advance(Exact.of(level), choice, reward)

    @precondition(lambda self: self.after_start())
    @rule(aim=st.sampled_from(Aim), choice=st.integers(0, 3), reward=REWARDS)
    def aimed_round(self, aim, choice, reward) -> None:
        self.advance(aimed(aim, self.view()), choice, reward)

    @invariant()
    def the_last_round_keeps_the_lemma_and_the_caps(self) -> None:
        if not self.rounds:
            return
        run = replay(self.header, self.rounds)
        for statement in (QUERIED_IS_WIDE, UNQUERIED_IS_NEAR_OPTIMAL, CAP, EXACT_CAP):
            assert violations(statement, run) == []

    def teardown(self) -> None:
        if getattr(self, "rounds", None):
            run = replay(self.header, self.rounds)
            for statement in (*CASES, SHARPER, UNQUERIED_COUNT, QUERIED_COUNT):
                assert violations(statement, run) == []


PlayedRoundByRound.TestCase.settings = settings(stateful_step_count=30, deadline=None)
TestPlayedRoundByRound = PlayedRoundByRound.TestCase
