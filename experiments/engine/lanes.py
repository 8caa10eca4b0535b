"""Eight seeds at once: values of eight lanes, which the compiled kernels keep in vector registers.

`Lanes` are eight doubles, `Wholes` eight 64-bit integers, `Flags` eight truth values. Each operation becomes one or a few
of the vector instructions that LLVM has for every processor (AVX-512, AVX2, NEON), so that nothing depends on what an
optimiser finds in a loop, and no compiler is needed where the engine is installed. Arithmetic is that of IEEE doubles,
operation by operation.
"""

from __future__ import annotations

import importlib
import inspect
import operator
from collections.abc import Callable
from typing import Any, NoReturn, ParamSpec, TypeVar, get_type_hints

from bufalu.experiments.engine import vectors
from bufalu.experiments.engine.arrays import Floats, Integers
from bufalu.experiments.engine.compiled import AVAILABLE, require
from bufalu.experiments.engine.vectors import WIDTH

P = ParamSpec("P")
R = TypeVar("R")

EVERY_LANE = (1 << WIDTH) - 1
"""Eight set flags as a number."""


class Lanes:
    """Eight doubles."""

    def __add__(self, other: Lanes) -> Lanes:
        compiled_only()

    def __sub__(self, other: Lanes) -> Lanes:
        compiled_only()

    def __mul__(self, other: Lanes) -> Lanes:
        compiled_only()

    def __truediv__(self, other: Lanes) -> Lanes:
        compiled_only()


class Wholes:
    """Eight whole numbers of 64 bits, which wrap around."""

    def __add__(self, other: Wholes) -> Wholes:
        compiled_only()

    def __mul__(self, other: Wholes) -> Wholes:
        compiled_only()

    def __xor__(self, other: Wholes) -> Wholes:
        compiled_only()


class Flags:
    """Eight truth values."""

    def __and__(self, other: Flags) -> Flags:
        compiled_only()

    def __or__(self, other: Flags) -> Flags:
        compiled_only()

    def __invert__(self) -> Flags:
        compiled_only()


Either = TypeVar("Either", Lanes, Wholes)


def compiled_only() -> NoReturn:
    """Raises: lanes exist in compiled code alone."""
    require()
    raise TypeError("lanes exist in compiled code alone")


if AVAILABLE:
    types = importlib.import_module("numba.core.types")
    extending = importlib.import_module("numba.extending")
    VECTORS = {Lanes: vectors.DOUBLES, Wholes: vectors.WORDS, Flags: vectors.MASKS}

    def vector_type(python: type, vector: Any) -> Any:
        """The numba type of a class above, held in one LLVM vector."""
        kind = type(f"{python.__name__}Type", (types.Type,), {})

        class Model(extending.models.PrimitiveModel):  # type: ignore[misc, name-defined] # numba has no types
            def __init__(self, manager: Any, front: Any) -> None:
                super().__init__(manager, front, vector)

        extending.register_model(kind)(Model)
        return kind(name=python.__name__)

    KINDS: dict[object, Any] = {python: vector_type(python, vector) for python, vector in VECTORS.items()}
    KINDS |= {int: types.int64, float: types.float64, type(None): types.void}


def operation(emit: Callable[..., Any], symbol: object = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Makes a typed function an instruction: `emit(builder, arguments...)` gives its LLVM value, the annotations its
    type. An array arrives as the pointer to its data; one of two kinds of lanes (`Either`) as what it is. `symbol` is
    the operator that means the same.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        if not AVAILABLE:
            return function
        hints = get_type_hints(function)
        result = hints.pop("return")
        wanted = [KINDS.get(hint) for hint in hints.values()]

        def typed(_: object, *given: Any) -> Any:
            chosen = [kind or found for kind, found in zip(wanted, given, strict=True)]
            answer = KINDS.get(result) or chosen[-1]

            def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                values = [
                    context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
                    for kind, value in zip(signature.args, arguments, strict=True)
                ]
                value = emit(builder, *values)
                return context.get_dummy_value() if answer is types.void else value

            return answer(*chosen), lowered

        typed.__name__ = function.__name__
        names = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("context", *hints)]
        vars(typed)["__signature__"] = inspect.Signature(names)
        instruction: Callable[P, R] = extending.intrinsic(typed)
        if symbol is not None:
            overloaded(symbol, instruction, wanted)
        return instruction

    return decorated


def overloaded(symbol: object, instruction: Callable[..., object], wanted: list[Any]) -> None:
    """Lets an operator mean an instruction between values of the wanted kinds."""

    def unary(x: Any) -> Any:
        return (lambda x: instruction(x)) if [x] == wanted else None  # noqa: PLW0108 - numba wants a function

    def binary(x: Any, y: Any) -> Any:
        return (lambda x, y: instruction(x, y)) if [x, y] == wanted else None  # noqa: PLW0108 - as above

    chooser = unary if len(wanted) == 1 else binary
    chooser.__annotations__.clear()  # numba compares its signature with that of the lambda
    extending.overload(symbol)(chooser)


OPERATORS: dict[type, dict[Callable[..., object], str]] = {
    Lanes: {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"},
    Wholes: {operator.add: "add", operator.mul: "mul", operator.xor: "xor"},
    Flags: {operator.and_: "and_", operator.or_: "or_", operator.invert: "not_"},
}
"""The operators of the classes above, with the names that LLVM's builder has for them."""


def operator_between(kind: type, symbol: Callable[..., object], name: str) -> None:
    """Lets an operator between values of one kind mean the instruction of this name."""

    def meant(*values: object) -> object:
        compiled_only()

    meant.__name__ = f"{kind.__name__}_{symbol.__name__}"
    meant.__annotations__ = dict.fromkeys([*inspect.signature(symbol).parameters, "return"], kind)
    operation(lambda builder, *values: getattr(builder, name)(*values), symbol)(meant)


for _kind, _names in OPERATORS.items():
    for _symbol, _name in _names.items():
        operator_between(_kind, _symbol, _name)


@operation(lambda b, x, n: b.lshr(x, vectors.spread(b, n, vectors.WORDS)))
def shifted(x: Wholes, n: int) -> Wholes:
    """x >> n, as unsigned numbers."""
    compiled_only()


@operation(lambda b, x: vectors.called(b, "sqrt", x))
def root(x: Lanes) -> Lanes:
    """The square roots."""
    compiled_only()


@operation(lambda b, x, y, z: vectors.called(b, "fma", x, y, z))
def fused(x: Lanes, y: Lanes, z: Lanes) -> Lanes:
    """x * y + z, rounded once."""
    compiled_only()


@operation(lambda b, x: vectors.spread(b, x, vectors.DOUBLES))
def every(x: float) -> Lanes:
    """x in every lane."""
    compiled_only()


@operation(lambda b, x: vectors.spread(b, x, vectors.WORDS))
def every_whole(x: int) -> Wholes:
    """x in every lane."""
    compiled_only()


@operation(lambda b, data, place: vectors.loaded(b, data, place, vectors.DOUBLES))
def load(array: Floats, place: int) -> Lanes:
    """The eight entries from `place` on."""
    compiled_only()


@operation(lambda b, data, place: vectors.loaded(b, data, place, vectors.WORDS))
def load_wholes(array: Integers, place: int) -> Wholes:
    """The eight entries from `place` on."""
    compiled_only()


@operation(vectors.stored)
def store(array: Floats, place: int, value: Lanes) -> None:
    """Writes eight entries."""
    compiled_only()


@operation(vectors.stored)
def store_wholes(array: Integers, place: int, value: Wholes) -> None:
    """Writes eight entries."""
    compiled_only()


@operation(lambda b, x, y: b.select(b.fcmp_ordered(">", x, y), x, y))
def higher(x: Lanes, y: Lanes) -> Lanes:
    """The larger of each pair."""
    compiled_only()


@operation(lambda b, x, y: b.select(b.fcmp_ordered("<", x, y), x, y))
def lower(x: Lanes, y: Lanes) -> Lanes:
    """The smaller of each pair."""
    compiled_only()


@operation(lambda b, x, y: vectors.compared(b, ">", vectors.ABOVE, x, y))
def above(x: Lanes, y: Lanes) -> Flags:
    """Where x > y."""
    compiled_only()


@operation(lambda b, x, y: vectors.compared(b, "==", vectors.EQUAL, x, y))
def equal(x: Lanes, y: Lanes) -> Flags:
    """Where x = y."""
    compiled_only()


@operation(vectors.equals)
def same(x: Wholes, y: Wholes) -> Flags:
    """Where x = y, both at least 0."""
    compiled_only()


@operation(vectors.precedes)
def less(x: Wholes, y: Wholes) -> Flags:
    """Where x < y, both at least 0."""
    compiled_only()


@operation(vectors.picked)
def pick(where: Flags, x: Either, y: Either) -> Either:
    """x where the flag is set, y elsewhere."""
    compiled_only()


@operation(vectors.numbered)
def bits(x: Flags) -> int:
    """The flags as a number, lane 0 lowest."""
    compiled_only()


@operation(lambda b, x: vectors.as_mask(b, b.bitcast(b.trunc(x, vectors.ir.IntType(WIDTH)), vectors.BITS)))
def flags(x: int) -> Flags:
    """The inverse of `bits`."""
    compiled_only()


@operation(vectors.replaced)
def tagged(x: Lanes, mask: int, tag: int) -> Lanes:
    """x with the bits of `mask`, its lowest ones, replaced by `tag`."""
    compiled_only()


@operation(lambda b, x, mask: b.and_(b.bitcast(x, vectors.WORDS), vectors.spread(b, mask, vectors.WORDS)))
def tag_of(x: Lanes, mask: int) -> Wholes:
    """The tag that was put into x."""
    compiled_only()


@operation(lambda b, x: b.bitcast(x, vectors.DOUBLES))
def doubles_of(x: Wholes) -> Lanes:
    """The doubles whose bits these are."""
    compiled_only()
