"""The one stream of rewards: pinned words, its own key for every seed and arm, exact thresholds."""

from fractions import Fraction
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rewards import SeededRewards, draw_bits, mixed, stream_key, thresholds


def test_the_mix_is_that_of_splitmix64():
    # The first three outputs of the published generator with seed 1234567 (state advanced by golden, then mixed).
    golden = 0x9E3779B97F4A7C15
    outputs = [mixed((1234567 + k * golden) & ((1 << 64) - 1)) for k in (1, 2, 3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_words_are_pinned():
    assert stream_key(0, 1) == 12035550249420947055
    assert draw_bits(stream_key(7, 2), 3) == 2143464239632468785
    assert stream_key(2**64, 1) not in {stream_key(0, 1), stream_key(1, 1)}


def test_every_seed_and_arm_has_its_own_key():
    assert len({stream_key(seed, arm) for seed in [*range(500), 2**64, 2**128] for arm in range(1, 8)}) == 502 * 7


@given(
    weights=st.lists(st.integers(1, 10**6), min_size=1, max_size=6),
    seed=st.integers(0, 2**70),
    k=st.integers(1, 10**9),
)
def test_a_draw_is_the_first_value_whose_cumulative_probability_exceeds_it(weights, seed, k):
    total = sum(weights)
    arm = Arm.finite([(Fraction(i, len(weights)), Fraction(w, total)) for i, w in enumerate(weights)])
    uniform = Fraction(draw_bits(stream_key(seed, 1), k), 2**63)
    cumulative, expected = Fraction(0), None
    for value, probability in zip(arm.values, arm.probabilities, strict=True):
        cumulative += probability
        if expected is None and uniform < cumulative:
            expected = value
    assert SeededRewards(Instance((arm,)), seed).draw(1, k) == expected
    assert thresholds(arm)[-1] == 2**63
    assert thresholds(arm)[0] == ceil(Fraction(arm.probabilities[0]) * 2**63)
