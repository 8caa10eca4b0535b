"""The claims of the paper on one given trace: what `bufalu check --means` reports beside conformance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from bufalu.properties.runs.cap import CAP, COUNTS, EXACT_CAP
from bufalu.properties.runs.counts import QUERIED_COUNT, UNQUERIED_COUNT, queried_rounds, unqueried_rounds
from bufalu.properties.runs.gap_query import QUERIED_IS_WIDE, UNQUERIED_IS_NEAR_OPTIMAL
from bufalu.properties.runs.observed_rounds import ObservedRound, replay
from bufalu.properties.runs.statements import Statement, TrueMeans, Violation, violations
from bufalu.properties.runs.worst_means import Intervals
from bufalu.reference.errors import InvalidInstance
from bufalu.reference.rationals import Rational
from bufalu.reference.traces import Trace

STATEMENTS: tuple[Statement, ...] = (COUNTS, QUERIED_IS_WIDE, UNQUERIED_IS_NEAR_OPTIMAL, CAP, EXACT_CAP)
"""What needs no means: the good event is taken at the worst corner of each round's box."""


class _Watched(tuple[ObservedRound, ...]):
    """Situations that say how many of them have been looked at: statements walk over them, some of them for minutes."""

    def start(self, progress: Callable[[int, int], None], total: int) -> None:
        self.progress, self.total, self.seen = progress, total, 0

    def __iter__(self) -> Iterator[ObservedRound]:
        for situation in super().__iter__():
            self.seen += 1
            if self.seen % 256 == 0:
                self.progress(self.seen, self.total)
            yield situation


def check_claims_on_trace(
    trace: Trace,
    means: tuple[Rational, ...] | None = None,
    variances: tuple[Rational, ...] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Violation]:
    """Every place where a claim fails on the trace; empty for a run of the policy that its header names.

    The count bounds (l.938-951) need `means`, and with Bernstein's interval `variances` too (those of Bernoulli arms
    by default); they are stated for BuFALU alone. `progress` is told how much of how much is done, in rounds looked at.
    Raises `InvalidInstance` for a wrong number of means.
    """
    run = replay(trace.header, trace.rounds)
    stated = [
        statement for statement in STATEMENTS if run.policy in statement.policies or statement.name in run.rule.obeys
    ]
    watched = _Watched(run.situations)
    # One look of each statement, then the intervals, the two counts, and N-bar of each arm.
    watched.start(progress, len(watched) * (len(stated) + (3 + run.arms if means is not None else 0)))
    run = replace(run, situations=watched)
    found = [violation for statement in stated for violation in violations(statement, run)]
    counted = [
        (statement.name, examine)
        for statement, examine in ((UNQUERIED_COUNT, unqueried_rounds), (QUERIED_COUNT, queried_rounds))
        if run.policy in statement.policies or statement.name in run.rule.obeys
    ]
    if means is None or not counted:
        return found
    if len(means) != run.arms:
        raise InvalidInstance(f"{len(means)} means were given for {run.arms} arms")
    true_means = TrueMeans(means, variances or tuple(mean * (1 - mean) for mean in means))
    intervals = Intervals(run)
    for name, examine in counted:
        found += [
            Violation(name, finding.round, finding.arm, finding.account())
            for finding in examine(intervals, true_means)
            if not finding.holds
        ]
    return found
