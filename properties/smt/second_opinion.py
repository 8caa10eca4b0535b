"""A second opinion on a lemma by cvc5, in a child process with a hard time limit.

Both solvers read the same text, so that a mistake in one of them, or in how z3 is driven, does not go unnoticed; a
mistake in the statement would.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from bufalu.properties.smt.errors import SolverFailed, SolverMissing
from bufalu.properties.smt.lemma import Lemma
from bufalu.properties.smt.solver import Satisfiability, SolverAnswer, script

CHILD = Path(__file__).with_name("second_opinion_child.py")
HARD_LIMIT_SECONDS = 20.0
"""After which the child that runs cvc5 is killed."""


def available() -> bool:
    """Whether cvc5 can be imported."""
    return find_spec("cvc5") is not None


def name_and_version() -> str:
    """For example "cvc5 1.2.0"; raises SolverMissing without cvc5."""
    if not available():
        raise SolverMissing("cvc5 is not installed: pip install cvc5")
    return f"cvc5 {version('cvc5')}"


def second_opinion(lemma: Lemma, seconds: float = HARD_LIMIT_SECONDS) -> SolverAnswer:
    """Ask cvc5 whether the lemma can fail: UNSATISFIABLE means proved, UNKNOWN that it gave up or was stopped.

    Raises SolverMissing without cvc5 and SolverFailed if it does not answer the question.
    """
    return ask(script([*lemma.formulas(), ~lemma.conclusion], lemma.logic), seconds)


def ask(question: str, seconds: float = HARD_LIMIT_SECONDS) -> SolverAnswer:
    """Give an SMT-LIB script to cvc5; the child is killed when the time is over.

    Raises SolverMissing without cvc5 and SolverFailed if it does not answer the question.
    """
    name_and_version()
    start = perf_counter()
    try:
        # -P keeps the modules beside the child's file from hiding library modules of the same name.
        child = subprocess.run(
            [sys.executable, "-P", str(CHILD)],
            input=question,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return SolverAnswer(Satisfiability.UNKNOWN, perf_counter() - start)
    # cvc5 adds why it does not know, as in "unknown (INCOMPLETE)"
    answer = child.stdout.strip().partition(" ")[0]
    if answer not in {each.value for each in Satisfiability}:
        said = (child.stdout + child.stderr).strip()[-300:]
        raise SolverFailed(f"cvc5 answered neither sat, unsat nor unknown: {said}")
    return SolverAnswer(Satisfiability(answer), perf_counter() - start)
