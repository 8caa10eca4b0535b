"""Draws slips, tries each against the tests of its room, and prints what survived; exit code 1 if something unknown did."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.mutation.slips import Slip, slips

ROOT = Path(__file__).resolve().parents[2]
KNOWN = Path(__file__).with_name("survivors.txt")
ROOMS = {
    "reference": ("reference",),
    "bounds": ("bounds",),
    "law": ("law",),
    "oracle": ("oracle", "bufalu/test_check_command.py", "bufalu/test_conform_command.py"),
    "experiments/engine": ("experiments/engine",),
}
"""The rooms that are tried, each with the tests that must notice."""

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
    arguments = parser.parse_args()
    known = known_survivors()
    survivors = []
    with tempfile.TemporaryDirectory(prefix="bufalu-mutation-") as folder:
        scratch = Path(folder) / "copy"
        shutil.copytree(ROOT, scratch, symlinks=True, ignore=shutil.ignore_patterns(".*", "__pycache__", "site"))
        for room in arguments.rooms:
            drawn = [slip for slip in slips_of(room) if arguments.only in slip.key]
            if not arguments.only:
                drawn = random.Random(f"{arguments.seed} {room}").sample(drawn, min(arguments.slips, len(drawn)))
            noticed = argued = 0
            for slip in drawn:
                start = time.monotonic()
                end = "known" if slip.key in known else tried(slip, room, scratch, arguments.seconds)
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


def tried(slip: Slip, room: str, scratch: Path, seconds: float) -> str:
    """`noticed`, `timeout` or `SURVIVED`: what the tests of the room say of a slip."""
    file = scratch / slip.path
    right = file.read_bytes()
    file.write_bytes(slip.applied(right))
    # Compiled kernels are kept by the file that they are in, not by what they call.
    with tempfile.TemporaryDirectory(prefix="bufalu-kernels-") as kernels:
        environment = {
            **os.environ,
            "PYTHONPATH": ".",
            "HYPOTHESIS_PROFILE": os.environ.get("HYPOTHESIS_PROFILE", "ci"),
            "NUMBA_CACHE_DIR": kernels,
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *ordered_tests(slip, room)]
        process = subprocess.Popen(
            command,
            cwd=scratch,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return "SURVIVED" if process.wait(seconds) == 0 else "noticed"
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.wait()
            file.write_bytes(right)


def ordered_tests(slip: Slip, room: str) -> list[str]:
    """The test files of a room, those named after the module first: most slips are noticed there."""
    files = []
    for place in ROOMS[room]:
        tests = ROOT / "tests" / place
        files += [tests] if tests.is_file() else sorted(tests.rglob("test_*.py"))
    words = set(Path(slip.path).stem.split("_"))
    files.sort(key=lambda file: -len(words & set(file.stem.split("_"))))
    return [str(file.relative_to(ROOT)) for file in files]


if __name__ == "__main__":
    sys.exit(main())
