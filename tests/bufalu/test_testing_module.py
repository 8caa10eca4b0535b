"""`bufalu.testing.conformance`: a suite for the user's own test run."""

import inspect
import pickle
from pathlib import Path

import numpy as np
import pytest

from bufalu import BuFALU, Dial, LivePolicy, Pairs
from bufalu.oracle.known_bugs import KnownBug, known_bug_named
from bufalu.reference.errors import UnknownName
from bufalu.testing import Nonconforming, conformance
from tests.oracle.float_programs import FloatPolicy
from tests.oracle.test_far_bugs import SeparatedByAMargin

TestReference = conformance(lambda arms: BuFALU(arms, "bernstein"), confidence="bernstein", arms=30)
TestDoubles = conformance(lambda arms: FloatPolicy("greedy", arms, "hoeffding", "last"), policy="greedy", rounds=20)


def test_a_wrong_object_fails_with_the_argument() -> None:
    suite = conformance(lambda arms: known_bug_named("narrower-queried").live("bufalu", arms), rounds=60)()
    names = [name for name in dir(suite) if name.startswith("test_")]
    assert "test_smoke_run" in names
    assert len(names) > 10
    with pytest.raises(Nonconforming, match=r"Likely bug: .*narrower-queried"):
        suite.test_search()


@pytest.mark.parametrize("answer", [(0, True), ("1", True), (1.9, True), (True, True), (1, 1), (1, "no"), (1,), None])
def test_bad_answers_are_told(answer: object) -> None:
    class Strange:
        def decide(self, round_number: int, epsilon: float) -> object:
            return answer

        def observe(self, reward: float) -> None:
            raise AssertionError("never reached")

    with pytest.raises(Exception, match="decide returned"):
        conformance(lambda arms: Strange())().test_smoke_run()


def test_numpy_answers_are_answers() -> None:
    class InNumpy:
        def __init__(self, arms: int) -> None:
            self.live = BuFALU(arms)
            self.observe = self.live.observe

        def decide(self, round_number: int, epsilon: float) -> tuple[np.int64, np.bool_]:
            arm, query = self.live.decide(round_number, epsilon)
            return np.int64(arm), np.bool_(query)

    conformance(InNumpy)().test_smoke_run()


def test_names_are_checked() -> None:
    with pytest.raises(UnknownName):
        conformance(BuFALU, policy="ucb1")


def test_a_failure_points_at_the_line_of_the_suite() -> None:
    here = inspect.currentframe()
    assert here is not None
    line = here.f_lineno + 1
    suite = conformance(lambda arms: known_bug_named("narrower-queried").live("bufalu", arms))()
    with pytest.raises(Nonconforming) as failure:
        suite.test_smoke_run()
    ours = [entry for entry in failure.traceback if entry.frame.code.raw.co_name == "conformance"]
    assert [(Path(str(entry.path)).name, entry.lineno + 1) for entry in ours] == [(Path(__file__).name, line)]
    assert all(entry.ishidden(failure) for entry in failure.traceback if "bufalu/testing" in str(entry.path))


def test_the_argument_is_made_once_and_when_it_is_read_and_goes_along_to_another_process() -> None:
    made: list[str] = []
    failure = Nonconforming(lambda: made.append("once") or "an argument")  # type: ignore[func-returns-value]  # None
    assert not made
    sent = pickle.loads(pickle.dumps(failure))
    assert (str(sent), str(failure), made) == ("an argument", "an argument", ["once"])


def test_what_the_users_code_raises_is_shown_where_it_was_raised() -> None:
    class Broken:
        def decide(self, round_number: int, epsilon: float) -> object:
            raise ZeroDivisionError("mine")

        def observe(self, reward: float) -> None:
            raise AssertionError("never reached")

    with pytest.raises(ZeroDivisionError, match="mine") as failure:
        conformance(lambda arms: Broken())().test_smoke_run()  # type: ignore[arg-type,return-value]  # answers wrongly
    assert failure.traceback[-1].frame.code.raw is Broken.decide.__code__
    assert not any("oracle" in str(entry.path) for entry in failure.traceback)


def test_the_same_likely_bug_whichever_game_found_it() -> None:
    suite = conformance(lambda arms: known_bug_named("narrower-queried").live("bufalu", arms), rounds=60)()
    told = set()
    for name in sorted(name for name in dir(suite) if name.startswith("test_") and name != "test_search"):
        try:
            getattr(suite, name)()
        except Nonconforming as failure:
            told.add(tuple(line for line in str(failure).splitlines() if "narrower-queried" in line))
    assert len(told) == 1
    assert told != {()}


def test_arms_from_zero_are_hinted_at() -> None:
    class FromZero:
        def __init__(self, arms: int) -> None:
            self.live = BuFALU(arms)
            self.observe = self.live.observe

        def decide(self, round_number: int, epsilon: float) -> tuple[int, bool]:
            arm, query = self.live.decide(round_number, epsilon)
            return arm - 1, query

    with pytest.raises(Nonconforming, match=r"Hint: .*from 1"):
        conformance(FromZero)().test_smoke_run()


def test_no_bug_is_named_that_other_games_refute() -> None:
    # Alone, the game fits a missing separation test and ten more known bugs; other games refute them all.
    margin = KnownBug("margin", "", "", rules={"bufalu": SeparatedByAMargin("bufalu")})
    suite = conformance(lambda arms: margin.live("bufalu", arms))()
    with pytest.raises(Nonconforming, match="No known bug explains it"):
        suite.test_on_the_edge_of_separation()


@pytest.mark.parametrize(
    ("policy", "make", "number", "another"), [("dial:1/2", Dial, "1/2", "1/4"), ("pairs:2", Pairs, 2, 1)]
)
def test_a_policy_with_a_number_is_told_from_its_neighbour(
    policy: str, make: type[LivePolicy], number: object, another: object
) -> None:
    def failures(given: object) -> int:
        suite, failed = conformance(lambda arms: make(given, arms), policy=policy)(), 0
        for name in ("test_no_epsilon", "test_a_budget", "test_one_clear_winner", "test_8_arms"):
            try:
                getattr(suite, name)()
            except Nonconforming:
                failed += 1
        return failed

    assert failures(number) == 0 < failures(another)
