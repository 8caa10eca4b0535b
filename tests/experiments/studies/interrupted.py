"""Programs that a test stops at a point of its choice: a study that stops after a number of stored pieces and waits to be
told to go on, and one that has taken a folder for itself.
"""

import os
import signal
import sys
from multiprocessing import get_context, set_start_method
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from bufalu.cli import main
from bufalu.experiments.studies.folder import held
from bufalu.experiments.studies.store import Folder

CONTEXT = get_context("forkserver")
# Everything that a study needs is loaded once, in the process from which the others are forked.
CONTEXT.set_forkserver_preload(["bufalu.studies", __name__])


def begun(arguments: list[str], pieces: int, complaints: Path) -> tuple[BaseProcess, Connection]:
    """A study that has stored that many pieces and waits; what it says to stderr goes to a file."""
    ours, theirs = CONTEXT.Pipe()
    program = CONTEXT.Process(target=_study, args=(arguments, pieces, complaints, theirs))
    program.start()
    theirs.close()
    assert ours.recv() == "stored"
    return program, ours


def holding(folder: Path) -> BaseProcess:
    """A program that has the folder for itself until it is killed."""
    ours, theirs = CONTEXT.Pipe()
    program = CONTEXT.Process(target=_hold, args=(folder, theirs))
    program.start()
    assert ours.recv() == "held"
    return program


def _hold(folder: Path, line: Connection) -> None:
    with held(folder):
        line.send("held")
        signal.pause()


def _study(arguments: list[str], pieces: int, complaints: Path, line: Connection) -> None:
    save, stored = Folder.save, []

    def save_and_wait(self, piece, content):
        save(self, piece, content)
        stored.append(piece)
        if len(stored) == pieces:
            line.send("stored")
            line.recv()

    Folder.save = save_and_wait
    set_start_method("fork", force=True)
    with complaints.open("w", encoding="utf-8") as sys.stderr, open(os.devnull, "w", encoding="utf-8") as sys.stdout:
        sys.exit(main(arguments))
