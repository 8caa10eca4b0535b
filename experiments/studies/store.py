"""Finished pieces on disk: written whole or not at all, found again by the digest of what they depend on."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Protocol

from bufalu.experiments.studies.counts import Counts, decoded
from bufalu.experiments.studies.errors import BrokenWork, UnusableFolder
from bufalu.experiments.studies.pieces import Piece

MAGIC = b"bufalu-piece 1 "
UNFINISHED = ".unfinished-"


class PieceStore(Protocol):
    """Where finished pieces are."""

    def load(self, piece: Piece) -> Counts | None:
        """The numbers of a piece, None if it is not there or not whole."""

    def save(self, piece: Piece, content: bytes) -> None:
        """Keeps the result of a piece."""


class Memory:
    """Pieces kept by this process alone."""

    def __init__(self) -> None:
        self._kept: dict[str, Counts] = {}

    def load(self, piece: Piece) -> Counts | None:
        """What was saved under the piece's key."""
        return self._kept.get(piece.key)

    def save(self, piece: Piece, content: bytes) -> None:
        """Keeps the numbers."""
        self._kept[piece.key] = decoded(content)


class Folder:
    """Pieces as files. A file holds its own digest, the piece's text and its numbers; a file that is not whole counts
    as absent and is listed in `damaged`. Raises `UnusableFolder` where the disk refuses.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.damaged: set[str] = set()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for leftover in folder.glob(f"*/{UNFINISHED}*"):
                leftover.unlink()
        except OSError as problem:
            raise UnusableFolder(f"cannot use {folder}: {problem.strerror}") from None

    def path(self, piece: Piece) -> Path:
        """Where a piece lies."""
        return self._folder / piece.key[:2] / f"{piece.key}.piece"

    def load(self, piece: Piece) -> Counts | None:
        """The numbers in the file of the piece, if it is there and whole."""
        path = self.path(piece)
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        except IsADirectoryError:
            self.damaged.add(path.name)
            return None
        except OSError as problem:
            raise UnusableFolder(f"cannot read {path}: {problem.strerror}") from None
        head, _, body = content.partition(b"\n")
        text, _, numbers = body.partition(b"\n")
        if head == MAGIC + _digest(body) and text == piece.text.encode():
            try:
                return decoded(numbers)
            except BrokenWork:
                pass
        self.damaged.add(path.name)
        return None

    def save(self, piece: Piece, content: bytes) -> None:
        """Writes the file at once: after a power cut it is there whole, or not at all."""
        body = piece.text.encode() + b"\n" + content
        _clear(self.path(piece))
        write_whole(self.path(piece), MAGIC + _digest(body) + b"\n" + body)


def _clear(path: Path) -> None:
    """Puts a folder that has the name of a piece aside: what is in it is not ours to delete. Raises `UnusableFolder`."""
    if path.is_dir():
        try:
            os.replace(path, tempfile.mkdtemp(prefix=f"{path.name}.folder-", dir=path.parent))
        except OSError as problem:
            raise UnusableFolder(f"cannot put {path} aside: {problem.strerror}") from None


def write_whole(path: Path, content: bytes) -> None:
    """Puts `content` under its name in one step, on disk before it is visible; raises `UnusableFolder`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=UNFINISHED, dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as problem:
        raise UnusableFolder(f"cannot write {path}: {problem.strerror}") from None


def _sync_folder(folder: Path) -> None:
    """Makes a new name outlive a power cut, where the system lets a folder be opened."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
