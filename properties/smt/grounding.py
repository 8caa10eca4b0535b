"""The lemmas' relation for a fixed number of arms, as plain formulas over real constants.

Quantifiers are written out, arms are known, infinite ends are known, and what is then decided is
folded away; `(LCB arm_2)` becomes the real constant `LCB_2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from bufalu.properties.smt.lemma import Hypothesis
from bufalu.properties.smt.models import arm_names, expand
from bufalu.properties.smt.terms import (
    APPLY,
    FALSE,
    SYMBOL,
    TRUE,
    Arm,
    Real,
    RealFunction,
    Term,
    Truth,
    all_of,
    any_of,
    arm,
    substitute,
)


def constant(function: RealFunction, number: int) -> Real:
    """The value of the function at an arm, as a constant."""
    return Real(SYMBOL, (), f"{function.name}_{number}")


def grounded(formula: Truth, number_of_arms: int, chosen: Mapping[str, int], infinite: frozenset[int]) -> Truth:
    """The formula for arms 1..K, with the named arms chosen and the given arms' intervals infinite at both ends."""
    names = arm_names(number_of_arms)
    term: Term = expand(formula, names)
    for symbol, number in chosen.items():
        term = substitute(term, symbol, arm(names[number - 1]))
    return _fold(term, {names[number - 1] for number in infinite})


def some_selection(
    relation: tuple[Hypothesis, ...],
    roles: tuple[str, ...],
    number_of_arms: int,
    *,
    outcome: Mapping[str, int],
    facts: Mapping[str, bool],
    infinite: frozenset[int],
) -> Truth:
    """Some choice of arms for the roles makes the relation hold with this outcome, which is what the paper means."""
    whole: Term = all_of(*(hypothesis.formula for hypothesis in relation))
    for name, value in facts.items():
        whole = substitute(whole, name, TRUE if value else FALSE)
    assert isinstance(whole, Truth)
    everyone = range(1, number_of_arms + 1)
    selections = [dict(zip(roles, choice, strict=True)) for choice in product(everyone, repeat=len(roles))]
    cases = [grounded(whole, number_of_arms, {**selection, **outcome}, infinite) for selection in selections]
    return any_of(*(case for case in cases if case.operator != "false"))


def _fold(term: Term, infinite: set[str]) -> Truth:
    parts = term.arguments
    match term.operator:
        case "not":
            inside = _fold(parts[0], infinite)
            return {"true": FALSE, "false": TRUE}.get(inside.operator, ~inside)
        case "and":
            folded = [_fold(part, infinite) for part in parts]
            if any(part.operator == "false" for part in folded):
                return FALSE
            return all_of(*(part for part in folded if part.operator != "true"))
        case "or":
            folded = [_fold(part, infinite) for part in parts]
            if any(part.operator == "true" for part in folded):
                return TRUE
            return any_of(*(part for part in folded if part.operator != "false"))
        case "=>":
            return _fold(Truth("or", (Truth("not", (parts[0],)), parts[1])), infinite)
        case "=" if isinstance(parts[0], Arm):
            return TRUE if parts[0].name == parts[1].name else FALSE
        case "=" if isinstance(parts[0], Truth):
            yes, no = (_fold(part, infinite) for part in parts)
            return _fold((yes & no) | (~yes & ~no), infinite)
        case "apply":
            return TRUE if parts[0].name in infinite else FALSE
        case "<=" | "<" | "=":
            return Truth(term.operator, tuple(_constants(part) for part in parts))
        case _:
            return Truth(term.operator, parts, term.name)


def _constants(term: Term) -> Term:
    if term.operator == APPLY:
        return constant(RealFunction(term.name), int(term.arguments[0].name.removeprefix("arm_")))
    arguments = tuple(_constants(part) for part in term.arguments)
    return type(term)(term.operator, arguments, term.name, term.value)
