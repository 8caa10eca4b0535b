"""Colours of the pictures: distinct for most kinds of colour vision, readable on light and on dark."""

from __future__ import annotations

from bufalu.reference.policies import Reason

ARMS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#8c564b", "#7cae00")
"""One for each arm, repeated after the eighth, then dashed. No decision has one of them."""

ASKED, EPSILON = "#7b3fe4", "#8e5cf0"
"""What is asked for, and the threshold of asking, are violet; what is not asked for is grey."""

REASON_COLOURS = {
    Reason.INITIAL: "#c3aaf7",
    Reason.UNCERTAIN: ASKED,
    Reason.BUDGET_LEFT: ASKED,
    Reason.SEPARATED: "#5f6770",
    Reason.WITHIN_EPSILON: "#b3bac2",
    Reason.SEPARATED_AND_WITHIN_EPSILON: "#878f98",
    Reason.BUDGET_SPENT: "#878f98",
    Reason.ALWAYS: ASKED,
    Reason.CHOSEN_ROUND: ASKED,
    Reason.OTHER_ROUND: "#878f98",
    Reason.EXPLORING: ASKED,
    Reason.COMMITTED: "#878f98",
    Reason.UNCHALLENGED: "#878f98",
    Reason.CHALLENGED: ASKED,
}

REASON_WORDS = {
    Reason.INITIAL: "initial round",
    Reason.UNCERTAIN: "query",
    Reason.BUDGET_LEFT: "query (budget left)",
    Reason.SEPARATED: "no query: separated",
    Reason.WITHIN_EPSILON: "no query: within ε",
    Reason.SEPARATED_AND_WITHIN_EPSILON: "no query: both",
    Reason.BUDGET_SPENT: "no query: budget spent",
    Reason.ALWAYS: "query (UCB always does)",
    Reason.CHOSEN_ROUND: "query (chosen round)",
    Reason.OTHER_ROUND: "no query: another round",
    Reason.EXPLORING: "query (exploration)",
    Reason.COMMITTED: "no query: committed",
    Reason.UNCHALLENGED: "no query: unchallenged",
    Reason.CHALLENGED: "query (challenged)",
}


def arm_colour(arm: int) -> str:
    """The colour of an arm, numbered from 1."""
    return ARMS[(arm - 1) % len(ARMS)]


def arm_dashes(arm: int) -> str:
    """How the lines of an arm are dashed, as SVG says it: not for the first eight arms."""
    return ("none", "6 3", "2 2", "8 2 2 2")[(arm - 1) // len(ARMS) % 4]
