"""What is fixed when a journal is created: names of arms, policy, interval, schedule, range of rewards, ties, samples.

Each is kept as its canonical text, so that two settings are the same exactly if their texts are.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Self

from bufalu.live.errors import JournalDiffers
from bufalu.reference import arguments
from bufalu.reference.arguments import IntervalLike, PolicyLike, ScheduleLike
from bufalu.reference.comparisons import TieBreak, parse_ties, uniform_index
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.errors import InvalidInstance, InvalidNumber, InvalidReward, InvalidSchedule, NoChance
from bufalu.reference.policies import Policy, check_one_logarithm, interval_beside, policy_named
from bufalu.reference.rationals import (
    NumberLike,
    Rational,
    data,
    format_rational,
    is_double,
    many,
    nearest_float,
    parameter,
    parse_rational,
    shown,
)
from bufalu.reference.schedules import Schedule, parse_schedule
from bufalu.reference.state import MOST_ARMS, ArmRecord

LONGEST_NAME = 200
RANDOM = "random:"


@dataclass(frozen=True)
class Settings:
    """What a journal was created with; `known` has one text `answers total squares` for each arm, in [0, 1]."""

    arms: tuple[str, ...]
    policy: str
    epsilon: str
    rewards: tuple[str, str]
    confidence: str
    ties: str
    known: tuple[str, ...]

    @property
    def rule(self) -> Policy:
        """The policy; raises `UnknownName` where it is not registered in this program."""
        return policy_named(self.policy)

    @property
    def interval(self) -> ConfidenceInterval:
        """The confidence interval; raises `UnknownName` where it is not registered in this program."""
        return confidence_named(self.confidence)

    @property
    def schedule(self) -> Schedule:
        """epsilon(t) for rewards in [0, 1]: what was given in the unit of the rewards, divided by their range."""
        return parse_schedule(self.epsilon).per_range(self.spread)

    @property
    def lowest(self) -> Rational:
        """The smallest reward that can be."""
        return parse_rational(self.rewards[0])

    @property
    def spread(self) -> Rational:
        """The range: largest minus smallest reward."""
        return parse_rational(self.rewards[1]) - self.lowest

    def scaled(self, reward: NumberLike) -> Rational:
        """A reward on the scale from 0 to 1; raises `InvalidReward` outside the range and for what is no number."""
        try:
            exact = data(reward, "the answer")
        except InvalidNumber as problem:
            raise InvalidReward(str(problem)) from None
        if not 0 <= exact - self.lowest <= self.spread:
            lowest, largest = self.rewards
            raise InvalidReward(f"the answer {given_as(exact)} is outside the range from {lowest} to {largest}")
        return Fraction(exact - self.lowest) / self.spread

    def records_before(self) -> list[ArmRecord]:
        """What was known of every arm before the first round."""
        records = []
        for text in self.known:
            answers, total, squares = text.split()
            records.append(ArmRecord(int(answers), own_number(total), own_number(squares)))
        return records

    def ties_of(self, round_number: int) -> TieBreak:
        """The tie-break of one round: chance is a function of seed and round, so that a restart changes nothing."""
        if self.ties.startswith(RANDOM):
            return _TiesOfRound(f"{self.ties}:{round_number}")
        return parse_ties(self.ties)


@dataclass(frozen=True)
class OpeningRequest:
    """What somebody opened a journal with: canonical texts, None for what was left out."""

    arms: tuple[str, ...] | None
    policy: str | None
    epsilon: str | None
    rewards: tuple[str, str] | None
    confidence: str | None
    ties: str | None
    samples: Mapping[str, Sequence[NumberLike]] | None

    @classmethod
    def of(
        cls,
        arms: Sequence[str] | None,
        policy: PolicyLike | None,
        epsilon: ScheduleLike | None,
        *,
        rewards: tuple[NumberLike, NumberLike] | None,
        confidence: IntervalLike | None,
        ties: str | None,
        known: Mapping[str, Sequence[NumberLike]] | None,
    ) -> Self:
        """The arguments as canonical texts; raises a `BufaluError` naming the one that is wrong."""
        schedule = None if epsilon is None else arguments.schedule(epsilon, "epsilon").text
        if epsilon is not None and schedule is None:
            raise InvalidSchedule("epsilon must have a text form, such as power:1/4: the journal keeps it")
        if ties is not None:
            parse_ties(ties)
        return cls(
            None if arms is None else _names(arms),
            None if policy is None else arguments.policy(policy).text,
            schedule,
            None if rewards is None else _range(rewards),
            None if confidence is None else arguments.interval(confidence).text,
            ties,
            known,
        )

    def settings(self, seed: int) -> Settings:
        """The settings of a new journal. Raises `InvalidInstance` or `InvalidSchedule` where one must be given."""
        if self.arms is None:
            raise InvalidInstance("a new journal needs the names of its arms")
        if self.epsilon is None:
            raise InvalidSchedule(
                "a new journal needs an epsilon, such as power:1/4 (docs/live.md says how to choose it)"
            )
        policy = self.policy or "bufalu"
        made = Settings(
            self.arms,
            policy,
            self.epsilon,
            self.rewards or ("0", "1"),
            interval_beside(policy_named(policy), self.confidence),
            self.ties or f"{RANDOM}{seed}",
            (),
        )
        if made.rule.tosses and not made.ties.startswith(RANDOM):
            raise NoChance(f"the policy {made.policy} tosses a coin: its ties are {RANDOM}SEED, not {made.ties}")
        check_one_logarithm(made.rule, made.interval, made.schedule, len(made.arms))
        return Settings(**{**vars(made), "known": _known(made, self.samples or {})})

    def refuse_unless(self, kept: Settings, path: str) -> None:
        """Raises `JournalDiffers` if something was given that is not what the file has."""
        for name in (field.name for field in fields(kept)):
            was, given = getattr(kept, name), getattr(self, name, None)
            if given is not None and given != was:
                raise _differs(path, name, _text(was), _text(given))
        if self.samples is not None and (known := _known(kept, self.samples)) != kept.known:
            raise _differs(path, "known", _samples_text(kept.arms, kept.known), _samples_text(kept.arms, known))


def _differs(path: str, name: str, was: str, given: str) -> JournalDiffers:
    return JournalDiffers(
        f"{path} was created with {name} {was}, and {given} was given: "
        "leave it out to go on with the journal, or create another"
    )


def _names(arms: Sequence[str]) -> tuple[str, ...]:
    names = tuple(many(arms, "arms"))
    for name in names:
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            raise InvalidInstance(
                f"the name of an arm is a text of 1 to {LONGEST_NAME} characters, not {shown(name)}"
            )
    for name, count in Counter(names).items():
        if count > 1:
            raise InvalidInstance(f"two arms have the name {shown(name)}")
    if not 1 <= len(names) <= MOST_ARMS:
        raise InvalidInstance(f"a journal has 1 to {MOST_ARMS} arms, not {len(names)}")
    return names


def _range(rewards: tuple[NumberLike, NumberLike]) -> tuple[str, str]:
    ends = [parameter(end, "rewards") for end in many(rewards, "rewards")]
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise InvalidReward("rewards must be a smallest and a largest reward, such as (1, 5)")
    return format_rational(ends[0]), format_rational(ends[1])


def _known(settings: Settings, samples: Mapping[str, Sequence[NumberLike]]) -> tuple[str, ...]:
    """Counts and sums of the samples of each arm; raises `InvalidInstance` for an arm that the journal does not have."""
    for name in samples:
        if name not in settings.arms:
            raise InvalidInstance(f"known: there is no arm {shown(name)} (the arms are {_text(settings.arms)})")
    texts = []
    for name in settings.arms:
        record = ArmRecord()
        for reward in many(samples.get(name, ()), f"known[{name!r}]"):
            record = record.with_reward(settings.scaled(reward))
        texts.append(f"{record.queries} {format_rational(record.total)} {format_rational(record.squares)}")
    return tuple(texts)


class _TiesOfRound:
    """Uniform over each argmax of one round; the generator is made where there is a tie, since most rounds have none."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._generator: random.Random | None = None

    def __call__(self, tied: Sequence[int]) -> int:
        if len(tied) == 1:
            return tied[0]
        if self._generator is None:
            self._generator = random.Random(self._seed)
        return tied[uniform_index(self._generator, len(tied))]


def own_number(text: str) -> Rational:
    """A number that this room wrote: as long as the samples made it."""
    return parse_rational(text, len(text))


def given_as(number: Rational) -> str:
    """A reward as a person would write it: 4.3 for the binary64 of that name, else p/q."""
    return repr(nearest_float(number)) if number.denominator != 1 and is_double(number) else format_rational(number)


def _samples_text(arms: Sequence[str], known: Sequence[str]) -> str:
    """What was known of each arm before the first round, in words; sums are on the scale from 0 to 1."""
    found = [(name, *text.split()) for name, text in zip(arms, known, strict=True) if text != "0 0 0"]
    words = (f"{name}: {n} of sum {total} and squares {squares} in [0, 1]" for name, n, total, squares in found)
    return "; ".join(words) or "nothing"


def _text(value: object) -> str:
    """A setting as a message has it: several texts with commas between them, in quotes where one has a comma itself."""
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join(repr(each) if "," in each else each for each in value)
