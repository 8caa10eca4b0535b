"""A journal as a trace for `check` and `explain`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bufalu.commands.options import is_journal
from bufalu.doubles.blocks import BLOCK_ROUNDS, Block
from bufalu.live.errors import UnusableJournal
from bufalu.live.journal import Journal, RoundColumns
from bufalu.live.recount import Recount
from bufalu.live.store import CODES
from bufalu.oracle.npz_files import check_block
from bufalu.reference.errors import InvalidTrace
from bufalu.reference.policies.decisions import REASONS
from bufalu.reference.rationals import is_double, nearest_float
from bufalu.reference.schedules import Schedule
from bufalu.reference.traces import TraceHeader


def check_journal(path: str) -> None:
    """Raises `UnusableJournal` for what cannot be a journal."""
    if not Path(path).exists():
        raise UnusableJournal(f"there is no journal {path}")
    if not is_journal(path):
        raise UnusableJournal(f"{path} is not a journal (`bufalu check` takes traces)")


@dataclass(frozen=True)
class JournalSource:
    """The run of a journal in blocks; each reading sees one moment of it, while others go on writing."""

    path: str
    journal: Journal
    miscounts: list[str] = field(default_factory=list)
    """What the sums in the file, by which the next round is decided, have that its steps do not, in the last reading."""

    @property
    def header(self) -> TraceHeader:
        """The header of the journal's trace."""
        return self.journal.header()

    @property
    def schedule(self) -> Schedule | None:
        """epsilon(t) for rewards in [0, 1]."""
        return self.header.schedule

    def blocks(self) -> Iterator[Block]:
        """The rounds in blocks; raises `InvalidTrace` for numbers that no journal writes."""
        header, recount = self.header, Recount(self.journal.settings)
        for stretch in self.journal.stretches(BLOCK_ROUNDS):
            block = block_of(stretch)
            check_block(self.path, header, block)
            if block.reason is not None and (unwritten := np.flatnonzero(block.reason == len(REASONS))).size:
                problem = "its reason, or that it is open, is nothing that a journal writes"
                raise InvalidTrace(self.path, None, "reason", f"round {block.first + int(unwritten[0])}: {problem}")
            recount.take(stretch)
            yield block
        self.miscounts[:] = recount.differences()

    def line_of(self, number: int) -> int | None:
        """None: a journal has no lines."""
        return None


def block_of(stretch: RoundColumns) -> Block:
    """The rounds of a stretch as a block."""
    decisions, reason = np.divmod(np.array(stretch.decisions, dtype=np.int64), CODES)
    places = np.array(stretch.asked, dtype=np.int64) - stretch.first
    codes = np.array(stretch.codes, dtype=np.int64)
    known = np.array(stretch.known, dtype=np.int64)
    reward = np.full(len(decisions), np.nan)
    reward[places] = np.array([nearest_float(value) for value in stretch.rewards])[codes]
    beyond = np.array([not is_double(value) for value in stretch.rewards], dtype=np.bool_)
    exact = {int(places[index]): stretch.rewards[codes[index]] for index in np.flatnonzero(beyond[codes])}
    query = decisions % 2 == 1
    answered = None
    if len(places) < int(query.sum()) or (known != places + stretch.first + 1).any():
        answered = np.zeros(len(decisions), dtype=np.int64)
        answered[places] = known
    return Block(
        stretch.first,
        decisions // 2,
        query,
        reward,
        np.full(len(decisions), np.nan),
        exact,
        answered=answered,
        reason=reason,
    )
