"""The exact law of a run: every path of a policy on arms with finite supports, merged by what was observed."""

from bufalu.properties.law.errors import NoExactLaw, TooManyStates
from bufalu.properties.law.law import Law, Value, law

__all__ = ["Law", "NoExactLaw", "TooManyStates", "Value", "law"]
