"""Slips of the summary table and its caption that no other section owns (l.197-255)."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, Erratum, Section, at
from bufalu.properties.claims.evidence import Verdict

SECTION = Section.ERRATA

CLAIMS = (
    Claim(
        "summary.counts_before",
        at(203),
        SECTION,
        "As printed in the caption, n^q_t(a) counts the queries before round t.",
        r"n^q_t(a) = \sum_{s < t} 1\{a_s = a, q_s = 1\}",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E30", "the setting counts round t itself, and the bounds use that", "summary.counts_before.corrected"
        ),
    ),
    Claim(
        "summary.counts_before.corrected",
        at(203, 268),
        SECTION,
        "Counts include round t; the interval of round t uses the counts up to t - 1.",
        r"n^q_t(a) = \sum_{s \le t} 1\{a_s = a, q_s = 1\}",
        Verdict.EXACT,
    ),
    Claim(
        "summary.scarce_indices",
        at((235, 241)),
        SECTION,
        "As printed in the table, scarcity limits the queries of the optimal arm by the profile of arm a, the "
        "profile "
        "mixes t and T, and the constant 1/4 of the argument is dropped.",
        r"E[n^q_T(a^*)] \le B_a(T);\quad B_a^{-1}(1/(K\Delta_a^2))",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E31",
            "the corollary limits the queries of the suboptimal arm a, at the argument 1/(4 K Delta_a^2)",
            "summary.scarce_indices.corrected",
        ),
    ),
    Claim(
        "summary.scarce_indices.corrected",
        at((235, 241), (343, 349)),
        SECTION,
        "The corollary limits the queries of a suboptimal arm a, and takes the inverse of its profile at "
        "1/(4 K Delta_a^2) for Gaussian arms; dropping the 4 can only enlarge the inverse, which a lower bound may "
        "not do.",
        r"B_a^{-1}\Big(\frac{1}{4K\Delta_a^2}\Big) \le B_a^{-1}\Big(\frac{1}{K\Delta_a^2}\Big)",
        Verdict.EXACT,
    ),
)
