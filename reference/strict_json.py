"""JSON without surprises: no NaN or Infinity, no duplicate keys, no numbers that a double cannot hold, no bottomless
nesting.
"""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn

MAX_NESTING = 64


class NotStrictJson(ValueError):
    """A text that is not JSON in the strict sense; the message says why."""


def parse_json(text: str) -> object:
    """The value of a JSON text; raises `NotStrictJson`. Whole numbers stay exact, others are doubles."""
    if nests_too_deeply(text):
        raise NotStrictJson(f"nested more than {MAX_NESTING} levels deep")
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=unique_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite_float,
            parse_int=_bounded_integer,
        )
    except json.JSONDecodeError as problem:
        raise NotStrictJson(f"not JSON: {problem.msg} at column {problem.colno}") from None
    return value


_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""A string with its escapes; one that never ends reaches to the end of the text."""


def nests_too_deeply(text: str) -> bool:
    """Whether brackets nest more than `MAX_NESTING` levels outside strings, told without parsing."""
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return False
    depth = 0
    for character in _STRING.sub("", text):
        if character in "[{":
            depth += 1
            if depth > MAX_NESTING:
                return True
        elif character in "]}":
            depth -= 1
    return False


def unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The object with these members, for `json.loads`; raises `NotStrictJson` for a key that appears twice."""
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise NotStrictJson(f"the key '{key}' appears twice")
        result[key] = value
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise NotStrictJson(f"{name} is not a JSON number")


def _finite_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise NotStrictJson(f"{text} is too large for a double")
    return value


def _bounded_integer(text: str) -> int:
    if len(text) > 400:
        raise NotStrictJson(f"an integer of {len(text)} digits is too long")
    return int(text)
