"""What is known about a theorem of the Coq development besides its proof."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theorem:
    """A theorem of `proofs/`. `says` names quantifiers and hypotheses; `differs`, every difference from the print.

    `claims` are those that it settles, by itself or together with the other theorems that name them. A theorem that
    only supports others, or whose hypotheses hold what should be proved, has none. `refutes` are claims, wrong as
    printed, to which it is a counterexample.
    """

    name: str
    file: str
    lines: str
    says: str
    differs: str
    claims: tuple[str, ...]
    refutes: tuple[str, ...] = ()
