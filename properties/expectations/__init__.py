"""Statements about laws of runs, decided exactly on every path of small instances (EXACT)."""
