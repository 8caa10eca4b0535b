"""Formulas look like formulas on a system without any font for mathematics."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest

from bufalu.pages.fonts.subset import covered, drawn
from bufalu.pages.mathematics import FONT_NAME, font_face, plain, typeset
from bufalu.properties.claims import CLAIMS


def leaves(latex):
    """The texts of a formula's leaves; a space is one blank."""
    tree = ElementTree.fromstring(typeset(latex))
    tags = [(element.tag.rpartition("}")[2], element.text or "") for element in tree.iter() if not len(element)]
    return [" " if tag == "mspace" else text for tag, text in tags]


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\ln T", ["ln", " ", "T"]),
        (r"K \ln T / x", ["K", " ", "ln", " ", "T", "/", "x"]),
        (r"3 \ln\ln t", ["3", " ", "ln", " ", "ln", " ", "t"]),
        (r"\ln(x)", ["ln", "(", "x", ")"]),
        (r"= \max\{x\}", ["=", "max", "{", "x", "}"]),
        (r"(x) \max y", ["(", "x", ")", " ", "max", " ", "y"]),
        (r"UCB_t(a)", ["UCB", "t", "(", "a", ")"]),
        (r"\mathcal K", ["𝒦"]),
    ],
)
def test_names_and_their_spaces(latex, expected):
    assert leaves(latex) == expected


def test_limits_go_below():
    assert "<munder><mo movablelimits" in re.sub(' [lr]space="0"', "", typeset(r"\max_t x")).replace("ns0:", "")


def test_the_font_has_every_character_of_every_formula():
    characters = covered()
    for claim in CLAIMS:
        for tag, text in re.findall(r"<(m[ion]|mtext)[^>]*>([^<]*)<", typeset(claim.latex)):
            words = unescape(text)
            wanted = {drawn(words)} if tag == "mi" and len(words) == 1 else set(words)
            assert wanted <= characters | {"\u2006"}, (claim.id, wanted - characters)


@pytest.mark.browser
def test_subscripts_are_below_the_baseline_in_a_browser(browser, tmp_path):
    path = tmp_path / "formula.html"
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><style>{font_face()}</style>{typeset('n_t(a) + x^2')}")
    browser.open(path)
    browser.wait_until(f"document.fonts.check('16px \"{FONT_NAME}\"')")
    loaded = "Array.from(document.fonts, face => face.family + face.status).join()"
    browser.wait_until(f"document.fonts.ready.then(() => {loaded}.includes('loaded'))")
    place = "document.querySelector('{0}').getBoundingClientRect()"
    base, below = place.format("msub :first-child"), place.format("msub :last-child")
    assert browser.evaluate(f"{below}.bottom - {base}.bottom") > 1, "n_t reads nt"
    size = "parseFloat(getComputedStyle(document.querySelector('{0}')).fontSize)"
    assert browser.evaluate(size.format("msub :last-child")) < browser.evaluate(size.format("msub :first-child"))
    assert browser.errors == []


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\sum_a n_t(a) = t,\quad B^q(t) \le t", "∑_a n_t(a) = t, B^q(t) ≤ t"),
        (r"\frac{a - 1}{\ln T} < \sqrt{6 \ln t / (t-K)}", "(a − 1)/(ln T) < sqrt(6 ln t/(t − K))"),
        (r"\bar N_a^g(T, \Delta/2) = x^{-1}", "N-bar_a^g(T, Δ/2) = x^(−1)"),
        (r"\max_{a'} UCB_t(a') - LCB_t(a) \ge \epsilon", "max_a′ UCB_t(a′) − LCB_t(a) ≥ ε"),
    ],
)
def test_a_formula_is_a_line_of_text_in_a_terminal(latex, text):
    assert plain(latex) == text


def test_no_claims_formula_shows_its_source_in_a_terminal():
    assert [claim.id for claim in CLAIMS if set(plain(claim.latex)) & set("\\$\n")] == []


@pytest.mark.parametrize("latex", ["\\frac{a}", "a^b^c", "", "\\begin{matrix} a", "x_", "a & < b"])
def test_a_formula_that_cannot_be_read_is_shown_as_it_was_written(latex):
    """Claims of one's own may hold anything, and the audit must not fall over its own table."""
    assert plain(latex) == latex.replace("\\", "")
    assert [element.text or "" for element in ElementTree.fromstring(typeset(latex))] == [latex]


def test_every_formula_of_ours_can_be_read():
    """What cannot be read is shown as it was written, which must not hide a defect of ours."""
    assert [
        claim.id
        for claim in CLAIMS
        if [each.text for each in ElementTree.fromstring(typeset(claim.latex))] == [claim.latex]
    ] == []
