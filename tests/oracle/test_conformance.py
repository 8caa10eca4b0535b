"""The conformance games kill the known bugs and spare every correct variant; the search shrinks what it finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.oracle.aims import times_test
from bufalu.oracle.conformance import Effort, enduring, run_setting
from bufalu.oracle.directed import Scope, Stage, directed, games, smoke
from bufalu.oracle.games import FinishedGame, Game, GameTally, Scene, play
from bufalu.oracle.known_bugs import KNOWN_BUGS, KilledBy, KnownBug, known_bug_named
from bufalu.oracle.report import check_trace
from bufalu.oracle.search import Script, scripts, search, shrunk
from bufalu.pages.trace_outcome import report_document, report_lines
from bufalu.reference.errors import InvalidReward
from bufalu.reference.rationals import rational
from bufalu.reference.state import State
from tests.oracle.float_programs import KEEPINGS, FloatPolicy, Keeping
from tests.oracle.runs import INTERVALS, POLICIES, LiveUnderTest

VISIBLE = [mutant for mutant in KNOWN_BUGS if mutant.place is KilledBy.CONFORM]


def in_doubles(ties: str = "first", keeping: Keeping = "sums") -> LiveUnderTest:
    return LiveUnderTest(lambda *setting: FloatPolicy(*setting, ties, keeping))


def first_failure(mutant: KnownBug, policy: str, interval: str) -> FinishedGame | None:
    for game in (smoke(), *directed(policy, interval)):
        played = play(game, LiveUnderTest(mutant.live), policy, interval, strict=False)
        if played.divergence is not None:
            return played
    return None


def one_setting(position: int, mutant: KnownBug) -> tuple[str, str]:
    settings = mutant.settings()
    return settings[position % len(settings)]


@pytest.mark.parametrize(("position", "mutant"), list(enumerate(VISIBLE)), ids=lambda value: getattr(value, "id", ""))
def test_the_directed_games_kill_every_visible_mutant_and_the_check_finds_the_same_round(position, mutant) -> None:
    policy, interval = one_setting(position, mutant)
    failed = first_failure(mutant, policy, interval)
    assert failed is not None, (mutant.id, policy, interval)
    assert failed.divergence is not None
    report = check_trace(failed.trace)
    assert report.checked.divergence is not None
    assert report.checked.divergence.round == failed.divergence.round == len(failed.trace.rounds)
    assert mutant.id in {bug.known.id for bug in report.bugs}


@pytest.mark.nightly
@pytest.mark.parametrize("mutant", VISIBLE, ids=lambda mutant: mutant.id)
def test_every_visible_mutant_dies_in_all_its_settings(mutant) -> None:
    for policy, interval in mutant.settings():
        assert first_failure(mutant, policy, interval) is not None, (policy, interval)


@pytest.mark.parametrize("mutant", [m for m in KNOWN_BUGS if m.place is not KilledBy.CONFORM], ids=lambda m: m.id)
def test_what_doubles_cannot_show_is_not_held_against_a_program(mutant) -> None:
    for policy, interval in mutant.settings()[:2]:
        for game in directed(policy, interval)[:7]:
            assert play(game, LiveUnderTest(mutant.live), policy, interval, strict=False).divergence is None


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("interval", INTERVALS)
def test_correct_variants_pass_the_directed_games(policy: str, interval: str) -> None:
    variants = [("first", "sums"), ("last", "running means"), ("random:3", "sums")]
    short = [game for game in directed(policy, interval) if game.rounds <= 250]
    for position, game in enumerate(short):
        ties, keeping = variants[position % len(variants)]
        played = play(game, in_doubles(ties, keeping), policy, interval, strict=False)
        assert played.divergence is None, (game.name, ties, keeping)


@pytest.mark.nightly
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("interval", INTERVALS)
def test_correct_variants_pass_the_long_games_too(policy: str, interval: str) -> None:
    for game in directed(policy, interval):
        for ties, keeping in (("first", "running means"), ("last", "sums"), ("random:9", "running means")):
            played = play(game, in_doubles(ties, keeping), policy, interval, strict=False)
            assert played.divergence is None, (game.name, ties, keeping)


@given(st.data())
def test_no_correct_variant_is_ever_rejected(data: st.DataObject) -> None:
    policy, interval = data.draw(st.sampled_from(POLICIES)), data.draw(st.sampled_from(INTERVALS))
    script = data.draw(scripts(policy, 30))
    for ties in ("first", "last", "random:1"):
        for keeping in KEEPINGS:
            under_test = in_doubles(ties, keeping)
            assert play(script.game(), under_test, policy, interval, strict=False).divergence is None


def test_the_search_shrinks_to_the_fewest_rounds() -> None:
    under_test = LiveUnderTest(known_bug_named("initial-rounds-reversed").live)

    def play_it(game: Game) -> FinishedGame:
        return play(game, under_test, "bufalu", "hoeffding", strict=False)

    found = search(play_it, "bufalu", 40, 0, rounds=40, most_arms=5)
    assert found is not None
    assert (len(found.trace.rounds), found.trace.header.arms) == (1, 2)


def test_a_late_counterexample_is_made_shorter() -> None:
    bug = known_bug_named("count-stops-at-64")

    def play_it(game: Game) -> FinishedGame:
        return play(game, LiveUnderTest(bug.live), "cbm-ucb", "hoeffding", strict=False)

    found = first_failure(bug, "cbm-ucb", "hoeffding")
    assert found is not None
    small = shrunk(found, play_it, "cbm-ucb", 0)
    assert small.divergence is not None
    assert len(small.trace.rounds) <= len(found.trace.rounds)
    assert not check_trace(small.trace).conforms


def test_same_seed_same_search() -> None:
    script = Script("bufalu", 5, ((0.5,), (1.0,)), (1.0,), (0.0,))
    played = [play(script.game(), in_doubles(), "bufalu", "hoeffding", False) for _ in range(2)]
    assert played[0].trace.rounds == played[1].trace.rounds
    counts = []
    for _ in range(2):
        result = run_setting(in_doubles(), "greedy", "hoeffding", Effort(examples=5, rounds=8))
        counts.append((result.games, result.rounds, result.verdict))
    assert counts[0] == counts[1]
    assert counts[0][2] == "conforms"


def test_strict_says_rounding_first_and_accuses_nobody() -> None:
    """Under a budget the width of CBM's arm comes within a rounding of epsilon, which doubles cannot tell."""
    (game,) = (game for game in directed("cbm-ucb", "hoeffding") if game.name == "a budget")
    under_test = in_doubles()
    assert play(game, under_test, "cbm-ucb", "hoeffding", strict=False).divergence is None
    played = play(game, under_test, "cbm-ucb", "hoeffding", strict=True)
    assert played.divergence is not None
    report = check_trace(played.trace, strict=True)
    first, *rest = report_lines(report)
    assert first.startswith("rounding: the sides of a comparison differ by ")
    assert 0 < report_document(report)["rounding"] < 1e-14
    assert not any("bug" in line for line in rest)
    # A real bug is not excused.
    wrong = play(game, LiveUnderTest(known_bug_named("constant-two").live), "cbm-ucb", "hoeffding", strict=True)
    assert check_trace(wrong.trace, strict=True).rounding is None


@pytest.mark.parametrize("level", [0.1, 0.3, 0.7, 1 / 3])
def test_the_variance_as_the_paper_prints_it_is_accepted_on_constant_rewards(level: float) -> None:
    """Cancellation leaves 1e-17 where the variance is 0, and 1e-8 in the radius; 1e-6 is not accepted."""

    def reward(scene: Scene, arm: int) -> float:
        return level

    for policy in ("cbm-ucb", "bufalu"):
        for offset in (-1e-8, 1e-8):
            aim = times_test(policy, (1 + offset,))
            game = Game("constant", 3, 120, aim, reward)
            assert play(game, in_doubles(), policy, "bernstein", False).divergence is None
    far = Game("constant", 3, 120, times_test("cbm-ucb", (1 - 1e-5, 1 + 1e-5)), reward)
    wrong = LiveUnderTest(known_bug_named("log-of-next-round").live)
    assert play(far, wrong, "cbm-ucb", "bernstein", False).divergence is not None


@given(st.lists(st.tuples(st.integers(1, 3), st.floats(0, 1)), max_size=30), st.integers(1, 5))
def test_sums_that_wait_are_those_of_the_state(rewards: list[tuple[int, float]], looked_at_every: int) -> None:
    tally, state = GameTally(3), State(3)
    for number, (arm, reward) in enumerate(rewards):
        tally.add(arm, reward)
        state.record(arm, rational(reward))
        assert tally.queries(arm) == state.queries(arm)
        if number % looked_at_every == 0:
            assert tally.state.records == state.records
    assert tally.state.records == state.records
    assert tally.state.all_queries == state.all_queries


@pytest.mark.parametrize("reward", [-0.1, 1.1, float("nan")])
def test_a_game_refuses_a_reward_that_is_none(reward: float) -> None:
    with pytest.raises(InvalidReward):
        GameTally(1).add(1, reward)


def test_greedy_endures_for_all_and_others_where_it_is_skipped_or_not_declared() -> None:
    settings = [(policy, interval) for policy in ("bufalu", "cbm-ucb", "greedy") for interval in ("a", "b")]
    assert enduring(settings) == ("greedy", "a")
    assert enduring(settings[:4]) == ("cbm-ucb", "a")
    assert enduring([("dial:1/2", "b"), ("bufalu", "b")]) == ("dial:1/2", "b")


@pytest.mark.nightly
@pytest.mark.parametrize("policy", [*POLICIES, "dial:1/2"])
@pytest.mark.parametrize("interval", INTERVALS)
def test_the_endurance_game_queries_an_arm_more_often_than_16_bits_count(policy: str, interval: str) -> None:
    game, _ = games(Stage.ENDURANCE, policy, interval, Scope())
    played = play(game, in_doubles(), policy, interval, strict=False)
    assert played.divergence is None
    queried = [int(np.sum(block.query & (block.arm == 1))) for block in played.blocks]
    assert sum(queried) > 2**16
    # Some rounds are left in which the other arm is queried, so that a wrong figure of the first shows.
    late = [(arm, query) for block in played.blocks for arm, query in zip(block.arm, block.query, strict=True)][-800:]
    assert sum(query and arm == 2 for arm, query in late) >= 10
