"""`bufalu conform`: does a program, in any language, implement what it declares?"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress, coloured, harmless, heard_on_terminal, say
from bufalu.commands.verdict_files import VerdictFiles, add_verdict_files
from bufalu.oracle.limits import LONG, MANY_ARMS
from bufalu.reference.confidence import confidence_named, interval_forms
from bufalu.reference.errors import BufaluError, InvalidTrace, UnusableFile
from bufalu.reference.policies import policy_forms, policy_named
from bufalu.reference.trace_files import JSON_LINES, read_trace, write_trace
from bufalu.reference.traces import Trace
from bufalu.reference.whole_files import check_writable

if TYPE_CHECKING:
    from bufalu.oracle.conformance import Conformance, Effort, SettingResult
    from bufalu.oracle.errors import BrokenProgram
    from bufalu.oracle.games import Played
    from bufalu.oracle.implementations import Introduction, ProgramUnderTest
    from bufalu.oracle.program import Program
    from bufalu.oracle.report import Report
    from bufalu.pages.outcome import Case, Outcome, Place

HELP = """\
Drive a program over stdin and stdout and judge every decision it makes.

The program answers one JSON object a line (docs/protocol.md): start, reset, decide, observe, stop. Each policy and
interval that it declares goes through stages: a smoke run, directed runs, one for each family of known bugs, epsilons
and rewards aimed at the comparisons, many arms, a search with shrinking, long runs. Exit code: 0 conforms, 1
nonconforming (the smallest counterexample is saved as a trace file), 2 bad usage, 3 the program is broken (crashed,
hung, answered garbage, skipped runs of what it declares). --junit, --sarif, --summary and --badge tell the verdict to
other tools besides (docs/ci.md)."""

EXAMPLE = """\
  bufalu conform -- node examples/bufalu.js
  bufalu conform --policy bufalu --confidence hoeffding --examples 500 -- ./my-bandit --stdio
  bufalu conform --replay counterexample.jsonl -- ./my-bandit --stdio"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `conform`."""
    parser.add_argument("program", metavar="COMMAND", nargs="+", help="the program and its arguments, after `--`")
    parser.add_argument("--policy", metavar="POLICY", type=options.policy_text, help="test only this policy")
    parser.add_argument(
        "--confidence", metavar="INTERVAL", type=options.interval_text, help="test only this interval"
    )
    parser.add_argument(
        "--examples", metavar="N", type=options.positive_integer, default=40, help="searched runs a setting (40)"
    )
    parser.add_argument(
        "--rounds", metavar="T", type=options.positive_integer, default=LONG, help=f"rounds of the long runs ({LONG})"
    )
    parser.add_argument(
        "--arms",
        metavar="K",
        type=options.positive_integer,
        default=max(MANY_ARMS),
        help=f"most arms; one run has so many ({max(MANY_ARMS)})",
    )
    options.add_seed(parser)
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=_seconds, default=10.0, help="how long an answer may take (10)"
    )
    parser.add_argument("--strict", action="store_true", help="accept only the decisions of exact arithmetic")
    parser.add_argument("--replay", metavar="TRACE", help="play the run of a saved counterexample, nothing else")
    parser.add_argument("--out", metavar="FILE", help="where a counterexample goes (counterexample.jsonl)")
    options.add_json(parser)
    add_verdict_files(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="print the dialogue on stderr")


_OF_A_REPLAY = frozenset(
    ("program", "replay", "policy", "confidence", "timeout", "junit", "sarif", "summary", "badge")
)
"""The arguments with a value that a replay uses; of policy and interval, those that the trace names."""


class WithoutEffect(BufaluError):
    """An option that would be ignored beside another one."""


@dataclass(frozen=True)
class _Failure:
    """A counterexample that was diagnosed and saved, in `path` if any place took it."""

    played: Played
    setting: SettingResult
    report: Report
    path: str | None
    commands: list[str]


@dataclass(frozen=True)
class _Judged:
    """How a run ended: conforming if there is neither a failure nor a problem."""

    introduction: Introduction | None
    conformance: Conformance
    failure: _Failure | None = None
    problem: BrokenProgram | None = None

    @property
    def code(self) -> int:
        """The exit code."""
        if self.problem is not None:
            return 3
        return 0 if self.failure is None else 1


def run(arguments: argparse.Namespace) -> int:
    """Runs the program, prints the verdict, and writes the files that were asked for."""
    if arguments.replay is not None:
        _refuse_options_of_a_search(arguments)
    files = VerdictFiles.of("bufalu conform", arguments)
    with files.refusals(shlex.join(arguments.program), _place(arguments.program)):
        judged = _judge(arguments)
    try:
        _tell(judged, arguments)
        sys.stdout.flush()
    finally:
        files.write(_outcome(judged, arguments))
    return judged.code


def _refuse_options_of_a_search(arguments: argparse.Namespace) -> None:
    ignored = sorted(f"--{name}" for name in arguments.given_options - _OF_A_REPLAY)
    if ignored:
        raise WithoutEffect(f"--replay plays the run of a trace and nothing else: leave out {', '.join(ignored)}")


def _replayed(arguments: argparse.Namespace) -> Trace:
    """The trace of --replay; raises `WithoutEffect` for a policy or an interval that is not the one of the trace."""
    trace = read_trace(arguments.replay)
    if not trace.rounds:
        raise InvalidTrace(arguments.replay, None, None, "no rounds: there is nothing to replay")
    policy, interval = trace.header.policy, trace.header.confidence
    # compared in their own text forms: dial:0.5 is dial:1/2
    if arguments.policy is not None and policy_named(arguments.policy).text != policy_named(policy).text:
        raise WithoutEffect(
            f"{arguments.replay} is a run of {policy}, which is what --replay plays: leave out --policy"
        )
    if (
        arguments.confidence is not None
        and confidence_named(arguments.confidence).text != confidence_named(interval).text
    ):
        raise WithoutEffect(
            f"{arguments.replay} is a run with {interval} intervals, which is what --replay plays: leave out --confidence"
        )
    return trace


def _judge(arguments: argparse.Namespace) -> _Judged:
    """Plays with the program; raises a `BufaluError` for what cannot be judged at all."""
    from bufalu.oracle.conformance import Conformance, Effort, replay
    from bufalu.oracle.errors import BrokenProgram
    from bufalu.oracle.implementations import ProgramUnderTest

    if arguments.policy is not None:
        policy_named(arguments.policy)
    if arguments.confidence is not None:
        confidence_named(arguments.confidence)
    recorded = None if arguments.replay is None else _replayed(arguments)
    if arguments.out is not None:
        # said before the work: a verdict is not to be lost for want of a place for its counterexample
        check_writable(arguments.out, JSON_LINES)
    effort = Effort(arguments.examples, arguments.rounds, arguments.arms, arguments.seed, arguments.strict)
    conformance = Conformance()
    introduction: Introduction | None = None
    again = False
    try:
        with _running(arguments, _listener(arguments.verbose)) as program:
            under_test = ProgramUnderTest(program)
            introduction = under_test.start()
            if recorded is None:
                _run_all(under_test, introduction, arguments, effort, conformance)
            else:
                conformance.settings.append(replay(under_test, recorded, arguments.strict))
            if not conformance.tested:
                hint = "probably the program's: it declares what it then skips, so that nothing was tested"
                raise BrokenProgram("skipped", "skipped every policy and interval", hint)
            if conformance.failed is None:
                under_test.stop()
            elif recorded is None:
                again = _diverges(under_test, conformance.failed.trace, arguments.strict)
    except BrokenProgram as problem:
        return _Judged(introduction, conformance, problem=problem)
    failed = conformance.failed
    if failed is None:
        return _Judged(introduction, conformance)
    stale = again and not _diverges_alone(arguments, failed.trace)
    return _Judged(introduction, conformance, _failure(failed, conformance, arguments, stale))


@contextmanager
def _running(arguments: argparse.Namespace, listener: Callable[[str], None] | None = None) -> Iterator[Program]:
    """The program under test; whichever way the block is left, a line on stderr names what could not be ended."""
    from bufalu.oracle.program import Program

    program = Program(arguments.program, arguments.timeout, listener)
    try:
        with program:
            yield program
    finally:
        if program.survivors:
            pids = ", ".join(map(str, program.survivors))
            say(f"bufalu conform: not all that the program started could be ended; still running: {pids}")


def _failure(failed: Played, conformance: Conformance, arguments: argparse.Namespace, stale: bool) -> _Failure:
    """The counterexample with its likely bugs, saved unless it was replayed from a file."""
    from bufalu.oracle.report import diagnosed, narrowed, with_stale_state

    setting = next(setting for setting in conformance.settings if setting.failed is failed)
    report = diagnosed(failed.checked, failed.trace, arguments.strict)
    report = with_stale_state(report) if stale else narrowed(report, setting.second_opinions)
    path = arguments.replay or _save(failed.trace, arguments.out)
    return _Failure(failed, setting, report, path, _replay_commands(path, arguments))


def _tell(judged: _Judged, arguments: argparse.Namespace) -> None:
    """Prints the verdict."""
    if judged.problem is not None:
        _tell_broken(judged.problem, judged.introduction, judged.conformance, arguments)
    elif judged.failure is not None:
        _tell_failure(judged.failure, judged.introduction, judged.conformance, arguments)
    else:
        _tell_conforming(judged.introduction, judged.conformance, arguments)


def _diverges(under_test: ProgramUnderTest, trace: Trace, strict: bool) -> bool:
    """Whether a program that was wrong in this run is wrong in it once more."""
    from bufalu.oracle.conformance import replay
    from bufalu.oracle.errors import BrokenProgram

    try:
        return replay(under_test, trace, strict).failed is not None
    except BrokenProgram:
        return False


def _diverges_alone(arguments: argparse.Namespace, trace: Trace) -> bool:
    """Whether a new process is wrong in this run too, or cannot play it at all."""
    from bufalu.oracle.conformance import replay
    from bufalu.oracle.errors import BrokenProgram
    from bufalu.oracle.implementations import ProgramUnderTest

    try:
        with _running(arguments) as program:
            under_test = ProgramUnderTest(program)
            under_test.start()
            return replay(under_test, trace, arguments.strict).verdict != "conforms"
    except BrokenProgram:
        return True


def _run_all(
    under_test: ProgramUnderTest,
    introduction: Introduction,
    arguments: argparse.Namespace,
    effort: Effort,
    conformance: Conformance,
) -> None:
    from bufalu.oracle.conformance import SettingRun, knows_interval, knows_policy, turns
    from bufalu.oracle.directed import Stage

    policies = _chosen("policy", introduction.policies, knows_policy, policy_forms(), arguments.policy)
    intervals = _chosen("confidence", introduction.confidence, knows_interval, interval_forms(), arguments.confidence)
    settings = {
        (policy, confidence): SettingRun(under_test, policy, confidence, effort)
        for policy in policies
        for confidence in intervals
    }
    conformance.settings += [running.result for running in settings.values()]
    done = 0
    with Progress(len(settings) * (len(Stage) - 1) + 1, "stages") as progress:

        def tell(text: str) -> None:
            progress.update(done, text)
            if not heard_on_terminal():
                say(text)

        for stage, running in turns(settings):
            running.play(stage, tell)
            done += 1
    if conformance.failed is not None:
        return
    for running in settings.values():
        running.result.finished = True


def _chosen(
    what: str, declared: tuple[str, ...], known: Callable[[str], bool], forms: tuple[str, ...], wanted: str | None
) -> list[str]:
    """The declared names to test; raises `UnusableCommand` if the wanted one is not among them, or none is known."""
    from bufalu.oracle.errors import BrokenProgram, UnusableCommand

    if wanted is not None and wanted not in declared:
        raise UnusableCommand(f"the program does not declare the {what} '{wanted}' (it has: {', '.join(declared)})")
    names = [name for name in declared if wanted in (None, name) and known(name)]
    if not names:
        hint = f"known names: {', '.join(forms)}"
        raise BrokenProgram("wrong answer", f"declares no known {what}: {', '.join(declared)}", hint)
    return names


def _tell_conforming(
    introduction: Introduction | None, conformance: Conformance, arguments: argparse.Namespace
) -> None:
    if arguments.json:
        print(json.dumps(_json("conforms", introduction, conformance), indent=2))
        return
    for setting in conformance.settings:
        print(_setting_line(setting))
    print(coloured(f"conforms: {_name(introduction)}{_reservations(conformance, arguments)}", "green"))


def _reservations(conformance: Conformance, arguments: argparse.Namespace) -> str:
    """What the verdict does not speak of: skipped settings and runs, arms and rounds that were not asked for."""
    told = []
    skipped = [setting for setting in conformance.settings if setting.skipped is not None]
    if skipped:
        told.append(f"{len(skipped)} of {len(conformance.settings)} settings skipped")
    runs = sum(setting.skipped_games for setting in conformance.settings)
    if runs:
        told.append(f"{runs} runs with a single arm skipped")
    told += [_rounding(conformance)] if _rounding(conformance) else []
    if arguments.arms < max(MANY_ARMS):
        told.append(f"judged with at most {arguments.arms} arms")
    if arguments.rounds < LONG:
        told.append(f"the long runs cut to {arguments.rounds} rounds")
    return f" ({', '.join(told)})" if told else ""


def _rounding(conformance: Conformance) -> str:
    """What a replay changed of the trace."""
    rounded = sum(setting.rounded_numbers for setting in conformance.settings)
    return f"{rounded} numbers of the trace rounded to doubles, in which a program is asked" if rounded else ""


def _tell_failure(
    failure: _Failure, introduction: Introduction | None, conformance: Conformance, arguments: argparse.Namespace
) -> None:
    if arguments.json:
        result = _json("nonconforming", introduction, conformance)
        told = failure.report.as_json()
        result |= {key: told[key] for key in ("first_divergence", "rounding", "likely_bugs")}
        result["found_by"] = None
        if failure.setting.failed_in is not None:
            stage, game = failure.setting.failed_in
            result["found_by"] = {"stage": stage.name.lower(), "run": game}
        trace = failure.played.trace
        result["counterexample"] = {
            "trace": failure.path,
            "policy": trace.header.policy,
            "confidence": trace.header.confidence,
            "arms": trace.header.arms,
            "rounds": len(trace.rounds),
            "replay": failure.commands,
        }
        print(json.dumps(result, indent=2))
        return
    _show(failure.report, introduction, failure.path, failure.commands)
    if _rounding(conformance):
        print(f"Played with {_rounding(conformance)}.")
    for line in _found_by(failure.setting):
        print(line)


def _found_by(setting: SettingResult) -> list[str]:
    if setting.failed_in is None:
        return []
    stage, game = setting.failed_in
    return [f"Found by the stage {stage.name.lower()} ({stage.value}), in the run '{game}'."]


def _show(report: Report, introduction: Introduction | None, path: str | None, commands: list[str]) -> None:
    first, *rest = report.lines()
    print(coloured(f"{first} ({_name(introduction)})", "red"))
    for line in rest:
        print(line)
    if path is not None:
        print(f"The counterexample is in {path}. To replay it:")
    for command in commands:
        print(f"  {command}")


def _tell_broken(
    problem: BrokenProgram,
    introduction: Introduction | None,
    conformance: Conformance,
    arguments: argparse.Namespace,
) -> None:
    if arguments.json:
        result = _json("broken", introduction, conformance)
        result["broken"] = {
            "reason": problem.reason,
            "message": problem.message,
            "fault": problem.hint,
            "request": problem.request,
            "stderr": problem.stderr,
        }
        print(json.dumps(result, indent=2))
        return
    first, *rest = _broken_lines(problem, introduction)
    print(coloured(first, "magenta"))
    for line in rest:
        print(line)


def _broken_lines(problem: BrokenProgram, introduction: Introduction | None) -> list[str]:
    lines = [f"broken: {_name(introduction)} {harmless(problem.message)}"]
    if problem.request is not None:
        lines.append(f"It was asked: {problem.request}")
    lines.append(f"Whose fault: {problem.hint}.")
    if problem.stderr.strip():
        lines.append("Its stderr ends with:")
        lines += [f"  {harmless(line)}" for line in problem.stderr.strip().splitlines()[-15:]]
    return lines


def _outcome(judged: _Judged, arguments: argparse.Namespace) -> Outcome:
    """The same for other tools: one case for each setting, and one for a program that is broken."""
    from bufalu.pages.outcome import Case, Outcome, Place, Verdict

    settings = judged.conformance.settings
    subject = shlex.join(arguments.program)
    name = _name(judged.introduction)
    place = _place(arguments.program)
    if judged.problem is not None:
        headline, *details = _broken_lines(judged.problem, judged.introduction)
        cases = (*map(_case, settings), Case("the program answers", Verdict.BROKEN, headline, tuple(details)))
        return Outcome("bufalu conform", subject, Verdict.BROKEN, headline, cases, place)
    if judged.failure is not None:
        failure = judged.failure
        headline, *details = failure.report.lines()
        told = (*details, *_found_by(failure.setting))
        cases = tuple(
            Case(_title(one), Verdict.NONCONFORMING, headline, told) if one is failure.setting else _case(one)
            for one in settings
        )
        # In what was saved the last round is the divergent one, below the header and the rounds before it.
        line = len(failure.played.trace.rounds) + 1 if arguments.replay is None else None
        witness = None if failure.path is None else Place(failure.path, line)
        headline = f"{headline} ({name})"
        again = tuple(failure.commands)
        return Outcome("bufalu conform", subject, Verdict.NONCONFORMING, headline, cases, place, witness, again)
    headline = f"conforms: {name}{_reservations(judged.conformance, arguments)}"
    return Outcome("bufalu conform", subject, Verdict.CONFORMS, headline, tuple(map(_case, settings)), place)


def _place(program: list[str]) -> Place:
    """The file that the program lies in: the first word of its command that names one, else the first word."""
    from bufalu.pages.outcome import Place

    return Place(next((word for word in program if os.path.isfile(word)), program[0]))


def _case(setting: SettingResult) -> Case:
    from bufalu.pages.outcome import Case, Verdict

    return Case(_title(setting), Verdict(setting.verdict), _setting_told(setting))


def _title(setting: SettingResult) -> str:
    return f"{setting.policy} with {setting.confidence}"


def _json(verdict: str, introduction: Introduction | None, conformance: Conformance) -> dict[str, object]:
    return {
        "verdict": verdict,
        "implementation": None
        if introduction is None
        else {"name": introduction.name, "language": introduction.language, "version": introduction.version},
        "rounds": sum(setting.rounds for setting in conformance.settings),
        "ambiguous_rounds": sum(setting.ambiguous_rounds for setting in conformance.settings),
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
            for setting in conformance.settings
        ],
    }


def _setting_line(setting: SettingResult) -> str:
    return f"  {setting.verdict:9} {_title(setting)}: {_setting_told(setting)}"


def _setting_told(setting: SettingResult) -> str:
    if setting.skipped is not None:
        return harmless(setting.skipped)
    left_out = (
        f", {setting.skipped_games} runs with a single arm skipped by the program" if setting.skipped_games else ""
    )
    return f"{setting.games} runs, {setting.rounds} rounds{left_out}"


def _save(trace: Trace, wanted: str | None) -> str | None:
    """Writes the counterexample; to the temporary folder if its place does not take it (any more). Gives where it is,
    None if no place takes it: the verdict stands without it.
    """
    for place in (wanted or "counterexample.jsonl", None):
        try:
            path = place or str(Path(tempfile.mkdtemp(prefix="bufalu-")) / "counterexample.jsonl")
            write_trace(path, trace)
        except (UnusableFile, OSError) as problem:
            say(f"bufalu conform: the counterexample was not saved: {problem}")
        else:
            return path
    return None


def _replay_commands(path: str | None, arguments: argparse.Namespace) -> list[str]:
    if path is None:
        return []
    further = " --strict" if arguments.strict else ""
    for option, value in (("--policy", arguments.policy), ("--confidence", arguments.confidence)):
        # what comes from a file of the user's own is known by its name only once that file is loaded
        if isinstance(value, options.Given):
            further += f" {option} {shlex.quote(value.given)}"
    return [
        f"bufalu conform --replay {shlex.quote(path)}{further} -- {shlex.join(arguments.program)}",
        f"bufalu check{further} {shlex.quote(path)}",
    ]


def _name(introduction: Introduction | None) -> str:
    return "the program" if introduction is None else harmless(f"{introduction.name} {introduction.version}")


def _listener(verbose: bool) -> Callable[[str], None] | None:
    return (lambda line: say(harmless(line))) if verbose else None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds between 0 and 86400")
    return seconds
