"""What a reproduction leaves behind: for each part a folder with `results.json` and a CSV for each kind of record.

Parts share nothing but stored pieces of work, so that running one never touches what another left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bufalu.experiments.paper.budget_effect import BudgetPoint
from bufalu.experiments.paper.deterministic import DeterministicRun
from bufalu.experiments.paper.printed import STATISTICS
from bufalu.experiments.paper.statistics import FALSE_ALARM, TableStatistics
from bufalu.experiments.paper.tables import TableRow, table_threshold
from bufalu.experiments.paper.text_numbers import PrintedNumber
from bufalu.experiments.studies.errors import UnusableFolder
from bufalu.experiments.studies.folder import as_csv, as_json
from bufalu.experiments.studies.store import write_whole

FORMAT = "bufalu-results"
VERSION = 2

PART_OF_CLAIM = {"deterministic": "deterministic", "tables": "tables", "budget_effect": "budget", "kl_ucb": "budget"}
"""Which part answers the statements whose claims begin so."""


def part_of(claim: str) -> str:
    """The part of a reproduction that answers a statement of the text."""
    return PART_OF_CLAIM[claim.split(".", maxsplit=1)[0]]


@dataclass
class Results:
    """The parts of a reproduction; one that was not asked for is empty."""

    seeds: int
    tables: list[TableRow] = field(default_factory=list)
    deterministic: list[DeterministicRun] = field(default_factory=list)
    budget: list[BudgetPoint] = field(default_factory=list)
    intervals: list[Mapping[str, object]] = field(default_factory=list)
    power: list[Mapping[str, object]] = field(default_factory=list)
    statements: list[PrintedNumber] = field(default_factory=list)

    @property
    def resolved(self) -> int:
        """Rounds that doubles could not decide and exact arithmetic did."""
        return sum(self.resolved_in(part) for part in ("deterministic", "tables", "budget"))

    def resolved_in(self, part: str) -> int:
        """Rounds of one part that doubles could not decide and exact arithmetic did."""
        found: Mapping[str, Sequence[TableRow | DeterministicRun | BudgetPoint]] = {
            "deterministic": self.deterministic,
            "tables": self.tables,
            "budget": self.budget,
        }
        return sum(item.resolved for item in found[part])

    def holds(self) -> bool:
        """Whether every table row is reproduced and no statement is refuted (an erratum is reported, and known)."""
        limit = table_threshold(self.tables)
        rows = all(row.reproduced(limit) for row in self.tables)
        return rows and all(statement.verdict != "REFUTED" for statement in self.statements)


def documents(results: Results) -> dict[str, dict[str, object]]:
    """What is known of each part that was run, as JSON data."""
    records: dict[str, dict[str, list[Mapping[str, object]]]] = {
        "deterministic": {
            "deterministic": [asdict(run) | {"all_queries": run.all_queries} for run in results.deterministic]
        },
        "tables": {
            "tables": table_records(results.tables),
            "intervals": results.intervals,
            "power": results.power,
        },
        "budget": {"budget": [budget_record(point) for point in results.budget]},
    }
    found: dict[str, dict[str, object]] = {}
    for part, lists in records.items():
        if not lists[part]:
            continue
        head: dict[str, object] = {"format": FORMAT, "version": VERSION, "part": part, "seeds": results.seeds}
        head |= {"false_alarm": FALSE_ALARM, "z_limit": None, "certified": True}
        if part == "tables":
            head["z_limit"] = table_threshold(results.tables)
        head["rounds_decided_exactly"] = results.resolved_in(part)
        statements = [asdict(statement) for statement in results.statements if part_of(statement.claim) == part]
        found[part] = {**head, **lists, "statements": statements}
    return found


def write_results(results: Results, folder: Path) -> list[Path]:
    """Writes the files of every part that was run and gives their paths; raises `UnusableFolder` if it cannot.

    `results.json` is the last file of a part, and that of an earlier run is the first to go: where there is one, the
    files beside it are of the same run, whatever happened in between.
    """
    written = []
    for part, document in documents(results).items():
        summary = folder / part / "results.json"
        tables = {
            folder / part / f"{name}.csv": as_csv(records)
            for name, records in document.items()
            if isinstance(records, list) and records
        }
        try:
            for stale in (summary, *sorted((folder / part).glob("*.csv"))):
                stale.unlink(missing_ok=True)
        except OSError as problem:
            raise UnusableFolder(f"cannot write {folder / part}: {problem.strerror}") from None
        for path, content in {**tables, summary: as_json(document)}.items():
            write_whole(path, content)
        written += [summary, *tables]
    return written


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


def summary_record(quantity: str, summary: TableStatistics) -> dict[str, object]:
    """The four statistics as columns."""
    return {f"{quantity}_{name}": summary.get(name) for name in STATISTICS}
