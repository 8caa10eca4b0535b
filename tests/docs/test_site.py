"""The documentation as a site: every link leads somewhere, nothing is fetched, and the map is fresh."""

import re
import subprocess
import sys

import pytest

import bufalu
from bufalu.pages.api_page import api_page
from bufalu.pages.markdown import headings, parse
from bufalu.pages.paper_map import IncompleteCollection, definitions_in, paper_map
from bufalu.pages.site import BrokenLink, address_in_site, build, documents
from tests.docs.snippets import ROOT


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    return out, build(ROOT, out)


def test_every_document_is_a_page(site):
    out, pages = site
    written = {page.relative_to(out).as_posix() for page in pages}
    assert "index.html" in written
    assert {f"docs/{path.stem}.html" for path in (ROOT / "docs").glob("*.md")} <= written


def test_every_link_of_the_site_leads_to_a_file_of_the_site(site):
    _, pages = site
    for page in pages:
        for address in re.findall(r'(?:href|src)="([^"]+)"', page.read_text()):
            if address.startswith(("https://", "data:", "#")):
                continue
            assert (page.parent / address.partition("#")[0]).is_file(), f"{page}: {address}"


def test_nothing_is_fetched(site):
    _, pages = site
    for page in pages:
        text = page.read_text()
        assert "<script" not in text
        assert not re.search(r'src="https?:|url\(|@import|<link rel="stylesheet"', text.partition("<main")[0])


def repository(tmp_path, text):
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text(text)
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n")
    return tmp_path


@pytest.mark.parametrize(
    "link", ["[a](docs/none.md)", "[a](#none)", "[a](CHANGELOG.md#none)", "[a](../out)", "![a](no.svg)"]
)
def test_a_link_to_nowhere_is_an_error(tmp_path, link):
    with pytest.raises(BrokenLink):
        build(repository(tmp_path, f"# Title\n\n{link}\n"), tmp_path / "site")


def test_links_that_lead_somewhere_are_kept(tmp_path):
    root = repository(tmp_path, "# The title\n\n[a](#the-title) [b](CHANGELOG.md#changes) [c](https://example.org)\n")
    build(root, tmp_path / "site")
    text = (tmp_path / "site" / "index.html").read_text()
    assert 'href="#the-title"' in text
    assert 'href="CHANGELOG.html#changes"' in text


def test_addresses_are_rewritten_for_the_page():
    assert address_in_site("docs/bounds.md", "../README.md#map") == "../index.html#map"
    assert address_in_site("README.md", "reference/view.py") == "reference/view.py.html"


def test_repeated_headings_get_numbers():
    assert [heading.anchor for heading in headings(parse("# A b\n\n## A b\n\n## `x` (l.1)\n"))] == [
        "a-b",
        "a-b-1",
        "x-l1",
    ]


def test_one_command_builds_it(tmp_path):
    run = subprocess.run(
        [sys.executable, "-m", "bufalu.pages.site", "--out", str(tmp_path / "s")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "s" / "index.html").is_file()


def test_the_map_is_fresh():
    try:
        expected = paper_map(ROOT)
    except IncompleteCollection as missing:
        pytest.skip(f"the map cannot be written here: {missing}")
    assert (ROOT / "docs" / "paper-to-code.md").read_text() == expected, "stale: run `make map`"


def test_the_api_page_is_fresh_and_knows_every_public_name():
    written = (ROOT / "docs" / "api.md").read_text()
    assert written == api_page(), "stale: run `make map`"
    for name in bufalu.__all__:
        assert name.startswith("__") or f"### {name}\n" in written


def test_the_map_follows_the_docstrings():
    source = '"""A room (l.12)."""\ndef f():\n    """Adds (l.3-4, l.9). More."""\ndef g():\n    """Nothing."""\n'
    found = list(definitions_in(source, "room.py"))
    assert [(each.name, each.first_line, each.place, each.summary) for each in found] == [
        ("", 12, "l.12", "A room"),
        ("f", 3, "l.3-4, l.9", "Adds"),
    ]


def test_documents_come_in_order():
    assert documents(ROOT)[0] == "README.md"


@pytest.mark.browser
def test_a_page_in_a_browser(browser, site):
    out, _ = site
    for width in (1200, 360):
        browser.size(width, 800)
        browser.open(out / "index.html")
        assert browser.evaluate("document.querySelectorAll('h1').length") == 1
        assert browser.evaluate("document.documentElement.scrollWidth") <= width, "the page is wider than the screen"
    assert browser.errors == []
    assert [request for request in browser.requests if not request.startswith(("file:", "data:"))] == []
