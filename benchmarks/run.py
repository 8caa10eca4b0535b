"""Every target of speed in one table: what was asked for, what was measured now and here, and whether it was met.

    python -m benchmarks.run [--peers PYTHON] [--only engine|studies|reference|check|journal|commands] [--tests] [--write]

Peers are measured in an environment of their own (`make bench` makes `.venv-bench`); one that cannot be run is said to be
missing. Times are processor seconds, so that other programs on the machine count little, unless a line says "by the clock".
"""

from __future__ import annotations

import argparse
import os
import platform
from importlib.metadata import version
from pathlib import Path

from benchmarks import check_speed, commands, engine, exact_versus_float, journal, studies
from benchmarks.figures import Measurement, with_table
from bufalu.experiments.engine.vectors import vector_features

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("engine", "studies", "reference", "check", "journal", "commands")


def processor() -> str:
    """The name of the processor, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


VECTORS = ("sse4.2", "avx", "avx2", "fma", "avx512f", "avx512dq", "avx512vl", "neon", "sve")


def vectors() -> str:
    """What the processor that is compiled for has for vectors: what the speed of the engine depends on most."""
    has = [name for name in VECTORS if f"+{name}" in vector_features()]
    return f"vectors: {' '.join(has) or 'none that we know'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", default=str(ROOT / ".venv-bench/bin/python"), help="their interpreter")
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; may be given several times")
    parser.add_argument("--tests", action="store_true", help="run `make test` as well, for its time")
    parser.add_argument("--write", action="store_true", help="write the table into docs/speed.md; needs every part")
    arguments = parser.parse_args()
    if arguments.write and arguments.only:
        parser.error("the page has the figures of one run of everything: give --write without --only")
    parts = {
        "engine": lambda: engine.figures(arguments.peers),
        "studies": studies.figures,
        "reference": exact_versus_float.figures,
        "check": check_speed.figures,
        "journal": journal.figures,
        "commands": lambda: commands.figures(arguments.tests),
    }
    tools = ", ".join([f"python {platform.python_version()}", *(f"{n} {version(n)}" for n in ("numpy", "numba"))])
    machine = f"{processor()}, {os.cpu_count()} cores, {vectors()}, load {os.getloadavg()[0]:.1f}; {tools}"
    print(machine)
    found: list[Measurement] = []
    for part in arguments.only or PARTS:
        print(f"\n{part}")
        for figure in parts[part]():
            print(figure.line(), flush=True)
            found.append(figure)
    asked = [figure for figure in found if figure.goal is not None]
    missed = [figure.subject.strip() for figure in asked if figure.verdict != "met"]
    summary = f"{len(asked) - len(missed)} of {len(asked)} targets met"
    summary += f"; not met: {'; '.join(missed)}" if missed else ""
    print(f"\n{summary}")
    if arguments.write:
        place = ROOT / "docs" / "speed.md"
        page = with_table(place.read_text(encoding="utf-8"), f"{machine}. {summary}.", found)
        place.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
