"""A trace as one HTML file that opens offline: the static picture, and with scripting one that zooms and answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from bufalu.pages.packing import packed_doubles, packed_integers, packed_text
from bufalu.pages.palette import ARMS, EPSILON, REASON_COLOURS, REASON_WORDS
from bufalu.pages.story import FROM_DIVERGENCE, Story
from bufalu.pages.templates import data, rendered
from bufalu.pages.trace_play import can_be_played, replay_data, static_because
from bufalu.pages.trace_svg import title, trace_svg
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import policy_named
from bufalu.reference.policies.decisions import REASONS
from bufalu.reference.rationals import format_rational, nearest_float
from bufalu.reference.traces import TraceHeader

FEWEST_DRAWN = 4
"""Rounds after the initial ones: of fewer a picture would be empty, and the page lists the rounds instead."""


def trace_page(story: Story, argument: Sequence[str] = ()) -> str:
    """The page as HTML text; nothing in it is fetched from anywhere. `argument` says why a round does not conform."""
    drawn = is_drawn(story)
    return rendered(
        "trace.html",
        title=title(story),
        shown="confidence interval" if policy_named(story.header.policy).uses_interval else "mean",
        divergence=_divergence_note(story),
        argument=argument,
        picture=Markup(trace_svg(story)) if drawn else None,
        playable=can_be_played(story),
        rounds=() if drawn else [_round(story, place) for place in range(story.length)],
        reasons=_reasons(story),
        data=embedded(story),
        scripts=_scripts(story),
        static_because=static_because(story),
    )


def is_drawn(story: Story) -> bool:
    """Whether the page has a picture."""
    return story.length - story.header.arms >= FEWEST_DRAWN


def embedded(story: Story) -> Markup:
    """The story as JSON that is safe inside a script element; arrays are packed (`packing.py`, `trace_data.js`)."""
    header = story.header
    policy = policy_named(header.policy)
    document = {
        "policy": header.policy,
        "confidence": header.confidence,
        "epsilon": header.epsilon,
        "shape": _shape(header),
        "spread": None if policy.pairing is None else policy.pairing.spread,
        "uncertaintyLabel": policy.uncertainty_words,
        "arms": header.arms,
        "played": packed_integers(story.played),
        "queried": packed_integers(story.queried),
        "answered": None if story.answered is None else packed_integers(story.answered),
        "rewards": packed_integers(story.rewards),
        "rewardTexts": packed_text(" ".join(map(format_rational, story.distinct_rewards))),
        "leaders": packed_integers(story.leaders),
        "challengers": packed_integers(story.challengers),
        "candidates": packed_integers(story.candidates),
        "againstLeader": story.against_leader,
        # Where the arms say it, the page computes it.
        "uncertainties": None if story.candidates.any() else packed_doubles(story.uncertainties),
        "epsilons": packed_doubles(story.epsilons),
        "reasons": packed_integers(story.reasons),
        "divergence": story.divergence,
        "reasonWords": [REASON_WORDS[reason] for reason in REASONS],
        "reasonColours": [REASON_COLOURS[reason] for reason in REASONS],
        "armColours": ARMS,
        "epsilonColour": EPSILON,
        "means": None if header.means is None else [nearest_float(mean) for mean in header.means],
        "replay": replay_data(story),
    }
    return data(document)


def _scripts(story: Story) -> list[str]:
    """What makes the picture zoom; nothing where it cannot."""
    if static_because(story) is not None:
        return []
    return ["replay.js", "trace_data.js", "trace.js", *(["trace_play.js"] if can_be_played(story) else [])]


def _shape(header: TraceHeader) -> dict[str, object] | None:
    """The radius as numbers for the script; a policy without intervals has its means drawn, as intervals of radius 0."""
    shape = confidence_named(header.confidence).shape
    if shape is None:
        return None
    if not policy_named(header.policy).uses_interval:
        return {"growth": shape.growth.value, "neededQueries": 1, "terms": []}
    terms = [
        {
            "coefficient": nearest_float(term.coefficient),
            "rooted": term.rooted,
            "usesVariance": term.uses_variance,
            "offset": term.offset,
        }
        for term in shape.terms
    ]
    return {"growth": shape.growth.value, "neededQueries": shape.needed_queries, "terms": terms}


def _divergence_note(story: Story) -> str | None:
    if story.divergence is None:
        return None
    place = story.divergence - 1
    did = f"arm {story.played[place]} was played {'and queried' if story.queried[place] else 'without a query'}"
    return f"Round {story.divergence:,} does not conform: {did}. Admissible: {'; '.join(story.admissible)}."


def _round(story: Story, place: int) -> dict[str, object]:
    """A row of the table of rounds."""
    epsilon = story.epsilons[place]
    return {
        "number": place + 1,
        "arm": int(story.played[place]),
        "queried": "yes" if story.queried[place] else "no",
        "epsilon": "" if np.isnan(epsilon) else f"{epsilon:.6g}",
        "wrong": story.divergence == place + 1,
    }


def _reasons(story: Story) -> list[tuple[str, str, str, str]]:
    """Colour, words, rounds and share of each reason."""
    rows = [
        (REASON_COLOURS[reason], REASON_WORDS[reason], count)
        for reason, count in zip(REASONS, story.reason_counts(), strict=True)
    ]
    if story.divergence is not None:
        rows.append(("var(--bad)", FROM_DIVERGENCE, story.length - story.divergence + 1))
    return [(colour, words, f"{count:,}", f"{count / story.length:.1%}") for colour, words, count in rows if count]
