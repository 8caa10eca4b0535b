"""The zoo: wrong versions of the four policies that checks must kill, and correct ones that they must accept."""

from bufalu.properties.zoo.catalogue import MUTANTS, mutant_named
from bufalu.properties.zoo.mutants import LiveMutant, Mutant, Place
from bufalu.properties.zoo.rules import CORRECT

__all__ = ["CORRECT", "MUTANTS", "LiveMutant", "Mutant", "Place", "mutant_named"]
