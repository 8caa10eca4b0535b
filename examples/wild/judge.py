"""Judges UCBs of other people's libraries with the oracle, and writes the table of docs/wild.md.

    python examples/wild/judge.py [--write] [--only PACKAGE]

Each library gets an environment of its own below .venv-wild/. One that cannot be installed has a row that says so.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ENVIRONMENTS = ROOT / ".venv-wild"
PAGE = ROOT / "docs" / "wild.md"
BEGIN, END = "<!-- written by make wild: begin -->", "<!-- end -->"
EFFORT = ("--examples", "2", "--rounds", "200", "--arms", "4", "--timeout", "120")


@dataclass(frozen=True)
class WildPackage:
    """A package in the version that was looked at, and what has to be installed beside it."""

    package: str
    version: str
    beside: tuple[str, ...] = ()
    npm: bool = False

    @property
    def folder(self) -> Path:
        """Where it is installed."""
        return ENVIRONMENTS / (f"npm-{self.package}" if self.npm else self.package)

    def program(self, adapter: str) -> list[str]:
        """The command that runs an adapter with the library."""
        if self.npm:
            return ["node", str(HERE / adapter), str(self.folder)]
        return [str(self.folder / "bin" / "python"), str(HERE / adapter)]

    def installed(self) -> bool:
        """Whether this very version is there."""
        if self.npm:
            told = self.folder / "node_modules" / self.package / "package.json"
            return told.is_file() and json.loads(told.read_text())["version"] == self.version
        ask = f"from importlib.metadata import version; print(version({self.package!r}))"
        try:
            run = subprocess.run([*self.program("")[:1], "-c", ask], check=False, capture_output=True, text=True)
        except OSError:
            return False
        return run.stdout.strip() == self.version

    def install(self) -> None:
        """Installs it; raises `CalledProcessError` if that fails."""
        if self.npm:
            self.folder.mkdir(parents=True, exist_ok=True)
            wanted = f"{self.package}@{self.version}"
            subprocess.run(["npm", "install", "--silent", "--prefix", str(self.folder), wanted], check=True)
            return
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(self.folder)], check=True)
        pip = [str(self.folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, f"{self.package}=={self.version}", *self.beside], check=True)


@dataclass(frozen=True)
class Usage:
    """One way to use a library: its adapter with options, the convention that it is held to, and a remark."""

    library: WildPackage
    what: str
    adapter: str
    convention: str
    remark: str
    options: tuple[str, ...] = ()

    @property
    def program(self) -> list[str]:
        """The program that the oracle drives."""
        return [*self.library.program(self.adapter), *self.options]


SMPYBANDITS = WildPackage("SMPyBandits", "0.9.7", ("numpy<1.27", "scipy<1.12"))
MABWISER = WildPackage("mabwiser", "2.7.4")
RIVER = WildPackage("river", "0.26.1")
MABBY = WildPackage("mabby", "0.1.2")
PYMAB = WildPackage("pymab", "2.0.1")
NPM_UCB = WildPackage("ucb", "3.0.1", npm=True)
COBA = WildPackage("coba", "8.1.0")
STRIATUM = WildPackage("striatum", "0.2.5")
SLOTS = WildPackage("slots", "0.4.0")

BEFORE = "hoeffding:2:before"
CASES = (
    Usage(SMPYBANDITS, "`UCB`", "smpybandits_ucb.py", BEFORE, "arms numbered by first play"),
    Usage(MABWISER, "`UCB1(alpha=1)`", "mabwiser_ucb1.py", BEFORE, "once it is fitted with a reward of every arm"),
    Usage(NPM_UCB, "`Algorithm` (npm)", "npm_ucb.js", BEFORE, ""),
    Usage(PYMAB, "`UCBPolicy()`", "pymab_ucb.py", "hoeffding:2", "the one library here with ln t"),
    Usage(MABBY, "`UCB1Strategy(alpha=1)`", "mabby_ucb1.py", "hoeffding:1:before", "UCB1 is `alpha=sqrt(2)`"),
    Usage(RIVER, "`bandit.UCB(delta=1)`", "river_ucb.py", BEFORE, "arms numbered by first play"),
    Usage(
        RIVER,
        "`bandit.UCB(delta=1, reward_obj=proba.Gaussian())`",
        "river_ucb.py",
        BEFORE,
        "[no exploration](#river)",
        ("--distribution",),
    ),
    Usage(COBA, "`BanditUCBLearner`", "coba_ucb.py", "hoeffding:1/4:before", "[the first reward is lost](#coba)"),
    Usage(STRIATUM, "`UCB1`", "striatum_ucb1.py", BEFORE, "[an invented reward](#striatum)"),
    Usage(SLOTS, "`ucb`", "slots_ucb.py", BEFORE, "[a random start, a smoothed mean](#slots)"),
)


def conform(case: Usage, *effort: str) -> tuple[int, dict]:
    """The exit code and the verdict of `bufalu conform` on a case."""
    found = ENVIRONMENTS / "counterexample.jsonl"
    command = [sys.executable, "-m", "bufalu", "conform", "--json", "--out", str(found), *effort, "--", *case.program]
    run = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    if run.returncode not in (0, 1):
        raise SystemExit(f"{case.adapter} could not be judged:\n{run.stdout}{run.stderr}")
    return run.returncode, json.loads(run.stdout)


def row(case: Usage) -> str:
    """A line of the table: installs the library where it is missing, and judges it."""
    first = f"| {case.library.package} {case.library.version}, {case.what} "
    first += f"| [{case.adapter}](../examples/wild/{case.adapter}) | `{case.convention}` |"
    try:
        if not case.library.installed():
            case.library.install()
    except (OSError, subprocess.CalledProcessError):
        return f"{first} not judged: it could not be installed | |"
    _, told = conform(case, *EFFORT)
    verdict = f"{told['verdict']}: {told['settings'][0]['runs']} runs, {told['rounds']:,} rounds"
    if told["first_divergence"] is not None:
        named = ", ".join(f"`{bug['id']}`" for bug in told["likely_bugs"])
        verdict = f"{told['verdict']} in round {told['first_divergence']['round']}"
        verdict += f" of the smallest run; likely {named}" if named else " of the smallest run"
    return f"{first} {verdict} | {case.remark} |"


def with_rows(page: str, rows: list[str]) -> str:
    """The page with these lines between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise SystemExit(f"{PAGE} has lost the marks of its table")
    head = ["| library | adapter | judged as | verdict | remark |", "|---|---|---|---|---|"]
    return before + "\n".join([BEGIN, *head, *rows, END]) + after


def main() -> None:
    """Judges every case, prints its row, and writes the page where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the table into docs/wild.md")
    parser.add_argument("--only", metavar="PACKAGE", help="judge one library, and print")
    chosen = parser.parse_args()
    if chosen.write and chosen.only:
        parser.error("the page has the verdicts of one run of everything: give --write without --only")
    rows = []
    for case in CASES:
        if chosen.only in (None, case.library.package):
            rows.append(row(case))
            print(rows[-1], flush=True)
    if chosen.write:
        PAGE.write_text(with_rows(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")


if __name__ == "__main__":
    main()
