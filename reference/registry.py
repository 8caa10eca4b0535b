"""Doors for what a user brings along: one registry each for intervals, schedules and policies, keyed by text forms.

A text form is `name` or `name:argument`. The paper's own objects go through the same door.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Generic, TypeVar

from bufalu.reference.errors import BufaluError, NameTaken, UnknownName
from bufalu.reference.rationals import shown

T = TypeVar("T")

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}", re.ASCII)


class Registry(Generic[T]):
    """What is known by name. `noun` and `error` say how an unknown name is refused."""

    def __init__(self, noun: str, error: type[BufaluError] = UnknownName) -> None:
        self._noun = noun
        self._error = error
        self._makers: dict[str, Callable[[str | None], T]] = {}
        self._forms: dict[str, str] = {}

    @property
    def forms(self) -> tuple[str, ...]:
        """The text forms that are known, such as `power:1/4`, in the order of their registration."""
        return tuple(self._forms.values())

    def register(self, name: str, make: Callable[[str | None], T], form: str | None = None) -> None:
        """Makes `name` and `name:argument` known.

        `make` is called with the argument, None where there is no colon, and refuses what it cannot read with a
        `BufaluError`. `form` is what help texts show. Raises `NameTaken` for a name in use, `UnknownName` for a text
        that cannot be one.
        """
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise UnknownName(
                f"the name {shown(name)} cannot name a {self._noun}: use small letters, digits and hyphens"
            )
        if not callable(make) or isinstance(make, type):
            raise UnknownName(f"make must be a {self._noun} or a function that gives one, not {shown(make)}")
        if form is not None and not isinstance(form, str):
            raise UnknownName(f"form must be a text, not {shown(form)}")
        if name in self._makers:
            raise NameTaken(f"there is a {self._noun} '{name}' already")
        self._makers[name] = make
        self._forms[name] = form or name

    def parse(self, text: str) -> T:
        """What `text` stands for; raises the registry's error for an unknown name or an argument that is refused."""
        if not isinstance(text, str):
            raise self._error(f"a text must name the {self._noun}, not {shown(text)}")
        name, colon, argument = text.partition(":")
        make = self._makers.get(name)
        if make is None:
            raise self._error(f"there is no {self._noun} '{text}' (choose one of: {', '.join(self.forms)})")
        try:
            return make(argument if colon else None)
        except self._error:
            raise
        except BufaluError as problem:
            raise self._error(f"in the {self._noun} '{text}': {problem}") from None

    def fixed(self, name: str, thing: T) -> Callable[[str | None], T]:
        """A maker for a thing without parameters: an argument is refused."""

        def make(argument: str | None) -> T:
            if argument is not None:
                raise self._error(f"the {self._noun} '{name}' takes no argument, and '{argument}' was given")
            return thing

        return make
