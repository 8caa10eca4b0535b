"""Compiling is not held up by looking for garbage."""

import gc

import pytest

from bufalu.experiments.engine.compiled import uncollected


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
