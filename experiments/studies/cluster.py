"""Pieces on a Dask cluster: an existing scheduler, or one started here. The only door to `distributed`.

Workers may join, leave, hang and die: a piece is a text, its result depends on nothing else, and it is kept by whoever asked.
"""

from __future__ import annotations

import importlib
import logging
import re
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

from bufalu._version import __version__
from bufalu.experiments.studies.code_version import code_digest
from bufalu.experiments.studies.errors import BrokenWork, DifferentCode, StudiesUnavailable
from bufalu.experiments.studies.pieces import Piece, computed
from bufalu.experiments.studies.workers import MOST_DEATHS, Crew
from bufalu.reference.errors import BufaluError

FAILURES_ALLOWED = 1000
"""How many of its workers may die before the scheduler gives a piece up: Dask's own limit is 3."""

CONNECT_SECONDS = 20
WORKERS_SECONDS = 60
"""How long the scheduler, and the first of its workers, may take to answer."""
AHEAD = 4
"""Pieces handed out for each thread of the cluster: enough to keep it busy, few enough to hold their results."""


LOOK_AGAIN_SECONDS = 5
"""How often the workers are looked at while no piece is finished."""

Handed: TypeAlias = dict[Any, tuple[Piece, frozenset[str]]]
"""Pieces that were handed out, by their futures, and the workers that each was meant for; none: whoever is there."""


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise StudiesUnavailable("a cluster needs Dask: pip install distributed") from None


@contextmanager
def cluster_crew(where: str) -> Iterator[Crew]:
    """The crew behind an address or `local:N`. Raises `StudiesUnavailable` without `distributed`, `BrokenWork` if there is
    no scheduler or no worker, and `DifferentCode` for workers with another bufalu.
    """
    distributed = _distributed()
    local = re.fullmatch(r"local:([1-9]\d{0,3})", where, re.ASCII)
    if local is None and "://" not in where and not re.fullmatch(r"[^:\s]+:\d+", where):
        raise BrokenWork(f"cluster: '{where}' is neither the address of a scheduler (tcp://host:8786) nor local:N")
    if local is None:
        with _connected(distributed, where, where) as client:
            yield Cluster(client, where)
        return
    with (
        distributed.LocalCluster(
            n_workers=int(local[1]),
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        _connected(distributed, cluster, where) as client,
    ):
        yield Cluster(client, where)


@contextmanager
def _connected(distributed: Any, target: object, where: str) -> Iterator[Any]:
    try:
        client = distributed.Client(target, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as problem:
        raise BrokenWork(f"there is no Dask scheduler at {where}: {problem}") from None
    try:
        yield client
    finally:
        client.close()


class Cluster:
    """A crew of Dask workers."""

    def __init__(self, client: Any, where: str) -> None:
        self._client = client
        self._where = where
        self._asked: dict[str, Any] = {}
        self._answered: list[str] = []
        self._outlive_deaths()
        self._wait_for_an_answer()

    def _outlive_deaths(self) -> None:
        # A nested function travels as code, so that the scheduler needs no bufalu of its own.
        limit = FAILURES_ALLOWED

        def raise_limit(dask_scheduler: Any) -> None:
            dask_scheduler.allowed_failures = max(dask_scheduler.allowed_failures, limit)

        self._client.run_on_scheduler(raise_limit)

    def _wait_for_an_answer(self) -> None:
        """Until one worker has said what code it has; those that hang or die meanwhile are not waited for."""
        try:
            self._client.wait_for_workers(1, timeout=WORKERS_SECONDS)
            deadline = time.monotonic() + WORKERS_SECONDS
            while not self._known_workers():
                left = deadline - time.monotonic()
                if left <= 0:
                    raise BrokenWork(f"no worker of the scheduler at {self._where} answers")
                self._listen(min(1, left))
        except TimeoutError:
            raise BrokenWork(f"the scheduler at {self._where} has no workers") from None

    def _listen(self, seconds: float) -> None:
        """Waits so long for the answer of a worker that was asked, or for one that joins."""
        asked = [future for future in self._asked.values() if not future.done()]
        with suppress(TimeoutError):
            if asked:
                next(_distributed().as_completed(asked, loop=self._client.loop, timeout=seconds), None)
            else:
                self._client.wait_for_workers(len(self._client.ncores()) + 1, timeout=seconds)

    def _known_workers(self) -> list[str]:
        """The workers that have answered and have this code; asks those that are new. Raises `DifferentCode`."""
        present = self._client.ncores()
        for address in present:
            if address not in self._asked:
                self._asked[address] = self._client.submit(code_here, workers=[address], pure=False)
        for address, future in self._asked.items():
            if address in self._answered or address not in present or not future.done():
                continue
            answer = self._fetched(future) if future.status == "finished" else future.exception()
            if answer is None:
                continue
            if answer != code_here():
                raise DifferentCode(refusal(address, answer))
            self._answered.append(address)
        return [address for address in self._answered if address in present]

    def _fetched(self, future: Any) -> Any:
        """A finished result; None if its worker died with it: Dask would wait for that worker to come back."""
        try:
            return future.result(timeout=LOOK_AGAIN_SECONDS)
        except TimeoutError:
            return None

    def _hand_out(self, waiting: deque[Piece], running: Handed) -> None:
        """Gives pieces to workers that have answered, and takes back what is meant for workers that are gone."""
        threads = self._client.ncores()
        known = frozenset(self._known_workers())
        # One that has joined and does not answer may hang: then the others alone get pieces, if there are others.
        trusted = known if known < threads.keys() else frozenset()
        for future in [one for one, (_, only) in running.items() if only and not only & threads.keys()]:
            # Dask would wait for those workers to come back.
            self._client.cancel([future])
            waiting.append(running.pop(future)[0])
        while known and waiting and len(running) < max(AHEAD, AHEAD * sum(threads.values())):
            piece = waiting.popleft()
            future = self._client.submit(computed_there, piece.text, pure=False, workers=[*trusted] or None)
            running[future] = piece, trusted

    def work(self, pieces: Sequence[Piece]) -> Iterator[tuple[Piece, bytes]]:
        """The results as they come, whoever computed them."""
        distributed = _distributed()
        waiting, deaths = deque(pieces), dict[str, int]()
        running: Handed = {}
        try:
            while waiting or running:
                self._hand_out(waiting, running)
                if not running:
                    self._listen(LOOK_AGAIN_SECONDS)
                    continue
                try:
                    future = next(
                        distributed.as_completed([*running], loop=self._client.loop, timeout=LOOK_AGAIN_SECONDS)
                    )
                except TimeoutError:
                    continue
                if future.status == "finished":
                    result = self._fetched(future)
                    if result is not None:
                        yield running.pop(future)[0], result
                if future.status in ("finished", "pending", "lost"):
                    continue  # its worker died since it was finished: it is computed again, or taken back above
                piece, _ = running.pop(future)
                problem = future.exception() if future.status == "error" else None
                if isinstance(problem, BufaluError):
                    raise problem
                if problem is None:
                    raise BrokenWork(f"the scheduler at {self._where} went away; what is finished is kept")
                deaths[piece.key] = deaths.get(piece.key, 0) + 1
                if not isinstance(problem, distributed.KilledWorker) or deaths[piece.key] >= MOST_DEATHS:
                    raise BrokenWork(f"a piece failed on the cluster: {type(problem).__name__}: {problem}")
                waiting.append(piece)
        finally:
            self._client.cancel([*running, *self._asked.values()])


def code_here() -> tuple[str, str]:
    """The version of bufalu in this process, and the digest of its code."""
    return __version__, code_digest()


def computed_there(text: str) -> bytes:
    """A piece's result on a worker; one that joined late with another bufalu says who it is."""
    try:
        return computed(text)
    except DifferentCode:
        address = _distributed().get_worker().address
        raise DifferentCode(refusal(address, code_here())) from None


def refusal(address: str, answer: object) -> str:
    """Why a worker is not taken."""
    if isinstance(answer, tuple) and answer[0] != __version__:
        other = f"bufalu {answer[0]}, this is {__version__}"
    elif isinstance(answer, tuple):
        other = f"another bufalu {answer[0]}: its code differs"
    else:
        other = f"no bufalu that answers ({type(answer).__name__}: {answer})"
    return f"the worker {address} has {other}. Install the same bufalu there"
