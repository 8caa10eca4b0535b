"""`check`, `explain`, `conform` and `bufalu.testing` grant the same to one and the same run."""

import math
from fractions import Fraction

import pytest

from bufalu.doubles.blocks import blocks_of_rounds
from bufalu.oracle.conformance import replay
from bufalu.oracle.games import game_of_trace
from bufalu.oracle.implementations import FactoryUnderTest
from bufalu.oracle.report import check_trace
from bufalu.oracle.tolerance import CLOSENESS_DOUBLE
from bufalu.pages.story import tell_blocks
from bufalu.reference.exact import Exact
from bufalu.reference.policies import Decision
from bufalu.reference.rounds import Round
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.testing import Nonconforming, conformance

REWARDS = (0.3, 0.7)
"""Of the arms 1 and 2, in the initial rounds; the third round is the one in question."""

SIDES = {
    # The challenger's UCB minus the leader's LCB, and the width of the arm of largest UCB.
    "bufalu": (0.3 - 0.7 + 2 * math.sqrt(1.5 * math.log(3)), Decision(1, True), Decision(2, False)),
    "cbm-ucb": (2 * math.sqrt(1.5 * math.log(3)), Decision(2, True), Decision(2, False)),
}
"""What is compared with epsilon, what to do if it is larger, and what if it is not."""


class TracePlayer:
    """Does what the trace says, whatever it is told."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def decide(self, round_number: int, epsilon: float) -> Decision:
        played = self.trace.rounds[round_number - 1]
        return Decision(played.arm, played.query)

    def observe(self, reward: float) -> None:
        pass


def run_of(policy: str, tolerances: float) -> Trace:
    """Epsilon is so many tolerances beside what it is compared with, and the third decision is that of the other side."""
    side, queried, rested = SIDES[policy]
    epsilon = side + tolerances * CLOSENESS_DOUBLE * (1 + 2 * side)
    wrong = queried if tolerances > 0 else rested
    levels = [Exact.of(Fraction(value)) for value in (1.0, 1.0, epsilon)]
    first = [Round(arm, arm, True, Fraction(REWARDS[arm - 1]), levels[arm - 1]) for arm in (1, 2)]
    reward = Fraction(REWARDS[wrong.arm - 1]) if wrong.query else None
    third = Round(3, wrong.arm, wrong.query, reward, levels[2])
    return Trace(TraceHeader(policy, "hoeffding", 2, None), (*first, third))


def judged_by_testing(trace: Trace, strict: bool, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the suite of `bufalu.testing` accepts the run, whose game takes the place of the smoke game's."""
    game = game_of_trace(trace)
    monkeypatch.setattr("bufalu.oracle.directed.smoke", lambda: game)
    suite = conformance(lambda arms: TracePlayer(trace), policy=trace.header.policy, strict=strict)()
    monkeypatch.undo()
    try:
        suite.test_replay()
    except Nonconforming:
        return False
    return True


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("policy", sorted(SIDES))
@pytest.mark.parametrize("tolerances", [-1.05, -0.95, 0.95, 1.05])
def test_all_four_judge_a_run_alike(
    tolerances: float, policy: str, strict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = run_of(policy, tolerances)
    accepted = abs(tolerances) < 1 and not strict
    story = tell_blocks(trace.header, list(blocks_of_rounds(iter(trace.rounds))), strict=strict)
    checked = check_trace(trace, strict=strict)
    replayed = replay(FactoryUnderTest(lambda arms: TracePlayer(trace)), trace, strict)
    assert checked.conforms is accepted
    assert (story.divergence is None) is accepted
    assert (replayed.failed is None) is accepted
    assert judged_by_testing(trace, strict, monkeypatch) is accepted
    if not accepted:
        assert checked.checked.divergence is not None
        assert checked.checked.divergence.round == story.divergence == 3
        assert (checked.rounding is not None) is (strict and abs(tolerances) < 1)
