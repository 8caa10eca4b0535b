"""How far games go; apart from them, so that the command line can tell without loading them."""

from __future__ import annotations

LONG = 9_000
"""Rounds of a long game: more than 4,096 queries of each of two arms that are queried in turn."""

MANY_ARMS = (6, 7, 8, 9, 10, 11, 12, 20, 64)
"""Numbers of arms of the stage `arms`; no game has more than the last one, unless `--arms` asks for more."""
