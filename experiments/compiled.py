"""The only door to numba: a typed decorator, and a clear error where the library is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from bufalu.experiments.errors import ExperimentsUnavailable

try:
    import numba
except ImportError:
    numba = None

P = ParamSpec("P")
R = TypeVar("R")

AVAILABLE = numba is not None
"""Whether the compiled engine can run here."""


def require() -> None:
    """Raises `ExperimentsUnavailable` unless numba is installed."""
    if not AVAILABLE:
        raise ExperimentsUnavailable("the experiments need numba: pip install 'bufalu[experiments]'")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """`function` as machine code, kept on disk between runs; strict IEEE arithmetic, releases the GIL.

    Without numba the function stays as it is, so that importing the room always works; the engine calls `require`.
    """
    if numba is None:
        return function
    fast: Callable[P, R] = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
    return fast


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """`function` as machine code for use inside `compiled` functions only; LLVM inlines it where that pays."""
    if numba is None:
        return function
    fast: Callable[P, R] = numba.njit(forceinline=True, nogil=True, error_model="numpy", _nrt=False)(function)
    return fast
