"""LaTeX to MathML, which browsers typeset without any script or font from elsewhere."""

from __future__ import annotations

from html import escape

from latex2mathml.converter import convert


def typeset(latex: str) -> str:
    """The formula as MathML in display style; formulas come from our registry, never from a reader's input."""
    # The converter knows every command of the registry but this one.
    return str(convert(latex.replace(r"\arg", r"\operatorname{arg}"), display="block"))


def source_of(latex: str) -> str:
    """The formula's source, for readers who copy it."""
    return f"<code>{escape(latex)}</code>"
