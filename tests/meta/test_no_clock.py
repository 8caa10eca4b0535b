"""No test depends on how fast the machine is: nothing in tests/ sleeps, looks at a clock, or has a short timeout.

What needs an order of events makes the order: a pipe, a barrier, a fake clock, a program that answers only when told.
Programs that tests keep as text are read too. What hangs is ended by pytest's own limit for a test; where a program wants
a limit, it gets LEAST seconds or more.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEAST = 600
"""Seconds below which a timeout may pass on a busy machine before what it waits for."""

CLOCKS = (
    "sleep|(?:local|gm|c)time|strftime|(?:time|perf_counter|monotonic|process_time|thread_time|clock_gettime)(?:_ns)?"
)
FORBIDDEN = re.compile(
    rf"(?:^|(?<=\.))(?:time\.(?:{CLOCKS})|datetime\.(?:now|utcnow|today)|date\.today|asyncio\.sleep|threading\.Timer"
    r"|signal\.(?:alarm|setitimer|sigtimedwait)|os\.times|resource\.getrusage|timeit\.\w+|mark\.timeout)$"
)
IN_TEXT = re.compile(
    rf"(?<![\w.])(?:time\.(?:{CLOCKS})(?=\()|datetime\.now|setTimeout|setInterval|Date\.now|new Date\(\)|performance\.now"
    r"|u?sleep(?= \$?[\d.])|read -t)"
)
WAITING = {"wait": 0, "join": 0, "acquire": 1, "settimeout": 0, "poll": 0, "result": 0, "wait_for": 1, "select": 3}
"""Methods with the place of the argument that is a number of seconds."""

LASTED = re.compile(r"(?:^|_)(?:seconds|elapsed|duration|took|spent)$|(?:^|_)(?:SECONDS|PATIENCE)$")
"""Names of how long something took or may take."""

NUMBER = re.compile(r"\d*\.?\d+(?:e-?\d+)?$")
TIMEOUT_IN_TEXT = re.compile(r"timeout[= ](\d*\.?\d+(?:e-?\d+)?)")

ALLOWED = {
    ("tests/waiting.py", "time.sleep"): "the one place that looks again until something is so, without a deadline",
    (
        "tests/mutation/reach.py",
        "signal.setitimer",
    ): "stops a slip that never ends, which `make mutation` counts as killed",
    ("tests/mutation/reach.py", "os.times"): "by which `make mutation` tries quick tests first; none fails of it",
    ("tests/oracle/planted/judging.py", "resource.getrusage"): "a figure of docs/reach.md, which nothing compares",
    (
        "tests/oracle/soak.py",
        "time.monotonic",
    ): "the length of a nightly soak, in which nothing is asserted about time",
    (
        "tests/bufalu/test_conform_command.py",
        "timeout=1e-6",
    ): "on a clock of the test's own, where every answer takes a second",
    (
        "tests/bufalu/test_conform_command.py",
        "seconds compared",
    ): "on that clock",
    (
        "tests/bufalu/test_tutorial.py",
        "timeout=1",
    ): "the number that the page shows; no clock is asked, answers are counted",
    (
        "tests/properties/smt/test_second_opinion.py",
        "seconds=1.0",
    ): "for a question without an end: whenever it is given up, the answer is the same",
    (
        "tests/properties/audit/test_audit.py",
        "seconds=99.0",
    ): "a figure for a report to show; nothing lasts that long",
    (
        "tests/experiments/studies/test_cluster.py",
        "CONNECT_SECONDS=0.3",
    ): "for a scheduler that does not exist: whenever it is given up, the words are the same",
}
"""What remains, by file and thing, and why what the test says does not depend on it."""


def _names(tree: ast.AST) -> dict[str, str]:
    """What each imported name stands for."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _dotted(node: ast.AST, names: dict[str, str]) -> str | None:
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id)
    if isinstance(node, ast.Attribute) and (base := _dotted(node.value, names)):
        return f"{base}.{node.attr}"
    return None


def _short(value: object) -> bool:
    """Whether this is a number of seconds, as a number or as text, below LEAST; zero and less are no timeouts."""
    if isinstance(value, str) and NUMBER.match(value):
        value = float(value)
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < LEAST


def _constant(node: ast.AST | None) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _pairs(node: ast.AST) -> Iterator[tuple[ast.AST | None, ast.AST]]:
    """Things that stand side by side: elements, arguments, keys with their values, parameters with their defaults."""
    if isinstance(node, ast.List | ast.Tuple):
        yield from pairwise(node.elts)
    elif isinstance(node, ast.Call):
        yield from pairwise(node.args)
    elif isinstance(node, ast.Dict):
        yield from zip(node.keys, node.values, strict=True)


def _last_name(node: ast.AST) -> str:
    """`seconds` of `outcome.seconds`, empty for what has no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _named_seconds(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Numbers under a name: keywords, defaults, assignments, and what `setattr` gives to a name."""
    if isinstance(node, ast.keyword) and node.arg:
        yield node.arg, node.value
    elif isinstance(node, ast.Assign):
        yield from ((_last_name(target), node.value) for target in node.targets)
    elif isinstance(node, ast.Call):
        for name, value in pairwise(node.args):
            if isinstance(_constant(name), str) and str(_constant(name)).isidentifier():
                yield str(_constant(name)), value
    elif isinstance(node, ast.arguments):
        positional = [*node.posonlyargs, *node.args]
        for argument, default in (
            *zip(positional[len(positional) - len(node.defaults) :], node.defaults, strict=True),
            *zip(node.kwonlyargs, node.kw_defaults, strict=True),
        ):
            if default is not None:
                yield argument.arg, default


def _clocks(node: ast.AST, names: dict[str, str]) -> Iterator[str]:
    """What is called by its name, and what programs kept as text call."""
    dotted = _dotted(node, names) if isinstance(node, ast.Name | ast.Attribute) else None
    if dotted and (found := FORBIDDEN.search(dotted)):
        yield found.group()
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from IN_TEXT.findall(node.value)
        yield from (f"timeout={seconds}" for seconds in TIMEOUT_IN_TEXT.findall(node.value) if _short(seconds))


def _limits(node: ast.AST) -> Iterator[str]:
    """Short times to wait, by name, by place and on a command line."""
    for name, value in _named_seconds(node):
        if ("timeout" in name or LASTED.search(name)) and _short(_constant(value)):
            yield f"{'timeout' if 'timeout' in name else name}={_constant(value)}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WAITING:
        seconds = [_constant(argument) for argument in node.args[WAITING[node.func.attr] :][:1]]
        yield from (f"{node.func.attr}({number})" for number in seconds if _short(number))
    for left, right in _pairs(node):
        before, after = _constant(left), _constant(right)
        if before in ("--timeout", "timeout") and _short(after):
            yield f"timeout={after}"
        if before == "sleep" and isinstance(after, str) and NUMBER.match(after):
            yield "sleep"


def _judgements(node: ast.AST) -> Iterator[str]:
    """Times that are compared, here or by Hypothesis."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        numbers = any(isinstance(_constant(side), int | float) and _constant(side) for side in sides)
        yield from (f"{_last_name(side)} compared" for side in sides if numbers and LASTED.search(_last_name(side)))
    if isinstance(node, ast.keyword) and node.arg == "deadline" and _constant(node.value) is not None:
        yield "deadline"
    if isinstance(node, ast.keyword) and node.arg == "suppress_health_check":
        # What a test suppresses takes the place of what the profile does.
        yield from () if "too_slow" in ast.unparse(node.value) else ("too_slow",)


def dependent_on_speed(source: str) -> set[str]:
    """Everything in a file by which its tests could pass or fail with the speed of the machine."""
    tree = ast.parse(source)
    names = _names(tree)
    prose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and _constant(node.value)}
    nodes = [node for node in ast.walk(tree) if node not in prose]
    return {thing for node in nodes for thing in (*_clocks(node, names), *_limits(node), *_judgements(node))}


def test_nothing_depends_on_the_speed_of_the_machine():
    found = {
        (str(path.relative_to(ROOT)), thing)
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if path != Path(__file__)
        for thing in dependent_on_speed(path.read_text(encoding="utf-8"))
    }
    assert found - set(ALLOWED) == set(), "make the order of events; see tests/waiting.py"
    assert set(ALLOWED) - found == set(), "no longer there: take it from the list"


@pytest.mark.parametrize(
    ("source", "thing"),
    [
        ("import time\ntime.sleep(1)", "time.sleep"),
        ("import time as clock\nclock.sleep(1)", "time.sleep"),
        ("from time import sleep\nsleep(1)", "time.sleep"),
        ("from time import monotonic as now\nnow()", "time.monotonic"),
        ("began = time.time()", "time.time"),
        ("began = time.perf_counter()", "time.perf_counter"),
        ("began = time.perf_counter_ns()", "time.perf_counter_ns"),
        ("began = time.process_time()", "time.process_time"),
        ("began = module.time.monotonic()", "time.monotonic"),
        ("read = time.monotonic", "time.monotonic"),
        ("import datetime\ndatetime.datetime.now()", "datetime.now"),
        ("from datetime import datetime\ndatetime.now()", "datetime.now"),
        ("from datetime import date\ndate.today()", "date.today"),
        ("began = time.localtime()", "time.localtime"),
        ("began = os.times()", "os.times"),
        ("used = resource.getrusage(who).ru_utime", "resource.getrusage"),
        ("from timeit import default_timer\ndefault_timer()", "timeit.default_timer"),
        ("await asyncio.sleep(0)", "asyncio.sleep"),
        ("@pytest.mark.timeout(5)\ndef test(): pass", "mark.timeout"),
        ("from threading import Timer\nTimer(1, f)", "threading.Timer"),
        ("signal.alarm(2)", "signal.alarm"),
        ("program = 'import time; time.sleep(600)'", "time.sleep"),
        ("program = f'while {x}: time.sleep(0.1)'", "time.sleep"),
        ("run('sh', '-c', 'sleep 0.2; echo')", "sleep"),
        ("run(['sleep', '600'])", "sleep"),
        ("run('sh', '-c', 'usleep 20')", "usleep"),
        ("run('bash', '-c', 'read -t 1 line')", "read -t"),
        ("run('sh', '-c', 'timeout 5 cat')", "timeout=5"),
        ("script = 'setTimeout(done, 10)'", "setTimeout"),
        ("script = 'setInterval(look, 10)'", "setInterval"),
        ("script = 'const began = performance.now();'", "performance.now"),
        ("script = 'const began = new Date();'", "new Date()"),
        ("process.wait(timeout=10)", "timeout=10"),
        ("assert not entered.wait(0.1)", "wait(0.1)"),
        ("worker.join(5)", "join(5)"),
        ("lock.acquire(True, 5)", "acquire(5)"),
        ("select.select([pipe], [], [], 0.5)", "select(0.5)"),
        ("poller.poll(100)", "poll(100)"),
        ("future.result(5)", "result(5)"),
        ("condition.wait_for(ready, 5)", "wait_for(5)"),
        ("process.communicate(timeout=60)", "timeout=60"),
        ("assert outcome.seconds < 5", "seconds compared"),
        ("assert 0.5 < elapsed", "elapsed compared"),
        ("ask(question, seconds=1.0)", "seconds=1.0"),
        ("monkeypatch.setattr(processes, 'PATIENCE', 0.5)", "PATIENCE=0.5"),
        ("cluster.CONNECT_SECONDS = 3", "CONNECT_SECONDS=3"),
        ("settings(deadline=200)", "deadline"),
        ("settings(suppress_health_check=[HealthCheck.data_too_large])", "too_slow"),
        ("def read(self, timeout=0.5): pass", "timeout=0.5"),
        ("def read(self, *, timeout=2): pass", "timeout=2"),
        ("run('conform', '--timeout', '1e-6')", "timeout=1e-6"),
        ("OPTIONS = ('--timeout', '3')", "timeout=3"),
        ("OPTIONS = {'--timeout': '3', 'a': 1}", "timeout=3"),
        ("LINE = 'conform --timeout 3 -- cat'", "timeout=3"),
        ("LINE = 'conform --timeout=0.5 -- cat'", "timeout=0.5"),
    ],
)
def test_each_thing_is_noticed(source, thing):
    assert dependent_on_speed(source) == {thing}


@pytest.mark.parametrize(
    "source",
    [
        '"""A test with time.sleep(1) would be flaky."""',
        "import time",
        "monkeypatch.setattr(terminal.time, 'monotonic', lambda: clock[0])",
        "process.communicate(timeout=600)",
        "run('conform', '--timeout', '600')",
        "assert outcome.seconds > 0",
        "monkeypatch.setattr(building, 'HANG_SECONDS', 0.0)",
        "lock.acquire(True)",
        "settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])",
        "run('pytest', '-o', 'timeout=0')",
        "run('--timeout', '-1')",
        "walk.sleep(3)",
        "', '.join(words)",
        "'3'.join(['1', '2'])",
        "entered.wait(600)",
        "select.select([pipe], [], [], 0)",
    ],
)
def test_what_does_not_depend_on_speed_is_left_alone(source):
    assert dependent_on_speed(source) == set()
