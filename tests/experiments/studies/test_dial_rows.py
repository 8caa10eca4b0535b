"""At its ends the dial reproduces the rows of BuFALU and BuFAU, seed by seed, on the paper's instances and schedules."""

import numpy as np
import pytest

from bufalu.experiments.paper.printed import MULTIPLE, SCHEDULES, UNIQUE
from bufalu.experiments.studies.study import Study
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_rational
from bufalu.studies import compare


@pytest.mark.parametrize("means", [UNIQUE, MULTIPLE])
def test_the_ends_of_the_dial_are_the_rows_of_bufalu_and_bufau(means):
    instance = Instance.bernoulli([parse_rational(mean) for mean in means])
    policies = ["bufalu", "dial:1", "dial:1/2", "dial:0", "bufau"]
    study = Study(instances=instance, policies=policies, epsilons=SCHEDULES, horizons=3_000, seeds=6)
    for setting in compare(study).summary.settings():
        found = {cell.cell.policy: (cell.final_regret, cell.final_queries) for cell in setting}
        for end, paper in (("dial:1", "bufalu"), ("dial:0", "bufau")):
            assert all(np.array_equal(*pair) for pair in zip(found[end], found[paper], strict=True))
        between, wide = found["dial:1/2"], found["bufalu"]
        assert not all(np.array_equal(*pair) for pair in zip(between, wide, strict=True))
