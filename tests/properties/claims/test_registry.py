"""The registry: complete, consistent, tied to the paper's source, and without its text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bufalu.experiments.paper.printed import paper_rows
from bufalu.properties.claims import BY_ID, CLAIMS, Section, Standing, claims_matching, combined, standing
from bufalu.properties.claims.evidence import Evidence, EvidenceKind, Verdict
from bufalu.properties.claims.paper_parts import NUMBERED_PARTS, SECTIONS
from bufalu.properties.claims.source import (
    PaperMismatch,
    changed_claims,
    digest,
    of_the_paper,
    read_source,
    verify_paper,
)
from bufalu.reference.errors import UnknownName, UnusableFile
from tests.properties.claims.paper_structure import structure

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def paper() -> Path:
    given = os.environ.get("BUFALU_PAPER")
    if given is None:
        pytest.skip("the paper's source is missing: the registry was not compared with it")
    return Path(given)


def test_there_are_at_least_ninety_claims_with_unique_ids() -> None:
    assert len(CLAIMS) >= 90
    assert len(BY_ID) == len(CLAIMS)


def test_all_table_rows_are_claims() -> None:
    rows = [claim for claim in CLAIMS if claim.id.startswith("table.")]
    assert len(rows) == 24
    assert "table.power.unique.bufalu" in BY_ID


def test_every_known_erratum_is_there_and_has_a_correction() -> None:
    numbers = {claim.erratum.number for claim in CLAIMS if claim.erratum is not None}
    withdrawn = {"E21", "E23", "E24", "E27"}
    assert numbers == {f"E{number}" for number in range(1, 35)} - withdrawn
    for claim in CLAIMS:
        if claim.erratum is not None:
            assert claim.erratum.corrected in BY_ID
            assert BY_ID[claim.erratum.corrected].erratum is None


def test_an_erratum_is_expected_exactly_where_the_print_is_wrong() -> None:
    for claim in CLAIMS:
        wrong = claim.expected in (Verdict.ERRATUM, Verdict.GAP)
        assert wrong == (claim.erratum is not None), claim.id


def test_every_claim_is_stated_in_words_and_in_a_formula() -> None:
    for claim in CLAIMS:
        assert claim.statement.endswith("."), claim.id
        assert claim.latex, claim.id
        assert claim.latex.count("{") == claim.latex.count("}"), claim.id


def test_a_claim_has_a_hash_if_and_only_if_it_has_lines() -> None:
    assert [claim.id for claim in CLAIMS if bool(claim.lines) != bool(claim.source)] == []


def test_a_claim_stands_in_the_paper_or_on_a_page_beyond_it() -> None:
    for claim in CLAIMS:
        assert (claim.section is Section.BEYOND) == (claim.page is not None) == (not claim.lines), claim.id
        if claim.page is not None:
            assert (ROOT / claim.page).is_file(), claim.page
            assert f"`{claim.id}`" in (ROOT / claim.page).read_text(encoding="utf-8")
            assert claim.place == claim.page


def test_no_claim_rests_on_blank_lines() -> None:
    blank = {digest([""] * count, ((1, count),)) for count in range(1, 5)}
    assert [claim.id for claim in CLAIMS if claim.source in blank] == []


def test_the_registry_and_the_printed_tables_agree_on_the_lines() -> None:
    lines = {line for claim in claims_matching("table.*.*.*") for line, _ in claim.lines}
    assert lines == {row.line for row in paper_rows()}


def test_every_row_of_the_tables_is_where_the_registry_says(paper: Path) -> None:
    source = paper.read_text(encoding="utf-8").split("\n")
    for claim in claims_matching("table.*.*.*"):
        ((line, _),) = claim.lines
        name = claim.id.rpartition(".")[2].removesuffix("-ucb")
        cells = source[line - 1].split("&")
        assert (cells[0].strip().lower(), len(cells)) == (name, 9), claim.id


def test_the_paper_is_the_audited_text(paper: Path) -> None:
    assert verify_paper(paper, CLAIMS) == len(of_the_paper(CLAIMS))


def test_sections_and_theorems_have_the_numbers_of_the_paper(paper: Path) -> None:
    sections, parts = structure(paper.read_text(encoding="utf-8").split("\n"))
    assert tuple(sections) == SECTIONS
    assert [(part.name, part.first, part.last) for part in parts] == [
        (part.name, part.first, part.last) for part in NUMBERED_PARTS
    ]
    theorems = [(part.name, tuple(part.items)) for part in parts if part.name.startswith("Theorem")]
    assert theorems == [(part.name, part.items) for part in NUMBERED_PARTS if part.name.startswith("Theorem")]


def test_a_changed_line_is_noticed(paper: Path, tmp_path: Path) -> None:
    lines = paper.read_text(encoding="utf-8").split("\n")
    lines[420] += " changed"
    changed = tmp_path / "changed.tex"
    changed.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(PaperMismatch, match=r"cap\.almost_sure"):
        verify_paper(changed, CLAIMS)


def test_statements_are_not_copied_from_the_paper(paper: Path) -> None:
    text = " ".join(paper.read_text(encoding="utf-8").split())
    for claim in CLAIMS:
        words = claim.statement.split()
        for start in range(len(words) - 9):
            assert " ".join(words[start : start + 10]) not in text, claim.id


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        ("theorem.unique.regret", "Theorem 2, part 3, l.427-432; Theorem 3, part 3, l.862-867"),
        ("cap.almost_sure", "Theorem 2, part 1, l.421; Theorem 3, part 1, l.856; Section B.1, l.931"),
        ("lower.proof_steps", "Section A.1, l.591-596, l.691-702"),
        ("scarce.corollary", "Corollary 2, l.343-349; Section A.4, l.806-826"),
        ("summary.unique_upper", "Table 1, l.214-222"),
        ("baselines.greedy", "Algorithm 4, l.1417-1435"),
    ],
)
def test_a_place_is_told_by_number_and_line(claim: str, place: str) -> None:
    assert BY_ID[claim].place == place


def test_line_ends_do_not_matter(tmp_path: Path) -> None:
    unix, dos = tmp_path / "unix.tex", tmp_path / "dos.tex"
    unix.write_bytes(b"one\ntwo\n" * 900)
    dos.write_bytes(b"one\r\ntwo\r\n" * 900)
    claims = of_the_paper(CLAIMS)
    assert changed_claims(read_source(unix), claims) == changed_claims(read_source(dos), claims)


def test_a_text_that_is_too_short_or_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PaperMismatch, match="has 2 lines"):
        digest(["a", "b"], ((1, 3),))
    with pytest.raises(UnusableFile):
        verify_paper(tmp_path / "nowhere.tex", CLAIMS)


def test_claims_are_found_by_pattern_and_by_erratum() -> None:
    assert [claim.id for claim in claims_matching("gap_query.*")] == [
        "gap_query.queried_is_wide",
        "gap_query.unqueried_is_near_optimal",
    ]
    assert [claim.id for claim in claims_matching("E7")] == ["scarce.polylog", "scarce.polylog.corrected"]
    with pytest.raises(UnknownName, match="no claim fits"):
        claims_matching("nothing.*")


def test_every_kind_of_evidence_is_explained_to_readers() -> None:
    page = (ROOT / "docs" / "soundness.md").read_text(encoding="utf-8")
    assert [kind for kind in EvidenceKind if f"| {kind.value} | {kind.meaning} |" not in page] == []


def test_bad_news_dominates_and_the_strongest_good_news_counts() -> None:
    assert combined([Verdict.TESTED, Verdict.PROVED, Verdict.NOT_RUN]) is Verdict.PROVED
    assert combined([Verdict.PROVED, Verdict.REFUTED]) is Verdict.REFUTED
    assert combined([Verdict.PROVED, Verdict.VACUOUS]) is Verdict.VACUOUS
    assert combined([Verdict.PROVED, Verdict.ERRATUM]) is Verdict.ERRATUM
    assert combined([Verdict.NOT_RUN]) is Verdict.NOT_RUN
    assert combined([]) is Verdict.NOT_RUN


@pytest.mark.parametrize(
    ("verdict", "recorded", "not_run", "where"),
    [
        (Verdict.PROVED, Verdict.TESTED, False, Standing.MISSED),
        (Verdict.PROVED, Verdict.TESTED, True, Standing.MISSED),
        (Verdict.PROVED, Verdict.PROVED, True, Standing.REACHED),
        (Verdict.TESTED, Verdict.PROVED, False, Standing.MISSED),
        (Verdict.TESTED, Verdict.PROVED, True, Standing.BELOW),
        (Verdict.NOT_RUN, Verdict.PROVED, True, Standing.BELOW),
        (Verdict.REFUTED, Verdict.PROVED, True, Standing.MISSED),
        (Verdict.VACUOUS, Verdict.TESTED, True, Standing.MISSED),
        (Verdict.CERTIFIED, Verdict.ERRATUM, False, Standing.MISSED),
        (Verdict.CERTIFIED, Verdict.ERRATUM, True, Standing.BELOW),
        (Verdict.ERRATUM, Verdict.CERTIFIED, False, Standing.MISSED),
        (Verdict.GAP, Verdict.GAP, False, Standing.REACHED),
        (Verdict.ERRATUM, Verdict.GAP, False, Standing.MISSED),
        (Verdict.GAP, Verdict.ERRATUM, False, Standing.MISSED),
        (Verdict.GAP, Verdict.ERRATUM, True, Standing.BELOW),
    ],
)
def test_where_a_claim_stands(verdict: Verdict, recorded: Verdict, not_run: bool, where: Standing) -> None:
    evidence = [Evidence(EvidenceKind.ALGEBRA, verdict, "as it is")]
    if not_run:
        evidence.append(Evidence(EvidenceKind.SMT, Verdict.NOT_RUN, "no solver"))
    assert standing(evidence, recorded) is where
    broken = Evidence(EvidenceKind.SMT, Verdict.NOT_RUN, "the solver gave up", failed=True)
    assert standing([*evidence, broken], recorded) is Standing.FAILED
    assert standing([], recorded) is Standing.FAILED


def test_patterns_come_in_lists_in_any_case_and_unknown_ones_meet_their_neighbour() -> None:
    both = {claim.id for claim in claims_matching("KINF.*, e7")}
    assert both == {claim.id for claim in (*claims_matching("kinf.*"), *claims_matching("E7"))}
    assert claims_matching("kinf.*", "E7") == claims_matching("kinf.*,E7")
    with pytest.raises(UnknownName, match=r"did you mean theorem.unique.regret\?"):
        claims_matching("kinf.*", "theorem.uniq.regret")
