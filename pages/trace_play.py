"""The part of a trace's page in which a reader edits a reward or an epsilon and sees from which round the run changes."""

from __future__ import annotations

from bufalu.pages.story import Story
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import InvalidSchedule
from bufalu.reference.policies import policy_named
from bufalu.reference.rationals import format_rational
from bufalu.reference.rounds import Round
from bufalu.reference.trace_files import rational_epsilon

MOST_ROUNDS = 20_000
"""Longer runs are not replayed in a page: a browser would need minutes."""


def can_be_played(story: Story) -> bool:
    """Whether the page offers it: it zooms, and the run is not too long."""
    return static_because(story) is None and 2 <= story.length <= MOST_ROUNDS


def static_because(story: Story) -> str | None:
    """Why the page's script cannot draw the run, so that its picture neither zooms nor replays; None if it can."""
    policy = policy_named(story.header.policy)
    if story.header.known is not None:
        return "the run began with known answers, which the page does not count"
    if not policy.uses_interval and policy.pairing is None:
        return f"the page does not know how {policy.text} compares arms"
    if confidence_named(story.header.confidence).shape is None:
        return f"only exact arithmetic can compute the interval {story.header.confidence}"
    return None


def replay_data(story: Story) -> dict[str, object] | None:
    """What the script needs beyond the picture's data, in exact numbers; None where the page does not offer it."""
    header = story.header
    shape = confidence_named(header.confidence).shape
    if shape is None or not can_be_played(story):
        return None
    terms = [
        {
            "exact": format_rational(term.coefficient),
            "rooted": term.rooted,
            "usesVariance": term.uses_variance,
            "offset": term.offset,
        }
        for term in shape.terms
    ]
    return {
        "policy": header.policy,
        "arms": header.arms,
        "epsilon": header.epsilon,
        "epsilons": None
        if header.epsilon is not None
        else [_exact(story, number + 1) for number in range(story.length)],
        "shape": {
            "growth": shape.growth.value,
            "neededQueries": shape.needed_queries,
            "usesVariance": shape.uses_variance,
            "terms": terms,
        },
    }


def _exact(story: Story, number: int) -> str | None:
    """The epsilon of a round as text; None where there is none, or where no file could hold it."""
    epsilon = story.exact_epsilons(number)
    try:
        return None if epsilon is None else format_rational(rational_epsilon(Round(number, 1, False, None, epsilon)))
    except InvalidSchedule:
        return None
