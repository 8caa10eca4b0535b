"""`bufalu.strategies`: a property about one's own implementation in five lines, which finds a bug."""

import pytest
from hypothesis import Phase, given, settings

from bufalu import BuFALU, BufaluError, Schedule, check_trace, exact_law, simulate
from bufalu.strategies import games, instances, near_ties, played, schedules, traces


class MyBandit:
    """BuFALU, but for a slip: without a query it plays arm 1."""

    def __init__(self, arms):
        self.right = BuFALU(arms)
        self.observe = self.right.observe

    def decide(self, round, epsilon):
        arm, query = self.right.decide(round, epsilon)
        return (arm if query else 1), query


def test_a_property_of_five_lines_finds_a_bug():
    @settings(phases=[Phase.generate], deadline=None)
    @given(games())
    def my_property(game):
        assert check_trace(played(game, MyBandit)).conforms

    with pytest.raises(AssertionError):
        my_property()


@settings(max_examples=8, deadline=None)
@given(games(), near_ties(), traces("bufau", "bernstein", 20))
def test_the_reference_passes(game, tie, trace):
    assert check_trace(played(game, BuFALU)).conforms
    assert check_trace(played(tie, BuFALU)).conforms
    assert check_trace(trace).conforms


@settings(max_examples=10, deadline=None)
@given(instances(2), schedules(2))
def test_instances_and_schedules_are_what_functions_take(instance, schedule):
    assert isinstance(schedule, Schedule)
    assert exact_law(instance, schedule, 3).expected_queries().exact >= min(3, instance.number_of_arms)
    assert len(list(simulate("bufalu", instance, schedule, 4, 0))) == 4


def test_wrong_arguments_are_refused_by_name():
    for make, said in ((lambda: games("nobody"), "nobody"), (lambda: near_ties(arms=0), "arms")):
        with pytest.raises(BufaluError, match=said):
            make()
    with pytest.raises(BufaluError, match="game"):
        played(3, BuFALU)
