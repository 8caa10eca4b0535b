"""What a user brings along in a file of their own: `mine.py:Mine` is the interval or policy called Mine in mine.py.

The file is run as the user's own code, as `python mine.py` would run it; what goes wrong in it is told with its line.
"""

from __future__ import annotations

import importlib.util
import random
import re
import sys
import traceback
from collections.abc import Callable
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import TypeGuard, TypeVar

from bufalu.reference.comparisons import last
from bufalu.reference.confidence import ConfidenceInterval, confidence_named, register_interval
from bufalu.reference.errors import BufaluError, NameTaken, UnknownName, UnusableFile
from bufalu.reference.exact import Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import Decision, Policy, policy_named, register_policy
from bufalu.reference.radicals import NormalForm
from bufalu.reference.view import ExactView

_OWN = re.compile(r"(?P<path>.+\.py):(?P<name>[A-Za-z_]\w*)", re.ASCII)
_T = TypeVar("_T")


class OwnCodeFailed(BufaluError):
    """Something of the user's own that breaks, or is not what it should be."""


def is_own(text: str) -> bool:
    """Whether a text of the command line names something in a file: FILE.py:NAME."""
    return _OWN.fullmatch(text) is not None


def own_interval(text: str) -> ConfidenceInterval:
    """The interval `FILE.py:NAME`, an object or a class that needs no arguments, known by its text from now on.

    Raises `UnusableFile` without the file, `UnknownName` without the name, `NameTaken` for the text of another
    interval, and `OwnCodeFailed` for anything else that is wrong with it.
    """
    found = _object(text, _is_interval, "a confidence interval (ConfidenceInterval or ShapedInterval)")
    known = _known(text, found, confidence_named, register_interval)
    guarded(text, lambda: _try_interval(text, known))
    return known


def own_policy(text: str) -> Policy:
    """The policy `FILE.py:NAME`, as `own_interval` does it."""
    found = _object(text, _is_policy, "a policy (Policy)")
    known = _known(text, found, policy_named, register_policy)
    guarded(text, lambda: _try_policy(text, known))
    return known


def run_file(path: str) -> ModuleType:
    """Runs a file of the user's own, once; raises `UnusableFile` without it, `OwnCodeFailed` if it breaks."""
    file = Path(path)
    if not file.is_file():
        raise UnusableFile(f"there is no file {path}")
    return guarded(path, lambda: _module(file.resolve()))


def guarded(text: str, action: Callable[[], _T]) -> _T:
    """What the action gives; an exception of the user's own code becomes an `OwnCodeFailed` that says where."""
    try:
        return action()
    except OwnCodeFailed:
        raise
    except (Exception, SystemExit) as problem:
        raise OwnCodeFailed(f"{_place(text, problem)}: {type(problem).__name__}: {problem}") from problem


def _place(text: str, problem: BaseException) -> str:
    path = text.partition(":")[0] if is_own(text) else text
    if isinstance(problem, SyntaxError) and problem.lineno is not None:
        return f"{path}, line {problem.lineno}"
    file = str(Path(path).resolve())
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == file]
    return f"{path}, line {lines[-1]}" if lines else text


@cache
def _module(file: Path) -> ModuleType:
    name = f"bufalu_own_{file.stem}_{abs(hash(str(file)))}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UnusableFile(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    # As `python FILE` does: the file may import what lies beside it.
    sys.path.insert(0, str(file.parent))
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _is_interval(value: object) -> TypeGuard[ConfidenceInterval]:
    return isinstance(value, ConfidenceInterval)


def _is_policy(value: object) -> TypeGuard[Policy]:
    return isinstance(value, Policy)


def _object(text: str, is_kind: Callable[[object], TypeGuard[_T]], described: str) -> _T:
    named = _OWN.fullmatch(text)
    if named is None:
        raise UnknownName(f"'{text}' is not FILE.py:NAME")
    module = run_file(named["path"])
    if not hasattr(module, named["name"]):
        own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        hint = f"; it has {', '.join(own)}" if own else ""
        raise UnknownName(f"there is no {named['name']} in {named['path']}{hint}")
    found: object = getattr(module, named["name"])
    if isinstance(found, type):
        found = guarded(text, found)
    if not is_kind(found):
        raise OwnCodeFailed(f"{text} is not {described} but a {type(found).__name__}")
    return found


Kind = TypeVar("Kind", ConfidenceInterval, Policy)


def _known(
    text: str,
    found: Kind,
    named: Callable[[str], Kind],
    register: Callable[[str, Callable[[str | None], Kind]], None],
) -> Kind:
    """The object under its own text; an equal one that the file has registered itself is as good."""
    own: object = guarded(text, lambda: found.text)
    if not isinstance(own, str):
        raise OwnCodeFailed(f'the `text` of {text} must be a string such as "mine", not a {type(own).__name__}')
    name, _, written = own.partition(":")

    def make(argument: str | None) -> Kind:
        if (argument or "") != written:
            raise UnknownName(f"{text} is '{own}', and nothing else is known by the name '{name}'")
        return found

    try:
        register(name, make)
    except NameTaken:
        known = guarded(text, lambda: named(own))
        if not guarded(text, lambda: _alike(known, found)):
            raise NameTaken(
                f"{text} calls itself '{own}', which is the name of another one: give it a `text` of its own"
            ) from None
        return known
    return found


def _alike(known: object, found: object) -> bool:
    """Whether two objects are the same thing: of one class, and with the same in their attributes."""
    if type(known) is not type(found):
        return False
    return known == found or _given_attributes(known) == _given_attributes(found)


def _given_attributes(thing: object) -> object:
    """What an object was made with, without what it has worked out since; itself if it keeps no attributes."""
    if not hasattr(thing, "__dict__"):
        return thing
    worked_out = {name for name in vars(thing) if isinstance(getattr(type(thing), name, None), cached_property)}
    return {name: value for name, value in vars(thing).items() if name not in worked_out}


def _try_interval(text: str, interval: ConfidenceInterval) -> None:
    """Asks for a few radii, so that what breaks does so here, with its line, and not in the middle of a check."""
    needed = interval.needed_queries
    if not isinstance(needed, int) or needed < 1:
        raise OwnCodeFailed(f"the needed_queries of {text} must be a whole number of at least 1, not {needed!r}")
    for queries in range(needed, needed + 4):
        for variance in (0, Fraction(1, 4)) if interval.uses_variance else (0,):
            for round_number in (2, 3, 10, 1000):
                radius: object = interval.radius_form(queries, variance, round_number)
                if not isinstance(radius, NormalForm):
                    raise OwnCodeFailed(
                        f"radius_form of {text} must give a NormalForm, not a {type(radius).__name__}"
                    )
                if interval.shape is not None:
                    shaped = interval.shape.form(queries, variance, round_number)
                    if radius.minus(shaped).reduced().terms:
                        raise OwnCodeFailed(
                            f"the radius_form of {text} is not that of its `shape` after {queries} queries in round "
                            f"{round_number}: give one of them, the other follows"
                        )


def _try_policy(text: str, policy: Policy) -> None:
    """Plays a few rounds; the rule must take a decision that its own relation lists."""
    for arms in (1, 2, 3):
        for epsilon in (Fraction(0), Fraction(1, 2), Fraction(3)):
            player = LivePolicy(policy, arms, "hoeffding", "last")
            for number in range(1, 3 * arms + 4):
                possible = player.admissible(number, epsilon)
                decision: object = _decision(player, policy, number, epsilon)
                if _tosses(player, policy, number, epsilon):
                    raise OwnCodeFailed(f"in round {number} {text} {_HOW_TO_TOSS}")
                if not isinstance(decision, Decision) or decision.arm not in range(1, arms + 1):
                    raise OwnCodeFailed(
                        f"{text} must decide for a Decision(arm, query) with an arm of 1..{arms}; it gave {decision!r}"
                    )
                if decision not in possible:
                    raise OwnCodeFailed(
                        f"in round {number} decide of {text} gives {tuple(decision)}, which its `possible` does not list"
                    )
                if player.decide(number, epsilon).query:
                    player.observe(number % 2)


_HOW_TO_TOSS = (
    "tosses a coin of its own, so that no run of it can be replayed and it has no law: write the chance as a tie, for arm in "
    "comparisons.largest([1, 2], lambda arm: view.number(0)), and `--ties random` tosses it fairly"
)


def _tosses(player: LivePolicy, policy: Policy, number: int, epsilon: Fraction) -> bool:
    """Whether chance decides: Python's or numpy's generator is drawn from, or the same question has another answer."""
    before = _generators()
    first, listed = _decision(player, policy, number, epsilon), player.admissible(number, epsilon)
    if _generators() != before:
        return True
    return any(
        _decision(player, policy, number, epsilon) != first or player.admissible(number, epsilon) != listed
        for _ in range(8)
    )


def _generators() -> tuple[object, ...]:
    """The states of the generators that a program draws from without making one."""
    drawn = sys.modules["numpy"].random.get_state(legacy=True) if "numpy" in sys.modules else ()
    return random.getstate(), *map(str, drawn)


def _decision(player: LivePolicy, policy: Policy, number: int, epsilon: Fraction) -> Decision:
    """The decision of the round, without taking it: it may be asked any number of times."""
    level = Exact.of(0 if number <= player.state.arms else epsilon)
    return policy.decide(ExactView(player.state, player.confidence, number, level), last)
