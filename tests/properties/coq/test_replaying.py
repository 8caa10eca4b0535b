"""A proof is told again sentence by sentence, with what is left after each, and without Coq as it is written."""

import pytest

from bufalu.properties.coq.asking import sentences
from bufalu.properties.coq.replaying import ProofStep, replayed, written_proofs, written_statements

FILE = """\
(** Two facts. *)
Lemma first n : n + 0 = n.
Proof. (* by (* plain. *) induction. *) induction n as [|n IH].
  - reflexivity.
  - simpl. now rewrite IH.
Qed.

Definition two := 2.
Theorem second : two = 1 + 1.
Proof. reflexivity. Qed.
"""


def test_sentences_are_read_without_comments() -> None:
    proofs = written_proofs(FILE)
    assert list(proofs) == ["first", "second"]
    assert [step.sentence for step in proofs["first"]] == [
        "Proof.",
        "induction n as [|n IH].",
        "- reflexivity.",
        "- simpl.",
        "now rewrite IH.",
        "Qed.",
    ]
    assert written_statements(FILE)["second"] == "second : two = 1 + 1."


def test_a_sentence_ends_with_a_full_stop_outside_strings_and_comments() -> None:
    text = 'Theorem a : 1.5 = x.(A.y). (* No. "*) Not" (* yet. *) *) Proof. - idtac "a. (* b". lra.\nQed. rest'
    assert sentences(text) == ["Theorem a : 1.5 = x.(A.y).", "Proof.", '- idtac "a. (* b".', "lra.", "Qed.", "rest"]


def test_without_coq_what_is_left_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COQC", "a-compiler-that-is-not-there")
    told = replayed({"File.v": FILE}, {"second"})
    assert told == {"second": (ProofStep("Proof."), ProofStep("reflexivity."), ProofStep("Qed."))}


@pytest.mark.coq
def test_coq_tells_what_is_left() -> None:
    told = replayed({"File.v": FILE}, {"first", "second"})
    left = {step.sentence: " ".join(step.left.split()) for step in told["first"]}
    assert left["- simpl."].endswith("IH : n + 0 = n ============================ S (n + 0) = S n")
    assert left["induction n as [|n IH]."].startswith("2 goals")
    assert left["now rewrite IH."] == "No more goals."
    assert left["Qed."] == ""
    assert told["second"][0].left.endswith("two = 1 + 1")
