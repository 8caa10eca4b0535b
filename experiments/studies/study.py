"""A study: every combination of instances, policies, intervals, schedules, tie-breaks and horizons, over seeds.

Everything but the instances is given by its text form, which the reference reads; each combination is a cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol, TypeAlias, TypeVar

from bufalu.experiments.studies.checkpoints import POINTS
from bufalu.experiments.studies.errors import InvalidStudy
from bufalu.reference import arguments
from bufalu.reference.arguments import InstanceLike, IntervalLike, PolicyLike
from bufalu.reference.errors import BufaluError
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import CountLike, NumberLike, format_rational, parse_rational, shown, whole_number
from bufalu.reference.rewards import AnswerTimes
from bufalu.reference.schedules import Schedule
from bufalu.reference.ties import parse_ties


class Textual(Protocol):
    """A policy, interval or schedule of the reference: `text` is how it is written."""

    @property
    def text(self) -> str | None:
        """The text form, None for what only Python can express."""


Instances: TypeAlias = InstanceLike | Mapping[str, InstanceLike]

T = TypeVar("T")

LONGEST_NAME = 48


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
    """What to run. A single text stands for a list of one, an object for its text, which must be known; an instance
    alone gets a name from its means. Curves have about `points` points. Answers are known `delay` rounds after the next one,
    or never with probability `missing`, in every cell.

    Raises `InvalidStudy` for an empty or repeated choice or a count that is not positive, and what the reference raises
    for a text that it cannot read.
    """

    def __init__(
        self,
        *,
        instances: Instances,
        policies: PolicyLike | Sequence[PolicyLike],
        epsilons: str | Schedule | Sequence[str | Schedule],
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
        self.epsilons = _texts("epsilons", epsilons, _schedule)
        self.confidences = _texts("confidences", confidences, arguments.interval)
        self.ties = _distinct("ties", ties, _ties_text)
        self.horizons = _distinct("horizons", horizons, _positive)
        self.seeds = _positive(seeds, "seeds")
        self.title = title
        self.points = _positive(points, "points")
        try:
            times = AnswerTimes(delay, missing)
        except BufaluError as problem:
            raise InvalidStudy(f"{problem}") from None
        self.delay, self.missing = times.delay, format_rational(times.missing)
        if not isinstance(title, str):
            raise InvalidStudy(f"title must be a text, not {shown(title)}")

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
    named = given if isinstance(given, Mapping) else {"": given}
    found: dict[str, Instance] = {}
    for name, entry in named.items():
        instance = arguments.instance(entry, "instances")
        if not isinstance(name, str):
            raise InvalidStudy(f"instances must have texts for names, not {shown(name)}")
        found[name if isinstance(given, Mapping) else instance_name(instance)] = instance
    if not found:
        raise InvalidStudy("instances must name at least one instance")
    return found


def _texts(what: str, given: object, read: Callable[..., Textual]) -> tuple[str, ...]:
    return _distinct(what, given, lambda thing, name: _text(thing, name, read))


def _text(thing: object, name: str, read: Callable[..., Textual]) -> str:
    """The text of a thing; of texts that mean the same (`power:0.25`, `power:1/4`) the one that can be read back."""
    form = read(thing, name).text
    if not isinstance(thing, str):
        if not isinstance(form, str):
            raise InvalidStudy(f"{name} must have text forms, so that a study can be stored; {shown(thing)} has none")
        return str(read(form, name).text)
    try:
        return thing if form is None or read(form, name).text != form else form
    except BufaluError:
        return thing


def _schedule(given: str | Schedule, name: str) -> Schedule:
    if not isinstance(given, str | Schedule) or isinstance(given, type):
        raise InvalidStudy(
            f"{name} must have text forms, so that a study can be stored: a text or a schedule, not {shown(given)}"
        )
    return arguments.schedule(given, name)


def _ties_text(text: str, name: str) -> str:
    if not isinstance(text, str):
        raise InvalidStudy(f"{name} must be texts, so that a study can be stored, not {shown(text)}")
    parse_ties(text)
    return text


def _positive(number: CountLike, name: str) -> int:
    try:
        return whole_number(number, name, 1)
    except BufaluError as problem:
        raise InvalidStudy(f"{problem}") from None


def _distinct(what: str, given: object, read: Callable[..., T]) -> tuple[T, ...]:
    """What is read from each thing of a list, or from anything else as a list of one; raises `InvalidStudy` for none
    or for the same twice.
    """
    listed = isinstance(given, list | tuple | range) or bool(getattr(given, "ndim", False))
    things: Iterable[object] = given if listed and isinstance(given, Iterable) else [given]
    found = tuple(read(thing, what) for thing in things)
    if not found:
        raise InvalidStudy(f"{what}: a study needs at least one")
    for position, choice in enumerate(found):
        if choice in found[:position]:
            raise InvalidStudy(f"{what}: {choice} is given twice")
    return found
