"""The paper's quantities and theorems as sympy expressions, with certified numeric enclosures."""

from bufalu.bounds.bound import Bound, BoundTerm
from bufalu.bounds.enclosures import INFINITE, Enclosure, Truth, working_precision
from bufalu.bounds.epsilons import inverse as epsilon_inverse
from bufalu.bounds.expressions import Expression
from bufalu.bounds.families import Bernoulli, Bounded, Family, Gaussian, TwoFaced, parse_family
from bufalu.bounds.frontiers import Frontier, frontier, least_cost
from bufalu.bounds.lower import LowerBounds, lower_bounds
from bufalu.bounds.quantities import Quantities, quantities
from bufalu.bounds.regularity import BERNSTEIN, HOEFFDING, Regularity, regularity_of
from bufalu.bounds.report import Question, bounds_report
from bufalu.bounds.run_bounds import RunBounds, run_bounds
from bufalu.bounds.sharp import SharpBounds, sharp_bounds
from bufalu.bounds.upper import UpperBounds, query_costs, upper_bounds

__all__ = [
    "BERNSTEIN",
    "HOEFFDING",
    "INFINITE",
    "Bernoulli",
    "Bound",
    "BoundTerm",
    "Bounded",
    "Enclosure",
    "Expression",
    "Family",
    "Frontier",
    "Gaussian",
    "LowerBounds",
    "Quantities",
    "Question",
    "Regularity",
    "RunBounds",
    "SharpBounds",
    "Truth",
    "TwoFaced",
    "UpperBounds",
    "bounds_report",
    "epsilon_inverse",
    "frontier",
    "least_cost",
    "lower_bounds",
    "parse_family",
    "quantities",
    "query_costs",
    "regularity_of",
    "run_bounds",
    "sharp_bounds",
    "upper_bounds",
    "working_precision",
]
