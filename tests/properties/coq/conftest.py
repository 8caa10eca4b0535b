"""What is put to Coq needs its compiler; where that is not installed, these tests say so and do not run."""

from pathlib import Path

import pytest

from bufalu.properties.coq.building import find_coqc

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    if find_coqc() is None:
        for item in items:
            if HERE in item.path.parents and item.get_closest_marker("coq"):
                item.add_marker(pytest.mark.skip(reason="coqc is missing: nothing was put to the kernel"))
