"""Hypothesis profiles: `dev` while writing, `ci` for `make test`, `nightly` for long searches.

The nightly profile draws new examples each time and keeps what it finds in a database; a bug that it found is pinned
with `@example` in its test.
"""

import gc
import math
import os
import signal
from collections.abc import Callable
from functools import wraps
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

from bufalu.commands import doctor, terminal
from bufalu.oracle import processes, program
from bufalu.properties.runs.search import no_constants_of_modules
from bufalu.properties.smt import solver
from tests.order import place
from tests.skips import LEFT_TO_LONG, LONG, closing_line

settings.register_profile("dev", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "ci", max_examples=80, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "nightly",
    max_examples=int(os.environ.get("NIGHTLY_EXAMPLES", "5000")),
    deadline=None,
    derandomize=False,
    print_blob=True,
    database=DirectoryBasedExampleDatabase(".hypothesis/examples"),
    suppress_health_check=[HealthCheck.too_slow],
)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A job in the background ignores Ctrl-C and hands that down; the tests that press it need programs that listen.
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    # So does `nohup` with a hang-up: what the tests start must heed it, while the tests themselves still ignore it.
    signal.signal(signal.SIGHUP, lambda _number, _frame: None)

# What the tests keep for their next run (answers of Coq, above all) stays in this clone: a fresh one asks for everything.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "caches")

# Pages and pictures bear a date: this one, so that what a test makes twice is the same when midnight comes between.
os.environ["SOURCE_DATE_EPOCH"] = "1800000000"

FIRST_LINE = terminal._FIRST_LINE
"""After how many seconds a command says how far it is; in these tests none does, unless its clock is the test's own."""

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "dev")
settings.load_profile(PROFILE)


def patient(waiting: Callable[..., object]) -> Callable[..., object]:
    """A function that waits up to its last argument, here for as long as a test may take."""
    return wraps(waiting)(lambda awaited, _: waiting(awaited, 600.0))


def pytest_configure(config):
    """Keep Hypothesis from drawing constants of whatever test modules are loaded: one test must not change another.

    And wait: a program that is slow because the machine is busy is no program that hangs, and a command that takes ten
    seconds because of it says no more than one that does not.
    """
    processes.PATIENCE = program.LAST_WORDS = doctor.SECONDS_TO_ANSWER = 600.0
    solver.DEFAULT_MILLISECONDS = 600_000
    terminal._FIRST_LINE = math.inf
    program.answered_within = patient(program.answered_within)
    program.ended_within = patient(program.ended_within)
    kept_away = no_constants_of_modules()
    kept_away.__enter__()
    config.add_cleanup(lambda: kept_away.__exit__(None, None, None))


def pytest_collection_modifyitems(config, items):
    """Long files first; leave out what is marked nightly, and skip what is long by nature, unless somebody asks for it.

    To name a test, or a marker, is to ask for it.
    """
    items.sort(key=place)
    if PROFILE != "nightly":
        named = any("::" in argument for argument in config.args)
        left = {marker for marker in LONG if marker not in config.option.markexpr and not named}
        for item in items:
            if left.intersection(marker.name for marker in item.iter_markers()):
                # First, since what the test lacks besides would enable nothing here.
                item.add_marker(pytest.mark.skip(reason=LEFT_TO_LONG), append=False)
        if "coq" in left:
            # An audit in another test then says what it says without Coq, be it installed or not.
            os.environ["COQC"] = "a-compiler-that-is-not-asked"
        left_out = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]


def pytest_collection_finish():
    """What is loaded by now stays: no search for garbage looks at it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_terminal_summary(terminalreporter):
    """Say in one line what was skipped for want of what."""
    skipped = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", ())]
    if skipped:
        terminalreporter.write_line(closing_line(skipped))
