"""The numerical section of the paper: a fast engine that agrees with the reference, tables, figures and sweeps."""
