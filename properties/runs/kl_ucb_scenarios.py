"""Games with the tighter interval of l.1644."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bufalu.properties.runs.scenarios import Scenario
from bufalu.properties.runs.strategies import adversaries, scenarios, steady


def kl_ucb_scenarios() -> SearchStrategy[Scenario]:
    """Games with the interval of l.1644; epsilon is mostly steady, so that the cap binds within sixty rounds."""
    return scenarios(confidence=st.just("kl-ucb"), epsilon=steady(2) | steady(2) | adversaries(), longest=60)
