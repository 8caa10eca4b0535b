"""The printed numbers of the numerical section, run again (REPRODUCED)."""
