"""The documentation as a site: every link leads somewhere, nothing is fetched, and the map is fresh."""

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from markupsafe import escape

import bufalu
from bufalu.cli import COMMANDS
from bufalu.pages import command_page
from bufalu.pages.api_page import TASKS, task_of
from bufalu.pages.errata_page import errata_page
from bufalu.pages.gallery import EXHIBITS, exhibit_trace
from bufalu.pages.markdown import Heading, UnknownMarkup, headings, parse, to_html
from bufalu.pages.paper_map import IncompleteCollection, definitions_in, paper_map
from bufalu.pages.site import (
    GALLERY,
    GROUPS,
    BrokenLink,
    address_in_site,
    build,
    documents,
    main,
    page_of,
    text_of,
    with_contents,
)
from bufalu.pages.site_search import entries
from bufalu.properties.claims import BY_ID
from bufalu.properties.coq.theorems import THEOREMS, VECTORS
from tests.docs.snippets import ROOT
from tests.forked import forked


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    return out, build(ROOT, out, gallery=False)


@pytest.fixture(scope="module")
def gallery(site, tmp_path_factory):
    """The gallery of the whole site, as the one command builds it, in a copy of the process that has set the sources."""
    out = tmp_path_factory.mktemp("whole")
    run = forked(lambda: main(["--out", str(out)]), ROOT, {})
    assert run.returncode == 0, run.stderr
    assert (out / "index.html").is_file()
    return out / "gallery"


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
    out, pages = site
    for page in pages:
        head = page.read_text().partition("<main")[0]
        assert not re.search(r'src="https?:|url\(|@import|href="https?:[^"]*" rel="stylesheet"', head)
        assert re.findall(r'<script[^>]*src="(?:\.\./)*([^"]*)"', page.read_text()) == ["site.js"]
    style = (out / "site.css").read_text()
    assert re.findall(r"url\((?!data:)", style) == []


def test_every_page_is_in_the_navigation_once(site):
    out, _ = site
    links = re.findall(r'<li><a href="([^"]+)"', (out / "index.html").read_text().partition("<main")[0])
    assert sorted(links) == sorted(page_of(name) for name in documents(ROOT))
    named = [name for group in GROUPS.values() for name in group if name not in GALLERY]
    assert [name for name in named if name not in documents(ROOT)] == []


def test_the_index_has_every_heading(site):
    out, _ = site
    text = (out / "search-index.js").read_text()
    index = json.loads(text.partition("=")[2].rstrip().removesuffix(";"))
    addresses = {entry["address"] for entry in index}
    for name in documents(ROOT):
        for heading in headings(parse(text_of(ROOT, name))):
            assert f"{page_of(name)}#{heading.anchor}" in addresses


def test_code_and_formulas_are_set():
    html = to_html("```python\nx = 1\n```\n\n```math\n\\ln T\n```\n\nAnd $`n_t`$ too, for $5.\n", str)
    assert '<span class="mi">1</span>' in html
    assert html.count("<math") == 2
    assert "for $5" in html and "$<" not in html
    with pytest.raises(UnknownMarkup):
        to_html("<script>alert(1)</script>\n", str)


@pytest.mark.parametrize("name", ["bounds", "dial", "errata"])
def test_every_formula_of_the_mathematical_pages_is_typeset(name):
    text = (ROOT / "docs" / f"{name}.md").read_text()
    html = to_html(text, str)
    assert html.count("<math") > 50
    assert "$<" not in html and "merror" not in html
    # Programs and tables, whose cells repeat the registry's sentences, are not prose.
    prose = re.sub(r"<(pre|table|math|code)\b.*?</\1>", "", html, flags=re.DOTALL)
    assert re.findall(r"Delta_\w+|&[lg]t;=|\w\^\S+|\bN-bar\b|sqrt\(|\brho\b (?:=|in)", prose) == []


def test_a_long_name_in_a_cell_breaks_at_its_dots():
    html = to_html("| `gap_query.wide` |\n|---|\n| `gap_query.wide` |\n\nAnd `gap_query.wide`.\n", str)
    assert "<td><code>gap_<wbr>query.<wbr>wide</code></td>" in html
    assert "And <code>gap_query.wide</code>" in html


def test_cells_of_several_columns_say_which_they_are():
    long = "x" * 60
    html = to_html(
        f"| a | `b` | c |\n|---|---|---|\n| 1 | 2 | {long} |\n\n| d | e |\n|---|---|\n| {long} | 5 |\n", str
    )
    assert '<div class="wide"><table class="several">' in html
    assert '<td data-label="a">1</td>\n<td data-label="b">2</td>' in html
    assert '<div class="wide"><table>' in html
    assert f"<td>{long}</td>" in html
    formula = to_html(f"| a | b | $`t^{{-1/4}}`$ |\n|---|---|---|\n| 1 | {long} | 3 |\n", str)
    assert "<th><math" in formula and '<td data-label="t^(−1/4)">3</td>' in formula
    assert "several" not in to_html("| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n", str)


def test_the_gallery_says_what_its_runs_do(gallery):
    page = (gallery / "index.html").read_text()
    for exhibit in EXHIBITS:
        assert f'href="{exhibit.name}.html"' in page
        assert escape(exhibit.why) in page
    runs = {each.name: exhibit_trace(each) for each in EXHIBITS if each.name not in ("bernstein", "many")}
    lost = {
        name: sum(max(trace.header.means) - trace.header.means[played.arm - 1] for played in trace.rounds)
        for name, trace in runs.items()
    }
    queries = {name: sum(played.query for played in trace.rounds) for name, trace in runs.items()}
    assert lost["dial"] < lost["bufalu"]
    assert queries["bufau"] > queries["bufalu"]
    assert queries["budget"] == 60
    assert (queries["pairs"], queries["bufalu"]) == (165, 599)
    links = re.findall(r'href="([^"#]+\.html)"', page.partition("<main")[2])
    assert [link for link in links if not (gallery / link).is_file()] == []


def test_every_theorem_of_the_kernel_has_a_page(gallery):
    folder = gallery.parent / "theorems"
    definitions = (folder / "definitions.html").read_text()
    for theorem in THEOREMS:
        if theorem.file == VECTORS:
            continue
        page = (folder / f"{theorem.name}.html").read_text()
        assert escape(theorem.says) in page and f'href="{theorem.name}.html"' in (folder / "index.html").read_text()
        assert all(escape(BY_ID[claim].statement) in page for claim in theorem.claims)
        for address, anchor in re.findall(r'href="([\w\x27]+\.html)(?:#([^"]*))?"', page.partition("<article>")[2]):
            assert (folder / address).is_file() and (not anchor or f'id="{anchor}"' in definitions)
    page = (folder / "local_pinsker.html").read_text()
    assert "Lines to read: 2." in page and "intros Hp Hpq Hq." in page
    part, whole = "binary_kl_at_least_p_log", "binary_kl_is_at_least_each_cross_term"
    words = "binary kl is at least each cross term"
    assert f'Used by: <a href="{whole}.html">{words}</a>' in (folder / f"{part}.html").read_text(), (
        "words can be broken"
    )
    assert f'Its proof uses: <a href="{part}.html">' in (folder / f"{whole}.html").read_text()


def test_errata_have_witnesses_and_some_can_be_played(gallery):
    page = (gallery / "errata.html").read_text()
    numbers = [int(number) for number in re.findall(r"<h2>E(\d+):", page)]
    assert numbers == sorted(numbers)
    assert {7, 8, 10, 12, 13, 25} <= set(numbers)
    assert "Errata with witnesses" in (gallery.parent / "search-index.js").read_text()
    played = re.findall(r'<a href="([^"]+)">Look at it and play', page)
    assert {re.match(r"E\d+", name).group() for name in played} == {"E13", "E29", "E30"}
    assert re.findall(r'<a href="(E25[^"]+)">Look at it\.<', page), "a run too short to play with is shown"
    for name in played:
        assert 'id="play"' in (gallery / name).read_text()


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
        build(repository(tmp_path, f"# Title\n\n{link}\n"), tmp_path / "site", gallery=False)


def test_links_that_lead_somewhere_are_kept(tmp_path):
    root = repository(tmp_path, "# The title\n\n[a](#the-title) [b](CHANGELOG.md#changes) [c](https://example.org)\n")
    build(root, tmp_path / "site", gallery=False)
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


def test_the_map_is_fresh():
    try:
        expected = paper_map(ROOT)
    except IncompleteCollection as missing:
        pytest.skip(f"the map cannot be written here: {missing}")
    assert (ROOT / "docs" / "paper-to-code.md").read_text() == expected, "stale: run `make map`"


def test_the_errata_page_is_the_registrys():
    assert (ROOT / "docs" / "errata.md").read_text() == errata_page(), "stale: run `make map`"


def test_the_api_page_knows_every_public_name():
    written = text_of(ROOT, "docs/api.md")
    for name in bufalu.__all__:
        assert name.startswith("__") or f"### {name}\n" in written


def test_the_api_page_goes_by_task_with_an_example_each():
    """The examples are run with the other snippets; every public name has words below it."""
    written = text_of(ROOT, "docs/api.md")
    for task in TASKS:
        assert f"## {task.title}\n" in written
        assert task.example
    with pytest.raises(LookupError, match=r"bufalu\.elsewhere"):
        task_of("bufalu.elsewhere")
    assert "InstanceLike = Instance | Collection[NumberLike]" in written
    assert "An instance, or the means of Bernoulli arms." in written


def test_the_page_of_commands_is_their_help(monkeypatch):
    written = text_of(ROOT, "docs/commands.md")
    for name in COMMANDS:
        assert f"### bufalu {name}\n" in written
        assert f"usage: bufalu {name} [-h]" in written
    assert "### bufalu live next\n" in written
    monkeypatch.setitem(command_page.TASKS, "Installation", ())
    with pytest.raises(LookupError, match="doctor"):
        command_page.command_page()


def test_a_long_page_has_its_contents_and_a_short_one_has_none(site):
    out, _ = site
    contents = re.compile(r'<nav class="contents".*?</nav>')
    (found,) = contents.findall((out / "docs" / "bounds.html").read_text())
    sections = [each for each in headings(parse((ROOT / "docs" / "bounds.md").read_text())) if each.level == 2]
    assert [f"#{each.anchor}" in found for each in sections] == [True] * len(sections)
    assert contents.findall((out / "docs" / "words.html").read_text()) == []
    short = with_contents("<h1>A</h1>", [Heading(1, "A", "a"), *(Heading(2, word, word) for word in "bcd")])
    assert short == "<h1>A</h1>"


def test_search_results_have_no_dollar_signs_and_pages_no_bare_markup(site):
    """Of dollar signs a shell's variables stay; an asterisk that is no product is that of an optimal arm, as in mu*."""
    out, pages = site
    index = json.loads((out / "search-index.js").read_text().partition("=")[2].rstrip().removesuffix(";"))
    assert [entry["heading"] for entry in index if re.search(r"\$(?![A-Za-z0-9(])", entry["words"])] == []
    for page in pages:
        article = page.read_text().partition("<article>")[2]
        prose = re.sub(r"<(pre|code|math|picture)\b.*?</\1>", "", article, flags=re.DOTALL)
        assert re.findall(r"\*\*|(?<![\w|])\*\w|\w \* \w|\$", re.sub(r"<[^>]*>", "", prose)) == [], page
        assert re.findall(r"<h([1-6])[^>]*>[^<]*</h\1>\s*(?:<h\1|$)", article) == [], page


def test_a_formula_is_found_as_it_is_said():
    text = "# A\n\nWith $`\\frac{24 \\ln T}{\\Delta_a^2} \\le K`$ and $5.\n\n```console\n$ bufalu audit\n```\n"
    entry = entries(text, "A", "a")[-1]
    assert entry.words == "With 24 ln T/Delta_a^2 <= K and $5. bufalu audit"


def test_the_map_follows_the_docstrings():
    source = '"""A room (l.12)."""\ndef f():\n    """Adds (l.3-4, l.9). More."""\ndef g():\n    """Nothing."""\n'
    found = list(definitions_in(source, "room.py"))
    assert [(each.name, each.first_line, each.place, each.summary) for each in found] == [
        ("", 12, "l.12", "A room"),
        ("f", 3, "l.3-4, l.9", "Adds"),
    ]


@pytest.mark.parametrize("name", documents(ROOT))
def test_no_wrapped_line_became_a_list(name):
    """A line that begins with a number and a full stop is a list to Markdown: one entry alone was never meant."""
    tokens = parse(text_of(ROOT, name))
    depth, entries = [], []
    for token in tokens:
        if token.type == "ordered_list_open":
            depth.append(0)
        elif token.type == "list_item_open" and token.info:
            depth[-1] += 1
        elif token.type == "ordered_list_close":
            entries.append(depth.pop())
    assert 1 not in entries


def test_a_wrapped_line_would_be_noticed():
    tokens = parse("* after round\n  1. The cap\n")
    assert [token.type for token in tokens].count("ordered_list_open") == 1


def test_documents_come_in_the_order_of_the_navigation():
    found = documents(ROOT)
    listed = [name for group in GROUPS.values() for name in group if name in found]
    assert (found[0], found[: len(listed)]) == ("README.md", listed)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_in_a_browser(browser, site, scheme):
    out, _ = site
    browser.colour_scheme(scheme)
    for name in (
        "index.html",
        "docs/dial.html",
        "docs/api.html",
        "docs/errata.html",
        "theorems/index.html",
        "theorems/definitions.html",
    ):
        for width in (1200, 360):
            browser.size(width, 800)
            browser.open(out / name)
            assert browser.evaluate("document.querySelectorAll('h1').length") == 1
            assert browser.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}"
    assert browser.errors == []
    assert [request for request in browser.requests if not request.startswith(("file:", "data:"))] == []


@pytest.mark.browser
def test_search_with_the_keyboard(browser, site):
    out, _ = site
    browser.open(out / "docs" / "dial.html")
    browser.key("/")
    browser.wait_until("document.activeElement.id === 'search'")
    for letter in "tutorial":
        browser.key(letter)
    browser.wait_until("document.querySelectorAll('#found a').length > 1")
    browser.key("ArrowDown")
    browser.wait_until("document.activeElement.tagName === 'A'")
    target = browser.evaluate("document.activeElement.href")
    assert Path(unquote(urlparse(target).path)).is_file()
    assert "utorial" in browser.evaluate("document.activeElement.textContent")
    browser.evaluate(
        "(box => { box.value = 'regret'; box.dispatchEvent(new Event('input')); })(document.getElementById('search'))"
    )
    assert "/theorems/" not in browser.evaluate("document.querySelector('#found a').href"), "a page explains the word"
    browser.key("Escape")
    browser.wait_until("document.getElementById('found').hidden")
    assert browser.errors == []
    assert [request for request in browser.requests if not request.startswith(("file:", "data:"))] == []
