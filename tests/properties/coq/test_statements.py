"""A claim is tied to what its theorem says: an added hypothesis, a changed definition, a missing theorem are noticed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bufalu.properties.claims.check import checks_of
from bufalu.properties.claims.evidence import AuditProfile, Evidence, Verdict
from bufalu.properties.coq import building
from bufalu.properties.coq import checks as kernel
from bufalu.properties.coq.statements import PINNED, printed_statements, read_pinned, used_definitions
from bufalu.properties.coq.theorems import THEOREMS, written_texts
from tests.properties.coq.development import kernel_says, small_development

PROOFS = Path(__file__).resolve().parents[3] / "proofs"
SETTLING = [theorem for theorem in THEOREMS if theorem.claims]
VICTIM = SETTLING[0].name

needs_coq = pytest.mark.skipif(
    building.find_coqc() is None, reason="coqc is missing: the kernel check of the proofs did not run"
)


@pytest.fixture(autouse=True)
def _a_build_of_its_own() -> Iterator[None]:
    """No test sees the build of another."""
    kernel._shared_outcome.cache_clear()
    yield
    kernel._shared_outcome.cache_clear()


def _evidence(report: kernel.KernelReport, monkeypatch: pytest.MonkeyPatch) -> dict[str, Evidence]:
    monkeypatch.setattr(kernel, "check_proofs", lambda: report)
    return {each.name.removeprefix("coq."): each.run(AuditProfile()) for each in checks_of("coq")}


@pytest.mark.coq
@needs_coq
def test_an_added_hypothesis_unproves_its_claims_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = small_development(tmp_path / "small", "True")
    source = small / "Theorems.v"
    honest = f"Theorem {VICTIM} : True. Proof. exact I. Qed."
    weaker = f"Theorem {VICTIM} : 1 = 2 -> True. Proof. intros _. exact I. Qed."
    text = source.read_text(encoding="utf-8")
    assert honest in text
    source.write_text(text.replace(honest, weaker), encoding="utf-8")
    evidence = _evidence(kernel_says(small, tmp_path), monkeypatch)
    assert evidence[VICTIM].verdict is Verdict.REFUTED
    assert "does not say what is pinned" in evidence[VICTIM].detail
    assert {each.verdict for name, each in evidence.items() if name != VICTIM} == {Verdict.PROVED, Verdict.ERRATUM}


@pytest.mark.coq
@needs_coq
def test_a_hypothesis_hidden_in_a_definition_is_noticed(tmp_path: Path) -> None:
    proof = "Proof. unfold holds. auto. Qed."
    small = small_development(tmp_path / "small", "holds", proof, "Definition holds : Prop := True.")
    assert len(kernel_says(small, tmp_path).proved) == len(THEOREMS)
    source = small / "Theorems.v"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("Prop := True.", "Prop := False -> True."), encoding="utf-8")
    with pytest.raises(kernel.DefinitionChanged, match=r"Theorems\.v: holds"):
        kernel_says(small, tmp_path)


@pytest.mark.coq
@needs_coq
def test_a_theorem_that_is_not_in_the_build_is_not_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = small_development(tmp_path / "small", "True")
    source = small / "Theorems.v"
    source.write_text(
        source.read_text(encoding="utf-8").replace(f"Theorem {VICTIM} ", "Theorem other "), encoding="utf-8"
    )
    evidence = _evidence(kernel_says(small, tmp_path), monkeypatch)
    assert evidence[VICTIM].verdict is Verdict.REFUTED
    assert evidence[VICTIM].detail == f"{VICTIM} is not in the build"


def test_a_theorem_that_the_report_lacks_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = _evidence(kernel.KernelReport((), "8.16"), monkeypatch)
    assert {each.verdict for each in evidence.values()} == {Verdict.REFUTED}


def test_output_without_a_statement_is_not_believed() -> None:
    with pytest.raises(kernel.UnreadableBuild, match=f"did not print what {THEOREMS[0].name} says"):
        kernel._read_statements("Axioms:\n", THEOREMS)


@pytest.mark.coq
@needs_coq
def test_a_build_from_the_cache_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = small_development(tmp_path / "small", "True")
    first, second = kernel_says(small, tmp_path), kernel_says(small, tmp_path)
    assert (first.cached, second.cached) == (False, True)
    assert "cached" in _evidence(second, monkeypatch)[VICTIM].detail
    kernel._shared_outcome.cache_clear()
    assert "cached" not in _evidence(first, monkeypatch)[VICTIM].detail


def test_a_rejected_build_is_not_repeated_for_every_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[None] = []

    def rejecting() -> kernel.KernelReport:
        calls.append(None)
        raise building.ProofRejected("Coq rejects Sums.v")

    monkeypatch.setattr(kernel, "check_proofs", rejecting)
    evidence = [each.run(AuditProfile()) for each in checks_of("coq")]
    assert len(calls) == 1
    assert {each.verdict for each in evidence} == {Verdict.REFUTED}
    assert all("Coq rejects Sums.v" in each.detail for each in evidence)


@pytest.mark.coq
@needs_coq
def test_every_theorem_says_what_is_pinned() -> None:
    changed = [each.theorem.name for each in kernel.check_proofs().proved if each.statement != each.pinned]
    assert changed == [], f"run `python -m bufalu.properties.coq.checks > proofs/{PINNED}` and read the difference"


def test_the_pinned_definitions_are_those_of_the_sources() -> None:
    pinned = read_pinned((PROOFS / PINNED).read_text(encoding="utf-8"))
    assert used_definitions(written_texts(PROOFS), pinned.theorems.values()) == pinned.definitions, (
        f"run `python -m bufalu.properties.coq.checks > proofs/{PINNED}` and read the difference"
    )
    assert list(pinned.theorems) == [theorem.name for theorem in THEOREMS]


def test_the_pinned_text_is_read_back() -> None:
    pinned = read_pinned((PROOFS / PINNED).read_text(encoding="utf-8"))
    assert read_pinned(pinned.text()) == pinned
    assert "runs_of" in pinned.definitions["Tables.v: on_tables"]
    assert pinned.definitions["Decision.v: decision"].startswith("Variable K : nat.")


def test_printed_statements_are_read_by_name() -> None:
    printed = "@one\n     : True ->\n       True\nFile.two\n     : False\n"
    assert printed_statements(printed) == {"one": "     : True ->\n       True", "two": "     : False"}


def test_definitions_come_with_their_sections_and_what_they_use() -> None:
    text = """Section S. Variable x : nat. (* Definition no := 1. *)
Definition f := x. Record r := R { field : nat }. Inductive i := | c. End S.
Definition g := f. Definition h := 0. Definition tactics : nat. Proof. exact 1. Defined."""
    assert used_definitions({"A.v": text}, ["g", "field", "c", "tactics"]) == {
        "A.v: f": "Variable x : nat. Definition f := x.",
        "A.v: r": "Variable x : nat. Record r := R { field : nat }.",
        "A.v: i": "Variable x : nat. Inductive i := | c.",
        "A.v: g": "Definition g := f.",
        "A.v: tactics": "Definition tactics : nat. Proof. exact 1. Defined.",
    }
