"""The formulas print, expand and evaluate as they should, and a solver's model is never believed unchecked."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.properties.smt import solver
from bufalu.properties.smt.errors import IrrationalModel, SolverMissing, UnexplainedModel
from bufalu.properties.smt.lemma import confirm
from bufalu.properties.smt.models import Model, arm_names, expand
from bufalu.properties.smt.solver import Satisfiability, check, check_finite
from bufalu.properties.smt.terms import (
    FALSE,
    TRUE,
    RealFunction,
    all_of,
    any_of,
    arm,
    declarations,
    exists,
    for_all,
    if_then_else,
    number,
    real,
    text,
    truth,
)

X, Y = real("x"), real("y")
F = RealFunction("f")


def test_a_formula_has_no_truth_value_of_its_own():
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(X <= Y)


def test_numerals_print_as_smt_lib_writes_them():
    assert text(number(Fraction(-3, 4))) == "(- (/ 3.0 4.0))"
    assert text(X * 2 >= Y - 1) == "(<= (- y 1.0) (* x 2.0))"
    assert text(all_of()) == "true"
    assert text(any_of()) == "false"


def test_declarations_list_what_is_free_and_nothing_else():
    declared = declarations(for_all(lambda a: F(a) <= X) & truth("p") & arm("l").equals(arm("u")))
    assert declared.split("\n") == [
        "(declare-sort Arm 0)",
        "(declare-fun f (Arm) Real)",
        "(declare-fun l () Arm)",
        "(declare-fun p () Bool)",
        "(declare-fun u () Arm)",
        "(declare-fun x () Real)",
    ]


@given(st.lists(st.fractions(-5, 5), min_size=1, max_size=4), st.fractions(-5, 5))
def test_quantifiers_expand_to_what_they_mean(values, bound):
    names = arm_names(len(values))
    model = Model(names, {"x": bound}, functions={"f": dict(zip(names, values, strict=True))})
    every, some = for_all(lambda a: F(a) <= X), exists(lambda a: F(a) <= X)
    assert model.holds(every) is all(value <= bound for value in values) is model.holds(expand(every, names))
    assert model.holds(some) is any(value <= bound for value in values) is model.holds(expand(some, names))


@given(st.fractions(-9, 9), st.fractions(-9, 9))
def test_the_solver_and_the_evaluator_agree_on_arithmetic(x, y):
    """Everything an operator can do wrong would make the solver and the evaluator disagree on some pair."""
    model = Model((), {"x": x, "y": y})
    for formula in (
        X - Y * 2 < X * Y,
        -X + Y >= 3,
        if_then_else(X > Y, X, Y).equals(X),
        (X < Y).iff(X <= Y),
        (X < Y).implies(FALSE) | ~(TRUE & X.equals(Y)),
    ):
        outcome = check([X.equals(x), Y.equals(y), formula])
        assert outcome.answer is (
            Satisfiability.SATISFIABLE if model.holds(formula) else Satisfiability.UNSATISFIABLE
        )


def test_a_model_that_does_not_satisfy_its_formulas_is_not_believed():
    with pytest.raises(UnexplainedModel):
        confirm(Model((), {"x": Fraction(1)}), [X < 0])


def test_an_irrational_model_is_refused_not_rounded():
    with pytest.raises(IrrationalModel):
        check_finite([(X * X).equals(2)], 1)


def test_without_z3_the_solver_says_so(monkeypatch):
    monkeypatch.setattr(solver, "find_spec", lambda name: None)
    assert not solver.available()
    with pytest.raises(SolverMissing, match="pip install"):
        check([X < 0])


def test_models_read_well():
    model = check_finite([for_all(lambda a: F(a) <= X), X.equals(1), arm("leader").equals(arm("arm_2"))], 2).model
    assert model is not None
    shown = model.describe().split("\n")
    assert shown[:2] == ["x = 1", "leader is arm_2"]
    assert shown[2].startswith("arm_1: f ")
