"""Claims about scarce querying: the finite-time lower bound, its corollary and the querying profiles (l.327-366)."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, Erratum, Section, at
from bufalu.properties.claims.evidence import Verdict

SECTION = Section.SCARCE
UNIFORM = ("the strategy is better-than-uniform on the family",)

CLAIMS = (
    Claim(
        "scarce.linear_regret",
        at((333, 341), (772, 804)),
        SECTION,
        "A better-than-uniform strategy plays a suboptimal arm at least T/K (1 - sqrt(2 min{K E n^q, T} Kinf+)) "
        "times "
        "in expectation; with at most 1/(8 K Kinf+) expected queries this is T/(2K).",
        r"E[n_T(a)] \ge \frac TK\Big(1 - \sqrt{2 \min\{K E[n^q_T(a)], T\}\, \mathcal K^+_{\inf}(\nu_a,\mu^*)}\Big)",
        Verdict.EXACT,
        UNIFORM,
    ),
    Claim(
        "scarce.reorganisation",
        at((790, 803)),
        SECTION,
        "The quadratic bound of the proof rearranges to the stated one, and at 1/(8 K Kinf+) queries the root is "
        "1/2.",
        r"n\kappa \ge \tfrac K2 (\tfrac1K - p)^2,\ p \le \tfrac1K \Rightarrow p \ge \tfrac1K(1 - \sqrt{2Kn\kappa})",
        Verdict.CERTIFIED,
    ),
    Claim(
        "scarce.local_pinsker",
        at((783, 787)),
        SECTION,
        "A local form of Pinsker's inequality for the binary divergence.",
        r"0 \le p < q \le 1 \Rightarrow \mathrm{kl}(p, q) \ge (q-p)^2/(2q)",
        Verdict.CERTIFIED,
    ),
    Claim(
        "scarce.kl_increasing",
        at((776, 783)),
        SECTION,
        "For fixed p the binary divergence increases in its second argument from p on.",
        r"\partial_q \mathrm{kl}(p,q) = \frac{q-p}{q(1-q)} \ge 0 \quad (q \ge p)",
        Verdict.CERTIFIED,
    ),
    Claim(
        "scarce.corollary",
        at((343, 349), (806, 826)),
        SECTION,
        "As printed, the regret is at least the sum of gap/(2K) times the inverse query profile at 1/(8 K Kinf+), "
        "also where a profile starts at zero and the divergence is infinite.",
        r"\mathrm{Reg}(T) \ge \sum_{a \notin A_*} \frac{\Delta_a}{2K} B_a^{-1}\Big(\frac{1}{8K\mathcal K^+}\Big)",
        Verdict.ERRATUM,
        UNIFORM,
        Erratum(
            "E8",
            "with infinite divergence and B_a(1) = 0 the inverse is at least one and the bound fails",
            "scarce.corollary.corrected",
        ),
    ),
    Claim(
        "scarce.corollary.corrected",
        at((343, 349), (806, 826)),
        SECTION,
        "The corollary holds when arms of infinite divergence contribute nothing; the query profile may then start "
        "at "
        "zero.",
        r"\mathrm{Reg}(T) \ge \sum_{a \notin A_*,\ \mathcal K^+_a < \infty} \frac{\Delta_a}{2K} "
        r"B_a^{-1}\Big(\frac{1}{8K\mathcal K^+_a}\Big)",
        Verdict.EXACT,
        UNIFORM,
    ),
    Claim(
        "scarce.corollary_indices",
        at(344, 353, (809, 811)),
        SECTION,
        "As printed, the domain of the inverse of an arm's profile is given by an index-free B(1), and the horizon "
        "of "
        "the Gaussian example by an arm that is not quantified.",
        r"x \ge B(1);\quad T \ge B_a^{-1}(1/(4K\Delta_{\min}^2))",
        Verdict.ERRATUM,
        erratum=Erratum("E9", "B(1) for B_a(1), and a free index a", "scarce.corollary_indices.corrected"),
    ),
    Claim(
        "scarce.corollary_indices.corrected",
        at(344, 353, (809, 811)),
        SECTION,
        "Each profile's inverse is defined from its own first value, and the horizon is the largest inverse over "
        "suboptimal arms.",
        r"B_a^{-1}(x) = \sup\{t: B_a(t) \le x\}\ (x \ge B_a(1)),\quad "
        r"T \ge \max_{a \notin A_*} B_a^{-1}(1/(4K\Delta_a^2))",
        Verdict.EXACT,
    ),
    Claim(
        "scarce.remark_budgets",
        at(350),
        SECTION,
        "The corollary holds with any nondecreasing upper bound on the expected queries in place of the profile, "
        "because the inverse only becomes smaller.",
        r"B_a \le B'_a \Rightarrow B_a'^{-1}(x) \le B_a^{-1}(x)",
        Verdict.EXACT,
    ),
    Claim(
        "scarce.gaussian_example",
        at((352, 356)),
        SECTION,
        "For unit-variance Gaussian arms the corollary's argument is 1/(4 K Delta_a^2).",
        r"\frac{1}{8K \Delta_a^2/2} = \frac{1}{4K\Delta_a^2}",
        Verdict.CERTIFIED,
    ),
    Claim(
        "scarce.polynomial",
        at((359, 361)),
        SECTION,
        "With T^alpha/K queries of each arm the inverse profile, before rounding down, is (4 Delta_a^2)^(-1/alpha), "
        "so the regret bound is of "
        "the order of Delta_a^(1-2/alpha)/K.",
        r"\frac{\Delta}{2K} (4\Delta^2)^{-1/\alpha} = \frac{4^{-1/\alpha}}{2K} \Delta^{1-2/\alpha}",
        Verdict.CERTIFIED,
        ("0 < alpha <= 1",),
    ),
    Claim(
        "scarce.polylog",
        at(362, 241),
        SECTION,
        "As printed, with (ln T)^alpha/K queries of each arm the regret is at least of the order of Delta_a "
        "exp(Delta_a^(-2/alpha)).",
        r"\mathrm{Reg}(T) = \Omega\Big(\sum_a \Delta_a \exp(\Delta_a^{-2/\alpha})\Big)",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E7", "a constant inside the exponent is dropped, which changes the order", "scarce.polylog.corrected"
        ),
    ),
    Claim(
        "scarce.polylog.corrected",
        at(362, 241),
        SECTION,
        "With (ln T)^alpha/K queries of each arm the inverse profile is exp((4 Delta_a^2)^(-1/alpha)), rounded down.",
        r"B_a^{-1}\Big(\frac{1}{4K\Delta^2}\Big) = \lfloor \exp((4\Delta^2)^{-1/\alpha}) \rfloor",
        Verdict.CERTIFIED,
    ),
    Claim(
        "scarce.gap_aware",
        at(363),
        SECTION,
        "With ln T/Delta_a^2 queries of each arm the inverse profile is one for every number of arms, so the bound "
        "is "
        "the sum of Delta_a/(2K).",
        r"1 \le e^{1/(4K)} < 2",
        Verdict.CERTIFIED,
    ),
    Claim(
        "scarce.profiles_start_positive",
        at(350, (359, 363)),
        SECTION,
        "As printed, the profiles of the example satisfy the positivity asked for in the remark, exponents may be "
        "zero, and the bounds of the first two profiles do not depend on the number of arms.",
        r"B_a(1) > 0;\ \alpha \in [0,1];\ \Omega(\sum_a \Delta_a^{1-2/\alpha})",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E26",
            "ln 1 = 0 makes two profiles start at zero, alpha = 0 divides by zero, and 1/K is dropped",
            "scarce.profiles_start_positive.corrected",
        ),
    ),
    Claim(
        "scarce.profiles_start_positive.corrected",
        at(350, (359, 363)),
        SECTION,
        "Profiles may start at zero (the divergences are finite, so the corrected corollary applies), alpha is "
        "positive, and each term of the corollary's bound carries the factor 1/(2K).",
        r"\frac{\Delta_a}{2K} B_a^{-1}\Big(\frac{1}{4K\Delta_a^2}\Big) = "
        r"\frac{\Delta_a}{2K} \lfloor(4\Delta_a^2)^{-1/\alpha}\rfloor,\ 0<\alpha\le1",
        Verdict.CERTIFIED,
    ),
    Claim(
        "scarce.applies_to_bufalu",
        at((329, 331), 445),
        SECTION,
        "As the discussion compares them, the scarce-querying lower bound speaks about BuFALU itself.",
        r"\text{BuFALU is better-than-uniform}",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E21",
            "BuFALU's initial rounds visit the arms in a fixed order, so it is not better-than-uniform",
            "scarce.applies_to_bufalu.corrected",
        ),
    ),
    Claim(
        "scarce.applies_to_bufalu.corrected",
        at((329, 331), 445),
        SECTION,
        "If the arms are relabelled by a uniform permutation first, the initial rounds are exactly uniform: for T "
        "<= K "
        "the expected plays of optimal arms are |A*| T / K.",
        r"T \le K \Rightarrow \sum_{a \in A_*} E[n_T(a)] = |A_*| T / K",
        Verdict.EXACT,
    ),
    Claim(
        "scarce.weaker_than_all_arms",
        at(332),
        SECTION,
        "The definition asks less than every optimal arm being played T/K times in expectation.",
        r"\forall a \in A_*: E[n_T(a)] \ge T/K \Rightarrow \sum_{a \in A_*} E[n_T(a)] \ge |A_*| T/K",
        Verdict.CERTIFIED,
    ),
)
