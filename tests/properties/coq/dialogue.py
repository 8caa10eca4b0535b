"""One Coq process that is spoken to: it goes on after an error, as the compiler does not."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO

from bufalu.properties.coq.asking import surroundings

ATTEMPT, GIVEN_UP = "(* attempt *)", "Abort All."
"""Around a proof that may fail: what follows its first error is not said, for Coq would try it on a goal that is none."""

ATTEMPTS = re.compile(rf"{re.escape(ATTEMPT)}(.*?){re.escape(GIVEN_UP)}", flags=re.DOTALL)
"""Splits a text: every second part is what stands inside an attempt."""

_QUIET = re.compile(r"\(\*.*?\*\)|\"[^\"]*\"|\.(?=\s|$)", flags=re.DOTALL)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text: each ends with a full stop before a space, outside strings and comments (of one level)."""
    begin = 0
    for found in _QUIET.finditer(text):
        if found[0] == ".":
            yield text[begin : found.end()]
            begin = found.end()


def dialogue(top: Path, text: str) -> str:
    """What Coq says to the text, in its order; goals are not shown, and the prompt names the theorem that is being proved."""
    with subprocess.Popen(
        [top, "-q"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=surroundings(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        coq = _Coq(process.stdin, process.stdout)
        said = [coq.answer("Set Silent.")]
        for place, part in enumerate(ATTEMPTS.split(text)):
            if place % 2 == 0:
                said.append(coq.answer(part))
                continue
            for sentence in sentences(part):
                said.append(coq.answer(sentence))
                if "\nError:" in said[-1]:
                    break
            said.append(coq.answer(GIVEN_UP))
        process.stdin.close()
        coq.heard_out()
    return "".join(said)


class _Coq:
    """The two ends of a running Coq. A thread reads all the time, so that neither waits for the other to read."""

    def __init__(self, to: IO[str], back: IO[str]) -> None:
        self._to = to
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._spoken = 0
        self._reader = Thread(target=self._read, args=(back,), daemon=True)
        self._reader.start()

    def _read(self, back: IO[str]) -> None:
        for line in back:
            self._lines.put(line)
        self._lines.put("")

    def heard_out(self) -> None:
        """Waits until Coq, to whom nothing more will be said, has ended: nobody may close what is still being read."""
        self._reader.join()

    def answer(self, text: str) -> str:
        """What Coq says to the text. A question that it answers in every state marks the end."""
        self._spoken += 1
        end = f"spoken_{self._spoken}"
        self._to.write(f"{text}\nLocate {end}.\n")
        self._to.flush()
        said: list[str] = []
        while not said or end not in said[-1]:
            line = self._lines.get()
            assert line, f"Coq ended after {text[-200:]!r}"
            said.append(line)
        return "".join(said)
