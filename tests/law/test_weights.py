"""Weights in machine words against Python's own integers, with factors and sums that fill the words to the brim."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.law import exact_law
from bufalu.law import walk as walk_module
from bufalu.law.weights import LARGEST_FACTOR, LARGEST_LIMB, SPARSE, RationalWeights, WholeWeights, grouped
from bufalu.reference.instances import Instance

STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("times"), st.one_of(st.integers(0, 9), st.sampled_from([LARGEST_FACTOR, 2**30, 2**31 - 1]))
        ),
        st.tuples(st.just("sums"), st.integers(1, 5)),
        st.tuples(st.just("joined"), st.integers(1, 40)),
        st.tuples(st.just("chosen"), st.integers(0, 5)),
    ),
    max_size=12,
)


def followed(start, steps, kind):
    """The numbers after the steps, computed with weights of this kind."""
    weights = kind.of(start)
    for name, number in steps:
        places = np.arange(len(weights))
        if name == "times":
            weights = weights.times(number)
        elif name == "sums":
            weights = weights.sums(places % number, number)
        elif name == "joined" and len(weights) < 200:
            weights = weights.joined([kind.of([number, LARGEST_LIMB]), weights])
        elif name == "chosen":
            weights = weights.chosen(places % 6 != number)
    return weights.listed()


@given(st.lists(st.integers(0, LARGEST_LIMB), min_size=1, max_size=6), STEPS)
def test_machine_words_compute_as_integers_do(start, steps):
    assert followed(start, steps, WholeWeights) == followed(start, steps, RationalWeights)


FULL = [LARGEST_LIMB] * 4
LONG = [("times", LARGEST_FACTOR), ("sums", 1), ("times", LARGEST_FACTOR), ("times", LARGEST_FACTOR)]


def test_limbs_that_are_not_carried_are_noticed(monkeypatch):
    expected = [4 * LARGEST_LIMB * LARGEST_FACTOR**3]
    assert followed(FULL, LONG, WholeWeights) == expected
    monkeypatch.setattr(WholeWeights, "_with_room", lambda weights, factor: weights)
    assert followed(FULL, LONG, WholeWeights) != expected


@pytest.mark.parametrize("factor", [LARGEST_FACTOR + 1, -1, F(1, 2)])
def test_what_machine_words_cannot_hold_is_refused(factor):
    with pytest.raises(ValueError, match="no factor"):
        WholeWeights.of([1]).times(factor)
    with pytest.raises(ValueError, match="32 bits"):
        WholeWeights.of([LARGEST_LIMB + 1])
    with pytest.raises(ValueError, match="not divided"):
        WholeWeights.of([1, 1]).shared([1, F(1, 2)])


def test_a_sum_of_more_numbers_than_a_word_has_room_for_is_refused(monkeypatch):
    monkeypatch.setattr(np, "bincount", lambda groups, minlength: np.array([LARGEST_FACTOR + 1]))
    with pytest.raises(ValueError, match="no room"):
        WholeWeights.of([1, 1]).sums(np.zeros(2, dtype=np.int64), 1)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60))
def test_rows_are_grouped_alike_by_table_by_sorting_and_without_keys(rows):
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    for bounds in ([4, 4], [4, SPARSE * 1000], [2**40, 2**40]):
        places, groups = grouped(columns, bounds)
        assert [rows[places[group]] for group in groups.tolist()] == rows
        assert len(places) == len(set(rows))


@pytest.mark.parametrize("policy", ["bufalu", "greedy"])
def test_a_law_is_the_same_with_both_kinds_of_weights(policy, monkeypatch):
    instance = Instance.bernoulli([F(13, 100), F(2, 7), F(1, 2)])
    by_words = exact_law(instance, "power:1/4", 14, policy=policy)
    monkeypatch.setattr(walk_module, "MOST_BITS", 0)
    by_integers = exact_law(instance, "power:1/4", 14, policy=policy)
    assert by_words.query_count_distribution() == by_integers.query_count_distribution()
    assert by_words.expected_regret().exact == by_integers.expected_regret().exact
    assert by_words.bad_event_probabilities() == by_integers.bad_event_probabilities()


@pytest.mark.parametrize("mean", [F(1, 2**31 + 1), F(2, 3**40), F(1, 3**50)])
def test_denominators_beyond_a_machine_word_keep_their_mass(mean):
    instance = Instance.bernoulli([mean, F(1, 2)])
    assert sum(exact_law(instance, "zero", 5).query_distribution().values()) == 1
