"""How fast a journal is: durable steps a second, one decision of 20 arms, memory, and `check` of a journal's file.

With a write-ahead log and synchronous=NORMAL a commit does not wait for the disk, so that steps cost processor time.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
import tracemalloc
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Measurement, once, processor_seconds
from bufalu import Journal
from bufalu.commands.journals import JournalSource
from bufalu.oracle.report import check_file
from bufalu.reference.state import State

STEPS = 6_000
ROUNDS = 200_000
DELAY = 20
EPSILON = "constant:1/2"


def figures() -> Iterator[Measurement]:
    """Plays journals, and checks a long one with late answers."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        steps = Journal.open(place / "steps.db", arms=list("abcde"), epsilon="zero")
        start = time.perf_counter()
        seconds = once(lambda: played(steps, STEPS))
        clock = STEPS / (time.perf_counter() - start)
        note = f"all asked and answered, two transactions each; {clock:,.0f} by the clock, beside whatever else runs here"
        yield Measurement("durable steps of a journal", STEPS / seconds, "steps/s", 2000, at_least=True, note=note)
        yield Measurement("decide in a journal, 20 arms", 1e6 * decide_seconds(place / "wide.db"), "us", 50)
        yield Measurement("memory that a journal gains in 2,000 steps", gained(place / "memory.db") / 1024, "KiB", 16)
        with long_journal(str(place / "long.db")) as journal:
            source = JournalSource("long.db", journal)

            def work() -> None:
                checked = check_file(source).checked
                assert checked.conforms
                assert checked.rounds == ROUNDS

            speed = ROUNDS / processor_seconds(work)
            late = f"{DELAY} rounds late, one in ten never"
            yield Measurement("check of a journal", speed, "rounds/s", 1e6, at_least=True, note=f"answers {late}")


def played(journal: Journal, steps: int) -> None:
    """Takes steps and answers those that ask."""
    chance = random.Random(1)
    for _ in range(steps):
        step = journal.next()
        if step.ask:
            journal.answer(step.id, chance.randrange(2))


def decide_seconds(path: Path) -> float:
    """Processor seconds of one decision, each after one more answer."""
    journal = Journal.open(path, arms=[f"arm {number}" for number in range(20)], epsilon=EPSILON)
    played(journal, 1000)
    number = journal.rounds + 1

    def work() -> None:
        for k in range(500):
            journal._state.record(k % 20 + 1, k % 2)
            journal._decider.decide(journal._state, number + k)

    return processor_seconds(work) / 500


def gained(path: Path) -> float:
    """Bytes that are held after 2,000 more steps, beyond those held after 2,000."""
    journal = Journal.open(path, arms=list("abcde"), epsilon=EPSILON)
    played(journal, 2000)
    tracemalloc.start()
    played(journal, 100)
    before, _ = tracemalloc.get_traced_memory()
    played(journal, 1900)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return max(0, after - before)


def long_journal(path: str) -> Journal:
    """A journal of many rounds, written at once: its own decisions, without a transaction for each."""
    journal = Journal.open(path, arms=list("abcde"), epsilon=EPSILON, ties="first")
    state, chance = State(5), random.Random(2)
    coming: deque[tuple[int, int, int]] = deque()
    rows: dict[int, list[object]] = {}
    for number in range(1, ROUNDS + 1):
        while coming and coming[0][0] == number:
            _, asked, reward = coming.popleft()
            rows[asked][5:] = [number, str(reward)]
            state.record(rows[asked][1], reward)
        (arm, query), reason = journal._decider.decide(state, number)
        rows[number] = [number, arm, query, reason.name, True, None, None]
        if query and chance.randrange(10):
            coming.append((number + 1 + DELAY, number, int(chance.random() < (0.5 if arm == 5 else 0.25))))
    with sqlite3.connect(path) as connection:
        connection.executemany("INSERT INTO step VALUES (?, ?, ?, ?, ?, ?, ?)", rows.values())
    return journal
