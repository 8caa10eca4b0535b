"""The curves of the figures: regret and queries against the round, with their spread over the seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from bufalu.experiments.engine.arrays import Floats
from bufalu.experiments.engine.parallel import Job, run_jobs
from bufalu.experiments.engine.running import Configuration, SeedResults, regret
from bufalu.experiments.paper.deterministic import INSTANCES as DETERMINISTIC
from bufalu.experiments.paper.deterministic import SCHEDULE
from bufalu.experiments.paper.printed import HORIZON, MULTIPLE, POLICIES, SCHEDULES, UNIQUE
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import parse_rational
from bufalu.reference.schedules import parse_schedule

POINTS = 80


@dataclass(frozen=True)
class CurvePanel:
    """One pair of pictures (regret, queries): an instance and a schedule, all policies."""

    figure: str
    optimum: str
    schedule: str
    instance: Instance


@dataclass(frozen=True)
class Curve:
    """One policy in a panel: mean and standard deviation over the seeds after each checkpoint."""

    panel: CurvePanel
    policy: str
    seeds: int
    rounds: tuple[int, ...]
    regret_mean: Floats
    regret_std: Floats
    queries_mean: Floats
    queries_std: Floats


def panels() -> list[CurvePanel]:
    """The figures of l.452 (deterministic) and l.1446-1595 (five arms, three schedules), unique optimum first."""
    found = [CurvePanel("deterministic", optimum, SCHEDULE, instance) for optimum, instance in DETERMINISTIC.items()]
    for schedule in SCHEDULES:
        for optimum, means in (("unique", UNIQUE), ("multiple", MULTIPLE)):
            instance = Instance.bernoulli([parse_rational(mean) for mean in means])
            found.append(CurvePanel(f"five-arms-{schedule.split(':')[0]}", optimum, schedule, instance))
    return found


def checkpoints(horizon: int = HORIZON, points: int = POINTS) -> tuple[int, ...]:
    """Rounds in equal ratios from 10 up to the horizon, which is one of them."""
    spaced = np.geomspace(min(10, horizon), horizon, points).round().astype(int)
    return tuple(sorted({int(number) for number in spaced} | {horizon}))


def curve_jobs(seeds: int) -> list[Job]:
    """The work behind the curves; one seed where nothing is random."""
    return [
        Job(
            Configuration(policy, panel.instance, parse_schedule(panel.schedule), HORIZON),
            range(1 if panel.figure == "deterministic" else seeds),
            checkpoints(),
        )
        for panel in panels()
        for policy in POLICIES
    ]


def curves(seeds: int, executor: Executor | None = None, report: Callable[[int], None] | None = None) -> list[Curve]:
    """All curves; raises `Interrupted` on Ctrl-C."""
    return measured_curves(run_jobs(curve_jobs(seeds), executor, report))


def measured_curves(outcomes: Sequence[SeedResults | None]) -> list[Curve]:
    """The curves whose runs are finished."""
    cells = [(panel, policy) for panel in panels() for policy in POLICIES]
    found = []
    for (panel, policy), outcome in zip(cells, outcomes, strict=True):
        if outcome is None:
            continue
        regrets = regret(panel.instance, outcome.plays)
        queries = outcome.queries.sum(axis=2).astype(np.float64)
        found.append(
            Curve(
                panel,
                policy,
                regrets.shape[1],
                outcome.checkpoints,
                regrets.mean(axis=1),
                regrets.std(axis=1),
                queries.mean(axis=1),
                queries.std(axis=1),
            )
        )
    return found


def curve_records(found: Sequence[Curve]) -> list[Mapping[str, object]]:
    """One record for each point of each curve."""
    return [
        {
            "figure": curve.panel.figure,
            "optimum": curve.panel.optimum,
            "epsilon": curve.panel.schedule,
            "policy": curve.policy,
            "seeds": curve.seeds,
            "round": number,
            "regret_mean": float(curve.regret_mean[at]),
            "regret_std": float(curve.regret_std[at]),
            "queries_mean": float(curve.queries_mean[at]),
            "queries_std": float(curve.queries_std[at]),
        }
        for curve in found
        for at, number in enumerate(curve.rounds)
    ]
