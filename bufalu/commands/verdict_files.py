"""How a verdict is delivered: on stdout, and in files for other tools: JUnit, SARIF, a summary, a badge.

A place that cannot be written is refused before the work; afterwards the verdict is printed first, and a file that
fails then costs a line on stderr, never the verdict or the exit code.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bufalu.commands.terminal import say, show
from bufalu.pages.badge import badge_json, badge_svg
from bufalu.pages.junit import junit
from bufalu.pages.outcome import Case, Ending, FilePlace, Outcome
from bufalu.pages.sarif import sarif
from bufalu.pages.summary import summary
from bufalu.reference.errors import BufaluError, InvalidTrace, UnusableFile
from bufalu.reference.whole_files import check_writable, is_stream, write_whole

Renderer = Callable[[Outcome], str]

_BADGES: dict[str, Renderer] = {".json": badge_json, ".svg": badge_svg}


def add_verdict_files(parser: argparse.ArgumentParser) -> None:
    """--junit, --sarif, --summary and --badge."""
    parser.add_argument("--junit", metavar="FILE", help="write the verdict as JUnit XML too")
    parser.add_argument("--sarif", metavar="FILE", help="write the verdict as SARIF 2.1.0 too, for code scanning")
    parser.add_argument("--summary", metavar="FILE", help="write the verdict and the argument as Markdown too")
    parser.add_argument("--badge", metavar="FILE", help="write a badge too: .svg, or .json for shields.io")


@dataclass(frozen=True)
class VerdictFiles:
    """The files that were asked for, each with what writes it."""

    command: str
    wanted: tuple[tuple[str, Renderer], ...]

    @staticmethod
    def of(command: str, arguments: argparse.Namespace) -> VerdictFiles:
        """The files that the options ask for; raises `UnusableFile` for a place that cannot be written, or is named twice."""
        wanted: list[tuple[str, Renderer]] = []
        for path, render in ((arguments.junit, junit), (arguments.sarif, sarif), (arguments.summary, summary)):
            if path is not None:
                wanted.append((path, render))
        if arguments.badge is not None:
            ending = os.path.splitext(arguments.badge)[1]
            if ending not in _BADGES:
                raise UnusableFile(f"--badge {arguments.badge}: a badge is a .svg, or a .json for shields.io")
            wanted.append((arguments.badge, _BADGES[ending]))
        taken = {os.path.realpath(path) for path in (getattr(arguments, "out", None),) if path is not None}
        for path, _ in wanted:
            place = os.path.realpath(path)
            if place in taken and not is_stream(path):
                raise UnusableFile(f"{path}: two files of this command would have the same name")
            taken.add(place)
            check_writable(path)
        return VerdictFiles(command, tuple(wanted))

    def deliver(self, outcome: Outcome, *, as_json: bool) -> None:
        """Prints the verdict, then writes the files; they are written even if nobody reads what is printed."""
        try:
            print(outcome.json) if as_json else show(outcome.lines)
            sys.stdout.flush()
        finally:
            self.write(outcome)

    def write(self, outcome: Outcome) -> None:
        """Writes every file that it can, and says on stderr which it cannot."""
        for path, render in self.wanted:
            try:
                write_whole(path, render(outcome))
            except (UnusableFile, OSError) as problem:
                say(f"{self.command}: the verdict stands, but {problem}")

    @contextmanager
    def refusals(self, subject: str, place: FilePlace) -> Iterator[None]:
        """Tells the files too what is refused in the block: no old file is to look like the answer to this question."""
        try:
            yield
        except BufaluError as problem:
            self.write(self._refused(subject, place, problem))
            raise

    def _refused(self, subject: str, place: FilePlace, problem: BufaluError) -> Outcome:
        text = str(problem)
        place = FilePlace(problem.path, problem.line) if isinstance(problem, InvalidTrace) else place
        case = Case("the input", Ending.REFUSED, text)
        return Outcome(self.command, subject, Ending.REFUSED, text, (case,), place)
