"""The only door to numba: typed decorators, and a clear error where the library is missing."""

from __future__ import annotations

import gc
import importlib
import inspect
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar

from bufalu.experiments.engine.errors import ExperimentsUnavailable
from bufalu.reference.whole_files import alone

P = ParamSpec("P")
R = TypeVar("R")


def _optional(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


_NUMBA = _optional("numba")
_OPTIONS: dict[str, object] = {"nogil": True, "error_model": "numpy"}

# The kernels allocate nothing, and counting references to arrays would cost more than the rounds themselves. The
# switch is not public in numba, so it is used only where it exists; without it the kernels are slower, and right.
if hasattr(getattr(_optional("numba.core.options"), "DefaultOptions", None), "_nrt"):
    _OPTIONS["_nrt"] = False

_PART: dict[str, object] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Python never calls the parts of a kernel: nothing is compiled for it to do so."""

AVAILABLE = _NUMBA is not None
"""Whether the compiled engine can run here."""


def kept(function: Callable[..., object]) -> bool:
    """Whether some machine code of the module of a function is on disk already; True without numba, which makes none."""
    if _NUMBA is None:
        return True
    folder = Path(_NUMBA.njit(cache=True)(function).stats.cache_path)
    return any(folder.glob(f"{Path(function.__code__.co_filename).stem}.*.nbi"))


def require() -> None:
    """Raises `ExperimentsUnavailable` unless numba is installed."""
    if not AVAILABLE:
        raise ExperimentsUnavailable("the experiments need numba: pip install numba")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """`function` as machine code, kept on disk between runs; strict IEEE arithmetic, releases the GIL. Of several processes
    that need it at once, one compiles it and the others wait for the file.

    Without numba the function stays as it is, so that importing the room always works; the engine calls `require`.
    """
    if _NUMBA is None:
        return function
    typeof, fast = _NUMBA.typeof, _NUMBA.njit(cache=True, **_OPTIONS)(function)

    @wraps(function)
    def ready(*arguments: P.args, **named: P.kwargs) -> R:
        if not fast.signatures:
            kept, kinds = Path(fast.stats.cache_path), tuple(map(typeof, arguments))
            with alone(kept / "compiling"), uncollected(), parts_as_text(function.__qualname__):
                try:
                    fast.compile(kinds)
                except (AttributeError, ImportError):
                    # What an older version left names classes that are gone, and numba does not look before it reads.
                    for index in kept.glob("*.nbi"):
                        index.unlink(missing_ok=True)
                    fast.compile(kinds)
        result: R = fast(*arguments, **named)
        return result

    return ready


@contextmanager
def uncollected() -> Iterator[None]:
    """Nothing looks for cycles of garbage: a compiler makes millions of objects that live, and a sixth of its time went to
    looking at them.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def parts_as_text(kernel: str) -> Iterator[None]:
    """Of what is compiled here, only the function of this qualified name becomes machine code. The parts of a kernel are
    linked into it and optimised there; by itself numba first optimises and translates each of them on its own, for nobody
    to call, which took half of the time.

    The classes are not public in numba: where they are not as expected, the parts are compiled as numba does it.
    """
    generator = importlib.import_module("numba.core.registry").cpu_target.target_context.codegen()
    codegen = importlib.import_module("numba.core.codegen")
    library = getattr(codegen, "JITCodeLibrary", None)
    expected = ("_optimize_final_module", "_finalize_final_module", "_ensure_finalized", "get_pointer_to_function")
    if type(generator)._library_class is not library or not all(hasattr(library, name) for name in expected):
        yield
        return

    class Part(codegen.JITCodeLibrary):  # type: ignore[misc, name-defined] # numba has no types
        """A module of LLVM, which stays text unless it is that of the kernel."""

        def _optimize_final_module(self) -> None:
            if self.name == kernel:
                super()._optimize_final_module()

        def _finalize_final_module(self) -> None:
            if self.name == kernel:
                super()._finalize_final_module()
            else:
                self._finalize_dynamic_globals()
                self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return int(super().get_pointer_to_function(name)) if self.name == kernel else 0

    def set_env(name: str, environment: object) -> None:
        if generator._engine.get_global_value_address(name):
            type(generator).set_env(generator, name, environment)

    with importlib.import_module("numba.core.compiler_lock").global_compiler_lock:
        generator._library_class, generator.set_env = Part, set_env
        try:
            yield
        finally:
            del generator._library_class, generator.set_env


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """`function` as machine code that becomes part of each `compiled` function that calls it."""
    if _NUMBA is None:
        return function
    fast: Callable[P, R] = _NUMBA.njit(forceinline=True, **_PART, **_OPTIONS)(function)
    return fast


def apart(function: Callable[P, R]) -> Callable[P, R]:
    """`function` as machine code that `compiled` functions call: for what is long and seldom done."""
    if _NUMBA is None:
        return function
    fast: Callable[P, R] = _NUMBA.njit(**_PART, **_OPTIONS)(function)
    return fast


def digest(*modules: ModuleType) -> int:
    """A checksum of the source text of some modules."""
    return zlib.crc32("".join(inspect.getsource(module) for module in modules).encode())
