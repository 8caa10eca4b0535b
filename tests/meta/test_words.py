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
        if str(node.value.value).lstrip().startswith(("The same ", "Same as "))
    ]
    assert leaning == []


PAGES_OF_WORDS = ("docs/words.md", "docs/contributing/glossary.md")
_EXPLAINED = re.compile(r"^\| (?!word \|)([a-z].*?|[A-Z]{2}.*?) \|", re.MULTILINE)


def explained(text: str) -> list[str]:
    """The words in the first column of a table."""
    return [word for row in _EXPLAINED.findall(text) for word in row.split(", ")]


def is_said(word: str, text: str) -> bool:
    """Whether a word, or each part of an expression such as "gap of a proof", occurs in a text in small letters."""
    return all(re.search(rf"\b{re.escape(part.lower())}", text) for part in word.split())


def texts() -> Iterator[str]:
    """Names and docstrings of every class and function of the package and its tests; words in names are put apart."""
    for module in (modules() | modules("tests")).values():
        for node in ast.walk(module):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                apart = re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", node.name)
                yield f"{apart} {ast.get_docstring(node) or ''}"


def test_the_words_of_the_glossary_are_those_of_the_code():
    said = "\n".join(texts()).lower()
    for page in PAGES_OF_WORDS:
        words = explained((ROOT / page).read_text(encoding="utf-8"))
        assert len(words) > 20
        assert [word for word in set(words) if words.count(word) > 1] == [], "explained twice"
        unused = [word for word in words if not is_said(word, said)]
        assert unused == [], f"{page} explains what the code does not say"


def test_a_word_that_nobody_says_is_noticed():
    assert explained("| word | means |\n|---|---|\n| round, leader of all | ... |\n") == ["round", "leader of all"]
    assert is_said("leader of all", "of all leaders") and not is_said("leader of none", "of all leaders")
