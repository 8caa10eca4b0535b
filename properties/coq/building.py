"""One run of Coq over a whole development, made once for each text of it.

Loading the library of reals takes Coq longer than most of our files take to prove. So the files, in their order, become
modules of one unit, `Bufalu.v`, in which every constant has the name `Bufalu.File.name` that it has when the files are
compiled one by one (`make proofs`). The kernel checks the same terms either way.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path

from bufalu.oracle.processes import end_with_parent
from bufalu.properties.coq.asking import surroundings
from bufalu.properties.coq.theorems import VECTORS
from bufalu.reference.errors import BufaluError, UnusableFile
from bufalu.reference.whole_files import alone, write_whole

UNIT = "Bufalu.v"
NOTES = ".Bufalu.aux"
"""What the compiler notes about the unit."""

HANG_SECONDS = 1800
"""A guard against a proof that never ends, and no limit on how slow a machine may be."""

_REQUIRED = re.compile(r"^From (Coq|Bufalu) Require Import ([^.]*)\.", flags=re.MULTILINE)
_PLACE = re.compile(rf'File "[^"]*{re.escape(UNIT)}", line (\d+)')


class ProofRejected(BufaluError):
    """The Coq kernel did not accept a file; the message names the file and quotes Coq."""


class ModelDisagrees(ProofRejected):
    """A test vector of the Python reference contradicts the Coq model of the decision relation."""


@dataclass(frozen=True)
class Unit:
    """Files as modules of one text, and the line of it on which each of them begins."""

    text: str
    begins: Mapping[str, int]

    def place(self, line: int) -> tuple[str, int]:
        """The file that has this line of the unit, and its number there."""
        names, lines = list(self.begins), list(self.begins.values())
        found = max(bisect_right(lines, line) - 1, 0)
        return names[found], line - lines[found] + 1


def as_one_unit(texts: Mapping[str, str]) -> Unit:
    """Files in the order in which they need one another, each as a module; Coq's own library is loaded once, above them.

    What all files import first is imported once, above them. Lines stay lines. A file that asks for a later one asks for
    a module that is not there yet, which Coq rejects.
    """
    required = {
        file: [(room, names.split()) for room, names in _REQUIRED.findall(text)] for file, text in texts.items()
    }
    library = {name: None for asked in required.values() for room, names in asked if room == "Coq" for name in names}
    first = [asked[0][1] if asked and asked[0][0] == "Coq" else [] for asked in required.values()]
    shared = [names[0] for names in takewhile(lambda names: len({*names}) == 1, zip(*first, strict=False))]
    parts = [f"{_sentence('From Coq Require', library)} {_sentence('Import', shared)}\n"]
    begins: dict[str, int] = {}
    line = 2
    for name, text in texts.items():
        module = name.removesuffix(".v")
        own = iter([names if number else names[len(shared) :] for number, (_, names) in enumerate(required[name])])
        part = f"Module {module}. {_REQUIRED.sub(partial(_imported, own), text)}\nEnd {module}.\n"
        begins[name] = line
        line += part.count("\n")
        parts.append(part)
    return Unit("".join(parts), begins)


def _sentence(command: str, names: Iterable[str]) -> str:
    """A command about modules; nothing if there are none."""
    told = " ".join(names)
    return f"{command} {told}." if told else ""


def _imported(modules: Iterator[list[str]], found: re.Match[str]) -> str:
    """The import of the next modules for the sentence that was found, in as many lines."""
    return _sentence("Import", next(modules)) + "\n" * found[0].count("\n")


def find_coqc() -> str | None:
    """The Coq compiler: the environment variable COQC if set, else `coqc` on the path, else None."""
    return shutil.which(os.environ.get("COQC", "coqc"))


def version_of(compiler: str) -> str:
    """The version of Coq."""
    shown = subprocess.run([compiler, "--print-version"], capture_output=True, text=True, check=True).stdout
    return shown.split()[0]


def default_cache() -> Path:
    """Where answers of Coq are remembered: under XDG_CACHE_HOME, or ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bufalu" / "proofs"


@contextmanager
def built(compiler: str, texts: Mapping[str, str]) -> Iterator[Path]:
    """A folder with the compiled files, as long as it is needed; raises ProofRejected or ModelDisagrees if Coq does."""
    unit = as_one_unit(texts)
    with tempfile.TemporaryDirectory(prefix="bufalu-proofs-") as place:
        (Path(place) / UNIT).write_text(unit.text, encoding="utf-8")
        try:
            done = subprocess.run(
                [compiler, "-q", "-noglob", "-R", ".", "", UNIT],
                cwd=place,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                check=False,
                timeout=HANG_SECONDS,
                env=surroundings(),
                preexec_fn=partial(end_with_parent, os.getpid()),  # an audit's workers have one thread
            )
        except subprocess.TimeoutExpired:
            raise ProofRejected(f"Coq took more than {HANG_SECONDS} s for the proofs") from None
        if done.returncode:
            raise _rejection(unit, done.stderr)
        yield Path(place)


def _rejection(unit: Unit, complaint: str) -> ProofRejected:
    quoted = " ".join(complaint.split())
    # Warnings name their places too, before the error does.
    places = _PLACE.findall(quoted)
    if not places:
        return ProofRejected(f"Coq rejects the proofs: {quoted}")
    name, line = unit.place(int(places[-1]))
    if name == VECTORS and "Unable to unify" in quoted:
        return ModelDisagrees(
            "the Python reference and the Coq model disagree; first on V round [intervals] epsilon [the reference's "
            f"decisions, Y with a query and P without]: {quoted}"
        )
    return ProofRejected(f"Coq rejects {name}, line {line}: {quoted}")


def once(folder: Path, asked: object, answer: Callable[[], str]) -> tuple[str, bool]:
    """The answer to what was asked, and whether it was remembered. Of several processes that ask at once, one finds out.

    `asked` is whatever the answer depends on, as JSON. What raises is not remembered.
    """
    remembered = folder / f"{hashlib.sha256(json.dumps(asked).encode()).hexdigest()}.json"
    with alone(remembered.with_suffix(".lock")):
        recalled = _recall(remembered)
        if recalled is not None:
            return recalled, True
        found = answer()
        _remember(remembered, found)
        return found, False


def _recall(remembered: Path) -> str | None:
    """An earlier answer; None if there is none or it cannot be read."""
    try:
        found = json.loads(remembered.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, str) else None


def _remember(remembered: Path, answer: str) -> None:
    """Keeps an answer. A directory that cannot be written only costs time on the next run."""
    with suppress(OSError, UnusableFile):
        remembered.parent.mkdir(parents=True, exist_ok=True)
        write_whole(remembered, json.dumps(answer))
