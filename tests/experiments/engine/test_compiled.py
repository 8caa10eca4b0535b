"""Compiling is not held up by looking for garbage, nor by what an older version left on disk."""

import gc
import importlib.util
import pickle
from pathlib import Path

import pytest

from bufalu.experiments.engine.compiled import parts_as_text, uncollected

SOURCE = """
from bufalu.experiments.engine.compiled import compiled, inlined


@inlined
def sum_of(left, right):
    return max(left, right) + min(left, right)


@compiled
def doubled(number):
    return sum_of(number, number)
"""


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_is_looked_for_again_after_compiling(enabled):
    def fail():
        assert not gc.isenabled()
        raise ZeroDivisionError

    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(ZeroDivisionError), uncollected():
            fail()
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def doubled_by(path: Path) -> float:
    """The result of the function of this module, as a new process has it."""
    specification = importlib.util.spec_from_file_location("kernel_of_a_test", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    result: float = module.doubled(2.0)
    return result


def test_an_index_that_names_a_class_that_is_gone(tmp_path: Path) -> None:
    numba = pytest.importorskip("numba")
    source = tmp_path / "kernel.py"
    source.write_text(SOURCE)
    assert doubled_by(source) == 4.0
    (index,) = tmp_path.rglob("*.nbi")
    index.write_bytes(pickle.dumps(numba.__version__) + b"cbufalu.experiments.engine.arrays\nGone\n.")
    assert doubled_by(source) == 4.0
    assert b"Gone" not in index.read_bytes()


def test_a_part_stays_text_and_what_others_compile_does_not(tmp_path: Path) -> None:
    numba = pytest.importorskip("numba")
    generator = importlib.import_module("numba.core.registry").cpu_target.target_context.codegen()
    usual = generator.create_library("kernel")
    with parts_as_text("kernel"):
        kernel, part = generator.create_library("kernel"), generator.create_library("part")
        for library in (kernel, part):
            library.finalize()
    assert [hasattr(library._final_module, "_CPUCodeLibrary__library") for library in (kernel, part)] == [True, False]
    assert type(generator.create_library("kernel")) is type(usual) is not type(part)
    source = tmp_path / "kernel.py"
    source.write_text(SOURCE)
    assert doubled_by(source) == 4.0
    assert numba.njit(lambda left, right: max(left, right) + min(left, right))(1.0, 2.0) == 3.0
