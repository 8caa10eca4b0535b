"""The 24 rows of the three tables of statistics (l.1464-1634), one claim each."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, Section, at
from bufalu.properties.claims.evidence import Verdict

SECTION = Section.TABLES

_FIRST_LINES = {
    ("power", "unique"): 1474,
    ("power", "multiple"): 1489,
    ("zero", "unique"): 1540,
    ("zero", "multiple"): 1555,
    ("inverse-log", "unique"): 1604,
    ("inverse-log", "multiple"): 1619,
}
_POLICIES = ("bufalu", "bufau", "greedy", "cbm-ucb")
"""In the order of the rows, which are four lines apart."""

_FORMULAS = {"power": "t^(-1/4)", "zero": "0", "inverse-log": "1/ln t"}
_OPTIMAL = {"unique": "one", "multiple": "two"}


def _row(epsilon: str, optimal: str, position: int) -> Claim:
    policy = _POLICIES[position]
    return Claim(
        id=f"table.{epsilon}.{optimal}.{policy}",
        lines=at(_FIRST_LINES[epsilon, optimal] + 4 * position),
        section=SECTION,
        statement=f"Mean, standard deviation, 90% quantile and maximum of regret and queries of {policy} with epsilon(t) = "
        f"{_FORMULAS[epsilon]} on five Bernoulli arms, {_OPTIMAL[optimal]} of them optimal.",
        latex=r"(\bar x, s, q_{90}, \max) \text{ of } \mathrm{Reg}(T) \text{ and } B^q(T)",
        expected=Verdict.REPRODUCED,
        hypotheses=("T = 100,000", "1,000 seeds", "means 1/4 and 1/2"),
    )


CLAIMS = tuple(_row(epsilon, optimal, position) for epsilon, optimal in _FIRST_LINES for position in range(4))
