"""A run as a file that `bufalu check` replays."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

from bufalu.properties.claims.evidence import Witness
from bufalu.properties.runs.observed_rounds import Run
from bufalu.reference.errors import InvalidSchedule
from bufalu.reference.exact import Exact
from bufalu.reference.rounds import Round
from bufalu.reference.trace_files import rational_epsilon, write_trace
from bufalu.reference.traces import Trace

DIGITS = 25
"""An irrational epsilon is written to this many digits, on the side that keeps the round's decision."""


def witness_of(run: Run, name: str, summary: str, statement: str) -> Witness:
    """The run as a trace file, with the command that examines the statement on it."""
    filename = f"{name.replace('.', '-').replace('_', '-').replace(':', '-').replace('/', '-')}.jsonl"
    return Witness(summary, f"bufalu check {filename} --claim {statement}", filename, trace_content(run))


def trace_content(run: Run) -> str:
    """The text of the run's trace file."""
    rounds = tuple(map(writable, run.rounds)) if run.schedule is None else run.rounds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        write_trace(str(path), Trace(run.header(), rounds))
        return path.read_text(encoding="utf-8")


def writable(played: Round) -> Round:
    """The round with a rational epsilon: the same one, or one so close that the decision stays what it was.

    A file holds rationals only. A queried round has epsilon below its test, and a smaller epsilon keeps that; an
    unqueried one is kept by a larger epsilon.
    """
    if played.epsilon is None:
        return played
    try:
        rational_epsilon(played)
    except InvalidSchedule:
        lower, upper = played.epsilon.enclosure(DIGITS)
        near = Fraction(lower if played.query else upper)
        return played._replace(epsilon=Exact.of(max(near, Fraction(0))))
    return played
