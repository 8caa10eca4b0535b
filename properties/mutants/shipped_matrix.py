"""The matrix of claims and mutants as the report of an audit shows it, without playing the games again for a minute.

`kills.txt` has what the games decided and nothing else: a line for each mutant, with the statements that kill it. All else
comes from the code. `python -m bufalu.properties.mutants.shipped_matrix` prints it; a test plays some of its rows again.
"""

from __future__ import annotations

from importlib.resources import files

from bufalu.oracle.known_bugs import KNOWN_BUGS
from bufalu.properties.mutants.matrix import Matrix, build_matrix, matrix_of, settings_of, verdicts
from bufalu.properties.runs.directed_scenarios import directed_scenarios

GAMES = 8
"""How many games beside the directed ones each mutant played; the seed is 0."""


def shipped_matrix() -> Matrix:
    """The matrix by the package's own record of who kills whom; raises `KeyError` for a mutant without a line."""
    text = files("bufalu.properties.mutants").joinpath("kills.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines())
    killers = {mutant: frozenset(names.split()) for mutant, _, names in lines}
    rows = []
    for mutant in KNOWN_BUGS:
        ((policy, confidence),) = settings_of(mutant, full=False)
        games = len(directed_scenarios(policy, confidence)) + GAMES
        rows.append(verdicts(mutant, policy, confidence, games, killers[mutant.id]))
    return matrix_of(rows)


if __name__ == "__main__":
    for row in build_matrix(GAMES).bugs:
        print(f"{row.mutant}: {' '.join(row.killed_by)}")
