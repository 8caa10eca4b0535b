"""`bufalu conform` against programs that are right, wrong and broken."""

import argparse
import json
import select
import signal
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from bufalu.cli import Terminated, build_parser
from bufalu.oracle import program as programs
from bufalu.oracle.directed import Stage
from bufalu.oracle.implementations import ProgramUnderTest
from bufalu.oracle.processes import end_with_descendants
from bufalu.reference.trace_files import write_trace
from bufalu.reference.traces import TraceHeader
from tests import waiting
from tests.bufalu.runner import ROOT, bufalu_copy
from tests.bufalu.runner import bufalu as bufalu_run
from tests.oracle.misbehaving_program import misbehaving
from tests.oracle.runs import play, reference, rewards

QUICK = ("--examples", "3", "--rounds", "10", "--json")


def bufalu(*arguments: str, cwd: Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command, run in this process but for the program under test."""
    run = bufalu_run(*arguments, cwd=cwd)
    return run.returncode, run.stdout, run.stderr


def conform(cwd: Path, *program: str, options: tuple[str, ...] = QUICK) -> tuple[int, dict]:
    code, out, _ = bufalu("conform", *options, "--", *misbehaving(*program), cwd=cwd)
    return code, json.loads(out)


def test_a_behaviour_that_is_misspelt_is_no_right_program() -> None:
    with pytest.raises(ValueError, match="'mutant narrower-queried'"):
        misbehaving("mutant narrower-queried")
    misspelt = subprocess.run([*misbehaving("correct")[:2], "corect"], capture_output=True, text=True)
    assert misspelt.returncode != 0
    assert "no program behaves like 'corect'" in misspelt.stderr


def test_a_correct_program_conforms(tmp_path: Path) -> None:
    code, result = conform(tmp_path, "correct")
    assert (code, result["verdict"]) == (0, "conforms")
    assert [setting["verdict"] for setting in result["settings"]] == ["conforms"]
    assert result["first_divergence"] is None
    assert not list(tmp_path.iterdir())


def test_a_wrong_program_gets_a_minimal_counterexample_that_replays(tmp_path: Path) -> None:
    code, result = conform(tmp_path, "mutant", "narrower-queried")
    assert (code, result["verdict"]) == (1, "nonconforming")
    counterexample = result["counterexample"]
    assert counterexample["rounds"] == result["first_divergence"]["round"] <= 6
    assert {"round", "got", "admissible", "because"} <= result["first_divergence"].keys()
    assert "narrower-queried" in {bug["id"] for bug in result["likely_bugs"]}
    trace = str(tmp_path / counterexample["trace"])
    checked, text, _ = bufalu("check", "--json", trace, cwd=tmp_path)
    assert checked == 1
    assert json.loads(text)["first_divergence"]["round"] == result["first_divergence"]["round"]
    replayed, again = conform(tmp_path, "mutant", "narrower-queried", options=("--json", "--replay", trace))
    assert (replayed, again["first_divergence"]) == (1, result["first_divergence"])
    assert conform(tmp_path, "correct", options=("--json", "--replay", trace))[0] == 0


@pytest.mark.parametrize("bug", ["width-for-radius", "constant-two", "log-base-2", "log-of-previous-round"])
def test_a_second_run_tells_the_likely_bugs_apart(tmp_path: Path, bug: str) -> None:
    code, result = conform(tmp_path, "mutant", bug)
    assert code == 1
    assert [likely["id"] for likely in result["likely_bugs"]] == [bug]
    trace = tmp_path / result["counterexample"]["trace"]
    _, told, _ = bufalu("check", "--json", trace, cwd=tmp_path)
    assert [likely["id"] for likely in json.loads(told)["likely_bugs"]] == [bug]
    # That is what the counterexample carries; its few rounds alone do not tell.
    header, *rounds = trace.read_text().splitlines(keepends=True)
    assert json.loads(header)["finding"] == [bug]
    bare = {key: value for key, value in json.loads(header).items() if key != "finding"}
    trace.write_text(json.dumps(bare) + "\n" + "".join(rounds))
    _, alone, _ = bufalu("check", "--json", trace, cwd=tmp_path)
    assert len(json.loads(alone)["likely_bugs"]) > 1


def test_a_program_that_skips_a_single_arm_is_judged_by_the_other_runs(tmp_path: Path) -> None:
    code, result = conform(tmp_path, "skips-one-arm")
    assert (code, result["verdict"]) == (0, "conforms")
    (setting,) = result["settings"]
    assert setting["skipped"] is None
    assert setting["skipped_runs"] >= 1
    assert setting["runs"] > 10


def test_a_name_that_cannot_be_printed_is_escaped(tmp_path: Path) -> None:
    options = ("--examples", "1", "--rounds", "3", "--policy", "bufalu")
    program = ("--timeout", "600", "--", *misbehaving("odd-name"))
    finished = bufalu_copy("conform", *options, *program, cwd=tmp_path)
    assert finished.returncode == 0
    # A stage that takes long is told again, with what is left.
    told = dict.fromkeys(line.split(" ")[0] for line in finished.stderr.splitlines())
    assert list(told) == [stage.name.lower() for stage in Stage if stage is not Stage.LATE], (
        "it takes no late answers"
    )
    assert r"half \ud800 and \x1b[31mred" in finished.stdout


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("crashes", "crashed"),
        ("hangs", "timeout"),
        ("garbage", "garbage"),
        ("nan", "garbage"),
        ("twice", "garbage"),
        ("nested", "garbage"),
        ("endless", "garbage"),
        ("binary", "garbage"),
        ("chatty", "garbage"),
        ("list", "garbage"),
        ("error", "error"),
        ("arm-zero", "wrong answer"),
        ("arm-beyond", "wrong answer"),
        ("arm-text", "wrong answer"),
        ("arm-true", "wrong answer"),
        ("observes-wrongly", "wrong answer"),
        ("wrong-version", "wrong answer"),
        ("knows-nothing", "wrong answer"),
        ("skips", "skipped"),
        ("stops-badly", "crashed"),
        ("never-stops", "timeout"),
    ],
)
def test_broken_programs_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, behaviour: str, reason: str
) -> None:
    silent = tmp_path / "silent"
    if reason == "timeout":
        give_up_when(silent, monkeypatch)
    # Those that end badly play everything before.
    short = ("--arms", "2") if "stops" in behaviour else ()
    code, result = conform(tmp_path, behaviour, str(silent), options=(*QUICK, *short))
    assert silent.exists() == (reason == "timeout")
    assert (code, result["verdict"]) == (3, "broken")
    assert result["broken"]["reason"] == reason
    assert result["broken"]["fault"]
    if behaviour == "crashes":
        assert "a cry for help" in result["broken"]["stderr"]


def give_up_when(silent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for an answer is over as soon as a program says, by this file, that it will give none, and not before."""
    answered, ended = programs.answered_within, programs.ended_within

    def answers(source: int, _: float) -> bool:
        waiting.until(lambda: readable(source) or silent.exists())
        return readable(source) and answered(source, 0.0)

    def ends(process: subprocess.Popen[bytes], _: float) -> int | None:
        waiting.until(lambda: process.poll() is not None or silent.exists())
        return None if process.poll() is None else ended(process, 0.0)

    monkeypatch.setattr(programs, "answered_within", answers)
    monkeypatch.setattr(programs, "ended_within", ends)


def readable(source: int) -> bool:
    return bool(select.select([source], [], [], 0)[0])


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--",),
        ("--", "/nowhere/program"),
        ("--timeout", "-1", "--", "true"),
        ("--examples", "0", "--", "true"),
        ("--policy", "nonsense", "--", "true"),
        ("--replay", "/nowhere/trace.jsonl", "--", "true"),
    ],
)
def test_usage_errors(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    code, _, errors = bufalu("conform", *arguments, cwd=tmp_path)
    assert code == 2
    assert errors.count("bufalu conform:") == 1


def test_a_policy_that_the_program_does_not_declare_is_a_usage_error(tmp_path: Path) -> None:
    arguments = ("conform", "--policy", "greedy", "--", *misbehaving("correct"))
    code, _, errors = bufalu(*arguments, cwd=tmp_path)
    assert code == 2
    assert "does not declare" in errors


def test_verbose_prints_the_dialogue(tmp_path: Path) -> None:
    code, out, errors = bufalu("conform", "-v", "--", *misbehaving("arm-zero"), cwd=tmp_path)
    assert code == 3
    assert '> {"command": "start", "version": 1}' in errors
    assert "broken" in out


def test_the_exact_example_conforms_to_the_letter(tmp_path: Path) -> None:
    options = ("--policy", "bufalu", "--confidence", "hoeffding", "--examples", "5", "--rounds", "300", "--json")
    example = (sys.executable, str(ROOT / "examples" / "bufalu_program.py"))
    code, out, errors = bufalu("conform", "--strict", *options, "--", *example, cwd=tmp_path)
    assert code == 0, out + errors


@pytest.mark.long
@pytest.mark.parametrize("example", ["bufalu.c", "bufalu.js"])
def test_independent_implementations_conform_in_all_settings(tmp_path: Path, example: str) -> None:
    """Everything that the C and the JavaScript program declare: four policies and the dial, two intervals."""
    tool = "cc" if example == "bufalu.c" else "node"
    if which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    source = str(ROOT / "examples" / example)
    command = ["node", source]
    if tool == "cc":
        command = [str(tmp_path / "bufalu")]
        subprocess.run(["cc", "-O2", "-o", *command, source, "-lm"], check=True)
    options = ("--examples", "2", "--rounds", "30", "--arms", "8", "--json")
    code, out, errors = bufalu("conform", *options, "--", *command, cwd=tmp_path)
    assert code == 0, out + errors
    settings = json.loads(out)["settings"]
    assert {(setting["policy"], setting["confidence"]) for setting in settings} == {
        (policy, interval)
        for policy in ("bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2")
        for interval in ("hoeffding", "bernstein")
    }
    assert {setting["verdict"] for setting in settings} == {"conforms"}


def test_skipping_a_run_of_what_is_declared_is_broken(tmp_path: Path) -> None:
    code, result = conform(tmp_path, "skips-after-smoke")
    assert (code, result["verdict"]) == (3, "broken")
    assert result["broken"]["reason"] == "skipped"
    assert "which it declares" in result["broken"]["message"]


def test_a_program_for_few_arms_is_judged_with_few_arms(tmp_path: Path) -> None:
    options = ("--examples", "3", "--rounds", "10")
    code, out, _ = bufalu("conform", *options, "--arms", "3", "--", *misbehaving("skips-four-arms"), cwd=tmp_path)
    assert code == 0
    assert "judged with at most 3 arms, the long runs cut to 10 rounds" in out
    assert conform(tmp_path, "skips-four-arms")[0] == 3


@pytest.fixture
def one_arm(tmp_path: Path) -> str:
    """A trace of two rounds with one arm, which the policy queries once and never again."""
    path = tmp_path / "one-arm.jsonl"
    header = TraceHeader("bufalu", "hoeffding", 1, "zero")
    write_trace(str(path), play(reference(header), header, 2, rewards("bernoulli", 4)))
    return str(path)


def shell_program(second_query: str) -> tuple[str, ...]:
    """A program for `one_arm` that starts in no time; it is right if `second_query` is false."""
    about = '{"name": "sh", "language": "sh", "version": "0"}'
    return (
        "sh",
        "-c",
        f"""
        read start; echo '{{"version": 1, "implementation": {about}, "policies": ["bufalu"], "confidence": ["hoeffding"]}}'
        read reset; echo '{{"ok": true}}'
        read decide; echo '{{"arm": 1, "query": true}}'
        read observe; echo '{{"ok": true}}'
        read decide; echo '{{"arm": 1, "query": {second_query}}}'
        read next; case $next in *observe*) echo '{{"ok": true}}'; read stop;; esac
        """,
    )


@pytest.mark.parametrize(("second_query", "expected"), [("false", 0), ("true", 1), ("garbage", 3)])
def test_processes_that_could_not_be_ended_are_named_beside_the_verdict(
    tmp_path: Path, one_arm: str, monkeypatch: pytest.MonkeyPatch, second_query: str, expected: int
) -> None:
    leave_two_behind(monkeypatch)
    code, out, errors = bufalu("conform", "--replay", one_arm, "--", *shell_program(second_query), cwd=tmp_path)
    assert code == expected
    assert {0: "conforms: sh", 1: "nonconforming: ", 3: "broken: "}[expected] in out
    assert errors == STILL_RUNNING


@pytest.mark.parametrize("end", [KeyboardInterrupt(), Terminated(signal.SIGTERM)])
def test_processes_that_could_not_be_ended_are_named_after_a_signal(
    tmp_path: Path, one_arm: str, monkeypatch: pytest.MonkeyPatch, end: BaseException
) -> None:
    def ended(_: object) -> None:
        raise end

    leave_two_behind(monkeypatch)
    monkeypatch.setattr(ProgramUnderTest, "start", ended)
    code, out, errors = bufalu("conform", "--replay", one_arm, "--", *shell_program("false"), cwd=tmp_path)
    assert (code, out) == (128 + (end.number if isinstance(end, Terminated) else signal.SIGINT), "")
    assert errors.startswith(STILL_RUNNING)


def options_of_conform() -> dict[str, argparse.Action]:
    """Each option under its long name, as the parser has them."""
    (commands,) = [action.choices for action in build_parser(["conform"])._actions if action.dest == "command"]
    found = {action.option_strings[-1]: action for action in commands["conform"]._actions if action.option_strings}
    return {name: action for name, action in found.items() if name not in ("--help", "--replay")}


SAMPLES = {
    "--policy": "cbm-ucb",
    "--confidence": "bernstein",
    "--examples": "40",
    "--rounds": "7",
    "--arms": "3",
    "--seed": "0",
    "--timeout": "1e-6",
    "--out": "saved.jsonl",
    "--junit": "told.xml",
    "--sarif": "told.sarif",
    "--summary": "told.md",
    "--badge": "told.svg",
}
"""A value for each option that takes one: a replay that uses it cannot end as it does without it."""


@pytest.mark.parametrize("option", options_of_conform())
def test_an_option_changes_a_replay_or_is_refused_with_it(
    tmp_path: Path, one_arm: str, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    """The class: no option of `conform`, also none that is still to come, is silently ignored by --replay."""
    answered = programs.answered_within
    # On this clock every answer takes a second.
    monkeypatch.setattr(
        programs, "answered_within", lambda source, seconds: seconds > 1 and answered(source, seconds)
    )

    def ended(*given: str) -> tuple[int, str, str, set[str]]:
        replayed = bufalu("conform", "--replay", one_arm, *given, "--", *shell_program("true"), cwd=tmp_path)
        return *replayed, {path.name for path in tmp_path.iterdir()}

    plain = ended()
    given = ended(option, *([] if options_of_conform()[option].nargs == 0 else [SAMPLES[option]]))
    assert plain[0] == 1
    if given[0] == 2:
        _, out, errors, left = given
        assert (out, left) == ("", plain[3])
        assert errors.startswith("bufalu conform: ")
        assert errors.count("\n") == 1
        assert f"leave out {option}" in errors
    else:
        assert given != plain


def test_a_replay_refuses_exactly_what_it_does_not_use(tmp_path: Path, one_arm: str) -> None:
    search = {"--examples", "--rounds", "--arms", "--seed", "--out"}
    for option in search:
        code, _, errors = bufalu("conform", "--replay", one_arm, option, SAMPLES[option], "--", "true", cwd=tmp_path)
        assert (code, "nothing else: leave out" in errors) == (2, True)
    several = ("--seed", "1", "--arms", "2", "--replay", one_arm, "--", "true")
    assert "leave out --arms, --seed\n" in bufalu("conform", *several, cwd=tmp_path)[2]
    for option, value in (("--policy", "bufalu"), ("--confidence", "hoeffding"), ("--confidence", "hoeffding:1.5")):
        same = ("--replay", one_arm, option, value)
        assert bufalu("conform", *same, "--", *shell_program("false"), cwd=tmp_path)[0] == 0
        assert bufalu("conform", *same, "--", *shell_program("true"), cwd=tmp_path)[0] == 1


def test_what_replays_a_run_with_an_interval_of_ones_own_names_its_file(tmp_path: Path, one_arm: str) -> None:
    (tmp_path / "mine.py").write_text(
        "from bufalu import RadiusShape, RadiusTerm, ShapedInterval\n"
        "class Mine(ShapedInterval):\n"
        "    text = 'own-of-a-replay'\n"
        "    shape = RadiusShape((RadiusTerm(2),))\n"
    )
    trace = Path(one_arm)
    trace.write_text(trace.read_text().replace('"hoeffding"', '"own-of-a-replay"'))
    own = ("--confidence", "mine.py:Mine")
    code, out, _ = bufalu("conform", "--replay", one_arm, *own, "--", *shell_program("true"), cwd=tmp_path)
    assert code == 1
    assert f"bufalu conform --replay {one_arm} --confidence mine.py:Mine -- sh" in out
    assert f"bufalu check --confidence mine.py:Mine {one_arm}\n" in out


STILL_RUNNING = "bufalu conform: not all that the program started could be ended; still running: 4711, 4712\n"


def leave_two_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is ended, but two processes are said not to be."""

    def ended(process: subprocess.Popen[bytes], adopting: bool) -> tuple[int, ...]:
        assert end_with_descendants(process, adopting) == ()
        return (4711, 4712)

    monkeypatch.setattr(programs, "end_with_descendants", ended)


def test_state_that_survives_a_reset_is_named(tmp_path: Path) -> None:
    code, result = conform(tmp_path, "counts-on")
    assert code == 1
    assert [bug["id"] for bug in result["likely_bugs"]] == ["state-survives-reset"]


def test_epsilons_of_initial_rounds_are_sent_recorded_and_played_again(tmp_path: Path) -> None:
    code, result = conform(tmp_path, "epsilon-of-round-before")
    assert code == 1
    assert [bug["id"] for bug in result["likely_bugs"]] == ["epsilon-of-previous-round"]
    rounds = [
        json.loads(line) for line in Path(tmp_path / result["counterexample"]["trace"]).read_text().splitlines()
    ]
    assert all("epsilon" in played for played in rounds[1:])
