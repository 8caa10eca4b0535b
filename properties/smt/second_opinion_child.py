"""Run as a process of its own: read an SMT-LIB script from standard input, print cvc5's answer."""

from __future__ import annotations

import sys
from typing import Any


def main() -> int:
    """Print sat, unsat or unknown for the script on standard input."""
    import cvc5

    solver: Any = cvc5.Solver()
    solver.setOption("enum-inst", "true")  # where no term suggests an instance of "for all", try all terms in turn
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "lemma")
    symbols: Any = parser.getSymbolManager()
    while True:
        command: Any = parser.nextCommand()
        if command.isNull():
            return 0
        print(command.invoke(solver, symbols), end="")


if __name__ == "__main__":
    sys.exit(main())
