"""A conformance run keeps nothing of the games that it has played: memory stays flat, however long it lasts."""

import gc
import tracemalloc
from pathlib import Path

import pytest

from bufalu.oracle import conformance
from bufalu.oracle.conformance import Effort, run_setting
from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.games import FinishedGame, play
from bufalu.oracle.limits import LONG
from tests.oracle.float_programs import FloatPolicy
from tests.oracle.planted.programs import correct_variants, missing_tool
from tests.oracle.runs import LiveUnderTest
from tests.oracle.soak import ALLOWED, Sample, soak
from tests.oracle.soak import growth as grown

PASSES = 3
ALLOWED_BYTES = 50_000


def bytes_in_use_after_a_pass() -> int:
    stages = (Stage.SMOKE, Stage.PRECISION)
    assert run_setting(LiveUnderTest(FloatPolicy), "bufalu", "hoeffding", Effort(), stages).finished
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def growth() -> int:
    """What later passes leave behind; what is kept on purpose, logarithms say, is kept by the first one."""
    tracemalloc.start()
    try:
        first, *later = [bytes_in_use_after_a_pass() for _ in range(PASSES)]
    finally:
        tracemalloc.stop()
    return max(later) - first


@pytest.mark.long
def test_games_leave_nothing_behind() -> None:
    assert growth() < ALLOWED_BYTES


@pytest.mark.long
def test_games_that_are_kept_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[FinishedGame] = []

    def play_and_keep(*arguments) -> FinishedGame:
        kept.append(play(*arguments))
        return kept[-1]

    monkeypatch.setattr(conformance, "play", play_and_keep)
    assert growth() > ALLOWED_BYTES


def test_a_game_is_kept_as_arrays_unless_its_trace_is_asked_for() -> None:
    (game,) = games(Stage.SMOKE, "bufalu", "hoeffding", Scope())
    played = play(game, LiveUnderTest(FloatPolicy), "bufalu", "hoeffding", False)
    assert "trace" not in vars(played)
    assert [len(played.trace.rounds), played.rounds] == [game.rounds] * 2


def test_memory_that_grows_from_pass_to_pass_is_noticed_in_oracle_and_program() -> None:
    steady = [Sample(run, 10.0 * run + stage, 60.0 + stage, 2.0) for run in range(4) for stage in range(3)]
    assert grown(steady) == 0
    assert grown([*steady, Sample(4, 50.0, 62.0 + 2 * ALLOWED, 2.0)]) > ALLOWED
    assert grown([*steady, Sample(4, 50.0, 60.0, 2.0 + 2 * ALLOWED)]) > ALLOWED
    with pytest.raises(ValueError, match="one pass shows no growth"):
        grown(steady[:3])


@pytest.mark.nightly
def test_ten_minutes_with_all_settings_keep_memory_flat(tmp_path: Path) -> None:
    example = correct_variants()[0]
    tool = missing_tool(example.program)
    if tool is not None:
        pytest.skip(f"{tool} is not installed")
    assert grown(list(soak(example.build(tmp_path), 600.0, LONG))) < ALLOWED
