"""A pytest plugin: which lines does each test run, and how much processor time does it take; which tests shall run, and
in which order.

With `MUTATION_RECORD=FILE` a test run writes there what its tests reached. With `MUTATION_CHOICE=FILE` only the tests
that the file names run, in its order, and a test that takes far longer than it should ends the run: with `SIGPROF` if it
computes, with `SIGALRM` if it waits. The run ends with `OUT_OF_TIME` where its processor time is over before its tests.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("reference", "bounds", "doubles", "law", "live", "oracle", "experiments")
"""Where lines are looked at."""

LOOKED_AT = 2.0
"""For so many seconds of a test; what it runs for the first time after that is not known to be its own."""

COMPILING = ("tests/experiments/engine/", "tests/bufalu/test_differential.py")
"""Tests of which the first one that runs compiles the kernels."""

OUT_OF_TIME = 98
"""The exit code of a run that left tests out, all before them having passed."""


@dataclass(frozen=True)
class ReachOfTest:
    """What one test did without a slip: its seconds of processor time, and the lines that it ran in each file."""

    seconds: float
    lines: dict[str, list[int]]


class ReachRecorder:
    """Notes what each test of a run reaches, its fixtures included; tests that did not pass are left out."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._seconds: dict[str, float] = {}
        self._unfit: set[str] = set()
        self._coverage = coverage.Coverage(
            data_file=None, config_file=False, source=[str(ROOT / package) for package in PACKAGES]
        )
        self._coverage.set_option("run:disable_warnings", ["no-data-collected", "module-not-measured"])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Lines that run from here on belong to this test; after a while nobody looks, since looking is slow."""
        self._coverage.start()
        self._coverage.switch_context(item.nodeid)
        before = signal.signal(signal.SIGVTALRM, lambda _number, _frame: self._coverage.stop())
        signal.setitimer(signal.ITIMER_VIRTUAL, LOOKED_AT)
        start = processor_seconds()
        answer = yield
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        self._seconds[item.nodeid] = processor_seconds() - start
        self._coverage.stop()
        return answer

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails or is skipped without a slip cannot notice one."""
        if not report.passed:
            self._unfit.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Writes the record, with the digests of the files whose lines it tells."""
        data = self._coverage.get_data()
        lines: dict[str, dict[str, list[int]]] = {test: {} for test in self._seconds if test not in self._unfit}
        files = [Path(name).resolve() for name in data.measured_files()]
        for file in files:
            path = str(file.relative_to(ROOT))
            for line, tests in data.contexts_by_lineno(str(file)).items():
                for test in set(tests) & lines.keys():
                    lines[test].setdefault(path, []).append(line)
        self._target.write_text(
            json.dumps(
                {
                    "unfit": sorted(self._unfit),
                    "sources": {str(file.relative_to(ROOT)): digest(file) for file in files},
                    "tests": {test: [self._seconds[test], reached] for test, reached in lines.items()},
                }
            ),
            encoding="utf-8",
        )


class Chooser:
    """Runs the chosen tests, each within ten times its own time and a little more, until all time is over."""

    def __init__(self, seconds: dict[str, float], together: float) -> None:
        self._seconds = seconds
        self._order = {test: place for place, test in enumerate(seconds)}
        self._end = processor_seconds() + together
        self._over = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keeps the chosen tests, in the order of the choice."""
        chosen = [item for item in items if item.nodeid in self._order]
        items[:] = sorted(chosen, key=lambda item: self._order[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """The timers have no handler: they end the process wherever it is. A fixture that another test paid for fits in."""
        patience = 400 if any(word in item.nodeid for word in COMPILING) else 40
        allowed = patience + 10 * self._seconds[item.nodeid]
        signal.setitimer(signal.ITIMER_PROF, allowed)
        signal.setitimer(signal.ITIMER_REAL, 60 + 10 * allowed)
        answer = yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._over = self._over or (processor_seconds() > self._end and nextitem is not None)
        if self._over:
            item.session.shouldstop = "the time is over"
        return answer

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A failure counts, also in the last moment."""
        if self._over and not session.testsfailed:
            session.exitstatus = OUT_OF_TIME


def pytest_configure(config: pytest.Config) -> None:
    """Searches are those of `make test`, but a failure that was found is not made smaller: that takes long. A record
    takes a quarter of the examples, since each takes about four times as long.
    """
    searches = settings(settings.get_profile("ci"), phases=[Phase.explicit, Phase.generate])
    settings.register_profile("mutation", searches)
    settings.register_profile("record", searches, max_examples=searches.max_examples // 4)
    settings.load_profile("record" if "MUTATION_RECORD" in os.environ else "mutation")
    if "MUTATION_RECORD" in os.environ:
        config.pluginmanager.register(ReachRecorder(Path(os.environ["MUTATION_RECORD"])))
    if "MUTATION_CHOICE" in os.environ:
        choice = json.loads(Path(os.environ["MUTATION_CHOICE"]).read_text(encoding="utf-8"))
        config.pluginmanager.register(Chooser(choice["tests"], choice["seconds"]))


def processor_seconds() -> float:
    """What this process and its finished children have used."""
    return sum(os.times()[:4])


def digest(file: Path) -> str:
    """Tells whether a file has changed."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


class Reach:
    """What all recorded tests reach."""

    def __init__(self, records: Iterable[Path]) -> None:
        self.tests: dict[str, ReachOfTest] = {}
        self.unfit: list[str] = []
        for record in records:
            found = json.loads(record.read_text(encoding="utf-8"))
            self.unfit += found["unfit"]
            stale = {path for path, then in found["sources"].items() if digest_now(path) != then}
            for test, (seconds, lines) in found["tests"].items():
                # In a file that was changed since, any line may be the one that the test ran.
                self.tests[test] = ReachOfTest(
                    seconds, {path: [] if path in stale else lines[path] for path in lines}
                )

    def running(self, places: dict[str, set[int]]) -> dict[str, float]:
        """The tests that run one of these lines of these files (any line, if the set is empty), the quickest first."""
        found = {
            test: reached.seconds
            for test, reached in self.tests.items()
            if any(
                path in reached.lines
                and not (wanted and reached.lines[path] and wanted.isdisjoint(reached.lines[path]))
                for path, wanted in places.items()
            )
        }
        return dict(sorted(found.items(), key=lambda entry: entry[1]))

    def naming(self, name: str) -> dict[str, float]:
        """The tests of the files in which a name is written, the quickest first."""
        word = re.compile(rf"\b{re.escape(name)}\b")
        files = {test.split("::")[0] for test in self.tests}
        named = {file for file in files if word.search((ROOT / file).read_text(encoding="utf-8"))}
        found = {test: reached.seconds for test, reached in self.tests.items() if test.split("::")[0] in named}
        return dict(sorted(found.items(), key=lambda entry: entry[1]))

    def without(self, other: Reach) -> Reach:
        """The tests that are not in another."""
        rest = Reach(())
        rest.tests = {test: reached for test, reached in self.tests.items() if test not in other.tests}
        return rest


def digest_now(path: str) -> str:
    """The digest of a file of ours, empty if it is gone."""
    file = ROOT / path
    return digest(file) if file.exists() else ""
