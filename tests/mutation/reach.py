"""A pytest plugin: which of our functions does each test enter, and which tests shall run, the quickest first.

With `MUTATION_RECORD=FILE` a test run writes there, for each test, its seconds and the functions that it entered. With
`MUTATION_CHOICE=FILE` only the tests that the file names run, in its order.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from types import CodeType, FrameType

import pytest

ROOT = Path(__file__).resolve().parents[2]

Reach = dict[str, tuple[float, list[str]]]
"""For each test its seconds and the functions that it entered, each as `path | place`."""

_ENTERED: set[CodeType] = set()
_RECORD: Reach = {}


def _noted(frame: FrameType, event: str, argument: object) -> None:
    _ENTERED.add(frame.f_code)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None]:
    """Notes what a test enters, its fixtures included."""
    if "MUTATION_RECORD" not in os.environ:
        yield
        return
    _ENTERED.clear()
    start = time.monotonic()
    threading.settrace(_noted)
    sys.settrace(_noted)
    yield
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type] # None takes the function away, as in sys.settrace.
    _RECORD[item.nodeid] = (time.monotonic() - start, sorted(set(functions(_ENTERED))))


def functions(codes: Iterable[CodeType]) -> Generator[str]:
    """`path | place` of each code object that is ours, in the words of `Slip`."""
    for code in codes:
        if not code.co_filename.startswith(str(ROOT)):
            continue
        path = Path(code.co_filename).resolve()
        inner = [part for part in code.co_qualname.split(".") if not part.startswith("<")]
        if path.is_relative_to(ROOT):
            yield f"{path.relative_to(ROOT)} | {'.'.join(inner) or 'module'}"


def pytest_sessionfinish() -> None:
    """Writes the record."""
    if "MUTATION_RECORD" in os.environ:
        Path(os.environ["MUTATION_RECORD"]).write_text(json.dumps(_RECORD, indent=1), encoding="utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps the chosen tests, in the order of the choice; tests that the record does not know come first."""
    if "MUTATION_CHOICE" in os.environ:
        order = json.loads(Path(os.environ["MUTATION_CHOICE"]).read_text(encoding="utf-8") or "{}")
        items[:] = sorted(
            (item for item in items if order.get(item.nodeid, 0) >= 0), key=lambda i: order.get(i.nodeid, 0)
        )


def choice(reach: Reach, path: str, place: str, files: Sequence[str]) -> dict[str, float]:
    """For each recorded test of some files its place in the order: its seconds if it enters the function, else -1.

    What no test enters (compiled code, what runs when a module is loaded) is tried by all that enter the module, and
    if there are none, by all.
    """
    known = {test: entry for test, entry in reach.items() if test.split("::")[0] in files}

    def entering(wanted: str) -> dict[str, float]:
        found = {
            test: seconds for test, (seconds, entered) in known.items() if any(f.startswith(wanted) for f in entered)
        }
        return {test: found.get(test, -1.0) for test in known} if found else {}

    everything = {test: seconds for test, (seconds, _) in known.items()}
    return entering(f"{path} | {place}") or entering(f"{path} | ") or everything
