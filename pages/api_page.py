"""The public names as a page of the site, by task: an example of each, then signatures and docstrings, from the code."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

INTRODUCTION = """\
# API

By task, each with an example; the names of a task follow it. Everything is imported as in the examples. This page is written
from signatures and docstrings when the site is built, and its examples are run by a test.
"""


@dataclass(frozen=True)
class Task:
    """What a person wants to do: an example with what it prints, and the rooms whose public names serve it."""

    title: str
    rooms: tuple[str, ...]
    example: str
    prints: str


TASKS = (
    Task(
        "Run a policy",
        (
            "bufalu.reference.live",
            "bufalu.reference.simulation",
            "bufalu.reference.instance",
            "bufalu.reference.rewards",
            "bufalu.reference.rounds",
        ),
        """\
from bufalu import BuFALU, Instance, simulate

policy = BuFALU(arms=2)
decision = policy.decide(1, epsilon="1/10")
policy.observe(1)  # after a decision that queries, and only then
print(decision)

arms = Instance.bernoulli(["1/4", "1/2"])
rounds = list(simulate("bufalu", arms, "power:1/4", horizon=500, rewards=7))
print(sum(played.query for played in rounds), "queries")""",
        """\
Decision(arm=1, query=True)
466 queries""",
    ),
    Task(
        "Choose epsilon",
        ("bufalu.reference.schedules", "bufalu.reference.epsilon_shapes"),
        """\
from bufalu import Budget, parse_schedule

print(parse_schedule("power:1/4"), Budget(20).text)""",
        """\
Power(exponent=Fraction(1, 4)) budget:20""",
    ),
    Task(
        "Choose an interval",
        ("bufalu.reference.confidence", "bufalu.reference.radius_shapes"),
        """\
from fractions import Fraction

from bufalu import HoeffdingInterval

print(HoeffdingInterval().text, HoeffdingInterval(2).text, HoeffdingInterval(Fraction(1, 4), before=True).text)""",
        """\
hoeffding hoeffding:2 hoeffding:1/4:before""",
    ),
    Task(
        "Compare",
        ("bufalu.experiments", "bufalu.studies"),
        """\
from bufalu import Study, compare

found = compare(Study(instances=[0.25, 0.5], policies=["bufalu", "bufau"], epsilons="power:1/4", horizons=1_000, seeds=8))
for cell in found.summary.cells:
    print(cell.cell.policy, cell.queries.mean)""",
        """\
bufalu 402.75
bufau 1000.0""",
    ),
    Task(
        "Bounds",
        ("bufalu.bounds",),
        """\
from bufalu import upper_bounds

bounds = upper_bounds([0.25, 0.5], "power:1/4", 10_000)
print(bounds.queries.evaluate())""",
        """\
7079.5414""",
    ),
    Task(
        "Exact laws",
        ("bufalu.law",),
        """\
from bufalu import exact_law

law = exact_law([0.25, 0.5], "power:1/4", 6)
print(law.expected_regret())""",
        """\
<0.75 = 3/4>""",
    ),
    Task(
        "Check a run",
        ("bufalu.oracle", "bufalu.reference.trace_files", "bufalu.reference.traces"),
        """\
from bufalu import Trace, TraceHeader, check_trace, write_trace

trace = Trace(TraceHeader("bufalu", "hoeffding", 2, "power:1/4"), rounds)
write_trace("run.jsonl", trace)
print(check_trace("run.jsonl").conforms)
print(check_trace(Trace(TraceHeader("bufalu", "hoeffding:2", 2, "power:1/4"), rounds)).conforms)""",
        """\
True
False""",
    ),
    Task(
        "Test an implementation",
        ("bufalu.testing",),
        """\
from bufalu.testing import conformance

TestMyBandit = conformance(lambda arms: BuFALU(arms), policy="bufalu")  # pytest collects it""",
        "",
    ),
    Task(
        "Properties of your own",
        ("bufalu.strategies",),
        """\
from hypothesis import given, settings

from bufalu.strategies import games, played


@settings(max_examples=5)
@given(games())
def test_mine(game):
    assert check_trace(played(game, BuFALU)).conforms


test_mine()""",
        "",
    ),
    Task(
        "Live",
        ("bufalu.live",),
        """\
from bufalu import Journal

journal = Journal.open("prompts.db", arms=["short", "long"], epsilon="power:1/4", ties="first")
step = journal.next()
journal.answer(step.id, 1)
print(step.arm, step.ask)""",
        """\
short True""",
    ),
    Task(
        "Audit",
        ("bufalu.auditing", "bufalu.properties"),
        """\
from bufalu import audit

for result in audit(["kinf.gaussian"]).results:
    print(result.claim.id, result.verdict.value)""",
        """\
kinf.gaussian CERTIFIED""",
    ),
    Task(
        "A policy of your own",
        ("bufalu.reference.policies", "bufalu.reference.view", "bufalu.reference.comparisons"),
        """\
from bufalu import Decision, Policy, Reason


class Impatient(Policy):
    \"\"\"Plays the arm of largest lower end and never asks.\"\"\"

    text = "impatient"

    def possible(self, view, comparisons):
        for leader in comparisons.largest(range(1, view.arms + 1), view.lcb):
            yield Decision(leader, view.round <= view.arms), Reason.INITIAL""",
        "",
    ),
    Task(
        "What arguments may be",
        ("bufalu.reference.arguments", "bufalu.reference.rationals"),
        """\
rewards_of_each_arm = [[0] * 10, [1] * 10]
decisions = simulate("bufalu", [0.25, "1/2"], lambda t: 1 / t, horizon=10, rewards=rewards_of_each_arm)
print(sum(played.query for played in decisions), "queries")""",
        """\
10 queries""",
    ),
    Task(
        "Exact numbers",
        ("bufalu.reference.exact", "bufalu.reference.radicals"),
        """\
from bufalu import Exact, log_root, root

print(root(2) < Exact.of(Fraction(3, 2)), log_root(9, power=2) < Exact.of(2))  # sqrt(2) < 3/2, ln 9 < 2""",
        """\
True False""",
    ),
    Task(
        "Errors",
        ("bufalu.reference.errors",),
        """\
from bufalu import BufaluError

try:
    Instance.bernoulli([0.5, 2])
except BufaluError as problem:
    print(type(problem).__name__, problem)""",
        """\
InvalidInstance the mean 2 is outside [0, 1]""",
    ),
)


def api_page() -> str:
    """The page as Markdown."""
    places = _places()
    parts = [INTRODUCTION]
    for task in TASKS:
        names = [name for name, place in places.items() if task_of(place) is task]
        parts += [
            *_head(task),
            *(line for name in sorted(names, key=str.lower) for line in _entry(name, places[name])),
        ]
    return "\n".join(parts) + "\n"


def task_of(place: str) -> Task:
    """The task that the names of a module serve; raises `LookupError` for a module that serves none."""
    for task in TASKS:
        if place.startswith(task.rooms):
            return task
    raise LookupError(f"no task of the API page has the names of {place}")


def _places() -> Mapping[str, str]:
    """Every public name with the module that it comes from."""
    places: dict[str, str] = dict(importlib.import_module("bufalu").PLACES)
    for module in ("bufalu.testing", "bufalu.strategies"):
        places |= dict.fromkeys(importlib.import_module(module).__all__, module)
    return places


def _head(task: Task) -> Iterator[str]:
    yield f"## {task.title}\n"
    if task.rooms[0] in ("bufalu.testing", "bufalu.strategies"):
        yield _prose(inspect.getdoc(importlib.import_module(task.rooms[0])) or "").partition("\n\n")[0] + "\n"
    yield f"```python\n{task.example}\n```\n"
    if task.prints:
        yield f"```text\n{task.prints}\n```\n"


def _entry(name: str, place: str) -> Iterator[str]:
    module = importlib.import_module(place)
    thing = getattr(module, name)
    yield f"### {name}\n"
    if inspect.isclass(thing) or inspect.isfunction(thing):
        if not getattr(thing, "_is_protocol", False):  # made by whoever has its methods
            yield f"```text\n{name}{_signature(thing)}\n```\n"
        yield _prose(inspect.getdoc(thing) or "") + "\n"
    else:
        yield from _documented(name, inspect.getsource(module))
    if inspect.isclass(thing):
        yield from _methods(thing)


def _documented(name: str, source: str) -> Iterator[str]:
    """What a module's text says of a name that is no class: what it stands for, and the sentence below it."""
    body = ast.parse(source).body
    for line, below in pairwise(body):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and line.target.id == name:
            yield f"```text\n{name} = {ast.unparse(line.value) if line.value is not None else ''}\n```\n"
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                yield _prose(str(below.value.value)) + "\n"


def _methods(owner: type) -> Iterator[str]:
    """One line for each public method or property that the class itself defines."""
    lines = []
    for name, member in vars(owner).items():
        unwrapped = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if name.startswith("_") or not inspect.isfunction(unwrapped):
            continue
        shown = name if isinstance(member, property) else f"{name}{_signature(unwrapped)}"
        first = _prose((inspect.getdoc(unwrapped) or "").split("\n\n")[0])
        lines.append(f"- `{shown}`: {first}")
    if lines:
        yield "\n".join(lines) + "\n"


class _LiteralText:
    """Stands for an annotation or a default in a signature, and prints as the given text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _signature(thing: Callable[..., object]) -> str:
    """The signature as a person would write it: names without their rooms, long defaults left out."""
    try:
        found = inspect.signature(thing)
    except ValueError:
        return ""
    parameters = [
        each.replace(annotation=_written(each.annotation), default=_default(each.default))
        for each in found.parameters.values()
        if each.name != "self"
    ]
    return str(found.replace(parameters=parameters, return_annotation=_written(found.return_annotation)))


def _written(annotation: object) -> object:
    return _LiteralText(annotation) if isinstance(annotation, str) else annotation


def _default(value: object) -> object:
    return _LiteralText("...") if value is not inspect.Parameter.empty and len(repr(value)) > 30 else value


def _prose(text: str) -> str:
    """A docstring as Markdown: paragraphs joined, what could be taken for markup left as text, code blocks kept."""
    parts = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("    "):
            parts.append("```text\n" + inspect.cleandoc(paragraph) + "\n```")
        else:
            joined = " ".join(paragraph.split())
            pieces = joined.split("`")
            pieces[::2] = map(_as_words, pieces[::2])
            parts.append("`".join(pieces))
    return "\n\n".join(parts)


def _as_words(prose: str) -> str:
    """Prose between code: an emphasised word stays one, a product gets its sign, and nothing else is markup."""
    times = prose.replace(" * ", " × ")
    escaped = re.sub(r"([\\|*_<\[\]^])", r"\\\1", times)
    return re.sub(r"(?<!\w)\\\*(\w+)\\\*(?!\w)", r"*\1*", escaped)
