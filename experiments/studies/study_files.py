"""Studies in TOML, for what does not fit a command line.

title = "Seven arms"
policies = ["bufalu", "bufau"]
epsilons = ["power:1/4", "inverse-log"]
horizons = "1e6"
seeds = 1000

[instances.seven]
means = [0.13, 0.2, "1/3"]
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bufalu.experiments.studies.checkpoints import POINTS
from bufalu.experiments.studies.errors import InvalidStudy
from bufalu.experiments.studies.study import Study
from bufalu.reference.errors import BufaluError, UnusableFile
from bufalu.reference.instance_files import read_arms, read_instance
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_count, parse_rational
from bufalu.reference.whole_files import read_at_most

T = TypeVar("T")

LISTS = ("policies", "epsilons", "confidences", "ties")
KEYS = (*LISTS, "title", "horizons", "seeds", "points", "delay", "missing", "instances")
DEEPEST_NAME = 16
"""Parts of a name like a.b.c: the time and memory that reading one takes grow with their square."""

LONGEST_WHOLE_NUMBER = 4_096
"""Bits of a whole number."""

LARGEST_STUDY = 1_000_000
"""Bytes of a study."""

_DOTTED = re.compile(r"[^\s.=\[\]{},#]++(?:[ \t]*+\.[ \t]*+[^\s.=\[\]{},#]++)*+")
INSTANCE_KEYS = ({"means"}, {"means", "rewards"}, {"arms"}, {"file"})


def read_study(path: Path, seeds: int | None = None) -> Study:
    """The study in a file, with other seeds if some are given; raises `InvalidStudy` naming file and key."""
    try:
        text = read_at_most(path, LARGEST_STUDY)
    except UnusableFile as problem:
        raise InvalidStudy(str(problem)) from None
    except OSError as problem:
        raise InvalidStudy(f"cannot read the study {path}: {problem}") from None
    try:
        return _study(_parsed(text), path.parent, seeds)
    except BufaluError as problem:
        raise InvalidStudy(f"{path}: {problem}") from None


def _parsed(text: str) -> dict[str, object]:
    """What a text in TOML holds; raises `InvalidStudy`."""
    try:
        # Decimals stay text, so that 0.1 is one tenth, as on the command line.
        return tomllib.loads(_shallow(text), parse_float=str)
    except tomllib.TOMLDecodeError as problem:
        raise InvalidStudy(f"not TOML: {problem}") from None
    except RecursionError:
        raise InvalidStudy("nested too deeply") from None
    except ValueError:  # the interpreter reads no whole number of so many digits
        raise InvalidStudy(f"a whole number of more than {sys.get_int_max_str_digits():,} digits") from None


def _shallow(text: str) -> str:
    """The text, if no name in it is deep; raises `InvalidStudy`."""
    for name in _DOTTED.finditer(text):
        if name[0].count(".") >= DEEPEST_NAME:
            line = text.count("\n", 0, name.start()) + 1
            raise InvalidStudy(f"a name of more than {DEEPEST_NAME} parts (line {line})")
    return text


def _study(content: dict[str, object], folder: Path, seeds: int | None) -> Study:
    unknown = sorted(set(content) - set(KEYS))
    if unknown:
        raise InvalidStudy(f"there is no key '{unknown[0]}' in a study (there are: {', '.join(KEYS)})")
    instances, title = content.get("instances"), content.get("title", "")
    if not isinstance(instances, dict) or not isinstance(title, str):
        raise InvalidStudy("a study needs tables [instances.NAME], and its title is text")
    texts = {key: _list(content[key], key, _text) for key in LISTS if key in content}
    for key in ("policies", "epsilons", "horizons"):
        if key not in content:
            raise InvalidStudy(f"'{key}' is missing")
    if seeds is None and "seeds" not in content:
        raise InvalidStudy("'seeds' is missing")
    return Study(
        instances={name: _instance(name, entry, folder) for name, entry in instances.items()},
        policies=texts["policies"],
        epsilons=texts["epsilons"],
        confidences=texts.get("confidences", "hoeffding"),
        ties=texts.get("ties", "first"),
        horizons=_list(content["horizons"], "horizons", _count),
        seeds=_count(content["seeds"], "seeds") if seeds is None else seeds,
        title=title,
        points=_count(content.get("points", POINTS), "points"),
        delay=_count(content.get("delay", 0), "delay"),
        missing=parse_rational(_number(content.get("missing", 0))),
    )


def _instance(name: str, entry: object, folder: Path) -> Instance:
    if not isinstance(entry, dict) or set(entry) not in INSTANCE_KEYS:
        raise InvalidStudy(f"instance '{name}': expected means (and rewards), arms, or file")
    try:
        if "file" in entry:
            return read_instance(str(folder / _text(entry["file"], "file")))
        if "arms" in entry:
            return read_arms(_numbers_as_text(entry["arms"]))
        means = [parse_rational(_number(mean)) for mean in _list(entry["means"], "means", lambda item, _: item)]
        rewards = entry.get("rewards", "bernoulli")
        if rewards not in ("bernoulli", "deterministic"):
            raise InvalidStudy("rewards are bernoulli or deterministic")
        return Instance.bernoulli(means) if rewards == "bernoulli" else Instance.deterministic(means)
    except BufaluError as problem:
        raise InvalidStudy(f"instance '{name}': {problem}") from None


def _numbers_as_text(entry: object) -> object:
    """What TOML read as whole numbers, as the text that instance files have."""
    if isinstance(entry, dict):
        return {key: _numbers_as_text(item) for key, item in entry.items()}
    if isinstance(entry, list):
        return [_numbers_as_text(item) for item in entry]
    return _number(entry) if isinstance(entry, int) and not isinstance(entry, bool) else entry


def _list(entry: object, key: str, read: Callable[[object, str], T]) -> list[T]:
    return [read(item, key) for item in (entry if isinstance(entry, list) else [entry])]


def _text(entry: object, key: str) -> str:
    if not isinstance(entry, str):
        raise InvalidStudy(f"'{key}' must be text in quotes, or a list of such")
    return entry


def _number(entry: object) -> str:
    if isinstance(entry, bool) or not isinstance(entry, int | str):
        raise InvalidStudy('a number is written 0.25, 1 or "1/4"')
    if isinstance(entry, int) and entry.bit_length() > LONGEST_WHOLE_NUMBER:
        raise InvalidStudy(f"a whole number of more than {LONGEST_WHOLE_NUMBER:,} bits")
    return str(entry)


def _count(entry: object, key: str) -> int:
    return parse_count(_number(entry))
