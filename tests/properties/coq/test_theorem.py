"""What stands above a theorem is read as it is written, and what cannot be read or does not fit together is refused."""

import pytest

from bufalu.properties.coq.theorem import (
    BrokenVersion,
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
    settles: first; second
    breaks: "1 = 1" to "1 = 2" *)
Theorem one : 1 = 1."""
OTHER = "(** says: two\n    paper: beyond the paper\n    settles: third *)\nLemma two : True."
LEMMA = '(** breaks: "True" to "False" *)\nLemma small : True.'


def test_fields_and_names_are_read() -> None:
    texts = {"A.v": f"(** A file. *)\n{COMMENT}\nProof. auto. Qed.\n(** A word. *)\n{LEMMA}", "B.v": OTHER}
    one, two = theorems_in(texts)
    broken = BrokenVersion("1 = 1", "1 = 2")
    assert one == Theorem("one", "A.v", "l.1", "one is one", "none", ("first", "second"), broken=(broken,))
    assert one.mutants == {"1 = 2 for 1 = 1": {"broken": broken}}
    assert (two.place, two.claims, two.differs) == ("B.two", ("third",), "not in the paper")
    assert broken_versions_in(texts["A.v"]) == {
        "one": broken,
        "small": BrokenVersion("True", "False"),
    }


def test_what_only_refutes_is_read() -> None:
    (theorem,) = theorems_in(
        {"A.v": "(** says: no\n paper: l.1\n differs: all\n refutes: a; b *)\nTheorem t : True."}
    )
    assert (theorem.settles, theorem.refutes, theorem.claims) == ((), ("a", "b"), ("a", "b"))


BOTH = "(** settles: both *)\nDefinition both :=\n  conj (@one) (conj (@two)\n  (@one))."


def test_a_conjunction_says_what_its_parts_say() -> None:
    *_, both = theorems_in({"A.v": COMMENT, "B.v": f"{OTHER}\n{BOTH}"})
    assert both == Theorem(
        "both",
        "B.v",
        "l.1; beyond the paper",
        "one is one; and two; and one is one",
        "none",
        ("both",),
        broken=(BrokenVersion("1 = 1", "1 = 2"),) * 2,
        parts=("one", "two", "one"),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{COMMENT}\n{OTHER.replace('third', 'second')}", "second has two theorems, one and two"),
        (OTHER.replace("third", "third (2 of 2)"), "'third (2 of 2)' is not a claim"),
        (COMMENT.replace("first;", "second;"), "second has two theorems, one and one"),
        (COMMENT.replace("breaks", "refutes: first\n    breaks"), "first has two theorems, one and one"),
        (f"{COMMENT}\n{BOTH}", "both does not settle or refute claims by theorems of the catalogue alone"),
        (f"{COMMENT}\n{OTHER}\n{BOTH.replace('settles', 'says')}", "both does not settle or refute claims"),
        (f"{COMMENT}\n{OTHER.replace('Lemma two', 'Lemma one')}", "two theorems are called one"),
        (OTHER.replace("    paper: beyond the paper\n", ""), "does not say which lines"),
        (OTHER.replace("beyond the paper", "l.1"), "if and only if it is in the paper"),
        (OTHER.replace("paper\n", "paper\n differs: none\n"), "if and only if it is in the paper"),
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
