"""A small Coq development with the names of the catalogue, for tests that break it."""

from __future__ import annotations

from pathlib import Path

from bufalu.properties.coq import checks as kernel
from bufalu.properties.coq.statements import PINNED, Statements, used_definitions
from bufalu.properties.coq.theorems import THEOREMS


def small_development(
    directory: Path, statement: str, proof: str = "Proof. exact I. Qed.", preamble: str = ""
) -> Path:
    """A development of one file in which every theorem says `statement`, and its pinned text says so too."""
    directory.mkdir()
    comment = "(** says: something\n    paper: beyond the paper *)"
    theorems = "\n".join(f"{comment}\nTheorem {theorem.name} : {statement}. {proof}" for theorem in THEOREMS)
    text = f"{preamble}\n{theorems}\n"
    (directory / "Theorems.v").write_text(text, encoding="utf-8")
    (directory / "_CoqProject").write_text("Theorems.v\nAssumptions.v\n", encoding="utf-8")
    says = {theorem.name: f"     : {statement}" for theorem in THEOREMS}
    pinned = Statements(says, used_definitions({"Theorems.v": text}, says.values()))
    (directory / PINNED).write_text(pinned.text(), encoding="utf-8")
    return directory


def kernel_says(directory: Path, place: Path) -> kernel.KernelReport:
    """What the kernel says about the development, with a cache in `place`."""
    return kernel.check_proofs(directory, "", place / "cache")
