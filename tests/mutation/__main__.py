"""Draws slips, tries each against the tests of its room that run its line, prints what survived; exit code 1 if some did.

A slip is `noticed` when a test fails, `loops` or `hangs` when a test takes ten times its time, `mistyped` when mypy, which
`make test` runs too, refuses what the tests let pass (all three count as noticed), `equivalent` when `survivors.txt` argues
that nothing can notice it, `SURVIVED` when all tests that run its line pass, and `UNRESOLVED` when those that fit into
`--seconds` pass. The share is that of the noticed among all but the equivalent.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.mutation.reach import OUT_OF_TIME, PACKAGES, ROOT, Reach, digest, processor_seconds
from tests.mutation.slips import Slip, slips

KNOWN = Path(__file__).with_name("survivors.txt")
ROOMS = {
    "reference": ("reference",),
    "bounds": ("bounds",),
    "doubles": ("doubles", "oracle", "law"),
    "live": ("live",),
    "law": ("law",),
    "oracle": ("oracle", "bufalu/test_check_command.py", "bufalu/test_conform_command.py"),
    "experiments/engine": ("experiments/engine",),
}
"""The rooms that are tried, each with its own tests, which come first."""

OTHERS = (
    *(
        "reference",
        "bounds",
        "doubles",
        "law",
        "live",
        "oracle",
        "properties/algebra",
        "properties/runs/test_statements.py",
    ),
    *(f"bufalu/test_{name}.py" for name in ("check_command", "differential", "journals", "own_files", "start")),
)
"""The tests that come then, of whatever room."""

KERNELS = ("arrays", "compiled", "decisions", "draws", "jumps", "lanes", "loop", "streams")
"""Modules whose text or constants end up in machine code: a slip in one of them needs it compiled again."""

LIBRARIES = ("pytest", "numpy", "sympy", "flint", "numba", "jsonschema", "hypothesis", "coverage")
"""Loaded once for all runs: it takes longer than most of the tests that notice a slip."""

LEFT_OUT = ("plot.py", "table.py", "errors.py", "known_bugs/", "__init__.py")
"""Pictures and texts, and the wrong programs, which may be wrong in any way."""

NOTICED = ("noticed", "loops", "hangs", "mistyped")
"""The ends of a slip that count as noticed."""

ENDS = {-signal.SIGPROF: "loops", -signal.SIGALRM: "hangs"}
"""What the exit code of pytest says; other codes are failures, a module that cannot be loaded any more among them."""

NO_TESTS, MISTAKE = 5, 99
"""No test was found, or pytest could not be called: nothing is said of the slip."""

ADAPTERS = ROOT / ".venv-adapters"
"""Where `make adapters` keeps the libraries of others, without which some tests of the adapters are skipped."""

MEMORY = 6 * 2**30
"""Bytes that a test run may ask for."""


def main() -> int:
    """Tries the slips that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slips", type=int, default=10, help="slips a room (10)")
    parser.add_argument("--rooms", nargs="+", default=list(ROOMS), choices=list(ROOMS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="only slips whose key contains this text, all of them")
    parser.add_argument("--seconds", type=float, default=60, help="processor time of own and other tests (60 each)")
    parser.add_argument(
        "--reach",
        type=Path,
        default=Path(tempfile.gettempdir()) / "bufalu-reach",
        help="where it is kept which lines each test runs",
    )
    arguments = parser.parse_args()
    known = known_survivors()
    survivors = []
    with tempfile.TemporaryDirectory(prefix="bufalu-mutation-") as folder:
        bench = Bench(Path(folder))
        possible = {slip.key for room in ROOMS for slip in slips_of(room, bench.copy)}
        for key in sorted(known - possible):
            print(f"survivors.txt argues about a slip that can no longer be made: {key}", flush=True)
        for room in arguments.rooms:
            stages = [bench.reach(f"{room}, own tests", ROOMS[room], arguments.reach)]
            stages.append(bench.reach(f"{room}, others", OTHERS, arguments.reach).without(stages[0]))
            drawn = [slip for slip in slips_of(room, bench.copy) if arguments.only in slip.key]
            if not arguments.only:
                drawn = random.Random(f"{arguments.seed} {room}").sample(drawn, min(arguments.slips, len(drawn)))
            ends = Counter[str]()
            for slip in drawn:
                start = processor_seconds()
                end = "equivalent" if slip.key in known else bench.tried(slip, stages, arguments.seconds)
                ends[end] += 1
                print(f"{end:10} {processor_seconds() - start:5.0f} s  {slip.key}", flush=True)
                survivors += [f"{end}: {slip.key}"] if end.isupper() else []
            noticed, judged = sum(ends[end] for end in NOTICED), len(drawn) - ends["equivalent"]
            print(
                f"{room}: {noticed} of {judged} noticed ({100 * noticed / max(judged, 1):.1f}%); "
                + ", ".join(f"{number} {end}" for end, number in sorted(ends.items())),
                flush=True,
            )
    print("\n".join(survivors))
    return 1 if survivors else 0


def slips_of(room: str, root: Path) -> list[Slip]:
    """All slips of a room."""
    files = {str(file.relative_to(root)): file for file in sorted((root / room).rglob("*.py"))}
    return [
        slip
        for path, file in files.items()
        if not any(part in path for part in LEFT_OUT)
        for slip in slips(path, file.read_text(encoding="utf-8"))
    ]


def known_survivors() -> set[str]:
    """The slips that `survivors.txt` gives a reason for."""
    lines = KNOWN.read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith(("#", " "))}


def files_of_tests(places: Sequence[str], root: Path) -> list[str]:
    """The files with tests at some places below `tests`."""
    found = [root / "tests" / place for place in places]
    files = [file for place in found for file in ([place] if place.is_file() else sorted(place.rglob("test_*.py")))]
    return [str(file.relative_to(root)) for file in files]


def mentions(name: str) -> dict[str, set[int]]:
    """The lines of our code with a name."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    found: dict[str, set[int]] = {}
    for file in (file for package in PACKAGES for file in (ROOT / package).rglob("*.py")):
        lines = {n for n, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if word.search(text)}
        if lines:
            found[str(file.relative_to(ROOT))] = lines
    return found


def is_compiled(slip: Slip) -> bool:
    """Whether a slip ends up in machine code."""
    return slip.path.startswith("experiments/engine/") and Path(slip.path).stem in KERNELS


def noticing(slip: Slip, stages: Sequence[Reach]) -> list[dict[str, float]]:
    """The tests of each stage that may notice a slip, with their seconds, the quickest first.

    What runs when the module is loaded is left to those that run its function, name or use the name that it defines, or
    else anything of the module or of its folder; machine code, of which no line is seen, to all of the folder. No stage
    takes a wider choice where another finds tests by a narrower one.
    """
    folder = {str(file.relative_to(ROOT)): set[int]() for file in (ROOT / slip.path).parent.glob("*.py")}
    choices: list[Callable[[Reach], dict[str, float]]] = []
    if not is_compiled(slip):
        if slip.lines & slip.function:
            choices.append(lambda reach: reach.running({slip.path: set(slip.lines)}))
        if slip.function:
            choices.append(lambda reach: reach.running({slip.path: set(slip.function)}))
        if slip.name:
            mentioned = mentions(slip.name)
            choices.append(lambda reach: reach.naming(slip.name) | reach.running(mentioned))
        choices.append(lambda reach: reach.running({slip.path: set()}))
    choices.append(lambda reach: reach.running(folder))
    found = ([choice(reach) for reach in stages] for choice in choices)
    return next((tests for tests in found if any(tests)), [])


class Bench:
    """A scratch copy in which slips are tried."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.copy = folder / "copy"
        self._kernels = folder / "kernels"
        left_out = shutil.ignore_patterns(".*", "__pycache__", "site")
        shutil.copytree(ROOT, self.copy, symlinks=True, ignore=left_out)
        for library in LIBRARIES:
            importlib.import_module(library)
        if self._is_mistyped():
            raise SystemExit("mypy refuses the code without any slip: run `make types`")

    def reach(self, label: str, places: Sequence[str], records: Path) -> Reach:
        """What the tests of some places reach, each file run once if that is not known; says how many do not pass."""
        records.mkdir(parents=True, exist_ok=True)
        known = []
        for file in files_of_tests(places, self.copy):
            record = records / f"{Path(file).stem}-{digest(self.copy / file)[:16]}.json"
            if not record.exists():
                print(f"running {file} once, to see which lines its tests run", flush=True)
                self._run([file], {"MUTATION_RECORD": str(record)}, self._kernels)
            known += [record] if record.exists() else []
        reach = Reach(known)
        print(
            f"{label}: {len(reach.tests)} tests; left out, since they do not pass here: {len(reach.unfit)}",
            flush=True,
        )
        return reach

    def tried(self, slip: Slip, stages: Sequence[Reach], seconds: float) -> str:
        """What the tests say of a slip, those of one stage after those of the other."""
        file = self.copy / slip.path
        right = file.read_bytes()
        file.write_bytes(slip.applied(right))
        survived = "SURVIVED"
        try:
            for tests in noticing(slip, stages):
                code = self._chosen(slip, tests, seconds) if tests else 0
                if code == OUT_OF_TIME:
                    survived = "UNRESOLVED"
                elif code != 0:
                    return ENDS.get(code, "noticed")
            if self._is_mistyped():
                return "mistyped"
        finally:
            file.write_bytes(right)
        return survived

    def _is_mistyped(self) -> bool:
        """Whether mypy refuses the copy as it is now."""
        mypy = [sys.executable, "-m", "mypy", "--cache-dir", str(self._folder / "types")]
        return subprocess.run(mypy, cwd=self.copy, capture_output=True, check=False).returncode != 0

    def _chosen(self, slip: Slip, chosen: dict[str, float], seconds: float) -> int:
        """Runs chosen tests on the copy as it is now, for so many seconds of processor time."""
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            choice = Path(folder) / "choice.json"
            choice.write_text(json.dumps({"tests": chosen, "seconds": seconds}), encoding="utf-8")
            kernels = Path(folder) / "kernels" if is_compiled(slip) else self._kernels
            files = sorted({test.split("::")[0] for test in chosen})
            return self._run(files, {"MUTATION_CHOICE": str(choice)}, kernels)

    def _run(self, files: list[str], task: dict[str, str], kernels: Path) -> int:
        """Runs test files of the copy in a child that finds the libraries loaded; the exit code, a signal negative."""
        child = os.fork()
        if child == 0:
            try:
                os.setsid()
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                os.chdir(self.copy)
                os.environ |= {
                    "PYTHONPATH": ".",
                    "NUMBA_CACHE_DIR": str(kernels),
                    "PYTHONDONTWRITEBYTECODE": "1",
                    **task,
                }
                os.environ["HYPOTHESIS_PROFILE"] = "ci"
                nowhere = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(nowhere, stream)
                sys.path = [str(self.copy), *sys.path, str(ADAPTERS)]
                sys.dont_write_bytecode = True
                for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
                    del sys.modules[name]
                pytest = importlib.import_module("pytest")
                stop = ["-x"] if "MUTATION_CHOICE" in task else []
                # Hypothesis is loaded already, and nobody reads why a test failed.
                quiet = ["-q", "-W", "ignore::pytest.PytestAssertRewriteWarning", "--tb=no", "--assert=plain"]
                plugins = ["-p", "no:cacheprovider", "-p", "tests.mutation.reach", "-o", "timeout=0"]
                os._exit(int(pytest.main([*quiet, *plugins, *stop, *files])))
            except BaseException:
                (self._folder / "mistake.txt").write_text(traceback.format_exc(), encoding="utf-8")
                os._exit(MISTAKE)
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(status)
        if code == MISTAKE:
            raise SystemExit((self._folder / "mistake.txt").read_text(encoding="utf-8"))
        if code == NO_TESTS and "MUTATION_CHOICE" in task:
            raise SystemExit(f"the chosen tests are not in {', '.join(files)}")
        return code


if __name__ == "__main__":
    sys.exit(main())
