"""The public names as a page of the site, written from their signatures and docstrings when it is built."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator

MODULES = ("bufalu", "bufalu.testing", "bufalu.strategies")
"""The modules whose `__all__` is public; everything else is inside."""

INTRODUCTION = """\
# API

Everything public is imported from `bufalu` or the module named in a heading below. This page is written from
signatures and docstrings when the site is built.
"""


def api_page() -> str:
    """The page as Markdown."""
    return "\n".join([INTRODUCTION, *(line for module in MODULES for line in _module_part(module))]) + "\n"


def _module_part(name: str) -> Iterator[str]:
    module = importlib.import_module(name)
    yield f"## {name}\n"
    yield _prose(inspect.getdoc(module) or "") + "\n"
    for public in sorted(module.__all__, key=str.lower):
        thing = getattr(module, public)
        if not public.startswith("__"):
            yield from _entry(public, thing)


def _entry(name: str, thing: object) -> Iterator[str]:
    yield f"### {name}\n"
    if inspect.isclass(thing) or inspect.isfunction(thing):
        yield f"```text\n{name}{_signature(thing)}\n```\n"
        yield _prose(inspect.getdoc(thing) or "") + "\n"
    if inspect.isclass(thing):
        yield from _methods(thing)


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
            pieces[::2] = [re.sub(r"([\\|*_<\[\]^])", r"\\\1", piece) for piece in pieces[::2]]
            parts.append("`".join(pieces))
    return "\n\n".join(parts)
