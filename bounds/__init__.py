"""The paper's quantities and theorems as sympy expressions, with certified numeric enclosures."""

from bufalu.bounds.bound import Bound, BoundTerm
from bufalu.bounds.enclosures import INFINITE, Enclosure, Truth, working_precision
from bufalu.bounds.epsilons import inverse as epsilon_inverse
from bufalu.bounds.expressions import Expression
from bufalu.bounds.families import Bernoulli, Bounded, Family, Gaussian, TwoFaced, parse_family
from bufalu.bounds.lower import LowerBounds, lower_bounds
from bufalu.bounds.quantities import Quantities, quantities
from bufalu.bounds.regularity import BERNSTEIN, HOEFFDING, Regularity, regularity_of
from bufalu.bounds.report import Question, bounds_report
from bufalu.bounds.run_bounds import RunBounds, run_bounds
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
    "Gaussian",
    "LowerBounds",
    "Quantities",
    "Question",
    "Regularity",
    "RunBounds",
    "Truth",
    "TwoFaced",
    "UpperBounds",
    "bounds_report",
    "epsilon_inverse",
    "lower_bounds",
    "parse_family",
    "quantities",
    "query_costs",
    "regularity_of",
    "run_bounds",
    "upper_bounds",
    "working_precision",
]
