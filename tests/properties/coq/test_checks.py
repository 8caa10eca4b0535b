"""The Coq development: the kernel accepts it, on the standard axioms alone, and it bites when something is wrong."""

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from bufalu.properties.claims import BY_ID
from bufalu.properties.claims.check import checks_of
from bufalu.properties.claims.evidence import AuditProfile, Verdict
from bufalu.properties.coq import building, checks, kernel
from bufalu.properties.coq.asking import EVERY_THEOREM, UnreadableBuild, library
from bufalu.properties.coq.theorems import (
    MADE,
    STANDARD_AXIOMS,
    THEOREMS,
    assumptions_source,
    ordered_files,
    pinned_theorems,
    written_texts,
)
from bufalu.properties.coq.vectors import RationalView, reference_answer, vectors_source, views
from bufalu.reference.policies import BUFALU, BUFAU, CBM_UCB, GREEDY, POLICIES, Policy
from bufalu.reference.policies.decisions import Decision
from tests.properties.coq.development import SMALL, answers, kernel_says, small_development
from tests.waiting import gone

PROOFS = Path(__file__).resolve().parents[3] / "proofs"


@pytest.mark.coq
def test_the_kernel_accepts_every_theorem_on_the_axioms_of_the_reals_and_nothing_else() -> None:
    report = kernel.check_proofs()
    assert report.not_run is None
    assert tuple(report.found.theorems) == pinned_theorems(THEOREMS)
    assert {*report.found.axioms} == STANDARD_AXIOMS


@pytest.mark.coq
def test_a_second_build_of_the_same_text_is_recalled(tmp_path: Path) -> None:
    small = small_development(tmp_path / "small")
    first = kernel_says(small, tmp_path)
    (remembered,) = (tmp_path / "cache").glob("*.json")
    before = remembered.stat().st_mtime_ns
    assert kernel_says(small, tmp_path).found == first.found
    assert remembered.stat().st_mtime_ns == before


@pytest.mark.coq
def test_a_false_theorem_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(building.ProofRejected, match=r"Small\.v"):
        kernel_says(small_development(tmp_path / "small", SMALL.replace("even 0", "even 1")), tmp_path)
    assert not list((tmp_path / "cache").glob("*.json")), "a rejected build must not be remembered"


@pytest.mark.coq
@pytest.mark.parametrize("how", ["Proof. Admitted.", "Proof. exact foreign. Qed."])
def test_an_unproved_theorem_is_noticed(tmp_path: Path, how: str) -> None:
    unproved = SMALL.replace("even 0", "even 1").replace("Proof. exists 0. reflexivity. Qed.", how)
    text = unproved.replace("(** says: zero", "Axiom foreign : even 1.\n(** says: zero")
    with pytest.raises(kernel.UnexpectedAxiom, match=EVERY_THEOREM):
        kernel_says(small_development(tmp_path / "small", text), tmp_path)


def _queries_when_it_should_stop(policy: Policy, view: RationalView) -> frozenset[Decision]:
    """Wrong rules of BuFALU: strict epsilon test, so that a tie with epsilon is queried."""
    nudged = replace(view, level=view.level - Fraction(1, 1000)) if policy is BUFALU else view
    return reference_answer(policy, nudged)


def _forgets_ties(policy: Policy, view: RationalView) -> frozenset[Decision]:
    """A wrong rule of BuFAU: only one of the tied decisions."""
    answer = reference_answer(policy, view)
    return frozenset(sorted(answer)[:1]) if policy is BUFAU else answer


def _stops_when_it_should_query(policy: Policy, view: RationalView) -> frozenset[Decision]:
    """A wrong rule of CBM-UCB: an unbounded interval is taken for a narrow one."""
    answer = reference_answer(policy, view)
    return frozenset(Decision(arm, False) for arm, _ in answer) if policy is CBM_UCB and view.round > 2 else answer


def _spends_one_query_less(policy: Policy, view: RationalView) -> frozenset[Decision]:
    """A wrong rule of greedy: the budget is spent at equality, so one query earlier."""
    return reference_answer(policy, replace(view, spent=view.spent + 1) if policy is GREEDY else view)


WRONG = (_queries_when_it_should_stop, _forgets_ties, _stops_when_it_should_query, _spends_one_query_less)


@pytest.fixture(scope="module")
def objections() -> list[str]:
    """What Coq says to the vectors of each wrong rule, all put to one compiled model of the decisions."""
    written = written_texts(PROOFS)
    names = ("Sums.v", "Intervals.v", "Decision.v", "Baselines.v", "Computable.v")
    wrong = {f"Wrong{number}.v": f"Check end_{number}.\n{vectors_source(rule)}" for number, rule in enumerate(WRONG)}
    said = answers({**{name: written[name] for name in names}, **wrong})
    return re.split(r"The reference end_\d was not found", said)[1:]


@pytest.mark.coq
@pytest.mark.parametrize("wrong", range(len(WRONG)), ids=[rule.__name__ for rule in WRONG])
def test_a_wrong_decision_of_the_code_fails_the_build(wrong: int, objections: list[str]) -> None:
    assert len(objections) == len(WRONG)
    assert re.search(r"Unable to unify.*\(V [23] \[", objections[wrong])


@pytest.mark.coq
def test_vectors_that_coq_cannot_unify_are_called_a_disagreement() -> None:
    with pytest.raises(building.ModelDisagrees, match='Unable to unify "2" with "1"'):
        _build({**FILES, "Vectors.v": "Goal 1 = 2. reflexivity. Qed.\n"})


@pytest.mark.coq
@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("coqchk") is None, reason="coqchk is missing: the second checker did not run")
def test_the_second_checker_agrees(tmp_path: Path) -> None:
    """`coqchk` reads the compiled files again, with the libraries below them, and lists the axioms by itself."""
    texts = kernel.built_texts(PROOFS)
    for name, text in {**texts, "Assumptions.v": assumptions_source()}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        printed = subprocess.run(
            ["coqc", "-q", "-R", ".", "Bufalu", name], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout
    assert {*kernel.axioms_in(printed)} == STANDARD_AXIOMS
    modules = [f"Bufalu.{name.removesuffix('.v')}" for name in texts]
    told = subprocess.run(
        ["coqchk", "-silent", "-o", "-R", ".", "Bufalu", *modules],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    ).stderr
    axioms = re.search(r"\* Axioms:\n(.*?)\n *\n", told, flags=re.DOTALL)
    assert axioms
    found = {".".join(line.split(".")[-2:]) for line in axioms.group(1).split()}
    assert found == STANDARD_AXIOMS


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_the_vectors_have_every_kind_of_decision(policy: Policy) -> None:
    answers = [reference_answer(policy, view) for view in views()]
    assert any(len(answer) > 2 for answer in answers), "no vector has a tie"
    mixed = any({decision.query for decision in answer} == {True, False} for answer in answers)
    assert mixed or policy is GREEDY, "no mixed tie, though only greedy decides on a query before it chooses an arm"
    share_of_queries = sum(all(decision.query for decision in answer) for answer in answers) / len(answers)
    assert 0.2 < share_of_queries < 0.8


def test_the_vectors_have_every_number_of_arms_and_initial_rounds() -> None:
    assert {view.arms for view in views()} == {1, 2, 3, 4, 5}
    assert any(view.round <= view.arms for view in views()), "no initial round"


def test_every_file_is_built_and_nothing_is_left_unproved() -> None:
    listed = ordered_files(PROOFS)
    assert sorted({*listed} - {*MADE}) == sorted(path.name for path in PROOFS.glob("*.v") if path.name not in MADE)
    assert {*MADE} <= {*listed}
    for name, text in kernel.built_texts(PROOFS).items():
        code = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
        forbidden = re.findall(r"\b(?:Admitted|admit|Abort|Axiom|Axioms|Parameter|Parameters|Conjecture)\b", code)
        assert not forbidden, f"{name}: {forbidden}"
        outside = re.sub(r"\bSection (\w+)\..*?\bEnd \1\.", "", code, flags=re.DOTALL)
        assert not re.findall(r"^(?:Variables?|Hypothes[ie]s|Context)\b", outside, flags=re.MULTILINE), (
            f"{name}: an assumption outside a section is an axiom"
        )


def test_every_claim_of_the_catalogue_is_in_the_registry() -> None:
    assert {claim for theorem in THEOREMS for claim in theorem.claims} <= set(BY_ID)


def test_what_a_theorem_refutes_is_an_erratum_and_nothing_else_is_settled_by_it() -> None:
    refuting = [theorem for theorem in THEOREMS if theorem.refutes]
    assert refuting
    for theorem in refuting:
        assert not theorem.settles
        assert all(BY_ID[claim].expected is Verdict.ERRATUM for claim in theorem.refutes)


def test_without_coq_the_check_says_that_it_did_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COQC", "a-compiler-that-is-not-there")
    report = kernel.check_proofs()
    assert report.found.theorems == {}
    assert report.not_run is not None
    assert "coqc is not installed" in report.not_run


def test_without_coq_a_claim_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COQC", "a-compiler-that-is-not-there")
    checks._shared_outcome.cache_clear()
    try:
        evidence = checks_of("coq")[0].run(AuditProfile())
    finally:
        checks._shared_outcome.cache_clear()
    assert evidence.verdict is Verdict.NOT_RUN
    assert "did not run" in evidence.detail


def test_output_without_one_answer_is_not_believed() -> None:
    assert kernel.axioms_in("Axioms:\nb : nat\na\n  : nat\n") == ("a", "b")
    assert kernel.axioms_in("every_theorem is defined\nClosed under the global context\n") == ()
    for told in ("", "Axioms:\na : nat\nAxioms:\nb : nat\n"):
        with pytest.raises(UnreadableBuild, match=r"reported assumptions \d times"):
            kernel.axioms_in(told)


@pytest.mark.coq
def test_a_compiler_that_leaves_no_notes_settles_as_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "NOTES", "notes that are not there")
    assert kernel_says(small_development(tmp_path / "proofs"), tmp_path).found.theorems


@pytest.mark.coq
def test_the_files_are_modules_of_one_unit() -> None:
    with building.built(_compiler(), FILES) as folder, library(_compiler(), folder) as asked:
        assert asked.ask("Check Bufalu.Third.third.").split() == ["Bufalu.Third.third", ":", "nat"]
        assert asked.ask("Eval compute in Bufalu.Third.third.").split()[:2] == ["=", "3%nat"]
        assert asked.ask("Check Bufalu.Third.fourth.") == ""


@pytest.mark.coq
@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"Second.v": "\nDefinition second : True := 2.\n"}, "Second.v, line 2"),
        ({"First.v": "From Bufalu Require Import Third.\nDefinition first := 1.\n"}, "First.v, line 1"),
        ({"Third.v": "Definition third := first + second.\n"}, "Third.v, line 1"),
        ({"Third.v": "Section open.\n"}, "Third.v, line 3"),
    ],
    ids=[
        "a false proof",
        "files that need one another",
        "a file that does not say what it needs",
        "a section that does not end",
    ],
)
def test_a_wrong_file_is_rejected_by_name_and_line(wrong: dict[str, str], where: str) -> None:
    with pytest.raises(building.ProofRejected, match=f"Coq rejects {where}"):
        _build(FILES | wrong)


def test_a_compiler_that_does_not_end_is_given_up_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = tmp_path / "coqc"
    endless.write_text(f"#!/bin/sh\necho $$ > {tmp_path / 'started'}\nexec tail -f /dev/null\n", encoding="utf-8")
    endless.chmod(0o755)
    monkeypatch.setattr(building, "HANG_SECONDS", 0.0)
    with pytest.raises(building.ProofRejected, match="took more than"):
        _build(FILES, str(endless))
    started = tmp_path / "started"
    assert not started.exists() or gone(int(started.read_text(encoding="utf-8") or "0"))


def test_of_several_that_ask_one_finds_out(tmp_path: Path) -> None:
    found: list[str] = []

    def find() -> str:
        found.append("answer")
        return "answer"

    with ThreadPoolExecutor(4) as several:
        told = list(several.map(lambda _: building.once(tmp_path, ["question"], find), range(8)))
    assert found == ["answer"]
    assert sorted(told) == [("answer", False), *[("answer", True)] * 7]
    assert building.once(tmp_path, ["another question"], find) == ("answer", False)


FILES = {
    "First.v": "Definition first := 1.\n",
    "Second.v": "Definition second := 2.\n",
    "Third.v": "From Bufalu Require Import First\n  Second.\nDefinition third := first + second.\n",
}


def _build(texts: dict[str, str], compiler: str | None = None) -> None:
    with building.built(compiler or _compiler(), texts):
        pass


def _compiler() -> str:
    compiler = building.find_coqc()
    assert compiler is not None
    return compiler
