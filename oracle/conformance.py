"""The conformance run: a smoke game, the directed games, the search, for everything that a program declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bufalu.oracle.directed import directed, distinguishing, smoke
from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.games import Game, Played, game_of_trace, play, record
from bufalu.oracle.implementations import Implementation
from bufalu.oracle.search import search, shrunk
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import UnknownName
from bufalu.reference.policies import policy_named
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
    """How hard to look: searched games for each setting, their longest length, the seed, and exactness."""

    examples: int = 40
    rounds: int = 40
    seed: int = 0
    strict: bool = False


@dataclass
class SettingResult:
    """What was found out about one policy with one interval."""

    policy: str
    confidence: str
    games: int = 0
    rounds: int = 0
    ambiguous_rounds: int = 0
    skipped: str | None = None
    skipped_games: int = 0
    failed: Played | None = None
    second_opinion: Trace | None = None
    """What a program that failed does in one more game, played to the end: it tells likely bugs apart."""

    @property
    def verdict(self) -> str:
        """`conforms`, `nonconforming` or `skipped`."""
        if self.failed is not None:
            return "nonconforming"
        return "conforms" if self.skipped is None else "skipped"


@dataclass
class Conformance:
    """All settings so far; a run ends with the first that fails."""

    settings: list[SettingResult] = field(default_factory=list)

    @property
    def failed(self) -> Played | None:
        """The counterexample, if there is one."""
        return next((setting.failed for setting in self.settings if setting.failed is not None), None)

    @property
    def tested(self) -> bool:
        """Whether anything was played at all."""
        return any(setting.skipped is None for setting in self.settings)


def run_setting(
    implementation: Implementation,
    policy: str,
    confidence: str,
    effort: Effort,
    tell: Callable[[str], None] = lambda text: None,
) -> SettingResult:
    """Smoke, directed games, search; raises `BrokenProgram`.

    A program that skips the smoke run skips the setting; one that skips a later run (a single arm, say) is judged by the
    others, and the skipped ones are counted.
    """
    result = SettingResult(policy, confidence)

    def play_and_count(game: Game) -> Played:
        played = play(game, implementation, policy, confidence, effort.strict)
        if played.skipped is not None:
            result.skipped_games += 1
            return played
        result.games += 1
        result.rounds += len(played.trace.rounds)
        result.ambiguous_rounds += played.ambiguous_rounds
        return played

    for game in (smoke(), *directed(policy, confidence)):
        tell(f"{policy} with {confidence}: {game.name}")
        played = play_and_count(game)
        if played.skipped is not None and result.games == 0:
            result.skipped = played.skipped
            return result
        if played.divergence is not None:
            tell(f"{policy} with {confidence}: found a divergence, looking for a smaller one")
            result.failed = shrunk(played, play_and_count, policy, effort.seed)
            result.second_opinion = _second_opinion(implementation, policy, confidence)
            return result
    tell(f"{policy} with {confidence}: search")
    result.failed = search(play_and_count, policy, effort.examples, effort.rounds, effort.seed)
    if result.failed is not None:
        result.second_opinion = _second_opinion(implementation, policy, confidence)
    return result


def _second_opinion(implementation: Implementation, policy: str, confidence: str) -> Trace | None:
    """A game to the end; None if the program breaks or skips, since it has been judged already."""
    try:
        return record(distinguishing(policy), implementation, policy, confidence)
    except BrokenProgram:
        return None


def replay(implementation: Implementation, trace: Trace, strict: bool) -> SettingResult:
    """Plays the game that a trace records once more; raises `BrokenProgram`."""
    header = trace.header
    played = play(game_of_trace(trace), implementation, header.policy, header.confidence, strict)
    result = SettingResult(header.policy, header.confidence, 1, len(played.trace.rounds), played.ambiguous_rounds)
    result.skipped = played.skipped
    if played.divergence is not None:
        result.failed = played
    return result
