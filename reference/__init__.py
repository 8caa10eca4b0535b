"""The paper's setting and algorithms as typed Python, in exact arithmetic and on the standard library alone."""
