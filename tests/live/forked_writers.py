"""Several processes on one journal: two that opened it by name, and two that came from a fork while threads were at work.

Run as a program, since only a process that is not pytest may fork. Pipes make the order of events: all children begin when
the last one is ready, and when the parent has gone on after the fork. It prints, as one line of JSON, what each was given.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from bufalu.live.journal import Journal

STEPS = 30


def play(journal: Journal, steps: int) -> list[int]:
    """So many steps, each answered if it asks."""
    taken = []
    for _ in range(steps):
        step = journal.next()
        taken.append(step.id)
        if step.ask:
            journal.answer(step.id, step.id % 2)
    return taken


def forked(work: Callable[[], list[int]], ready: int, go: int) -> tuple[int, int]:
    """The child's process and the pipe by which it tells what it was given; it begins when a byte comes through `go`."""
    told, tell = os.pipe()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            os.write(ready, b"+")
            os.read(go, 1)
            os.write(tell, json.dumps(work()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(tell)
    return process, told


def main(path: Path) -> None:
    """Forks two children that open the journal and two that use the parent's, lets all play, and plays on itself."""
    journal = Journal.open(path, arms=["a", "b", "c"], epsilon="power:1/4", ties="random:7")
    given = [play(journal, 5)]
    held, free = threading.Event(), threading.Event()

    def hold() -> None:
        """Keeps the journal's lock, which a fork then copies without its owner."""
        with journal._store._lock:
            held.set()
            free.wait()

    ready, announce = os.pipe()
    go, start = os.pipe()
    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()

    works = [lambda: play(journal, STEPS), lambda: play(Journal.open(path), STEPS)] * 2
    children = [forked(work, announce, go) for work in works]
    free.set()
    holder.join()
    given.append(play(journal, 5))  # the children's copies know nothing of these
    for _ in works:
        os.read(ready, 1)
    for _ in works:
        os.write(start, b"!")
    given.append(play(journal, STEPS))
    for process, told in children:
        with os.fdopen(told) as pipe:
            given.append(json.loads(pipe.read()))
        assert os.waitpid(process, 0)[1] == 0
    given.append(play(journal, 1))
    print(json.dumps(given))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
