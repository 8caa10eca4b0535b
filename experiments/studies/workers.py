"""Who does the work: this process, or several of this machine, any of which may die.

A worker gets the text of a piece and gives bytes; a piece whose worker died goes to another one.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Protocol

from bufalu.experiments.studies.errors import BrokenWork
from bufalu.experiments.studies.pieces import Piece, computed
from bufalu.reference.errors import BufaluError

MOST_DEATHS = 5
"""A piece that so many workers died of is not tried again."""

HEARTBEAT = 0.5
"""Seconds between two looks of a worker for the process that started it."""


class Crew(Protocol):
    """Anything that computes pieces."""

    def work(self, pieces: Sequence[Piece]) -> Iterator[tuple[Piece, bytes]]:
        """The results in the order in which they are finished; nothing goes on running when the consumer stops."""


class ThisProcess:
    """One piece after the other, here."""

    def work(self, pieces: Sequence[Piece]) -> Iterator[tuple[Piece, bytes]]:
        """The results in the order of the pieces."""
        for piece in pieces:
            yield piece, computed(piece.text)


@dataclass
class _Hand:
    """A worker process and the piece that it holds."""

    process: BaseProcess
    line: Connection
    piece: Piece | None = None


class Processes:
    """Worker processes of this machine. One that dies is replaced and its piece given to the next; raises
    `BrokenWork` for a piece that MOST_DEATHS workers died of, and whatever a piece itself raises.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._hands: list[_Hand] = []

    def work(self, pieces: Sequence[Piece]) -> Iterator[tuple[Piece, bytes]]:  # noqa: C901 - one loop that sees every event of a worker
        """The results in the order in which they are finished."""
        waiting, deaths, unfinished = deque(pieces), dict[str, int](), len(pieces)
        try:
            while unfinished:
                while len(self._hands) < min(self._number, unfinished):
                    self._hands.append(_hire())
                for hand in self._hands:
                    if hand.piece is None and waiting:
                        _give(hand, waiting.popleft())
                busy = [hand for hand in self._hands if hand.piece is not None]
                ready = set(wait([item for hand in busy for item in (hand.line, hand.process.sentinel)]))
                for hand in busy:
                    if hand.line not in ready and hand.process.sentinel not in ready:
                        continue
                    piece, answer = hand.piece, _answer(hand)
                    assert piece is not None
                    hand.piece = None
                    if answer is None:
                        self._hands.remove(hand)
                        hand.process.join()
                        deaths[piece.key] = deaths.get(piece.key, 0) + 1
                        if deaths[piece.key] >= MOST_DEATHS:
                            raise BrokenWork(
                                f"{MOST_DEATHS} workers died of the same piece (out of memory, perhaps): {piece.text}"
                            )
                        waiting.appendleft(piece)
                    elif isinstance(answer, BaseException):
                        raise answer
                    else:
                        unfinished -= 1
                        yield piece, answer
        finally:
            for hand in self._hands:
                hand.process.kill()
                hand.process.join()
                hand.line.close()
            self._hands.clear()


def _hire() -> _Hand:
    context = get_context()
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return _Hand(process, ours)


def _give(hand: _Hand, piece: Piece) -> None:
    hand.piece = piece
    try:
        hand.line.send(piece.text)
    except OSError:
        # The worker is dead already; its sentinel says so in the next round.
        return


def _answer(hand: _Hand) -> bytes | BaseException | None:
    """What a worker says; None if it died without a word."""
    try:
        answer: bytes | BaseException = hand.line.recv()
    except (EOFError, OSError):
        return None
    return answer


def _serve(line: Connection) -> None:
    """A worker: computes what comes down the line until the line or the employer is gone; Ctrl-C is the employer's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    while True:
        try:
            text = line.recv()
        except (EOFError, OSError):
            return
        try:
            answer: bytes | BufaluError = computed(text)
        except BufaluError as problem:
            answer = problem
        except Exception as problem:  # anything else is a defect: said in the employer's process, with its name
            answer = BrokenWork(f"a piece failed with {type(problem).__name__}: {problem}")
        try:
            line.send(answer)
        except OSError:
            return  # nobody listens any more


def _leave_with(parent: int) -> None:
    """Ends this process once the one that hired it is gone, whatever it is doing. Where workers are forked from a server of
    `multiprocessing`, that is not the parent.
    """
    employer = parent_process()
    while os.getppid() == parent and (employer is None or employer.is_alive()):
        time.sleep(HEARTBEAT)
    os._exit(1)


@contextmanager
def crew(workers: int) -> Iterator[Crew]:
    """The processes that compute pieces; for one worker, the process that asks."""
    yield ThisProcess() if workers <= 1 else Processes(workers)
