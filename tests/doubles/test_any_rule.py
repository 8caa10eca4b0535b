"""A stranger's rule runs on arrays as it stands; what a rule may not do with many rounds at once costs speed, never truth."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bufalu.doubles.blocks import Block, blocks_of_rounds
from bufalu.doubles.masks import STRICT, Masks, Ties, examine
from bufalu.doubles.slices import Slice
from bufalu.doubles.views import ArrayView, block_doubles, view_of_block
from bufalu.reference.confidence import confidence_named
from bufalu.reference.instances import Instance
from bufalu.reference.policies import Decision, Policy, Reason, policy_named
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import parse_schedule
from bufalu.reference.simulation import simulate
from bufalu.reference.state import State
from bufalu.reference.view import ExactView

ARMS, HORIZON = 3, 300
SCHEDULE = parse_schedule("power:1/4")
HOEFFDING = confidence_named("hoeffding")
Rule = Callable[[Any, Any], Iterator[tuple[Decision, Reason]]]


class Own(Policy):
    text = "own"

    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    def possible(self, view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
        return self._rule(view, comparisons)


def run() -> tuple[Block, ArrayView, list[ExactView]]:
    """A run of BuFALU after its initial rounds: as a block, as arrays, and round by round."""
    instance = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2), Fraction(1, 2)])
    rounds = list(simulate("bufalu", instance, SCHEDULE, HORIZON, SeededRewards(instance, 3)))
    state, views, opening = State(ARMS), [], State(ARMS)
    for played in rounds:
        if played.number > ARMS:
            views.append(ExactView(state, HOEFFDING, played.number, SCHEDULE.at(played.number, ARMS)))
        if played.reward is not None:
            state.record(played.arm, played.reward)
        if played.number == ARMS:
            opening = state.copy()
    (whole,) = blocks_of_rounds(rounds)
    block = whole.cut(ARMS, HORIZON)
    assert HOEFFDING.shape is not None
    return block, view_of_block(block_doubles(Slice(block, opening), HOEFFDING.shape, SCHEDULE), ARMS + 1), views


def by_scaled_width(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    """Products, differences, means, logarithms, counts, the smallest and the largest."""
    everyone = range(1, view.arms + 1)
    for arm in comparisons.largest(everyone, lambda arm: view.number(Fraction(2, 3)) * view.width(arm)):
        for other in comparisons.smallest(everyone, view.mean):
            for spent in comparisons.below(view.log() * view.epsilon, view.mean(arm) - view.lcb(other)):
                for few in comparisons.at_most(view.all_queries(), view.number(40)):
                    yield Decision(arm if few else other, spent), Reason.UNCERTAIN


def taken_out(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    """Uses the maximisers outside of their loop."""
    for arm in list(comparisons.largest(range(1, view.arms + 1), view.ucb)):
        yield Decision(arm, True), Reason.ALWAYS


def one_of_two(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    """Asks whether an outcome is possible, outside of a loop."""
    yield Decision(1, True in comparisons.at_most(view.ucb(1), view.ucb(2))), Reason.ALWAYS


def collected_first(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    """Yields after all loops have ended."""
    found = []
    for arm in comparisons.largest(range(1, view.arms + 1), view.ucb):
        for within in comparisons.at_most(view.width(arm), view.epsilon):
            found.append((Decision(arm, not within), Reason.ALWAYS))
    yield from found


def by_its_own_comparison(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    yield Decision(1 if view.lcb(1) <= view.lcb(2) else 2, True), Reason.ALWAYS


def by_equality(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    yield Decision(1 if view.lcb(1) == view.lcb(2) else 2, True), Reason.ALWAYS


def by_truth(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    yield Decision(1, bool(view.lcb(1))), Reason.ALWAYS


def by_parity(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    yield Decision(1 + view.round % 2, True), Reason.ALWAYS


def from_a_round_on(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    yield Decision(1, view.round > 100), Reason.ALWAYS


def in_one_round(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    yield Decision(1, view.round == 100), Reason.ALWAYS


def in_the_first_loop_twice(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    """Goes through the same maximisers again."""
    best = comparisons.largest(range(1, view.arms + 1), view.ucb)
    for arm in best:
        yield Decision(arm, True), Reason.ALWAYS
    for arm in best:
        yield Decision(arm, False), Reason.ALWAYS


def by_a_toss(view: Any, comparisons: Any) -> Iterator[tuple[Decision, Reason]]:
    for asks in comparisons.toss(Fraction(1, 3)):
        for arm in comparisons.largest(range(1, view.arms + 1), view.ucb if asks else view.mean):
            yield Decision(arm, asks), Reason.ALWAYS


RULES = (by_scaled_width, in_the_first_loop_twice, by_a_toss)
REFUSED = (
    taken_out, one_of_two, collected_first, by_its_own_comparison, by_equality, by_truth, by_parity, from_a_round_on,
    in_one_round,
)  # fmt: skip


def every_decision() -> list[Decision]:
    return [Decision(arm, query) for arm in range(1, ARMS + 1) for query in (False, True)]


@pytest.mark.parametrize("rule", RULES + REFUSED, ids=lambda rule: rule.__name__)
def test_whatever_a_rule_does_nothing_is_accepted_that_it_does_not_admit(rule: Rule) -> None:
    block, view, views = run()
    policy = Own(rule)
    truth = [set(policy.admissible(exact)) for exact in views]
    sure = 0
    for decision in every_decision():
        arm, query = np.full(len(block), decision.arm), np.full(len(block), decision.query)
        found = examine(policy, view, arm, query, STRICT)
        for place in np.flatnonzero(~found.unsure).tolist():
            sure += 1
            assert found.accepted[place] == (decision in truth[place])
    assert sure > 5 * len(block) if rule in RULES else sure == 0


@pytest.mark.parametrize(("ties", "place"), [(Ties.FIRST, 0), (Ties.LAST, -1)])
@pytest.mark.parametrize("name", ["bufalu", "bufau", "cbm-ucb", "greedy", "ucb", "dial:1/2", "dial:0", "dial:1"])
def test_one_tie_break_on_arrays_decides_as_it_does_round_by_round(name: str, ties: Ties, place: int) -> None:
    block, view, views = run()
    masks, policy, decided = (
        Masks(len(block), ties=ties),
        policy_named(name),
        np.zeros((2, len(block)), dtype=np.int64),
    )
    for decision, _ in masks.follow(policy, view):
        decided[:, masks.here()] = np.array(decision)[:, None]
    sure = np.flatnonzero(~masks.unsettled).tolist()
    assert len(sure) > len(block) // 2
    for one in sure:
        assert tuple(decided[:, one]) == policy.decide(views[one], lambda tied: tied[place])


def test_a_tie_that_is_not_to_be_broken_leaves_its_rounds() -> None:
    block, view, views = run()
    masks, settled = Masks(len(block), ties=Ties.UNSETTLED), 0
    for _ in masks.follow(policy_named("ucb"), view):
        masks.here()
    for unsettled, exact in zip(masks.unsettled, views, strict=True):
        assert unsettled == (len(policy_named("ucb").admissible(exact)) > 1)
        settled += not unsettled
    assert 0 < settled < len(views)


def test_a_toss_of_one_tie_break_is_not_for_arrays() -> None:
    block, view, _ = run()
    masks = Masks(len(block), ties=Ties.FIRST)
    assert not list(masks.follow(policy_named("coin:1/2"), view))
    assert masks.unsettled.all()
