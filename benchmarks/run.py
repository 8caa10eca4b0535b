"""Every target of speed in one table: what was asked for, what was measured now and here, and whether it was met.

    python -m benchmarks.run [--peers PYTHON] [--only engine|studies|reference|check|commands]

Peers are measured in an environment of their own (`make bench` makes `.venv-bench`); one that cannot be run is said to be
missing. Times are processor seconds, so that other programs on the machine count little.
"""

from __future__ import annotations

import argparse
import os
import platform
from importlib.metadata import version
from pathlib import Path

from benchmarks import check_speed, commands, engine, exact_versus_float, studies
from benchmarks.figures import Figure

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("engine", "studies", "reference", "check", "commands")


def processor() -> str:
    """The name of the processor, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", default=str(ROOT / ".venv-bench/bin/python"), help="their interpreter")
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; may be given several times")
    arguments = parser.parse_args()
    parts = {
        "engine": lambda: engine.figures(arguments.peers),
        "studies": studies.figures,
        "reference": exact_versus_float.figures,
        "check": check_speed.figures,
        "commands": commands.figures,
    }
    tools = ", ".join([f"python {platform.python_version()}", *(f"{n} {version(n)}" for n in ("numpy", "numba"))])
    print(f"{processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {tools}")
    found: list[Figure] = []
    for part in arguments.only or PARTS:
        print(f"\n{part}")
        for figure in parts[part]():
            print(figure.line(), flush=True)
            found.append(figure)
    asked = [figure for figure in found if figure.goal is not None]
    missed = [figure.subject for figure in asked if figure.verdict != "met"]
    print(
        f"\n{len(asked) - len(missed)} of {len(asked)} targets met"
        + (f"; not met: {'; '.join(missed)}" if missed else "")
    )


if __name__ == "__main__":
    main()
