"""A study on a real Dask cluster: a scheduler and workers in processes of their own, two of which are killed."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bufalu import Instance, Study, compare
from bufalu.experiments.studies import cluster, pieces
from bufalu.experiments.studies.cluster import cluster_crew
from bufalu.experiments.studies.errors import BrokenWork, DifferentCode, StudiesUnavailable
from bufalu.experiments.studies.pieces import pieces_of

ROOT = Path(__file__).resolve().parents[3]
STUDY = Study(
    instances=Instance.bernoulli([0.25, 0.5]),
    policies=["bufalu", "greedy"],
    epsilons=["power:1/4", "zero"],
    horizons=200,
    seeds=4,
    ties=["first", "random:3"],
)


def start(*command):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + command[0], *command[1:]],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def worker(address, folder, *options):
    return start("dask_worker", address, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder), *options)


pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch):
    """On a busy machine a worker takes minutes to start: only pytest's own limit is about time."""
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 600)
    monkeypatch.setattr(cluster, "WORKERS_SECONDS", 600)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """The address of a scheduler, and the two workers that it begins with."""
    folder = tmp_path_factory.mktemp("dask")
    program = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    address = None
    for line in program.stderr:
        if found := re.search(r"tcp://127\.0\.0\.1:\d+", line):
            address = found.group()
            break
    assert address is not None
    workers = [worker(address, folder) for _ in range(2)]
    yield address, workers, folder
    for process in (*workers, program):
        process.kill()
        process.communicate()


def test_killed_workers_lose_nothing_and_late_ones_help(scheduler):
    address, workers, folder = scheduler
    heard = []

    def report(work, done):
        heard.append(done)
        if len(heard) == 3:
            # One dies in the middle of the work, a new one joins, and the other old one dies as well.
            os.kill(workers[0].pid, signal.SIGKILL)
            workers.append(worker(address, folder))
        if len(heard) == 6:
            os.kill(workers[1].pid, signal.SIGKILL)

    found = compare(STUDY, cluster=address, report=report)
    assert workers[0].wait() == workers[1].wait() == -signal.SIGKILL
    assert workers[2].poll() is None
    assert heard[-1] == STUDY.rounds
    assert found.rows() == compare(STUDY).rows()


def test_workers_with_another_bufalu_are_refused(scheduler, monkeypatch):
    address, workers, folder = scheduler
    workers.append(worker(address, folder))
    monkeypatch.setattr(cluster, "code_digest", lambda: "ours")
    with pytest.raises(DifferentCode, match=r"the worker tcp://.* has another bufalu .*: its code differs"):
        compare(STUDY, cluster=address)
    monkeypatch.setattr(cluster, "__version__", "99")
    with pytest.raises(DifferentCode, match=r"this is 99\. Install the same bufalu there"):
        compare(STUDY, cluster=address)
    monkeypatch.undo()
    # One that joins after the first look is told by the piece that it gets.
    with cluster_crew(address) as crew:
        monkeypatch.setattr(pieces, "code_digest", lambda: "ours")
        late = pieces_of(STUDY.cells()[0], 4)
        with pytest.raises(DifferentCode, match="the worker tcp://"):
            list(crew.work(late))


def registered(*workers):
    """Waits until the scheduler knows these workers, as each says itself.

    How many workers the scheduler counts says nothing: one that was killed before may still be among them.
    """
    for process in workers:
        assert any("Registered to:" in line for line in process.stderr)


def test_a_worker_that_hangs_or_dies_before_the_start_is_not_waited_for(scheduler, tmp_path):
    address, workers, folder = scheduler
    dying = tmp_path / "dies.py"
    dying.write_text(
        "import os\nfrom bufalu.experiments.studies import cluster\ncluster.code_here = lambda: os._exit(7)\n"
    )
    stopped = worker(address, folder)
    dead = worker(address, folder, "--preload", str(dying))
    workers += [stopped, dead]
    registered(stopped, dead)
    os.kill(stopped.pid, signal.SIGSTOP)
    # It dies of the question that the study asks it, before the second piece is taken.
    found = compare(STUDY, cluster=address, report=lambda work, done: dead.wait())
    assert dead.returncode == 7
    assert found.rows() == compare(STUDY).rows()
    os.kill(stopped.pid, signal.SIGKILL)


def test_results_that_die_with_their_workers_are_computed_again(scheduler, monkeypatch):
    import distributed

    address, workers, folder = scheduler
    stopped = worker(address, folder)
    registered(stopped)
    os.kill(stopped.pid, signal.SIGSTOP)
    finished = distributed.as_completed

    def kill_when_finished(futures, **options):
        """Beside a worker that hangs, pieces are meant for the others alone; here these die before a result is fetched."""
        one = next(finished(futures, **options))
        if futures[0].key.startswith("computed_there"):
            monkeypatch.undo()
            for process in workers:
                process.kill()
                process.wait()
            workers.append(worker(address, folder))
        return iter([one])

    monkeypatch.setattr(distributed, "as_completed", kill_when_finished)
    wanted = pieces_of(STUDY.cells()[0], 4)
    with cluster_crew(address) as crew:
        found = [piece.key for piece, _ in crew.work(wanted)]
    assert sorted(found) == sorted(piece.key for piece in wanted)
    stopped.kill()
    stopped.communicate()


def test_no_worker_that_answers_is_said(scheduler, monkeypatch):
    address, _, _ = scheduler
    monkeypatch.setattr(cluster, "WORKERS_SECONDS", 0)
    monkeypatch.setattr(cluster.Cluster, "_known_workers", lambda crew: [])
    with pytest.raises(BrokenWork, match=r"no worker of the scheduler at tcp://.* answers|has no workers"):
        compare(STUDY, cluster=address)


def test_the_schedulers_limit_is_raised(scheduler):
    from distributed import Client

    address, _, _ = scheduler
    with cluster_crew(address), Client(address, set_as_default=False) as client:
        limit = client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.allowed_failures)
    assert limit == cluster.FAILURES_ALLOWED


def test_a_cluster_of_ones_own():
    one = Study(instances=Instance.bernoulli([0.25, 0.5]), policies="bufalu", epsilons="zero", horizons=100, seeds=3)
    assert compare(one, cluster="local:2").rows() == compare(one).rows()


def test_no_scheduler_and_no_library_are_said(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.3)
    with pytest.raises(BrokenWork, match="no Dask scheduler at tcp:"):
        compare(STUDY, cluster="tcp://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(StudiesUnavailable, match="pip install distributed"):
        compare(STUDY, cluster="local:2")
