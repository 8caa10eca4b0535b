"""The names of the tests are the same in every process: workers that collect different names stop before a test ran."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.order import LONGEST_FIRST

ROOT = Path(__file__).resolve().parents[2]


def test_no_test_is_named_after_bytes(request):
    """Bytes in a name often come from a compressor, a clock or a hash, which say something else the next time."""
    named = [
        item.nodeid
        for item in request.session.items
        for value in getattr(getattr(item, "callspec", None), "params", {}).values()
        if isinstance(value, bytes) and not value.isascii() and repr(value)[2:-1] in item.nodeid
    ]
    assert named == []


def test_files_that_come_first_are_there():
    assert [name for name in LONGEST_FIRST if not (ROOT / "tests" / name).is_file()] == []


@pytest.mark.nightly
def test_two_processes_collect_the_same_names():
    """At two moments, with two seeds of `hash`."""
    collected = [
        subprocess.run(
            [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert collected[0] == collected[1]
    assert collected[0].count(".py: ") > 100
