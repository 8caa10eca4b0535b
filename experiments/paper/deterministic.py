"""The numerical illustration of l.473-477: two deterministic instances, exactly, policy by policy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bufalu.experiments.paper.paper_studies import SURE_ARMS, SURE_SCHEDULE, deterministic_study
from bufalu.experiments.paper.printed import HORIZON
from bufalu.experiments.paper.variants import run_variant, variant_named
from bufalu.experiments.studies.running import StudyRuns, run_study
from bufalu.reference.schedules import parse_schedule

BASELINES = ("bufau", "greedy", "cbm-ucb")
FITTING_VARIANT = "epsilon-on-width"
"""The change of BuFALU that gives the printed ratios of l.476: the query rule tests CI(c) > epsilon."""


@dataclass(frozen=True)
class DeterministicRun:
    """One policy on one instance: there is nothing random, so these are the numbers of the figure."""

    optimum: str
    policy: str
    confidence: str
    regret: int
    plays: tuple[int, ...]
    queries: tuple[int, ...]
    resolved: int

    @property
    def all_queries(self) -> int:
        """Queries of all arms."""
        return sum(self.queries)


def deterministic_runs() -> list[DeterministicRun]:
    """All policies on both instances; certified, since the engine's decisions are those of exact arithmetic."""
    return measured_runs(run_study(deterministic_study()))


def measured_runs(runs: StudyRuns) -> list[DeterministicRun]:
    """The numbers of a finished study of l.473-477: T = 100,000 with epsilon(t) = t^(-1/4)."""
    found = []
    for cell in runs.cells:
        counts = runs.counts(cell)
        assert counts is not None, "a study is looked at when it is finished"
        plays, queries = tuple(counts.arm_plays[0].tolist()), tuple(counts.arm_queries[0].tolist())
        found.append(
            DeterministicRun(
                cell.instance_name, cell.policy, cell.confidence, plays[0], plays, queries, counts.resolved
            )
        )
    return found


def fitting_variant_run() -> DeterministicRun:
    """The variant whose ratios are the printed ones, on the instance with a unique optimum (plain doubles)."""
    variant = variant_named(FITTING_VARIANT)
    outcome = run_variant(variant, SURE_ARMS["unique"], parse_schedule(SURE_SCHEDULE), HORIZON, [0])
    plays = tuple(int(count) for count in outcome.plays[-1, 0])
    queries = tuple(int(count) for count in outcome.queries[-1, 0])
    return DeterministicRun("unique", variant.name, "hoeffding", plays[0], plays, queries, 0)


def find(runs: list[DeterministicRun], optimum: str, policy: str) -> DeterministicRun:
    """The run of a policy on an instance."""
    return next(run for run in runs if (run.optimum, run.policy) == (optimum, policy))


def break_even_cost(cheap: DeterministicRun, baseline: DeterministicRun) -> Fraction:
    """The cost of a query above which `cheap` has the smaller regret plus costs: extra regret / saved queries."""
    return Fraction(cheap.regret - baseline.regret, baseline.all_queries - cheap.all_queries)
