"""The theorems of the Coq development, and the file that asks Coq what they rest on."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

from bufalu.properties.coq.asking import what_all_rest_on
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


def pinned_theorems(theorems: Iterable[Theorem]) -> tuple[str, ...]:
    """The places of the theorems whose statements are pinned.

    The parts of a conjunction are pinned within it; the vectors are written anew for every build.
    """
    known = tuple(theorems)
    within = {part for theorem in known for part in theorem.parts}
    return tuple(
        theorem.place
        for theorem in known
        if theorem.file != VECTORS and (theorem.claims or theorem.name not in within)
    )


def assumptions_source() -> str:
    """The text of `Assumptions.v`, for a build of single files: asks Coq what the theorems rest on, all together."""
    places = [theorem.place for theorem in THEOREMS]
    files = textwrap.fill(" ".join(dict.fromkeys(place.partition(".")[0] for place in places)), 100)
    return f"From Bufalu Require\n{files}.\n\n{what_all_rest_on(places)}"


if __name__ == "__main__":
    print(assumptions_source(), end="")
