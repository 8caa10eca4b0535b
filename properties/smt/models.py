"""Finite models: a table of arms and numbers in which every formula can be evaluated without a solver.

A counterexample found by a solver is believed only after its hypotheses and its conclusion have been evaluated here,
in rational arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from bufalu.properties.smt.terms import (
    APPLY,
    EXISTS,
    FORALL,
    NUMERAL,
    SYMBOL,
    Real,
    SolverArm,
    SolverTerm,
    SolverTruth,
    all_of,
    any_of,
    arm,
    substitute,
    walk,
)


@dataclass(frozen=True)
class Model:
    """Finitely many arms, and a value for every symbol and for every function at every arm."""

    arms: tuple[str, ...]
    reals: Mapping[str, Fraction] = field(default_factory=dict)
    truths: Mapping[str, bool] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    predicates: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)

    def real(self, term: Real) -> Fraction:
        """The value of a real term."""
        return _real(term, self, {})

    def holds(self, formula: SolverTruth) -> bool:
        """Whether the formula holds in this model; quantifiers run over its arms."""
        return _truth(formula, self, {})

    def describe(self) -> str:
        """The model in a few lines, for people."""
        lines = [f"{name} = {value}" for name, value in sorted(self.reals.items())]
        lines += [f"{name} is {value}" for name, value in sorted(self.chosen.items())]
        lines += [f"{name}: {'yes' if value else 'no'}" for name, value in sorted(self.truths.items())]
        for each in self.arms:
            values = [f"{name} {table[each]}" for name, table in sorted(self.functions.items())]
            values += [name for name, table in sorted(self.predicates.items()) if table[each]]
            lines.append(f"{each}: {', '.join(values)}" if values else each)
        return "\n".join(lines)


def arm_names(number_of_arms: int) -> tuple[str, ...]:
    """The names of the arms of a finite model: arm_1 and so on, as the paper numbers them."""
    return tuple(f"arm_{number}" for number in range(1, number_of_arms + 1))


def expand(formula: SolverTruth, names: tuple[str, ...]) -> SolverTruth:
    """The formula with every quantifier written out over the named arms."""
    arguments = tuple(expand(part, names) if isinstance(part, SolverTruth) else part for part in formula.arguments)
    if formula.operator in (FORALL, EXISTS):
        (body,) = arguments
        instances = [substitute(body, formula.name, arm(name)) for name in names]
        truths = [instance for instance in instances if isinstance(instance, SolverTruth)]
        return all_of(*truths) if formula.operator == FORALL else any_of(*truths)
    return SolverTruth(formula.operator, arguments, formula.name, formula.value)


def finite(formulas: list[SolverTruth], number_of_arms: int) -> list[SolverTruth]:
    """The formulas over exactly `number_of_arms` arms, without quantifiers."""
    names = arm_names(number_of_arms)
    bound = {term.name for whole in formulas for term in walk(whole) if term.operator in (FORALL, EXISTS)}
    chosen = {
        term.name
        for whole in formulas
        for term in walk(whole)
        if isinstance(term, SolverArm)
        and term.operator == SYMBOL
        and term.name not in bound
        and term.name not in names
    }
    different = [arm(first).differs(arm(other)) for i, first in enumerate(names) for other in names[i + 1 :]]
    among = [any_of(*(arm(symbol).equals(arm(name)) for name in names)) for symbol in sorted(chosen)]
    return [*different, *among, *(expand(formula, names) for formula in formulas)]


def _arm(term: SolverTerm, model: Model, bound: Mapping[str, str]) -> str:
    if term.name in bound:
        return bound[term.name]
    return term.name if term.name in model.arms else model.chosen[term.name]


def _real(term: SolverTerm, model: Model, bound: Mapping[str, str]) -> Fraction:  # noqa: PLR0911 - one branch for each kind of term
    if term.operator == NUMERAL:
        return term.value
    if term.operator == SYMBOL:
        return model.reals[term.name]
    if term.operator == APPLY:
        return model.functions[term.name][_arm(term.arguments[0], model, bound)]
    if term.operator == "ite":
        condition, yes, no = term.arguments
        return _real(yes if _truth(condition, model, bound) else no, model, bound)
    values = [_real(argument, model, bound) for argument in term.arguments]
    if term.operator == "+":
        return sum(values, Fraction(0))
    if term.operator == "*":
        return values[0] * values[1]
    if term.operator == "-":
        return values[0] - values[1] if len(values) == 2 else -values[0]
    raise ValueError(f"no real has the operator {term.operator}")


def _equal(first: SolverTerm, second: SolverTerm, model: Model, bound: Mapping[str, str]) -> bool:
    if isinstance(first, SolverArm):
        return _arm(first, model, bound) == _arm(second, model, bound)
    if isinstance(first, Real):
        return _real(first, model, bound) == _real(second, model, bound)
    return _truth(first, model, bound) == _truth(second, model, bound)


def _truth(term: SolverTerm, model: Model, bound: Mapping[str, str]) -> bool:  # noqa: C901, PLR0911, PLR0912 - one branch for each kind of term
    parts = term.arguments
    match term.operator:
        case "true" | "false":
            return term.operator == "true"
        case "symbol":
            return model.truths[term.name]
        case "apply":
            return model.predicates[term.name][_arm(parts[0], model, bound)]
        case "<=":
            return _real(parts[0], model, bound) <= _real(parts[1], model, bound)
        case "<":
            return _real(parts[0], model, bound) < _real(parts[1], model, bound)
        case "=":
            return _equal(parts[0], parts[1], model, bound)
        case "not":
            return not _truth(parts[0], model, bound)
        case "and":
            return all(_truth(part, model, bound) for part in parts)
        case "or":
            return any(_truth(part, model, bound) for part in parts)
        case "=>":
            return not _truth(parts[0], model, bound) or _truth(parts[1], model, bound)
        case "forall":
            return all(_truth(parts[0], model, {**bound, term.name: each}) for each in model.arms)
        case "exists":
            return any(_truth(parts[0], model, {**bound, term.name: each}) for each in model.arms)
        case other:
            raise ValueError(f"no formula has the operator {other}")
