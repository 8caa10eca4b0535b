"""A small Coq development for tests that break it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bufalu.properties.claims.evidence import Evidence
from bufalu.properties.coq import kernel
from bufalu.properties.coq.building import as_one_unit, default_cache, find_coqc, once, version_of
from bufalu.properties.coq.pin import PINNED, Pin
from bufalu.reference.errors import BufaluError
from tests.properties.coq.dialogue import dialogue

SMALL = """\
Definition even (n : nat) : Prop := exists m, n = m + m.
(** says: twice a number is even
    paper: beyond the paper
    settles: first.claim *)
Theorem twice_is_even n : even (n + n).
Proof. exists n. reflexivity. Qed.
(** says: zero is even
    paper: beyond the paper
    settles: second.claim *)
Theorem zero_is_even : even 0.
Proof. exists 0. reflexivity. Qed.
"""


def small_development(directory: Path, text: str = SMALL) -> Path:
    """A development of one file."""
    return development(directory, {"Small.v": text})


def development(directory: Path, texts: Mapping[str, str]) -> Path:
    """A development of these files."""
    directory.mkdir()
    for name, text in texts.items():
        (directory / name).write_text(text, encoding="utf-8")
    (directory / "_CoqProject").write_text("".join(f"{name}\n" for name in texts), encoding="utf-8")
    return directory


def kernel_says(directory: Path, place: Path) -> kernel.KernelReport:
    """What the kernel says about a development, with a cache in `place`."""
    return kernel.check_proofs(directory, "", place / "cache")


def pinned_as_it_is(directory: Path, place: Path) -> Pin:
    """What the kernel says about a development, written down and read."""
    pin = directory / PINNED
    pin.write_text(kernel_says(directory, place).found.text(), encoding="utf-8")
    return kernel.pinned(directory)


def objections(directory: Path, place: Path, pin: Pin) -> dict[str, list[Evidence]]:
    """What the audit would hold against each claim that the development or the pin has a theorem for."""
    outcome: kernel.KernelReport | BufaluError
    try:
        outcome = kernel_says(directory, place)
        told = outcome.found.ties
    except BufaluError as problem:
        outcome, told = problem, {}
    found: dict[str, list[Evidence]] = {claim: [] for claim in (*told, *pin.ties)}
    for theorem, claims in kernel.speaking(told, pin.ties).items():
        objection = kernel.judged(outcome, pin, theorem, claims)
        for claim in claims:
            found[claim] += [objection] if objection else []
    return found


def answers(texts: Mapping[str, str]) -> str:
    """What one Coq says to the files, in one line (`dialogue`). The same files are not asked about twice."""
    compiler = find_coqc()
    assert compiler is not None
    asked = as_one_unit(texts).text

    def ask() -> str:
        return " ".join(dialogue(compiler, asked).split())

    return once(default_cache(), ["coqtop", version_of(compiler), asked], ask)[0]
