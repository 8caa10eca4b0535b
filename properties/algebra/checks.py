"""Every statement of this room as a check for the audit."""

from __future__ import annotations

from bufalu.properties.algebra import (
    caps,
    divergences,
    intervals,
    printed_numbers,
    reference_runs,
    scarcity,
    witnesses,
)
from bufalu.properties.algebra.decided import DecidedStatement

MODULES = (divergences, scarcity, caps, intervals, witnesses, reference_runs, printed_numbers)

STATEMENTS: tuple[DecidedStatement, ...] = tuple(
    statement for module in MODULES for statement in module.STATEMENTS.statements
)

CHECKS = tuple(statement.check() for statement in STATEMENTS)
