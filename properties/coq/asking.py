"""Asks a built development what it says: each constant as Coq prints it, and every constant of ours that it goes back to.

The library is loaded and never imported. So no notation, coercion or abbreviation of ours is at work when Coq prints, only
those of Coq's own library, and every constant of ours has its full name, `Bufalu.File.name`, by which it is found.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from secrets import token_hex
from threading import Thread
from typing import IO

from bufalu.oracle.processes import end_with_parent
from bufalu.properties.coq.pin import PinEntry
from bufalu.reference.errors import BufaluError

OURS = "Bufalu."
EVERY_THEOREM = "every_theorem"
"""The Coq name of all theorems taken together."""

PREAMBLE = """
From Coq Require Import Reals QArith List.
Open Scope R_scope.
Set Printing Width 130.
Set Printing Depth 100000.
Set Printing Implicit.
Set Printing Coercions.
"""
"""How Coq prints what people read. What is hashed is printed with `Set Printing All` besides: without any notation."""

_END = f"the_answer_ends_here_{token_hex(8)}"
"""A name that no development has: one that it could define would never be called unknown, and the end never be heard."""
_PIECES = re.compile(r'(\(\*|\*\)|"[^"]*"|\.(?=\s|$))')
"""Splits a text at all that can begin or end a comment, a string or a sentence."""
_NAME = re.compile(rf"\b{re.escape(OURS)}[\w'.]*[\w']")
_ARGUMENTS = re.compile(r"^Arguments .*", flags=re.MULTILINE | re.DOTALL)
_FAMILY = re.compile(r"\A(?:CoInductive|Inductive|Record|Variant|Structure|Class) (\S+)")


class UnreadableBuild(BufaluError):
    """Coq does not answer what it was asked about the built proofs."""


@dataclass(frozen=True)
class PrintedConstant:
    """A constant as Coq prints it, by the name of its family if it is a constructor.

    `mentions` are the constants of ours in it, and `hidden` those that stand only in its print without notations.
    """

    name: str
    entry: PinEntry
    mentions: frozenset[str]
    hidden: frozenset[str]


class Conversation:
    """One `coqtop` that is told and asked one thing after the other; it goes on after an error, as the compiler does not.

    A thread reads all the time, so that neither waits for the other to read.
    """

    def __init__(self, questions: IO[str], answers: IO[str]) -> None:
        """A process that reads sentences from `questions` and prints to `answers`."""
        self._questions = questions
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._reader = Thread(target=self._read, args=(answers,), daemon=True)
        self._reader.start()

    def _read(self, answers: IO[str]) -> None:
        for line in answers:
            self._lines.put(line)
        self._lines.put("")

    def ask(self, *told: str) -> str:
        """What Coq prints to these sentences. A question that it answers in every state marks the end."""
        self._questions.write("\n".join((*told, f"Locate {_END}.\n")))
        self._questions.flush()
        lines: list[str] = []
        while line := self._lines.get():
            before, ended, _ = line.partition(f"No object of basename {_END}")
            lines.append(before)
            if ended:
                return "".join(lines).strip("\n")
        raise UnreadableBuild(f"coqtop ended before it answered: {' '.join(told)[-200:]}")

    def heard_out(self) -> None:
        """Waits for the end of a process that has ended: nobody may close what is still being read."""
        self._reader.join()


class Library:
    """A built development that is loaded, and not imported."""

    def __init__(self, coq: Conversation) -> None:
        """Loads it, and settles how Coq prints."""
        self.ask = coq.ask
        self.ask(f"Require {OURS}{PREAMBLE}")

    def statement(self, name: str) -> PrintedConstant | None:
        """What a theorem says; None if there is no such theorem."""
        return self._answer(name, f"Check @{name}.")

    def definition(self, name: str) -> PrintedConstant | None:
        """The body of a constant, its type alone if it is opaque, or the family that a constructor belongs to.

        Nothing can be proved about an opaque constant but what its type says.
        """
        opaque = re.search(r"\bis opaque$", self.ask(f"About {name}."), flags=re.MULTILINE)
        return self.statement(name) if opaque else self._answer(name, f"Print {name}.")

    def _answer(self, asked: str, question: str) -> PrintedConstant | None:
        shown = _ARGUMENTS.sub("", self.ask(question)).rstrip()
        raw = _ARGUMENTS.sub("", self.ask("Set Printing All.", question, "Unset Printing All."))
        if not shown:
            return None
        if not raw.isascii():  # a non-breaking space is a letter to Coq, and none to whoever strips or splits a line
            raise UnreadableBuild(f"Coq prints {short(asked)} with a name that looks like another")
        family = _FAMILY.match(shown)
        name = f"{asked.rpartition('.')[0]}.{family[1]}" if family else asked
        digest = hashlib.sha256(" ".join(raw.split()).encode()).hexdigest()[:16]
        mentions = frozenset(_NAME.findall(raw)) - {name}
        entry = PinEntry(_for_people(name, shown), digest)
        return PrintedConstant(short(name), entry, mentions, mentions - {*_NAME.findall(shown)})


def short(text: str) -> str:
    """A text with the names of our constants as people write them, `File.name`."""
    return text.replace(OURS, "")


def _for_people(name: str, shown: str) -> str:
    """The print without the name that it begins with, and without the type of a body, indented.

    A body has the types of its variables, and its digest is taken together with its type.
    """
    body = re.sub(rf"\A@?{re.escape(name)}(?: =)? *\n?", "", shown)
    if shown.startswith(f"{name} ="):
        body = body[: body.rindex("\n     : ")]
    lines = textwrap.dedent(short(body)).splitlines()
    return "\n".join(f"  {line}".rstrip() for line in lines)


def entries(library: Library, theorems: Sequence[str]) -> tuple[dict[str, PinEntry], dict[str, PinEntry]]:
    """The theorems, and the definitions of ours that they go back to, by name; a theorem that is not there is left out."""
    stated = [answer for name in theorems if (answer := library.statement(f"{OURS}{name}")) is not None]
    found: dict[str, PrintedConstant] = {}
    owners: dict[str, str] = {}
    waiting = [name for answer in stated for name in answer.mentions]
    while waiting:
        name = waiting.pop()
        if name in owners:
            continue
        answer = library.definition(name)
        if answer is None:
            raise UnreadableBuild(f"Coq does not print {name}, which a theorem goes back to")
        found[answer.name] = answer
        owners[name] = answer.name
        waiting.extend(answer.mentions)
    definitions = {name: _named(found[name], owners) for name in sorted(found)}
    return {answer.name: _named(answer, owners) for answer in stated}, definitions


def _named(answer: PrintedConstant, owners: Mapping[str, str]) -> PinEntry:
    """An entry with the constructors that stand for it, and with the definitions that its text goes back to unseen."""
    also = sorted(short(name) for name, owner in owners.items() if owner == answer.name != short(name))
    seen = {owners[name] for name in answer.mentions - answer.hidden} | {answer.name}
    unseen = sorted({owners[name] for name in answer.hidden} - seen)
    text = answer.entry.text + (f"\n  (unseen: {', '.join(unseen)})" if unseen else "")
    return PinEntry(text, answer.entry.digest, tuple(also))


def what_all_rest_on(theorems: Sequence[str]) -> str:
    """The question for the axioms of these theorems, all together: one for each would take longer than the proofs.

    Each has a local definition of its own. In a tuple the types of all that follow would stand in the type of each pair.
    """
    together = "\n".join(f"  let _ := @{OURS}{name} in" for name in theorems)
    return f"Definition {EVERY_THEOREM} :=\n{together}\n  Coq.Init.Logic.I.\nPrint Assumptions {EVERY_THEOREM}.\n"


@contextmanager
def library(compiler: str, folder: Path) -> Iterator[Library]:
    """The development that was built in a folder, to be asked."""
    with conversing(compiler, "-R", str(folder), "") as coq:
        yield Library(coq)


def surroundings() -> dict[str, str]:
    """The environment for Coq, with a larger heap: collecting garbage half as often saves a tenth of the time."""
    return {"OCAMLRUNPARAM": "s=32M,o=400", **os.environ}


@contextmanager
def conversing(compiler: str, *options: str, complaints: int = subprocess.DEVNULL) -> Iterator[Conversation]:
    """A `coqtop` to be spoken to. Its prompts and complaints are left out, unless they go to `subprocess.STDOUT`.

    So a constant that is not there has the empty answer.
    """
    process = subprocess.Popen(
        [Path(compiler).with_name("coqtop"), "-q", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        encoding="utf-8",
        errors="replace",
        env=surroundings(),
        preexec_fn=partial(end_with_parent, os.getpid()),  # noqa: PLW1509  # an audit's workers have one thread
    )
    assert process.stdin is not None
    assert process.stdout is not None
    coq = Conversation(process.stdin, process.stdout)
    try:
        yield coq
    finally:
        process.kill()
        coq.heard_out()
        process.communicate()


def sentences(text: str) -> list[str]:
    """The sentences of a text without its comments, which may hold comments; a bullet belongs to the sentence after it.

    A sentence ends with a full stop before white space, outside strings.
    """
    found, depth = [""], 0
    for piece in _PIECES.split(text):
        depth += piece == "(*"
        if depth == 0:
            found[-1] += piece
            if piece == ".":
                found.append("")
        depth -= piece == "*)"
    return [sentence for each in found if (sentence := each.strip())]
