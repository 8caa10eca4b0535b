"""The engine against the C++ kernel of lockstep.cpp, against numpy and other libraries, and against itself.

Times are processor seconds of one core, the best of three, taken in turns with what they are compared with.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from benchmarks.figures import Measurement, once, processor_seconds
from bufalu import Instance, parse_schedule
from bufalu.experiments.engine.running import Configuration, run_seeds
from bufalu.experiments.engine.vectors import vector_features
from bufalu.experiments.paper.paper_studies import tables_study
from bufalu.experiments.paper.printed import PaperRow, paper_rows
from bufalu.experiments.studies.running import run_study
from bufalu.experiments.studies.workers import Processes

HERE = Path(__file__).resolve().parent
UNIQUE = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
HORIZON, SEEDS, REPEATS = 100_000, 128, 3
CPP_FLAGS = ["-O3", "-std=c++17", "-fno-math-errno", "-fno-trapping-math"]
PEER_GOALS = {"smpybandits": 2000.0, "mabwiser": None}


def figures(peers: str) -> Iterator[Measurement]:
    """All lines about the engine; `peers` is the interpreter that has the other libraries."""
    yield from cells()
    yield from others(peers)
    yield from grid()
    yield from shapes()
    yield from horizons()


def yardstick(folder: str) -> str | None:
    """The compiled C++ kernel, or None without a compiler."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return None
    vectors = ["-mavx2", "-mfma"] if platform.machine() in ("x86_64", "AMD64") else []
    program = str(Path(folder) / "lockstep")
    subprocess.run([compiler, *CPP_FLAGS, *vectors, "-o", program, str(HERE / "lockstep.cpp")], check=True)
    return program


def cell(row: PaperRow, confidence: str = "hoeffding", policy: str | None = None) -> Configuration:
    """A cell of the paper's tables."""
    schedule = parse_schedule(row.schedule)
    return Configuration(policy or row.policy, row.instance, schedule, HORIZON, confidence)


def nanoseconds(seconds: float, seeds: int = SEEDS) -> float:
    return 1e9 * seconds / HORIZON / seeds


@dataclass(frozen=True)
class Cells:
    """Nanoseconds a round in the 24 cells of the tables: a row for each repetition, engine and C++ kernel in turns."""

    ours: list[list[float]]
    theirs: list[list[float]]
    decided: int

    @staticmethod
    def best(rows: list[list[float]]) -> list[float]:
        return [min(column) for column in zip(*rows, strict=True)]

    @property
    def ratio(self) -> float:
        return sum(self.best(self.ours)) / sum(self.best(self.theirs))

    @property
    def range(self) -> str:
        """The least and the largest ratio of one repetition."""
        ratios = [sum(own) / sum(other) for own, other in zip(self.ours, self.theirs, strict=True)]
        return f"{min(ratios):.2f} to {max(ratios):.2f} in {len(ratios)} runs"


def measured_cells() -> Cells:
    rows = paper_rows()
    for row in rows:
        run_seeds(cell(row), range(8))
    found = Cells([], [], 0)
    decided = 0
    with tempfile.TemporaryDirectory() as folder:
        program = yardstick(folder)
        for _ in range(REPEATS):
            found.ours.append([])
            found.theirs.append([])
            for row in rows:
                if program is not None:
                    found.theirs[-1].append(kernel_nanoseconds(program, row))
                start = time.process_time()
                decided += run_seeds(cell(row), range(SEEDS)).resolved
                found.ours[-1].append(nanoseconds(time.process_time() - start))
    return replace(found, decided=decided)


def kernel_nanoseconds(program: str, row: PaperRow) -> float:
    """One run of the C++ kernel."""
    command = [program, row.policy, str(HORIZON), str(SEEDS), row.schedule.split(":")[0]]
    command += [str(float(Fraction(mean))) for mean in row.means]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return 1e9 * float(answer["seconds"]) / float(answer["rounds"])


YARDSTICK = "engine / C++ lock-step kernel, mean of the 24 cells"


def cells() -> Iterator[Measurement]:
    """The 24 cells of the tables, engine and C++ kernel in turns."""
    found = measured_cells()
    ours, theirs = Cells.best(found.ours), Cells.best(found.theirs) if all(found.theirs) else []
    for place, row in enumerate(paper_rows()):
        beside = f"C++ {theirs[place]:.1f}" if theirs else ""
        subject = f"  {row.policy}, {row.optimum} optimum, {row.schedule}"
        yield Measurement(subject, ours[place], "ns/round", note=beside, detail=True)
    mean = sum(ours) / len(ours)
    share = found.decided / (REPEATS * len(ours) * SEEDS * HORIZON)
    yield Measurement(
        "engine, mean of the 24 cells", mean, "ns/round", note=f"{share:.1e} of the rounds decided exactly"
    )
    if not theirs:
        yield Measurement(YARDSTICK, None, "x", 1.2, note="no C++ compiler")
        return
    note = f"{mean:.2f} against {sum(theirs) / len(theirs):.2f} ns; {found.range}"
    yield Measurement(YARDSTICK, found.ratio, "x", 1.2, note=note)
    yield from with_avx2_alone()


AVX2_ALONE = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+bmi,+bmi2,-avx512f,-avx512vl"}


def with_avx2_alone() -> Iterator[Measurement]:
    """As the cells are played where the processor has no AVX-512, compiled so on this one."""
    if "+avx512f" not in vector_features():
        return
    script = "from benchmarks.engine import measured_cells as m; c = m(); print(c.ratio); print(c.range)"
    command, environment = [sys.executable, "-c", script], {**os.environ, **AVX2_ALONE}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=HERE.parent)
    ratio, note = done.stdout.splitlines()
    yield Measurement(f"{YARDSTICK}, compiled for AVX2 alone", float(ratio), "x", 1.2, note=note)


def peer(python: str, name: str) -> dict[str, float] | None:
    """What `peers.py` prints for one peer, or None if it cannot be run."""
    try:
        done = subprocess.run(
            [python, str(HERE / "peers.py"), name], capture_output=True, text=True, timeout=300, check=True
        )
        answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return answer
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None


def others(peers: str) -> Iterator[Measurement]:
    """UCB with a query in every round, K = 5, as other software plays it."""
    configuration = Configuration("cbm-ucb", UNIQUE, parse_schedule("zero"), HORIZON)
    rate = 1e9 / nanoseconds(processor_seconds(lambda: run_seeds(configuration, range(SEEDS))))
    found = peer(peers, "numpy") or peer(sys.executable, "numpy")
    again = 1e9 / nanoseconds(once(lambda: run_seeds(configuration, range(SEEDS))))
    ratio = None if found is None else max(rate, again) / found["rounds_per_second"]
    reason = "every round is a query here, so that nothing can be jumped over"
    yield Measurement("engine / numpy, seeds in lock-step", ratio, "x", 15.0, at_least=True, reason=reason)
    for name, goal in PEER_GOALS.items():
        answer = peer(peers, name)
        ratio = None if answer is None else rate / answer["rounds_per_second"]
        note = "" if answer else "not installed: run `make bench`"
        yield Measurement(f"engine / {name}", ratio, "x", goal, at_least=True, note=note)


def grid() -> Iterator[Measurement]:
    """The tables with 1,000 seeds, 2.4e9 rounds, on two processes: processor time over two, and what the clock said."""
    warm, _ = children_seconds([16])
    both, clock = children_seconds([16, 1000])
    rounds = tables_study(1000).rounds
    note = f"{rounds:,} rounds; {clock:.1f} s by the clock, beside whatever else runs here"
    yield Measurement(
        "the whole grid of the tables, half the time of two workers", (both - warm) / 2, "s", 8.0, note=note
    )


def children_seconds(seeds: list[int]) -> tuple[float, float]:
    """Processor seconds of two workers that make the tables with so many seeds, and the last of them by the clock."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for number in seeds:
        start = time.perf_counter()
        run_study(tables_study(number), crew=Processes(2))
        clock = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def shapes() -> Iterator[Measurement]:
    """Bernstein and the dial against Hoeffding and BuFALU, summed over the cells of the tables."""
    rows = paper_rows()

    def total(confidence: str, policy: str | None, policies: tuple[str, ...]) -> float:
        chosen = [cell(row, confidence, policy) for row in rows if row.policy in policies]
        return sum(processor_seconds(lambda c=c: run_seeds(c, range(SEEDS))) for c in chosen)

    everyone = tuple({row.policy for row in rows})
    plain, curved = total("hoeffding", None, everyone), total("bernstein", None, everyone)
    decided = sum(run_seeds(cell(row, "bernstein"), range(SEEDS)).resolved for row in rows)
    note = f"{decided / (len(rows) * SEEDS * HORIZON):.1e} of the rounds decided exactly"
    yield Measurement("Bernstein / Hoeffding, the 24 cells", curved / plain, "x", 2.0, note=note)
    bufalu, dial = total("hoeffding", "bufalu", ("bufalu",)), total("hoeffding", "dial:1/2", ("bufalu",))
    yield Measurement("the dial at 1/2 / BuFALU, six cells", dial / bufalu, "x", 2.0)
    yield from pairs([row for row in rows if row.policy == "bufalu"])


def pairs(rows: list[PaperRow]) -> Iterator[Measurement]:
    """The pair rule against BuFALU, in turns: the time of a query, in the cells of each optimum."""
    for optimum in ("unique", "multiple"):
        times = {
            policy: [query_nanoseconds(cell(row, policy=policy)) for row in rows if row.optimum == optimum]
            for policy in ("bufalu", "pairs:2")
        }
        ours, theirs = sum(times["pairs:2"]), sum(times["bufalu"])
        note = "; ".join(f"{pair:.1f} against {one:.1f} ns" for one, pair in zip(*times.values(), strict=True))
        reason = "it asks a quarter as often, and goes from query to query"
        subject = f"a query of the pair rule at 2 / of BuFALU, {optimum} optimum"
        yield Measurement(subject, ours / theirs, "x", 2.0, note=note, reason=reason)


def query_nanoseconds(configuration: Configuration) -> float:
    """The time of a run, all rounds without a query included, by its queries."""
    queries = int(run_seeds(configuration, range(SEEDS)).queries.sum())
    return 1e9 * processor_seconds(lambda: run_seeds(configuration, range(SEEDS))) / queries


def horizons() -> Iterator[Measurement]:
    """Cost against the horizon: BuFALU, unique optimum, epsilon t^-1/4, eight seeds."""
    run_seeds(Configuration("bufalu", UNIQUE, parse_schedule("power:1/4"), 200_000), range(8))
    before = None
    for horizon in (10**5, 10**6, 10**7, 10**8, 10**9):
        configuration = Configuration("bufalu", UNIQUE, parse_schedule("power:1/4"), horizon)
        cost = once(lambda configuration=configuration: run_seeds(configuration, range(8)))
        grown = "" if before is None else f"{cost / before:.1f} times the cost of a tenth of it; "
        note = f"{grown}{1e9 * cost / horizon / 8:.2f} ns a round"
        yield Measurement(f"  BuFALU to T = {horizon:,}, eight seeds", cost, "s", note=note)
        before = cost
