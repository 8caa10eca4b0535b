"""The matrix of claims and mutants that is shipped with the package, so that a report need not wait minutes for it.

`shipped_matrix.json` is written only by `bufalu mutants --json`; a test plays some of its rows again.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TypedDict

from bufalu.properties.mutants.matrix import Matrix, Verdicts

GAMES = 8
"""How many games beside the directed ones each mutant played for the shipped matrix; the seed is 0."""


class _Row(TypedDict):
    mutant: str
    description: str
    place: str
    policy: str
    confidence: str
    games: int
    killed_by: list[str]
    survived: list[str]


class _WrongClaim(TypedDict):
    mutant: str
    description: str
    killed_by: str


class _Data(TypedDict):
    statements: list[str]
    mutants: list[_Row]
    wrong_claims: list[_WrongClaim]


def shipped_matrix() -> Matrix:
    """The matrix in the package's own data file."""
    text = files("bufalu.properties.mutants").joinpath("shipped_matrix.json").read_text(encoding="utf-8")
    data: _Data = json.loads(text)
    rows = tuple(
        Verdicts(
            row["mutant"],
            row["description"],
            row["place"],
            row["policy"],
            row["confidence"],
            row["games"],
            tuple(row["killed_by"]),
            tuple(row["survived"]),
        )
        for row in data["mutants"]
    )
    wrong = tuple((claim["mutant"], claim["description"], claim["killed_by"]) for claim in data["wrong_claims"])
    return Matrix(tuple(data["statements"]), rows, wrong)
