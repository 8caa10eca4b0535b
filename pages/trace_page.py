"""A trace as one HTML file that opens offline: the static picture, and with scripting one that zooms and answers."""

from __future__ import annotations

import json
from html import escape

from bufalu.pages.assets import asset
from bufalu.pages.packing import packed_doubles, packed_integers, packed_text
from bufalu.pages.palette import ARMS, EPSILON, REASON_COLOURS, REASON_WORDS
from bufalu.pages.story import Story
from bufalu.pages.trace_play import can_be_played, play_form, replay_data
from bufalu.pages.trace_svg import title, trace_svg
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import policy_named
from bufalu.reference.policies.decisions import REASONS
from bufalu.reference.rationals import format_rational, nearest_float
from bufalu.reference.traces import TraceHeader


def trace_page(story: Story) -> str:
    """The page as HTML text; nothing in it is fetched from anywhere."""
    style = asset("common.css") + asset("trace.css")
    heading = escape(title(story))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
{_divergence_note(story)}
<p class="lead">Each arm's confidence interval over the rounds, its queries, leader and challenger, the epsilon
test, queries and regret so far, and the decision of each round: violet asked, grey did not.</p>
<p id="tools" hidden><label><input type="checkbox" id="logarithmic"> logarithmic axis</label>
<span class="hint">Scroll or press + and − to zoom, drag or press the arrow keys to move,
double-click or press 0 for all of it. Point at a round, or press , and . to step, for its exact state. Press a, or
an arm's name, to single out an arm.</span></p>
<div id="picture" tabindex="0" role="img" aria-label="{heading}; details of a round appear below the picture" hidden>
<canvas id="canvas"></canvas>
</div>
<div id="details" role="status" aria-live="polite" hidden></div>
<noscript><p>Scripting is off: this is the static picture.</p></noscript>
<div id="static">{trace_svg(story)}</div>
{play_form(story)}
<h2>Rounds by reason</h2>
{_reason_table(story)}
</main>
{_scripts(story)}
</body>
</html>
"""


def embedded(story: Story) -> str:
    """The story as JSON that is safe inside a script element; arrays are packed (`packing.py`, `trace_data.js`)."""
    header = story.header
    data = {
        "policy": header.policy,
        "confidence": header.confidence,
        "epsilon": header.epsilon,
        "shape": _shape(header),
        "uncertaintyLabel": policy_named(header.policy).uncertainty_words,
        "arms": header.arms,
        "played": packed_integers(story.played),
        "queried": packed_integers(story.queried),
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
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _scripts(story: Story) -> str:
    """What makes the picture zoom. An interval that only exact arithmetic can compute has the static picture alone, and so
    has a run with late answers, in which the script would count them too early.
    """
    if story.late or confidence_named(story.header.confidence).shape is None:
        return ""
    names = ["replay.js", "trace_data.js", "trace.js", *(["trace_play.js"] if can_be_played(story) else [])]
    scripts = "\n".join(f"<script>{asset(name)}</script>" for name in names)
    return f'<script type="application/json" id="story">{embedded(story)}</script>\n{scripts}'


def _shape(header: TraceHeader) -> dict[str, object] | None:
    """The radius as numbers for the script."""
    shape = confidence_named(header.confidence).shape
    if shape is None:
        return None
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


def _divergence_note(story: Story) -> str:
    if story.divergence is None:
        return '<p class="verdict good">Every decision is admissible.</p>'
    place = story.divergence - 1
    did = f"arm {story.played[place]} was played {'and queried' if story.queried[place] else 'without a query'}"
    allowed = escape("; ".join(story.admissible))
    return f'<p class="verdict bad">Round {story.divergence:,} does not conform: {did}. Admissible: {allowed}.</p>'


def _reason_table(story: Story) -> str:
    rows = []
    for reason, count in zip(REASONS, story.reason_counts(), strict=True):
        if count:
            share = count / max(story.length, 1)
            swatch = f'<span class="swatch" style="background:{REASON_COLOURS[reason]}"></span>'
            rows.append(
                f"<tr><td>{swatch}{escape(REASON_WORDS[reason])}</td><td>{count:,}</td><td>{share:.1%}</td></tr>"
            )
    head = "<thead><tr><th>reason</th><th>rounds</th><th>share</th></tr></thead>"
    return f"<table>{head}<tbody>{''.join(rows)}</tbody></table>"
