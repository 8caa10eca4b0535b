"""A program judged from its start to its end: everything that it declares is played, and a failure is diagnosed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from bufalu.oracle.conformance import (
    Conformance,
    Effort,
    SettingResult,
    SettingRun,
    knows_interval,
    knows_policy,
    replay,
    turns,
)
from bufalu.oracle.diagnosis import narrowed, with_stale_state
from bufalu.oracle.directed import Stage
from bufalu.oracle.errors import BrokenProgram, UnusableCommand
from bufalu.oracle.games import FinishedGame
from bufalu.oracle.implementations import Introduction, ProgramUnderTest
from bufalu.oracle.program import Program
from bufalu.oracle.report import Report, diagnosed
from bufalu.reference.confidence import KNOWN_INTERVALS
from bufalu.reference.policies import KNOWN_POLICIES, policy_named
from bufalu.reference.traces import Trace

Running = Callable[[], AbstractContextManager[Program]]
"""Starts the program, a new process at each call."""

Heard = Callable[[int, int, str], None]
"""Hears how many stages are done, of how many, and what is played now."""

_Play = Callable[[ProgramUnderTest, Introduction, Conformance], None]


@dataclass(frozen=True)
class Failure:
    """A counterexample, the setting that it was found in, and its diagnosis."""

    played: FinishedGame
    setting: SettingResult
    report: Report


@dataclass(frozen=True)
class Judgement:
    """How a run ended: conforming if there is neither a failure nor a problem. No introduction: it never came to one."""

    introduction: Introduction | None
    conformance: Conformance
    failure: Failure | None = None
    problem: BrokenProgram | None = None


def judge_program(
    running: Running, policy: str | None, confidence: str | None, effort: Effort, heard: Heard
) -> Judgement:
    """Plays everything that a program declares, or the chosen policy or interval alone, until something fails.

    Raises `UnusableCommand` for a choice that the program does not declare, and for a program that cannot be started.
    """

    def play(under_test: ProgramUnderTest, introduction: Introduction, conformance: Conformance) -> None:
        policies = _chosen("policy", introduction.policies, knows_policy, KNOWN_POLICIES.forms, policy)
        intervals = _chosen("confidence", introduction.confidence, knows_interval, KNOWN_INTERVALS.forms, confidence)
        settings = {
            (rule, interval): SettingRun(under_test, rule, interval, effort)
            for rule in policies
            for interval in (intervals if policy_named(rule).uses_interval else intervals[:1])
        }
        conformance.settings += [setting.result for setting in settings.values()]
        stages = len(settings) * (len(Stage) - (1 if introduction.late else 2)) + 1
        for done, (stage, setting) in enumerate(turns(settings)):
            setting.play(stage, partial(heard, done, stages))
        if conformance.failed is None:
            for setting in settings.values():
                setting.result.finished = True

    return _judged(running, play, effort.strict, searched=True)


def judge_replay(running: Running, trace: Trace, strict: bool) -> Judgement:
    """Plays the run that a trace records, and nothing else; raises `UnusableCommand` for what cannot be started."""

    def play(under_test: ProgramUnderTest, _: Introduction, conformance: Conformance) -> None:
        conformance.settings.append(replay(under_test, trace, strict))

    return _judged(running, play, strict, searched=False)


def _judged(running: Running, play: _Play, strict: bool, *, searched: bool) -> Judgement:
    conformance = Conformance()
    introduction: Introduction | None = None
    again = False
    try:
        with running() as program:
            under_test = ProgramUnderTest(program)
            introduction = under_test.start()
            play(under_test, introduction, conformance)
            if not conformance.tested:
                hint = "probably the program's: it declares what it then skips, so that nothing was tested"
                raise BrokenProgram("skipped", "skipped every policy and interval", hint)
            if conformance.failed is None:
                under_test.stop()
            elif searched:
                again = _diverges(under_test, conformance.failed.trace, strict)
    except BrokenProgram as problem:
        return Judgement(introduction, conformance, problem=problem)
    failed = conformance.failed
    if failed is None:
        return Judgement(introduction, conformance)
    stale = again and not _diverges_alone(running, failed.trace, strict)
    return Judgement(introduction, conformance, _failure(failed, conformance, strict, stale))


def _failure(failed: FinishedGame, conformance: Conformance, strict: bool, stale: bool) -> Failure:
    """The counterexample with its likely bugs."""
    setting = next(setting for setting in conformance.settings if setting.failed is failed)
    report = diagnosed(failed.checked, failed.trace, strict)
    return Failure(failed, setting, with_stale_state(report) if stale else narrowed(report, setting.second_opinions))


def _diverges(under_test: ProgramUnderTest, trace: Trace, strict: bool) -> bool:
    """Whether a program that was wrong in this run is wrong in it once more."""
    try:
        return replay(under_test, trace, strict).failed is not None
    except BrokenProgram:
        return False


def _diverges_alone(running: Running, trace: Trace, strict: bool) -> bool:
    """Whether a new process is wrong in this run too, or cannot play it at all."""
    try:
        with running() as program:
            under_test = ProgramUnderTest(program)
            under_test.start()
            return replay(under_test, trace, strict).verdict != "conforms"
    except BrokenProgram:
        return True


def _chosen(
    what: str, declared: tuple[str, ...], known: Callable[[str], bool], forms: tuple[str, ...], wanted: str | None
) -> list[str]:
    """The declared names to test; raises `UnusableCommand` if the wanted one is not among them, or none is known."""
    if wanted is not None and wanted not in declared:
        raise UnusableCommand(f"the program does not declare the {what} '{wanted}' (it has: {', '.join(declared)})")
    names = [name for name in declared if wanted in (None, name) and known(name)]
    if not names:
        hint = f"known names: {', '.join(forms)}"
        raise BrokenProgram("wrong answer", f"declares no known {what}: {', '.join(declared)}", hint)
    return names
