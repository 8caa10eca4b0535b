"""A study: every combination of instances, policies, intervals, schedules, tie-breaks and horizons, over seeds.

Everything but the instances is given by its text form, which the reference reads; each combination is a cell.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from numbers import Number
from typing import Protocol, TypeAlias, TypeVar, cast

from bufalu.experiments.studies.checkpoints import POINTS
from bufalu.experiments.studies.errors import InvalidStudy
from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike, IntervalLike, PolicyLike, ScheduleLike
from bufalu.reference.comparisons import parse_ties
from bufalu.reference.errors import BufaluError, NameTaken
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import (
    LARGEST_COUNT,
    CountLike,
    NumberLike,
    format_rational,
    parse_rational,
    shown,
    whole_number,
)
from bufalu.reference.rewards import AnswerTimes
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import Values, register_schedule
from bufalu.reference.trace_files import rational_epsilon


class Textual(Protocol):
    """A policy, interval or schedule of the reference: `text` is how it is written."""

    @property
    def text(self) -> str | None:
        """The text form, None for what only Python can express."""


Instances: TypeAlias = InstanceLike | Sequence[InstanceLike] | Mapping[str, InstanceLike]

T = TypeVar("T")

LONGEST_NAME = 48
"""Means that take more characters are no name of an instance."""

MOST_VALUES = 10_000_000
"""Of a function of the round, or a list, a study keeps at most so many epsilons."""

MOST_SEEDS, MOST_POINTS, MOST_ARMS, MOST_RUNS = 10**7, 10**5, 10**4, 10**8
"""Of a study: seeds, points of a curve, arms of an instance, and runs, all seeds of all cells."""


@dataclass(frozen=True)
class Cell:
    """One combination. `instance_name` is how tables and pictures call the instance."""

    instance_name: str
    instance: Instance
    policy: str
    epsilon: str
    confidence: str
    ties: str
    horizon: int
    delay: int = 0
    missing: str = "0"

    @property
    def late(self) -> str | None:
        """How late answers come, in words; None if the next round knows them all."""
        times = answer_times(self.delay, self.missing, 0)
        return None if times is None else times.text

    @property
    def setting(self) -> tuple[str, str, str, str, int]:
        """Everything but the policy: cells of one setting are compared, on the same rewards."""
        return self.instance_name, self.epsilon, self.confidence, self.ties, self.horizon


class Study:
    """What to run. A single text stands for a list of one, an object for its text, which must be known; instances
    without names, one or a list, get them from their means. An epsilon may also be a function of the round, or a list
    or array of numbers, epsilon(1) first: its text is then a digest of its values up to the last horizon, which this
    process knows. Curves have about `points` points. Answers are known `delay` rounds after the next one,
    or never with probability `missing`, in every cell.

    Raises `InvalidStudy` for an empty or repeated choice or a count that is not positive, and what the reference raises
    for a text that it cannot read.
    """

    def __init__(
        self,
        *,
        instances: Instances,
        policies: PolicyLike | Sequence[PolicyLike],
        epsilons: ScheduleLike | Sequence[ScheduleLike],
        horizons: CountLike | Iterable[CountLike],
        seeds: CountLike,
        confidences: IntervalLike | Sequence[IntervalLike] = "hoeffding",
        ties: str | Sequence[str] = "first",
        title: str = "",
        points: CountLike = POINTS,
        delay: CountLike = 0,
        missing: NumberLike = 0,
    ) -> None:
        self.instances = _named_instances(instances)
        self.policies = _texts("policies", policies, arguments.policy)
        self.horizons = _distinct("horizons", horizons, _positive)
        self.epsilons = _texts("epsilons", _as_schedules(epsilons, max(self.horizons)), arguments.schedule)
        self.confidences = _texts("confidences", confidences, arguments.interval)
        self.ties = _distinct("ties", ties, _ties_text)
        self.seeds = _positive(seeds, "seeds", MOST_SEEDS)
        self.title = title
        self.points = _positive(points, "points", MOST_POINTS)
        try:
            times = AnswerTimes(delay, missing)
        except BufaluError as problem:
            raise InvalidStudy(f"{problem}") from None
        self.delay, self.missing = times.delay, format_rational(times.missing)
        if not isinstance(title, str):
            raise InvalidStudy(f"title must be a text, not {shown(title)}")
        choices = (self.instances, self.policies, self.epsilons, self.confidences, self.ties, self.horizons)
        runs = self.seeds * prod(map(len, choices))
        if runs > MOST_RUNS:
            raise InvalidStudy(f"a study has at most {MOST_RUNS:,} runs, all seeds of all cells, not {runs:,}")

    def __repr__(self) -> str:
        choices = [
            f"{len(chosen)} {noun if len(chosen) == 1 else plural}"
            for noun, plural, chosen in (
                ("instance", "instances", self.instances),
                ("policy", "policies", self.policies),
                ("epsilon", "epsilons", self.epsilons),
                ("interval", "intervals", self.confidences),
                ("tie-break", "tie-breaks", self.ties),
                ("horizon", "horizons", self.horizons),
            )
        ]
        title = f"'{self.title}': " if self.title else ""
        return f"<Study {title}{' x '.join(choices)} = {len(self.cells())} cells, {self.seeds:,} seeds each>"

    def cells(self) -> tuple[Cell, ...]:
        """Every combination: settings in the order given, and in each the policies in the order given."""
        settings = product(self.instances.items(), self.horizons, self.confidences, self.ties, self.epsilons)
        return tuple(
            Cell(name, instance, policy, epsilon, confidence, ties, horizon, self.delay, self.missing)
            for (name, instance), horizon, confidence, ties, epsilon in settings
            for policy in self.policies
        )

    @property
    def rounds(self) -> int:
        """All rounds of all seeds of all cells."""
        return sum(cell.horizon for cell in self.cells()) * self.seeds

    def document(self) -> dict[str, object]:
        """The study as JSON data, exact numbers as text: two studies are the same if their documents are."""
        return {
            "title": self.title,
            "instances": {name: instance_document(instance) for name, instance in self.instances.items()},
            "policies": list(self.policies),
            "epsilons": list(self.epsilons),
            "confidences": list(self.confidences),
            "ties": list(self.ties),
            "horizons": list(self.horizons),
            "seeds": self.seeds,
            "points": self.points,
            "delay": self.delay,
            "missing": self.missing,
        }


def answer_times(delay: int, missing: str, seed: int) -> AnswerTimes | None:
    """When answers are known in the run of a seed; None for the next round always."""
    return None if (delay, missing) == (0, "0") else AnswerTimes(delay, parse_rational(missing), seed)


def instance_document(instance: Instance) -> list[dict[str, list[str]]]:
    """The arms of an instance, in the form that instance files have."""
    return [
        {
            "values": [format_rational(value) for value in arm.values],
            "probabilities": [format_rational(probability) for probability in arm.probabilities],
        }
        for arm in instance.arms
    ]


def instance_name(instance: Instance) -> str:
    """The means, if they are short enough for a name."""
    means = ", ".join(format_rational(mean) for mean in instance.means)
    return means if len(means) <= LONGEST_NAME else f"{instance.number_of_arms} arms"


def _named_instances(given: Instances) -> dict[str, Instance]:
    found: dict[str, Instance] = {}
    if isinstance(given, Mapping):
        for name, entry in given.items():
            if not isinstance(name, str):
                raise InvalidStudy(f"instances must have texts for names, not {shown(name)}")
            found[name] = arguments.instance(entry, "instances")
    else:
        for entry in _things(given, lambda item: isinstance(item, Instance) or _is_listed(item)):
            instance = arguments.instance(entry, "instances")  # type: ignore[arg-type]  # refused there
            if instance in found.values():
                raise InvalidStudy(f"instances: {instance_name(instance)} is given twice")
            name = instance_name(instance)
            others = sum(known.split(" #")[0] == name for known in found)
            found[f"{name} #{others + 1}" if others else name] = instance
    for instance in found.values():
        if instance.number_of_arms > MOST_ARMS:
            raise InvalidStudy(
                f"an instance of a study has at most {MOST_ARMS:,} arms, not {instance.number_of_arms:,}"
            )
    if not found:
        raise InvalidStudy("instances must name at least one instance")
    return found


def _is_listed(given: object) -> bool:
    return isinstance(given, list | tuple | range) or bool(getattr(given, "ndim", False))


def _things(given: object, several: Callable[[object], bool]) -> list[object]:
    """The items of a list in which one item alone is a whole thing, else what is given as the only one."""
    if not _is_listed(given):
        return [given]
    items = list(cast(Iterable[object], given))
    return items if not items or several(items[0]) else [given]


def _as_schedules(given: object, horizon: int) -> list[object]:
    """The schedules, functions and lists of numbers among them as texts under which their values are known here."""

    def several(item: object) -> bool:
        return not isinstance(item, Number)

    return [_tabulated(item, horizon) for item in _things(given, several)]


def _tabulated(given: object, horizon: int) -> object:
    """The text of a function of the round, or of a list of numbers, by its values up to the horizon."""
    if isinstance(given, type) or not (callable(given) or _is_listed(given)):
        return given
    schedule = arguments.schedule(given, "epsilons")  # type: ignore[arg-type]  # refused there
    if schedule is given:  # one that can be called too
        return given
    values = schedule.listed
    if values is None:
        if horizon > MOST_VALUES:
            raise InvalidStudy(f"a function of the round is kept for at most {MOST_VALUES:,} rounds, not {horizon:,}")
        rounds = (Round(number, 1, False, None, schedule.at(number, 1)) for number in range(1, horizon + 1))
        values = tuple(map(rational_epsilon, rounds))
    kept = Values(values[:horizon])
    digest = hashlib.sha256(" ".join(map(format_rational, kept.listed)).encode()).hexdigest()
    text = f"values-{digest[:12]}"
    with contextlib.suppress(NameTaken):  # then it has the same values
        register_schedule(text, kept)
    return text


def _texts(what: str, given: object, read: Callable[..., Textual]) -> tuple[str, ...]:
    return _distinct(what, given, lambda thing, name: _text(thing, name, read))


def _text(thing: object, name: str, read: Callable[..., Textual]) -> str:
    """The text of a thing; of texts that mean the same (`power:0.25`, `power:1/4`) the one that can be read back."""
    made = read(thing, name)
    form = made.text
    if not isinstance(thing, str):
        if not isinstance(form, str):
            raise InvalidStudy(f"{name} must have text forms, so that a study can be stored; {shown(thing)} has none")
        named = read(form, name)
        if type(named) is not type(made):
            raise InvalidStudy(
                f"{name}: '{form}', the text form of {shown(thing)}, is that of another class: a study would play that one; "
                "give your class a text of its own and register it"
            )
        return str(named.text)
    try:
        return thing if form is None or read(form, name).text != form else form
    except BufaluError:
        return thing


def _ties_text(text: str, name: str) -> str:
    if not isinstance(text, str):
        raise InvalidStudy(f"{name} must be texts, so that a study can be stored, not {shown(text)}")
    parse_ties(text)
    return text


def _positive(number: CountLike, name: str, most: int = LARGEST_COUNT) -> int:
    try:
        return whole_number(number, name, 1, most)
    except BufaluError as problem:
        raise InvalidStudy(f"{problem}") from None


def _distinct(what: str, given: object, read: Callable[..., T]) -> tuple[T, ...]:
    """What is read from each thing of a list, or from anything else as a list of one; raises `InvalidStudy` for none
    or for the same twice.
    """
    things: Iterable[object] = given if _is_listed(given) and isinstance(given, Iterable) else [given]
    found = tuple(read(thing, what) for thing in things)
    if not found:
        raise InvalidStudy(f"{what}: a study needs at least one")
    for position, choice in enumerate(found):
        if choice in found[:position]:
            raise InvalidStudy(f"{what}: {choice} is given twice")
    return found
