"""The shipped matrix of claims and mutants is what the tool writes: same mutants, and some rows played again."""

import pytest

from bufalu.oracle.known_bugs import KNOWN_BUGS
from bufalu.properties.mutants.matrix import STATEMENTS, all_settings, corpus, judge
from bufalu.properties.mutants.shipped_matrix import GAMES, shipped_matrix
from bufalu.properties.mutants.wrong_statements import CLAIM_MUTANTS
from bufalu.properties.runs.directed_scenarios import directed_scenarios

REPLAYED = 4


def test_the_shipped_matrix_has_every_mutant_and_statement():
    matrix = shipped_matrix()
    assert matrix.statements == tuple(statement.name for statement in STATEMENTS)
    expected = [(mutant.id, *setting) for mutant, setting in all_settings(full=False)]
    assert [(row.mutant, row.policy, row.confidence) for row in matrix.bugs] == expected
    played = {(row.policy, row.confidence): row.games for row in matrix.bugs}
    assert matrix.wrong_claims == tuple((wrong.id, wrong.description, wrong.check) for wrong in CLAIM_MUTANTS)
    assert played == {setting: len(directed_scenarios(*setting)) + GAMES for setting in played}


@pytest.mark.parametrize("place", range(REPLAYED))
def test_rows_of_the_shipped_matrix_come_out_again(place):
    rows = [row for row in shipped_matrix().bugs if row.policy == "bufalu" and row.confidence == "hoeffding"]
    row = rows[place * (len(rows) - 1) // (REPLAYED - 1)]
    (mutant,) = [mutant for mutant in KNOWN_BUGS if mutant.id == row.mutant]
    assert judge(mutant, row.policy, row.confidence, corpus(row.policy, row.confidence, GAMES)) == row
