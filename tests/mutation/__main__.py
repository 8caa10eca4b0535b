"""Draws slips, tries each against the tests of its room, and prints what survived; exit code 1 if something unknown did."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
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
    arguments = parser.parse_args()
    known = known_survivors()
    survivors = []
    with tempfile.TemporaryDirectory(prefix="bufalu-mutation-") as folder:
        scratch = Path(folder) / "copy"
        shutil.copytree(ROOT, scratch, symlinks=True, ignore=shutil.ignore_patterns(".*", "__pycache__", "site"))
        kernels = Path(folder) / "kernels"
        for room in arguments.rooms:
            reach = recorded(room, scratch, arguments.reach, kernels)
            drawn = [slip for slip in slips_of(room) if arguments.only in slip.key]
            if not arguments.only:
                drawn = random.Random(f"{arguments.seed} {room}").sample(drawn, min(arguments.slips, len(drawn)))
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


def recorded(room: str, scratch: Path, folder: Path, kernels: Path) -> Reach:
    """What each test of a room enters: read where it was written before, else by running them all once."""
    file = folder / f"{room.replace('/', '-')}.json"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{room}: running its tests once, to see what each of them enters", flush=True)
        profile = {"MUTATION_RECORD": str(file), "HYPOTHESIS_PROFILE": "dev"}
        tests(files_with_tests(room), scratch, kernels, profile, stop=False).wait()
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
    with tempfile.TemporaryDirectory(prefix="bufalu-slip-") as folder:
        order = Path(folder) / "choice.json"
        order.write_text(json.dumps(chosen), encoding="utf-8")
        fresh = kernels if Path(slip.path).stem not in KERNELS else Path(folder) / "kernels"
        profile = {"MUTATION_CHOICE": str(order), "HYPOTHESIS_PROFILE": os.environ.get("HYPOTHESIS_PROFILE", "ci")}
        process = tests(wanted, scratch, fresh, profile, stop=True)
        try:
            return "SURVIVED" if process.wait(seconds) == 0 else "noticed"
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.wait()
            file.write_bytes(right)


def tests(
    files: list[str], scratch: Path, kernels: Path, profile: dict[str, str], stop: bool
) -> subprocess.Popen[bytes]:
    """A run of some test files of the scratch copy."""
    own = {"PYTHONPATH": ".", "NUMBA_CACHE_DIR": str(kernels), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.mutation.reach"]
    return subprocess.Popen(
        [*command, *(["-x"] if stop else []), *files],
        cwd=scratch,
        env={**os.environ, **own, **profile},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def files_with_tests(room: str) -> list[str]:
    """The test files of a room."""
    files = []
    for place in ROOMS[room]:
        tests = ROOT / "tests" / place
        files += [tests] if tests.is_file() else sorted(tests.rglob("test_*.py"))
    return [str(file.relative_to(ROOT)) for file in files]


if __name__ == "__main__":
    sys.exit(main())
