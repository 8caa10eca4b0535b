"""The page of a journal: its figures, its words, and the page in a real browser."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from bufalu.live.journal import Journal
from bufalu.pages.journal_page import COLUMNS, journal_page, reasons_of
from bufalu.pages.palette import REASON_COLOURS, REASON_WORDS
from bufalu.reference.policies import Reason

HOSTILE = "<b>Second</b> & co"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Journal]:
    """200 rounds: two arms are told apart, four questions are never answered, and two answers are outstanding."""
    path = tmp_path_factory.mktemp("journal") / "run.db"
    known = {"First": [5] * 300, HOSTILE: [3] * 300, "third": []}
    arms = ["First", HOSTILE, "third"]
    with Journal.open(path, arms, epsilon="constant:1", rewards=(1, 5), ties="first", known=known) as made:
        for _ in range(200):
            step = made.next()
            if step.ask and step.arm == "third" and step.id < 8:
                made.no_answer(step.id)
            elif step.ask and len(made.waiting) > 2:
                made.answer(made.waiting[0].id, 1)
        yield made


def figures(page: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page))


def test_the_figures_add_up(journal: Journal) -> None:
    shown = figures(journal_page("run.db", journal, Fraction(1, 20)))
    summary, waiting = journal.summary(), journal.waiting
    given, never = summary.answers - 600, summary.asked - (summary.answers - 600) - len(waiting)
    assert given > 0 and never > 0 and len(waiting) == 2
    assert shown["rounds"] == "200"
    assert shown["asked"].split()[0] == str(summary.asked)
    assert (shown["answers"], shown["waiting"], shown["never answered"]) == (str(given), "2", str(never))
    assert shown["paid"] == f"{given / 20:.2f}", "only answers cost, and only those of this run"
    assert shown["saved by not asking"] == f"{(200 - summary.asked) / 20:.2f}"
    assert "paid" not in figures(journal_page("run.db", journal))


def test_when_and_why(journal: Journal) -> None:
    steps = list(journal.steps())
    found = reasons_of(steps, 200, 3)
    assert sum(told.columns.total() for told in found.values()) == 200
    for reason, told in found.items():
        numbers = [step.id for step in steps if step.reason == reason.value]
        assert (told.first, told.last, told.columns.total()) == (numbers[0], numbers[-1], len(numbers))
        assert all(told.columns[(number - 1) // 3] for number in numbers)
    assert sum(told.columns.total() for told in reasons_of(steps, 150, 3).values()) == 150, "of one moment"
    page = journal_page("run.db", journal)
    last = max(step.id for step in steps if step.ask)
    assert last < 200 and f"It asked last in round {last}." in page
    assert 200 / COLUMNS < len(re.findall("<title>rounds ", page)) < 3 * COLUMNS


def test_names_are_harmless_and_nothing_is_fetched(journal: Journal) -> None:
    page = journal_page("</title><script>1</script>", journal)
    assert "<b>Second" not in page and "<script" not in page
    assert "Best arm: First" in page or "May be best: First" in page, "as it was written"
    assert not re.search(r'(?:src|href)="(?!data:)', page)


def test_every_reason_has_colour_and_words() -> None:
    assert set(REASON_COLOURS) == set(REASON_WORDS) == set(Reason)


def test_a_journal_that_has_not_begun(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "new.db", ["a", "b"], epsilon="zero") as journal:
        page = journal_page("new.db", journal)
        assert "No round was played yet" in page and "It has not begun" in page
        for _ in range(60):
            journal.next()
        page = journal_page("new.db", journal)
        assert "It asks still" in page and "and 10 more" in page


@pytest.mark.browser
def test_the_page_in_a_browser(browser, journal: Journal, tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    path.write_text(journal_page("run.db", journal, Fraction(1, 20)), encoding="utf-8")
    papers = set()
    for scheme in ("light", "dark"):
        browser.colour_scheme(scheme)
        for width in (1280, 390):
            browser.size(width, 900)
            browser.open(path)
            assert browser.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
            assert browser.evaluate("document.querySelectorAll('.arms svg rect').length") == 3
            assert browser.evaluate(
                "[...document.querySelectorAll('.arms rect, .timeline')].every((r) => r.getBoundingClientRect().width > 0)"
            )
            seen = "getComputedStyle(document.querySelector('{}')).{}"
            assert browser.evaluate(seen.format("main > p:last-of-type", "fontSize")) == "16px", "no small print"
            assert browser.evaluate(seen.format("main > p:last-of-type", "color")) == browser.evaluate(
                seen.format("body", "color")
            )
            papers.add(browser.evaluate(seen.format("body", "backgroundColor")))
    assert len(papers) == 2
    assert not browser.errors
    assert {address.partition(":")[0] for address in browser.requests} <= {"file", "data"}
