"""The small parts of the oracle against their definitions: sums, closeness, slack, openings, slices."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.doubles.blocks import blocks_of_rounds
from bufalu.doubles.slices import exact_sum, exact_sum_of_squares, on_grid, parts, state_after
from bufalu.oracle import aims, diagnosis, figures, search
from bufalu.oracle.checking import Divergence, TraceCheck
from bufalu.oracle.conformance import SettingResult, _take_skip
from bufalu.oracle.diagnosis import with_stale_state
from bufalu.oracle.directed import Stage
from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.games import FinishedGame, Game, GameTally, Scene
from bufalu.oracle.known_bugs.edited_rules import opening_move
from bufalu.oracle.known_bugs.far import STALE_STATE
from bufalu.oracle.report import Report
from bufalu.oracle.search import Script
from bufalu.oracle.tolerance import NearTies, _doubt, _doubt_of_shape, _short, close, largest_slack, slack
from bufalu.properties.runs.strategies import fractions
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.exact import MINUS_INFINITY, PLUS_INFINITY, Exact, log_root, rational_form
from bufalu.reference.policies import Decision
from bufalu.reference.radicals import NormalForm
from bufalu.reference.rationals import Rational
from bufalu.reference.rounds import Round
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.traces import TraceHeader

BERNSTEIN = confidence_named("bernstein")


@given(
    st.lists(st.one_of(st.floats(0, 1), st.sampled_from([1.0, 1 - 2**-53, 2.0**-30, 5e-324, 0.5])), max_size=40),
    st.integers(1, 30),
)
def test_sums_are_exact_whatever_the_doubles(values: list[float], repeats: int) -> None:
    """Repeated, so that sums of products would leave 63 bits if they were not taken in runs."""
    array = np.array(values * repeats, dtype=np.float64)
    exact = [Fraction(value) for value in values]
    assert exact_sum(array) == repeats * sum(exact)
    assert exact_sum_of_squares(array) == repeats * sum(value * value for value in exact)


def test_sums_of_a_whole_block_of_full_mantissas() -> None:
    almost_one = np.full(2**15, 1 - 2.0**-53)
    assert exact_sum(almost_one) == 2**15 * Fraction(1 - 2.0**-53)
    assert exact_sum_of_squares(almost_one) == 2**15 * Fraction(1 - 2.0**-53) ** 2


def test_what_lies_on_a_grid() -> None:
    assert on_grid(np.array([0.0, 0.25, 1.0]), 4.0) and not on_grid(np.array([0.25, 0.125]), 4.0)


rounds = st.lists(
    st.tuples(st.integers(1, 3), st.one_of(st.none(), fractions(0, 1, 12))),
    min_size=1,
    max_size=30,
).map(lambda made: [Round(n, arm, reward is not None, reward, None) for n, (arm, reward) in enumerate(made, start=1)])


@given(rounds, st.booleans())
def test_the_state_after_a_block_is_that_of_its_rounds_one_by_one(played: list[Round], with_squares: bool) -> None:
    start, expected = State(3), State(3)
    for state in (start, expected):
        state.record(2, Fraction(1, 3))
    for one in played:
        if one.reward is not None:
            expected.record(one.arm, one.reward)
    (block,) = blocks_of_rounds(played)
    found = state_after(start, block.answers(), with_squares)
    assert found.all_queries == expected.all_queries
    for mine, theirs, before in zip(found.records, expected.records, start.records, strict=True):
        assert (mine.queries, mine.total) == (theirs.queries, theirs.total)
        assert mine.squares == (theirs if with_squares else before).squares
    assert start.all_queries == 1


@pytest.mark.parametrize("x", [Fraction(0), Fraction(1, 3), Fraction(3), Fraction(-7), Fraction(10**9, 7)])
@pytest.mark.parametrize("extra", [0.0, 2.0**-20])
def test_closeness_ends_where_it_is_said_to_end(x: Fraction, extra: float) -> None:
    """|x - y| = 1e-9 (1 + |x| + |y|) + slack exactly, for y beyond x on its own side."""
    sign, tiny = -1 if x < 0 else 1, Fraction(1, 10**60)
    tolerance = Fraction(1, 10**9)
    y = sign * (abs(x) * (1 + tolerance) + tolerance + Fraction(extra)) / (1 - tolerance)
    for left, right in ((x, y), (y, x)):
        assert close(Exact.of(left), Exact.of(right), extra)
    beyond = y + sign * tiny
    assert not close(Exact.of(x), Exact.of(beyond), extra) and not close(Exact.of(beyond), Exact.of(x), extra)
    assert close(Exact.of(x), Exact.of(y - sign * tiny), extra)


@pytest.mark.parametrize("power", [1, 3, 9])
@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("level", [0.03, 0.4, 0.97])
def test_aims_find_the_point_where_a_curve_crosses(power: int, sign: int, level: float) -> None:
    def curve(x: float) -> float:
        return sign * (x**power - level)

    crossing = aims._root(curve)
    assert crossing is not None and abs(curve(crossing)) < aims._GOOD_ENOUGH
    assert aims._root(lambda x: 1 + x) is None


def test_infinities_are_close_to_themselves_alone() -> None:
    assert close(PLUS_INFINITY, PLUS_INFINITY) and close(MINUS_INFINITY, MINUS_INFINITY)
    assert not close(PLUS_INFINITY, MINUS_INFINITY) and not close(PLUS_INFINITY, Exact.of(10**30))


def test_closeness_of_irrational_numbers() -> None:
    assert close(log_root(7), log_root(7) + Exact.of(Fraction(1, 10**10)))
    assert not close(log_root(7), log_root(7) + Exact.of(Fraction(1, 10**8)))


def test_closeness_does_not_trust_doubles_that_are_off_by_as_much() -> None:
    """Both doubles are 1; the truth is 1 + 4e-9, which is not close to 1, and 1 + 1e-9, which is."""
    for hidden, wanted in ((4, False), (1, True)):
        number = Exact(1.0, 5e-9, rational_form(1 + Fraction(hidden, 10**9)))
        assert close(number, Exact.of(1)) is wanted and close(Exact.of(1), number) is wanted


def test_near_ties_keep_what_is_close_and_say_so() -> None:
    values = {
        1: Exact.of(1),
        2: Exact.of(1 + Fraction(1, 10**9)),
        3: Exact.of(2),
        4: Exact.of(2 - Fraction(1, 10**9)),
    }
    near = NearTies()
    assert list(near.largest([1, 2], values.__getitem__)) == [1, 2] and near.ambiguous
    assert near.widest == Exact.of(Fraction(1, 10**9))
    # The widest distance that counted as close stays, and gives way to a wider one.
    for gap, widest in ((1, 10), (20, 20), (5, 20)):
        near.at_most(values[3], Exact.of(2 + Fraction(gap, 10**10)))
        assert near.widest == Exact.of(Fraction(widest, 10**10))
    assert list(near.smallest([3, 4, 1], values.__getitem__)) == [1]
    assert list(NearTies().largest([], values.__getitem__)) == []
    calm = NearTies()
    assert list(calm.largest([1, 3], values.__getitem__)) == [3] and list(
        calm.smallest([1, 3], values.__getitem__)
    ) == [1]
    assert tuple(calm.at_most(values[1], values[3])) == (True,) and tuple(calm.below(values[3], values[1])) == (
        False,
    )
    assert not calm.ambiguous and calm.widest is None
    # Exact ties of a maximum are no doubt, those of a test are.
    assert list(calm.largest([1, 1], values.__getitem__)) == [1, 1] and not calm.ambiguous
    assert tuple(calm.at_most(values[1], values[1])) == (True, False) and calm.ambiguous
    assert tuple(NearTies().below(values[1], values[1])) == (False, True)
    # A slack is asked for where closeness alone does not do, and then counts.
    far = Exact.of(1 + Fraction(1, 10**6))
    assert tuple(NearTies(lambda: 1e-5).below(values[1], far)) == (True, False)
    assert tuple(NearTies(lambda: 1e-7).below(values[1], far)) == (True,)


records = st.lists(fractions(0, 1, 16), min_size=2, max_size=60).map(
    lambda seen: ArmRecord(len(seen), sum(seen), sum(x * x for x in seen))
)


@given(records, st.integers(2, 10**6))
def test_the_two_ways_to_the_slack_agree_and_stay_below_the_largest(record: ArmRecord, number: int) -> None:
    shape = BERNSTEIN.shape
    assert shape is not None
    growth = shape.growth.doubles(number)[1]
    quick, slow = _doubt_of_shape(record, shape, growth), _doubt(record, BERNSTEIN, number)
    assert quick == pytest.approx(slow, rel=1e-3, abs=1e-13)
    assert slack([record], BERNSTEIN, number) == 2 * quick
    assert 2 * quick <= largest_slack(shape, number)


def test_the_slack_of_equal_rewards() -> None:
    """V = 0 in doubt by (3 n + 8) u Q / (n - 1): the radius moves by sqrt(6 ln t times that / n)."""
    n, number = 10, 1000
    record = ArmRecord(n, n, n)
    doubt = (3 * n + 8) * 2.0**-53 * n / (n - 1)
    wanted = 2 * np.sqrt(6 * np.log(number) * doubt / n)
    assert slack([record, ArmRecord(1, 1, 1)], BERNSTEIN, number) == pytest.approx(wanted)
    assert slack([ArmRecord(1, 1, 1)], BERNSTEIN, number) == 0
    assert slack([record], confidence_named("hoeffding"), number) == 0
    two = 2 * np.sqrt(6 * np.log(number) * 2 * (3 * 2 + 8) * 2.0**-53 * 2 / 2)
    assert largest_slack(BERNSTEIN.shape, number) == pytest.approx(two, rel=2e-3)


def test_long_rationals_are_cut_and_hardly_moved() -> None:
    third = Fraction(1, 3)
    assert _short(third) is third
    long = Fraction(2**3000 + 1, 3 * 2**3000 + 7)
    assert _short(long).denominator.bit_length() <= 210
    assert abs(_short(long) - long) <= long / 2**199
    assert _short(-long) == -long


@pytest.mark.parametrize(
    ("start", "moves"),
    [
        ("once", [(1, True), (2, True), (3, True)]),
        ("skipped", []),
        ("twice", [(1, True), (2, True), (3, True)] * 2),
        ("reversed", [(3, True), (2, True), (1, True)]),
        ("unqueried", [(1, False), (2, False), (3, False)]),
        ("last skipped", [(1, True), (2, True)]),
    ],
)
def test_openings(start, moves) -> None:
    found = [opening_move(start, number, 3) for number in range(1, 9)]
    assert found == [*moves, *[None] * (8 - len(moves))]


@pytest.mark.parametrize("arms", [1, 3, 7, 40, 2**17])
@pytest.mark.parametrize("first", [1, 3, 8])
@pytest.mark.parametrize("length", [1, 5, 20])
def test_slices_cover_a_block_and_part_initial_rounds_from_later_ones(arms: int, first: int, length: int) -> None:
    (block,) = blocks_of_rounds([Round(n, 1, False, None, None) for n in range(1, length + 1)])
    pieces = list(parts(replace(block, first=first), arms))
    numbers = [number for piece in pieces for number in range(piece.first, piece.first + len(piece))]
    assert numbers == list(range(first, first + length))
    assert all((piece.first <= arms) == (piece.first + len(piece) - 1 <= arms) for piece in pieces)
    later = [len(piece) for piece in pieces if piece.first > arms]
    assert all(size == later[0] for size in later[:-1])


def test_slices_are_as_long_as_the_filter_can_hold() -> None:
    (block,) = blocks_of_rounds([Round(n, 1, False, None, None) for n in range(1, 20_001)])
    assert [len(piece) for piece in parts(replace(block, first=9), 2)] == [8192, 8192, 3616]
    assert [len(piece) for piece in parts(replace(block, first=100), 64)][:2] == [2048, 2048]


def test_what_survives_a_reset_explains_the_whole_trace() -> None:
    checked = TraceCheck(TraceHeader("bufalu", "hoeffding", 2, "zero"), 17, 0, 0, None)
    (bug,) = with_stale_state(Report(checked, strict=False)).bugs
    assert (bug.known, bug.first, bug.last, bug.whole) == (STALE_STATE, 1, 17, True)


def _game(arms: int) -> Game:
    return Game("a game", arms, 5, lambda _: 0.0, lambda _: 0.5)


def test_only_a_first_run_or_a_single_arm_may_be_skipped() -> None:
    first = SettingResult("bufalu", "hoeffding")
    assert (first.rounds, first.ambiguous_rounds, first.games, first.skipped_games) == (0, 0, 0, 0)
    _take_skip(first, _game(3), "not mine")
    assert (first.skipped, first.skipped_games) == ("not mine", 0)
    later = SettingResult("bufalu", "hoeffding", played=Counter({Stage.SMOKE: 1}))
    _take_skip(later, _game(1), "one arm")
    _take_skip(later, _game(1), "one arm")
    assert (later.skipped, later.skipped_games) == (None, 2)
    with pytest.raises(BrokenProgram, match=r"skipped the run 'a game' \(2 arms\).*after 1 runs: too many"):
        _take_skip(later, _game(2), "too many")


class WithoutGrowth(ConfidenceInterval):
    """An interval that says nothing of its logarithm: that of this round, as far as anybody knows."""

    text = "shapeless"

    def radius_form(self, queries: int, variance: Rational, round_number: int) -> NormalForm:
        return rational_form(Fraction(1, queries))


def test_other_policies_are_suspected_where_their_logarithm_is_the_same() -> None:
    same = (WithoutGrowth(), confidence_named("kl-ucb"), confidence_named("hoeffding:2"))
    assert all(map(diagnosis._has_this_rounds_logarithm, same))
    assert not diagnosis._has_this_rounds_logarithm(confidence_named("hoeffding:2:before"))


def test_numbers_are_shown_without_needless_zeros() -> None:
    shown = {"1.500": "1.5", "2.000": "2", "100": "100", "0.0": "0", "1.50E+40": "1.50E+40", "1E-31": "1E-31"}
    assert {text: figures.plain(Decimal(text)) for text in shown} == shown
    assert figures.plain(Decimal("1E+29")) == "1" + "0" * 29


def test_the_epsilons_of_a_script_begin_after_the_initial_rounds() -> None:
    script = Script("bufalu", 9, ((1.0,), (0.0,)), (0.25, 0.5, 0.75), (0.0,))
    scenes = [Scene(number, 2, GameTally(2), confidence_named("hoeffding")) for number in range(3, 7)]
    assert [script.game().epsilon(scene) for scene in scenes] == [0.25, 0.5, 0.75, 0.25]


def test_rounds_are_left_out_of_a_failing_game_while_it_fails() -> None:
    """The game fails with an epsilon of 1/8 in some round after the fifth, of 200."""

    def play(game: Game) -> FinishedGame:
        scenes = [
            Scene(number, 2, GameTally(2), confidence_named("hoeffding")) for number in range(1, game.rounds + 1)
        ]
        epsilons = [game.epsilon(scene) for scene in scenes]
        failing = [number for number, epsilon in enumerate(epsilons, start=1) if epsilon == 0.125 and number > 5]
        last = failing[0] if failing else game.rounds
        rounds = [
            Round(number, 1, False, None, Exact.of(Fraction(epsilon)))
            for number, epsilon in enumerate(epsilons[:last], start=1)
        ]
        header = TraceHeader("bufalu", "hoeffding", 2, None)
        divergence = Divergence(last, Decision(1, False), {}, {}, State(2), None) if failing else None
        return FinishedGame(game, header, tuple(blocks_of_rounds(rounds)), divergence=divergence)

    found = play(Game("long", 2, 200, lambda scene: 0.125 if scene.round == 137 else 0.5, lambda scene, arm: 1.0))
    assert found.rounds == 137 and found.ambiguous_rounds == 0
    assert search._without_rounds(found, play).rounds == 6
