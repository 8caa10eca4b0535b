"""The outcome of `bufalu conform`: a program that conforms, fails with a counterexample, or is broken."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace

from bufalu.oracle.conformance import Conformance, Effort, SettingResult
from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.judging import Failure, Judgement
from bufalu.oracle.limits import LONG, MANY_ARMS
from bufalu.pages.outcome import Case, Ending, FilePlace, Outcome
from bufalu.pages.text import Span, harmless, headed, line
from bufalu.pages.trace_outcome import report_document, report_lines
from bufalu.reference.policies import named_with

_STDERR_LINES = 15
"""How much is shown of what a broken program wrote to stderr."""


def program_outcome(
    judged: Judgement, program: Sequence[str], effort: Effort, witness: FilePlace | None, again: Sequence[str]
) -> Outcome:
    """One case for each setting, and one for a program that is broken.

    `witness` is where the counterexample was saved or replayed from, `again` are the commands that show it.
    """
    found = Outcome(
        "bufalu conform",
        shlex.join(program),
        Ending.CONFORMS,
        f"conforms: {_name(judged)}{_reservations(judged.conformance, effort)}",
        tuple(map(_case, judged.conformance.settings)),
        place_of(program),
    )
    if judged.problem is not None:
        return _broken(found, judged, judged.problem)
    if judged.failure is not None:
        return _nonconforming(found, judged, judged.failure, witness, tuple(again))
    settings = (line(f"  {one.verdict:9} {_title(one)}: {_setting_told(one)}") for one in judged.conformance.settings)
    return replace(
        found, lines=(*settings, line(Span(found.headline, "green"))), document=_document("conforms", judged)
    )


def place_of(program: Sequence[str]) -> FilePlace:
    """The file that the program lies in: the first word of its command that names one, else the first word."""
    return FilePlace(next((word for word in program if os.path.isfile(word)), program[0]))


def _nonconforming(
    found: Outcome, judged: Judgement, failure: Failure, witness: FilePlace | None, again: tuple[str, ...]
) -> Outcome:
    first, *argument = report_lines(failure.report)
    found_by = _found_by(failure.setting)
    headline = f"{first} ({_name(judged)})"
    told = [headline, *argument]
    if witness is not None:
        told.append(f"The counterexample is in {witness.path}. To replay it:")
    told += [f"  {command}" for command in again]
    if rounding := _rounding(judged.conformance):
        told.append(f"Played with {rounding}.")
    return replace(
        found,
        verdict=Ending.NONCONFORMING,
        headline=headline,
        cases=tuple(
            Case(_title(one), Ending.NONCONFORMING, first, (*argument, *found_by))
            if one is failure.setting
            else _case(one)
            for one in judged.conformance.settings
        ),
        witness=witness,
        again=again,
        lines=headed([*told, *found_by], "red"),
        document=_document("nonconforming", judged) | _failure_document(failure, witness, again),
    )


def _failure_document(failure: Failure, witness: FilePlace | None, again: tuple[str, ...]) -> dict[str, object]:
    told = report_document(failure.report)
    found_by = None
    if failure.setting.failed_in is not None:
        stage, game = failure.setting.failed_in
        found_by = {"stage": stage.name.lower(), "run": game}
    trace = failure.played.trace
    return {key: told[key] for key in ("first_divergence", "rounding", "likely_bugs")} | {
        "found_by": found_by,
        "counterexample": {
            "trace": None if witness is None else witness.path,
            "policy": trace.header.policy,
            "confidence": trace.header.confidence,
            "arms": trace.header.arms,
            "rounds": len(trace.rounds),
            "replay": list(again),
        },
    }


def _found_by(setting: SettingResult) -> list[str]:
    if setting.failed_in is None:
        return []
    stage, game = setting.failed_in
    return [f"Found by the stage {stage.name.lower()} ({stage.value}), in the run '{game}'."]


def _broken(found: Outcome, judged: Judgement, problem: BrokenProgram) -> Outcome:
    told = [f"broken: {_name(judged)} {harmless(problem.message)}"]
    if problem.request is not None:
        told.append(f"It was asked: {problem.request}")
    told.append(f"Whose fault: {problem.hint}.")
    if problem.stderr.strip():
        told.append("Its stderr ends with:")
        told += [f"  {harmless(text)}" for text in problem.stderr.strip().splitlines()[-_STDERR_LINES:]]
    headline, *details = told
    broken = {
        "reason": problem.reason,
        "message": problem.message,
        "fault": problem.hint,
        "request": problem.request,
        "stderr": problem.stderr,
    }
    return replace(
        found,
        verdict=Ending.BROKEN,
        headline=headline,
        cases=(*found.cases, Case("the program answers", Ending.BROKEN, headline, tuple(details))),
        lines=headed(told, "magenta"),
        document=_document("broken", judged) | {"broken": broken},
    )


def _document(verdict: str, judged: Judgement) -> dict[str, object]:
    introduction, settings = judged.introduction, judged.conformance.settings
    return {
        "verdict": verdict,
        "implementation": None
        if introduction is None
        else {"name": introduction.name, "language": introduction.language, "version": introduction.version},
        "rounds": sum(setting.rounds for setting in settings),
        "ambiguous_rounds": sum(setting.ambiguous_rounds for setting in settings),
        "first_divergence": None,
        "settings": [
            {
                "policy": setting.policy,
                "confidence": setting.confidence,
                "verdict": setting.verdict,
                "runs": setting.games,
                "stages": {stage.name.lower(): runs for stage, runs in setting.played.items()},
                "rounds": setting.rounds,
                "skipped": setting.skipped,
                "skipped_runs": setting.skipped_games,
                "rounded_numbers": setting.rounded_numbers,
            }
            for setting in settings
        ],
    }


def _reservations(conformance: Conformance, effort: Effort) -> str:
    """What the verdict does not speak of: skipped settings and runs, arms and rounds that were not asked for."""
    told = []
    skipped = [setting for setting in conformance.settings if setting.skipped is not None]
    if skipped:
        told.append(f"{len(skipped)} of {len(conformance.settings)} settings skipped")
    if runs := sum(setting.skipped_games for setting in conformance.settings):
        told.append(f"{runs} runs with a single arm skipped")
    if rounding := _rounding(conformance):
        told.append(rounding)
    if effort.arms < max(MANY_ARMS):
        told.append(f"judged with at most {effort.arms} arms")
    if effort.rounds < LONG:
        told.append(f"the long runs cut to {effort.rounds} rounds")
    return f" ({', '.join(told)})" if told else ""


def _rounding(conformance: Conformance) -> str:
    """What a replay changed of the trace."""
    rounded = sum(setting.rounded_numbers for setting in conformance.settings)
    return f"{rounded} numbers of the trace rounded to doubles, in which a program is asked" if rounded else ""


def _case(setting: SettingResult) -> Case:
    return Case(_title(setting), Ending(setting.verdict), _setting_told(setting))


def _title(setting: SettingResult) -> str:
    return named_with(setting.policy, setting.confidence)


def _setting_told(setting: SettingResult) -> str:
    if setting.skipped is not None:
        return harmless(setting.skipped)
    skipped = setting.skipped_games
    left_out = f", {skipped} runs with a single arm skipped by the program" if skipped else ""
    return f"{setting.games} runs, {setting.rounds} rounds{left_out}"


def _name(judged: Judgement) -> str:
    introduction = judged.introduction
    return "the program" if introduction is None else harmless(f"{introduction.name} {introduction.version}")
