"""Every limit stands where it is said to stand: what lies just inside is taken, what lies just outside is refused.

The figures are written out here, not imported: a limit that moves must be moved in two places.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import BufaluError
from bufalu.reference.exact import ONE, ZERO, Exact, log_root, power_of, root
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.policies.leaders import DialPolicy
from bufalu.reference.policies.pairs import PairsPolicy
from bufalu.reference.radius_shapes import LARGEST_SPREAD, RadiusShape, RadiusTerm
from bufalu.reference.rationals import parse_count, parse_rational, rational
from bufalu.reference.rewards import AnswerTimes, RewardsInOrder, SeededRewards, Tape, stream_key
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import (
    BernsteinBudget,
    Budget,
    Constant,
    NondecreasingBudget,
    Power,
    Values,
    callable_with,
    read_values,
)
from bufalu.reference.state import ArmRecord, State
from bufalu.reference.trace_files import rational_epsilon, read_trace
from bufalu.reference.traces import Trace, TraceHeader
from bufalu.reference.whole_files import parse_json

TINY = Fraction(1, 10**40)
HALF = Fraction(1, 2)


class Limit(NamedTuple):
    name: str
    action: Callable[[object], object]
    inside: tuple[object, ...]
    outside: tuple[object, ...]


def with_line(text: str, tmp_path: Path) -> object:
    path = tmp_path / "epsilons.txt"
    path.write_text(text, encoding="utf-8")
    return read_values(path)


TAPE = Tape([[0, 1], [1]])
LIMITS = (
    Limit("arms of a tape", lambda arm: TAPE.draw(arm, 1), (1, 2), (0, 3)),
    Limit("length of a tape", lambda k: TAPE.draw(1, k), (1, 2), (3,)),
    Limit("reward", lambda x: State(1).record(1, x), (0, 1), (-TINY, 1 + TINY)),
    Limit("reward in order", lambda x: RewardsInOrder([x]).draw(1, 1), (0, 1), (-TINY, 1 + TINY)),
    Limit("value of an arm", lambda x: Arm((x,), (1,)), (0, 1), (-TINY, 1 + TINY)),
    Limit("probability", lambda p: Arm((0, 1), (p, 1 - p)), (TINY, 1 - TINY), (0, 1, -TINY)),
    Limit("order of values", lambda x: Arm((HALF, x), (HALF, HALF)), (HALF + TINY,), (HALF, HALF - TINY)),
    Limit("mean", lambda x: Instance.bernoulli([x]), (0, 1), (-TINY, 1 + TINY)),
    Limit("seed", lambda n: SeededRewards(Instance.bernoulli([HALF]), n), (0, 2**4096), (-1, 2**4096 + 1)),
    Limit("delay", AnswerTimes, (0, 10**12), (-1, 10**12 + 1)),
    Limit("seed of a stream", lambda n: stream_key(n, 1), (0,), (-1,)),
    Limit("rho", DialPolicy, (0, 1), (-TINY, 1 + TINY)),
    Limit("kappa", PairsPolicy, (1,), (1 - TINY,)),
    Limit("spread", lambda spread: PairsPolicy(2, spread), (1, LARGEST_SPREAD), (0, LARGEST_SPREAD + 1)),
    Limit("coefficient", lambda c: RadiusShape([RadiusTerm(c)]), (10**100, Fraction(1, 10**100)), (10**100 + 1, 0)),
    Limit("least coefficient", lambda c: RadiusShape([RadiusTerm(c)]), (), (Fraction(1, 10**100 + 1),)),
    Limit("terms", lambda n: RadiusShape([RadiusTerm(1)] * n), (1, 4), (0, 5)),
    Limit("constant", Constant, (0, TINY), (-TINY,)),
    Limit("exponent", Power, (0, 64), (-TINY, 64 + TINY)),
    Limit("budget", Budget, (TINY,), (0, -TINY)),
    Limit("budget beyond the arms", lambda b: BernsteinBudget(b).at(9, 3), (3 + TINY,), (3,)),
    Limit("budget of a round", lambda b: NondecreasingBudget(lambda t: b).at(9, 3), (TINY,), (0,)),
    Limit("values", lambda x: Values([x]), (0, TINY), (-TINY,)),
    Limit("round of values", lambda t: Values([1, 2]).at(t, 1), (1, 2), (0, 3)),
    Limit("round of a logarithm", log_root, (1,), (0,)),
    Limit("round of a power", lambda t: power_of(t, HALF), (1,), (0,)),
    Limit("radicand", root, (0, TINY), (-TINY,)),
    Limit("characters of a number", parse_rational, ("1" * 400, " " + "1" * 400), ("1" * 401,)),
    Limit("exponent of a decimal", parse_rational, ("1e400", "1e-400"), ("1e401", "1e-401")),
    Limit("denominator", parse_rational, ("1/1",), ("1/0",)),
    Limit("count", parse_count, ("0", "1e18"), ("-1", "1000000000000000001", "1/2", "+1")),
    Limit("arms of a header", lambda k: TraceHeader("bufalu", "hoeffding", k, "zero"), (1, 10**6), (0, 10**6 + 1)),
    Limit("nesting", lambda n: parse_json("[" * n + "]" * n), (1, 64), (65,)),
    Limit("digits of a whole number", lambda n: parse_json("1" * n), (400,), (401,)),
)


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.name)
def test_a_limit_stands_where_it_is_said_to(limit: Limit) -> None:
    for value in limit.inside:
        limit.action(value)
    for value in limit.outside:
        with pytest.raises(BufaluError):
            limit.action(value)


def test_lines_of_a_schedule_file(tmp_path: Path) -> None:
    assert with_line("1" * 3 + " " * 996 + "\n", tmp_path) == Values([111])
    with pytest.raises(BufaluError, match=r"epsilons.txt:1: "):
        with_line("1" + " " * 1000 + "\n", tmp_path)


def test_lines_and_arms_of_a_trace_file(tmp_path: Path) -> None:
    header = (
        '{"format": "bufalu-trace", "version": 1, "policy": "bufalu", "confidence": "hoeffding", "epsilon": "zero", '
    )
    path = tmp_path / "trace.jsonl"
    for arms, pad in ((1, 0), (10**6, 0), (1, 900_000)):
        path.write_text(f'{header}"arms": {arms}}}{" " * pad}\n', encoding="utf-8")
        assert read_trace(path).header.arms == arms
    for arms, pad, problem in (
        (0, 0, "whole number from 1"),
        (10**6 + 1, 0, "whole number from 1"),
        (1, 10**6, "a line of more"),
    ):
        path.write_text(f'{header}"arms": {arms}}}{" " * pad}\n', encoding="utf-8")
        with pytest.raises(BufaluError, match=problem):
            read_trace(path)


def test_an_arm_without_queries_has_nothing() -> None:
    record = ArmRecord()
    assert (record.queries, record.total, record.squares) == (0, 0, 0)
    assert (record.exact_mean(), record.exact_variance()) == (0, 0)
    assert ArmRecord(1, HALF, HALF * HALF).exact_variance() == 0
    assert ArmRecord(1, HALF, HALF * HALF).variance_quotient() == (0, 1)
    assert ArmRecord(2, 1, 1).exact_variance() == HALF


def test_the_title_of_a_trace_of_several_arms_with_its_own_epsilons() -> None:
    trace = Trace(TraceHeader("greedy", "bernstein", 2, None), ())
    assert (
        repr(trace)
        == "<Trace of greedy with bernstein intervals, 2 arms, with its own epsilons: 0 rounds, 0 queries>"
    )


def test_beyond_the_doubles_only_the_exact_path_decides() -> None:
    """Where an approximation would mean nothing the error is infinite, and comparisons are right all the same."""
    for large in (Exact.of(10**400), root(Fraction(10) ** 700), power_of(10**30, 60), log_root(10, 2000)):
        assert large.error == float("inf")
        assert Exact.of(1) < large and large - large == Exact.of(0)


def test_a_long_coefficient_is_cut_in_the_refusal() -> None:
    for coefficient, told in ((-5, "-5"), (10**101, "1" + "0" * 56 + "[.]{3}")):
        with pytest.raises(BufaluError, match=f"10\\^100, and {told} does not"):
            RadiusShape([RadiusTerm(coefficient)])


@pytest.mark.parametrize(
    ("epsilon", "written"),
    [
        (ZERO, 0),
        (Exact.of(Fraction(2, 3)), Fraction(2, 3)),
        (Exact.of(3) * root(Fraction(4, 9)), 2),
        (power_of(16, Fraction(-1, 4)), HALF),
        (root(2) * root(8), 4),
    ],
)
def test_an_epsilon_that_is_rational_is_written_as_such(epsilon: Exact, written: Fraction) -> None:
    assert rational_epsilon(Round(16, 1, False, None, epsilon)) == written


@pytest.mark.parametrize(
    "epsilon", [root(2), log_root(16), power_of(17, HALF), root(2) + ONE, log_root(16, 2) * Exact.of(4)]
)
def test_an_irrational_epsilon_is_refused(epsilon: Exact) -> None:
    with pytest.raises(BufaluError, match=r"epsilon\(16\) is irrational"):
        rational_epsilon(Round(16, 1, False, None, epsilon))


def test_whole_numbers_are_kept_as_such() -> None:
    for value in (4, Fraction(4, 2), Fraction(0)):
        assert type(rational(value)) is int
    assert type(rational(HALF)) is Fraction


@pytest.mark.parametrize("queries", [2, 5, 40])
@pytest.mark.parametrize("number", [2, 3, 50, 10**6])
def test_radii_are_those_of_the_paper(queries: int, number: int) -> None:
    """l.1129, l.1208 and l.1644, in doubles."""
    record = ArmRecord(queries, 1, 1)
    variance, log = (1 - 1 / queries) / (queries - 1), math.log(number)
    wanted = {
        "hoeffding": math.sqrt(1.5 * log / queries),
        "hoeffding:1/2": math.sqrt(0.5 * log / queries),
        "hoeffding:2:before": math.sqrt(2 * math.log(number - 1) / queries),
        "bernstein": math.sqrt(6 * variance * log / queries) + 7 * log / (queries - 1),
        "kl-ucb": math.sqrt(max(0.0, log + 3 * math.log(log)) / (2 * queries)),
    }
    for name, radius in wanted.items():
        interval = confidence_named(name)
        assert float(interval.radius(record, number)) == pytest.approx(radius, rel=1e-12, abs=1e-12), name
        exact = interval.radius_form(queries, record.exact_variance(), number).evaluate(30)[0]
        assert float(exact) == pytest.approx(radius, rel=1e-12, abs=1e-12), name


@pytest.mark.parametrize("given", [3, None, "t", int, Fraction, lambda: 1, lambda a, b: 1])
def test_what_cannot_be_called_with_a_round_is_refused(given: object) -> None:
    with pytest.raises(BufaluError, match="own"):
        callable_with(given, 1, "own")


@pytest.mark.parametrize("given", [abs, lambda t: t, lambda t, more=1: t, lambda *ts: 1])
def test_what_can_be_called_with_a_round_is_taken(given: object) -> None:
    callable_with(given, 1, "own")
