"""How loose the theorem is: the smallest constants with which its bounds would have survived all cases.

These are figures for people, computed in doubles from the exact laws; they decide nothing. Each constant is moved
alone, the others stay as printed: 6 in N-bar, 3K, the factor 1/2 of a unique optimum (the larger, the sharper).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bufalu.law.histograms import Doubles
from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, Verdict
from bufalu.properties.expectations.cases import ExactCase, cases
from bufalu.properties.expectations.theorem_checks import KIND
from bufalu.reference.confidence import HoeffdingInterval, confidence_named
from bufalu.reference.rationals import nearest_float

PRINTED_SAMPLES, PRINTED_OVERHEAD, PRINTED_FACTOR = 6.0, 3.0, 0.5


@dataclass(frozen=True)
class Constants:
    """N-bar = samples * ln t / level^2, overhead * K, and level = factor * gap under a unique optimum."""

    samples: float = PRINTED_SAMPLES
    overhead: float = PRINTED_OVERHEAD
    factor: float = PRINTED_FACTOR


class Curves:
    """A case in doubles: what is expected in each round, and what the theorem with other constants would promise."""

    def __init__(self, case: ExactCase) -> None:
        found, rounds = case.law(), range(1, case.horizon + 1)
        self.case = case
        arms = case.instance.number_of_arms
        missing = found.missing.doubles()
        self._gaps = [nearest_float(gap) for gap in case.instance.gaps]
        self.regret: Doubles = max(self._gaps) * missing
        self.queries: Doubles = missing.copy()
        for gap, plays, queries in zip(self._gaps, found.plays, found.queries, strict=True):
            self.regret += gap * plays.doubles()
            self.queries += queries.doubles()
        self._epsilon: Doubles = np.array([case.schedule.at(t, arms).approximation for t in rounds])
        self._rounds: Doubles = np.arange(1.0, case.horizon + 1)

    def _samples(self, constant: float, level: float) -> Doubles:
        with np.errstate(divide="ignore", invalid="ignore"):
            counts = constant * np.log(self._rounds) / np.maximum(level, self._epsilon) ** 2
        counts = np.minimum(np.nan_to_num(counts, nan=0.0, posinf=np.inf), self._rounds - 1)
        return np.maximum.accumulate(counts)

    @cached_property
    def _blocked(self) -> list[Doubles]:
        """L_epsilon of each arm."""
        return [np.cumsum(self._epsilon >= gap).astype(np.float64) for gap in self._gaps]

    def regret_bound(self, constants: Constants) -> Doubles:
        """The regret bound in every round."""
        factor = constants.factor if self.case.instance.unique else 1.0
        bound = np.full(self.case.horizon, constants.overhead * len(self._gaps) * max(self._gaps))
        for gap, blocked in zip(self._gaps, self._blocked, strict=True):
            if gap:
                bound += gap * (self._samples(constants.samples, factor * gap) + blocked)
        return bound

    def queries_bound(self, constants: Constants) -> Doubles:
        """The query bound in every round."""
        unique = self.case.instance.unique
        smallest = min((gap for gap in self._gaps if gap), default=np.inf)
        bound = np.full(self.case.horizon, constants.overhead * len(self._gaps))
        for gap in self._gaps:
            level = constants.factor * (gap or smallest) if unique else gap
            bound += self._samples(constants.samples, level)
        return bound

    def survives(self, constants: Constants, regret: bool) -> bool:
        """Whether the bound with these constants holds in every round."""
        if regret:
            return bool((self.regret <= self.regret_bound(constants)).all())
        return bool((self.queries <= self.queries_bound(constants)).all())


def tightest(
    curves: Iterable[Curves], with_value: Callable[[float], Constants], worst: float, best: float, regret: bool
) -> float:
    """The value nearest to `best` that every case survives; `worst` is survived by all."""
    kept, lost = worst, best
    every = list(curves)
    if all(each.survives(with_value(best), regret) for each in every):
        return best
    for _ in range(40):
        middle = (kept + lost) / 2
        if all(each.survives(with_value(middle), regret) for each in every):
            kept = middle
        else:
            lost = middle
    return kept


@check(
    "theorem.multiple.regret",
    "theorem.multiple.queries",
    "theorem.unique.regret",
    "theorem.unique.queries",
    kind=KIND,
    name="expectations.constants_that_would_have_survived",
    mutants={"1/100 for 6": {"printed": Constants(samples=0.01)}},
)
def surviving_constants(profile: AuditProfile, printed: Constants = Constants()) -> Evidence:
    """The smallest 6, 3K and the largest factor 1/2 with which all Hoeffding cases would have survived."""
    chosen = (case for case in cases(profile) if confidence_named(case.confidence) == HoeffdingInterval())
    return surviving(chosen, printed)


def surviving(chosen: Iterable[ExactCase], printed: Constants) -> Evidence:
    """The constants nearest to failing in given cases; `printed` are those that each is moved from."""
    curves = [Curves(case) for case in chosen]
    parts = []
    for regret, what in ((True, "regret"), (False, "queries")):
        if not all(each.survives(printed, regret) for each in curves):
            return Evidence(KIND, Verdict.REFUTED, f"the {what} bound fails as printed")
        samples = tightest(curves, lambda x: replace(printed, samples=x), PRINTED_SAMPLES, 0.0, regret)
        overhead = tightest(curves, lambda x: replace(printed, overhead=x), PRINTED_OVERHEAD, 0.0, regret)
        factor = tightest(curves, lambda x: replace(printed, factor=x), PRINTED_FACTOR, 8.0, regret)
        parts.append(
            f"the {what} bound with {samples:.3g} in place of its 6, or {overhead:.3g} K in place of 3K, or gaps times "
            f"{factor:.3g} in place of 1/2"
        )
    return Evidence(
        KIND,
        Verdict.TESTED,
        f"on the exact laws of {len(curves)} small instances these would have held too: " + "; ".join(parts),
        len(curves),
        1.0,
    )
