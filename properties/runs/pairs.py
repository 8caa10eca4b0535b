"""The pair rule of docs/pairs.md on runs: what goes unqueried, how thin a queried arm is, and the cap.

Good pairs bound the gap of an arm by m_* - m_a + r(a, *) for an optimal arm *: a statement is asked at the largest gap that
they allow, for every arm that may be optimal.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import NamedTuple

from bufalu.properties.runs.examination import check_statement_about
from bufalu.properties.runs.observed_rounds import ObservedRound, Run, maximum
from bufalu.properties.runs.statements import Place, at_most
from bufalu.properties.runs.wrong import half, with_epsilon
from bufalu.reference.errors import UnknownName
from bufalu.reference.exact import FILTER, Exact
from bufalu.reference.radicals import NormalForm, RadicalTerm

POLICIES = ("pairs:2", "pairs:1", "pairs:3/2", "pairs:4:1")
ONE = Fraction(1)


class Numbers(NamedTuple):
    """kappa and s."""

    kappa: Fraction
    spread: int


def numbers_of(run: Run) -> Numbers:
    """The numbers of the pair rule that played; raises `UnknownName` for another policy."""
    found = run.rule.pairing
    if found is None:
        raise UnknownName(f"the claims pairs.* speak of the pair rule, not of {run.policy}")
    return Numbers(Fraction(found.kappa), int(found.spread))


def largest_gap(situation: ObservedRound, arm: int, optimal: int, spread: int) -> Exact:
    """The largest gap of an arm that good pairs with this optimal arm allow."""
    view = situation.view
    return view.mean(optimal) - view.mean(arm) + view.pair_radius(arm, optimal, spread)


def may_be_optimal(situation: ObservedRound, optimal: int, spread: int) -> bool:
    """Whether good pairs with this arm allow that no gap is negative."""
    others = (arm for arm in situation.arms if arm != optimal)
    return all(largest_gap(situation, arm, optimal, spread).sign() >= 0 for arm in others)


def largest_log(round_number: int, spread: int) -> Exact:
    """F = ln(t b(t)) + ln((t - 1 + s)/s)."""
    factors = (Fraction(round_number * round_number.bit_length()), Fraction(round_number - 1 + spread, spread))
    form = NormalForm(tuple(RadicalTerm(1, logs=((factor, 2),)) for factor in factors), 0)
    # A factor is rounded once, by at most 2^-53 of itself, and its logarithm by a few units; in a round t >= 2 F is above 1.
    approximation = sum(map(math.log, factors))
    return Exact(approximation, approximation * FILTER, form)


def thinness(situation: ObservedRound, numbers: Numbers) -> tuple[Fraction, Fraction]:
    """V and W of the claims: how thin the played arm is as the leader, and as the challenger."""
    n, (kappa, s) = situation.state.queries(situation.arm), numbers
    return ((1 + kappa) * n + (1 + kappa**2) * s) / n**2, (1 + 1 / kappa) * (n + s) / n**2


def reaches(
    run: Run, situation: ObservedRound, level: Exact, factors: tuple[Fraction, Fraction], words: str
) -> Place:
    """level^2 <= F times the larger of two factors, as the leader and as the challenger."""
    bound = Exact.of(max(factors)) * largest_log(situation.round, numbers_of(run).spread)
    reason = f"round {situation.round}, arm {situation.arm} queried by {run.policy}: the square of {words}"
    return at_most(level * level, bound, situation.round, situation.arm, reason, telling=level.sign() > 0)


def queried(run: Run) -> Iterator[ObservedRound]:
    """The queried rounds in which every arm has been queried and epsilon is finite."""
    return (one for one in run.situations if one.query and not one.epsilon.is_infinite)


def unqueried_is_near_optimal(run: Run) -> Iterator[Place]:
    """q_t = 0 implies Delta_{a_t} <= epsilon(t), at the largest gap that good pairs allow."""
    spread = numbers_of(run).spread
    for situation in run.situations:
        for optimal in situation.arms:
            if situation.query or optimal == situation.arm:
                continue
            gap = largest_gap(situation, situation.arm, optimal, spread)
            reason = f"round {situation.round} played arm {situation.arm} unqueried: its gap to arm {optimal}"
            yield at_most(gap, situation.epsilon, situation.round, situation.arm, reason)


def queried_is_thin(run: Run, factor: Fraction = ONE) -> Iterator[Place]:
    """epsilon^2 <= F V/2 or F W/2, on every path."""
    for situation in queried(run):
        as_leader, as_challenger = thinness(situation, numbers_of(run))
        factors = (factor * as_leader / 2, factor * as_challenger / 2)
        yield reaches(run, situation, situation.epsilon, factors, "epsilon")


def suboptimal_is_thin(run: Run, factor: Fraction = ONE) -> Iterator[Place]:
    """Delta_a^2 <= F V/2 or 2 F W, for a queried suboptimal arm and every arm that may be optimal."""
    numbers = numbers_of(run)
    for situation in queried(run):
        as_leader, as_challenger = thinness(situation, numbers)
        for optimal in situation.arms:
            if optimal != situation.arm and may_be_optimal(situation, optimal, numbers.spread):
                gap = largest_gap(situation, situation.arm, optimal, numbers.spread)
                yield reaches(run, situation, gap, (factor * as_leader / 2, 2 * factor * as_challenger), "its gap")


def optimal_is_thin(run: Run, factor: Fraction = ONE) -> Iterator[Place]:
    """Delta_min^2 <= 2 F V or F W/2, for a queried arm that may be the only optimal one."""
    numbers = numbers_of(run)
    for situation in queried(run):
        as_leader, as_challenger = thinness(situation, numbers)
        others = [arm for arm in situation.arms if arm != situation.arm]
        if others and may_be_optimal(situation, situation.arm, numbers.spread):
            smallest = min(largest_gap(situation, arm, situation.arm, numbers.spread) for arm in others)
            factors = (2 * factor * as_leader, factor * as_challenger / 2)
            yield reaches(run, situation, smallest, factors, "the smallest gap")


def with_several_optima_suboptimal_is_thin(run: Run, factor: Fraction = ONE) -> Iterator[Place]:
    """Delta_a^2 <= F V/2 or 2 F (n + s)/n^2, for every two other arms that may be optimal together."""
    numbers = numbers_of(run)
    for situation in queried(run):
        as_leader, _ = thinness(situation, numbers)
        n = situation.state.queries(situation.arm)
        alone = Fraction(n + numbers.spread, n**2)
        able = [
            arm for arm in situation.arms if arm != situation.arm and may_be_optimal(situation, arm, numbers.spread)
        ]
        for two in combinations(able, 2):
            gap = min(largest_gap(situation, situation.arm, optimal, numbers.spread) for optimal in two)
            yield reaches(run, situation, gap, (factor * as_leader / 2, 2 * factor * alone), "its gap to two optima")


def queries_stay_below_cap(run: Run, excused: int = 1) -> Iterator[Place]:
    """No arm is queried more than N + 1 times, N being taken at the round t where it is largest, and t - 1 at most."""
    kappa, s = numbers_of(run)
    shapes = (((1 + kappa) / 2, s * (1 + kappa**2) / (1 + kappa)), ((1 + 1 / kappa) / 2, Fraction(s)))
    for arm in range(1, run.arms + 1):
        count = run.queries[arm - 1] - excused
        last = [one for one in run.situations if one.arm == arm and one.query]
        # The round of the last query reaches N; the others are asked only where it does not.
        rounds = [*reversed(last), *(one for one in run.situations if one.arm != arm or not one.query)]
        if not last or any(one.epsilon.is_infinite for one in run.situations):
            continue

        def room(one: ObservedRound, count: int = count) -> Exact:
            """By how much (N - count) epsilon^2 is not negative, N uncapped."""
            growth, square = largest_log(one.round, s), one.epsilon * one.epsilon
            return maximum([Exact.of(factor) * growth - Exact.of(count - more) * square for factor, more in shapes])

        found = next((one for one in rounds if count < one.round and room(one).sign() >= 0), None)
        shown = found or rounds[0]
        reason = f"arm {arm} is queried {run.queries[arm - 1]} times by {run.policy}: N of round {shown.round}"
        place = at_most(Exact.of(0), room(shown), shown.round, arm, reason)
        yield place._replace(holds=found is not None)


_statement = partial(check_statement_about, POLICIES)

STATEMENTS = (
    _statement(
        "pairs.unqueried_is_near_optimal",
        "with good pairs an arm that the pair rule plays without a query has a gap of at most epsilon",
        unqueried_is_near_optimal,
        {"a gap of at most half of epsilon": with_epsilon(unqueried_is_near_optimal, half)},
    ),
    _statement(
        "pairs.queried_is_thin",
        "a query of the pair rule has epsilon^2 at most F V/2 or F W/2",
        queried_is_thin,
        {"at most three quarters of that": partial(queried_is_thin, factor=Fraction(3, 4))},
    ),
    _statement(
        "pairs.thin.suboptimal",
        "with good pairs a queried suboptimal arm of the pair rule has gap^2 at most F V/2 or 2 F W",
        suboptimal_is_thin,
        {"at most three quarters of that": partial(suboptimal_is_thin, factor=Fraction(3, 4))},
    ),
    _statement(
        "pairs.thin.optimal",
        "with good pairs a queried unique optimal arm of the pair rule has smallest gap^2 at most 2 F V or F W/2",
        optimal_is_thin,
        {"at most three quarters of that": partial(optimal_is_thin, factor=Fraction(3, 4))},
    ),
    _statement(
        "pairs.thin.several_optima",
        "with several optimal arms a queried suboptimal arm of the pair rule has gap^2 at most F V/2 or 2 F (n + s)/n^2",
        with_several_optima_suboptimal_is_thin,
        {"at most half of that": partial(with_several_optima_suboptimal_is_thin, factor=Fraction(1, 2))},
    ),
    _statement(
        "pairs.cap",
        "no arm is queried by the pair rule more than N + 1 times, on any path",
        queries_stay_below_cap,
        {"at most N - 3 times": partial(queries_stay_below_cap, excused=-3)},
    ),
)
"""What docs/pairs.md says of single rounds and runs."""
