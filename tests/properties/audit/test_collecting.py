"""An audit of chosen claims loads the modules that speak for them, and no check is lost by that."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from bufalu.properties.audit.collecting import ROOMS, may_speak, modules_of
from bufalu.properties.claims import all_claims

REGISTERED = """
import json, sys
from bufalu.properties.claims import check

found, register = [], check.register

def recorded(new):
    frame = sys._getframe()
    while frame.f_code.co_name != "<module>":
        frame = frame.f_back
    found.extend((frame.f_globals["__name__"], claim) for claim in new.claims)
    return register(new)

check.register = recorded
from bufalu.properties.audit.collecting import collect
everything = collect()
print(json.dumps([sum(len(check.claims) for check in everything.checks), found]))
"""
"""Which module registers a check of which claim: the innermost one that is being loaded when it happens."""


def run(code: str) -> Any:
    return json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def test_a_module_that_registers_a_check_of_a_claim_may_speak_for_it() -> None:
    expected, found = run(REGISTERED)
    assert len(found) == expected > 400
    assert [(module, claim) for module, claim in found if not may_speak(module, [claim])] == []


def test_most_modules_do_not_speak_for_a_claim() -> None:
    modules = [module for room in ROOMS for module in modules_of(room)]
    for claim in all_claims():
        assert 1 <= sum(may_speak(module, [claim.id]) for module in modules) <= len(modules) // 3


def test_one_claim_loads_neither_the_engine_nor_the_solvers() -> None:
    loaded = run(
        "import json, sys; from bufalu.properties.audit.collecting import collect; "
        "found = collect(claims=['mean.zero_before_queries']); "
        "names = [check.name for check in found.speaking_for('mean.zero_before_queries')]; "
        "print(json.dumps([names, [name for name in ('numba', 'z3') if name in sys.modules]]))"
    )
    assert loaded == [["algebra.means_start_at_zero"], []]
