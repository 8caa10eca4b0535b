"""A program under test: a child process that answers each line of JSON with a line of JSON."""

from __future__ import annotations

import json
import os
import select
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from types import TracebackType

from bufalu.oracle.errors import BrokenProgram, UnusableCommand
from bufalu.oracle.processes import adopt_orphans, children_of, end_with_descendants, on_one_processor
from bufalu.reference.whole_files import NotStrictJson, parse_json

MAX_ANSWER = 65_536
MAX_STDERR = 65_536
"""Bytes: a longer answer is none, and of stderr the last ones are kept."""
LAST_WORDS = 2.0
"""Seconds to wait for the end of stderr, which something that the program left behind may hold open."""
MAX_KNOWN = 1_024
"""How many answers, and of what length, are remembered with what they mean: most of them come again and again."""


class Program:
    """Runs a command without a shell. A context: on leaving, the process and all that it started are killed.

    `survivors` are the processes that could not be ended.
    """

    def __init__(self, command: Sequence[str], timeout: float, listener: Callable[[str], None] | None = None) -> None:
        self.command = tuple(command)
        self._timeout = timeout
        self._listener = listener
        self._unread = b""
        self._errors = b""
        self._known: dict[str, dict[str, object]] = {}
        self.survivors: tuple[int, ...] = ()
        # Orphans are told from other children of ours only where there are no others.
        self._adopting = not children_of(os.getpid()) and adopt_orphans(True)
        self._together = ExitStack()
        self._together.enter_context(on_one_processor())
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            self._together.close()
            raise UnusableCommand(f"cannot run {self.command[0]!r}: {problem}") from None
        self._error_reader = threading.Thread(target=self._read_errors, daemon=True)
        self._error_reader.start()

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._together.close()
        self.survivors = end_with_descendants(self._process, self._adopting)
        if self._adopting:
            adopt_orphans(False)
        self._error_reader.join(LAST_WORDS)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        if isinstance(problem, BrokenProgram):
            problem.stderr = self.stderr()

    def stderr(self) -> str:
        """The end of what the program wrote to stderr."""
        return self._errors.decode("utf-8", "replace")

    def ask(self, request: dict[str, object]) -> dict[str, object]:
        """Sends one request and returns the answer, an object; raises `BrokenProgram`."""
        line = json.dumps(request)
        self._send(line)
        answer = self._receive(line)
        known = self._known.get(answer)
        if known is not None:
            return known
        try:
            value = parse_json(answer)
        except (NotStrictJson, RecursionError) as problem:
            raise BrokenProgram("garbage", f"answered {_shown(answer)}: {problem}", _STDOUT_HINT, line) from None
        if not isinstance(value, dict):
            raise BrokenProgram("garbage", f"answered {_shown(answer)}, not a JSON object", _SHAPE_HINT, line)
        if "error" in value:
            hint = "the program itself reports an error: its message above says what it did not like"
            raise BrokenProgram("error", f"reported the error {_shown(json.dumps(value['error']))}", hint, line)
        if len(self._known) < MAX_KNOWN and len(answer) < MAX_KNOWN:
            self._known[answer] = value
        return value

    def stop(self) -> None:
        """Asks the program to end; raises `BrokenProgram` unless it does, with status 0."""
        line = json.dumps({"command": "stop"})
        self._send(line)
        status = ended_within(self._process, self._timeout)
        if status is None:
            hint = "after `stop` the program must end by itself"
            message = f"still runs {self._timeout:g} seconds after `stop`"
            raise BrokenProgram("timeout", message, hint, line)
        if status != 0:
            raise BrokenProgram("crashed", f"ended with {_status(status)} after `stop`", _CRASH_HINT, line)

    def _send(self, line: str) -> None:
        if self._listener is not None:
            self._listener(f"> {line}")
        if self._unread.strip():
            said = self._unread.decode("utf-8", "replace")
            raise BrokenProgram("garbage", f"said {_shown(said)} without being asked", _STDOUT_HINT, line)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
        except (BrokenPipeError, OSError):
            raise self._ended(line) from None

    def _receive(self, request: str) -> str:
        assert self._process.stdout is not None
        source = self._process.stdout.fileno()
        deadline = time.monotonic() + self._timeout
        while b"\n" not in self._unread:
            if len(self._unread) > MAX_ANSWER:
                message = f"answered a line of more than {MAX_ANSWER} bytes"
                raise BrokenProgram("garbage", message, _STDOUT_HINT, request)
            # What has been answered by now is in time, however long we ourselves had to wait for a processor.
            left = max(0.0, deadline - time.monotonic())
            if not answered_within(source, left):
                message = f"gave no answer within {self._timeout:g} seconds"
                hint = "probably the program's: does it flush stdout after each line? (or --timeout is too short)"
                raise BrokenProgram("timeout", message, hint, request)
            piece = os.read(source, 65_536)
            if not piece:
                raise self._ended(request)
            self._unread += piece
        line, _, self._unread = self._unread.partition(b"\n")
        try:
            answer = line.decode("utf-8")
        except UnicodeDecodeError:
            raise BrokenProgram("garbage", "answered with bytes that are not UTF-8", _STDOUT_HINT, request) from None
        if self._listener is not None:
            self._listener(f"< {answer}")
        return answer

    def _ended(self, request: str) -> BrokenProgram:
        status = ended_within(self._process, self._timeout)
        if status is None:
            return BrokenProgram("crashed", "closed its stdin or stdout", _CRASH_HINT, request)
        return BrokenProgram("crashed", f"ended with {_status(status)} instead of an answer", _CRASH_HINT, request)

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        with suppress(OSError, ValueError):
            while piece := os.read(self._process.stderr.fileno(), 65_536):
                self._errors = (self._errors + piece)[-MAX_STDERR:]


def answered_within(source: int, seconds: float) -> bool:
    """Whether there is something to read from this descriptor, within so many seconds."""
    return bool(select.select([source], [], [], seconds)[0])


def ended_within(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The status with which a process ended, None if it still runs after so many seconds."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


_CRASH_HINT = "probably the program's: its stderr says more, if it said anything"
_STDOUT_HINT = "probably the program's: stdout carries one JSON object a line and nothing else (print elsewhere)"
_SHAPE_HINT = "probably the program's: compare its answer with the JSON Schema of the protocol"


def wrong_shape(answer: dict[str, object], expected: str, request: dict[str, object]) -> BrokenProgram:
    """The failure of a program whose answer is JSON, but not the answer asked for."""
    message = f"answered {_shown(json.dumps(answer))} where {expected} was expected"
    return BrokenProgram("wrong answer", message, _SHAPE_HINT, json.dumps(request))


def _status(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"status {status}"


def _shown(text: str) -> str:
    return text if len(text) <= 200 else text[:197] + "..."
