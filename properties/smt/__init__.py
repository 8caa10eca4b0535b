"""Proofs by solvers: the lemmas for every number of arms, and the code of the rules on symbolic reals."""
