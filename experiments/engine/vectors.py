"""What the instructions of lanes.py become in LLVM: values of eight lanes, written with a builder.

AVX-512 has registers of eight bits for flags. For AVX2, which has none, instructions are named where LLVM would pack and
unpack bits.
"""

from __future__ import annotations

import importlib
from typing import Any

from bufalu.experiments.engine.compiled import AVAILABLE

WIDTH = 8
"""The number of lanes."""


def vector_features() -> list[str]:
    """The features of the processor that is compiled for, as LLVM writes them: "+avx2", "-avx512f"."""
    given = importlib.import_module("numba.core.config").CPU_FEATURES
    text = importlib.import_module("llvmlite.binding").get_host_cpu_features().flatten() if given is None else given
    return str(text).split(",")


if AVAILABLE:
    ir = importlib.import_module("llvmlite.ir")
    cgutils = importlib.import_module("numba.core.cgutils")
    DOUBLES = ir.VectorType(ir.DoubleType(), WIDTH)
    WORDS = ir.VectorType(ir.IntType(64), WIDTH)
    BITS = ir.VectorType(ir.IntType(1), WIDTH)
    MASKS = BITS if "+avx512f" in vector_features() else WORDS
    AVX2 = MASKS is WORDS and "+avx2" in vector_features()


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
