"""Pages and pictures from templates (Jinja2): whatever is put into one is escaped, unless it is marked as HTML where made.

Made without a template are only the places that a path of a picture goes through, which are numbers, what libraries take
or give as HTML already (markdown-it, pygments, matplotlib and the mathematics), and single tags around it, in `markdown.py`
and `ledger.py`, whose words are escaped too.
"""

from __future__ import annotations

import json
from functools import cache

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from bufalu.pages.assets import asset


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(asset),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals["asset"] = lambda name: Markup(asset(name))  # our own style sheets and scripts
    made.filters["slug"] = lambda text: "".join(
        c if c.isalnum() else "-" for c in text.lower()
    )  # an anchor or a class
    made.filters["tenths"] = "{:.1f}".format  # a place in a picture
    return made


def rendered(template: str, **values: object) -> str:
    """A template of this folder, filled in."""
    return _environment().get_template(template).render(**values)


def data(document: object) -> Markup:
    """JSON that is safe inside a script element: no text in it can end the element."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))
