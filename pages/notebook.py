"""How objects look in a notebook, which asks their classes for `_repr_html_`: it is put there from here."""

from __future__ import annotations

import sys

_METHOD = "_repr_html_"
_SHOWN = {"bufalu.reference.traces": ["Trace"], "bufalu.bounds": ["Bound", "LowerBounds", "UpperBounds"]}


def give_looks() -> None:
    """Gives a look to each class that has one and is loaded."""
    for module in _SHOWN.keys() & sys.modules.keys():
        for name in _SHOWN[module]:
            setattr(getattr(sys.modules[module], name), _METHOD, _look)


def _look(shown: object) -> str:
    # What typesets and what fills templates is loaded only for a reader.
    from bufalu.pages.mathematics import formula
    from bufalu.pages.templates import rendered
    from bufalu.reference.rationals import format_rational

    return rendered("notebook.html", shown=shown, formula=formula, exact=format_rational)
