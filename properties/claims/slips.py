"""Slips of the summary table and its caption that no other section owns (l.197-255)."""

from __future__ import annotations

from bufalu.properties.claims.claim import PaperClaims, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = PaperClaims(Section.ERRATA, Subject.NEITHER)

CLAIMS = (
    _claim(
        "summary.counts_before",
        at(203, sha="79567a2fea1f2368"),
        "As printed in the caption of the summary table, n^q_t(a) counts the queries of arm a before round t.",
        r"n^q_t(a) = \sum_{s < t} 1\{a_s = a, q_s = 1\}",
        erratum="E30",
        printed="the setting counts round t itself, and the bounds use that",
        slip=True,
    ),
    _claim(
        "summary.counts_before.corrected",
        at(203, 268, sha="aaf7b97ab8ec1bc4"),
        "n^q_t(a) counts the queries of arm a up to and with round t; the interval of round t uses the counts up to "
        "t - 1.",
        r"n^q_t(a) = \sum_{s \le t} 1\{a_s = a, q_s = 1\}",
        expected=Verdict.EXACT,
    ),
    _claim(
        "summary.scarce_indices",
        at((235, 241), sha="f26b697289a895a5"),
        "As printed in the summary table, scarce querying limits the queries of the optimal arm by the profile of "
        "arm a, the profile mixes t and T, and the constant 1/4 of the argument is dropped.",
        r"E[n^q_T(a^*)] \le B_a(T);\quad B_a^{-1}(1/(K\Delta_a^2))",
        erratum="E31",
        printed="the corollary limits the queries of the suboptimal arm a, at the argument 1/(4 K Delta_a^2)",
    ),
    _claim(
        "summary.scarce_indices.corrected",
        at((235, 241), (343, 349), sha="39569a0f1faae9f5"),
        "The lower bound for scarce querying limits the queries of a suboptimal arm a, and takes the inverse of its "
        "profile at 1/(4 K Delta_a^2) for Gaussian arms; dropping the 4 can only enlarge the inverse, which a lower "
        "bound may not do.",
        r"B_a^{-1}\Big(\frac{1}{4K\Delta_a^2}\Big) \le B_a^{-1}\Big(\frac{1}{K\Delta_a^2}\Big)",
        expected=Verdict.EXACT,
        rests_on=("scarce.corollary.corrected",),
    ),
)
