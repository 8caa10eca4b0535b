"""`bufalu doctor`: which parts are installed, what the others would add, and which versions differ from the pinned ones."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bufalu._version import __version__
from bufalu.commands import options
from bufalu.commands.terminal import show
from bufalu.pages.doctor_text import PartRow, doctor_lines
from bufalu.pages.text import Line

HELP = """\
Say which parts are installed, and what each missing one would add.

Everything optional may be missing: what needs it then reports NOT RUN, and nothing else changes. Another version than the
pinned one, with which everything was seen to pass, is said and is no failure. Exit code 1 means that a package is missing
without which bufalu does not work."""

EXAMPLE = """\
  bufalu doctor
  bufalu doctor --json"""

SECONDS_TO_ANSWER = 30

PINS = Path(__file__).resolve().parents[1] / "pins.txt"
"""The versions with which everything was seen to pass, as constraints for pip; behind a # what pip does not install."""

BUILDS_ALONE = frozenset({"setuptools"})
"""Packages that only build others, and are left out: every new environment of Python 3.11 has an old setuptools."""


@dataclass(frozen=True)
class Package:
    """A Python package: the name that is imported, the name that is installed."""

    name: str
    module: str
    adds: str
    required: bool = False

    @property
    def install(self) -> str:
        """The command that installs the package."""
        return f"pip install {self.name}"

    def found(self) -> str | None:
        """The version of the package if it can be imported, else None."""
        try:
            importlib.import_module(self.module)
        except (ImportError, OSError):
            # OSError: the package is there and its shared library is not.
            return None
        try:
            return version(self.name)
        except PackageNotFoundError:
            return "of unknown version"


@dataclass(frozen=True)
class ExternalTool:
    """A program on the path: the names it goes by, and an environment variable that names another one."""

    name: str
    commands: tuple[str, ...]
    adds: str
    install: str
    variable: str | None = None
    required: bool = False

    def found(self) -> str | None:
        """The version of the program if it starts, else None."""
        chosen = os.environ.get(self.variable) if self.variable is not None else None
        for command in (chosen,) if chosen else self.commands:
            path = shutil.which(command)
            if path is None:
                continue
            try:
                answer = subprocess.run(
                    [path, "--version"], capture_output=True, text=True, timeout=SECONDS_TO_ANSWER, check=True
                ).stdout
            except (OSError, subprocess.SubprocessError):
                continue
            number = re.search(r"\d+(\.\d+)+", answer)
            return number.group() if number else "of unknown version"
        return None


PARTS: tuple[Package | ExternalTool, ...] = (
    Package("numpy", "numpy", "arrays for the law and the experiments", required=True),
    Package("sympy", "sympy", "the formulas of the bounds and the algebraic checks", required=True),
    Package("python-flint", "flint", "rigorous enclosures of real numbers", required=True),
    Package("hypothesis", "hypothesis", "the search for counterexamples", required=True),
    Package("jsonschema", "jsonschema", "schema checks of test vectors", required=True),
    Package("latex2mathml", "latex2mathml", "typeset mathematics in the report", required=True),
    Package("Jinja2", "jinja2", "pages: reports, traces and studies as HTML", required=True),
    Package(
        "z3-solver",
        "z3",
        "audit: proofs for every number of arms, and proofs about the code (kinds SMT and SYMBOLIC)",
    ),
    Package(
        "cvc5",
        "cvc5",
        "audit --profile full: a second solver's opinion on each lemma",
    ),
    ExternalTool(
        "coq",
        ("coqc",),
        "audit: proofs checked by the Coq kernel (kind COQ); make proofs",
        "apt-get install coq",
        variable="COQC",
    ),
    Package(
        "numba",
        "numba",
        "compare, reproduce: the experiments at full speed; audit: REPRODUCED verdicts",
    ),
    Package(
        "matplotlib",
        "matplotlib",
        "compare, reproduce figures, bounds --plot: the figures as PNG, SVG and PDF",
    ),
    Package("pyarrow", "pyarrow", "compare --out: every run as Parquet"),
    Package("distributed", "distributed", "compare --cluster: studies on Dask"),
    ExternalTool(
        "chromium",
        ("chromium", "chromium-browser", "google-chrome"),
        "make long: the pages tried in a real browser",
        "apt-get install chromium",
    ),
    ExternalTool(
        "node",
        ("node", "nodejs"),
        "make test: the scripts of the pages, and programs in JavaScript",
        "apt-get install nodejs",
    ),
)
"""Required packages first, then what is optional, in the order in which a newcomer would want it."""

Findings = list[tuple[Package | ExternalTool, str | None]]
"""Every part with its version, None where it is missing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `doctor`."""
    options.add_json(parser)


def pinned() -> dict[str, str]:
    """The pinned versions by name."""
    return dict(re.findall(r"^(?:# )?([\w.-]+)==(\S+)$", PINS.read_text(encoding="utf-8"), re.MULTILINE))


@dataclass(frozen=True)
class OtherVersion:
    """Something that is installed in another version than the pinned one."""

    name: str
    version: str
    pinned: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} (pinned: {self.pinned})"


def differences(found: Findings, pins: dict[str, str]) -> list[OtherVersion]:
    """Where this installation differs from the pins, packages of packages included; what is missing does not differ."""
    installed = {part.name: number for part, number in found if number is not None}
    parts = {part.name for part in PARTS}
    for name in pins.keys() - parts - BUILDS_ALONE:
        try:
            installed[name] = version(name)
        except PackageNotFoundError:
            continue
    return [
        OtherVersion(name, installed[name], pin)
        for name, pin in pins.items()
        if name in installed and installed[name] != pin
    ]


def part_rows(found: Findings, pins: dict[str, str]) -> list[PartRow]:
    """The findings with their pins."""
    return [
        PartRow(part.name, part.required, number, pins.get(part.name), part.adds, part.install)
        for part, number in found
    ]


def run(arguments: argparse.Namespace) -> int:
    """Tries every part by importing or starting it; 1 if a required one is missing."""
    found = [(part, part.found()) for part in PARTS]
    pins = pinned()
    if arguments.json:
        print(json.dumps(as_json(found, pins), indent=2))
    else:
        print(f"bufalu {__version__}, Python {platform.python_version()} on {platform.system()}")
        show(as_lines(found, pins))
    return 1 if any(part.required and number is None for part, number in found) else 0


def as_json(found: Findings, pins: dict[str, str]) -> dict[str, object]:
    """The findings for machines."""
    return {
        "bufalu": __version__,
        "python": platform.python_version(),
        "parts": [row._asdict() for row in part_rows(found, pins)],
        "differences": [asdict(difference) for difference in differences(found, pins)],
    }


def as_lines(found: Findings, pins: dict[str, str]) -> Iterator[Line]:
    """The findings for people."""
    return doctor_lines(part_rows(found, pins), list(map(str, differences(found, pins))), pins["coq"])
