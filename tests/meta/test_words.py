"""One word for one thing: names of classes, and docstrings that can be read alone."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("reference", "bounds", "doubles", "law", "live", "oracle", "experiments", "properties", "pages", "bufalu")

PARTICIPLES = {
    "Decided": "public since 0.1: users' own checks return it",
    "Bounded": "an adjective: the family of all bounded laws",
    "Scaled": "an adjective: a schedule times a factor",
    "Need": "a noun",
    "_Found": "an exception, and what it says",
    "Refuted": "an exception, and what it says",
    "Terminated": "an exception, and what it says",
}
"""Classes that are called by a participle, with the reason; a name says what a thing is, not what was done to it."""

_PARTICIPLE = re.compile(
    r"_?([A-Z][a-z]+ed|Brought|Found|Given|Held|Known|Left|Made|Put|Said|Seen|Sent|Shown|Told|Written)"
)


@cache
def modules(*rooms: str) -> dict[str, ast.Module]:
    """Every module of these rooms, or of the package, once: `bufalu/` has links to the other rooms."""
    return {
        str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"))
        for room in rooms or ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if room != "bufalu" or path.resolve().is_relative_to(ROOT / "bufalu")
    }


def classes() -> Iterator[tuple[str, str]]:
    """Name and file of every class that stands in a module."""
    for name, module in modules().items():
        yield from ((node.name, name) for node in module.body if isinstance(node, ast.ClassDef))


def shared_names(found: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    """Public classes of one name in several files."""
    places = defaultdict(list)
    for name, place in found:
        if not name.startswith("_"):
            places[name].append(place)
    return {name: where for name, where in places.items() if len(where) > 1}


def test_no_two_classes_share_a_name():
    assert len(list(classes())) > 300
    assert shared_names(classes()) == {}


def test_a_name_given_twice_is_noticed():
    assert shared_names(iter([("Place", "a.py"), ("_Place", "b.py"), ("Place", "c.py")])) == {
        "Place": ["a.py", "c.py"]
    }


def test_classes_are_not_called_by_participles():
    found = {name for name, _ in classes() if _PARTICIPLE.fullmatch(name)}
    assert found == set(PARTICIPLES), "a new name, or a reason that is not needed any more"


def test_docstrings_stand_alone():
    """Also those below a constant, which are texts on lines of their own."""
    leaning = [
        f"{name}: {node.value.value[:60]}"
        for name, module in (modules() | modules("tests", "benchmarks", "examples")).items()
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if str(node.value.value).startswith(("The same ", "Same as "))
    ]
    assert leaning == []
