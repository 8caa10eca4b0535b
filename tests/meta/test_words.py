"""One word for one thing: names of classes, and docstrings that can be read alone."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from bufalu.pages.site import MADE

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("reference", "bounds", "doubles", "law", "live", "oracle", "experiments", "properties", "pages", "bufalu")
BESIDE = ("tests", "benchmarks", "examples")

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
    """Name and file of every class that stands in a module, of the package and beside it."""
    for name, module in (modules() | modules(*BESIDE)).items():
        yield from ((node.name, name) for node in module.body if isinstance(node, ast.ClassDef))


def shared_names(found: Iterator[tuple[str, str]]) -> dict[str, list[str]]:
    """Classes of one name in several files; each program in `examples/` stands alone, and may say `Run` once more."""
    places = defaultdict(list)
    for name, place in found:
        if not (name == "Run" and place.startswith("examples/")):
            places[name].append(place)
    return {name: where for name, where in places.items() if len(where) > 1}


def test_no_two_classes_share_a_name():
    assert len(list(classes())) > 300
    assert shared_names(classes()) == {}


def test_a_name_given_twice_is_noticed():
    found = [
        ("Place", "a.py"),
        ("_Place", "b.py"),
        ("Place", "tests/c.py"),
        ("_Place", "d.py"),
        ("Run", "examples/e.py"),
    ]
    assert shared_names(iter([*found, ("Run", "examples/f.py"), ("Run", "g.py")])) == {
        "Place": ["a.py", "tests/c.py"],
        "_Place": ["b.py", "d.py"],
    }


def test_classes_are_not_called_by_participles():
    found = {name for name, _ in classes() if _PARTICIPLE.fullmatch(name)}
    assert found == set(PARTICIPLES), "a new name, or a reason that is not needed any more"


_LEANING = re.compile(
    r"\s*(?:The same |Same as |It\b|Its |They |Those |These, |These numbers\.|That of |So are |And |But )"
)


def leaning_docstrings(found: dict[str, ast.Module]) -> list[str]:
    """Docstrings that begin with a word for something said before; also those below a constant, on lines of their own."""
    return [
        f"{name}: {node.value.value[:60]}"
        for name, module in found.items()
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if _LEANING.match(str(node.value.value))
    ]


def test_docstrings_stand_alone():
    assert leaning_docstrings(modules() | modules(*BESIDE)) == []


def test_a_docstring_that_leans_on_another_is_noticed():
    said = '"""Its name."""\n"""Italics."""\nA = 1\n"""The same as B."""\n"""This number."""\n'
    assert leaning_docstrings({"a.py": ast.parse(said)}) == ["a.py: Its name.", "a.py: The same as B."]


GLOSSARY = "docs/contributing/glossary.md"
PAGES_OF_WORDS = ("docs/words.md", GLOSSARY)
REFUSED = "## Words that are not used"
"""The section of the glossary with words whose thing has another name."""
_FIRST_COLUMN = re.compile(r"^\| (?!(?:word|not) \|)([a-z].*?|[A-Z]{2}.*?) \|", re.MULTILINE)


def first_column(text: str) -> list[str]:
    """The words in the first column of a table."""
    return [word for row in _FIRST_COLUMN.findall(text) for word in row.split(", ")]


def is_said(word: str, text: str) -> bool:
    """Whether a word, or each part of an expression such as "gap of a proof", occurs in a text in small letters."""
    return all(re.search(rf"\b{re.escape(part.lower())}", text) for part in word.split())


def texts() -> Iterator[str]:
    """Names and docstrings of every module, class and function; words in names are put apart."""
    for module in (modules() | modules(*BESIDE)).values():
        yield ast.get_docstring(module) or ""
        for node in ast.walk(module):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                apart = re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", node.name)
                yield f"{apart} {ast.get_docstring(node) or ''}"


def test_the_words_of_the_glossary_are_those_of_the_code():
    said = "\n".join(texts()).lower()
    for page in PAGES_OF_WORDS:
        words = first_column((ROOT / page).read_text(encoding="utf-8").partition(REFUSED)[0])
        assert len(words) > 20
        assert [word for word in set(words) if words.count(word) > 1] == [], "explained twice"
        unused = [word for word in words if not is_said(word, said)]
        assert unused == [], f"{page} explains what the code does not say"


def test_a_word_that_nobody_says_is_noticed():
    assert first_column("| word | means |\n|---|---|\n| round, leader of all | ... |\n") == ["round", "leader of all"]
    assert is_said("leader of all", "of all leaders") and not is_said("leader of none", "of all leaders")


_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def prose() -> Iterator[str]:
    """The comments of the proofs, and the documents without code, which may quote others, and without the refused words."""
    for proof in (ROOT / "proofs").glob("*.v"):
        yield from re.findall(r"\(\*.*?\*\)", proof.read_text(encoding="utf-8"), re.DOTALL)
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        yield _CODE.sub("", page.read_text(encoding="utf-8").partition(REFUSED)[0])


def refused_words(found: Iterable[str], words: Iterable[str]) -> list[str]:
    """Where one of these words, or its plural, is said: with a little of what stands around it."""
    said = re.compile(rf".{{0,40}}\b(?:{'|'.join(words)})s?\b.{{0,40}}", re.IGNORECASE)
    return [hit for text in found for hit in said.findall(text)]


def test_a_thing_is_not_called_by_another_word():
    refused = first_column((ROOT / GLOSSARY).read_text(encoding="utf-8").partition(REFUSED)[2])
    assert len(refused) > 10
    assert refused_words([*texts(), *prose()], refused) == []


_FILE = re.compile(
    rf"\b(?:{'|'.join((*ROOMS, *BESIDE, 'proofs', 'vectors', 'docs'))})/[\w/-]+\.(?:py|v|md|js|c|txt|json)\b"
)


def lost_files(found: Iterable[str]) -> list[str]:
    """Files of the tree that are named in a text, and are not there; pages that the site makes have no file."""
    named = {name for text in found for name in _FILE.findall(text)}
    return sorted(name for name in named - set(MADE) if not (ROOT / name).exists())


def test_files_that_are_named_are_there():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert lost_files([*texts(), *(page.read_text(encoding="utf-8") for page in pages)]) == []


def test_a_file_that_is_gone_is_noticed():
    assert lost_files(["see `reference/view.py`, oracle/gone.py and docs/api.md"]) == ["oracle/gone.py"]


def test_another_word_for_a_thing_is_noticed():
    found = ["The Rivals of an arm", "arrivals", _CODE.sub("", "a `rival`\n```c\nrival\n```\n")]
    assert refused_words(found, ["rival"]) == ["The Rivals of an arm"]
