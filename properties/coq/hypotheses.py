"""Which hypotheses of its section each proof uses, as the compiler notes it: a theorem goes on to say what these say.

So a proof can be left out for those who put something else to Coq, and its theorem says the same without it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from bufalu.properties.coq.building import Unit
from bufalu.properties.coq.replaying import PROVED

_NOTED = re.compile(r'^(\d+) \d+ context_used "([^"]*)"$', flags=re.MULTILINE)


def used_by_proofs(unit: Unit, noted: str) -> dict[str, str]:
    """The hypotheses that each proof uses, by the place of its theorem, from what the compiler noted beside the unit."""
    text = unit.text.encode().decode("latin-1")  # the compiler counts in bytes
    notes = [(int(place), names) for place, names in _NOTED.findall(noted)]
    found: dict[str, str] = {}
    for proved in PROVED.finditer(text):
        file, _ = unit.place(text.count("\n", 0, proved.start()) + 1)
        if inside := [names for place, names in notes if proved.start(3) <= place < proved.end()]:
            found[f"{file.removesuffix('.v')}.{proved[1]}"] = " ".join(inside).strip()
    return found


def without_proofs(file: str, text: str, used: Mapping[str, str], kept: Collection[str] = ()) -> str:
    """A text of a file with its proofs left out, but for those of the theorems that are kept.

    Raises `KeyError` if it is not known what one uses.
    """

    def left_out(found: re.Match[str]) -> str:
        if found[1] in kept:
            return found[0]
        names = used[f"{file.removesuffix('.v')}.{found[1]}"]
        return f"{found[0][: found.start(3) - found.start()]}Proof using {names}. Admitted."

    return PROVED.sub(left_out, text)
