"""Could the tables have told? Named variants of BuFALU and other intervals against the printed figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor

from bufalu.experiments.engine.parallel import Job
from bufalu.experiments.engine.running import Configuration, SeedResults, regret
from bufalu.experiments.paper.printed import HORIZON, PaperRow, paper_rows
from bufalu.experiments.paper.statistics import threshold
from bufalu.experiments.paper.tables import measured
from bufalu.experiments.paper.variants import VARIANTS, run_variant, variant_named
from bufalu.reference.schedules import parse_schedule

BEYOND_DOUBT = 1e6
"""Scores are cut here: a figure without spread that is missed has an infinite one."""


def bufalu_rows() -> list[PaperRow]:
    """The six rows of BuFALU."""
    return [row for row in paper_rows() if row.policy == "bufalu"]


def variant_rounds(seeds: int) -> int:
    """All rounds of all variants."""
    return len(VARIANTS) * len(bufalu_rows()) * seeds * HORIZON


def variant_power(
    seeds: int, executor: Executor | None = None, report: Callable[[int], None] | None = None
) -> list[Mapping[str, object]]:
    """For every variant the largest |z| over its 48 figures, and whether the tables tell it from BuFALU."""
    cells = [(variant.name, row.claim, seeds) for variant in VARIANTS for row in bufalu_rows()]
    scores: list[tuple[float, str]] = []
    for score in (map if executor is None else executor.map)(variant_score, cells):
        scores.append(score)
        if report is not None:
            report(len(scores) * seeds * HORIZON)
    limit = threshold(8 * len(paper_rows()))
    records: list[Mapping[str, object]] = []
    rows = len(bufalu_rows())
    for position, variant in enumerate(VARIANTS):
        worst, where = max(scores[rows * position : rows * (position + 1)])
        records.append(
            {
                "variant": variant.name,
                "meaning": variant.meaning,
                "seeds": seeds,
                "largest_z": min(worst, BEYOND_DOUBT),
                "figure": where,
                "told_apart": worst > limit,
            }
        )
    return records


def variant_score(cell: tuple[str, str, int]) -> tuple[float, str]:
    """The furthest figure of one variant in one row, by name, so that the work can be sent to another process."""
    name, claim, seeds = cell
    row = next(row for row in bufalu_rows() if row.claim == claim)
    variant = variant_named(name)
    outcome = run_variant(variant, row.instance, parse_schedule(row.schedule), HORIZON, range(seeds))
    return furthest(row, outcome)


def furthest(row: PaperRow, outcome: SeedResults) -> tuple[float, str]:
    """The largest |z| of a row's eight figures, and which one it is."""
    comparisons = measured(row, outcome).comparisons
    worst = max(comparisons, key=lambda comparison: abs(comparison.z))
    return abs(worst.z), f"{row.claim} {worst.quantity} {worst.statistic}"


def interval_cells() -> list[tuple[PaperRow, str]]:
    """Every row of the tables under each of the three intervals: Bernstein (l.1200) and the variant of l.1644 beside
    Hoeffding, on the same rewards.
    """
    return [(row, interval) for row in paper_rows() for interval in ("hoeffding", "bernstein", "kl-ucb")]


def interval_jobs(seeds: int) -> list[Job]:
    """The work behind the comparison of intervals."""
    return [
        Job(Configuration(row.policy, row.instance, parse_schedule(row.schedule), HORIZON, interval), range(seeds))
        for row, interval in interval_cells()
    ]


def interval_records(outcomes: Sequence[SeedResults | None]) -> list[Mapping[str, object]]:
    """Regret and queries of every finished cell."""
    records: list[Mapping[str, object]] = []
    for (row, interval), outcome in zip(interval_cells(), outcomes, strict=True):
        if outcome is None:
            continue
        regrets = regret(row.instance, outcome.plays[-1])
        queries = outcome.queries[-1].sum(axis=1)
        records.append(
            {
                "epsilon": row.schedule,
                "optimum": row.optimum,
                "policy": row.policy,
                "confidence": interval,
                "seeds": regrets.size,
                "regret_mean": float(regrets.mean()),
                "regret_std": float(regrets.std()),
                "queries_mean": float(queries.mean()),
                "queries_std": float(queries.std()),
                "rounds_decided_exactly": outcome.resolved,
            }
        )
    return records
