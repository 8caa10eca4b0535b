"""Rounds as arrays of doubles with errors, and comparisons that narrow masks: a policy's rule run on many rounds at once."""
