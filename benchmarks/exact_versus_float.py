"""How much exactness costs: the reference against a plain-float loop of the same rule, in turns.

The five-armed instance of l.1441 and the schedules of the tables.
"""

from __future__ import annotations

import contextlib
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from benchmarks.figures import Measurement, once
from benchmarks.plain_float import float_bufalu
from bufalu import BuFALU, Instance, SeededRewards, parse_schedule, simulate

HORIZON = 20_000
REPEATS = 5
INSTANCE = Instance.bernoulli([Fraction(1, 4)] * 4 + [Fraction(1, 2)])
SCHEDULES: dict[str, Callable[[int], float]] = {
    "power:1/4": lambda t: t**-0.25,
    "zero": lambda t: 0.0,
    "inverse-log": lambda t: 1 / math.log(t),
}


def seconds(rounds: Iterable[object]) -> float:
    return once(lambda: sum(1 for _ in rounds))


@contextlib.contextmanager
def busy_machine() -> Iterator[None]:
    """A program that never rests for each core, which also wants the caches."""
    work = "numbers = list(range(10**6))\nwhile True: sum(numbers)"
    programs = [subprocess.Popen([sys.executable, "-c", work]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def figures() -> Iterator[Measurement]:
    """One ratio for each schedule, with the machine as it is and with every core kept busy."""
    yield from ratios("")
    with busy_machine():
        yield from ratios(", beside busy cores")


def ratios(where: str) -> Iterator[Measurement]:
    for text, epsilon in SCHEDULES.items():
        exact, plain = [], []
        for seed in range(REPEATS):
            rewards = SeededRewards(INSTANCE, seed)
            exact.append(seconds(simulate(BuFALU(5), INSTANCE, parse_schedule(text), HORIZON, rewards)))
            plain.append(seconds(float_bufalu(5, HORIZON, epsilon, lambda a, k, r=rewards: float(r.draw(a, k)))))
        note = f"{min(exact) / HORIZON * 1e6:.2f} against {min(plain) / HORIZON * 1e6:.2f} us a round"
        subject = f"exact reference / plain floats, epsilon {text}{where}"
        yield Measurement(subject, min(exact) / min(plain), "x", 3.0, note=note)
