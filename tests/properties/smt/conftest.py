"""The proofs need z3; where it is not installed, these tests say so and do not run."""

from pathlib import Path

import pytest

from bufalu.properties.smt.solver import available

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    if not available():
        for item in items:
            if HERE in item.path.parents:
                item.add_marker(pytest.mark.skip(reason="z3 is not installed: the proofs by solver are NOT RUN"))
