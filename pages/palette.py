"""Colours of the pictures: distinct for most kinds of colour vision, readable on light and on dark."""

from __future__ import annotations

from bufalu.reference.policies import Reason

ARMS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#8c564b", "#7f7f7f")
"""One for each arm, repeated after the eighth."""

REASON_COLOURS = {
    Reason.INITIAL: "#8884d8",
    Reason.UNCERTAIN: "#d55e00",
    Reason.BUDGET_LEFT: "#d55e00",
    Reason.SEPARATED: "#009e73",
    Reason.WITHIN_EPSILON: "#0072b2",
    Reason.SEPARATED_AND_WITHIN_EPSILON: "#00796b",
    Reason.BUDGET_SPENT: "#7f7f7f",
}

REASON_WORDS = {
    Reason.INITIAL: "initial round",
    Reason.UNCERTAIN: "query",
    Reason.BUDGET_LEFT: "query (budget left)",
    Reason.SEPARATED: "no query: separated",
    Reason.WITHIN_EPSILON: "no query: within ε",
    Reason.SEPARATED_AND_WITHIN_EPSILON: "no query: both",
    Reason.BUDGET_SPENT: "no query: budget spent",
}


def arm_colour(arm: int) -> str:
    """The colour of an arm, numbered from 1."""
    return ARMS[(arm - 1) % len(ARMS)]
