"""Every lemma is proved for every number of arms, and every false statement is refuted with a checked model."""

import re

import pytest

from bufalu.properties.smt.catalogue import FALSE_STATEMENTS, LEMMAS, lemma_named
from bufalu.properties.smt.intervals import LCB, MEAN, UCB
from bufalu.properties.smt.lemma import Lemma, Status, prove
from bufalu.properties.smt.lemmas_bufalu import SHARPER_FOR_THE_OPTIMUM
from bufalu.properties.smt.relations import PLAYED
from bufalu.properties.smt.solver import Satisfiability, check, script
from bufalu.properties.smt.terms import arm


def named(lemma: Lemma) -> str:
    return lemma.name.replace(" ", "-")


@pytest.mark.parametrize("lemma", LEMMAS, ids=named)
def test_proved_for_every_number_of_arms(lemma):
    result = prove(lemma)
    assert result.status is Status.PROVED
    assert re.fullmatch(r"z3 [\d.]+", result.solver)
    assert result.seconds > 0


@pytest.mark.parametrize("lemma", FALSE_STATEMENTS, ids=named)
def test_refuted_with_a_model(lemma):
    result = prove(lemma)
    assert result.status is Status.REFUTED
    assert result.model is not None
    assert all(result.model.holds(formula) for formula in lemma.formulas())
    assert not result.model.holds(lemma.conclusion)


def test_lemmas_are_named_once_and_every_one_gives_its_place():
    everything = [*LEMMAS, *FALSE_STATEMENTS]
    assert len({lemma.name for lemma in everything}) == len(everything)
    for lemma in everything:
        assert lemma.claims
        assert re.search(r"l\.\d+|beyond the paper", lemma.lines)
        assert len({hypothesis.name for hypothesis in lemma.hypotheses}) == len(lemma.hypotheses)
        assert lemma_named(lemma.name) is lemma


def test_inductive_steps_name_their_meta_argument():
    steps = [lemma for lemma in LEMMAS if "step by step" in lemma.says or "n_{t-1}" in lemma.says]
    assert len(steps) >= 8
    assert all(lemma.meta and "Induction" in lemma.meta for lemma in steps)


def test_the_sharper_lemma_fails_for_the_optimal_arm_in_a_way_one_can_check_by_hand():
    model = prove(SHARPER_FOR_THE_OPTIMUM).model
    assert model is not None
    played, optimal = model.chosen["played"], model.chosen["optimal"]
    assert played == optimal
    width = model.real(UCB(PLAYED)) - model.real(LCB(PLAYED))
    gaps = [model.real(MEAN(PLAYED)) - model.real(MEAN(arm(name))) for name in model.arms if name != optimal]
    assert 2 * width <= min(gaps) + model.reals["epsilon"]


def test_the_script_for_other_solvers_asks_the_same_question():
    lemma = lemma_named("a queried arm is wider than epsilon")
    printed = script([*lemma.formulas(), ~lemma.conclusion], lemma.logic)
    assert printed.startswith("(set-logic UFLRA)\n(declare-sort Arm 0)")
    assert printed.endswith("(check-sat)\n")
    assert check([*lemma.formulas(), ~lemma.conclusion]).answer is Satisfiability.UNSATISFIABLE
