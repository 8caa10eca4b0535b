"""Could the tables have told? Named variants of BuFALU and other intervals against the printed figures."""

from __future__ import annotations

from collections.abc import Mapping

from bufalu.experiments.paper import variants
from bufalu.experiments.paper.paper_studies import TABLE_INTERVALS, counts_of_cell
from bufalu.experiments.paper.printed import HORIZON, PaperRow, paper_rows
from bufalu.experiments.paper.statistics import threshold
from bufalu.experiments.paper.tables import measured
from bufalu.experiments.paper.variants import VARIANTS, Variant
from bufalu.experiments.studies.counts import Counts, joined
from bufalu.experiments.studies.pieces import Piece, Way, pieces_of
from bufalu.experiments.studies.running import StudyRuns
from bufalu.experiments.studies.store import PieceStore
from bufalu.experiments.studies.study import Cell

BEYOND_DOUBT = 1e6
"""Scores are cut here: a figure without spread that is missed has an infinite one."""


VARIANT = Way("variant", variants.__name__, 10_000_000)
"""Pieces whose policy is the name of a variant."""


def bufalu_rows() -> list[PaperRow]:
    """The six rows of BuFALU."""
    return [row for row in paper_rows() if row.policy == "bufalu"]


def variant_pieces(variant: Variant, row: PaperRow, seeds: int) -> list[Piece]:
    """The work behind one variant in one row."""
    cell = Cell(row.optimum, row.instance, variant.name, row.schedule, "hoeffding", "first", HORIZON)
    return pieces_of(cell, seeds, 1, VARIANT)


def power_pieces(seeds: int) -> list[Piece]:
    """The work behind all variants."""
    return [piece for variant in VARIANTS for row in bufalu_rows() for piece in variant_pieces(variant, row, seeds)]


def variant_power(store: PieceStore, seeds: int) -> list[Mapping[str, object]]:
    """For every variant the largest |z| over its 48 figures, and whether the tables tell it from BuFALU."""
    limit = threshold(8 * len(paper_rows()))
    records: list[Mapping[str, object]] = []
    for variant in VARIANTS:
        worst, where = max(variant_score(store, variant, row, seeds) for row in bufalu_rows())
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


def variant_score(store: PieceStore, variant: Variant, row: PaperRow, seeds: int) -> tuple[float, str]:
    """The furthest figure of one variant in one row, from pieces that are finished."""
    parts = [store.load(piece) for piece in variant_pieces(variant, row, seeds)]
    return furthest(row, joined([part for part in parts if part is not None]))


def furthest(row: PaperRow, counts: Counts) -> tuple[float, str]:
    """The largest |z| of a row's eight figures, and which one it is."""
    comparisons = measured(row, counts).comparisons
    worst = max(comparisons, key=lambda comparison: abs(comparison.z))
    return abs(worst.z), f"{row.claim} {worst.quantity} {worst.statistic}"


def interval_records(runs: StudyRuns) -> list[Mapping[str, object]]:
    """Regret and queries of every cell of a finished `intervals_study`."""
    records: list[Mapping[str, object]] = []
    for row in paper_rows():
        for interval in TABLE_INTERVALS:
            counts = counts_of_cell(runs, row.optimum, row.schedule, row.policy, interval)
            records.append(
                {
                    "epsilon": row.schedule,
                    "optimum": row.optimum,
                    "policy": row.policy,
                    "confidence": interval,
                    "seeds": counts.final_regret.size,
                    "regret_mean": float(counts.final_regret.mean()),
                    "regret_std": float(counts.final_regret.std()),
                    "queries_mean": float(counts.final_queries.mean()),
                    "queries_std": float(counts.final_queries.std()),
                    "rounds_decided_exactly": counts.resolved,
                }
            )
    return records
