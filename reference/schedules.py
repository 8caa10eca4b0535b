"""Schedules epsilon(t): the accuracy up to which a policy wants to know the best arm in round t (l.406).

The parameters of a schedule are the decimals that they show (`Constant(0.1)` is one tenth); the numbers of `Values` and
those that a function computes are data, and a float among them is the binary64 that it is.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from io import TextIOWrapper
from itertools import pairwise
from pathlib import Path

from bufalu.reference.epsilon_shapes import MAX_EXPONENT, Direction, EpsilonShape
from bufalu.reference.errors import BufaluError, InvalidNumber, InvalidSchedule
from bufalu.reference.exact import Exact
from bufalu.reference.radicals import RadicalTerm
from bufalu.reference.rationals import (
    MAX_WRITTEN_LENGTH,
    NumberLike,
    Rational,
    data,
    format_rational,
    many,
    nearest_float,
    parameter,
    parse_rational,
    rational,
    shown,
)
from bufalu.reference.registry import Registry
from bufalu.reference.rounds import Round
from bufalu.reference.whole_files import open_to_read

_KNOWN_OF_VALUES = {
    "at": ("text", "terms", "listed", "shape", "direction", "budget_at", "per_range"),
    "terms": ("text",),
}
"""By the methods that give epsilon: what is known of the values that they give."""


class Schedule(ABC):
    """epsilon(t), a nonnegative number for each round. `at` is all that it must have.

    What else is None or unknown is not known of the schedule: then exact numbers decide, and are walked through.
    """

    def __init_subclass__(cls) -> None:
        """Raises `InvalidSchedule` for a class with values of its own that keeps what is known of those of another."""
        super().__init_subclass__()
        order = cls.__mro__[: cls.__mro__.index(Schedule)]

        def place(name: str) -> int:
            """How far up stands the class that this one has a method from."""
            return next((place for place, base in enumerate(order) if name in vars(base)), len(order))

        for values, facts in _KNOWN_OF_VALUES.items():
            if getattr(getattr(cls, values, None), "__isabstractmethod__", False):
                continue
            for name in facts:
                if place(values) < place(name) < len(order):
                    raise InvalidSchedule(
                        f"{cls.__name__} has values of its own (`{values}`) and keeps the `{name}` of "
                        f"{order[place(name)].__name__}: change that too, or derive it from Schedule"
                    )

    @abstractmethod
    def at(self, round_number: int, arms: int, history: Sequence[Round] = ()) -> Exact:
        """epsilon(t) for K arms; raises `InvalidSchedule` where there is none. +infinity only at t = 1 (1/ln 1)."""

    @property
    def text(self) -> str | None:
        """The form that the command line reads, or None for schedules that only Python can express."""
        return None

    @property
    def adaptive(self) -> bool:
        """Whether epsilon(t) depends on the history."""
        return False

    @property
    def listed(self) -> tuple[Rational, ...] | None:
        """epsilon(1), epsilon(2), ... of a schedule that is a list of numbers."""
        return None

    def shape(self, arms: int) -> EpsilonShape | None:
        """epsilon(t) for K arms as a sum of terms, for whatever computes, sums or inverts it; raises as `at` does."""
        return None

    def direction(self, arms: int) -> Direction:
        """Which way epsilon(t) is known to go for K arms."""
        return Direction.UNKNOWN

    def budget_at(self, round_number: int, arms: int) -> Rational | None:
        """B(t), if epsilon(t) = sqrt(6 K ln t / B(t)) for a total budget B(t) that never falls (l.416)."""
        return None

    def per_range(self, spread: Rational) -> Schedule:
        """This epsilon for rewards scaled to [0, 1], if it is meant in the unit of rewards that spread over `spread`.

        Raises `InvalidSchedule` where there is no such schedule.
        """
        if spread == 1:
            return self
        raise InvalidSchedule(f"{self.text or 'this epsilon'} has no form for rewards that spread over {spread}")


class ShapedSchedule(Schedule):
    """A schedule that is a sum of terms: everything follows from them."""

    @abstractmethod
    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        """The terms for K arms (see `EpsilonShape`); raises `InvalidSchedule` where there is no epsilon."""

    @cached_property
    def _shapes(self) -> dict[int, EpsilonShape]:
        return {}

    def shape(self, arms: int) -> EpsilonShape:
        """The sum of the terms."""
        known = self._shapes.get(arms)
        if known is None:
            known = self._shapes[arms] = EpsilonShape(self.terms(arms))
        return known

    def at(self, round_number: int, arms: int, history: Sequence[Round] = ()) -> Exact:
        """The value of the terms."""
        shape = self._shapes.get(arms) or self.shape(arms)
        return shape.at(round_number)

    def direction(self, arms: int) -> Direction:
        """The direction that all terms have."""
        return self.shape(arms).direction

    def budget_at(self, round_number: int, arms: int) -> Rational | None:
        """6 K / a^2, if epsilon(t) = a sqrt(ln t)."""
        level = self.shape(arms).log_polynomial
        return None if level is None or level.curvature else rational(6 * arms / level.slope_squared)

    def per_range(self, spread: Rational) -> Schedule:
        """Every term divided by the range."""
        return self if spread == 1 else Scaled(Fraction(1) / spread, self)


@dataclass(frozen=True, init=False)
class Scaled(ShapedSchedule):
    """epsilon(t) = factor * epsilon'(t), for a positive factor and another sum of terms."""

    factor: Rational
    schedule: ShapedSchedule

    def __init__(self, factor: NumberLike, schedule: ShapedSchedule) -> None:
        object.__setattr__(self, "factor", parameter(factor, "factor"))
        object.__setattr__(self, "schedule", schedule)
        if not isinstance(schedule, ShapedSchedule):
            raise InvalidSchedule(f"schedule must be a formula in t, such as Power(1/4), not {shown(schedule)}")
        if self.factor <= 0:
            raise InvalidSchedule(
                f"the factor of epsilon must be positive, and {format_rational(self.factor)} is not"
            )

    @property
    def text(self) -> str | None:
        """`scaled:FACTOR:SCHEDULE`."""
        inner = self.schedule.text
        return None if inner is None else f"scaled:{format_rational(self.factor)}:{inner}"

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        """The terms of the other, each with the factor."""
        return tuple(
            term._replace(coefficient=rational(Fraction(self.factor) * term.coefficient))
            for term in self.schedule.terms(arms)
        )


@dataclass(frozen=True, init=False)
class Constant(ShapedSchedule):
    """epsilon(t) = value."""

    value: Rational

    def __init__(self, value: NumberLike) -> None:
        object.__setattr__(self, "value", parameter(value, "value"))
        if self.value < 0:
            raise InvalidSchedule(f"the value of epsilon must not be negative, and {format_rational(self.value)} is")

    @property
    def text(self) -> str:
        """`constant:VALUE`."""
        return f"constant:{format_rational(self.value)}"

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        """The value."""
        return (RadicalTerm(self.value),) if self.value else ()


@dataclass(frozen=True)
class Zero(ShapedSchedule):
    """epsilon(t) = 0: queries are free."""

    text = "zero"

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        """None."""
        return ()


@dataclass(frozen=True, init=False)
class Power(ShapedSchedule):
    """epsilon(t) = t^-exponent, with 0 <= exponent <= MAX_EXPONENT."""

    exponent: Rational

    def __init__(self, exponent: NumberLike) -> None:
        object.__setattr__(self, "exponent", parameter(exponent, "exponent"))
        if not 0 <= self.exponent <= MAX_EXPONENT:
            raise InvalidSchedule(
                f"power:{format_rational(self.exponent)} has an exponent outside [0, {MAX_EXPONENT}]"
            )

    @property
    def text(self) -> str:
        """`power:EXPONENT`."""
        return f"power:{format_rational(self.exponent)}"

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        """t^-exponent."""
        return (RadicalTerm(1, exponent=-self.exponent),)


@dataclass(frozen=True)
class InverseLog(ShapedSchedule):
    """epsilon(t) = 1 / ln t, +infinity at t = 1."""

    text = "inverse-log"

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        """1 / ln t."""
        return (RadicalTerm(1, degree=-2),)


@dataclass(frozen=True, init=False)
class Budget(ShapedSchedule):
    """epsilon(t) = sqrt(6 K ln t / B) for a total budget B > 0 (l.416)."""

    total: Rational

    def __init__(self, total: NumberLike) -> None:
        object.__setattr__(self, "total", parameter(total, "total"))
        if self.total <= 0:
            raise InvalidSchedule(f"the total budget must be positive, and {format_rational(self.total)} is not")

    @property
    def text(self) -> str:
        """`budget:B`."""
        return f"budget:{format_rational(self.total)}"

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        """sqrt(6 K ln t / B): an arm queried B / K times has exactly this width."""
        return (RadicalTerm(1, Fraction(6 * arms) / self.total, degree=1),)

    def per_range(self, spread: Rational) -> Schedule:
        """As it is: a budget counts queries, whatever the unit of the rewards."""
        return self


@dataclass(frozen=True, init=False)
class BernsteinBudget(ShapedSchedule):
    """epsilon(t) = sqrt(6 K ln t / (B - K)) + 14 K ln t / (B - K) for a total budget B > K (l.871)."""

    total: Rational

    def __init__(self, total: NumberLike) -> None:
        object.__setattr__(self, "total", parameter(total, "total"))

    @property
    def text(self) -> str:
        """`bernstein-budget:B`."""
        return f"bernstein-budget:{format_rational(self.total)}"

    def terms(self, arms: int) -> tuple[RadicalTerm, ...]:
        """The level at which N_2^as of each arm is B / K; raises `InvalidSchedule` unless B > K."""
        if self.total <= arms:
            raise InvalidSchedule(
                f"bernstein-budget:{format_rational(self.total)} must exceed the number of arms, {arms}"
            )
        share = Fraction(arms) / (self.total - arms)
        return RadicalTerm(1, 6 * share, degree=1), RadicalTerm(14 * share, degree=2)

    def per_range(self, spread: Rational) -> Schedule:
        """As it is: a budget counts queries, whatever the unit of the rewards."""
        return self


@dataclass(frozen=True, init=False, repr=False)
class Values(Schedule):
    """epsilon(t) = values[t-1], any nonnegative numbers; a float is the binary64 that it is."""

    values: tuple[Rational, ...]

    def __init__(self, values: Iterable[NumberLike]) -> None:
        exact = tuple(data(value, "values") for value in many(values, "values"))
        object.__setattr__(self, "values", exact)
        for position, value in enumerate(self.values, start=1):
            if value.numerator < 0:  # much faster than comparing a fraction, and lists are long
                raise InvalidSchedule(
                    f"values must not be negative, and epsilon({position}) = {format_rational(value)} is"
                )

    def __repr__(self) -> str:
        few = ", ".join(map(format_rational, self.values[:4])) + (", ..." if len(self.values) > 4 else "")
        return f"<Values for {len(self.values):,} rounds: {few}>"

    @property
    def listed(self) -> tuple[Rational, ...]:
        """The values."""
        return self.values

    def direction(self, arms: int) -> Direction:
        """Whether no value is larger than the one before."""
        return Direction.NONINCREASING if self._never_rises else Direction.UNKNOWN

    @cached_property
    def _never_rises(self) -> bool:
        # Rounding to doubles keeps the order, so that fractions are compared only where their doubles are equal.
        values, doubles = self.values, map(nearest_float, self.values)
        return all(
            later < earlier
            or (later == earlier and (values[place] is values[place - 1] or values[place] <= values[place - 1]))
            for place, (earlier, later) in enumerate(pairwise(doubles), start=1)
        )

    def at(self, round_number: int, arms: int, history: Sequence[Round] = ()) -> Exact:
        """The value of the round; raises `InvalidSchedule` beyond the last one."""
        if not 1 <= round_number <= len(self.values):
            raise InvalidSchedule(
                f"epsilon({round_number}) is missing from the schedule: only {len(self.values)} values were given"
            )
        return Exact.of(self.values[round_number - 1])


@dataclass(frozen=True)
class NondecreasingBudget(Schedule):
    """epsilon(t) = sqrt(6 K ln t / B(t)) for a positive nondecreasing total budget B(t) (l.416)."""

    budget: Callable[[int], NumberLike]

    def __post_init__(self) -> None:
        callable_with(self.budget, 1, "budget")

    def at(self, round_number: int, arms: int, history: Sequence[Round] = ()) -> Exact:
        """sqrt(6 K ln t / B(t)); raises `InvalidSchedule` if B(t) is not positive."""
        return Budget(self.budget_at(round_number, arms)).at(round_number, arms)

    def budget_at(self, round_number: int, arms: int) -> Rational:
        """B(t); raises `InvalidSchedule` if it is not positive."""
        total = data(self.budget(round_number), f"the budget at round {round_number}")
        if total <= 0:
            raise InvalidSchedule(f"the budget at round {round_number} is {total}, which is not positive")
        return total


@dataclass(frozen=True)
class FunctionOfRound(Schedule):
    """epsilon(t) = function(t), computed by a program: a float that it gives is the binary64 that it is."""

    function: Callable[[int], NumberLike | Exact]

    def __post_init__(self) -> None:
        callable_with(self.function, 1, "function")

    def at(self, round_number: int, arms: int, history: Sequence[Round] = ()) -> Exact:
        """What the function gives for the round; raises `InvalidSchedule` if that is negative or no number."""
        return _level(self.function(round_number), round_number)


@dataclass(frozen=True)
class Adaptive(Schedule):
    """epsilon(t) chosen by an adversary who sees the rounds before t (l.1042)."""

    choose: Callable[[Sequence[Round], int, int], NumberLike | Exact]
    adaptive = True

    def __post_init__(self) -> None:
        callable_with(self.choose, 3, "choose")

    def at(self, round_number: int, arms: int, history: Sequence[Round] = ()) -> Exact:
        """What the adversary answers to (history, round, arms); raises `InvalidSchedule` for a negative number."""
        return _level(self.choose(history, round_number, arms), round_number)


def _level(answer: NumberLike | Exact, round_number: int) -> Exact:
    """What a program answered, as epsilon(t)."""
    return nonnegative_level(answer, f"epsilon({round_number})")


def nonnegative_level(value: NumberLike | Exact, name: str) -> Exact:
    """An epsilon that a program computed, exactly; raises `InvalidSchedule` unless it is a number of at least 0."""
    if not isinstance(value, Exact):
        try:
            value = Exact.of(data(value, name))
        except InvalidNumber as problem:
            raise InvalidSchedule(str(problem)) from None
    if value.approximation <= value.error and value.sign() < 0:
        raise InvalidSchedule(f"{name} = {float(value)} is negative")
    return value


def callable_with(function: object, arguments: int, name: str, error: type[BufaluError] = InvalidSchedule) -> None:
    """Raises the error unless `function` can be called with so many arguments, as far as can be seen."""
    if not callable(function) or isinstance(function, type):
        raise error(f"{name} must be a function, not {shown(function)}")
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except TypeError:
        raise error(f"{name} must take {arguments} argument{'s' * (arguments > 1)}") from None
    except ValueError:
        return  # a built-in function that does not tell


KNOWN_SCHEDULES: Registry[Schedule] = Registry("schedule", InvalidSchedule)


def register_schedule(name: str, make: Schedule | Callable[[str | None], Schedule], form: str | None = None) -> None:
    """Makes a schedule known under `name`: an object, or a function from the argument after the colon to one.

    Raises `NameTaken` if the name is in use.
    """
    KNOWN_SCHEDULES.register(name, KNOWN_SCHEDULES.fixed(name, make) if isinstance(make, Schedule) else make, form)


def parse_schedule(text: str) -> Schedule:
    """The schedule with this text form; raises `InvalidSchedule` with the list of forms."""
    if isinstance(text, str) and _is_number(text):
        raise InvalidSchedule(f"there is no schedule '{text}': the same epsilon in every round is constant:{text}")
    return KNOWN_SCHEDULES.parse(text)


def _is_number(text: str) -> bool:
    try:
        parse_rational(text)
    except InvalidNumber:
        return False
    return True


def _of_number(make: Callable[[Rational], Schedule]) -> Callable[[str | None], Schedule]:
    """A maker that needs one rational argument."""

    def parsed(argument: str | None) -> Schedule:
        if not argument:
            raise InvalidSchedule(
                f"the schedule needs a number after a colon (forms: {', '.join(KNOWN_SCHEDULES.forms)})"
            )
        return make(parse_rational(argument, MAX_WRITTEN_LENGTH))

    return parsed


def _of_factor(argument: str | None) -> Schedule:
    factor, colon, text = (argument or "").partition(":")
    if not colon or text.startswith("scaled:"):
        raise InvalidSchedule("the schedule 'scaled' needs one factor and a schedule, such as scaled:1/4:power:1/4")
    inner = parse_schedule(text)
    if not isinstance(inner, ShapedSchedule):
        raise InvalidSchedule(f"'{text}' cannot be scaled: it is not a formula in t")
    return Scaled(parse_rational(factor, MAX_WRITTEN_LENGTH), inner)


def _of_file(argument: str | None) -> Schedule:
    if not argument:
        raise InvalidSchedule("the schedule 'file:PATH' needs the path of a file")
    return read_values(Path(argument))


register_schedule("zero", Zero())
register_schedule("constant", _of_number(Constant), "constant:1/10")
register_schedule("power", _of_number(Power), "power:1/4")
register_schedule("inverse-log", InverseLog())
register_schedule("budget", _of_number(Budget), "budget:B")
register_schedule("bernstein-budget", _of_number(BernsteinBudget), "bernstein-budget:B")
register_schedule("scaled", _of_factor, "scaled:1/4:power:1/4")
register_schedule("file", _of_file, "file:PATH")


_KNOWN_TEXTS = 100_000
"""Texts of a file that are remembered with the numbers that they are, at most."""


def read_values(path: Path) -> Values:
    """One number a line, epsilon(1) first; raises `InvalidSchedule` with the line that is wrong, or `UnusableFile`."""
    values: list[Rational] = []
    known: dict[str, Rational] = {}  # a file of rounded numbers has the same ones over and over
    try:
        with TextIOWrapper(open_to_read(path), encoding="utf-8-sig") as lines:
            # never more of a line than can be a number: a file may be one line without end
            for number, line in enumerate(iter(lambda: lines.readline(1001), ""), start=1):
                if len(line) > 1000:
                    raise InvalidSchedule(f"{path}:{number}: a line of more than 1000 characters is not a number")
                value = known.get(line)
                if value is None:
                    try:
                        value = parse_rational(line)
                    except BufaluError as problem:
                        raise InvalidSchedule(f"{path}:{number}: {problem}") from None
                    if value.numerator < 0:
                        raise InvalidSchedule(f"{path}:{number}: epsilon must not be negative")
                    if len(known) < _KNOWN_TEXTS:
                        known[line] = value
                values.append(value)
    except (OSError, UnicodeDecodeError) as problem:
        raise InvalidSchedule(f"cannot read the schedule file {path}: {problem}") from None
    return Values(tuple(values))
