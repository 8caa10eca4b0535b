"""That the lemmas speak of something: their hypotheses are satisfiable, with the models to show it.

The kinds of rounds cross the number of arms (2, 3), queried and unqueried rounds, and finite, some infinite, only infinite
and half-infinite intervals. A lemma's own hypotheses exclude some of them; which ones is part of the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from bufalu.properties.smt.intervals import LOWER_INFINITE, UPPER_INFINITE, width_infinite
from bufalu.properties.smt.lemma import Lemma, confirm
from bufalu.properties.smt.models import Model
from bufalu.properties.smt.relations import QUERIED
from bufalu.properties.smt.solver import Satisfiability, check_finite
from bufalu.properties.smt.terms import SolverTruth, exists, for_all

ARMS = (2, 3)
QUERIES: dict[str, SolverTruth] = {"queried": QUERIED, "unqueried": ~QUERIED}
_BOTH_OR_NEITHER = for_all(lambda a: LOWER_INFINITE(a).iff(UPPER_INFINITE(a)))
INTERVALS: dict[str, SolverTruth] = {
    "finite": for_all(lambda a: ~width_infinite(a)),
    "some infinite": _BOTH_OR_NEITHER & exists(width_infinite) & exists(lambda a: ~width_infinite(a)),
    "all infinite": for_all(lambda a: LOWER_INFINITE(a) & UPPER_INFINITE(a)),
    "one end infinite": exists(lambda a: ~LOWER_INFINITE(a).iff(UPPER_INFINITE(a))),
}


@dataclass(frozen=True)
class RoundKind:
    """A kind of round, and a model of the lemma's hypotheses in it, or None if the hypotheses exclude it."""

    lemma: str
    arms: int
    query: str
    intervals: str
    model: Model | None


def kinds_of_round(lemma: Lemma) -> Iterator[RoundKind]:
    """Each kind of round with a model of it that meets the hypotheses, if there is one.

    Raises UnexplainedModel if a model does not survive evaluation.
    """
    for arms, query, intervals in product(ARMS, QUERIES, INTERVALS):
        formulas = [*lemma.formulas(), QUERIES[query], INTERVALS[intervals]]
        yield RoundKind(lemma.name, arms, query, intervals, _model(formulas, arms))


def satisfying_model(lemma: Lemma, arms: int) -> Model | None:
    """A model of the lemma's hypotheses with that many arms; raises UnexplainedModel as `kinds_of_round` does."""
    return _model(lemma.formulas(), arms)


def _model(formulas: list[SolverTruth], arms: int) -> Model | None:
    outcome = check_finite(formulas, arms)
    if outcome.answer is Satisfiability.UNKNOWN or outcome.model is None:
        return None
    confirm(outcome.model, formulas)
    return outcome.model
