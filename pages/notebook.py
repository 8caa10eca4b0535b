"""How objects look to who works with Python: in a notebook, which asks their classes for `_repr_html_`, and at the prompt.

Their looks are put there from here, since no room below knows how to show anything.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bufalu.oracle.report import Report


def give_looks() -> None:
    """Gives a look to each class that has one and is loaded."""
    for module in _SHOWN.keys() & sys.modules.keys():
        names, method, look = _SHOWN[module]
        for name in names:
            setattr(getattr(sys.modules[module], name), method, look)


def _look(shown: object) -> str:
    # What typesets and what fills templates is loaded only for a reader.
    from bufalu.pages.mathematics import formula
    from bufalu.pages.templates import rendered
    from bufalu.reference.rationals import format_rational

    return rendered("notebook.html", shown=shown, formula=formula, exact=format_rational)


def _argued(report: Report) -> str:
    from bufalu.pages.argument import argument

    divergence = report.checked.divergence
    return "\n".join([report.headline, *(() if divergence is None else argument(report.checked, divergence))])


_SHOWN: dict[str, tuple[tuple[str, ...], str, Callable[..., str]]] = {
    "bufalu.reference.traces": (("Trace",), "_repr_html_", _look),
    "bufalu.bounds": (("Bound", "LowerBounds", "UpperBounds"), "_repr_html_", _look),
    "bufalu.oracle.report": (("Report",), "__repr__", _argued),
}
"""By module: classes, the method that shows them, and what it does."""
