"""The 24 rows of the three tables of statistics (l.1464-1634), one claim each."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, PaperClaims, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = PaperClaims(Section.TABLES, Subject.HOEFFDING)

_BLOCKS = {
    ("power", "unique"): (1474, "77fbe54ce1941ecf 27e3ece5c1d48a53 763bb951973b22b5 7d55c5b16eb1cde4"),
    ("power", "multiple"): (1489, "021a0ffaea3f2838 024bbfe6303ac806 d1aa95931d45509d a33db96997edc774"),
    ("zero", "unique"): (1540, "9f64f8e6ddff9a4b d9b7f4752f38fea1 763bb951973b22b5 07d352de2e9000e2"),
    ("zero", "multiple"): (1555, "f72e6c34c199559c 6a120d5e9f5963e3 d1aa95931d45509d 54d29a218fd32252"),
    ("inverse-log", "unique"): (1604, "ad3b30e5a4d6c755 96bdc8b22e536268 2c74010ea4df6aa4 97528eafae66b53f"),
    ("inverse-log", "multiple"): (1619, "4be8537a6cefcfd8 510ae9a796196d55 1a412cdef1be11b9 9eb278ce90378edd"),
}
"""The first line of each block of rows, which are four lines apart, and the hash of each row's line."""

_POLICIES = {
    "bufalu": (Subject.HOEFFDING, "algorithm.maximisers"),
    "bufau": (Subject.OTHER_POLICIES, "algorithm.maximisers"),
    "greedy": (Subject.OTHER_POLICIES, "greedy.budget_formula.corrected"),
    "cbm-ucb": (Subject.OTHER_POLICIES, "algorithm.maximisers"),
}
"""In the order of the rows: what they speak about, and the claim that they rest on."""

_NAMES = {"bufalu": "BuFALU", "bufau": "BuFAU", "greedy": "Greedy", "cbm-ucb": "CBM-UCB"}
_FORMULAS = {"power": "t^(-1/4)", "zero": "0", "inverse-log": "1/ln t"}
_OPTIMAL = {"unique": "one", "multiple": "two"}


def _row(epsilon: str, optimal: str, position: int) -> Claim:
    policy = list(_POLICIES)[position]
    first, sources = _BLOCKS[epsilon, optimal]
    about, support = _POLICIES[policy]
    return _claim(
        f"table.{epsilon}.{optimal}.{policy}",
        at(first + 4 * position, sha=sources.split()[position]),
        f"{_NAMES[policy]} with epsilon(t) = {_FORMULAS[epsilon]} on five Bernoulli arms, {_OPTIMAL[optimal]} of "
        "them optimal, has the mean, standard deviation, 90% quantile and maximum of regret and of queries that are printed.",
        r"(\bar x, s, q_{90}, \max) \text{ of } \mathrm{Reg}(T) \text{ and } B^q(T)",
        "T = 100,000",
        "1,000 seeds",
        "means 1/4 and 1/2",
        expected=Verdict.REPRODUCED,
        about=about,
        rests_on=(support,),
    )


CLAIMS = tuple(_row(epsilon, optimal, position) for epsilon, optimal in _BLOCKS for position in range(4))


def rows(epsilon: str, *optimal: str) -> tuple[str, ...]:
    """The ids of the rows of one schedule, of these numbers of optimal arms or of all."""
    blocks = [f"table.{epsilon}.{each}." for each in optimal or _OPTIMAL]
    return tuple(claim.id for claim in CLAIMS if claim.id.startswith(tuple(blocks)))
