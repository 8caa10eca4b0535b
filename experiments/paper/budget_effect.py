"""The effect of the total budget (l.1639-1669): T = 1,000, Bernoulli arms of means 1/4 and 1/2, one or two optimal,
epsilon(t) = sqrt(6 K ln t / B), as a function of B / T.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.experiments.paper.paper_studies import (
    BUDGET_ARMS,
    BUDGET_FRACTIONS,
    BUDGET_HORIZON,
    BUDGET_INTERVALS,
    budget_text,
    counts_of_cell,
)
from bufalu.experiments.paper.printed import POLICIES
from bufalu.experiments.paper.statistics import TableStatistics, bounded_mean_radius, summary
from bufalu.experiments.studies.running import StudyRuns


@dataclass(frozen=True)
class BudgetPoint:
    """Regret and queries at T for one total budget B."""

    optimum: str
    confidence: str
    policy: str
    fraction: Fraction
    seeds: int
    regret: TableStatistics
    queries: TableStatistics
    resolved: int

    @property
    def error(self) -> float:
        """The standard error of the mean regret."""
        return self.regret.std / math.sqrt(self.seeds)


def cells() -> list[tuple[str, str, str, Fraction]]:
    """Instance, interval, policy and B / T of every point."""
    return [
        (optimum, confidence, policy, fraction)
        for optimum in BUDGET_ARMS
        for confidence in BUDGET_INTERVALS
        for policy in POLICIES
        for fraction in BUDGET_FRACTIONS
    ]


def budget_points(runs: StudyRuns) -> list[BudgetPoint]:
    """The points of a finished `budget_study`."""
    points = []
    for optimum, confidence, policy, fraction in cells():
        counts = counts_of_cell(runs, optimum, budget_text(fraction), policy, confidence)
        regrets, queries = counts.final_regret, counts.final_queries.astype(float)
        points.append(
            BudgetPoint(
                optimum,
                confidence,
                policy,
                fraction,
                regrets.size,
                summary(regrets),
                summary(queries),
                counts.resolved,
            )
        )
    return points


def curve(points: Sequence[BudgetPoint], optimum: str, confidence: str, policy: str) -> list[BudgetPoint]:
    """The points of one line of the figure, by B / T."""
    return [p for p in points if (p.optimum, p.confidence, p.policy) == (optimum, confidence, policy)]


def surely_better(better: BudgetPoint, worse: BudgetPoint, false_alarm: float) -> bool:
    """Whether one mean regret lies below the other beyond doubt, whatever the law of a run in [0, T Delta_max].

    A few runs in a thousand never leave the wrong arm and make up most of the mean. A sample without one of them has a
    tiny standard error, so that standard errors alone cannot refute anything here.
    """
    largest = BUDGET_HORIZON * float(BUDGET_ARMS[better.optimum].largest_gap)
    radii = [bounded_mean_radius(p.regret.std, p.seeds, largest, false_alarm / 2) for p in (better, worse)]
    return better.regret.mean + radii[0] < worse.regret.mean - radii[1]


def minimisers(line: Sequence[BudgetPoint], errors: float) -> tuple[Fraction, Fraction, Fraction]:
    """The B / T of least mean regret, and the first and the last whose mean
    regret lies within that many standard errors of it.
    """
    best = min(line, key=lambda point: point.regret.mean)
    near = [
        point.fraction
        for point in line
        if point.regret.mean - best.regret.mean <= errors * math.hypot(point.error, best.error)
    ]
    return best.fraction, min(near), max(near)
