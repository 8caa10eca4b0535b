"""Could the tables have told? Named variants of BuFALU and other intervals against the printed figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bufalu.experiments.engine import Configuration, Outcome, regret, run_seeds
from bufalu.experiments.paper import HORIZON, PaperRow, paper_rows
from bufalu.experiments.statistics import threshold
from bufalu.experiments.tables import measured
from bufalu.experiments.variants import VARIANTS, Variant, run_variant
from bufalu.reference.schedules import parse_schedule


def bufalu_rows() -> list[PaperRow]:
    """The six rows of BuFALU."""
    return [row for row in paper_rows() if row.policy == "bufalu"]


def variant_power(seeds: int, variants: Sequence[Variant] = VARIANTS) -> list[Mapping[str, object]]:
    """For every variant the largest |z| over its 48 figures, and whether the tables tell it from BuFALU."""
    limit = threshold(8 * len(paper_rows()))
    records: list[Mapping[str, object]] = []
    for variant in variants:
        worst, where = 0.0, ""
        for row in bufalu_rows():
            outcome = run_variant(variant, row.instance, parse_schedule(row.schedule), HORIZON, range(seeds))
            z, figure = furthest(row, outcome)
            if z > worst:
                worst, where = z, f"{row.claim} {figure}"
        records.append(
            {
                "variant": variant.name,
                "meaning": variant.meaning,
                "seeds": seeds,
                "largest_z": min(worst, 1e6),
                "figure": where,
                "told_apart": worst > limit,
            }
        )
    return records


def furthest(row: PaperRow, outcome: Outcome) -> tuple[float, str]:
    """The largest |z| of a row's eight figures, and which one it is."""
    comparisons = measured(row, outcome).comparisons
    worst = max(comparisons, key=lambda comparison: abs(comparison.z))
    return abs(worst.z), f"{worst.quantity} {worst.statistic}"


def interval_records(seeds: int) -> list[Mapping[str, object]]:
    """Every row of the tables under each of the three intervals: Bernstein (l.1200) and the variant of l.1644 beside
    Hoeffding, on the same rewards.
    """
    records: list[Mapping[str, object]] = []
    for row in paper_rows():
        for confidence in ("hoeffding", "bernstein", "kl-ucb"):
            configuration = Configuration(
                row.policy, row.instance, parse_schedule(row.schedule), HORIZON, confidence
            )
            outcome = run_seeds(configuration, range(seeds))
            regrets = regret(row.instance, outcome.plays[-1])
            queries = outcome.queries[-1].sum(axis=1)
            records.append(
                {
                    "epsilon": row.schedule,
                    "optimum": row.optimum,
                    "policy": row.policy,
                    "confidence": confidence,
                    "seeds": seeds,
                    "regret_mean": float(regrets.mean()),
                    "regret_std": float(regrets.std()),
                    "queries_mean": float(queries.mean()),
                    "queries_std": float(queries.std()),
                }
            )
    return records
