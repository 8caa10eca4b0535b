"""For Python projects: the conformance games as a test class in your own test run.

    from bufalu.testing import conformance

    TestMyBandit = conformance(lambda arms: MyBandit(arms), policy="bufalu", confidence="hoeffding")

pytest collects `TestMyBandit` like any other class: a smoke test, one test for each directed game, and a Hypothesis
search that shrinks. The factory's objects need `decide(round, epsilon) -> (arm, query)`, arms and rounds from 1, and
`observe(reward)`, which is called only after a decision that queried. With `late=True` there are games with late answers too,
for which they need `later()` and `observe(reward, round)`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from types import CodeType, FrameType, FunctionType, TracebackType

from hypothesis import HealthCheck, Phase, given, settings

from bufalu.oracle.diagnosis import LikelyBug, narrowed
from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.errors import BrokenProgram, UnusableCommand
from bufalu.oracle.games import FinishedGame, Game, play, record
from bufalu.oracle.implementations import FactoryUnderTest, LiveObject
from bufalu.oracle.limits import LONG, MANY_ARMS
from bufalu.oracle.report import Report, diagnosed
from bufalu.oracle.search import SEARCHED_ROUNDS, scripts
from bufalu.oracle.second_opinions import distinguishing
from bufalu.pages.trace_outcome import report_lines
from bufalu.reference import arguments
from bufalu.reference.arguments import IntervalLike, PolicyLike
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import CountLike, truth_value, whole_number
from bufalu.reference.schedules import callable_with
from bufalu.reference.state import MOST_ARMS
from bufalu.reference.traces import Trace

__all__ = ["Nonconforming", "conformance"]

_MOST_ARMS_PLAYED = max(MANY_ARMS)
_ENOUGH_FAILURES = 3
"""How many failing games are compared to tell the likely bug."""


class Nonconforming(AssertionError):
    """A decision that no tie-break gives; the message is the argument that `bufalu check` would print.

    The argument is made when somebody reads it: of the hundred failures of a search, the smallest alone is read.
    """

    def __init__(self, argument: Callable[[], str]) -> None:
        super().__init__()
        self._told = cache(argument)

    def __str__(self) -> str:
        return self._told()

    def __reduce__(self) -> tuple[Callable[[str], Nonconforming], tuple[str]]:
        return _already_told, (str(self),)


def _already_told(text: str) -> Nonconforming:
    return Nonconforming(lambda: text)


def conformance(
    factory: Callable[[int], LiveObject],
    policy: PolicyLike = "bufalu",
    confidence: IntervalLike = "hoeffding",
    *,
    strict: bool = False,
    rounds: CountLike = LONG,
    arms: CountLike = _MOST_ARMS_PLAYED,
    late: bool = False,
) -> type:
    """A test class for objects made by `factory(arms)`; raises `UnknownName` for a policy or interval that is none.

    By default, what doubles cannot tell apart is accepted either way; `strict` accepts only exact arithmetic. The long
    games have so many rounds, and no game has more arms. With `late`, answers also come late or never. A failure points at
    the line that called this function, or at the line of your own code that raised.
    """
    if not inspect.isclass(factory):
        callable_with(factory, 1, "factory", UnusableCommand)
    rule, interval = arguments.policy(policy).text, arguments.interval(confidence).text
    policy_named(rule), confidence_named(interval)  # an object plays under its name, which must be known
    suite = _Suite(factory, rule, interval, truth_value(strict, "strict"))
    scope = Scope(
        whole_number(rounds, "rounds", 1), whole_number(arms, "arms", 1, MOST_ARMS), truth_value(late, "late")
    )
    place = _caller(inspect.currentframe())

    def directed_test(title: str, played: Sequence[Game]) -> FunctionType:
        test = _placed(lambda self: suite.run_all(played), place)
        test.__doc__ = f"Directed game: {title}."
        return test

    search = _placed(lambda self, script: suite.run(script.game()), place)
    search.__name__ = search.__qualname__ = "test_search"
    search.__doc__ = "A Hypothesis search over small games."
    drawn = given(script=scripts(rule, min(scope.rounds, SEARCHED_ROUNDS), scope.arms))(search)
    quiet = settings(
        deadline=None,
        # Which of our lines a failing game ran explains nothing to anybody.
        phases=[phase for phase in Phase if phase is not Phase.explain],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
    )

    members: dict[str, object] = {"test_search": quiet(drawn), "__doc__": f"{rule} with {interval} intervals."}
    for stage in Stage:
        played = games(stage, rule, interval, scope)
        if stage in (Stage.ROLES, Stage.SIZES):  # dozens of games that are after one thing
            members[f"test_{stage.name.lower()}"] = directed_test(stage.value, played)
        elif stage is not Stage.ENDURANCE:
            for game in played:
                members[f"test_{re.sub('[^a-z0-9]+', '_', game.name)}"] = directed_test(game.name, (game,))
    return type("Conformance", (), members)


class _Suite:
    """Plays games with new objects of one factory, and tells what is wrong."""

    def __init__(self, factory: Callable[[int], LiveObject], policy: str, confidence: str, strict: bool) -> None:
        self._factory = factory
        self._policy = policy
        self._confidence = confidence
        self._strict = strict
        self._common_bugs = cache(self._find_common_bugs)
        self._opinions = cache(self._find_opinions)

    def run_all(self, played: Sequence[Game]) -> None:
        """Plays games one after the other, until one fails."""
        __tracebackhide__ = True
        for game in played:
            self.run(game)

    def run(self, game: Game) -> None:
        """Plays a game; raises `Nonconforming`, or what the user's code raised, from where it raised it."""
        __tracebackhide__ = True
        try:
            under_test = FactoryUnderTest(self._factory, takes_late=game.delay is not None)
            played = play(game, under_test, self._policy, self._confidence, self._strict)
        except BrokenProgram as problem:
            raise _already_told(f"{problem.message}\nHint: {problem.hint}\n{self._where()}") from None
        except Exception as problem:
            raise problem.with_traceback(_users_part(problem.__traceback__)) from None
        if played.divergence is None:
            return
        where = self._where()
        raise Nonconforming(lambda: "\n".join([*report_lines(self._report(played)), where]))

    def _report(self, played: FinishedGame) -> Report:
        """What is wrong with a game that failed, and the likely bugs."""
        report = diagnosed(played.checked, played.trace, self._strict)
        ids = {bug.known.id for bug in report.bugs}
        told = tuple(bug for bug in self._common_bugs() if bug.known.id in ids)
        return replace(report, bugs=told) if told else narrowed(report, self._opinions())

    def _find_common_bugs(self) -> tuple[LikelyBug, ...]:
        """The known bugs that explain a fixed choice of games: whichever game fails, the same are told."""
        failures: list[Report] = []
        for stage in (Stage.SMOKE, Stage.DIRECTED):
            for game in games(stage, self._policy, self._confidence, Scope()):
                if len(failures) == _ENOUGH_FAILURES:
                    break
                try:
                    played = play(game, FactoryUnderTest(self._factory), self._policy, self._confidence, self._strict)
                except Exception:  # told by its own test
                    continue
                if played.divergence is not None:
                    failures.append(diagnosed(played.checked, played.trace, self._strict))
        if not failures:
            return ()
        seen = [{bug.known.id for bug in failure.bugs} for failure in failures]
        common = tuple(bug for bug in failures[0].bugs if all(bug.known.id in ids for ids in seen))
        return narrowed(replace(failures[0], bugs=common), self._opinions()).bugs

    def _find_opinions(self) -> tuple[Trace, ...]:
        """What the objects do in the games that tell wrong figures apart."""
        others = []
        for game in distinguishing(self._policy, self._confidence):
            try:
                trace = record(game, FactoryUnderTest(self._factory), self._policy, self._confidence)
            except Exception:  # told by the test of a game
                continue
            if trace is not None:
                others.append(trace)
        return tuple(others)

    def _where(self) -> str:
        """Where the user's `decide` is."""
        decide = getattr(type(self._factory(2)), "decide", None)
        code = getattr(inspect.unwrap(decide), "__code__", None) if callable(decide) else None
        if not isinstance(code, CodeType):
            return ""
        return f"decide: {code.co_filename}:{code.co_firstlineno}"


def _caller(frame: FrameType | None) -> tuple[str, int]:
    """File and line of the call of the function whose frame is given."""
    caller = None if frame is None else frame.f_back
    return (__file__, 1) if caller is None else (caller.f_code.co_filename, caller.f_lineno)


def _placed(test: Callable[..., None], place: tuple[str, int]) -> FunctionType:
    """The test as if it stood at the given file and line: there a failure points, and not at this file."""
    assert isinstance(test, FunctionType)
    test.__code__ = test.__code__.replace(co_filename=place[0], co_firstlineno=place[1], co_name="conformance")
    return test


def _users_part(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback without its frames in this package, all of it if nothing else is left."""
    part = traceback
    while part is not None and _is_ours(part):
        part = part.tb_next
    return part or traceback


def _is_ours(part: TracebackType) -> bool:
    return str(part.tb_frame.f_globals.get("__name__")).partition(".")[0] == "bufalu"
