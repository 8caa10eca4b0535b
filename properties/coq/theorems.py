"""The theorems of the Coq development, and the file that asks Coq what they say and what they rest on."""

from __future__ import annotations

import textwrap

from bufalu.properties.coq import (
    theorems_bernstein,
    theorems_dial,
    theorems_general,
    theorems_intervals,
    theorems_lower,
)
from bufalu.properties.coq.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = (
    *theorems_general.THEOREMS,
    *theorems_intervals.THEOREMS,
    *theorems_bernstein.THEOREMS,
    *theorems_dial.THEOREMS,
    *theorems_lower.THEOREMS,
)

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
    "FiniteSpace",
    "Intervals",
    "Runs",
    "Sums",
    "Tables",
    "Witness",
)
"""Files whose names the statements use: imported, so that Coq prints them without the name of the file."""


def assumptions_source() -> str:
    """The text of `proofs/Assumptions.v`: asks Coq what the theorems say and what they rest on."""
    files = sorted({*_VOCABULARY, *(theorem.file.removesuffix(".v") for theorem in THEOREMS)})
    together = ",\n   ".join(f"@{theorem.name}" for theorem in THEOREMS)
    return "\n".join(
        (
            "(** What the theorems say; and what they rest on, all together: the axioms of Coq's own reals.",
            "    Written by `python -m bufalu.properties.coq.theorems`, never by hand. *)",
            "",
            "From Coq Require Import Reals QArith List.",
            textwrap.fill(f"From Bufalu Require Import {' '.join(files)}.", 100, subsequent_indent="  "),
            "",
            "Open Scope R_scope.",
            "Set Printing Width 118.",
            *(f"Check @{theorem.name}." for theorem in THEOREMS),
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
