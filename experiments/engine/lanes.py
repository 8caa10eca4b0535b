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

from bufalu.experiments.engine.arrays import Floats, Integers
from bufalu.experiments.engine.compiled import AVAILABLE, require

P = ParamSpec("P")
R = TypeVar("R")

WIDTH = 8
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


def vector_features() -> list[str]:
    """The features of the processor that is compiled for, as LLVM writes them: "+avx2", "-avx512f"."""
    given = importlib.import_module("numba.core.config").CPU_FEATURES
    text = importlib.import_module("llvmlite.binding").get_host_cpu_features().flatten() if given is None else given
    return str(text).split(",")


if AVAILABLE:
    ir = importlib.import_module("llvmlite.ir")
    types = importlib.import_module("numba.core.types")
    extending = importlib.import_module("numba.extending")
    cgutils = importlib.import_module("numba.core.cgutils")
    DOUBLES = ir.VectorType(ir.DoubleType(), WIDTH)
    WORDS = ir.VectorType(ir.IntType(64), WIDTH)
    BITS = ir.VectorType(ir.IntType(1), WIDTH)
    MASKS = BITS if "+avx512f" in vector_features() else WORDS
    AVX2 = MASKS is WORDS and "+avx2" in vector_features()
    VECTORS = {Lanes: DOUBLES, Wholes: WORDS, Flags: MASKS}

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


def spread(builder: Any, value: Any, vector: Any) -> Any:
    """One number in every lane."""
    undefined = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(undefined, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH))


def loaded(builder: Any, data: Any, place: Any, vector: Any) -> Any:
    """Eight neighbours of an array."""
    value = builder.load(builder.bitcast(builder.gep(data, [place]), vector.as_pointer()))
    value.align = 8
    return value


def stored(builder: Any, data: Any, place: Any, value: Any) -> None:
    """Eight neighbours of an array, written."""
    store = builder.store(value, builder.bitcast(builder.gep(data, [place]), value.type.as_pointer()))
    store.align = 8


def called(builder: Any, name: str, *values: Any) -> Any:
    """One of LLVM's correctly rounded functions of doubles."""
    kind = ir.FunctionType(DOUBLES, [DOUBLES] * len(values))
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{WIDTH}f64"), values)


def replaced(builder: Any, value: Any, mask: Any, tag: Any) -> Any:
    """The bits of a mask replaced in eight doubles."""
    words = builder.bitcast(value, WORDS)
    kept = builder.and_(words, spread(builder, builder.not_(mask), WORDS))
    return builder.bitcast(builder.or_(kept, spread(builder, tag, WORDS)), DOUBLES)


def as_mask(builder: Any, truth: Any) -> Any:
    """Flags out of eight bits. Processors with AVX-512 have registers for eight bits; on others a flag is a whole number,
    0 or -1, as their comparisons give it.
    """
    return truth if MASKS is BITS else builder.sext(truth, MASKS)


def as_bits(builder: Any, mask: Any) -> Any:
    """The inverse of `as_mask`."""
    return mask if MASKS is BITS else builder.icmp_signed("<", mask, ir.Constant(MASKS, [0] * WIDTH))


def in_halves(builder: Any, name: str, answer: Any, vectors: list[Any], *constants: Any) -> list[Any]:
    """An instruction of AVX for four doubles, done for both halves of eight."""
    half = ir.VectorType(ir.DoubleType(), WIDTH // 2)
    kind = ir.FunctionType(answer, [half] * len(vectors) + [constant.type for constant in constants])
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.avx.{name}.256")
    doubles = [builder.bitcast(vector, DOUBLES) for vector in vectors]
    return [
        builder.call(
            function, [builder.shuffle_vector(each, each, places(first)) for each in doubles] + list(constants)
        )
        for first in (0, WIDTH // 2)
    ]


def places(first: int) -> Any:
    """The numbers of the lanes of a half."""
    return ir.Constant(ir.VectorType(ir.IntType(32), WIDTH // 2), [*range(first, first + WIDTH // 2)])


def joined(builder: Any, halves: list[Any], vector: Any) -> Any:
    """Eight lanes out of two halves."""
    both = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [*range(WIDTH)])
    return builder.bitcast(builder.shuffle_vector(*halves, both), vector)


# Told in bits, LLVM would squeeze the flags of AVX2 into eight bits and spread them again at every step. So there the
# instructions are named, and a flag is the sign of a whole number, which is all that these look at.

ABOVE, EQUAL = 30, 0
"""How AVX numbers the comparisons x > y and x = y, false where one is not a number."""


def compared(builder: Any, symbol: str, number: int, x: Any, y: Any) -> Any:
    """Flags of a comparison of doubles."""
    if not AVX2:
        return as_mask(builder, builder.fcmp_ordered(symbol, x, y))
    half, which = ir.VectorType(ir.DoubleType(), WIDTH // 2), ir.Constant(ir.IntType(8), number)
    return joined(builder, in_halves(builder, "cmp.pd", half, [x, y], which), MASKS)


def equals(builder: Any, x: Any, y: Any) -> Any:
    """Flags of x = y, for whole numbers of at least 0."""
    if not AVX2:
        return as_mask(builder, builder.icmp_signed("==", x, y))
    return builder.add(builder.xor(x, y), ir.Constant(WORDS, [-1] * WIDTH))


def precedes(builder: Any, x: Any, y: Any) -> Any:
    """Flags of x < y, for whole numbers of at least 0."""
    return builder.sub(x, y) if AVX2 else as_mask(builder, builder.icmp_signed("<", x, y))


def picked(builder: Any, where: Any, x: Any, y: Any) -> Any:
    """x where the flag is set, y elsewhere."""
    if not AVX2:
        return builder.select(as_bits(builder, where), x, y)
    half = ir.VectorType(ir.DoubleType(), WIDTH // 2)
    return joined(builder, in_halves(builder, "blendv.pd", half, [y, x, where]), x.type)


def numbered(builder: Any, mask: Any) -> Any:
    """The flags as a number, lane 0 lowest."""
    if not AVX2:
        return builder.zext(builder.bitcast(as_bits(builder, mask), ir.IntType(WIDTH)), ir.IntType(64))
    low, high = in_halves(builder, "movmsk.pd", ir.IntType(32), [mask])
    both = builder.or_(low, builder.shl(high, ir.Constant(ir.IntType(32), WIDTH // 2)))
    return builder.zext(both, ir.IntType(64))


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


@operation(lambda b, x, n: b.lshr(x, spread(b, n, WORDS)))
def shifted(x: Wholes, n: int) -> Wholes:
    """x >> n, as unsigned numbers."""
    compiled_only()


@operation(lambda b, x: called(b, "sqrt", x))
def root(x: Lanes) -> Lanes:
    """The square roots."""
    compiled_only()


@operation(lambda b, x, y, z: called(b, "fma", x, y, z))
def fused(x: Lanes, y: Lanes, z: Lanes) -> Lanes:
    """x * y + z, rounded once."""
    compiled_only()


@operation(lambda b, x: spread(b, x, DOUBLES))
def every(x: float) -> Lanes:
    """x in every lane."""
    compiled_only()


@operation(lambda b, x: spread(b, x, WORDS))
def every_whole(x: int) -> Wholes:
    """x in every lane."""
    compiled_only()


@operation(lambda b, data, place: loaded(b, data, place, DOUBLES))
def load(array: Floats, place: int) -> Lanes:
    """The eight entries from `place` on."""
    compiled_only()


@operation(lambda b, data, place: loaded(b, data, place, WORDS))
def load_wholes(array: Integers, place: int) -> Wholes:
    """The eight entries from `place` on."""
    compiled_only()


@operation(stored)
def store(array: Floats, place: int, value: Lanes) -> None:
    """Writes eight entries."""
    compiled_only()


@operation(stored)
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


@operation(lambda b, x, y: compared(b, ">", ABOVE, x, y))
def above(x: Lanes, y: Lanes) -> Flags:
    """Where x > y."""
    compiled_only()


@operation(lambda b, x, y: compared(b, "==", EQUAL, x, y))
def equal(x: Lanes, y: Lanes) -> Flags:
    """Where x = y."""
    compiled_only()


@operation(equals)
def same(x: Wholes, y: Wholes) -> Flags:
    """Where x = y, both at least 0."""
    compiled_only()


@operation(precedes)
def less(x: Wholes, y: Wholes) -> Flags:
    """Where x < y, both at least 0."""
    compiled_only()


@operation(picked)
def pick(where: Flags, x: Either, y: Either) -> Either:
    """x where the flag is set, y elsewhere."""
    compiled_only()


@operation(numbered)
def bits(x: Flags) -> int:
    """The flags as a number, lane 0 lowest."""
    compiled_only()


@operation(lambda b, x: as_mask(b, b.bitcast(b.trunc(x, ir.IntType(WIDTH)), BITS)))
def flags(x: int) -> Flags:
    """The inverse of `bits`."""
    compiled_only()


@operation(replaced)
def tagged(x: Lanes, mask: int, tag: int) -> Lanes:
    """x with the bits of `mask`, its lowest ones, replaced by `tag`."""
    compiled_only()


@operation(lambda b, x, mask: b.and_(b.bitcast(x, WORDS), spread(b, mask, WORDS)))
def tag_of(x: Lanes, mask: int) -> Wholes:
    """The tag that was put into x."""
    compiled_only()


@operation(lambda b, x: b.bitcast(x, DOUBLES))
def doubles_of(x: Wholes) -> Lanes:
    """The doubles whose bits these are."""
    compiled_only()
