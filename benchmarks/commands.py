"""What people wait for: the commands of the command line, in processor seconds."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.figures import MOST_SECONDS, Measurement, command_cost, command_seconds
from bufalu.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
BUFALU = (sys.executable, "-m", "bufalu")
MEANS = "1/4,1/4,1/4,1/4,1/2"


def figures(tests: bool = False) -> Iterator[Measurement]:
    """Start-up, and the long commands; `make test`, which takes minutes, only if asked for."""
    python = best([sys.executable, "-c", "pass"])
    for option in ("--help", "--version"):
        milliseconds = 1000 * (best([*BUFALU, option]) - python)
        yield Measurement(f"bufalu {option}, beyond `python -c pass`", milliseconds, "ms", 80.0)
    slowest = max((1000 * best([*BUFALU, name, "--help"]), name) for name in COMMANDS)
    yield Measurement("the slowest help of a command", slowest[0], "ms", 150.0, note=slowest[1])
    with tempfile.TemporaryDirectory() as folder:
        yield from about_traces(Path(folder))
        yield from about_numbers(Path(folder))
        yield cold_audit(Path(folder))
    yield own_tests(tests)


def about_traces(folder: Path) -> Iterator[Measurement]:
    """A million rounds written, checked with the claims, explained."""
    run = ("simulate", "--means", MEANS, "--epsilon", "power:1/4", "--horizon")
    npz, lines = folder / "t.npz", folder / "t.jsonl"
    yield timed("simulate 10^7 rounds to NPZ", [*run, "10000000", "--out", str(npz)], 5.0)
    subprocess.run([*BUFALU, *run, "1000000", "--out", str(lines)], check=True, stdout=subprocess.DEVNULL)
    plain, claims = seconds(["check", str(lines)]), seconds(["check", str(lines), "--means", MEANS])
    known = plain is not None and claims is not None
    note = f"{claims:.2f} against {plain:.2f} s" if known else "failed"
    yield Measurement("check --means / check, 10^6 rounds", claims / plain if known else None, "x", 10.0, note=note)
    page = folder / "t.html"
    yield timed("explain 10^6 rounds", ["explain", str(lines), "--html", str(page)], 10.0)
    size = page.stat().st_size / 1e6 if page.exists() else None
    yield Measurement("the page of 10^6 rounds", size, "MB", 5.0)


def about_numbers(folder: Path) -> Iterator[Measurement]:
    """Laws and bounds."""
    law = ("law", "--epsilon", "power:1/4", "--horizon")
    yield timed("law, K = 2, T = 200", [*law, "200", "--means", "1/4,1/2"], 10.0)
    yield timed("law, K = 3, T = 80", [*law, "80", "--means", "1/4,1/4,1/2"], 60.0)
    epsilons = folder / "epsilons.txt"
    epsilons.write_text("".join(f"{1 / (t + 1):.6f}\n" for t in range(10**6)))
    bounds = ["bounds", "--means", MEANS, "--horizon", "1000000", "--epsilon", f"file:{epsilons}"]
    yield timed("bounds with 10^6 epsilons from a file", bounds, 3.0)


def cold_audit(folder: Path) -> Measurement:
    """The quick audit with no build of the proofs to recall, by the clock: its two processes must be kept busy too."""
    subject = "the quick audit on two cores, Coq's results cold, by the clock"
    if shutil.which("coqc") is None:
        return Measurement(subject, None, "s", 45.0, note="no coqc")
    try:
        spent = command_cost([*BUFALU, "audit", "--workers", "2"], {"XDG_CACHE_HOME": str(folder / "cache")})
    except subprocess.SubprocessError:
        return Measurement(subject, None, "s", 45.0, note="failed")
    reason = "the one run of Coq, compiling the engine and the policies' code on symbolic reals take a quarter each"
    return Measurement(
        subject, spent.clock, "s", 45.0, note=f"{spent.processor:.0f} s of processor time", reason=reason
    )


def own_tests(wanted: bool) -> Measurement:
    """`make test` by the clock."""
    subject = "make test on two cores, by the clock"
    if not wanted:
        return Measurement(subject, None, "min", 5.0, note="asked for with --tests")
    start = time.perf_counter()
    done = subprocess.run(["make", "test", "WORKERS=2"], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    minutes = (time.perf_counter() - start) / 60
    if done.returncode != 0:
        return Measurement(subject, None, "min", 5.0, note="failed")
    reason = "hundreds of short files take most of it; what is long by nature is left to make long"
    return Measurement(subject, minutes, "min", 5.0, reason=reason)


def timed(subject: str, arguments: Sequence[str], goal: float) -> Measurement:
    found = seconds(arguments)
    return Measurement(
        subject, found, "s", goal, note="" if found is not None else f"failed, or took over {MOST_SECONDS} s"
    )


def seconds(arguments: Sequence[str]) -> float | None:
    try:
        return command_seconds([*BUFALU, *arguments])
    except subprocess.SubprocessError:
        return None


def best(command: Sequence[str]) -> float:
    """The least of several runs; the first one reads the files in."""
    return min(command_seconds(command) for _ in range(5))
