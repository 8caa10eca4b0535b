"""Is a printed figure, from the paper's n seeds, compatible with our N seeds? Two samples of one law are compared.

Mean: the difference over its standard error, from the paper's standard deviation. Std: the ratio of variances as an F
variable (Paulson's cube root) with 2 N / (kurtosis - 1) degrees of freedom, and at least the normal kurtosis. 90% and
max: distribution-free, and exact for every continuous law: the number of our values below the k-th smallest of the
paper's n is beta-binomial. Ties and rounding are resolved in favour of the paper. A figure with std 0 must be met
exactly. Every test gives a z-score, two-sided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np

from bufalu.experiments.engine.arrays import Floats
from bufalu.experiments.paper.printed import STATISTICS, PrintedFigure

FEWEST_SEEDS = 20
"""Fewer seeds than this make no statistics: the laws behind the scores are limits."""

FALSE_ALARM = 1e-3
"""The probability that a suite of comparisons with a correct paper raises any alarm, split evenly over them."""


@dataclass(frozen=True)
class TableStatistics:
    """The four statistics of the tables over the seeds."""

    mean: float
    std: float
    q90: float
    max: float

    def get(self, name: str) -> float:
        """One of `mean`, `std`, `q90`, `max`."""
        return {"mean": self.mean, "std": self.std, "q90": self.q90, "max": self.max}[name]


@dataclass(frozen=True)
class Comparison:
    """One printed figure beside ours. `z` is 0 for a figure without spread that is met, infinite if it is missed."""

    quantity: str
    statistic: str
    paper: float
    ours: float
    z: float
    deterministic: bool


def summary(sample: Floats) -> TableStatistics:
    """Mean, standard deviation, 90th percentile (linear interpolation) and maximum."""
    return TableStatistics(
        float(sample.mean()), float(sample.std()), float(np.percentile(sample, 90)), float(sample.max())
    )


def compare(quantity: str, sample: Floats, paper: dict[str, PrintedFigure], paper_seeds: int) -> list[Comparison]:
    """The four printed figures of one quantity against our sample."""
    ours = summary(sample)
    deterministic = paper["std"].value == 0.0
    found = []
    for name in STATISTICS:
        value = ours.get(name)
        if deterministic:
            z = 0.0 if abs(value - paper[name].value) <= paper[name].rounding else math.inf
        elif name == "mean":
            z = mean_score(sample, paper["mean"], paper["std"].value, paper_seeds)
        elif name == "std":
            z = std_score(sample, paper["std"], paper_seeds)
        else:
            z = order_score(sample, paper[name], paper_seeds, 0.9 if name == "q90" else 1.0)
        found.append(Comparison(quantity, name, paper[name].value, value, z, deterministic))
    return found


def mean_score(sample: Floats, paper: PrintedFigure, paper_std: float, paper_seeds: int) -> float:
    """z of the difference of means, by their common limit law."""
    error = paper_std * math.sqrt(1.0 / sample.size + 1.0 / paper_seeds)
    return shrunk(float(sample.mean()) - paper.value, paper.rounding) / error


def std_score(sample: Floats, paper: PrintedFigure, paper_seeds: int) -> float:
    """z of the ratio of the two variances."""
    spread = float(sample.std(ddof=1))
    if spread == 0.0:
        return -math.inf
    kurtosis = max(3.0, float(np.mean(((sample - sample.mean()) / sample.std()) ** 4)))
    ours, theirs = 2.0 * (sample.size - 1) / (kurtosis - 1.0), 2.0 * (paper_seeds - 1) / (kurtosis - 1.0)
    log_ratio = shrunk(math.log(spread / paper.value), paper.rounding / paper.value)
    root = math.exp(2.0 * log_ratio / 3.0)
    a, b = 2.0 / (9.0 * ours), 2.0 / (9.0 * theirs)
    return ((1.0 - b) * root - (1.0 - a)) / math.sqrt(b * root**2 + a)


def order_score(sample: Floats, paper: PrintedFigure, paper_seeds: int, level: float) -> float:
    """z of a printed quantile, by how many of our values lie below it; it lies between two order statistics."""
    position = level * (paper_seeds - 1)
    lower_rank, upper_rank = math.floor(position) + 1, math.ceil(position) + 1
    surely_below = int((sample < paper.value - paper.rounding).sum())
    maybe_below = int((sample <= paper.value + paper.rounding).sum())
    ours_small = 1.0 - below_cdf(sample.size, paper_seeds, upper_rank)[surely_below]
    ours_large = float(below_cdf(sample.size, paper_seeds, lower_rank)[maybe_below + 1])
    tail = min(ours_small, ours_large)
    if tail >= 0.5:
        return 0.0
    size = -NormalDist().inv_cdf(max(tail, 1e-300))
    return -size if ours_small < ours_large else size


@cache
def below_cdf(ours: int, theirs: int, rank: int) -> Floats:
    """Entry m: the probability that fewer than m of `ours` lie below the `rank`-th smallest of `theirs`.

    scipy.stats.betabinom agrees to 2e-12; it stays out for the reason given at `studies.statistics.student`.
    """
    total = math.lgamma(ours + theirs + 1) - math.lgamma(ours + 1) - math.lgamma(theirs + 1)

    def log_choose(n: int, k: int) -> float:
        return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)

    mass = [
        math.exp(log_choose(m + rank - 1, m) + log_choose(ours - m + theirs - rank, ours - m) - total)
        for m in range(ours + 1)
    ]
    cumulated: Floats = np.minimum(1.0, np.concatenate([[0.0], np.cumsum(mass)]))
    return cumulated


def shrunk(difference: float, rounding: float) -> float:
    """A difference after rounding has been given its due."""
    return math.copysign(max(0.0, abs(difference) - rounding), difference)


def bounded_mean_radius(std: float, seeds: int, largest: float, false_alarm: float) -> float:
    """How far a mean over seeds may lie from its expectation, for every law on [0, largest], up to a probability.

    The empirical Bernstein bound of Maurer and Pontil, two-sided. `std` is the one of `summary`.
    """
    log = math.log(4.0 / false_alarm)
    variance = std**2 * seeds / (seeds - 1)
    return math.sqrt(2.0 * variance * log / seeds) + 7.0 * largest * log / (3.0 * (seeds - 1))


def threshold(comparisons: int) -> float:
    """The |z| that each of that many two-sided comparisons may reach for a suite-wide false alarm of FALSE_ALARM."""
    return NormalDist().inv_cdf(1.0 - FALSE_ALARM / max(1, comparisons) / 2.0)
