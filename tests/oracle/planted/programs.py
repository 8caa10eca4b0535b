"""Reads the lists of planted changes, applies one to its example program, and builds what comes out."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[2] / "examples"


@dataclass(frozen=True)
class PlantedChange:
    """One planted change: its group (a class of defects, or a program for the correct variants) and its edits."""

    id: str
    group: str
    about: str
    program: str
    edits: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    flags: tuple[str, ...] = ("-O2",)

    def source(self) -> str:
        """The example with every edit made; each run of removed lines must stand in it exactly once."""
        lines = (EXAMPLES / self.program).read_text(encoding="utf-8").splitlines()
        for removed, added in self.edits:
            bare = [line.strip() for line in lines]
            places = [i for i in range(len(bare)) if tuple(bare[i : i + len(removed)]) == removed]
            if len(places) != 1:
                raise ValueError(f"{self.id}: {removed[0]!r} stands {len(places)} times in {self.program}")
            lines[places[0] : places[0] + len(removed)] = added
        return "\n".join(lines) + "\n"

    def build(self, folder: Path) -> list[str]:
        """Writes and compiles the program; returns the command that runs it."""
        path = folder / f"{self.id}{Path(self.program).suffix}"
        path.write_text(self.source(), encoding="utf-8")
        if path.suffix == ".js":
            return ["node", str(path)]
        binary = path.with_suffix("")
        subprocess.run(["cc", "-std=c99", *self.flags, "-o", str(binary), str(path), "-lm"], check=True)
        return [str(binary)]


@dataclass
class _Draft:
    id: str
    about: str
    edits: list[tuple[list[str], list[str]]] = field(default_factory=list)
    flags: tuple[str, ...] = ("-O2",)


def missing_tool(program: str) -> str | None:
    """The tool that an example needs and this machine lacks, if any."""
    tool = "node" if program.endswith(".js") else "cc"
    return None if shutil.which(tool) else tool


def defects() -> list[PlantedChange]:
    """All planted defects, those in C first."""
    return _read("c.txt", "bufalu.c") + _read("js.txt", "bufalu.js")


def correct_variants() -> list[PlantedChange]:
    """All changes that must be accepted; their group is the program."""
    return _read("correct.txt", None)


def _read(name: str, program: str | None) -> list[PlantedChange]:
    text = (HERE / name).read_text(encoding="utf-8")
    changes: list[PlantedChange] = []
    for section in text.split("\n= ")[1:]:
        group, *lines = section.splitlines()
        for draft in _drafts(lines):
            edits = tuple((tuple(old), tuple(new)) for old, new in draft.edits)
            changes.append(PlantedChange(draft.id, group, draft.about, program or group, edits, draft.flags))
    return changes


def _drafts(lines: list[str]) -> list[_Draft]:
    drafts: list[_Draft] = []
    last = ""
    for line in lines:
        if not line.strip():
            continue
        mark, rest = line[0], line[2:].strip()
        if mark == "-":
            if last != "-":
                drafts[-1].edits.append(([], []))
            drafts[-1].edits[-1][0].append(rest)
        elif mark == "+":
            drafts[-1].edits[-1][1].append(rest)
        elif mark == "!":
            drafts[-1].flags = tuple(rest.split())
        else:
            identifier, about = line.split(maxsplit=1)
            drafts.append(_Draft(identifier, about))
        last = mark if mark in "-+!" else ""
    return drafts
