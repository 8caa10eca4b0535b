"""Algebra, analysis and numbers: identities by sympy, inequalities by enclosures, witnesses of the errata."""
