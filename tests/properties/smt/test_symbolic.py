"""The explorer itself: it finds every path, none twice, and prunes only what cannot happen."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.properties.smt.errors import TooManyPaths, UndecidedPath
from bufalu.properties.smt.solver import Session
from bufalu.properties.smt.symbolic import SymbolicReal, explore
from bufalu.properties.smt.terms import real
from bufalu.reference.view import maximisers

NAMES = ("x", "y", "z")


def paths(rule, assumptions=(), limit=1000):
    return [path.outcome for path in explore(rule, Session(assumptions), limit)]


def symbols(explorer):
    return {name: SymbolicReal(explorer, real(name)) for name in NAMES}


def test_three_numbers_have_seven_sets_of_maximisers():
    def rule(explorer):
        value = symbols(explorer)
        return frozenset(maximisers([0, 1, 2], lambda index: value[NAMES[index]]))

    assert set(paths(rule)) == {frozenset(s) for s in ({0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2})}


def test_transitivity_prunes_what_cannot_happen():
    def rule(explorer):
        value = symbols(explorer)
        return (value["x"] < value["y"], value["y"] < value["z"], value["x"] < value["z"])

    found = paths(rule)
    assert len(found) == len(set(found)) == 6
    assert set(product((True, False), repeat=3)) - set(found) == {(True, True, False), (False, False, True)}


def test_assumptions_prune_too():
    def rule(explorer):
        value = symbols(explorer)
        return value["x"] <= value["y"]

    assert paths(rule, [real("x") < real("y")]) == [True]


def test_the_open_tie_break_tries_every_option():
    def rule(explorer):
        return (explorer.choose([1, 2, 3]), explorer.choose([4]), explorer.choose([5, 6]))

    assert sorted(paths(rule)) == sorted(product([1, 2, 3], [4], [5, 6]))


def test_infinities_compare_without_asking():
    def rule(explorer):
        low, high = SymbolicReal(explorer, None, -1), SymbolicReal(explorer, None, 1)
        x = symbols(explorer)["x"]
        width, again = high - low, SymbolicReal(explorer, None, 1)
        ends = (low < x, x < high, high <= again, high < again, low >= x, x > low)
        return ends, (x < width, width <= x, x - low < high)

    assert paths(rule) == [((True, True, True, False, False, True), (True, False, False))]


@given(st.permutations([0, 1, 2]), st.lists(st.integers(0, 2), min_size=3, max_size=3))
def test_concrete_numbers_follow_one_of_the_paths(order, values):
    """What the rule does with numbers, it does on some symbolic path."""

    def maximal(value):
        return tuple(maximisers(order, value))

    found = paths(lambda explorer: maximal(lambda index: symbols(explorer)[NAMES[index]]))
    assert maximal(lambda index: values[index]) in found


def test_too_many_paths_are_reported_not_cut_off():
    with pytest.raises(TooManyPaths, match="more than 2"):
        paths(lambda explorer: explorer.choose([1, 2, 3]), limit=2)


def test_a_rule_with_a_memory_is_refused():
    calls = []

    def rule(explorer):
        calls.append(None)
        value = symbols(explorer)
        return value["x"] < value[NAMES[1 + len(calls) % 2]]

    with pytest.raises(UndecidedPath, match="not a function"):
        paths(rule)
