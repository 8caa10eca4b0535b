"""Which code computed a piece: a digest of everything that its numbers depend on."""

from __future__ import annotations

import hashlib
import inspect
import uuid
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

ROOMS = ("bufalu.reference", "bufalu.experiments.engine")
"""The kernels and the exact reference that settles what they leave open."""


@cache
def code_digest() -> str:
    """A digest of the sources of ROOMS: any edit there makes stored pieces invisible."""
    total = hashlib.sha256()
    for room in ROOMS:
        for name, content in sorted(_sources(files(room), room)):
            total.update(f"{name}:{len(content)}:".encode() + content)
    return total.hexdigest()


def _sources(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            found += _sources(entry, f"{prefix}.{entry.name}")
        elif entry.name.endswith((".py", ".c", ".cpp", ".h")):
            found.append((f"{prefix}.{entry.name}", entry.read_bytes()))
    return found


def objects_digest(*objects: object) -> str:
    """A digest of the code of what a user brought along, empty for bufalu's own, which `code_digest` holds.

    Code that cannot be read, typed into a prompt perhaps, has a digest that no other process gives it.
    """
    foreign = [type(thing) for thing in objects if not type(thing).__module__.startswith("bufalu.")]
    return hashlib.sha256("".join(_source(kind) for kind in foreign).encode()).hexdigest() if foreign else ""


def source_digest(module: str) -> str:
    """A digest of one of bufalu's own modules."""
    room, _, name = module.rpartition(".")
    return hashlib.sha256(files(room).joinpath(f"{name}.py").read_bytes()).hexdigest()


_UNREADABLE = uuid.uuid4().hex
"""Stands for code that cannot be read."""


def _source(kind: type) -> str:
    """The text of the module that a class stands in, or of the class alone."""
    for place in (inspect.getmodule(kind), kind):
        try:
            if place is not None:
                return inspect.getsource(place)
        except (OSError, TypeError):
            continue
    return _UNREADABLE + kind.__qualname__
