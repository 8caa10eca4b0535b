"""Games with the tighter interval of l.1644."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bufalu.properties.runs.cap import CAP, queries_stay_below_cap
from bufalu.properties.runs.examination import check_statement
from bufalu.properties.runs.gap_query import (
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    queried_is_wide,
    unqueried_is_near_optimal,
)
from bufalu.properties.runs.scenarios import Scenario
from bufalu.properties.runs.strategies import adversaries, scenarios, steady
from bufalu.properties.runs.wrong import half, one_less, twice, with_epsilon, wrong


def kl_ucb_scenarios() -> SearchStrategy[Scenario]:
    """Games with the interval of l.1644; epsilon is mostly steady, so that the cap binds within sixty rounds."""
    return scenarios(confidence=st.just("kl-ucb"), epsilon=steady(2) | steady(2) | adversaries(), longest=60)


# What the lemma and the cap say does not depend on Hoeffding's radius.
for _statement, _words, _wrong in (
    (QUERIED_IS_WIDE, "wider than twice epsilon", with_epsilon(queried_is_wide, twice)),
    (UNQUERIED_IS_NEAR_OPTIMAL, "a gap of at most half of epsilon", with_epsilon(unqueried_is_near_optimal, half)),
    (CAP, "without + 1", one_less(queries_stay_below_cap)),
):
    check_statement(
        _statement,
        kl_ucb_scenarios,
        25,
        claims=("kl_ucb.suggestion.corrected",),
        name=f"kl_ucb.{_statement.name}",
        mutants={f"with the interval of l.1644, {_words}": wrong(_wrong)},
    )
