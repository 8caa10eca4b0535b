"""Instances in JSON: {"arms": [{"values": ["0", "1/2", 1], "probabilities": ["1/4", "1/4", "1/2"]}, ...]}.

An arm may also be {"bernoulli": "1/4"} or {"deterministic": "1/2"}. Numbers in strings are exact (`"0.1"` is one
tenth); a bare JSON number in this file is read as it is written too, since the file is text for people.
"""

from __future__ import annotations

import json

from bufalu.reference import arguments
from bufalu.reference.arguments import PathLike
from bufalu.reference.errors import BufaluError, InvalidInstance
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import Rational, parse_rational
from bufalu.reference.whole_files import NotStrictJson, nests_too_deeply, read_at_most, unique_keys

MOST_ARMS_OF_A_FILE = 100_000
"""Laws and bounds of more would be computed for minutes; this is known before the first arm is read."""


def read_instance(path: PathLike) -> Instance:
    """The instance in a JSON file; raises `InvalidInstance` naming the file, the arm and the field that is wrong."""
    path = arguments.path(path)
    try:
        text = read_at_most(path)
        if nests_too_deeply(text):
            raise InvalidInstance(f"{path}: nested too deeply")
        # Numbers stay text, so that 0.1 is one tenth, as on the command line.
        content: object = json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=unique_keys)
    except json.JSONDecodeError as problem:
        raise InvalidInstance(f"{path}:{problem.lineno}: not JSON: {problem.msg}") from None
    except NotStrictJson as problem:
        raise InvalidInstance(f"{path}: {problem}") from None
    except OSError as problem:
        raise InvalidInstance(f"cannot read the instance file {path}: {problem}") from None
    if not isinstance(content, dict) or set(content) != {"arms"}:
        raise InvalidInstance(f'{path}: expected an object {{"arms": [...]}} and nothing else')
    try:
        return read_arms(content["arms"])
    except BufaluError as problem:
        raise InvalidInstance(f"{path}: {problem}") from None


def read_arms(entries: object) -> Instance:
    """The instance of a list of arms as files have them, numbers being text; raises `InvalidInstance` naming the arm."""
    if not isinstance(entries, list):
        raise InvalidInstance("the arms must be a list")
    if len(entries) > MOST_ARMS_OF_A_FILE:
        raise InvalidInstance(f"at most {MOST_ARMS_OF_A_FILE:,} arms, not {len(entries):,}")
    arms = []
    for number, entry in enumerate(entries, start=1):
        try:
            arms.append(_arm(entry))
        except BufaluError as problem:
            raise InvalidInstance(f"arm {number}: {problem}") from None
    return Instance(tuple(arms))


def _arm(entry: object) -> Arm:
    if isinstance(entry, dict):
        if set(entry) == {"bernoulli"}:
            return Arm.bernoulli(_number(entry["bernoulli"], "bernoulli"))
        if set(entry) == {"deterministic"}:
            return Arm.deterministic(_number(entry["deterministic"], "deterministic"))
        if set(entry) == {"values", "probabilities"}:
            values = _numbers(entry["values"], "values")
            probabilities = _numbers(entry["probabilities"], "probabilities")
            if len(values) != len(probabilities):
                raise InvalidInstance("'values' and 'probabilities' have different lengths")
            return Arm.finite(zip(values, probabilities, strict=True))
    raise InvalidInstance(
        'expected {"bernoulli": p}, {"deterministic": x} or {"values": [...], "probabilities": [...]}'
    )


def _numbers(entry: object, field: str) -> list[Rational]:
    if not isinstance(entry, list):
        raise InvalidInstance(f"'{field}' must be a list of numbers")
    return [_number(item, field) for item in entry]


def _number(entry: object, field: str) -> Rational:
    if not isinstance(entry, str):
        raise InvalidInstance(f"'{field}' must be a number such as \"1/4\" or 0.25")
    return parse_rational(entry)
