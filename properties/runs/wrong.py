"""How a statement about runs is made wrong in one place: the check of the right one must refute it.

A check that cannot tell a claim from its mutant would accept the mutant's paper as well; docs/mutants.md tells what they
teach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.scenarios import Adversary, Aim, Oblivious, Scenario
from bufalu.properties.runs.statements import Examination, Place
from bufalu.properties.runs.strategies import scenarios
from bufalu.reference.exact import Exact
from bufalu.reference.schedules import Zero
from bufalu.reference.view import ExactView

MOST_CASES = 400
"""How many cases a mutant may survive; nearly all die within a few dozen."""

S = TypeVar("S")
T = TypeVar("T")


def wrong(
    examine: Callable[[S], Iterable[Place]], subjects: Callable[[], SearchStrategy[T]] | None = None
) -> Mapping[str, object]:
    """The mutant of a check that examines its subjects, or others, in this wrong way."""
    chosen = {} if subjects is None else {"subjects": subjects}
    return {"examine": examine, **chosen, "cases": MOST_CASES, "shrink": False}


def hoeffding_scenarios() -> SearchStrategy[Scenario]:
    """Games with Hoeffding's interval."""
    return scenarios(confidence=st.just("hoeffding"))


def bernstein_scenarios() -> SearchStrategy[Scenario]:
    """Games with Bernstein's interval."""
    return scenarios(confidence=st.just("bernstein"))


def free_scenarios() -> SearchStrategy[Scenario]:
    """Games in which queries are free: what goes unqueried has a gap of exactly epsilon = 0."""
    return scenarios(epsilon=st.just(Oblivious(Zero())), longest=60)


def free_adversaries() -> SearchStrategy[Scenario]:
    """Games in which queries are free because the adversary is generous."""
    return scenarios(epsilon=st.just(Adversary((Aim.FREE,))), longest=60)


def with_epsilon(examine: Examination, change: Callable[[Exact], Exact]) -> Examination:
    """A statement that is told another epsilon than the run had: wrong where its epsilon should be the run's."""

    def examination(run: Run) -> Iterable[Place]:
        told = [
            replace(each, view=ExactView(each.state, run.confidence, each.round, change(each.epsilon)))
            for each in run.situations
        ]
        return examine(replace(run, situations=tuple(told), memory={}))

    return examination


def twice(epsilon: Exact) -> Exact:
    """2 epsilon."""
    return epsilon + epsilon


def half(epsilon: Exact) -> Exact:
    """epsilon / 2."""
    return Exact.of(Fraction(1, 2)) * epsilon


def slightly_less(epsilon: Exact) -> Exact:
    """epsilon - 2^-40: whatever held with equality does not hold any more."""
    return epsilon - Exact.of(Fraction(1, 2**40))


def one_less(examine: Callable[[S], Iterable[Place]]) -> Callable[[S], Iterator[Place]]:
    """A statement about whole numbers with a bound that is smaller by one."""

    def examination(subject: S) -> Iterator[Place]:
        for place in examine(subject):
            yield place._replace(holds=place.holds and place.slack >= 1)

    return examination


def never(examine: Examination) -> Examination:
    """A statement that forbids everything about which the right one has something to say."""
    return lambda run: (place._replace(holds=False) for place in examine(run))
