"""cvc5 reads the same text and agrees; it can neither hang the tests nor fail in silence."""

import pytest

from bufalu.properties.smt import second_opinion
from bufalu.properties.smt.catalogue import FALSE_STATEMENTS, LEMMAS, lemma_named
from bufalu.properties.smt.errors import SolverFailed, SolverMissing
from bufalu.properties.smt.solver import Satisfiability

pytestmark = pytest.mark.skipif(not second_opinion.available(), reason="cvc5 is not installed: no second opinion")

PATIENCE = 600.0
"""Seconds for a question that has an answer, on a machine however busy."""

NEVER_ENDING = """(set-logic QF_NIA)
(declare-fun x () Int) (declare-fun y () Int) (declare-fun z () Int)
(assert (and (> x 1) (> y 1) (> z 1)
  (= (+ (* x x x x x) (* y y y y y)) (* z z z z z))))
(check-sat)
"""


def test_cvc5_agrees_on_a_linear_and_a_nonlinear_lemma():
    for name in ("an unqueried arm is within epsilon of the best", "a root and a reciprocal fall below the level"):
        assert second_opinion.second_opinion(lemma_named(name), PATIENCE).answer is Satisfiability.UNSATISFIABLE


def test_the_hard_limit_is_hard():
    assert second_opinion.ask(NEVER_ENDING, seconds=1.0).answer is Satisfiability.UNKNOWN


def test_a_question_that_cannot_be_read_is_an_error_not_an_unknown():
    with pytest.raises(SolverFailed, match="neither sat, unsat nor unknown"):
        second_opinion.ask("(assert (frobnicate 1))")


def test_without_cvc5_it_says_so(monkeypatch):
    monkeypatch.setattr(second_opinion, "find_spec", lambda name: None)
    with pytest.raises(SolverMissing, match="pip install"):
        second_opinion.second_opinion(LEMMAS[0])


@pytest.mark.nightly
@pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.name.replace(" ", "-"))
def test_cvc5_agrees_on_every_lemma(lemma):
    assert second_opinion.second_opinion(lemma, PATIENCE).answer is Satisfiability.UNSATISFIABLE


@pytest.mark.nightly
@pytest.mark.parametrize("lemma", FALSE_STATEMENTS, ids=lambda lemma: lemma.name.replace(" ", "-"))
def test_cvc5_proves_no_false_statement(lemma):
    assert second_opinion.second_opinion(lemma).answer is not Satisfiability.UNSATISFIABLE
