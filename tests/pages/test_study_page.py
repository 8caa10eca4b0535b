"""The page of a study: its numbers, its form without scripting, and the page in a real browser."""

import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from bufalu import Arm, Instance, Study, __version__, compare
from bufalu.pages.drawing import COLOURS, DARK_COLOURS
from bufalu.pages.provenance import study_command
from bufalu.pages.study_page import embedded, study_page

HOSTILE = "</script><b>two</b>"


@pytest.fixture(scope="module")
def summary():
    study = Study(
        instances={
            HOSTILE: Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)]),
            "sure": Instance.deterministic([0, 1]),
        },
        policies=["bufalu", "bufau", "greedy"],
        epsilons=["power:1/4", "inverse-log", "zero"],
        horizons=3000,
        seeds=12,
    )
    return compare(study).summary


@pytest.fixture
def page(summary, tmp_path):
    drawn = tmp_path / "drawn.svg"
    drawn.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="9" height="9"/></svg>'
    )
    path = tmp_path / "study.html"
    path.write_text(study_page(summary, [drawn]), encoding="utf-8")
    return path


def test_the_numbers_behind_the_pictures(summary):
    data = json.loads(embedded(summary))
    assert [len(group["settings"]) for group in data["groups"]] == [3, 3]
    for group, instance in zip(data["groups"], summary.study.instances, strict=True):
        found = [cell for cell in summary.cells if cell.cell.instance_name == instance]
        shown = [cell for setting in group["settings"] for cell in setting["cells"]]
        for ours, theirs in zip(found, shown, strict=True):
            assert theirs["policy"] == ours.cell.policy
            assert theirs["regret"]["mean"][-1] == pytest.approx(ours.regret.mean, rel=1e-6)
            assert ("bounds" in theirs) == (ours.cell.policy != "greedy")
        for setting in group["settings"]:
            for quantity in ("regret", "queries"):
                assert [sum(counts) for counts in setting[f"{quantity}_seeds"]["counts"]] == [12, 12, 12]


def test_nothing_is_fetched_and_names_are_harmless(summary):
    text = study_page(summary)
    assert "<b>two</b>" not in text
    assert not re.search(r'(?:src|href)="(?!data:)', text)
    assert len(DARK_COLOURS) == len(COLOURS)


@pytest.mark.browser
def test_the_page_in_a_browser(browser, page):
    browser.open(page)
    browser.wait_until("document.querySelectorAll('#regret-curve .line').length === 3")
    assert browser.evaluate("document.querySelectorAll('#queries-curve .bound').length") >= 2
    assert "round 3,000" in browser.evaluate("document.getElementById('details').textContent")

    browser.evaluate("document.getElementById('regret-curve').focus()")
    browser.key("ArrowLeft")
    browser.wait_until("!document.getElementById('details').textContent.includes('round 3,000')")

    press = "[...document.querySelectorAll('#controls button')].find((b) => b.textContent === '{}').click()"
    browser.evaluate(press.format("greedy"))
    browser.wait_until("document.querySelectorAll('#regret-curve .line').length === 2")
    assert browser.evaluate("document.querySelectorAll('#tradeoff [data-point]').length") == 6
    browser.evaluate(press.format("greedy"))
    browser.wait_until("document.querySelectorAll('#regret-curve .line').length === 3")

    before = browser.evaluate("document.querySelector('#regret-curve .line').getAttribute('d')")
    browser.evaluate(press.format("linear"))
    linear = browser.evaluate("document.querySelector('#regret-curve .line').getAttribute('d')")
    browser.evaluate(press.format("zero"))
    other = browser.evaluate("document.querySelector('#regret-curve .line').getAttribute('d')")
    assert len({before, linear, other}) == 3
    browser.evaluate(press.format("bounds"))
    assert browser.evaluate("document.querySelectorAll('#regret-curve .bound').length") == 0

    browser.evaluate(
        "(s => { s.value = '1'; s.dispatchEvent(new Event('change')); })(document.querySelector('select'))"
    )
    browser.wait_until("document.querySelectorAll('#regret-curve .line').length === 3")
    assert browser.errors == []
    assert [request for request in browser.requests if not request.startswith(("file:", "data:"))] == []


@pytest.mark.browser
def test_one_number_is_rounded_in_one_way_everywhere(browser, summary, tmp_path):
    # The double 18.45 lies below 1845/100: Python rounds it to 18.4, the browser its shortest decimal to 18.5.
    first = summary.cells[0]
    mean = replace(first.regret, mean=18.45)
    changed = replace(first, regret=mean, regret_curve=(*first.regret_curve[:-1], mean))
    path = tmp_path / "study.html"
    path.write_text(study_page(replace(summary, cells=(changed, *summary.cells[1:]))), encoding="utf-8")
    browser.open(path)
    browser.wait_until("document.querySelectorAll('#regret-curve .line').length === 3")
    assert browser.evaluate("(18.45).toLocaleString('en', { maximumFractionDigits: 1 })") == "18.5"
    cells = "Array.from(document.querySelectorAll('{}'), (cell) => cell.textContent)"
    tables = "section:first-of-type tr.{} td:nth-child(3)"
    titles = browser.evaluate(cells.format("#tradeoff [data-point]:not(.quiet) title"))
    regrets = [text.split(" ± ")[0] for text in browser.evaluate(cells.format(tables.format("regret")))]
    queries = [text.split(" ± ")[0] for text in browser.evaluate(cells.format(tables.format("queries")))]
    assert regrets[0] == "18.4"
    assert browser.evaluate(cells.format("#details td:nth-child(2)")) == regrets
    assert browser.evaluate(cells.format("#details td:nth-child(4)")) == queries
    for title, regret, asked in zip(titles, regrets, queries, strict=True):
        assert title.endswith(f": regret {regret}, queries {asked}")


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_window_scrolls_nothing_sideways(browser, page, scheme):
    browser.colour_scheme(scheme)
    browser.size(400, 800)
    browser.open(page)
    browser.wait_until("document.querySelectorAll('#regret-curve .line').length === 3")
    assert browser.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    colours = browser.evaluate("getComputedStyle(document.querySelector('#regret-curve .line')).stroke")
    expected = {"light": COLOURS, "dark": DARK_COLOURS}[scheme][0]
    assert colours == f"rgb({', '.join(str(int(expected[at : at + 2], 16)) for at in (1, 3, 5))})"
    assert browser.errors == []


@pytest.mark.browser
def test_the_page_without_scripting(browser, page):
    browser.open_without_scripting(page, "#data + script")
    # With scripting the inside of <noscript> is mere text: an element there was made for a reader without it.
    assert len(browser.elements("noscript img.drawn[src^='data:image/svg+xml']")) == 1
    assert len(browser.elements("#study[hidden]")) == 1
    assert len(browser.elements(".wide table")) == 6


def test_the_page_says_what_was_compared_and_captions_what_is_drawn(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    setting = {"epsilons": "power:1/4", "horizons": 200}
    found = compare(
        Study(instances=Instance.bernoulli([0.25, 0.5]), policies=["bufalu", "greedy"], seeds=3, **setting)
    )
    text = study_page(found.summary)
    command = (
        "bufalu compare --means 1/4,1/2 --policy bufalu --policy greedy --epsilon power:1/4 --horizon 200 --seeds 3"
    )
    assert study_command(found.summary.study) == command
    for told in ("2 arms of mean 1/4, 1/2", f"by bufalu {__version__} on 1970-01-02", 'class="word">1/4,1/2</span>'):
        assert told in text
    assert found.summary.cells[0].vacuous == ("regret", "queries")
    assert text.count(">VACUOUS</abbr>") == 2
    assert "VACUOUS (no better than the trivial bound): regret of bufalu, queries of bufalu" in found.text()
    assert "greedy" in found._repr_html_() and ">VACUOUS</abbr>" in found._repr_html_()
    assert [axes.get_title() for axes in found.plot().axes] == [
        "regret, epsilon power:1/4",
        "queries, epsilon power:1/4",
    ]
    alone = study_page(
        compare(Study(instances=Instance.deterministic([1]), policies="greedy", seeds=1, **setting)).summary
    )
    for caption in (", over time</figcaption>", "<th>theorem</th>", "Thin:", "Dotted:", "<th>minus", "differences"):
        assert caption in text
        assert caption not in alone


def test_a_difference_over_time_ends_where_the_table_does(summary):
    for found in summary.cells:
        assert (found.regret_against_curve is None) == (found.regret_against_first is None)
        if found.regret_against_curve is not None:
            assert found.regret_against_curve[-1] == found.regret_against_first
            assert len(found.queries_against_curve) == len(found.rounds)


HALVES = Instance([Arm([0, Fraction(1, 2)], [Fraction(1, 2), Fraction(1, 2)])])


@pytest.mark.parametrize("change", [{"title": "mine"}, {"points": 5}, {"instances": {"halves": HALVES}}])
def test_what_no_line_can_say_has_no_command(change):
    given = {
        "instances": Instance.bernoulli([0.25]),
        "policies": "greedy",
        "epsilons": "zero",
        "horizons": 9,
        "seeds": 2,
    }
    late = " --delay 3 --missing 1/2"
    line = "bufalu compare --means 1/4 --policy greedy --epsilon zero --horizon 9{} --seeds 2"
    assert study_command(Study(**given)) == line.format("")
    assert study_command(Study(**given, delay=3, missing=Fraction(1, 2))) == line.format(late)
    assert study_command(Study(**{**given, **change})) is None
