"""Pieces of work: some seeds of one cell, described by a text that says everything their result depends on.

The text is all that a worker needs, and its digest is the name under which the result is kept. How a cell is cut
depends on the cell alone, never on the number of workers.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, cast

from bufalu.experiments.engine.errors import OutsideEngine
from bufalu.experiments.engine.running import Configuration
from bufalu.experiments.studies.checkpoints import POINTS, checkpoints
from bufalu.experiments.studies.code_version import code_digest, objects_digest, source_digest
from bufalu.experiments.studies.counts import Counts, encoded
from bufalu.experiments.studies.errors import BrokenWork, DifferentCode, InvalidStudy
from bufalu.experiments.studies.study import Cell, answer_times, instance_document
from bufalu.reference.confidence import confidence_named
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import parse_rational
from bufalu.reference.rewards import AnswerTimes
from bufalu.reference.schedules import parse_schedule

FORMAT = "bufalu-piece"
VERSION = 3

EXPERIMENTS = "bufalu.experiments."


@dataclass(frozen=True)
class Way:
    """How a piece is played: by `play_piece` of a module of the experiments, in a process that may be anywhere.

    `rounds` says about how many rounds make a large piece, a fraction of a second to some seconds of work; seeds come in
    multiples of `together`.
    """

    name: str
    module: str
    rounds: int
    together: int = 1


ENGINE = Way("engine", "bufalu.experiments.studies.engine_path", 64_000_000, 16)
REFERENCE = Way("reference", "bufalu.experiments.studies.reference_path", 200_000)

MOST_SEEDS = 1024
"""Of a piece."""
FIRST = 16
"""The first piece of a cell is so many times smaller than a large one: a few hundredths of a second for the engine."""

FARTHEST_REFERENCE = 100_000_000
"""The longest run that the reference is asked for in a study."""


@dataclass(frozen=True)
class PieceText:
    """What a piece says. Numbers that must be exact are text."""

    path: str
    module: str
    policy: str
    confidence: str
    epsilon: str
    epsilon_content: str | None
    ties: str
    arms: tuple[dict[str, list[str]], ...]
    horizon: int
    checkpoints: tuple[int, ...]
    first_seed: int
    end_seed: int
    code: str
    objects: str
    delay: int
    missing: str
    format: str = FORMAT
    version: int = VERSION

    def instance(self) -> Instance:
        """The instance with the arms of the piece."""
        return Instance(
            tuple(
                Arm.finite(
                    (parse_rational(value), parse_rational(probability))
                    for value, probability in zip(arm["values"], arm["probabilities"], strict=True)
                )
                for arm in self.arms
            )
        )

    def answers(self, seed: int) -> AnswerTimes | None:
        """When answers are known in the run of a seed; None for the next round always."""
        return answer_times(self.delay, self.missing, seed)

    @property
    def seeds(self) -> range:
        """The seeds of the piece."""
        return range(self.first_seed, self.end_seed)


class WayModule(Protocol):
    """What the module of a `Way` offers."""

    def play_piece(self, piece: PieceText) -> Counts:
        """The numbers of the piece."""


@dataclass(frozen=True)
class Piece:
    """A piece as text."""

    text: str
    rounds: int

    @cached_property
    def key(self) -> str:
        """A digest of everything that the result depends on."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def pieces_of(cell: Cell, seeds: int, points: int = POINTS, path: Way | None = None) -> list[Piece]:
    """The cell cut into pieces; raises what the reference raises for a cell that cannot be run at all."""
    way = path_of(cell) if path is None else path
    wanted = way.rounds // cell.horizon // way.together * way.together
    size = max(way.together, min(wanted, MOST_SEEDS))
    least = max(way.together, size // FIRST // way.together * way.together)
    return [
        written(
            PieceText(
                path=way.name,
                module=way.module,
                policy=cell.policy,
                confidence=cell.confidence,
                epsilon=cell.epsilon,
                epsilon_content=content_digest(cell.epsilon),
                ties=cell.ties,
                arms=tuple(instance_document(cell.instance)),
                horizon=cell.horizon,
                checkpoints=checkpoints(cell.horizon, points),
                first_seed=part.start,
                end_seed=part.stop,
                code=code_digest(),
                objects=objects_of(way.module, cell.policy, cell.confidence, cell.epsilon),
                delay=cell.delay,
                missing=cell.missing,
            )
        )
        for part in parts_of(seeds, least, size)
    ]


def parts_of(seeds: int, least: int, most: int) -> Iterator[range]:
    """Seeds in parts: the first is small, so that who stops early keeps something; then they double, up to `most`."""
    start, size = 0, least
    while start < seeds:
        yield range(start, min(start + size, seeds))
        start += size
        size = min(most, start)


def path_of(cell: Cell) -> Way:
    """ENGINE where the engine takes the cell, else REFERENCE, which takes everything, slowly.

    Raises `InvalidStudy` with the engine's reason for a horizon that is out of the reference's reach.
    """
    reason = engine_refusal(cell)
    if reason is not None and cell.horizon > FARTHEST_REFERENCE:
        raise InvalidStudy(
            f"T = {cell.horizon:,} is too far for the exact reference (at most {FARTHEST_REFERENCE:,} rounds a run, about an "
            f"hour), and {reason}"
        )
    return ENGINE if reason is None else REFERENCE


def engine_refusal(cell: Cell) -> str | None:
    """Why the engine does not take a cell; None if it does."""
    if cell.late is not None:
        return f"the engine plays runs whose answers come at once, and here they come {cell.late}"
    try:
        Configuration(
            cell.policy, cell.instance, parse_schedule(cell.epsilon), cell.horizon, cell.confidence, cell.ties
        )
    except OutsideEngine as problem:
        return str(problem)
    return None


def written(piece: PieceText) -> Piece:
    """The canonical text of a piece."""
    text = json.dumps(asdict(piece), sort_keys=True, separators=(",", ":"))
    return Piece(text, piece.horizon * len(piece.seeds))


def computed(text: str) -> bytes:
    """The result of a piece, in bytes; runs in any process, on any machine with the same bufalu.

    Raises `DifferentCode` where the code is another, and `BrokenWork` for a file of epsilons that is not the same, or a
    module that has no business here.
    """
    fields = json.loads(text)
    fields["arms"], fields["checkpoints"] = tuple(fields["arms"]), tuple(fields["checkpoints"])
    piece = PieceText(**fields)
    if not piece.module.startswith(EXPERIMENTS):
        raise BrokenWork(f"a piece is played by a module of the experiments, and {piece.module} is none")
    if piece.code != code_digest() or piece.objects != objects_of(
        piece.module, piece.policy, piece.confidence, piece.epsilon
    ):
        raise DifferentCode("this worker runs another version of bufalu, or of a registered object, than the study")
    if content_digest(piece.epsilon) != piece.epsilon_content:
        raise BrokenWork(f"'{piece.epsilon}' does not hold the same numbers here as where the study was started")
    player = cast(WayModule, importlib.import_module(piece.module))
    return encoded(player.play_piece(piece))


def objects_of(module: str, policy: str, confidence: str, epsilon: str) -> str:
    """A digest of the code beside the engine's and the reference's: registered objects, or a module with rules of its own."""
    if module not in (ENGINE.module, REFERENCE.module):
        return source_digest(module)
    return objects_digest(policy_named(policy), confidence_named(confidence), parse_schedule(epsilon))


def content_digest(epsilon: str) -> str | None:
    """A digest of the file behind a `file:PATH` schedule; None for one whose text says it all."""
    kind, _, path = epsilon.partition(":")
    if kind != "file":
        return None
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as problem:
        raise BrokenWork(f"cannot read {path}: {problem.strerror}") from None
