"""Slips of the summary table and its caption that no other section owns (l.197-255)."""

from __future__ import annotations

from functools import partial

from bufalu.properties.claims.claim import Claim, Erratum, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = partial(Claim, section=Section.ERRATA, about=Subject.NEITHER)

CLAIMS = (
    _claim(
        id="summary.counts_before",
        lines=at(203),
        source="79567a2fea1f2368",
        statement="As printed in the caption of the summary table, n^q_t(a) counts the queries of arm a before round t.",
        latex=r"n^q_t(a) = \sum_{s < t} 1\{a_s = a, q_s = 1\}",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E30",
            slip=True,
            printed="the setting counts round t itself, and the bounds use that",
            corrected="summary.counts_before.corrected",
        ),
    ),
    _claim(
        id="summary.counts_before.corrected",
        lines=at(203, 268),
        source="aaf7b97ab8ec1bc4",
        statement="n^q_t(a) counts the queries of arm a up to and with round t; the interval of round t uses the counts "
        "up to t - 1.",
        latex=r"n^q_t(a) = \sum_{s \le t} 1\{a_s = a, q_s = 1\}",
        expected=Verdict.EXACT,
    ),
    _claim(
        id="summary.scarce_indices",
        lines=at((235, 241)),
        source="f26b697289a895a5",
        statement=(
            "As printed in the summary table, scarce querying limits the queries of the optimal arm by the "
            "profile of arm a, the profile mixes t and T, and the constant 1/4 of the argument is dropped."
        ),
        latex=r"E[n^q_T(a^*)] \le B_a(T);\quad B_a^{-1}(1/(K\Delta_a^2))",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E31",
            printed="the corollary limits the queries of the suboptimal arm a, at the argument 1/(4 K Delta_a^2)",
            corrected="summary.scarce_indices.corrected",
        ),
    ),
    _claim(
        id="summary.scarce_indices.corrected",
        lines=at((235, 241), (343, 349)),
        source="39569a0f1faae9f5",
        statement="The lower bound for scarce querying limits the queries of a suboptimal arm a, and takes the inverse "
        "of its profile at 1/(4 K Delta_a^2) for Gaussian arms; dropping the 4 can only enlarge the inverse, "
        "which a lower bound may not do.",
        latex=r"B_a^{-1}\Big(\frac{1}{4K\Delta_a^2}\Big) \le B_a^{-1}\Big(\frac{1}{K\Delta_a^2}\Big)",
        expected=Verdict.EXACT,
        rests_on=("scarce.corollary.corrected",),
    ),
)
