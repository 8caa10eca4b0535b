"""Bugs that show only late, with many arms, near a tie or by rounding are found, and called by their names."""

import pytest

from bufalu.oracle.conformance import Effort, SettingResult, opinions, run_setting
from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.games import Played, play
from bufalu.oracle.known_bugs import FAR_BUGS, KNOWN_BUGS, KnownBug, known_bug_named
from bufalu.oracle.known_bugs.far import HELD_LEADERS, ROUNDING
from bufalu.oracle.report import diagnosed, narrowed
from bufalu.reference.policies import Decision
from bufalu.reference.traces import Trace

SHORT = tuple(stage for stage in Stage if stage not in (Stage.SEARCH, Stage.LONG, Stage.ENDURANCE))
CLOSE = ((Stage.PRECISION, "beside the test, large rewards"), (Stage.TIES, "figures side by side, two arms"))
LATE = ((Stage.LONG, "long, queries all the way"), (Stage.LONG, "long, one arm"))
MANY = ((Stage.ARMS, "9 arms"), (Stage.ARMS, "12 arms"))

Places = tuple[tuple[Stage, str], ...]

SHOWN_BY: tuple[tuple[str, str, Places], ...] = (
    *((bug.id, "bufalu", CLOSE) for bug in (*ROUNDING, *HELD_LEADERS[:2])),
    *((f"looks-at-{arms}-arms", policy, MANY) for arms in (5, 8) for policy in ("bufalu", "greedy")),
    ("count-in-8-bits", "bufalu", ((Stage.DIRECTED, "a long run"), (Stage.LONG, "long, queries all the way"))),
    ("logarithms-up-to-1000", "bufalu", ((Stage.LONG, "long, separated"), (Stage.LONG, "long, queries all the way"))),
)
"""Bugs and policies, and games of which each must show the bug and lead to its name."""

SLOWLY_SHOWN_BY: tuple[tuple[str, str, Places], ...] = (
    ("count-in-10-bits", "cbm-ucb", LATE),
    ("logarithms-up-to-1024", "cbm-ucb", ((Stage.DIRECTED, "a long run"), *LATE)),
    ("count-in-12-bits", "cbm-ucb", LATE),
    ("round-in-12-bits", "bufalu", ((Stage.LONG, "long, rests and starts again"), (Stage.LONG, "long, separated"))),
    ("logarithms-up-to-5000", "bufalu", ((Stage.LONG, "long, rests and starts again"), LATE[0])),
    ("count-in-16-bits", "greedy", ((Stage.ENDURANCE, "endurance"),)),
    ("count-in-16-bits", "cbm-ucb", ((Stage.ENDURANCE, "endurance"),)),
    ("round-in-16-bits", "bufau", ((Stage.ENDURANCE, "endurance"),)),
)


class BugUnderTest:
    def __init__(self, bug: KnownBug) -> None:
        self.bug = bug

    def reset(self, policy: str, confidence: str, arms: int) -> None:
        self.live = self.bug.live(policy, arms, confidence)

    def decide(self, round_number: int, epsilon: float) -> Decision:
        return self.live.decide(round_number, epsilon)

    def observe(self, reward: float) -> None:
        self.live.observe(reward)


def named(found: Played, others: tuple[Trace, ...]) -> list[str]:
    report = narrowed(diagnosed(found.checked, found.trace, strict=False), others)
    return [likely.mutant.id for likely in report.bugs]


def names(result: SettingResult) -> list[str]:
    assert result.failed is not None
    return named(result.failed, result.second_opinions)


def assert_every_game_leads_to_the_name(identifier: str, policy: str, places: Places) -> None:
    program = BugUnderTest(known_bug_named(identifier))
    for stage, name in places:
        (game,) = (game for game in games(stage, policy, "hoeffding", Scope()) if game.name == name)
        found = play(game, program, policy, "hoeffding", strict=False)
        assert found.divergence is not None
        assert named(found, opinions(program, found)) == [identifier], name


def test_no_two_bugs_share_a_name() -> None:
    identifiers = [bug.id for bug in KNOWN_BUGS + FAR_BUGS]
    assert len(identifiers) == len(set(identifiers))


@pytest.mark.parametrize(("identifier", "policy", "places"), SHOWN_BY, ids=lambda v: v if isinstance(v, str) else "")
def test_a_bug_has_one_name_whichever_game_found_it(identifier: str, policy: str, places: Places) -> None:
    assert_every_game_leads_to_the_name(identifier, policy, places)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("identifier", "policy", "places"), SLOWLY_SHOWN_BY, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_very_late_bug_has_one_name_too(identifier: str, policy: str, places: Places) -> None:
    assert_every_game_leads_to_the_name(identifier, policy, places)


def test_what_was_done_at_the_start_alone_names_no_late_bug() -> None:
    # Judged by its short games alone, a late bug is any late bug: the rounds around its divergence tell which it is.
    program = BugUnderTest(known_bug_named("logarithms-up-to-1000"))
    (game,) = (game for game in games(Stage.LONG, "bufalu", "hoeffding", Scope()) if game.name == "long, separated")
    found = play(game, program, "bufalu", "hoeffding", strict=False)
    assert len(named(found, ())) > 1
    short = tuple(trace for trace in opinions(program, found) if len(trace.rounds) < found.rounds)
    assert short
    assert len(named(found, short)) > 1


def test_a_hysteresis_shows_and_is_named_after_shrinking() -> None:
    result = run_setting(BugUnderTest(HELD_LEADERS[1]), "bufalu", "hoeffding", Effort(), SHORT)
    assert names(result) == [HELD_LEADERS[1].id]


@pytest.mark.nightly
@pytest.mark.parametrize("bug", FAR_BUGS, ids=lambda bug: bug.id)
def test_every_one_is_found_and_named(bug: KnownBug) -> None:
    # Greedy queries one arm almost alone: its endurance game reaches 16 bits.
    settings = bug.settings()
    policy, confidence = ("greedy", "hoeffding") if ("greedy", "hoeffding") in settings else settings[0]
    result = run_setting(BugUnderTest(bug), policy, confidence, Effort())
    assert bug.id in names(result)
