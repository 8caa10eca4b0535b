"""`.ci/setup`: a few lines on the screen, the rest in a log, and what was broken off does not look finished."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = """#!/bin/bash
echo "$@" >> calls
case "$2" in
  *version_info*) echo {version}; exit {too_old} ;;
  venv)
    if [ "$3" = --clear ]; then rm -rf .venv; fi
    mkdir -p .venv/bin; printf '#!/bin/bash\\necho "$@" >> calls\\n{pip}\\n' > .venv/bin/python; chmod +x .venv/bin/python ;;
esac
"""
"""A Python that makes an environment whose pip does what a test says."""


class SetUp:
    """A tree with the script and pins, and a Python that obeys."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        (tree / ".ci").mkdir()
        shutil.copy(ROOT / ".ci" / "setup", tree / ".ci" / "setup")
        (tree / "bufalu").mkdir()
        (tree / "bufalu" / "pins.txt").write_text("old==1\n")
        (tree / "pyproject.toml").write_text("")
        for old in ("bufalu/pins.txt", "pyproject.toml"):
            os.utime(tree / old, (1, 1))

    def run(
        self, what: str, pip: str = "echo words of pip", version: str = "3.11.7"
    ) -> subprocess.CompletedProcess[str]:
        with self.begun(what, pip, version) as process:
            out, errors = process.communicate()
        return subprocess.CompletedProcess([], process.returncode, out, errors)

    def begun(self, what: str, pip: str = "echo words of pip", version: str = "3.11.7") -> subprocess.Popen[str]:
        too_old = int(version.startswith("3.10"))
        (self.tree / "python").write_text(PYTHON.format(version=version, too_old=too_old, pip=pip))
        (self.tree / "python").chmod(0o755)
        (self.tree / "coqc").write_text("#!/bin/bash\necho 8.99.1 4.13.1\n")
        (self.tree / "coqc").chmod(0o755)
        (self.tree / "calls").write_text("")
        return subprocess.Popen(
            [str(self.tree / ".ci" / "setup"), what],
            env={"PYTHON": str(self.tree / "python"), "PATH": f"{self.tree}:/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def finished(self) -> set[str]:
        return {name for name in (".audit", ".installed") if (self.tree / ".venv" / name).exists()}

    def calls(self) -> str:
        return (self.tree / "calls").read_text()


@pytest.fixture
def setup(tmp_path: Path) -> SetUp:
    return SetUp(tmp_path)


def test_three_lines_are_said_and_the_rest_is_in_the_log(setup: SetUp) -> None:
    done = setup.run("audit")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 3
    assert "words of pip" in (setup.tree / ".setup.log").read_text()
    assert setup.finished() == {".audit"}
    assert "--editable .[proofs,experiments]" in setup.calls()


def test_the_tests_have_what_the_audit_needs(setup: SetUp) -> None:
    assert setup.run("tests", pip="echo $PIP_CONSTRAINT $PIP_BUILD_CONSTRAINT").returncode == 0
    assert setup.finished() == {".audit", ".installed"}
    assert ".[dev,proofs,experiments,studies,cluster]" in setup.calls()
    assert (setup.tree / ".setup.log").read_text() == 3 * "bufalu/pins.txt bufalu/pins.txt\n"
    assert setup.calls().splitlines()[-2:] == [".ci/bytecode", "-m pytest --collect-only -q"]


def test_tests_that_cannot_be_collected_keep_nobody_from_the_rest(setup: SetUp) -> None:
    done = setup.run("tests", pip='[ "$2" != pytest ]')
    assert done.returncode == 0 and setup.finished() == {".audit", ".installed"}
    setup.run("audit")
    assert "pytest" not in setup.calls()


def test_a_failure_names_the_log_and_shows_its_end(setup: SetUp) -> None:
    done = setup.run("audit", pip="for i in {1..30}; do echo line $i; done; echo no route to the index; exit 1")
    assert done.returncode == 1
    assert "FAILED. The last lines of .setup.log:" in done.stderr
    assert (
        done.stderr.endswith("  no route to the index\n")
        and "line 29" in done.stderr
        and "line 3\n" not in done.stderr
    )
    assert setup.finished() == set()


def test_a_machine_without_a_network_is_told_from_versions_that_do_not_fit(setup: SetUp) -> None:
    retries, no_fit = "echo WARNING: Retrying after connection broken by;", "echo ERROR: ResolutionImpossible;"
    done = setup.run("audit", pip=f"{retries} {no_fit} exit 1")
    assert done.stderr == (
        "set-up: FAILED: pip did not reach its index of packages (its words are in .setup.log): "
        "is there a network, or a proxy to name?\n"
    )
    got_through = f"{retries} echo Downloading numpy; {no_fit} exit 1"
    for other in (f"{no_fit} exit 1", got_through, f"{retries} echo no space left; exit 1"):
        shown = setup.run("audit", pip=other).stderr
        assert "network" not in shown and shown.splitlines()[-1] in (
            "  ERROR: ResolutionImpossible",
            "  no space left",
        )


def test_an_interruption_is_no_failure_to_read_about(setup: SetUp) -> None:
    done = setup.run("audit", pip="kill -INT 0")
    assert (done.returncode, done.stderr) == (130, "set-up: interrupted; the next one begins again\n")
    assert setup.finished() == set()


@pytest.mark.skipif(shutil.which("flock") is None, reason="the system has no command for locks")
@pytest.mark.parametrize(("first", "second"), [("tests", "audit"), ("audit", "tests"), ("tests", "tests")])
def test_of_two_at_once_one_waits_for_what_the_other_makes(setup: SetUp, first: str, second: str) -> None:
    os.mkfifo(setup.tree / "gate")
    with setup.begun(first, pip='if [ "$2" = pip ]; then read line < gate; fi') as one:
        assert [one.stdout.readline().split()[1] for _ in range(2)] == ["Python", "packages"]
        with setup.begun(second) as two:
            assert two.stdout.readline() == "set-up: waits for another one to end\n"
            (setup.tree / "gate").write_text("go\n")
            assert (one.wait(), two.wait()) == (0, 0)
            assert len(two.stdout.readlines()) == (3 if (first, second) == ("audit", "tests") else 1)
    assert setup.finished() == {".audit", ".installed"}


def test_a_folder_without_locks_is_set_up_all_the_same(setup: SetUp) -> None:
    (setup.tree / "flock").write_text("#!/bin/bash\necho flock: 9: No locks available >&2; exit 71\n")
    (setup.tree / "flock").chmod(0o755)
    done = setup.run("audit")
    assert (done.returncode, done.stderr, setup.finished()) == (0, "", {".audit"})
    assert "set-up: goes on alone: there are no locks in this folder\n" in done.stdout


@pytest.mark.parametrize("end", ["exit 1", "kill -9 $PPID"], ids=["failed", "killed"])
def test_what_was_broken_off_is_begun_with_nothing(setup: SetUp, end: str) -> None:
    assert setup.run("tests").returncode == 0
    (setup.tree / "bufalu" / "pins.txt").write_text("new==2\n")
    assert setup.run("audit", pip=end).returncode != 0
    assert setup.finished() == set()
    half = setup.tree / ".venv" / "half"
    half.touch()
    assert setup.run("audit").returncode == 0
    assert "venv --clear" in setup.calls() and not half.exists()


def test_a_finished_environment_is_built_on(setup: SetUp) -> None:
    setup.run("audit")
    (setup.tree / ".venv" / "kept").touch()
    assert setup.run("tests").returncode == 0
    assert (setup.tree / ".venv" / "kept").exists()
    assert setup.finished() == {".audit", ".installed"}


def test_an_old_python_is_refused_in_one_line(setup: SetUp) -> None:
    done = setup.run("audit", version="3.10.13")
    assert done.returncode == 1
    assert (
        "needs Python 3.11 or newer" in done.stderr and "is 3.10.13" in done.stderr and done.stderr.count("\n") == 1
    )
    assert not (setup.tree / ".venv").exists()


@pytest.mark.parametrize("script", [None, "echo SyntaxError: invalid syntax >&2; exit 1"], ids=["missing", "broken"])
def test_what_is_no_python_is_refused_in_one_line(setup: SetUp, script: str | None) -> None:
    python = setup.tree / "snake"
    if script is not None:
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o755)
    done = subprocess.run(
        [str(setup.tree / ".ci" / "setup"), "audit"],
        env={"PYTHON": str(python), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert f"{python} is no Python that starts" in done.stderr


def test_pins_are_written_without_the_old_ones(setup: SetUp) -> None:
    done = setup.run("pins", pip='if [ "$3" = freeze ]; then echo a==2; else echo "[$PIP_CONSTRAINT]"; fi')
    assert done.returncode == 0, done.stderr
    lines = (setup.tree / "bufalu" / "pins.txt").read_text().splitlines()
    assert lines[2:] == ["# coq==8.99.1", "a==2"]
    assert lines[:2] == (ROOT / "bufalu" / "pins.txt").read_text().splitlines()[:2]
    assert "[]" in (setup.tree / ".setup.log").read_text()
    assert "venv --clear" in setup.calls() and setup.finished() == {".audit", ".installed"}


def test_pins_that_cannot_be_had_leave_the_old_ones(setup: SetUp) -> None:
    assert setup.run("pins", pip='[ "$3" != freeze ]').returncode == 1
    assert (setup.tree / "bufalu" / "pins.txt").read_text() == "old==1\n"
    assert setup.finished() == set()
    refused = setup.run("pins", version="3.13.0")
    assert refused.returncode == 1 and "make pins PYTHON=python3.11" in refused.stderr
