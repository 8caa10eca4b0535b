"""Through which files of the package a command goes."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType


def files_passed(run: Callable[[], int]) -> set[str]:
    """The files with a function that is called when a command runs for the second time, all of it being loaded."""
    package = Path(sys.modules["bufalu"].__path__[0])
    seen: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        called = Path(frame.f_code.co_filename)
        if event == "call" and called.is_relative_to(package):
            seen.add(called.relative_to(package).as_posix())

    assert run() == 0
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        assert run() == 0
    finally:
        sys.setprofile(before)
    return seen
