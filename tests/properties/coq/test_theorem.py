"""What stands above a theorem is read as it is written, and what cannot be read or does not fit together is refused."""

import pytest

from bufalu.properties.coq.theorem import (
    BrokenVersion,
    Part,
    Theorem,
    UnreadableComment,
    broken_versions_in,
    theorems_in,
)

COMMENT = """(** Not needed to understand it.
    says: one is
      one
    paper: l.1
    differs: none
    settles: first; second (1 of 2)
    breaks: "1 = 1" to "1 = 2" *)
Theorem one : 1 = 1."""
OTHER = "(** says: two\n    paper: beyond the paper\n    settles: second (2 of 2) *)\nLemma two : True."
LEMMA = '(** breaks: "True" to "False" *)\nLemma small : True.'


def test_fields_and_names_are_read() -> None:
    texts = {"A.v": f"(** A file. *)\n{COMMENT}\nProof. auto. Qed.\n(** A word. *)\n{LEMMA}", "B.v": OTHER}
    one, two = theorems_in(texts)
    broken = BrokenVersion("1 = 1", "1 = 2")
    parts = (Part("first"), Part("second", 1, 2))
    assert one == Theorem("one", "A.v", "l.1", "one is one", "none", parts, broken=broken)
    assert one.mutants == {"1 = 2 for 1 = 1": {"broken": broken}}
    assert (two.claims, two.differs) == (("second",), "not in the paper")
    assert broken_versions_in(texts["A.v"]) == {
        "one": broken,
        "small": BrokenVersion("True", "False"),
    }


def test_what_only_refutes_is_read() -> None:
    (theorem,) = theorems_in(
        {"A.v": "(** says: no\n paper: l.1\n differs: all\n refutes: a; b *)\nTheorem t : True."}
    )
    assert (theorem.claims, theorem.refutes) == ((), ("a", "b"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (COMMENT, "the theorems that settle second are 1 of 2"),
        (f"{OTHER}\n{COMMENT}", "the theorems that settle second are 2 of 2, 1 of 2"),
        (f"{COMMENT}\n{OTHER.replace('2 of 2', '2 of 3')}", "1 of 2, 2 of 3"),
        (f"{COMMENT}\n{OTHER.replace(' (2 of 2)', '')}", "1 of 2, 1 of 1"),
        (f"{COMMENT}\n{OTHER.replace('Lemma two', 'Lemma one')}", "two theorems are called one"),
        (OTHER.replace("    paper: beyond the paper\n", ""), "does not say which lines"),
        (OTHER.replace("beyond the paper", "l.1"), "if and only if it is in the paper"),
        (OTHER.replace("paper\n", "paper\n differs: none\n"), "if and only if it is in the paper"),
        (OTHER.replace("(2 of 2)", "(all)"), "is not a claim"),
        (OTHER.replace("settles", "says"), "each once, in this order"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnreadableComment, match=message.replace("(", r"\(").replace(")", r"\)")):
        theorems_in({"A.v": text})


@pytest.mark.parametrize("version", ['"True" to "True"', "True to False"])
def test_a_broken_version_that_is_none_is_refused(version: str) -> None:
    with pytest.raises(UnreadableComment, match="is not of the form"):
        broken_versions_in(LEMMA.replace('"True" to "False"', version))
