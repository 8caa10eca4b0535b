"""Writers of one journal that are killed at random moments, a hundred times, by themselves: no clock is involved.

Each child takes the journal up, goes on, and sends itself SIGKILL when SQLite has run a drawn number of its instructions,
be it inside a statement or at a commit. What a call returned is written to a log at once, so that a step or an answer that
was promised and lost is seen. Run as a program, since only a process without threads may fork; it prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from pathlib import Path

from bufalu.live import connections
from bufalu.live.journal import Journal

KILLS = 100


def killed_after(instructions: int) -> None:
    """From now on each connection counts the instructions of SQLite's machine, and the process ends with the last one."""
    left = instructions
    connect = connections._connection

    def counting(path: str) -> connections.sqlite3.Connection:
        connection = connect(path)

        def count() -> int:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return 0

        connection.set_progress_handler(count, 1)
        return connection

    connections._connection = counting


def child(path: Path, chance: random.Random, log: int) -> None:
    """Steps and answers without end; each that returned is a line of the log."""
    killed_after(chance.randrange(1, 3000))
    journal = Journal.open(path, arms=["a", "b", "c"], epsilon="power:1/4", ties="random:7")
    while True:
        step = journal.next()
        os.write(log, f"step {step.id} {step.arm} {step.ask}\n".encode())
        waiting = [late.id for late in journal.waiting]
        if len(waiting) > 3:
            number = chance.choice(waiting)
            if chance.randrange(5):
                journal.answer(number, number % 2)
                os.write(log, f"answer {number}\n".encode())
            else:
                journal.no_answer(number)
                os.write(log, f"none {number}\n".encode())


def main(folder: Path) -> None:
    """Kills a hundred children in turn and prints what they had said."""
    chance, said = random.Random(11), folder / "said.txt"
    log = os.open(said, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    signals = []
    for number in range(KILLS):
        process = os.fork()
        if process == 0:
            child(folder / "run.db", random.Random(f"{chance.random()} {number}"), log)
        chance.random()
        signals.append(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    print(json.dumps({"signals": signals, "said": said.read_text().splitlines()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
