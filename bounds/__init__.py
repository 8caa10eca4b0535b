"""The paper's quantities and theorems as sympy expressions, with certified numeric enclosures."""
