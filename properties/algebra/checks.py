"""Every statement of this room as a check for the audit."""

from __future__ import annotations

from bufalu.properties.algebra import caps, divergences, intervals, runs, scarcity, witnesses
from bufalu.properties.algebra import printed_numbers as figures
from bufalu.properties.algebra.grids import Bench, Statement

BENCHES: tuple[Bench, ...] = (
    divergences.BENCH,
    scarcity.BENCH,
    caps.BENCH,
    intervals.BENCH,
    witnesses.BENCH,
    runs.BENCH,
    figures.BENCH,
)

STATEMENTS: tuple[Statement, ...] = tuple(statement for bench in BENCHES for statement in bench.statements)

CHECKS = tuple(check for bench in BENCHES for check in bench.checks())
