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
    Real,
    RealFunction,
    SolverArm,
    SolverTerm,
    SolverTruth,
    all_of,
    any_of,
    substitute,
)


def constant(function: RealFunction, number: int) -> Real:
    """The value of the function at an arm, as a constant."""
    return Real(SYMBOL, (), f"{function.name}_{number}")


RADIUS_TO = "radius_to_"
"""A function with such a name is the radius of an arm and of the one in the role that follows."""


def radius(number: int, other: int) -> Real:
    """The radius of two arms, whichever comes first, as a constant."""
    return Real(SYMBOL, (), f"radius_{min(number, other)}_{max(number, other)}")


def grounded(
    formula: SolverTruth, number_of_arms: int, chosen: Mapping[str, int], infinite: frozenset[int]
) -> SolverTruth:
    """The formula for arms 1..K, with the named arms chosen and the given arms' intervals infinite at both ends."""
    names = arm_names(number_of_arms)
    return _chosen(expand(formula, names), names, chosen, infinite)


def some_selection(
    relation: tuple[Hypothesis, ...],
    roles: tuple[str, ...],
    number_of_arms: int,
    *,
    outcome: Mapping[str, int],
    facts: Mapping[str, bool],
    infinite: frozenset[int],
) -> SolverTruth:
    """Some choice of arms for the roles makes the relation hold with this outcome, which is what the paper means."""
    whole: SolverTerm = all_of(*(hypothesis.formula for hypothesis in relation))
    for name, value in facts.items():
        whole = substitute(whole, name, TRUE if value else FALSE)
    assert isinstance(whole, SolverTruth)
    names = arm_names(number_of_arms)
    expanded = expand(whole, names)
    cases = [
        _chosen(expanded, names, {**dict(zip(roles, selection, strict=True)), **outcome}, infinite)
        for selection in product(range(1, number_of_arms + 1), repeat=len(roles))
    ]
    return any_of(*(case for case in cases if case.operator != "false"))


def _chosen(
    expanded: SolverTruth, names: tuple[str, ...], chosen: Mapping[str, int], infinite: frozenset[int]
) -> SolverTruth:
    """The formula, already without quantifiers, with the named arms chosen and what is decided folded away."""
    arms = {symbol: names[number - 1] for symbol, number in chosen.items()}
    return _fold(expanded, arms, {names[number - 1] for number in infinite})


def _fold(term: SolverTerm, arms: Mapping[str, str], infinite: set[str]) -> SolverTruth:  # noqa: PLR0911 - one branch for each kind of term
    """The formula with chosen arms in place of their symbols and without what they decide."""
    parts = term.arguments
    match term.operator:
        case "not":
            inside = _fold(parts[0], arms, infinite)
            return {"true": FALSE, "false": TRUE}.get(inside.operator, ~inside)
        case "and":
            return _fold_parts(parts, arms, infinite, FALSE)
        case "or":
            return _fold_parts(parts, arms, infinite, TRUE)
        case "=>":
            return _fold_parts((SolverTruth("not", (parts[0],)), parts[1]), arms, infinite, TRUE)
        case "=" if isinstance(parts[0], SolverArm):
            return TRUE if _name(parts[0], arms) == _name(parts[1], arms) else FALSE
        case "=" if isinstance(parts[0], SolverTruth):
            yes, no = (_fold(part, arms, infinite) for part in parts)
            return _fold((yes & no) | (~yes & ~no), arms, infinite)
        case "apply":
            return TRUE if _name(parts[0], arms) in infinite else FALSE
        case "<=" | "<" | "=":
            return SolverTruth(term.operator, tuple(_constants(part, arms) for part in parts))
        case _:
            return SolverTruth(term.operator, parts, term.name)


def _fold_parts(
    parts: tuple[SolverTerm, ...], arms: Mapping[str, str], infinite: set[str], decisive: SolverTruth
) -> SolverTruth:
    """A conjunction, which a false part decides, or a disjunction, which a true one does: given up at the first such
    part, since most selections of arms are ruled out early.
    """
    kept = []
    for part in parts:
        folded = _fold(part, arms, infinite)
        if folded.operator == decisive.operator:
            return decisive
        if folded.operator not in ("true", "false"):
            kept.append(folded)
    return all_of(*kept) if decisive is FALSE else any_of(*kept)


def _name(term: SolverTerm, arms: Mapping[str, str]) -> str:
    return arms.get(term.name, term.name)


def _number(name: str) -> int:
    return int(name.removeprefix("arm_"))


def _constants(term: SolverTerm, arms: Mapping[str, str]) -> SolverTerm:
    if term.operator == APPLY:
        number = _number(_name(term.arguments[0], arms))
        if term.name.startswith(RADIUS_TO):
            return radius(number, _number(arms[term.name.removeprefix(RADIUS_TO)]))
        return constant(RealFunction(term.name), number)
    if not term.arguments:
        return term
    arguments = tuple(_constants(part, arms) for part in term.arguments)
    return type(term)(term.operator, arguments, term.name, term.value)
