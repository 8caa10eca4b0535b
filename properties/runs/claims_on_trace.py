"""The claims of the paper on one given trace: what `bufalu check --means` reports beside conformance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bufalu.properties.runs import dial, pairs
from bufalu.properties.runs.baselines import BASELINE_QUERIED_COUNT, BASELINE_UNQUERIED_COUNT
from bufalu.properties.runs.budgets import WITHIN_BUDGET, WITHIN_SHARE
from bufalu.properties.runs.cap import CAP, COUNTS, EXACT_CAP, TAPE_AS_PRINTED
from bufalu.properties.runs.cases import CASES, SHARPER
from bufalu.properties.runs.counts import QUERIED_COUNT, UNQUERIED_COUNT, queried_rounds, unqueried_rounds
from bufalu.properties.runs.gap_query import (
    GAP_IS_ENCLOSED,
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    WIDE_EPSILON_BLOCKS,
    ZERO_EPSILON_IS_FREE,
)
from bufalu.properties.runs.metamorphic import RAISING_EPSILON
from bufalu.properties.runs.observed_rounds import Run, replay
from bufalu.properties.runs.statements import Place, Statement, TrueMeans, Violation, violations
from bufalu.properties.runs.worst_means import Intervals
from bufalu.reference.errors import InvalidInstance, UnknownName
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import Rational
from bufalu.reference.traces import Trace

AT_ONCE = (
    "the claims about single runs speak of runs that start with nothing and know each answer in the next round; in this one "
    "answers came late, never or before"
)

STATEMENTS: tuple[Statement, ...] = (COUNTS, QUERIED_IS_WIDE, UNQUERIED_IS_NEAR_OPTIMAL, CAP, EXACT_CAP)
"""What needs no means: the good event is taken at the worst corner of each round's box."""

ALL_STATEMENTS: tuple[Statement, ...] = (
    *STATEMENTS,
    GAP_IS_ENCLOSED,
    WIDE_EPSILON_BLOCKS,
    ZERO_EPSILON_IS_FREE,
    RAISING_EPSILON,
    UNQUERIED_COUNT,
    QUERIED_COUNT,
    *CASES,
    SHARPER,
    WITHIN_BUDGET,
    WITHIN_SHARE,
    TAPE_AS_PRINTED,
    BASELINE_QUERIED_COUNT,
    BASELINE_UNQUERIED_COUNT,
    *dial.STATEMENTS,
    *pairs.STATEMENTS,
)
"""Every statement about single runs that a trace can be held against, by `bufalu check --claim`."""


@dataclass(frozen=True)
class OnTrace:
    """What one statement says of one trace: where it fails first, or else where it came closest to failing."""

    statement: str
    words: str
    places: int
    place: Place | None

    @property
    def says_nothing(self) -> bool:
        """Whether there is no place in the run that it speaks of."""
        return self.place is None

    @property
    def fails(self) -> bool:
        """Whether it fails somewhere."""
        return self.place is not None and not self.place.holds


def statements_about(claim: str) -> tuple[Statement, ...]:
    """The statements about single runs with this name, or that are forms of this claim; raises `UnknownName`."""
    found = [statement for statement in ALL_STATEMENTS if statement.name == claim]
    found = found or [statement for statement in ALL_STATEMENTS if claim in statement.claims]
    if not found:
        known = ", ".join(statement.name for statement in ALL_STATEMENTS)
        raise UnknownName(f"no statement about single runs is called '{claim}' (choose one of: {known})")
    return tuple(found)


def examine_on_trace(trace: Trace, claim: str) -> list[OnTrace]:
    """What the statements behind a claim say of the trace.

    Raises `UnknownName` for a claim that says nothing of single runs, `UnknownName` for a policy of the paper that the
    claim does not speak of, `InvalidInstance` for a trace with late answers; a policy of the user's own is held against any
    statement, since that was asked.
    """
    run = _run_of(trace)
    return [_outcome(statement, run) for statement in statements_about(claim)]


def _run_of(trace: Trace) -> Run:
    """The run of a trace whose answers came at once; raises `InvalidInstance` for another."""
    if trace.late:
        raise InvalidInstance(AT_ONCE)
    return replay(trace.header, trace.rounds)


def _outcome(statement: Statement, run: Run) -> OnTrace:
    if run.rule.ours and not statement.speaks_of(run.rule):
        raise UnknownName(f"{statement.name} speaks of {', '.join(sorted(statement.policies))}, not of {run.policy}")
    closest: Place | None = None
    places = 0
    for place in statement.examine(run):
        places += 1
        if not place.holds:
            return OnTrace(statement.name, statement.words, places, place)
        if closest is None or (place.telling, -place.slack) > (closest.telling, -closest.slack):
            closest = place
    return OnTrace(statement.name, statement.words, places, closest)


def check_claims_on_trace(trace: Trace, means: tuple[Rational, ...] | None = None) -> list[Violation]:
    """Every place where a claim fails on the trace; empty for a run of the policy that its header names.

    The count bounds (l.938-951) need `means`, which are taken for those of Bernoulli arms; they are stated for BuFALU
    alone. A long trace is `claims_on_blocks`'s.
    Raises `InvalidInstance` for a wrong number of means, and for a trace with late answers.
    """
    run = _run_of(trace)
    found = [violation for statement in stated(run.policy) for violation in violations(statement, run)]
    counted = counted_statements(run.policy)
    if means is None or not counted:
        return found
    true_means = bernoulli_variances(means, run.arms)
    intervals = Intervals(run)
    for statement, examine in counted:
        found += [
            Violation(statement.name, finding.round, finding.arm, finding.account())
            for finding in examine(intervals, true_means)
            if not finding.holds
        ]
    return found


def stated(policy: str) -> list[Statement]:
    """The statements that hold of a policy's runs, whatever the means."""
    return [statement for statement in STATEMENTS if statement.speaks_of(policy_named(policy))]


def counted_statements(policy: str) -> list[tuple[Statement, Callable[[Intervals, TrueMeans], Iterator[Place]]]]:
    """The count bounds that hold of a policy's runs, for given means."""
    bounds = ((UNQUERIED_COUNT, unqueried_rounds), (QUERIED_COUNT, queried_rounds))
    return [(statement, examine) for statement, examine in bounds if statement.speaks_of(policy_named(policy))]


def bernoulli_variances(means: tuple[Rational, ...], arms: int) -> TrueMeans:
    """The means with the variances of Bernoulli arms; raises `InvalidInstance` for a wrong number of means."""
    if len(means) != arms:
        raise InvalidInstance(f"{len(means)} means were given for {arms} arms")
    return TrueMeans(means, tuple(mean * (1 - mean) for mean in means))
