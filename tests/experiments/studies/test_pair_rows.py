"""Studies of the pair rule: the engine plays what the reference plays, seed by seed, and a second run finds it stored."""

from fractions import Fraction

import numpy as np

from bufalu import studies
from bufalu.experiments.studies.counts import decoded
from bufalu.experiments.studies.pieces import ENGINE, REFERENCE, computed, path_of, pieces_of
from bufalu.experiments.studies.study import Study
from bufalu.reference.instances import Instance
from bufalu.studies import compare

ARMS = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2), Fraction(1, 2)])
STUDY = Study(
    instances=ARMS,
    policies=["pairs:1", "pairs:2", "pairs:7/3:2"],
    epsilons=["zero", "power:1/4"],
    ties=["first", "last"],
    horizons=400,
    seeds=3,
)


def test_both_ways_play_the_same_runs():
    for cell in STUDY.cells():
        assert path_of(cell) is ENGINE
        ways = [
            [decoded(computed(piece.text)) for piece in pieces_of(cell, 3, 5, way)] for way in (ENGINE, REFERENCE)
        ]
        for fast, exact in zip(*ways, strict=True):
            assert all(np.array_equal(*pair) for pair in zip(fast[:4], exact[:4], strict=True))


def test_a_study_of_pairs_is_stored_and_taken_up_again(tmp_path, monkeypatch):
    study, heard = Study(instances=ARMS, policies=STUDY.policies, epsilons="zero", horizons=400, seeds=3), []
    first = compare(study, out=tmp_path / "pairs", report=lambda work, _: heard.append(len(work.missing)))
    monkeypatch.setattr(studies, "draw_study", lambda summary, folder: [])  # the same pictures once more
    again = compare(study, out=tmp_path / "pairs", report=lambda work, _: heard.append(len(work.missing)))
    assert heard[0] == len(study.cells()) and heard[-1] == 0
    for one, other in zip(first.summary.cells, again.summary.cells, strict=True):
        assert np.array_equal(one.final_queries, other.final_queries)
        assert (one.regret, one.queries) == (other.regret, other.queries)
