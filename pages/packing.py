"""Long arrays as short text for a page: zlib and base64, which `trace_data.js` undoes with what the browser has."""

from __future__ import annotations

import zlib
from base64 import b64encode

import numpy as np

from bufalu.doubles.blocks import Booleans, Floats, Integers

_SIZES = (np.uint8, np.uint16, np.uint32)


def packed_integers(values: Integers | Booleans) -> dict[str, object]:
    """Whole numbers from 0 on, below 2^32, in as few bytes each as the largest needs."""
    largest = int(values.max(initial=0))
    size = next(size for size in _SIZES if largest <= np.iinfo(size).max)
    return {
        "bytes": np.dtype(size).itemsize,
        "data": _packed(values.astype(size).astype(f"<u{np.dtype(size).itemsize}")),
    }


def packed_doubles(values: Floats) -> dict[str, object]:
    """Doubles, bit for bit: second differences of their bits as whole numbers modulo 2^64, which are small along a smooth
    curve, the sign in the lowest bit; then all lowest bytes, all second ones, and so on.
    """
    bits = values.astype("<f8").view(np.int64)
    steps = np.diff(bits, n=2, prepend=np.zeros(2, dtype=np.int64))
    folded = ((steps << 1) ^ (steps >> 63)).astype("<i8")
    return {"doubles": len(values), "data": _packed(folded.view(np.uint8).reshape(-1, 8).T)}


def packed_text(text: str) -> dict[str, object]:
    """A text."""
    return {"text": True, "data": _packed(np.frombuffer(text.encode("utf-8"), dtype=np.uint8))}


def _packed(values: np.typing.NDArray[np.generic]) -> str:
    return b64encode(zlib.compress(np.ascontiguousarray(values).tobytes(), 6)).decode("ascii")
