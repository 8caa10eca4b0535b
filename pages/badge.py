"""A badge for a README: JSON for the endpoint of shields.io, or an SVG that needs no service."""

from __future__ import annotations

import json

from bufalu.pages.outcome import Ending, Outcome

_COLOURS = {Ending.CONFORMS: "1a7f37", Ending.NONCONFORMING: "cf222e", Ending.VIOLATES_CLAIMS: "cf222e"}
_OTHER_COLOUR = "6e5494"
"""For what is no judgement: broken programs, refused input. White text is readable on each of the colours."""


def message(outcome: Outcome) -> str:
    """The verdict; where settings were left out, of how many it speaks."""
    judged, all_cases = outcome.share
    if outcome.verdict is Ending.CONFORMS and judged < all_cases:
        return f"{outcome.verdict.value} ({judged} of {all_cases} settings)"
    return outcome.verdict.value


def badge_json(outcome: Outcome) -> str:
    """The answer that https://shields.io/badges/endpoint-badge expects."""
    told = {
        "schemaVersion": 1,
        "label": outcome.command,
        "message": message(outcome),
        "color": _colour(outcome),
        "isError": outcome.verdict is not Ending.CONFORMS,
    }
    return json.dumps(told, indent=2) + "\n"


def badge_svg(outcome: Outcome) -> str:
    """The badge of an outcome as a picture. Letters are fitted to their boxes, whatever font there is."""
    # Every check loads this module, and few are asked for a picture.
    from bufalu.pages.templates import rendered

    return rendered(
        "badge.svg", label=outcome.command, message=message(outcome), colour=_colour(outcome), padding=7, letter=6.6
    )


def _colour(outcome: Outcome) -> str:
    return _COLOURS.get(outcome.verdict, _OTHER_COLOUR)
