"""LaTeX to MathML, which browsers typeset without any script, with a font of ours where a system has none.

The converter leaves some things to fonts and engines that a browser without a font for mathematics does not have: names
of several letters, script letters, the space after a function's name. They are settled here, in the tree.
"""

from __future__ import annotations

import re
from base64 import b64encode
from importlib.resources import files
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
FONT_NAME = "STIX Two Math Cut"

FUNCTIONS = frozenset({"ln", "log", "exp", "max", "min", "inf", "sup", "arg", "lim", "lim inf", "limsup", "Pr"})
"""Names that stand upright, with a thin space to what they are applied to."""

LIMITS = frozenset({"max", "min", "inf", "sup", "lim", "lim inf"})
"""Names that carry their subscript below them where there is room."""

UPRIGHT = frozenset("ΔΩ∞")
"""What print sets upright although it is one character."""

THIN = "0.1667em"
CLOSING = frozenset(")]}⌉⌋")
_NAME = re.compile(r"(?<![A-Za-z\\{-])(UCB|LCB|CI)(?![A-Za-z])")
_LARGE_BRACE = re.compile(r"\\[Bb]igg?[lr]?\\([{}])")
_SCRIPT_K = {"K": "\U0001d4a6"}


def typeset(latex: str, display: str = "block") -> str:
    """The formula as MathML, `block` or `inline`."""
    ElementTree.register_namespace("", NAMESPACE)
    return ElementTree.tostring(_tree(latex, display), encoding="unicode")


def formula(latex: str) -> Markup:
    """A formula in display, for a template."""
    return Markup(typeset(latex))


def _tree(latex: str, display: str) -> ElementTree.Element:
    """The formula as a tree; one that cannot be read, in somebody's own claim say, is a text as it was written."""
    try:
        tree = _converted(latex, display)
        _line(tree)
    except Exception:  # the converter has a dozen classes of its own, and none above them, for what it cannot read
        tree = ElementTree.Element(f"{{{NAMESPACE}}}math")
        ElementTree.SubElement(tree, f"{{{NAMESPACE}}}mtext").text = latex
    return tree


def _converted(latex: str, display: str) -> ElementTree.Element:
    # The converter knows every command of ours but this one; and letters side by side are a product unless said.
    words = _NAME.sub(
        r"\\mathrm{\1}", latex.replace(r"\arg", r"\operatorname{arg}").replace("{as}", r"{\mathrm{as}}")
    )
    words = _LARGE_BRACE.sub(r"\\\1", words)  # which it would show as text
    tree = ElementTree.fromstring(str(convert(words, display=display)))
    for element in list(tree.iter()):
        _settle_letters(element)
        _settle_limits(element)
    for element in list(tree.iter()):
        _settle_spaces(element)
    return tree


def plain(latex: str) -> str:
    """The formula as one line of text, for a terminal: `n_T^q(a)`, `(a + b)/2`, `N-bar`."""
    text = re.sub(r"\s+", " ", _line(_tree(latex, "inline"))).replace("\\", "").replace("ϵ", "ε")
    text = re.sub(r"(^|[(\[{,=≤≥<>+^] ?)([−-]) ", r"\1\2", text)  # a sign, not a difference
    return re.sub(r" (?=[,;)\]}])|(?<=[(\[{]) ", "", text).strip()


_SPACED = frozenset("=≤≥<>≠+−-⇒→↦∈∉∼∧∨∣|⊂⊆∪∩≈⇔·×:;")
_ACCENTS = {"\u203e": "-bar", "¯": "-bar", "^": "-hat", "~": "-tilde"}
_WRITTEN = {
    "msub": "{0}_{1}",
    "munder": "{0}_{1}",
    "msup": "{0}^{1}",
    "msubsup": "{0}_{1}^{2}",
    "munderover": "{0}_{1}^{2}",
    "mfrac": "{0}/{1}",
}


def _line(element: ElementTree.Element) -> str:
    """An element of a formula as text."""
    name, parts = _tag(element), [_line(child) for child in element]
    if name in ("mi", "mn", "mo", "mtext", "mspace"):
        return _leaf(element)
    if name == "mover":
        return parts[0] + _ACCENTS.get(parts[1].strip(), f"^{parts[1]}")
    if name not in _WRITTEN:
        return f"sqrt({''.join(parts)})" if name == "msqrt" else "".join(parts)
    first = _grouped(parts[0]) if name == "mfrac" else parts[0]
    if name == "msup" and set(parts[1]) <= {"′", "'"}:
        return first + parts[1]
    written = _WRITTEN[name].format(first, *map(_grouped, parts[1:]))
    return f"{written} " if first in ("∑", "∏") else written


def _leaf(element: ElementTree.Element) -> str:
    if _tag(element) == "mspace":
        return " "
    words = _words(element).replace("\u2062", "").replace("\u2061", "")
    if _tag(element) == "mo" and words in _SPACED:
        return f" {words} "
    return f"{words} " if words == "," else words


def _grouped(text: str) -> str:
    """A part of a formula in brackets, unless it is a single word."""
    text = text.strip()
    return text if re.fullmatch(r"[\w*′∞.]+|√?\w+|[+\-−*]", text) else f"({text})"


def spoken(latex: str) -> str:
    """The formula in one line of plain characters, to be searched for: `\\frac{a}{b}` is a/b, a command is its name."""
    text = re.sub(r"\\frac *\{([^{}]*)\} *\{([^{}]*)\}", r"\1/\2", latex)
    for command, sign in (("le", "<="), ("ge", ">="), ("lfloor", ""), ("rfloor", ""), ("cdot", "*"), ("in", "in")):
        text = re.sub(rf"\\{command}(?![A-Za-z])", sign, text)
    text = re.sub(r"\\(?:mathcal|mathrm|operatorname|bar|hat|Big|left|right)(?![A-Za-z])", "", text)
    return re.sub(r"\s+", " ", re.sub(r"[{}]", "", re.sub(r"\\([A-Za-z]+)", r"\1", text)).replace("\\", "")).strip()


def font_face() -> str:
    """The style rules that bring the font along inside the page and use it for formulas."""
    font = b64encode(files("bufalu.pages").joinpath("fonts/math.woff2").read_bytes()).decode("ascii")
    return (
        f'@font-face {{ font-family: "{FONT_NAME}"; src: url(data:font/woff2;base64,{font}) format("woff2"); }}\n'
        f'math {{ font-family: "{FONT_NAME}", "STIX Two Math", "Latin Modern Math", "Cambria Math", math; }}\n'
    )


def _tag(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(f"{{{NAMESPACE}}}")


def _made(name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    element = ElementTree.Element(f"{{{NAMESPACE}}}{name}", attributes)
    element.text = text
    return element


def _words(element: ElementTree.Element) -> str:
    """The text of a leaf, with the narrow spaces of `lim inf` as common ones."""
    return (element.text or "").replace("\u2006", " ")


def _settle_letters(element: ElementTree.Element) -> None:
    """Script letters become characters, upright letters side by side one name; digits and bars keep together."""
    if _tag(element) == "mi" and element.attrib.get("mathvariant") == "script":
        element.text = _SCRIPT_K[element.text or ""]
        del element.attrib["mathvariant"]
    children = list(element)
    upright = [_tag(child) == "mi" and child.attrib.get("mathvariant") == "normal" for child in children]
    if _tag(element) == "mrow" and len(children) > 1 and all(upright):
        name = "".join(child.text or "" for child in children)
        for child in children:
            element.remove(child)
        element.append(_made("mi", name))
    if _tag(element) == "mrow" and len(children) == 1 and _tag(children[0]) == "mo" and children[0].text == ",":
        children[0].attrib.update(lspace="0", rspace="0")
    if _tag(element) == "mover" and children[1].text == "¯":
        children[1].text = "\u203e"
    if _tag(element) == "mo" and element.text == "∞":
        element.tag = f"{{{NAMESPACE}}}mi"
    if _tag(element) == "mo" and element.text in ("/", "|", "∣"):
        element.attrib.update(lspace="0", rspace="0")
    if _tag(element) == "mi" and (element.text or "") in UPRIGHT:
        element.set("mathvariant", "normal")


def _settle_limits(element: ElementTree.Element) -> None:
    if _tag(element) == "msub" and len(element) and _words(element[0]) in LIMITS:
        element.tag = f"{{{NAMESPACE}}}munder"
        element[0].set("movablelimits", "true")


def _function(element: ElementTree.Element) -> bool:
    """Whether this is a function's name, perhaps with something below or beside it."""
    if _tag(element) in ("munder", "msub", "msup", "msubsup") and len(element):
        return _function(element[0])
    return _tag(element) in ("mi", "mo") and _words(element) in FUNCTIONS


def _settle_spaces(row: ElementTree.Element) -> None:
    """A thin space on both sides of a function's name, as in print: none towards brackets, signs and the ends."""
    for leaf in row:
        if _tag(leaf) == "mo" and _words(leaf) in FUNCTIONS:
            leaf.attrib.update(lspace="0", rspace="0")
    if _tag(row) not in ("math", "mrow", "mstyle", "msqrt"):
        return
    spaced: list[ElementTree.Element] = []
    before: ElementTree.Element | None = None
    for child in list(row):
        if before is not None:
            after_function = _function(before) and (_tag(child) != "mo" or _function(child))
            operand = _tag(before) not in ("mo", "mspace", "mtext") or (before.text or "") in CLOSING
            if after_function or (_function(child) and operand and not _function(before)):
                spaced.append(_made("mspace", width=THIN))
        spaced.append(child)
        before = child
    for child in list(row):
        row.remove(child)
    row.extend(spaced)
