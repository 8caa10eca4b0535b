"""What a reproduction leaves behind: `results.json` with everything, one CSV for each part."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bufalu.experiments.engine.errors import InvalidResults
from bufalu.experiments.paper.budget_effect import BudgetPoint
from bufalu.experiments.paper.deterministic import DeterministicRun
from bufalu.experiments.paper.printed import STATISTICS
from bufalu.experiments.paper.statistics import FALSE_ALARM, Summary
from bufalu.experiments.paper.tables import TableRow, table_threshold
from bufalu.experiments.paper.text_numbers import PrintedNumber

FORMAT = "bufalu-results"
VERSION = 1


@dataclass
class Results:
    """The finished parts of a reproduction; a part that was not asked for, or not finished, is empty."""

    seeds: int
    tables: list[TableRow] = field(default_factory=list)
    deterministic: list[DeterministicRun] = field(default_factory=list)
    budget: list[BudgetPoint] = field(default_factory=list)
    intervals: list[Mapping[str, object]] = field(default_factory=list)
    curves: list[Mapping[str, object]] = field(default_factory=list)
    power: list[Mapping[str, object]] = field(default_factory=list)
    statements: list[PrintedNumber] = field(default_factory=list)

    @property
    def resolved(self) -> int:
        """Rounds that doubles could not decide and exact arithmetic did."""
        tables = sum(row.resolved for row in self.tables)
        return tables + sum(run.resolved for run in self.deterministic) + sum(p.resolved for p in self.budget)

    def holds(self) -> bool:
        """Whether every table row is reproduced and no statement is refuted (an erratum is reported, and known)."""
        limit = table_threshold(self.tables)
        rows = all(row.reproduced(limit) for row in self.tables)
        return rows and all(statement.verdict != "REFUTED" for statement in self.statements)


def write_results(results: Results, folder: Path) -> list[Path]:
    """Writes the JSON and CSV files and gives their paths; raises `InvalidResults` if the folder cannot be used."""
    parts: dict[str, list[Mapping[str, object]]] = {
        "tables": table_records(results.tables),
        "deterministic": [asdict(run) | {"all_queries": run.all_queries} for run in results.deterministic],
        "budget": [budget_record(point) for point in results.budget],
        "intervals": results.intervals,
        "curves": results.curves,
        "power": results.power,
        "statements": [asdict(statement) for statement in results.statements],
    }
    document: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "seeds": results.seeds,
        "false_alarm": FALSE_ALARM,
        "z_limit": table_threshold(results.tables) if results.tables else None,
        "certified": True,
        "rounds_decided_exactly": results.resolved,
    }
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, records in parts.items():
            if records:
                written.append(write_csv(records, folder / f"{name}.csv"))
        path = folder / "results.json"
        path.write_text(json.dumps(document | parts, indent=1) + "\n", encoding="utf-8")
    except OSError as problem:
        raise InvalidResults(f"cannot write the results to {folder}: {problem}") from None
    return [path, *written]


def write_csv(records: Sequence[Mapping[str, object]], path: Path) -> Path:
    """One row a record; lists become words separated by spaces."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(records[0]), lineterminator="\n")
        writer.writeheader()
        for record in records:
            writer.writerow({name: plain(value) for name, value in record.items()})
    return path


def plain(value: object) -> object:
    """A value as a cell."""
    if isinstance(value, list | tuple):
        return " ".join(str(item) for item in value)
    return "" if value is None else value


def table_records(rows: Sequence[TableRow]) -> list[Mapping[str, object]]:
    """One record for each row of the paper: our figures, the printed ones, z-scores and the verdict."""
    limit = table_threshold(rows)
    records: list[Mapping[str, object]] = []
    for row in rows:
        record: dict[str, object] = {
            "claim": row.paper.claim,
            "line": row.paper.line,
            "epsilon": row.paper.schedule,
            "optimum": row.paper.optimum,
            "policy": row.paper.policy,
            "seeds": row.seeds,
        }
        for comparison in row.comparisons:
            name = f"{comparison.quantity}_{comparison.statistic}"
            record[name] = comparison.ours
            record[f"{name}_paper"] = comparison.paper
            record[f"{name}_z"] = comparison.z if math.isfinite(comparison.z) else "infinite"
        record["rounds_decided_exactly"] = row.resolved
        record["verdict"] = "REPRODUCED" if row.reproduced(limit) else "REFUTED"
        records.append(record)
    return records


def budget_record(point: BudgetPoint) -> Mapping[str, object]:
    """One point of the sweep."""
    return {
        "optimum": point.optimum,
        "confidence": point.confidence,
        "policy": point.policy,
        "budget_over_horizon": float(point.fraction),
        "seeds": point.seeds,
        **summary_record("regret", point.regret),
        **summary_record("queries", point.queries),
        "rounds_decided_exactly": point.resolved,
    }


def summary_record(quantity: str, summary: Summary) -> dict[str, object]:
    """The four statistics as columns."""
    return {f"{quantity}_{name}": summary.get(name) for name in STATISTICS}
