"""The theorems of the Coq development, and the file that asks Coq what they say and what they rest on."""

from __future__ import annotations

import textwrap
from pathlib import Path

from bufalu.properties.coq.theorem import Theorem, theorems_in
from bufalu.properties.coq.vectors import CONCLUSION

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
"""The directory of the `.v` files, in the repository and in an installed package."""

VECTORS = "Vectors.v"
ASSUMPTIONS = "Assumptions.v"
MADE = (VECTORS, ASSUMPTIONS)
"""Files that are made for every build, and not kept."""

STANDARD_AXIOMS = frozenset(
    {
        "ClassicalDedekindReals.sig_not_dec",
        "ClassicalDedekindReals.sig_forall_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""The axioms behind Coq's own real numbers. No theorem may rest on anything else."""

EVERY_THEOREM = "every_theorem"
"""The Coq name of all theorems taken together."""

_VOCABULARY = (
    "Decision",
    "Expectation",
    "Experiment",
    "Intervals",
    "Laws",
    "Runs",
    "Sums",
    "Tables",
    "TotalExpectation",
    "Witness",
)
"""Files whose names the statements use: imported, so that Coq prints them without the name of the file."""


def ordered_files(directory: Path) -> tuple[str, ...]:
    """The files of `_CoqProject`, in the order in which they must be compiled."""
    lines = (directory / "_CoqProject").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line.endswith(".v"))


def written_texts(directory: Path) -> dict[str, str]:
    """Every file that is written by hand, in the order of the build."""
    names = [name for name in ordered_files(directory) if name not in MADE]
    return {name: (directory / name).read_text(encoding="utf-8") for name in names}


def catalogue(directory: Path = PROOFS) -> tuple[Theorem, ...]:
    """The theorems of a development in the order of its files, by the comments above them."""
    texts = written_texts(directory)
    ordered = [name for name in ordered_files(directory) if name != ASSUMPTIONS]
    return theorems_in({name: CONCLUSION if name == VECTORS else texts[name] for name in ordered})


THEOREMS: tuple[Theorem, ...] = catalogue()


def assumptions_source(directory: Path = PROOFS) -> str:
    """The text of `Assumptions.v`: asks Coq what the theorems of a development say and what they rest on."""
    theorems = catalogue(directory)
    known = {name.removesuffix(".v") for name in ordered_files(directory)}
    imported = sorted(known & {*_VOCABULARY, *(theorem.file.removesuffix(".v") for theorem in theorems)})
    together = ",\n   ".join(f"@{theorem.name}" for theorem in theorems)
    return "\n".join(
        (
            "(** What the theorems say; and what they rest on, all together: the axioms of Coq's own reals. *)",
            "",
            "From Coq Require Import Reals QArith List.",
            textwrap.fill(f"From Bufalu Require Import {' '.join(imported)}.", 100, subsequent_indent="  "),
            "",
            "Open Scope R_scope.",
            "Set Printing Width 118.",
            *(f"Check @{theorem.name}." for theorem in theorems),
            "",
            f"Definition {EVERY_THEOREM} :=",
            f"  ({together}).",
            "",
            f"Print Assumptions {EVERY_THEOREM}.",
            "",
        )
    )


if __name__ == "__main__":
    print(assumptions_source(), end="")
