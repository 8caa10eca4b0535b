"""How far games and exact arithmetic go; apart from them, so that the command line can tell without loading them."""

from __future__ import annotations

LONG = 9_000
"""Rounds of a long game: more than 4,096 queries of each of two arms that are queried in turn."""

MANY_ARMS = (6, 7, 8, 9, 10, 11, 12, 20, 64)

SHORT_SUM = 4_096
"""Bits of a sum of rewards up to which a round costs little to decide exactly; sums of doubles are always shorter."""

MOST_LONG_BITS = 100_000
"""Of the rounds with longer sums that doubles cannot decide, so many bits are decided exactly: some seconds."""

LONGEST_SUMS = 20_000
"""Bits of a sum of squares beyond which no bug is looked for: the suspects would compute with it hundreds of times."""
