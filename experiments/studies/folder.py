"""The folder of a study: one study and one program at a time, its pieces, and the files that are made of them."""

from __future__ import annotations

import csv
import io
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from bufalu.experiments.studies.columns import cell_record, curve_columns, seed_columns, write_parquet
from bufalu.experiments.studies.errors import UnusableFolder
from bufalu.experiments.studies.running import StudyRuns
from bufalu.experiments.studies.store import UNFINISHED, Folder, write_whole
from bufalu.experiments.studies.study import Study
from bufalu.experiments.studies.summary import StudySummary

FORMAT = "bufalu-study"
VERSION = 1
OTHERS_LEAVE = 3.0
"""Seconds to wait for another program in the folder: one that was killed may take a moment to be gone."""


class StudyFolder:
    """A folder that holds this study, or nothing yet. More seeds of the same study are welcome; another study raises
    `UnusableFolder`, and so does a folder that another program is working in.
    """

    def __init__(self, path: Path, study: Study) -> None:
        self.path = path
        self._study = study
        self._refuse_another()
        self.store = Folder(path / "pieces")

    def _refuse_another(self) -> None:
        """Looks at what the folder holds; results of other seeds go, so that nothing there contradicts the new ones."""
        description = self.path / "study.json"
        ours = self._study.document()
        if not description.exists():
            write_whole(description, as_json(ours))
            return
        try:
            held = json.loads(description.read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise UnusableFolder(f"cannot read {description}: {problem}") from None
        if not isinstance(held, dict) or _identity(held) != _identity(ours):
            raise UnusableFolder(f"{self.path} holds another study ({description}): give another folder")
        if held != ours:
            for name in ("results.parquet", "curves.parquet", "summary.csv", "summary.json", "study.html"):
                (self.path / name).unlink(missing_ok=True)
            for picture in (self.path / "pictures").glob("*.*"):
                picture.unlink()
            write_whole(description, as_json(ours))

    def write_numbers(self, runs: StudyRuns, summary: StudySummary) -> list[Path]:
        """The rows and curves as Parquet, the summary as CSV and JSON; gives their paths."""
        written = [self.path / name for name in ("results.parquet", "curves.parquet", "summary.csv", "summary.json")]
        write_file(written[0], lambda path: write_parquet(path, (seed_columns(runs, cell) for cell in runs.cells)))
        write_file(written[1], lambda path: write_parquet(path, map(curve_columns, summary.cells)))
        records = [cell_record(found) for found in summary.cells]
        write_whole(written[2], as_csv(records))
        document = {
            "format": FORMAT,
            "version": VERSION,
            "study": self._study.document(),
            "difference_level": summary.difference_level,
            "cells": records,
        }
        write_whole(written[3], as_json(document))
        return written


def _identity(document: dict[str, object]) -> dict[str, object]:
    """What makes a study that study: neither how many seeds nor how its instances are called (0.13,0.5 or 13/100,1/2)."""
    instances = document.get("instances")
    return {
        **document,
        "seeds": None,
        "instances": [*instances.values()] if isinstance(instances, dict) else instances,
    }


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keeps other programs out of a folder; raises `UnusableFolder` if one is in it. A dead program holds nothing."""
    if path.is_file():
        raise UnusableFolder(f"{path} is a file: a study is kept in a folder of its own")
    try:
        path.mkdir(parents=True, exist_ok=True)
        handle = os.open(path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as problem:
        raise UnusableFolder(f"cannot use {path}: {problem.strerror}") from None
    try:
        _lock(handle, path)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, path: Path) -> None:
    try:
        import fcntl
    except ImportError:
        return  # no such locks on this system: two programs in one folder do the same work twice, and no harm
    deadline = time.monotonic() + OTHERS_LEAVE
    while True:
        try:
            # Record locks belong to this process alone: workers that outlive it for a moment do not hold them.
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > deadline:
                raise UnusableFolder(f"another program is working in {path}") from None
            time.sleep(0.05)
        else:
            return


def write_file(path: Path, write: Callable[[Path], object]) -> None:
    """Lets `write` make a file beside `path`, and puts it under its name when it is whole."""
    temporary = path.with_name(f"{UNFINISHED}{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(temporary)
        os.replace(temporary, path)
    except OSError as problem:
        raise UnusableFolder(f"cannot write {path}: {problem.strerror or problem}") from None
    finally:
        temporary.unlink(missing_ok=True)


def as_json(document: Mapping[str, object]) -> bytes:
    """JSON for people and programs, the same bytes for the same content."""
    return json.dumps(document, indent=1, allow_nan=False).encode() + b"\n"


def as_csv(records: Sequence[Mapping[str, object]]) -> bytes:
    """One row a record; lists become words separated by spaces, None an empty cell."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(records[0]), lineterminator="\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: plain(value) for name, value in record.items()})
    return stream.getvalue().encode()


def plain(value: object) -> object:
    """A value as a cell."""
    if isinstance(value, list | tuple):
        return " ".join(str(item) for item in value)
    return "" if value is None else value
