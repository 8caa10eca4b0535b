"""Draws slips, tries each against the tests of its room, and prints what survived; exit code 1 if something unknown did."""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.mutation.reach import ROOT, Reach, choice
from tests.mutation.slips import Slip, slips

KNOWN = Path(__file__).with_name("survivors.txt")
ROOMS = {
    "reference": ("reference",),
    "bounds": ("bounds",),
    "law": ("law",),
    "oracle": ("oracle", "bufalu/test_check_command.py", "bufalu/test_conform_command.py"),
    "experiments/engine": ("experiments/engine",),
}
"""The rooms that are tried, each with the tests that must notice."""

KERNELS = ("arrays", "compiled", "decisions", "draws", "jumps", "lanes", "loop", "streams")
"""Modules whose text or constants end up in machine code: a slip in one of them needs it compiled again."""

LIBRARIES = ("pytest", "numpy", "sympy", "flint", "numba", "jsonschema")
"""Loaded once for all runs: it takes longer than most of the tests that notice a slip."""

LEFT_OUT = ("plot.py", "table.py", "errors.py", "known_bugs/", "__init__.py")
"""Pictures and texts, and the wrong programs, which may be wrong in any way."""


def main() -> int:
    """Tries the slips that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slips", type=int, default=10, help="slips a room (10)")
    parser.add_argument("--rooms", nargs="+", default=list(ROOMS), choices=list(ROOMS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="only slips whose key contains this text, all of them")
    parser.add_argument("--seconds", type=float, default=600, help="a test run that takes longer counts as noticed")
    parser.add_argument(
        "--reach", type=Path, default=ROOT / ".hypothesis" / "reach", help="where the records are kept"
    )
    parser.add_argument(
        "--record", action="store_true", help="run the tests once to see what each enters, if not known"
    )
    arguments = parser.parse_args()
    known = known_survivors()
    survivors = []
    with tempfile.TemporaryDirectory(prefix="bufalu-mutation-") as folder:
        scratch = Path(folder) / "copy"
        shutil.copytree(ROOT, scratch, symlinks=True, ignore=shutil.ignore_patterns(".*", "__pycache__", "site"))
        kernels = Path(folder) / "kernels"
        for room in arguments.rooms:
            reach = recorded(room, scratch, arguments.reach, kernels, arguments.record)
            drawn = [slip for slip in slips_of(room) if arguments.only in slip.key]
            if not arguments.only:
                drawn = random.Random(f"{arguments.seed} {room}").sample(drawn, min(arguments.slips, len(drawn)))
            if (
                tests(files_with_tests(room)[:1], scratch, kernels, {"MUTATION_CHOICE": os.devnull}, math.inf)
                != "SURVIVED"
            ):
                sys.exit(f"{room}: its tests fail without any slip")
            noticed = argued = 0
            for slip in drawn:
                start = time.monotonic()
                end = "known" if slip.key in known else tried(slip, room, reach, scratch, kernels, arguments.seconds)
                argued += end == "known"
                noticed += end in ("noticed", "timeout")
                print(f"{end:9} {time.monotonic() - start:5.0f} s  {slip.key}", flush=True)
                survivors += [slip] if end == "SURVIVED" else []
            print(f"{room}: {noticed} of {len(drawn) - argued} noticed, {argued} argued away", flush=True)
    for slip in survivors:
        print(f"survivor: {slip.key}")
    return 1 if survivors else 0


def slips_of(room: str) -> list[Slip]:
    """All slips of a room."""
    return [
        slip
        for file in sorted((ROOT / room).rglob("*.py"))
        if not any(part in str(file.relative_to(ROOT)) for part in LEFT_OUT)
        for slip in slips(str(file.relative_to(ROOT)), file.read_text(encoding="utf-8"))
    ]


def known_survivors() -> set[str]:
    """The slips that `survivors.txt` gives a reason for."""
    lines = KNOWN.read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith(("#", " "))}


def recorded(room: str, scratch: Path, folder: Path, kernels: Path, record: bool) -> Reach:
    """What each test of a room enters, if it was recorded before or shall be now by running them all once."""
    file = folder / f"{room.replace('/', '-')}.json"
    if not record and not file.exists():
        return {}
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{room}: running its tests once, to see what each of them enters", flush=True)
        profile = {"MUTATION_RECORD": str(file), "HYPOTHESIS_PROFILE": "dev"}
        tests(files_with_tests(room), scratch, kernels, profile, math.inf)
    reach: Reach = json.loads(file.read_text(encoding="utf-8"))
    # A test file that was changed since is tried against every slip.
    written = file.stat().st_mtime
    return {test: entry for test, entry in reach.items() if (ROOT / test.split("::")[0]).stat().st_mtime < written}


def tried(slip: Slip, room: str, reach: Reach, scratch: Path, kernels: Path, seconds: float) -> str:
    """`noticed`, `timeout` or `SURVIVED`: what the tests of the room say of a slip."""
    file = scratch / slip.path
    right = file.read_bytes()
    file.write_bytes(slip.applied(right))
    chosen = choice(reach, slip.path, slip.place, files_with_tests(room))
    entering = {test.split("::")[0] for test, seconds in chosen.items() if seconds >= 0}
    known = {test.split("::")[0] for test in chosen}
    wanted = [name for name in files_with_tests(room) if name in entering or name not in known]
    # Those that are named after the module first: most slips are noticed there.
    words = set(Path(slip.path).stem.split("_"))
    wanted.sort(key=lambda name: -len(words & set(Path(name).stem.split("_"))))
    with tempfile.TemporaryDirectory(prefix="bufalu-slip-") as folder:
        order = Path(folder) / "choice.json"
        order.write_text(json.dumps(chosen), encoding="utf-8")
        fresh = kernels if Path(slip.path).stem not in KERNELS else Path(folder) / "kernels"
        profile = {"MUTATION_CHOICE": str(order), "HYPOTHESIS_PROFILE": os.environ.get("HYPOTHESIS_PROFILE", "ci")}
        try:
            return tests(wanted, scratch, fresh, profile, seconds)
        finally:
            file.write_bytes(right)


def tests(files: list[str], scratch: Path, kernels: Path, profile: dict[str, str], seconds: float) -> str:
    """Runs some test files of the scratch copy in a child that finds the libraries loaded: what they say."""
    for library in LIBRARIES:
        importlib.import_module(library)
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            os.chdir(scratch)
            os.environ |= {
                "PYTHONPATH": ".",
                "NUMBA_CACHE_DIR": str(kernels),
                "PYTHONDONTWRITEBYTECODE": "1",
                **profile,
            }
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            sys.path.insert(0, str(scratch))
            sys.dont_write_bytecode = True
            for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
                del sys.modules[name]
            pytest = importlib.import_module("pytest")
            options = ["-q", "-p", "no:cacheprovider", "-p", "tests.mutation.reach"]
            stop = ["-x"] if "MUTATION_CHOICE" in profile else []
            os._exit(int(pytest.main([*options, *stop, *files])))
        except BaseException:
            traceback.print_exc()
            os._exit(99)
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        finished, status = os.waitpid(child, os.WNOHANG)
        if finished:
            return "SURVIVED" if os.waitstatus_to_exitcode(status) == 0 else "noticed"
        time.sleep(0.05)
    os.killpg(child, 9)
    os.waitpid(child, 0)
    return "timeout"


def files_with_tests(room: str) -> list[str]:
    """The test files of a room."""
    files = []
    for place in ROOMS[room]:
        tests = ROOT / "tests" / place
        files += [tests] if tests.is_file() else sorted(tests.rglob("test_*.py"))
    return [str(file.relative_to(ROOT)) for file in files]


if __name__ == "__main__":
    sys.exit(main())
