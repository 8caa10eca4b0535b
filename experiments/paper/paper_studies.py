"""The numerical section as studies: what its tables, figures and statements are made of.

The same cells in two studies are the same pieces of work, and are run once.
"""

from __future__ import annotations

from fractions import Fraction

from bufalu.experiments.paper.printed import HORIZON, MULTIPLE, POLICIES, SCHEDULES, UNIQUE
from bufalu.experiments.studies.counts import Counts
from bufalu.experiments.studies.running import StudyRuns
from bufalu.experiments.studies.study import Study
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_rational
from bufalu.reference.schedules import Budget

FIVE_ARMS = {
    "unique": Instance.bernoulli([parse_rational(mean) for mean in UNIQUE]),
    "multiple": Instance.bernoulli([parse_rational(mean) for mean in MULTIPLE]),
}
SURE_ARMS = {"unique": Instance.deterministic([0, 1]), "multiple": Instance.deterministic([0, 1, 1])}
BUDGET_ARMS = {
    "unique": Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)]),
    "multiple": Instance.bernoulli([Fraction(1, 4), Fraction(1, 2), Fraction(1, 2)]),
}
SURE_SCHEDULE = "power:1/4"
BUDGET_HORIZON = 1_000
BUDGET_FRACTIONS = tuple(Fraction(k, 100) for k in (*range(1, 21), *range(25, 101, 5)))
BUDGET_INTERVALS = ("hoeffding", "kl-ucb")
"""The interval of the experiment, and the one that the paper suggests instead (l.1644)."""

TABLE_INTERVALS = ("hoeffding", "bernstein", "kl-ucb")


def tables_study(seeds: int) -> Study:
    """Five Bernoulli arms, three schedules, T = 100,000 (l.1438-1634): tables and curves."""
    return Study(
        instances=FIVE_ARMS,
        policies=POLICIES,
        epsilons=SCHEDULES,
        horizons=HORIZON,
        seeds=seeds,
        title="Five arms (l.1438-1634)",
    )


def intervals_study(seeds: int) -> Study:
    """The tables under each of the three intervals: Bernstein (l.1200) and the variant of l.1644 beside Hoeffding."""
    return Study(
        instances=FIVE_ARMS,
        policies=POLICIES,
        epsilons=SCHEDULES,
        confidences=TABLE_INTERVALS,
        horizons=HORIZON,
        seeds=seeds,
    )


def deterministic_study() -> Study:
    """The illustration of l.450-479; one seed, since nothing is random."""
    return Study(
        instances=SURE_ARMS,
        policies=POLICIES,
        epsilons=SURE_SCHEDULE,
        confidences="hoeffding",
        horizons=HORIZON,
        seeds=1,
        title="Deterministic arms (l.450-479)",
    )


def budget_study(seeds: int) -> Study:
    """The effect of the total budget (l.1639-1669): T = 1,000, epsilon(t) = sqrt(6 K ln t / B)."""
    return Study(
        instances=BUDGET_ARMS,
        policies=POLICIES,
        epsilons=[budget_text(fraction) for fraction in BUDGET_FRACTIONS],
        confidences=BUDGET_INTERVALS,
        horizons=BUDGET_HORIZON,
        seeds=seeds,
        points=1,
    )


def budget_text(fraction: Fraction) -> str:
    """The schedule for B = fraction * T."""
    return Budget(fraction * BUDGET_HORIZON).text


def counts_of_cell(runs: StudyRuns, optimum: str, epsilon: str, policy: str, confidence: str = "hoeffding") -> Counts:
    """The numbers of one cell of a finished study."""
    wanted = (optimum, epsilon, policy, confidence)
    for cell in runs.cells:
        if (cell.instance_name, cell.epsilon, cell.policy, cell.confidence) == wanted:
            counts = runs.counts(cell)
            assert counts is not None, "a study is looked at when it is finished"
            return counts
    raise KeyError(wanted)
