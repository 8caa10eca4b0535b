"""A study as columns: one row for each seed and cell, for each point of a curve, and for each cell.

The only door to Parquet and to frames.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from bufalu.experiments.studies.errors import StudiesUnavailable
from bufalu.experiments.studies.running import StudyRuns
from bufalu.experiments.studies.statistics import QUANTILES, PairedDifference, Spread
from bufalu.experiments.studies.study import Cell
from bufalu.experiments.studies.summary import CellSummary, StudySummary

Columns: TypeAlias = Mapping[str, Sequence[object]]

SPREAD_NAMES = ("mean", "std", "low", "high", "min", *(f"q{round(100 * q):02d}" for q in QUANTILES), "max")
DIFFERENCE_NAMES = tuple(field.name for field in fields(PairedDifference))


def optional_library(name: str, need: str) -> ModuleType:
    """A library that is not always there; raises `StudiesUnavailable` with what it is needed for."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise StudiesUnavailable(need) from None


def parquet_library() -> tuple[Any, Any]:
    """pyarrow and its Parquet module; raises `StudiesUnavailable` without them."""
    need = "results as Parquet need pyarrow: pip install pyarrow"
    return optional_library("pyarrow", need), optional_library("pyarrow.parquet", need)


def cell_columns(cell: Cell, rows: int) -> dict[str, list[object]]:
    """What a cell is, once for each of so many rows."""
    return {
        "instance": [cell.instance_name] * rows,
        "policy": [cell.policy] * rows,
        "epsilon": [cell.epsilon] * rows,
        "confidence": [cell.confidence] * rows,
        "ties": [cell.ties] * rows,
        "horizon": [cell.horizon] * rows,
    }


def seed_columns(runs: StudyRuns, cell: Cell) -> Columns:
    """One row for each seed of a cell."""
    counts = runs.counts(cell)
    assert counts is not None, "the rows of a study are written when it is finished"
    rows = counts.final_regret.size
    return {
        **cell_columns(cell, rows),
        "path": [runs.paths[cell].name] * rows,
        "seed": list(range(rows)),
        "regret": counts.final_regret.tolist(),
        "queries": counts.final_queries.tolist(),
        "arm_plays": counts.arm_plays.tolist(),
        "arm_queries": counts.arm_queries.tolist(),
    }


def curve_columns(found: CellSummary) -> Columns:
    """One row for each point of a cell's curve."""
    columns = cell_columns(found.cell, len(found.rounds))
    columns["round"] = list(found.rounds)
    for quantity, curve in (("regret", found.regret_curve), ("queries", found.queries_curve)):
        records = [spread_record(quantity, point) for point in curve]
        columns.update({name: [record[name] for record in records] for name in records[0]})
    return columns


def cell_record(found: CellSummary) -> dict[str, object]:
    """Everything that the summary says of a cell, as one flat row."""
    record: dict[str, object] = {name: values[0] for name, values in cell_columns(found.cell, 1).items()}
    record |= {"path": found.path, "path_reason": found.path_reason, "seeds": found.seeds}
    for quantity, spread, bound, against in (
        ("regret", found.regret, found.regret_bound, found.regret_against_first),
        ("queries", found.queries, found.queries_bound, found.queries_against_first),
    ):
        record |= spread_record(quantity, spread)
        record[f"{quantity}_bound"] = finite(bound)
        record[f"{quantity}_bound_over_mean"] = finite(bound / spread.mean) if bound and spread.mean else None
        for name in DIFFERENCE_NAMES:
            record[f"{quantity}_difference_{name}"] = None if against is None else getattr(against, name)
    record["regret_lower_rate"] = found.lower.regret
    record["queries_lower_rate"] = found.lower.queries
    record["no_bound_because"] = found.bounds if isinstance(found.bounds, str) else None
    record["rounds_decided_exactly"] = found.resolved
    return record


def spread_record(quantity: str, spread: Spread) -> dict[str, object]:
    """The statistics of a quantity as columns."""
    values = (spread.mean, spread.std, spread.low, spread.high, spread.least, *spread.quantiles, spread.most)
    return {f"{quantity}_{name}": value for name, value in zip(SPREAD_NAMES, values, strict=True)}


def finite(value: float | None) -> float | None:
    """A number that JSON has; None for an infinite one."""
    return value if value is not None and math.isfinite(value) else None


def all_seed_columns(runs: StudyRuns) -> Columns:
    """One row for each seed and cell of the whole study."""
    return stacked([seed_columns(runs, cell) for cell in runs.cells])


def stacked(groups: Sequence[Columns]) -> Columns:
    """Columns under each other."""
    return {name: [value for group in groups for value in group[name]] for name in groups[0]}


def write_parquet(path: Path, groups: Iterable[Columns]) -> None:
    """Groups of rows as one Parquet file, each group written before the next is made."""
    arrow, parquet = parquet_library()
    writer = None
    try:
        for columns in groups:
            table = arrow.table(dict(columns))
            if writer is None:
                writer = parquet.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table.cast(writer.schema))
    finally:
        if writer is not None:
            writer.close()


def pandas_frame(columns: Columns) -> Any:
    """The columns as a pandas frame; raises `StudiesUnavailable` without pandas."""
    return optional_library("pandas", "this frame needs pandas: pip install pandas").DataFrame(dict(columns))


def polars_frame(columns: Columns) -> Any:
    """The columns as a polars frame; raises `StudiesUnavailable` without polars."""
    return optional_library("polars", "this frame needs polars: pip install polars").DataFrame(dict(columns))


def summary_columns(summary: StudySummary) -> Columns:
    """One row for each cell."""
    records = [cell_record(found) for found in summary.cells]
    return {name: [record[name] for record in records] for name in records[0]}
