"""Runs a study: what is stored is taken, what is missing is computed and stored at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bufalu.experiments.engine.compiled import require
from bufalu.experiments.studies.counts import Counts, joined
from bufalu.experiments.studies.pieces import REFERENCE, Piece, path_of, pieces_of
from bufalu.experiments.studies.store import Memory, PieceStore
from bufalu.experiments.studies.study import Cell, Study
from bufalu.experiments.studies.workers import Crew, ThisProcess

Report = Callable[[int], None]
"""Hears how many of the missing rounds are done."""


@dataclass(frozen=True)
class Work:
    """Pieces, and how many of them and of their rounds have yet to be computed."""

    pieces: tuple[Piece, ...]
    missing: tuple[Piece, ...]

    @property
    def rounds(self) -> int:
        """Rounds that have yet to be played."""
        return sum(piece.rounds for piece in self.missing)


def planned(pieces: Sequence[Piece], store: PieceStore) -> Work:
    """What is to be done. A piece that occurs twice is computed once."""
    distinct = tuple({piece.key: piece for piece in pieces}.values())
    return Work(distinct, tuple(piece for piece in distinct if store.load(piece) is None))


def carried_out(work: Work, store: PieceStore, crew: Crew, report: Report | None = None) -> None:
    """Computes and stores what is missing. What was stored stays, whatever happens after."""
    done = 0
    for piece, content in crew.work(work.missing):
        store.save(piece, content)
        done += piece.rounds
        if report is not None:
            report(done)


class StudyRuns:
    """A study whose pieces are in a store: its numbers cell by cell, each read when it is asked for."""

    def __init__(self, study: Study, store: PieceStore) -> None:
        self.study = study
        self.cells = study.cells()
        self._store = store
        self.paths = {cell: path_of(cell) for cell in self.cells}
        self._pieces = {cell: pieces_of(cell, study.seeds, study.points, self.paths[cell]) for cell in self.cells}
        if any(path is not REFERENCE for path in self.paths.values()):
            require()

    def work(self) -> Work:
        """What is to be done for the study."""
        return planned([piece for pieces in self._pieces.values() for piece in pieces], self._store)

    def counts(self, cell: Cell) -> Counts | None:
        """The numbers of a cell, None if a piece of it is missing."""
        parts = [self._store.load(piece) for piece in self._pieces[cell]]
        found = [part for part in parts if part is not None]
        return joined(found) if len(found) == len(parts) else None


def run_study(study: Study, store: PieceStore | None = None, crew: Crew | None = None) -> StudyRuns:
    """Runs everything that is missing; by default in this process and memory."""
    kept = Memory() if store is None else store
    runs = StudyRuns(study, kept)
    carried_out(runs.work(), kept, ThisProcess() if crew is None else crew)
    return runs
