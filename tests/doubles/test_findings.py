"""The roles that doubles tell of a block are those of exact arithmetic, and the reasons those of the relation."""

import numpy as np
import pytest

from bufalu.doubles.blocks import blocks_of_rounds
from bufalu.doubles.findings import block_roles, told_reasons
from bufalu.doubles.slices import Slice
from bufalu.doubles.views import block_doubles, view_of_block
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import Decision, policy_named
from bufalu.reference.policies.decisions import REASONS, Roles
from bufalu.reference.state import State
from bufalu.reference.traces import TraceHeader
from bufalu.reference.view import ExactView
from tests.oracle.runs import play, reference, rewards

POLICIES = ("bufalu", "bufau", "cbm-ucb", "greedy", "ucb", "dial:1/2")


@pytest.mark.parametrize("schedule", ["power:1/4", "constant:3", "budget:13"])
@pytest.mark.parametrize("interval", ["hoeffding", "bernstein"])
@pytest.mark.parametrize("name", POLICIES)
def test_roles_and_reasons_are_those_of_exact_arithmetic(name: str, interval: str, schedule: str) -> None:
    header = TraceHeader(name, interval, 3, schedule)
    policy, confidence, sure = policy_named(name), confidence_named(interval), 0
    trace = play(reference(header), header, 60, rewards("doubles", 4))
    assert confidence.shape is not None and header.schedule is not None
    state = State(3)
    for played in trace.rounds[:3]:
        assert played.reward is not None
        state.record(played.arm, played.reward)
    (whole,) = blocks_of_rounds(trace.rounds)
    block = whole.cut(3, len(trace.rounds))
    doubles = block_doubles(Slice(block, state), confidence.shape, header.schedule)
    # Every tenth decision is a wrong one: then the reason is that of the rule, where it has one alone.
    arm = np.where(np.arange(len(block)) % 10 == 9, block.arm % 3 + 1, block.arm)
    found = block_roles(policy, view_of_block(doubles, block.first), arm, block.query)
    for place, played in enumerate(trace.rounds[3:]):
        view = ExactView(state, confidence, played.number, header.schedule.at(played.number, 3))
        if not found.unsure[place]:
            sure += 1
            roles = Roles(view)
            assert (found.leader[place], found.challenger[place]) == (roles.leader, roles.challenger)
            assert found.candidate[place] == policy.first_candidates(view, roles)[0]
            admissible = policy.admissible(view)
            taken = Decision(int(arm[place]), played.query)
            reasons = admissible.get(taken) or frozenset[object]().union(*admissible.values())
            assert REASONS[found.reason[place]] in reasons
            assert taken in admissible or len(reasons) == 1
        if played.reward is not None:
            state.record(played.arm, played.reward)
    assert sure > 20


def test_a_wrong_decision_is_told_by_the_one_reason_of_the_rule_or_not_at_all() -> None:
    """Reasons are bits; the last decision was taken for two of them, and the first counts."""
    own, every = np.array([0, 0, 0, 0, 0, 6]), np.array([1, 2, 3, 6, 0, 6])
    reason, silent = told_reasons(own, every)
    assert silent.tolist() == [False, False, True, True, True, False]
    assert reason[[0, 1, 5]].tolist() == [0, 1, 1]
