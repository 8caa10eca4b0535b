"""Runs the fenced blocks of a document in order, in one folder: Python in one namespace, commands in a shell.

- `python`: executed. A `text` block right after it is what it prints.
- `console`: every line that starts with `$ ` is a command for the real command line, the lines below are its output. The
  fence may say `exit 1`; otherwise the commands must succeed.
- A line of output that is `...` stands for any lines, and `...` inside a line for any characters.
- A fence that says `not run: REASON` is not run.
- Any language with `file=NAME` is written to that file, for later commands.
- `text`, `json`, `csv`, `bibtex` are only shown. Every block names its language.
- `javascript` and `yaml`, and what needs a library that is not ours, are left to the test in `RUN_ELSEWHERE` that cuts them
  out of their page.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.bufalu.runner import SURROUNDINGS, bufalu, bufalu_copy
from tests.docs.fences import Fence, fences

ROOT = Path(__file__).resolve().parents[2]
SHOWN = frozenset({"text", "json", "jsonl", "bibtex", "csv", "math"})
RUN_ELSEWHERE = {
    "docs/tutorial-conformance.md": "tests/bufalu/test_tutorial.py",
    "docs/ci.md": "tests/docs/test_ci_page.py",
    "docs/wild.md": "tests/docs/test_wild.py",
}
PROGRAMS = ("bufalu", "python", "node", "bash")
NOT_RUN = "not run:"
NEEDS_A_SHELL = re.compile(r"[|<>;&$*#~]")
"""What a shell does for a command."""
OWN_CODE = re.compile(r"[.]py\b")
"""A file with code of the reader's own."""
PROGRESS = re.compile(r"^.*[0-9]/s(  [0-9,]+ s left)?\n", re.MULTILINE)
"""What stderr says of the work while it is done, and only where that takes long: no document shows it."""


class SnippetFailed(AssertionError):
    pass


def run_document(name: str, text: str, folder: Path) -> int:
    """Runs what can be run and returns how many blocks were; `folder` is the current directory of all of them."""
    blocks = fences(text)
    namespace: dict[str, object] = {"__name__": "__snippet__"}
    ran = 0
    before = os.getcwd()
    os.chdir(folder)
    try:
        for position, block in enumerate(blocks):
            place = f"{name}:{block.line}"
            if block.remark.startswith(NOT_RUN):
                if len(block.remark) <= len(NOT_RUN) + 3:
                    raise SnippetFailed(f"{place}: no reason is given why this is not run")
                if name in RUN_ELSEWHERE:
                    check_run_elsewhere(name, place)
            elif block.remark.startswith("file="):
                (folder / block.remark.removeprefix("file=")).write_text(block.text)
            elif block.language == "python":
                run_python(block, place, namespace, printed_after(text, blocks, position))
                ran += 1
            elif block.language == "console":
                run_console(block, place, folder)
                ran += 1
            elif block.language in ("javascript", "yaml") and name in RUN_ELSEWHERE:
                check_run_elsewhere(name, place)
            elif block.language not in SHOWN:
                raise SnippetFailed(f"{place}: a block of '{block.language}' is neither run nor explained")
    finally:
        os.chdir(before)
    return ran


def check_run_elsewhere(name: str, place: str) -> None:
    if Path(name).name not in (ROOT / RUN_ELSEWHERE[name]).read_text():
        raise SnippetFailed(f"{place}: {RUN_ELSEWHERE[name]} does not run this page")


def printed_after(text: str, blocks: list[Fence], position: int) -> str | None:
    """The `text` block that directly follows block number `position`: what it prints."""
    if position + 1 == len(blocks) or blocks[position + 1].language != "text":
        return None
    block, following = blocks[position], blocks[position + 1]
    end = block.line + block.text.count("\n") + 1
    between = text.splitlines()[end - 1 : following.line - 2]
    return following.text if not "".join(between).strip() else None


def run_python(block: Fence, place: str, namespace: dict[str, object], expected: str | None) -> None:
    out = io.StringIO()
    # Blank lines in front make the traceback show the line of the document.
    code = compile("\n" * (block.line - 1) + block.text, place.split(":", maxsplit=1)[0], "exec")
    with contextlib.redirect_stdout(out):
        exec(code, namespace)
    if expected is not None:
        compare(expected, out.getvalue(), place)


def run_console(block: Fence, place: str, folder: Path) -> None:
    code = int(block.remark.removeprefix("exit ")) if block.remark.startswith("exit ") else 0
    for command, expected in commands(block.text):
        program = command.split()[0]
        if program not in PROGRAMS:
            raise SnippetFailed(f"{place}: '{program}' is not run; say `not run: REASON` in the fence")
        run = run_command(command, folder)
        if run.returncode != code:
            raise SnippetFailed(f"{place}: `{command}` gave {run.returncode}, not {code}\n{run.stdout}{run.stderr}")
        if expected.strip():
            compare(expected, run.stdout + PROGRESS.sub("", run.stderr), f"{place}: `{command}`")


def run_command(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A command of ours runs in this process, or in a copy if it brings code along that it would leave behind."""
    program, *arguments = shlex.split(command.replace("\\\n", " "))
    if program == "bufalu" and not NEEDS_A_SHELL.search(command):
        run = bufalu_copy if OWN_CODE.search(command) else bufalu
        return run(*arguments, cwd=folder, environment=SURROUNDINGS | {"NO_COLOR": "1"})
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
    )


def commands(text: str) -> list[tuple[str, str]]:
    """The commands of a console block with their expected output; a command may go on after a backslash."""
    found: list[tuple[str, str]] = []
    going_on = False
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif going_on:
            found[-1] = (found[-1][0] + line, "")
        else:
            found[-1] = (found[-1][0], found[-1][1] + line)
        going_on = line.rstrip().endswith("\\") and not found[-1][1]
    return [(command.strip(), expected) for command, expected in found]


def compare(expected: str, actual: str, place: str) -> None:
    lines = [line.rstrip() for line in expected.strip("\n").splitlines()]
    pattern = ""
    for line in lines:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += "[^\n]*".join(map(re.escape, line.split("..."))) + "\n"
    got = "".join(line.rstrip() + "\n" for line in actual.strip("\n").splitlines())
    if re.fullmatch(pattern, got) is None:
        raise SnippetFailed(f"{place}: the document shows\n{expected}\nand this was printed\n{actual}")


def environment(folder: Path) -> dict[str, str]:
    """A path on which `bufalu` and `python` are this checkout and this interpreter."""
    programs = folder / ".programs"
    if not programs.exists():
        programs.mkdir()
        for name, arguments in (("bufalu", "-m bufalu "), ("python", "")):
            script = programs / name
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments}"$@"\n')
            script.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **SURROUNDINGS, "PATH": path, "NO_COLOR": "1"}
