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
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import BufaluError
from bufalu.reference.instances import Instance
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import LARGEST_COUNT, format_rational
from bufalu.reference.schedules import parse_schedule
from bufalu.reference.ties import parse_ties


class Textual(Protocol):
    """A policy, interval or schedule of the reference: `text` is how it is written."""

    @property
    def text(self) -> str | None:
        """The text form, None for what only Python can express."""


Texts: TypeAlias = str | Textual | Sequence[str | Textual]
Instances: TypeAlias = Instance | Mapping[str, Instance]

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

    @property
    def setting(self) -> tuple[str, str, str, str, int]:
        """Everything but the policy: cells of one setting are compared, on the same rewards."""
        return self.instance_name, self.epsilon, self.confidence, self.ties, self.horizon


class Study:
    """What to run. A single text stands for a list of one, an object for its text, which must be known; an instance
    alone gets a name from its means. Curves have about `points` points.

    Raises `InvalidStudy` for an empty or repeated choice or a count that is not positive, and what the reference raises
    for a text that it cannot read.
    """

    def __init__(
        self,
        *,
        instances: Instances,
        policies: Texts,
        epsilons: Texts,
        horizons: int | Sequence[int],
        seeds: int,
        confidences: Texts = "hoeffding",
        ties: Texts = "first",
        title: str = "",
        points: int = POINTS,
    ) -> None:
        named = {instance_name(instances): instances} if isinstance(instances, Instance) else dict(instances)
        self.instances = named
        self.policies = _texts("policy", policies, policy_named)
        self.epsilons = _texts("schedule", epsilons, parse_schedule)
        self.confidences = _texts("interval", confidences, confidence_named)
        self.ties = _texts("tie-break", ties)
        self.horizons = _distinct("horizon", [horizons] if isinstance(horizons, int) else horizons)
        self.seeds = seeds
        self.title = title
        self.points = points
        if not named:
            raise InvalidStudy("a study needs at least one instance")
        for number in (*self.horizons, seeds, points):
            if not 1 <= number <= LARGEST_COUNT:
                raise InvalidStudy(f"{number} is not a positive number of rounds, seeds or points")
        for text in self.ties:
            parse_ties(text)

    def cells(self) -> tuple[Cell, ...]:
        """Every combination: settings in the order given, and in each the policies in the order given."""
        settings = product(self.instances.items(), self.horizons, self.confidences, self.ties, self.epsilons)
        return tuple(
            Cell(name, instance, policy, epsilon, confidence, ties, horizon)
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
        }


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


def _texts(what: str, given: Texts, read: Callable[[str], Textual] | None = None) -> tuple[str, ...]:
    things = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    texts = [_text(what, thing) for thing in things]
    return _distinct(what, texts if read is None else [_canonical(text, read) for text in texts])


def _canonical(text: str, read: Callable[[str], Textual]) -> str:
    """The one form of texts that mean the same (`power:0.25`, `power:1/4`), if that can be read back."""
    form = read(text).text
    try:
        return text if form is None or read(form).text != form else form
    except BufaluError:
        return text


def _text(what: str, thing: str | Textual) -> str:
    text = thing if isinstance(thing, str) else getattr(thing, "text", None)
    if not isinstance(text, str):
        raise InvalidStudy(
            f"a study takes what has a text form, so that it can be stored; this {what} has none: {thing}"
        )
    return text


def _distinct(what: str, given: Iterable[T]) -> tuple[T, ...]:
    found = tuple(given)
    if not found:
        raise InvalidStudy(f"a study needs at least one {what}")
    for position, choice in enumerate(found):
        if choice in found[:position]:
            raise InvalidStudy(f"the {what} {choice} is given twice")
    return found
