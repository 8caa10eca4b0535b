"""Every wrong claim is refuted by the check of the right one, and every check refutes something."""

import pytest

from bufalu.properties.mutants.wrong_statements import CLAIM_MUTANTS, ClaimMutant
from bufalu.properties.runs.checks import CHECKS


def test_there_are_many_and_their_names_are_unique() -> None:
    assert len(CLAIM_MUTANTS) >= 40
    assert len({mutant.id for mutant in CLAIM_MUTANTS}) == len(CLAIM_MUTANTS)


def test_every_pathwise_check_kills_something() -> None:
    assert {mutant.check for mutant in CLAIM_MUTANTS} == {check.name for check in CHECKS}


@pytest.mark.kills(*(mutant.check for mutant in CLAIM_MUTANTS))
@pytest.mark.parametrize("mutant", CLAIM_MUTANTS, ids=lambda mutant: mutant.id)
def test_wrong_claim_is_refuted(mutant: ClaimMutant) -> None:
    account = mutant.killed()
    assert account is not None, f"{mutant.check} does not notice: {mutant.description}"
    assert account
