"""Bugs that show only late, with many arms, near a tie or by rounding are found, and called by their names."""

import pytest

from bufalu.oracle.conformance import Effort, SettingResult, run_setting
from bufalu.oracle.directed import Stage
from bufalu.oracle.known_bugs import FAR_BUGS, KNOWN_BUGS, KnownBug
from bufalu.oracle.known_bugs.far import HELD_LEADERS, MANY_ARMS, ROUNDING
from bufalu.oracle.report import diagnosed, narrowed
from bufalu.reference.policies import Decision

QUICK = (ROUNDING[0], ROUNDING[2], MANY_ARMS[1], HELD_LEADERS[1])
SHORT = tuple(stage for stage in Stage if stage not in (Stage.SEARCH, Stage.LONG, Stage.ENDURANCE))


class BugUnderTest:
    def __init__(self, bug: KnownBug) -> None:
        self.bug = bug

    def reset(self, policy: str, confidence: str, arms: int) -> None:
        self.live = self.bug.live(policy, arms, confidence)

    def decide(self, round_number: int, epsilon: float) -> Decision:
        return self.live.decide(round_number, epsilon)

    def observe(self, reward: float) -> None:
        self.live.observe(reward)


def names(result: SettingResult) -> list[str]:
    assert result.failed is not None
    report = narrowed(diagnosed(result.failed.checked, result.failed.trace, strict=False), result.second_opinions)
    return [likely.mutant.id for likely in report.bugs]


def test_no_two_bugs_share_a_name() -> None:
    identifiers = [bug.id for bug in KNOWN_BUGS + FAR_BUGS]
    assert len(identifiers) == len(set(identifiers))


@pytest.mark.parametrize("bug", QUICK, ids=lambda bug: bug.id)
def test_what_shows_in_short_games_is_named(bug: KnownBug) -> None:
    policy, confidence = bug.settings()[0]
    result = run_setting(BugUnderTest(bug), policy, confidence, Effort(), SHORT)
    assert names(result) == [bug.id]


@pytest.mark.nightly
@pytest.mark.parametrize("bug", FAR_BUGS, ids=lambda bug: bug.id)
def test_every_one_is_found_and_named(bug: KnownBug) -> None:
    # One arm queried all the time: CBM reaches 16 bits in the endurance game.
    settings = bug.settings()
    policy, confidence = ("cbm-ucb", "hoeffding") if ("cbm-ucb", "hoeffding") in settings else settings[0]
    result = run_setting(BugUnderTest(bug), policy, confidence, Effort())
    assert bug.id in names(result)
