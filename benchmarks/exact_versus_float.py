"""How much exactness costs: the reference against a plain-float loop of the same rule, in one run.

    python benchmarks/exact_versus_float.py

Prints the ratio for the five-armed instance of l.1441 and the schedules of the tables; the target is at most 4.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

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
    # Processor time: other programs on the machine do not count.
    start = time.process_time()
    for _ in rounds:
        pass
    return time.process_time() - start


def main() -> None:
    print(f"BuFALU, Hoeffding, K = 5, {HORIZON} rounds, processor time, best of {REPEATS}, interleaved")
    for text, epsilon in SCHEDULES.items():
        exact, plain = [], []
        for seed in range(REPEATS):
            rewards = SeededRewards(INSTANCE, seed)
            exact.append(seconds(simulate(BuFALU(5), INSTANCE, parse_schedule(text), HORIZON, rewards)))
            rewards = SeededRewards(INSTANCE, seed)
            plain.append(seconds(float_bufalu(5, HORIZON, epsilon, lambda a, k, r=rewards: float(r.draw(a, k)))))
        ratio = min(exact) / min(plain)
        print(
            f"  {text:12} exact {min(exact) / HORIZON * 1e6:6.2f} us/round   "
            f"plain floats {min(plain) / HORIZON * 1e6:6.2f} us/round   ratio {ratio:.2f}"
        )


if __name__ == "__main__":
    main()
