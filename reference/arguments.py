"""Arguments as people have them: the one place where a text, a class, a list or a function becomes an object.

Numbers are read in `rationals.py` (`parameter`, `data`, `whole_number`). Every public function takes its arguments through
these two modules, so that the same things are accepted everywhere and a refusal names the argument.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from bufalu.reference.comparisons import TIE_FORMS, TieBreak, parse_ties
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.errors import (
    BufaluError,
    InvalidInstance,
    InvalidReward,
    InvalidSchedule,
    UnknownName,
    UnusableFile,
)
from bufalu.reference.exact import Exact
from bufalu.reference.instances import Instance
from bufalu.reference.policies import Policy, policy_named
from bufalu.reference.rationals import NumberLike, shown, whole_number
from bufalu.reference.rewards import RewardsInOrder, RewardSource, SeededRewards, Tape
from bufalu.reference.schedules import FunctionOfRound, Schedule, Values, callable_with, parse_schedule

if TYPE_CHECKING:
    from bufalu.reference.live import LivePolicy

PathLike: TypeAlias = str | os.PathLike[str]
"""The path of a file."""

InstanceLike: TypeAlias = Instance | Collection[NumberLike]
"""An instance, or the means of Bernoulli arms."""

ScheduleLike: TypeAlias = str | Schedule | Callable[[int], NumberLike | Exact] | Collection[NumberLike]
"""A text form, a schedule, a function of the round t, or epsilon(1), epsilon(2), ... as a list or an array."""

IntervalLike: TypeAlias = str | ConfidenceInterval | type[ConfidenceInterval]
"""A text form, an interval, or a class of intervals that needs no arguments."""

PolicyLike: TypeAlias = "str | Policy | type[Policy] | type[LivePolicy]"
"""A text form, a rule, a class of rules that needs no arguments, or one of the live classes such as `BuFALU`."""

TiesLike: TypeAlias = str | TieBreak
"""`first`, `last`, `random:SEED`, or a function that chooses one of the tied arms."""

RewardsLike: TypeAlias = int | RewardSource | Iterable[NumberLike] | Iterable[Iterable[NumberLike]]
"""A seed, a list for each arm, or a list or an iterator of rewards in the order in which they are asked for."""


def instance(given: InstanceLike, name: str = "instance") -> Instance:
    """The instance; raises `InvalidInstance`."""
    if isinstance(given, Instance):
        return given
    if not _is_list(given):
        raise InvalidInstance(f"{name} must be an Instance or a list of means, not {shown(given)}")
    with _naming(name):
        return Instance.bernoulli(given)


def schedule(given: ScheduleLike, name: str = "schedule") -> Schedule:
    """The schedule; raises `InvalidSchedule`."""
    if isinstance(given, str):
        with _naming(name):
            return parse_schedule(given)
    if isinstance(given, Schedule) and not isinstance(given, type):
        return given
    if _is_list(given):
        with _naming(name):
            return Values(given)
    if callable(given) and not isinstance(given, type):
        callable_with(given, 1, name)
        return FunctionOfRound(given)
    raise InvalidSchedule(
        f'{name} must be a text such as "power:1/4", a schedule, a function of the round or a list, not {shown(given)}'
    )


def interval(given: IntervalLike, name: str = "confidence") -> ConfidenceInterval:
    """The interval; raises `UnknownName`."""
    if isinstance(given, str):
        with _naming(name):
            return confidence_named(given)
    made = _of_class(given, name) if _is_kind(given, ConfidenceInterval) else given
    if not isinstance(made, ConfidenceInterval):
        raise UnknownName(f'{name} must be a text such as "hoeffding" or a ConfidenceInterval, not {shown(given)}')
    return made


def policy(given: PolicyLike, name: str = "policy") -> Policy:
    """The rule of a policy; raises `UnknownName`."""
    if isinstance(given, str):
        with _naming(name):
            return policy_named(given)
    rule = getattr(given, "RULE", None) if isinstance(given, type) else None
    if isinstance(rule, Policy):
        return rule
    made = _of_class(given, name) if _is_kind(given, Policy) else given
    if not isinstance(made, Policy):
        raise UnknownName(f'{name} must be a text such as "bufalu", a Policy or a class of one, not {shown(given)}')
    return made


def ties(given: TiesLike, name: str = "ties") -> TieBreak:
    """The tie-break; raises `UnknownName`."""
    if isinstance(given, str):
        with _naming(name):
            return parse_ties(given)
    if not callable(given) or isinstance(given, type):
        raise UnknownName(f"{name} must be one of {', '.join(TIE_FORMS)} or a function, not {shown(given)}")
    callable_with(given, 1, name, UnknownName)
    return given


def rewards(given: RewardsLike, arms: Instance, name: str = "rewards") -> RewardSource:
    """The source of rewards for an instance; raises `InvalidReward`, or `InvalidNumber` for a seed that is none."""
    if isinstance(given, RewardSource) and not isinstance(given, type):
        return given
    if hasattr(given, "__index__") and getattr(given, "ndim", 0) == 0:
        return SeededRewards(arms, whole_number(given, name))  # type: ignore[arg-type]  # refused there
    if isinstance(given, Iterable) and not isinstance(given, str | bytes):
        return _rewards_of(iter(given), arms, name)
    raise InvalidReward(f"{name} must be a seed, rewards, or a source of rewards, not {shown(given)}")


def path(given: PathLike, name: str = "path") -> str:
    """The path of a file as text; raises `UnusableFile`."""
    try:
        found = os.fspath(given)
    except TypeError:
        found = ""
    if not isinstance(found, str) or not found or "\0" in found:
        raise UnusableFile(f"{name} must be the path of a file, not {shown(given)}")
    return found


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Puts the name of the argument before a refusal that does not say it."""
    try:
        yield
    except BufaluError as problem:
        if name in str(problem):
            raise
        raise type(problem)(f"{name}: {problem}") from None


def _rewards_of(items: Iterator[object], arms: Instance, name: str) -> RewardSource:
    """A tape if the first item is a list, else rewards in order."""
    found = next(items, None)
    if found is None:
        return RewardsInOrder(())
    everything = chain([found], items)
    if not _is_list(found):
        return RewardsInOrder(everything)  # type: ignore[arg-type]  # each is checked as it is drawn
    tape = Tape(everything)  # type: ignore[arg-type]  # checked there
    if tape.arms != arms.number_of_arms:
        raise InvalidReward(f"{name} has lists for {tape.arms} arms, and the instance has {arms.number_of_arms}")
    return tape


def _is_list(given: object) -> TypeGuard[Collection[NumberLike]]:
    """Whether this is an ordered collection: a list, a tuple, an array; no text, set, mapping or iterator."""
    if isinstance(given, str | bytes | type) or getattr(given, "ndim", 1) == 0:
        return False
    return hasattr(given, "__len__") and hasattr(given, "__getitem__") and not hasattr(given, "keys")


def _is_kind(given: object, kind: type) -> bool:
    return isinstance(given, type) and issubclass(given, kind)


def _of_class(given: object, name: str) -> object:
    """An object of the class if a class is given, else what is given."""
    if not isinstance(given, type):
        return given
    try:
        return given()
    except TypeError:
        raise UnknownName(f"{name}: the class {given.__name__} needs arguments: give an object of it") from None
