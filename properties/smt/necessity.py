"""Which hypotheses a lemma needs: each is left out, or put in a weaker form, and the lemma is tried again.

A hypothesis is needed when a counterexample with at most three arms exists without it, and not needed when the lemma
is proved without it, the others staying. Nothing is said of leaving out two at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from bufalu.properties.smt.errors import IrrationalModel
from bufalu.properties.smt.lemma import SIZES, Lemma, counterexample
from bufalu.properties.smt.models import Model
from bufalu.properties.smt.solver import Satisfiability, check
from bufalu.properties.smt.terms import SolverTruth


class Need(Enum):
    """Whether a hypothesis can be left out or weakened."""

    NEEDED = "needed"
    NOT_NEEDED = "not needed"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Necessity:
    """What happened to the lemma without the hypothesis, or with the weaker form in its place (None: left out)."""

    lemma: str
    hypothesis: str
    weaker: str | None
    need: Need
    counterexample: Model | None


def necessity(lemma: Lemma) -> Iterator[Necessity]:
    """One report for each hypothesis left out and for each of its weaker forms.

    Raises UnexplainedModel if a counterexample fails its evaluation, IrrationalModel if it cannot be evaluated.
    """
    for hypothesis in lemma.hypotheses:
        trials: list[tuple[str | None, SolverTruth | None]] = [(None, None), *hypothesis.weaker]
        for name, formula in trials:
            need, model = _attempt(lemma, lemma.formulas(hypothesis.name, formula))
            yield Necessity(lemma.name, hypothesis.name, name, need, model)


def _attempt(lemma: Lemma, hypotheses: list[SolverTruth]) -> tuple[Need, Model | None]:
    """Two arms usually show that a hypothesis is needed; if not, a proof is tried, and then other numbers of arms."""
    for sizes in (SIZES[:1], SIZES[1:]):
        model = _rational_counterexample(lemma, hypotheses, sizes)
        if model is not None:
            return Need.NEEDED, model
        if check([*hypotheses, ~lemma.conclusion]).answer is Satisfiability.UNSATISFIABLE:
            return Need.NOT_NEEDED, None
    return Need.UNDECIDED, None


def _rational_counterexample(lemma: Lemma, hypotheses: list[SolverTruth], sizes: tuple[int, ...]) -> Model | None:
    """A counterexample in rational numbers: where roots come out irrational, the lemma's rational choice is added."""
    try:
        return counterexample(hypotheses, lemma.conclusion, sizes)[0]
    except IrrationalModel:
        if lemma.rational_choice is None:
            raise
        return counterexample([*hypotheses, lemma.rational_choice], lemma.conclusion, sizes)[0]
