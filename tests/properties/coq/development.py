"""A small Coq development with the names of the catalogue, for tests that break it; and one process for many attempts."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from bufalu.properties.coq import checks as kernel
from bufalu.properties.coq.building import as_one_unit, default_cache, find_coqc, once, version_of
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


def answers(texts: Mapping[str, str]) -> str:
    """What one Coq says to the files, sentence by sentence: it goes on after an error, as the compiler does not.

    Goals are not shown; the prompt names the theorem that is being proved. The same files are not asked about twice.
    """
    compiler = find_coqc()
    assert compiler is not None
    asked = f"Set Silent.\n{as_one_unit(texts).text}"

    def ask() -> str:
        top = Path(compiler).with_name("coqtop")
        done = subprocess.run([top, "-q"], input=asked, capture_output=True, encoding="utf-8", check=True)
        return " ".join((done.stdout + done.stderr).split())

    return once(default_cache(), ["coqtop", version_of(compiler), asked], ask)[0]
