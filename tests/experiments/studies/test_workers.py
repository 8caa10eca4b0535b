"""Whoever computes a piece, and whoever dies on the way, the numbers are the same."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bufalu import BuFALU, Greedy, Instance, Study, simulate
from bufalu.experiments.studies import workers
from bufalu.experiments.studies.errors import BrokenWork, InvalidStudy
from bufalu.experiments.studies.pieces import ENGINE, REFERENCE, Piece, computed, parts_of, path_of, pieces_of
from bufalu.experiments.studies.running import Work, carried_out, run_study
from bufalu.experiments.studies.store import Memory
from bufalu.experiments.studies.workers import Processes, ThisProcess
from bufalu.reference.errors import InvalidSchedule
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import parse_schedule
from tests.experiments.studies.interrupted import CONTEXT
from tests.waiting import gone, until

ROOT = Path(__file__).resolve().parents[3]
ARMS = Instance.bernoulli([0.25, 0.5, 0.5])
STUDY = Study(
    instances=ARMS,
    policies=["bufalu", "greedy"],
    epsilons=["power:1/4", "zero", "inverse-log"],
    horizons=400,
    seeds=20,
)


def all_pieces(study=STUDY):
    return [piece for cell in study.cells() for piece in pieces_of(cell, study.seeds)]


def results(crew):
    return {piece.key: content for piece, content in crew.work(all_pieces())}


def test_the_split_changes_nothing():
    assert results(Processes(3)) == results(ThisProcess())


def test_workers_from_a_fork_server_stay_as_well(monkeypatch):
    monkeypatch.setattr(workers, "get_context", lambda: CONTEXT)
    assert results(Processes(2)) == results(ThisProcess())


def test_a_worker_that_is_killed_loses_nothing():
    crew, found, killed = Processes(2), {}, []
    for piece, content in crew.work(all_pieces()):
        found[piece.key] = content
        alive = [hand.process.pid for hand in crew._hands if hand.process.pid not in killed]
        if len(killed) < 3 and alive:
            killed.append(alive[-1])
            os.kill(killed[-1], signal.SIGKILL)
    assert len(killed) == 3
    assert found == results(ThisProcess())


def test_a_piece_that_kills_its_workers_is_given_up_with_a_word(monkeypatch):
    monkeypatch.setattr(workers, "computed", lambda text: os._exit(9))
    with pytest.raises(BrokenWork, match="5 workers died of the same piece"):
        list(Processes(2).work(all_pieces()))


def test_what_a_piece_raises_is_raised_here():
    with pytest.raises(BrokenWork, match="JSONDecodeError"):
        list(Processes(2).work([Piece("nonsense", 1), Piece("more", 1)]))
    short = Study(
        instances=ARMS, policies="bufalu", epsilons=f"file:{os.devnull}", horizons=400, seeds=2, ties="random:1"
    )
    with pytest.raises(InvalidSchedule):
        list(Processes(2).work([*all_pieces(short), *all_pieces(short)]))


def test_no_worker_is_left_when_the_consumer_stops():
    crew = Processes(2)
    work = crew.work(all_pieces())
    next(work)
    pids = [hand.process.pid for hand in crew._hands]
    work.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_workers_leave_with_the_program_that_hired_them():
    program = (
        "import os, signal\n"
        "from bufalu.experiments.studies import workers\n"
        "from bufalu.experiments.studies.pieces import Piece\n"
        # In one write: two programs share the pipe, and `print` of an unbuffered Python writes a line in two.
        "workers.computed = lambda text: (os.write(1, b'%d\\n' % os.getpid()), signal.pause())\n"
        "list(workers.Processes(2).work([Piece('a', 1), Piece('b', 1)]))\n"
    )
    employer = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    pids = {int(employer.stdout.readline()) for _ in range(2)}
    assert len(pids) == 2
    employer.kill()
    employer.communicate()
    until(lambda: all(gone(pid) for pid in pids))


def reference_counts(policy, epsilon, seed, horizon):
    rounds = list(simulate(policy, ARMS, parse_schedule(epsilon), horizon, SeededRewards(ARMS, seed)))
    plays = [sum(r.arm == arm for r in rounds) for arm in (1, 2, 3)]
    return plays, sum(r.query for r in rounds)


def test_every_policy_meets_the_rewards_of_the_reference():
    runs = run_study(STUDY)
    for cell in runs.cells:
        assert runs.paths[cell] == ENGINE
        counts, make = runs.counts(cell), {"bufalu": BuFALU, "greedy": Greedy}[cell.policy]
        for seed in (0, 7):
            plays, queries = reference_counts(make(3), cell.epsilon, seed, 400)
            assert counts.arm_plays[seed].tolist() == plays
            assert counts.final_queries[seed] == queries
            assert counts.final_regret[seed] == 0.25 * plays[0]


def test_random_ties_are_the_references_and_can_be_played_again():
    study = Study(
        instances=ARMS, policies="bufalu", epsilons="power:1/4", horizons=150, seeds=4, ties=["first", "random:11"]
    )
    runs = run_study(study)
    fixed, random = runs.cells
    assert (runs.paths[fixed], runs.paths[random]) == (ENGINE, REFERENCE)
    counts = runs.counts(random)
    assert counts.resolved == 4 * 150
    for seed in range(4):
        plays, queries = reference_counts(BuFALU(3, ties=f"random:{11 + seed}"), "power:1/4", seed, 150)
        assert counts.arm_plays[seed].tolist() == plays
        assert counts.final_queries[seed] == queries
    assert not np.array_equal(counts.arm_plays, runs.counts(fixed).arm_plays)


def test_a_horizon_out_of_reach_is_refused_with_the_limit_and_the_reason():
    far = Study(
        instances=ARMS, policies="bufalu", epsilons="zero", horizons=10**9, seeds=1, ties=["first", "random:1"]
    )
    fast, slow = far.cells()
    assert path_of(fast) == ENGINE
    with pytest.raises(InvalidStudy, match=r"at most 100,000,000 rounds a run.*breaks ties"):
        path_of(slow)


def test_curves_end_at_the_horizon_and_never_fall():
    runs = run_study(STUDY)
    for cell in runs.cells:
        counts = runs.counts(cell)
        assert (np.diff(counts.queries, axis=0) >= 0).all()
        assert (np.diff(counts.regret, axis=0) >= 0).all()
        assert np.array_equal(counts.queries[-1], counts.arm_queries.sum(axis=1))
        assert (counts.arm_plays.sum(axis=1) == 400).all()


def test_pieces_begin_small_and_have_every_seed_once():
    found = [*parts_of(200, 16, 64)]
    assert [len(part) for part in found] == [16, 16, 32, 64, 64, 8]
    assert [seed for part in found for seed in part] == [*range(200)]
    assert [len(part) for part in parts_of(5, 1, 1)] == [1] * 5
    assert [*parts_of(0, 16, 64)] == []


def test_who_stops_after_a_moment_keeps_something():
    """A second of the engine is a hundred million rounds and more; the first piece to be stored is a twentieth of that."""
    study = Study(instances=ARMS, policies="bufalu", epsilons="zero", horizons=50_000, seeds=5_000)
    first, *rest = all_pieces(study)
    assert first.rounds <= 5_000_000 < ENGINE.rounds // 2 < max(piece.rounds for piece in rest) <= ENGINE.rounds
    assert len(rest) < 20
    kept, crew = Memory(), Stopping()
    with pytest.raises(KeyboardInterrupt):
        carried_out(Work((first, *rest), (first, *rest)), kept, crew)
    assert kept.load(first) is not None and all(kept.load(piece) is None for piece in rest)


class Stopping:
    """Ctrl-C comes as soon as a piece is stored."""

    def work(self, pieces):
        yield pieces[0], computed(pieces[0].text)
        raise KeyboardInterrupt
