"""Bugs that show only late, with many arms, near a tie or by rounding are found, and called by their names."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from bufalu.oracle.conformance import Effort, SettingResult, opinions, run_setting
from bufalu.oracle.diagnosis import LikelyBug, narrowed
from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.games import FinishedGame, play
from bufalu.oracle.known_bugs import FAR_BUGS, KNOWN_BUGS, KnownBug, intervals, known_bug_named
from bufalu.oracle.known_bugs.edited_rules import LeaderRule, N, _LeaderQuestions
from bufalu.oracle.known_bugs.far import HELD_LEADERS, ROUNDING
from bufalu.oracle.report import diagnosed
from bufalu.pages.trace_outcome import likely_bugs
from bufalu.reference.policies import Decision
from bufalu.reference.traces import Trace
from tests.oracle.runs import LiveUnderTest

SHORT = tuple(stage for stage in Stage if stage not in (Stage.SEARCH, Stage.LONG, Stage.ENDURANCE))
CLOSE = ((Stage.PRECISION, "beside the test, large rewards"), (Stage.TIES, "figures side by side, two arms"))
LATE = ((Stage.LONG, "long, queries all the way"), (Stage.LONG, "long, one arm"))
WRAPPED = ((Stage.DIRECTED, "a long run"), (Stage.LONG, "long, queries all the way"))
MANY = ((Stage.ARMS, "9 arms"), (Stage.ARMS, "12 arms"))

Places = tuple[tuple[Stage, str], ...]

SHOWN_BY: tuple[tuple[str, str, Places], ...] = (
    *((bug.id, "bufalu", CLOSE) for bug in (*ROUNDING, *HELD_LEADERS[:2])),
    ("mean-smoothed-by-0.1", "bufalu", ((Stage.DIRECTED, "no epsilon"), (Stage.ROLES, "every role, 4 arms"))),
    *((f"looks-at-{arms}-arms", policy, MANY) for arms in (5, 8) for policy in ("bufalu", "greedy")),
    ("count-in-8-bits", "bufalu", WRAPPED),
    ("logarithms-up-to-1000", "bufalu", ((Stage.LONG, "long, separated"), (Stage.LONG, "long, queries all the way"))),
)
"""Bugs and policies, and games of which each must show the bug and lead to its name."""

SLOWLY_SHOWN_BY: tuple[tuple[str, str, Places], ...] = (
    *((f"count-in-8-bits{kept}", "bufalu", WRAPPED) for kept in ("-deviations", "-signed", "-signed-deviations")),
    ("count-in-10-bits", "cbm-ucb", LATE),
    ("logarithms-up-to-1024", "cbm-ucb", ((Stage.DIRECTED, "a long run"), *LATE)),
    ("count-in-12-bits", "cbm-ucb", LATE),
    ("round-in-12-bits", "bufalu", ((Stage.LONG, "long, rests and starts again"), (Stage.LONG, "long, separated"))),
    ("logarithms-up-to-5000", "bufalu", ((Stage.LONG, "long, rests and starts again"), LATE[0])),
    ("count-in-16-bits", "cbm-ucb", ((Stage.ENDURANCE, "endurance"),)),
    ("count-in-16-bits-deviations", "greedy", ((Stage.ENDURANCE, "endurance"),)),
    ("count-in-16-bits-signed-deviations", "greedy", ((Stage.ENDURANCE, "endurance"),)),
    ("round-in-16-bits", "bufau", ((Stage.ENDURANCE, "endurance"),)),
)


@dataclass(frozen=True)
class SeparatedByAMargin(LeaderRule):
    """Separated only if the challenger's UCB is below the leader's LCB by 1e-7."""

    def separated(self, asked: _LeaderQuestions[N]) -> Iterable[bool]:
        view = asked.view
        by_far = view.ucb(asked.roles.challenger) - view.lcb(asked.roles.leader) <= view.number(Fraction(-1, 10**7))
        return super().separated(asked) if by_far else (False,)


@dataclass(frozen=True)
class LastNeverSeparated(LeaderRule):
    """The last of several arms is never separated."""

    def separated(self, asked: _LeaderQuestions[N]) -> Iterable[bool]:
        return (False,) if asked.roles.leader == asked.view.arms else super().separated(asked)


class InTurn:
    """Queries arm after arm."""

    def reset(self, policy: str, confidence: str, arms: int) -> None:
        self.arms = arms

    def decide(self, round_number: int, epsilon: float) -> Decision:
        return Decision((round_number - 1) % self.arms + 1, query=True)

    def observe(self, reward: float) -> None:
        """Nothing is learnt."""


def named(found: FinishedGame, others: tuple[Trace, ...]) -> list[str]:
    report = narrowed(diagnosed(found.checked, found.trace, strict=False), others)
    return [likely.known.id for likely in report.bugs]


def names(result: SettingResult) -> list[str]:
    assert result.failed is not None
    return named(result.failed, result.second_opinions)


def assert_every_game_leads_to_the_name(identifier: str, policy: str, places: Places) -> None:
    program = LiveUnderTest(known_bug_named(identifier).live)
    for stage, name in places:
        (game,) = (game for game in games(stage, policy, "hoeffding", Scope()) if game.name == name)
        found = play(game, program, policy, "hoeffding", strict=False)
        assert found.divergence is not None
        told = named(found, opinions(program, found))
        assert identifier in told, name
        # How the sums are kept need not show in the rounds after a counter has wrapped.
        assert len({other.removesuffix("-deviations") for other in told}) == 1, name


def test_no_two_bugs_share_a_name() -> None:
    identifiers = [bug.id for bug in KNOWN_BUGS + FAR_BUGS]
    assert len(identifiers) == len(set(identifiers))


@pytest.mark.long
@pytest.mark.parametrize(("identifier", "policy", "places"), SHOWN_BY, ids=lambda v: v if isinstance(v, str) else "")
def test_a_bug_has_one_name_whichever_game_found_it(identifier: str, policy: str, places: Places) -> None:
    assert_every_game_leads_to_the_name(identifier, policy, places)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("identifier", "policy", "places"), SLOWLY_SHOWN_BY, ids=lambda v: v if isinstance(v, str) else ""
)
def test_a_very_late_bug_has_one_name_too(identifier: str, policy: str, places: Places) -> None:
    assert_every_game_leads_to_the_name(identifier, policy, places)


@pytest.mark.nightly
def test_a_counter_that_greedy_lets_wrap_is_named_among_others() -> None:
    """The wrapped counter shows in the last rounds alone, where all that forget most of the queries do the same."""
    program = LiveUnderTest(known_bug_named("count-in-16-bits").live)
    game, _ = games(Stage.ENDURANCE, "greedy", "hoeffding", Scope())
    found = play(game, program, "greedy", "hoeffding", strict=False)
    assert "count-in-16-bits" in named(found, opinions(program, found))


def test_what_was_done_at_the_start_alone_names_no_late_bug() -> None:
    # Judged by its short games alone, a late bug is any late bug: the rounds around its divergence tell which it is.
    program = LiveUnderTest(known_bug_named("logarithms-up-to-1000").live)
    (game,) = (game for game in games(Stage.LONG, "bufalu", "hoeffding", Scope()) if game.name == "long, separated")
    found = play(game, program, "bufalu", "hoeffding", strict=False)
    assert len(named(found, ())) > 1
    short = tuple(trace for trace in opinions(program, found) if len(trace.rounds) < found.rounds)
    assert short
    assert len(named(found, short)) > 1


def test_a_hysteresis_shows_and_is_named_after_shrinking() -> None:
    result = run_setting(LiveUnderTest(HELD_LEADERS[1].live), "bufalu", "hoeffding", Effort(), SHORT)
    assert names(result) == [HELD_LEADERS[1].id]


def test_a_separation_test_with_a_margin_is_not_called_a_missing_one() -> None:
    program = LiveUnderTest(KnownBug("margin", "", "", rules={"bufalu": SeparatedByAMargin("bufalu")}).live)
    (game,) = (
        game for game in games(Stage.TIES, "bufalu", "hoeffding", Scope()) if game.name == "on the edge of separation"
    )
    found = play(game, program, "bufalu", "hoeffding", strict=False)
    assert "separation-ignored" in named(found, ())
    assert named(found, opinions(program, found)) == []


def test_a_leader_that_is_separated_in_some_places_only_is_no_missing_test() -> None:
    program = LiveUnderTest(KnownBug("last", "", "", rules={"bufalu": LastNeverSeparated("bufalu")}).live)
    (game,) = (game for game in games(Stage.ROLES, "bufalu", "hoeffding", Scope()) if game.name == "arm 3 of 3 wins")
    found = play(game, program, "bufalu", "hoeffding", strict=False)
    assert "separation-ignored" in named(found, ())
    assert named(found, opinions(program, found)) == []


@pytest.mark.long
@pytest.mark.parametrize(("start", "stride", "confidence"), [(500, 2, "hoeffding"), (20, 16, "bernstein")])
def test_a_logarithm_that_is_refreshed_now_and_then_is_no_rounding(start: int, stride: int, confidence: str) -> None:
    """Between two refreshes it is a little too small, as rounding is now and then; means in single precision are told."""
    wrong = {"hoeffding": intervals.hoeffding, "bernstein": intervals.bernstein}[confidence]
    lazy = wrong(lambda number: math.log(number if number < start else number - number % stride))
    program = LiveUnderTest(KnownBug("lazy", "", "", intervals={confidence: lazy}).live)
    result = run_setting(program, "bufalu", confidence, Effort(), SHORT)
    assert names(result) == []


def test_a_bug_that_would_have_done_nearly_anything_explains_nothing() -> None:
    """With every bound cut all arms tie: clipping admits whatever a program in turn does."""
    (game,) = (game for game in games(Stage.DIRECTED, "bufalu", "hoeffding", Scope()) if game.name == "no epsilon")
    program = InTurn()
    found = play(game, program, "bufalu", "hoeffding", strict=False)
    report = diagnosed(found.checked, found.trace, strict=False)
    vague = [bug.known.id for bug in report.bugs if bug.is_vague]
    assert "clips-bounds" in vague
    assert report.too_short
    assert likely_bugs(report)[0].startswith(
        "Too short to tell which bug it is. Known ones that would have done this: "
    )
    assert not set(vague) & set(named(found, opinions(program, found)))


@pytest.mark.parametrize(
    ("admitted", "others", "vague"),
    [(0, 300, False), (99, 300, False), (100, 300, True), (300, 300, True), (1, 1, True)],
)
def test_a_name_is_given_for_what_would_have_rejected_most_other_decisions(
    admitted: int, others: int, vague: bool
) -> None:
    """A third of the other decisions is the border; where no other one was judged, nothing speaks against the name."""
    bug = LikelyBug(FAR_BUGS[0], 1, 60, whole=True, others_admitted=admitted, others=others)
    assert bug.is_vague is vague
    assert not replace(bug, others_admitted=0, others=0).is_vague


def test_what_else_a_suspect_admits_is_counted_over_all_runs() -> None:
    """A run that is judged once more makes twice as many other decisions judged, and twice as many admitted."""
    name = "beside the test, large rewards"
    (game,) = (game for game in games(Stage.PRECISION, "bufalu", "hoeffding", Scope()) if game.name == name)
    found = play(game, LiveUnderTest(known_bug_named("sums-in-float32").live), "bufalu", "hoeffding", strict=False)
    report = diagnosed(found.checked, found.trace, strict=False)
    (once,), (twice,) = report.bugs, narrowed(report, [found.trace]).bugs
    assert (twice.others_admitted, twice.others) == (2 * once.others_admitted, 2 * once.others)
    assert once.others_admitted > 0


@pytest.mark.nightly
@pytest.mark.parametrize("bug", FAR_BUGS, ids=lambda bug: bug.id)
def test_every_one_is_found_and_named(bug: KnownBug) -> None:
    # Greedy queries one arm almost alone: its endurance game reaches 16 bits.
    settings = bug.settings()
    policy, confidence = ("greedy", "hoeffding") if ("greedy", "hoeffding") in settings else settings[0]
    result = run_setting(LiveUnderTest(bug.live), policy, confidence, Effort())
    assert bug.id in names(result)


def test_the_stage_that_searches_plays_what_it_searches_for() -> None:
    result = run_setting(InTurn(), "bufalu", "hoeffding", Effort(examples=5), [Stage.SEARCH])
    assert result.failed is not None and result.failed_in is not None
    assert result.failed_in[0] is Stage.SEARCH
