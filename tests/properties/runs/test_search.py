"""The search looks at the same cases wherever it runs."""

import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bufalu.properties.runs.search import Observation, search


def test_constants_of_loaded_modules_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    providers = importlib.import_module("hypothesis.internal.conjecture.providers")
    constants = importlib.import_module("hypothesis.internal.constants_ast").Constants()
    asked: list[None] = []

    def local_constants() -> object:
        asked.append(None)
        return constants

    monkeypatch.setattr(providers, "_get_local_constants", local_constants)
    search("any", st.floats(), lambda _: Observation(True, True, 1.0, ""), cases=50, seed_number=0)
    assert not asked
    # Hypothesis by itself does ask for them, so the search has something to keep away.
    given(st.floats())(settings(max_examples=50, database=None)(lambda _: None))()
    assert asked
    assert vars(providers)["_get_local_constants"] is local_constants
