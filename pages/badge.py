"""A badge for a README: JSON for the endpoint of shields.io, or an SVG that needs no service."""

from __future__ import annotations

import json

from bufalu.pages.outcome import Ending, Outcome

_COLOURS = {Ending.CONFORMS: "1a7f37", Ending.NONCONFORMING: "cf222e", Ending.VIOLATES_CLAIMS: "cf222e"}
_OTHER_COLOUR = "6e5494"
"""For what is no judgement: broken programs, refused input. White text is readable on each of the colours."""

_LABEL_COLOUR = "24292f"
_HEIGHT, _PADDING, _WIDTH_OF_LETTER = 20, 7, 6.6


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
    label, told = outcome.command, message(outcome)
    left, right = (len(text) * _WIDTH_OF_LETTER + 2 * _PADDING for text in (label, told))
    words = f"{label}: {told}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right:g}" height="{_HEIGHT}" role="img" '
            f'aria-label="{words}">',
            f"<title>{words}</title>",
            f'<clipPath id="round"><rect width="{left + right:g}" height="{_HEIGHT}" rx="3"/></clipPath>',
            '<g clip-path="url(#round)">',
            f'<rect width="{left:g}" height="{_HEIGHT}" fill="#{_LABEL_COLOUR}"/>',
            f'<rect x="{left:g}" width="{right:g}" height="{_HEIGHT}" fill="#{_colour(outcome)}"/>',
            "</g>",
            '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">',
            _text(label, _PADDING),
            _text(told, left + _PADDING),
            "</g>",
            "</svg>",
            "",
        ]
    )


def _text(text: str, x: float) -> str:
    return f'<text x="{x:g}" y="14" textLength="{len(text) * _WIDTH_OF_LETTER:g}">{text}</text>'


def _colour(outcome: Outcome) -> str:
    return _COLOURS.get(outcome.verdict, _OTHER_COLOUR)
