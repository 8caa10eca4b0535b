"""Twenty ways and more to make an empty theorem pass for a claim. None of them leaves the claim PROVED.

Each is done to the files up to the gap-query lemma, and judged by what is pinned for the whole development. Those that
change the tie between a claim and its theorem are noticed without Coq; the others are built in the nightly profile.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from bufalu.properties.claims.evidence import Verdict
from bufalu.properties.coq import kernel
from bufalu.properties.coq.theorems import PROOFS, written_texts
from tests.properties.coq.development import development, objections, pinned_as_it_is, small_development

WRITTEN = written_texts(PROOFS)
TEXTS = {name: WRITTEN[name] for name in ("Sums.v", "Intervals.v", "Decision.v", "GapQuery.v")}
CLAIM = "gap_query.unqueried_is_near_optimal"
OTHER = "gap_query.queried_is_wide"
NAME = "an_unqueried_arm_is_within_epsilon_of_the_best"

SAID = "0 <= epsilon -> covered b bounds -> admissible K bounds epsilon a false -> gap b a <= epsilon."
STATED = f"Theorem {NAME} a :\n  {SAID}"
TIE = f"    settles: {CLAIM}\n"
ADMISSIBLE = "Definition admissible : nat -> bool -> Prop := decision is_candidate."
EMPTY = "Definition admissible : nat -> bool -> Prop := fun a q => decision is_candidate a q /\\ False."
COMMENT = "(** says: if every mean lies in its interval, an arm played without a query has gap at most epsilon, for every K,"
SECTION = "Section GapQuery.\n"


def _proof_of(name: str) -> str:
    """The proof of a theorem of these files."""
    found = re.search(rf"^(?:Theorem|Lemma) {name}\b.*?(^Proof\..*?Qed\.)", "".join(TEXTS.values()), re.M | re.S)
    assert found
    return found[1]


PROOF = _proof_of(NAME)
IS_STEERED = (_proof_of("bufalu_is_steered"), "Proof. intros [_ []]. Qed.")
STEERED_IS_NEAR = _proof_of("a_steered_unqueried_arm_is_within_epsilon_of_the_best")
BY_ABSURDITY = (PROOF, "Proof. destruct impossible. Qed.")
BY_HYPOTHESIS = "Proof. intros He _ _. exact He. Qed."


@dataclass(frozen=True)
class Sabotage:
    """What a hostile hand changes in the files: texts that stand there once, and what stands there then.

    `noticed` is in what the audit says about it.
    """

    what: str
    noticed: str
    changes: tuple[tuple[str, str], ...]
    claim: str = CLAIM

    def done(self) -> dict[str, str]:
        """The files afterwards."""
        texts = dict(TEXTS)
        for was, becomes in self.changes:
            (file,) = [name for name, text in texts.items() if text.count(was) == 1]
            texts[file] = texts[file].replace(was, becomes)
        return texts


UNTIED = (
    Sabotage("the claim is untied", "without a theorem, and pinned", ((TIE, ""),)),
    Sabotage("a counterexample for a proof", "refuted by", ((TIE, TIE.replace("settles", "refutes")),)),
    Sabotage(
        "the claim is tied to another theorem",
        "proved by GapQuery.a_queried_arm_is_wider_than_epsilon, and pinned",
        ((TIE, ""), (f"settles: {OTHER}\n", f"settles: {OTHER}; {CLAIM}\n")),
    ),
    Sabotage(
        "a theorem is tied to a claim that it does not settle",
        f"proved by GapQuery.{NAME}, and pinned in statements.txt as proved by",
        ((TIE, TIE[:-1] + "; lower.suboptimal_arms\n"),),
        "lower.suboptimal_arms",
    ),
    Sabotage(
        "two theorems for one claim", "has two theorems", ((f"settles: {OTHER}\n", f"settles: {OTHER}; {CLAIM}\n"),)
    ),
)
BUILT = (
    Sabotage(
        "a weaker conclusion",
        f"GapQuery.{NAME} is not as pinned",
        (
            (STATED, f"{STATED[:-1]} + 1."),
            (PROOF, PROOF.replace("Hcov H.", "Hcov H. enough (gap b a <= epsilon) by lra.")),
        ),
    ),
    Sabotage(
        "a hypothesis more",
        f"GapQuery.{NAME} is not as pinned",
        ((STATED, STATED.replace("covered b", "1 = 2 -> covered b")), (PROOF, PROOF.replace("He Hcov", "He _ Hcov"))),
    ),
    Sabotage(
        "a hypothesis of the section",
        f"GapQuery.{NAME} is not as pinned",
        ((SECTION, f"{SECTION}Hypothesis impossible : False.\n"), BY_ABSURDITY),
    ),
    Sabotage("Admitted", f"rests on Bufalu.GapQuery.{NAME}", ((PROOF, "Proof. Admitted."),)),
    Sabotage(
        "an axiom behind the proof",
        "rests on Bufalu.GapQuery.impossible",
        ((SECTION, f"Axiom impossible : False.\n{SECTION}"), BY_ABSURDITY),
    ),
    Sabotage(
        "an axiom for the theorem, which stands in a comment",
        f"rests on Bufalu.GapQuery.{NAME}",
        (
            (COMMENT, f"(* {COMMENT}"),
            (STATED, f"{STATED} *)"),
            (PROOF, ""),
            (
                "End GapQuery.\n",
                f"End GapQuery.\nAxiom {NAME} : forall b bounds epsilon a,\n  {SAID}\n".replace(
                    "K b", "(number_of_arms b) b"
                ),
            ),
        ),
    ),
    Sabotage(
        "a weaker example, the theorem in a comment",
        f"GapQuery.{NAME} is not as pinned",
        (
            (COMMENT, f"(* {COMMENT}"),
            (STATED, f"{STATED} *)\nExample {NAME} (a : nat) : 0 <= epsilon -> True."),
            (PROOF, "Proof. trivial. Qed."),
        ),
    ),
    Sabotage("another name", f"{NAME}_too, and pinned", ((STATED, STATED.replace(NAME, f"{NAME}_too")),)),
    Sabotage(
        "a definition that nothing meets", "Decision.admissible is not as pinned", ((ADMISSIBLE, EMPTY), IS_STEERED)
    ),
    Sabotage(
        "a definition that nothing meets, and Coq told to print little",
        "Decision.admissible is not as pinned",
        (
            (ADMISSIBLE, EMPTY),
            IS_STEERED,
            (SECTION, f"Global Set Printing Depth 1.\nGlobal Unset Printing All.\n{SECTION}"),
        ),
    ),
    Sabotage(
        "a definition that nothing meets, the true one in a nested comment",
        "Decision.admissible is not as pinned",
        ((ADMISSIBLE, f"(* (* *) {ADMISSIBLE} *)\n{EMPTY.replace('Definition', 'Example')}"), IS_STEERED),
    ),
    Sabotage(
        "a notation of the section that changes a definition",
        "Decision.admissible is not as pinned",
        (
            (ADMISSIBLE, f"Local Notation \"'is_candidate'\" := (fun _ _ _ : nat => False).\n{ADMISSIBLE}"),
            (IS_STEERED[0], "Proof. apply decision_mono. intros l u c _ _ []. Qed."),
        ),
    ),
    Sabotage(
        "a notation that changes the statement",
        f"GapQuery.{NAME} is not as pinned",
        ((COMMENT, f"Local Notation gap := (fun (_ : bandit) (_ : nat) => 0).\n{COMMENT}"), (PROOF, BY_HYPOTHESIS)),
    ),
    Sabotage(
        "a definition that is shadowed by another of its name",
        f"GapQuery.{NAME} is not as pinned",
        (
            (SECTION, f"Module M. Definition gap (b : bandit) (a : nat) : R := 0. End M.\nImport M.\n{SECTION}"),
            (STEERED_IS_NEAR, BY_HYPOTHESIS),
        ),
    ),
    Sabotage(
        "a constructor that nothing meets",
        "Decision.decision is not as pinned",
        (
            (
                "separated (upper (bounds u)) (lower (bounds l)) -> decision candidate l false",
                "separated (upper (bounds u)) (lower (bounds l)) -> False -> decision candidate l false",
            ),
        ),
    ),
    Sabotage(
        "a record that nothing meets",
        "GapQuery.bandit is not as pinned",
        (("  number_of_arms : nat;\n", "  number_of_arms : nat;\n  impossible : False;\n"),),
    ),
    Sabotage(
        "a definition two files below that nothing meets",
        "Intervals.contains is not as pinned",
        (("Some y => y <= x | None => True end /\\", "Some y => y <= x | None => True end /\\ False /\\"),),
    ),
    Sabotage(
        "a proof by a recursion that does not end",
        "Bufalu.GapQuery.endless",
        (
            (SECTION, f"Unset Guard Checking.\nFixpoint endless (n : nat) : False := endless n.\n{SECTION}"),
            (PROOF, "Proof. destruct (endless 0). Qed."),
        ),
    ),
    Sabotage(
        "a proof by a type that is no type",
        "rests on Bufalu.GapQuery.curry",
        (
            (
                SECTION,
                "Unset Positivity Checking.\nInductive curry := Curry (f : curry -> False).\n"
                "Definition no (c : curry) : False := match c with Curry f => f c end.\n" + SECTION,
            ),
            (PROOF, "Proof. destruct (no (Curry no)). Qed."),
        ),
    ),
)


@pytest.mark.parametrize("sabotage", UNTIED, ids=lambda sabotage: sabotage.what)
def test_a_changed_tie_is_noticed_without_coq(
    sabotage: Sabotage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COQC", "a-compiler-that-is-not-there")
    _is_noticed(sabotage, tmp_path)


@pytest.mark.coq
@pytest.mark.nightly
@pytest.mark.parametrize("sabotage", BUILT, ids=lambda sabotage: sabotage.what)
def test_a_changed_theorem_is_noticed(sabotage: Sabotage, tmp_path: Path) -> None:
    _is_noticed(sabotage, tmp_path)


@pytest.mark.coq
@pytest.mark.nightly
def test_honest_files_have_no_objection(tmp_path: Path) -> None:
    found = objections(development(tmp_path / "files", TEXTS), tmp_path, kernel.pinned())
    assert found[CLAIM] == found[OTHER] == []


LOOKALIKE = """\
Definition even (n : nat) : Prop := exists m, n = m + m.
Definition tidy : nat -> Prop := even.
(** says: twice a number is tidy
    paper: beyond the paper
    settles: first.claim *)
Theorem twice_is_tidy n : tidy (n + n).
Proof. exists n. reflexivity. Qed.
"""


@pytest.mark.coq
def test_a_name_that_looks_like_another_is_noticed(tmp_path: Path) -> None:
    """Coq takes a non-breaking space for a letter, and who strips or splits lines takes it for a space."""
    pin = pinned_as_it_is(small_development(tmp_path / "honest", LOOKALIKE), tmp_path)
    other = "even\u00a0"
    text = LOOKALIKE.replace(":= even.", f":= {other}.").replace("exists n. reflexivity", "exact I")
    text = f"Definition {other} (n : nat) : Prop := True.\n{text}"
    (found,) = objections(small_development(tmp_path / "files", text), tmp_path, pin)["first.claim"]
    assert found.verdict is Verdict.REFUTED
    assert "looks like another" in found.detail


def _is_noticed(sabotage: Sabotage, tmp_path: Path) -> None:
    found = objections(development(tmp_path / "files", sabotage.done()), tmp_path, kernel.pinned())[sabotage.claim]
    assert Verdict.REFUTED in {each.verdict for each in found}, f"not noticed: {sabotage.what}"
    assert any(sabotage.noticed in each.detail for each in found), [each.detail for each in found]
