"""The conformance run: stage by stage, for everything that a program declares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.games import FinishedGame, Game, game_of_trace, play, record, rounded_numbers
from bufalu.oracle.implementations import Implementation, takes_late
from bufalu.oracle.limits import LONG, MANY_ARMS
from bufalu.oracle.search import SEARCHED_ROUNDS, search, shrunk
from bufalu.oracle.second_opinions import second_opinions
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import UnknownName
from bufalu.reference.policies import named_with, policy_named
from bufalu.reference.traces import Trace


def knows_policy(text: str) -> bool:
    """Whether a declared policy can be judged."""
    try:
        policy_named(text)
    except UnknownName:
        return False
    return True


def knows_interval(text: str) -> bool:
    """Whether a declared interval can be judged: it is known, and every comparison with it can be decided."""
    try:
        return confidence_named(text).decidable
    except UnknownName:
        return False


@dataclass(frozen=True)
class Effort:
    """How hard to look: searched games for each setting, rounds of the long games, the most arms, seed, exactness."""

    examples: int = 40
    rounds: int = LONG
    arms: int = max(MANY_ARMS)
    seed: int = 0
    strict: bool = False

    @property
    def scope(self) -> Scope:
        """How far the games of the stages go."""
        return Scope(self.rounds, self.arms)


@dataclass
class SettingResult:
    """What was found out about one policy with one interval."""

    policy: str
    confidence: str
    rounds: int = 0
    ambiguous_rounds: int = 0
    played: Counter[Stage] = field(default_factory=Counter)
    finished: bool = False
    """Whether all its stages were played."""
    skipped: str | None = None
    skipped_games: int = 0
    rounded_numbers: int = 0
    """Numbers of a replayed trace that no double equals: the protocol carries doubles, and these were rounded."""
    failed: FinishedGame | None = None
    failed_in: tuple[Stage, str] | None = None
    """The stage and the game that found the divergence."""
    second_opinions: tuple[Trace, ...] = ()
    """What a program that failed does in other games, played on beyond its error: they tell likely bugs apart."""

    @property
    def games(self) -> int:
        """How many games were judged."""
        return sum(self.played.values())

    @property
    def verdict(self) -> str:
        """`conforms`, `nonconforming`, `skipped`, or `unfinished` where the run ended elsewhere."""
        if self.failed is not None:
            return "nonconforming"
        if self.skipped is not None:
            return "skipped"
        return "conforms" if self.finished else "unfinished"


@dataclass
class Conformance:
    """All settings so far; a run ends with the first that fails."""

    settings: list[SettingResult] = field(default_factory=list)

    @property
    def failed(self) -> FinishedGame | None:
        """The counterexample, if there is one."""
        return next((setting.failed for setting in self.settings if setting.failed is not None), None)

    @property
    def tested(self) -> bool:
        """Whether anything was played at all."""
        return any(setting.skipped is None for setting in self.settings)


def enduring(settings: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """The policy and interval, of those that the program plays, that play the endurance game for all: the first of those
    that query one arm almost alone, which takes the fewest rounds, and of those one whose decisions use all counters.
    """

    def suited(setting: tuple[str, str]) -> tuple[bool, bool]:
        policy = policy_named(setting[0])
        return policy.queries_largest_ucb, policy.counts_all_queries

    return max(settings, key=suited)


def one_of_each_policy(settings: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each policy with one interval, one without a variance if it can be: then one query of each arm tells arms apart."""
    ranked = sorted(settings, key=lambda setting: confidence_named(setting[1]).uses_variance)
    return list({policy: (policy, confidence) for policy, confidence in reversed(ranked)}.values())


class SettingRun:
    """Plays the games of one policy with one interval, stage by stage."""

    def __init__(self, implementation: Implementation, policy: str, confidence: str, effort: Effort) -> None:
        self.result = SettingResult(policy, confidence)
        self._implementation = implementation
        self._effort = effort

    @property
    def takes_late(self) -> bool:
        """Whether the implementation declares that it takes late answers."""
        return takes_late(self._implementation)

    @property
    def over(self) -> bool:
        """Whether nothing more is played: the setting is skipped, or has failed."""
        return self.result.skipped is not None or self.result.failed is not None

    def play(self, stage: Stage, tell: Callable[[str], None] = lambda text: None) -> None:
        """Plays a stage until a game shows a divergence; raises `BrokenProgram`, also for a run that is skipped though
        the setting is not, unless it has a single arm.
        """
        result = self.result
        title = named_with(result.policy, result.confidence)
        tell(f"{stage.name.lower()} ({stage.value}): {title}")
        played = self._search() if stage is Stage.SEARCH else self._first_failing(stage)
        if played is None:
            return
        result.failed_in = (stage, played.game.name)
        result.failed = played
        if stage is not Stage.SEARCH:
            tell(f"{stage.name.lower()}: {title}: '{played.game.name}' shows a divergence, looking for a smaller one")
            result.failed = shrunk(played, self._counted(stage), result.policy, self._effort.seed)
        result.second_opinions = opinions(self._implementation, played)

    def _first_failing(self, stage: Stage) -> FinishedGame | None:
        """The first game of a stage that shows a divergence, if one does."""
        play = self._counted(stage)
        scope = replace(self._effort.scope, late=self.takes_late)
        for game in games(stage, self.result.policy, self.result.confidence, scope):
            played = play(game)
            if played.divergence is not None:
                return played
            if self.result.skipped is not None:
                break
        return None

    def _search(self) -> FinishedGame | None:
        effort = self._effort
        return search(
            self._counted(Stage.SEARCH),
            self.result.policy,
            effort.examples,
            effort.seed,
            rounds=min(SEARCHED_ROUNDS, effort.rounds),
            most_arms=effort.arms,
        )

    def _counted(self, stage: Stage) -> Callable[[Game], FinishedGame]:
        result = self.result

        def play_and_count(game: Game) -> FinishedGame:
            played = play(game, self._implementation, result.policy, result.confidence, self._effort.strict)
            if played.skipped is not None:
                _take_skip(result, game, played.skipped)
                return played
            result.played[stage] += 1
            result.rounds += played.rounds
            result.ambiguous_rounds += played.ambiguous_rounds
            return played

        return play_and_count


def turns(settings: Mapping[tuple[str, str], SettingRun]) -> Iterator[tuple[Stage, SettingRun]]:
    """Who is to play what next: stage by stage through all settings, since what is quickly found is then found first.

    Ends with the first setting that fails; endurance is the turn of a single one, and sizes of one for each policy.
    """
    for stage in Stage:
        playing = [setting for setting, running in settings.items() if not running.over]
        if stage is Stage.SIZES:
            playing = one_of_each_policy(playing)
        if stage is Stage.LATE:
            playing = [setting for setting in playing if settings[setting].takes_late]
        if stage is Stage.ENDURANCE and playing:
            playing = [enduring(playing)]
        for setting in playing:
            yield stage, settings[setting]
            if settings[setting].result.failed is not None:
                return


def opinions(implementation: Implementation, found: FinishedGame) -> tuple[Trace, ...]:
    """What a program that failed a game does in others that tell wrong figures apart; without those in which it breaks or
    which it skips, since it has been judged already.
    """
    policy, confidence = found.header.policy, found.header.confidence
    traces = []
    for game in second_opinions(found.game, found.rounds, policy, confidence):
        try:
            trace = record(game, implementation, policy, confidence)
        except BrokenProgram:
            continue
        if trace is not None:
            traces.append(trace)
    return tuple(traces)


def run_setting(
    implementation: Implementation,
    policy: str,
    confidence: str,
    effort: Effort,
    stages: Sequence[Stage] = tuple(Stage),
) -> SettingResult:
    """All these stages of one setting; raises `BrokenProgram`."""
    running = SettingRun(implementation, policy, confidence, effort)
    for stage in stages:
        if not running.over:
            running.play(stage)
    running.result.finished = not running.over
    return running.result


def _take_skip(result: SettingResult, game: Game, reason: str) -> None:
    """A setting may be skipped by its first run, and a single arm always; no other run of a declared setting."""
    if result.games == 0:
        result.skipped = reason
        return
    result.skipped_games += 1
    if game.arms > 1:
        message = (
            f"skipped the run '{game.name}' ({game.arms} arms) of {named_with(result.policy, result.confidence)}, which it "
            f"declares, after {result.games} runs: {reason}"
        )
        hint = (
            "probably the program's: it may skip a policy with an interval altogether, in its first run, and runs with a "
            "single arm; a program for few arms is judged with --arms"
        )
        raise BrokenProgram("skipped", message, hint)


def replay(implementation: Implementation, trace: Trace, strict: bool) -> SettingResult:
    """Plays the game that a trace records once more; raises `BrokenProgram`."""
    header = trace.header
    played = play(game_of_trace(trace), implementation, header.policy, header.confidence, strict)
    result = SettingResult(header.policy, header.confidence, played.rounds, played.ambiguous_rounds)
    result.skipped = played.skipped
    result.finished = True
    result.played[Stage.DIRECTED] = 1
    result.rounded_numbers = rounded_numbers(trace)
    if played.divergence is not None:
        result.failed = played
    return result
