"""The audit's page: complete without scripting, filters with it, nothing fetched."""

import html.parser
import re
from dataclasses import dataclass, replace

import pytest
from markupsafe import escape

from bufalu.pages.claim_graph import supports
from bufalu.pages.ledger import TERMS
from bufalu.pages.mathematics import typeset
from bufalu.pages.own_page import own_page
from bufalu.pages.report import report_page
from bufalu.pages.report_extras import Figure, read_figures
from bufalu.properties.audit.running import AuditReport, ClaimResult
from bufalu.properties.claims import CLAIMS
from bufalu.properties.claims.evidence import AuditProfile, Evidence, EvidenceKind, Verdict, Witness
from bufalu.properties.coq.kernel import pinned
from bufalu.properties.coq.relying import compared
from bufalu.properties.coq.theorems import PROOFS, THEOREMS, written_texts
from bufalu.properties.own.questions import questions
from bufalu.properties.own.report import own_report
from bufalu.properties.own.subject import OwnSubject
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import UnusableFile


@dataclass(frozen=True)
class Row:
    mutant: str
    killed_by: tuple[str, ...]
    survived: tuple[str, ...]
    description: str = "takes the <narrower> interval"
    policy: str = "bufalu"
    games: int = 7
    violates_a_claim: bool = True


@dataclass(frozen=True)
class SmallMatrix:
    statements: tuple[str, ...]
    bugs: tuple[Row, ...]


MATRIX = SmallMatrix(
    ("conformance", "cap"), (Row("narrower", ("conformance",), ("cap",)), Row("other", ("cap",), ()))
)
DETAIL = "x < y & z, as in a_theorem_whose_name_is_a_whole_sentence_and_has_no_space_to_break_it_at"
VERDICTS = (Verdict.PROVED, Verdict.TESTED, Verdict.CERTIFIED)


def invented_report():
    """A report over the real registry with invented evidence, hostile characters included."""
    results = []
    for index, claim in enumerate(CLAIMS):
        verdict = claim.expected if claim.erratum else VERDICTS[index % len(VERDICTS)]
        witness = Witness("a <b>path</b>", f"bufalu check {'w' * 60}.jsonl", "w.jsonl", "<script>alert(1)</script>")
        evidence = Evidence(
            EvidenceKind.SMT if verdict is Verdict.PROVED else EvidenceKind.GENERATED,
            verdict,
            DETAIL,
            12,
            0.5,
            "1/3",
            0.2,
            witness,
        )
        results.append(ClaimResult(claim, ((f"check {index}", evidence),)))
    return AuditReport(tuple(results), AuditProfile(), {"coq": "not installed"}, 1.5)


@pytest.fixture(scope="module")
def page():
    figure = Figure("regret", "data:image/png;base64,iVBORw0KGgo=")
    return report_page(invented_report(), MATRIX, [figure], "bufalu test")


class Outline(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.headings, self.ids, self.links, self.fetched, self.images = [], [], [], [], []

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if tag in ("h1", "h2", "h3"):
            self.headings.append(int(tag[1]))
        if "id" in named:
            self.ids.append(named["id"])
        if tag == "a":
            self.links.append(named["href"])
        if tag == "img":
            self.images.append(named)
        if tag in ("script", "img", "link", "iframe") and (address := named.get("src") or named.get("href")):
            self.fetched.append(address)


def test_the_page_is_complete_and_well_structured(page):
    outline = Outline()
    outline.feed(page)
    assert outline.headings[0] == 1
    assert all(later <= earlier + 1 for earlier, later in zip(outline.headings, outline.headings[1:], strict=False))
    assert len(outline.ids) == len(set(outline.ids))
    assert {claim.id for claim in CLAIMS} <= set(outline.ids)
    assert {link[1:] for link in outline.links if link.startswith("#")} <= set(outline.ids)
    assert all(address.startswith("data:") for address in outline.fetched)
    assert all(image["alt"] for image in outline.images)


def test_texts_are_escaped(page):
    assert "<script>alert(1)</script>" not in page
    assert "a <b>path</b>" not in page
    assert "x &lt; y &amp; z" in page


def test_every_formula_is_typeset(page):
    assert page.count("<math") >= len(CLAIMS)
    assert [claim.id for claim in CLAIMS if "\\" in typeset(claim.latex)] == []


def test_errata_are_listed_with_their_correction(page):
    for claim in CLAIMS:
        if claim.erratum is not None:
            assert f"bufalu audit --only {claim.erratum.number}</code>" in page


def test_surprises_are_shown():
    report = invented_report()
    assert ("Every claim reached its recorded verdict" in report_page(report)) is report.complete
    refuted = ClaimResult(CLAIMS[0], (("c", Evidence(EvidenceKind.GENERATED, Verdict.REFUTED, "no")),))
    page = report_page(AuditReport((refuted,), AuditProfile(), {}, 1.0))
    assert "contradicts its recorded verdict" in page
    assert "Some verdicts contradict the record, or a check failed." in page


def test_figures_come_from_a_folder(tmp_path):
    (tmp_path / "regret_curve.png").write_bytes(b"\x89PNG")
    (figure,) = read_figures(tmp_path)
    assert figure.caption == "regret curve"
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(UnusableFile):
        read_figures(tmp_path)


def contrast(first, second):
    """The WCAG contrast ratio of two #rrggbb colours."""

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_colours_have_enough_contrast(page):
    import re

    badges = re.findall(r"\.v-[a-z-]+ \{ background: (#[0-9a-f]{6}); \}", page)
    assert len(badges) == len(Verdict)
    assert all(contrast(colour, "#ffffff") >= 4.5 for colour in badges)
    for scheme in re.findall(
        r"--ink: (#\w{6}); --soft: (#\w{6}); --grid: #\w{6}; --paper: (#\w{6}); --panel: (#\w{6}); --link: (#\w{6})",
        page,
    ):
        ink, soft, paper, panel, link = scheme
        assert min(contrast(ink, paper), contrast(soft, paper), contrast(soft, panel), contrast(link, paper)) >= 4.5


def test_every_claim_has_a_ledger_and_a_node_that_leads_to_it(page):
    assert page.count('class="ledger"') == len(CLAIMS)
    for claim in CLAIMS:
        assert f'<a href="#{claim.id}" data-node="{claim.id}">' in page
    known = compared(CLAIMS)
    drawn = {(claim, support) for claim, each in supports(CLAIMS).items() for support in each}
    assert page.count("data-from=") == len(drawn | known.kernel_only)
    for kind, pairs in (
        ("kernel", known.both),
        ("hand", known.by_hand | known.hand_only),
        ("kernel alone", known.kernel_only),
    ):
        assert pairs
        assert page.count(f'data-kind="{kind}"') == len(pairs)
        for claim, support in pairs:
            assert f'data-kind="{kind}" data-from="{support}" data-to="{claim}"' in page
    for claim, support in known.hand_only | known.kernel_only:
        line = f'<li><a href="#{claim}">{claim}</a> rests on <a href="#{support}">{support}</a></li>'
        assert page.count(line) == 1, "differences are listed"
    assert set(TERMS) == set(EvidenceKind)


def test_the_theorem_of_the_kernel_stands_beside_the_claim_with_all_that_it_goes_back_to(page):
    article = page.partition('<article id="scarce.kl_increasing"')[2].partition("</article>")[0]
    theorem = pinned().theorem_of("scarce.kl_increasing")
    statement, *definitions = pinned().surface(theorem)
    lines = sum(entry.lines for entry in pinned().surface(theorem).values())
    assert statement == theorem and definitions
    assert f"{lines} lines to read, the statement and {len(definitions)} definitions" in article
    plain = re.sub("<a [^>]*>|</a>", "", page)
    assert "In words: " in article and f"<pre>{theorem}\n{escape(pinned().theorems[theorem].text)}</pre>" in plain
    name = "BinaryDivergence.binary_kl"
    assert article.count(f'<a href="#coq-{name}">{name}</a> p') == 2, "every name in it leads to its definition"
    for name in definitions:
        assert f'href="#coq-{name}"' in article
        assert page.count(f'<h4 id="coq-{name}">') == 1
        assert escape(pinned().definitions[name].text) in plain


def test_the_card_leads_to_the_theorem_in_its_file(page):
    texts = written_texts(PROOFS)
    spoken_for = [theorem for theorem in THEOREMS if theorem.claims and theorem.file in texts]
    assert len(spoken_for) > 100
    for theorem in spoken_for:
        for claim in theorem.claims:
            article = page.partition(f'<article id="{claim}"')[2].partition("</article>")[0]
            assert f'<a href="#written-{theorem.name}"><code>proofs/{theorem.file}</code></a>' in article
        begins = page.partition(f'<span id="written-{theorem.name}"></span>')[2]
        assert re.match(rf"(Theorem|Lemma|Corollary|Definition) {theorem.name}\b", begins)
    plain = re.sub('<span id="[^"]*"></span>', "", page)
    for file in {theorem.file for theorem in spoken_for}:
        assert f'<h4><code>proofs/{file}</code></h4><pre class="file">{escape(texts[file])}</pre>' in plain


def test_with_the_papers_text_what_is_printed_stands_beside_the_claim(page):
    report = invented_report()
    result = next(result for result in report.results if result.claim.lines)
    source = [f"line {number} < 9" for number in range(1, 3000)]
    shown = report_page(replace(report, results=(result,)), source=source)
    first, last = result.claim.lines[0]
    assert "\n".join(f"line {number} &lt; 9" for number in range(first, last + 1)) in shown
    assert 'class="printed"' not in page


def test_on_the_page_of_ones_own_what_fails_stands_first_with_its_evidence():
    brought = OwnSubject(None, confidence_named("hoeffding"), "", "hoeffding")
    asked = [question for question in questions(brought) if question.checks][:3]
    verdicts = dict(
        zip([question.checks[0].name for question in asked], [Verdict.PROVED, Verdict.REFUTED], strict=False)
    )
    found = {name: Evidence(EvidenceKind.GENERATED, verdict, DETAIL) for name, verdict in verdicts.items()}
    text = own_page(brought, own_report(brought, asked, found, AuditProfile(), 1.0))
    rows = re.findall(r'(?s)<tr class="(\w*)"><td>(.*?)</td><td>.*?</td>\n<td>(.*?)</td>', text)
    assert [row[0] for row in rows] == sorted((row[0] for row in rows), key=["bad", "", "good"].index)
    assert rows[0][:2] == ("bad", "fails") and EvidenceKind.GENERATED.value in rows[0][2]
    assert "x &lt; y &amp; z" in text


@pytest.mark.browser
def test_the_graph_in_a_browser(browser, tmp_path, page):
    path = tmp_path / "report.html"
    path.write_text(page)
    browser.open(path)
    box = "document.querySelector('#claim-graph svg').getAttribute('viewBox')"
    whole = browser.evaluate(box)
    browser.evaluate("document.getElementById('claim-graph').focus()")
    browser.key("+")
    browser.wait_until(f"{box} !== '{whole}'")
    browser.key("ArrowRight")
    browser.key("0")
    browser.wait_until(f"{box} === '{whole}'")
    browser.evaluate("document.querySelector('[data-node=\"theorem.general\"]').focus()")
    near = browser.evaluate("Array.from(document.querySelectorAll('#claim-graph a.near'), a => a.dataset.node)")
    assert {"theorem.general", "theorem.unique.regret", "gap_query.queried_is_wide"} <= set(near)
    assert "greedy.budget_formula" not in near
    click = "new MouseEvent('click', {bubbles: true, cancelable: true})"
    browser.evaluate(f"document.querySelector('[data-node=\"theorem.general\"]').dispatchEvent({click})")
    browser.wait_until("location.hash === '#theorem.general'")
    assert browser.errors == []


@pytest.mark.browser
def test_filters_in_a_browser(browser, tmp_path, page):
    path = tmp_path / "report.html"
    path.write_text(page)
    browser.open(path)
    visible = "document.querySelectorAll('article:not([hidden])').length"
    total = browser.evaluate("document.querySelectorAll('article').length")
    assert browser.evaluate(visible) == total == len(CLAIMS)
    browser.evaluate("document.querySelector('input[value=PROVED]').click()")
    without = browser.evaluate(visible)
    assert 0 < without < total
    assert browser.evaluate("document.querySelectorAll('article[data-verdict=PROVED]:not([hidden])').length") == 0
    browser.evaluate("document.querySelector('button[type=reset]').click()")
    browser.wait_until(f"{visible} === {total}")
    setting = (
        "const s = document.querySelector('{0}'); s.value = '{1}';"
        " s.dispatchEvent(new Event('input', {{bubbles: true}}))"
    )
    browser.evaluate("{" + setting.format("select[name=kind]", EvidenceKind.SMT.name) + "}")
    assert browser.evaluate(visible) == browser.evaluate(
        "document.querySelectorAll('article[data-kinds~=SMT]').length"
    )
    browser.evaluate("document.querySelector('button[type=reset]').click()")
    browser.wait_until(f"{visible} === {total}")
    browser.evaluate("{" + setting.format("input[name=search]", "cap.almost_sure") + "}")
    assert 1 <= browser.evaluate(visible) < total
    assert browser.errors == []
    assert [request for request in browser.requests if not request.startswith(("file:", "data:"))] == []


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_needs_no_sideways_scrolling(browser, tmp_path, page, scheme):
    path = tmp_path / "report.html"
    path.write_text(page)
    browser.colour_scheme(scheme)
    browser.size(375, 800)
    browser.open(path)
    assert browser.evaluate("document.documentElement.scrollWidth") <= 375
    browser.screenshot(tmp_path / f"{scheme}.png")
