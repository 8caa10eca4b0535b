"""The shipped matrix of claims and mutants is what the tool writes: same mutants, and some rows played again."""

from importlib.resources import files

import pytest

from bufalu.oracle.known_bugs import KNOWN_BUGS
from bufalu.properties.mutants.matrix import STATEMENTS, judge
from bufalu.properties.mutants.shipped_matrix import GAMES, shipped_matrix
from bufalu.properties.runs.corpus import corpus

REPLAYED = 4


def test_the_shipped_matrix_has_every_mutant_and_knows_the_statements():
    text = files("bufalu.properties.mutants").joinpath("kills.txt").read_text(encoding="utf-8")
    lines = [line.split(": ") for line in text.splitlines()]
    assert [mutant for mutant, _ in lines] == [mutant.id for mutant in KNOWN_BUGS]
    assert {name for _, names in lines for name in names.split()} <= {statement.name for statement in STATEMENTS}
    assert [" ".join(row.killed_by) for row in shipped_matrix().bugs] == [names for _, names in lines]


@pytest.mark.parametrize("place", range(REPLAYED))
def test_rows_of_the_shipped_matrix_come_out_again(place):
    rows = [row for row in shipped_matrix().bugs if row.policy == "bufalu" and row.confidence == "hoeffding"]
    row = rows[place * (len(rows) - 1) // (REPLAYED - 1)]
    (mutant,) = [mutant for mutant in KNOWN_BUGS if mutant.id == row.mutant]
    assert judge(mutant, row.policy, row.confidence, corpus(row.policy, row.confidence, GAMES)) == row
