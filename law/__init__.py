"""The exact law of a run: every path of a policy on arms with finite supports, merged by what was observed."""

from bufalu.law.errors import NoExactLaw, TooManyStates
from bufalu.law.law import Law, Value, exact_law

__all__ = ["Law", "NoExactLaw", "TooManyStates", "Value", "exact_law"]
