"""The zoo: wrong versions of the four policies that checks must kill, and correct ones that they must accept."""

from bufalu.oracle.known_bugs.catalogue import MUTANTS, mutant_named
from bufalu.oracle.known_bugs.known_bug import LiveMutant, Mutant, Place
from bufalu.oracle.stepwise_rules import CORRECT

__all__ = ["CORRECT", "MUTANTS", "LiveMutant", "Mutant", "Place", "mutant_named"]
