"""Claims about scarce querying: the finite-time lower bound, its corollary and the querying profiles (l.327-366)."""

from __future__ import annotations

from bufalu.properties.claims.claim import PROVED_AS_A_WHOLE, PaperClaims, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = PaperClaims(Section.SCARCE, Subject.NEITHER)
UNIFORM = (
    "all laws of the family have finite support",
    "the strategy is better-than-uniform on the family",
)

CLAIMS = (
    _claim(
        "scarce.linear_regret",
        at((333, 341), (772, 804), sha="b7c02997e033165d"),
        "A strategy under which the optimal arms have at least their uniform share of plays (better-than-uniform) "
        "plays a suboptimal arm at least T/K (1 - sqrt(2 min{K n, T} Kinf+)) times in expectation. Here n is the "
        "arm's expected queries, and Kinf+ its divergence to laws with a mean above the optimal one. With n at most "
        "1/(8 K Kinf+) this is T/(2K).",
        r"E[n_T(a)] \ge \frac TK\Big(1 - \sqrt{2 \min\{K E[n^q_T(a)], T\}\, \mathcal K^+_{\inf}(\nu_a,\mu^*)}\Big)",
        *UNIFORM,
        rests_on=(
            "kl.counts_inequality",
            "scarce.local_pinsker",
            "scarce.kl_increasing",
            "scarce.reorganisation",
            "kinf.definition",
        ),
        although=PROVED_AS_A_WHOLE,
    ),
    _claim(
        "scarce.reorganisation",
        at((790, 803), sha="db8fd0e5fa60c196"),
        "The quadratic inequality in the proof of the lower bound for scarce querying rearranges to the bound as it "
        "is stated, and with 1/(8 K Kinf+) expected queries its root is 1/2.",
        r"n\kappa \ge \tfrac K2 (\tfrac1K - p)^2,\ p \le \tfrac1K \Rightarrow p \ge \tfrac1K(1 - \sqrt{2Kn\kappa})",
        expected=Verdict.CERTIFIED,
    ),
    _claim(
        "scarce.local_pinsker",
        at((783, 787), sha="91342efac351772d"),
        "A local form of Pinsker's inequality: for p < q the binary divergence kl(p, q) is at least (q - p)^2 / "
        "(2q).",
        r"0 \le p < q \le 1 \Rightarrow \mathrm{kl}(p, q) \ge (q-p)^2/(2q)",
    ),
    _claim(
        "scarce.kl_increasing",
        at((776, 783), sha="b4ac186d76d4a2d9"),
        "For fixed p the binary divergence increases in its second argument from p on.",
        r"\partial_q \mathrm{kl}(p,q) = \frac{q-p}{q(1-q)} \ge 0 \quad (q \ge p)",
    ),
    _claim(
        "scarce.corollary",
        at((343, 349), (806, 826), sha="50c0bf3498315eb1"),
        "As printed: if arm a has at most B_a(t) expected queries up to each round t, the regret is at least the "
        "sum over suboptimal arms of gap/(2K) times the last round t with B_a(t) <= 1/(8 K Kinf+). Kinf+ is the "
        "arm's divergence to laws with a mean above the optimal one; B_a may start at zero, and Kinf+ be infinite.",
        r"\mathrm{Reg}(T) \ge \sum_{a \notin A_*} \frac{\Delta_a}{2K} B_a^{-1}\Big(\frac{1}{8K\mathcal K^+}\Big)",
        *UNIFORM,
        erratum="E8",
        printed="with infinite divergence and B_a(1) = 0 the inverse is at least one and the bound fails",
    ),
    _claim(
        "scarce.corollary.corrected",
        at((343, 349), (806, 826), sha="50c0bf3498315eb1"),
        "If arm a has at most B_a(t) expected queries up to each round t, the regret of a better-than-uniform "
        "strategy is at least a sum of gap/(2K) times the last round t with B_a(t) <= 1/(8 K Kinf+). The sum is "
        "over the suboptimal arms with a finite Kinf+, their divergence to laws with a mean above the optimal one; "
        "B_a may start at zero.",
        r"\mathrm{Reg}(T) \ge \sum_{a \notin A_*,\ \mathcal K^+_a < \infty} \frac{\Delta_a}{2K} "
        r"B_a^{-1}\Big(\frac{1}{8K\mathcal K^+_a}\Big)",
        *UNIFORM,
        "each arm has such a last round, 0 if there is none at all, and it is at most the horizon",
        rests_on=("scarce.linear_regret", "regret.decomposes"),
    ),
    _claim(
        "scarce.corollary_indices",
        at(344, 353, (809, 811), sha="035b66762f542346"),
        "As printed, where the inverse of arm a's query profile B_a is defined is said by a B(1) without the arm's "
        "index, and the horizon of the Gaussian example is given by an arm a that is not quantified.",
        r"x \ge B(1);\quad T \ge B_a^{-1}(1/(4K\Delta_{\min}^2))",
        erratum="E9",
        printed="B(1) for B_a(1), and a free index a",
    ),
    _claim(
        "scarce.corollary_indices.corrected",
        at(344, 353, (809, 811), sha="035b66762f542346"),
        "The inverse of an arm's query profile B_a is defined from its own first value B_a(1) on, and the horizon "
        "of the Gaussian example is the largest inverse over suboptimal arms.",
        r"B_a^{-1}(x) = \sup\{t: B_a(t) \le x\}\ (x \ge B_a(1)),\quad T \ge \max_{a \notin A_*} "
        r"B_a^{-1}(1/(4K\Delta_a^2))",
        expected=Verdict.EXACT,
    ),
    _claim(
        "scarce.remark_budgets",
        at(350, sha="4b85084bdc440572"),
        "The lower bound for scarce querying holds with any upper bound on the expected queries in place of the "
        "query profile B_a: a larger function has an inverse that is no larger.",
        r"B_a \le B'_a \Rightarrow B_a'^{-1}(x) \le B_a^{-1}(x)",
        *UNIFORM,
        rests_on=("scarce.corollary.corrected",),
    ),
    _claim(
        "scarce.gaussian_example",
        at((352, 356), sha="6051b786e84403dc"),
        "For unit-variance Gaussian arms the lower bound for scarce querying takes the inverse of an arm's query "
        "profile at 1/(4 K Delta_a^2).",
        r"\frac{1}{8K \Delta_a^2/2} = \frac{1}{4K\Delta_a^2}",
        expected=Verdict.CERTIFIED,
        rests_on=("scarce.corollary.corrected", "kinf.gaussian"),
    ),
    _claim(
        "scarce.polynomial",
        at((359, 361), sha="7e99e565b9f96a3d"),
        "If each Gaussian arm has T^alpha/K queries, the inverse of this query profile at 1/(4 K Delta_a^2) is (4 "
        "Delta_a^2)^(-1/alpha), before rounding down, so the lower bound on the regret is of the order of "
        "Delta_a^(1-2/alpha)/K.",
        r"\frac{\Delta}{2K} (4\Delta^2)^{-1/\alpha} = \frac{4^{-1/\alpha}}{2K} \Delta^{1-2/\alpha}",
        "0 < alpha <= 1",
        expected=Verdict.CERTIFIED,
        rests_on=("scarce.gaussian_example",),
    ),
    _claim(
        "scarce.polylog",
        at(362, 241, sha="d9d122ca86baedc9"),
        "As printed, if each Gaussian arm has (ln T)^alpha/K queries, the regret is at least of the order of "
        "Delta_a exp(Delta_a^(-2/alpha)).",
        r"\mathrm{Reg}(T) = \Omega\Big(\sum_a \Delta_a \exp(\Delta_a^{-2/\alpha})\Big)",
        erratum="E7",
        printed="a constant inside the exponent is dropped, which changes the order: with one gap and alpha = 1, at T = "
        "floor(exp(1/(4 Delta^2))) no regret exceeds Delta T, which is of smaller order than the bound",
    ),
    _claim(
        "scarce.polylog.corrected",
        at(362, 241, sha="d9d122ca86baedc9"),
        "If each Gaussian arm has (ln T)^alpha/K queries, the inverse of this query profile at 1/(4 K Delta_a^2), "
        "which is the number of rounds in the lower bound on the regret, is exp((4 Delta_a^2)^(-1/alpha)), rounded "
        "down.",
        r"B_a^{-1}\Big(\frac{1}{4K\Delta^2}\Big) = \lfloor \exp((4\Delta^2)^{-1/\alpha}) \rfloor",
        expected=Verdict.CERTIFIED,
        rests_on=("scarce.gaussian_example",),
    ),
    _claim(
        "scarce.gap_aware",
        at(363, sha="d3b5901babf06d61"),
        "If each Gaussian arm has ln T/Delta_a^2 queries, the inverse of this query profile at 1/(4 K Delta_a^2) is "
        "one for every number of arms, so the lower bound on the regret is the sum of Delta_a/(2K).",
        r"1 \le e^{1/(4K)} < 2",
        expected=Verdict.CERTIFIED,
        rests_on=("scarce.gaussian_example",),
    ),
    _claim(
        "scarce.profiles_start_positive",
        at(350, (359, 363), sha="584238ce408bbe59"),
        "As printed, the example's three query profiles T^alpha/K, (ln T)^alpha/K and ln T/Delta_a^2 are positive "
        "from the start, alpha may be zero, and the bounds of the first two do not depend on the number of arms.",
        r"B_a(1) > 0;\ \alpha \in [0,1];\ \Omega(\sum_a \Delta_a^{1-2/\alpha})",
        erratum="E26",
        printed="ln 1 = 0 makes two profiles start at zero, alpha = 0 divides by zero, and 1/K is dropped",
        slip=True,
    ),
    _claim(
        "scarce.profiles_start_positive.corrected",
        at(350, (359, 363), sha="584238ce408bbe59"),
        "The example's query profiles may start at zero (Gaussian divergences are finite, so the corrected "
        "corollary applies), alpha is positive, and each term of the lower bound carries the factor 1/(2K).",
        r"\frac{\Delta_a}{2K} B_a^{-1}\Big(\frac{1}{4K\Delta_a^2}\Big) = \frac{\Delta_a}{2K} "
        r"\lfloor(4\Delta_a^2)^{-1/\alpha}\rfloor,\ 0<\alpha\le1",
        expected=Verdict.CERTIFIED,
        rests_on=("scarce.corollary.corrected",),
    ),
    _claim(
        "scarce.bufalu_in_fixed_order",
        at((329, 331), 445, sha="a7d165f556620ff4"),
        "Beyond the paper: BuFALU's initial rounds visit the arms in a fixed order, so the optimal arms can have "
        "less than their uniform share of plays there: it is not better-than-uniform, and comparing it with the "
        "lower bound for scarce querying is a comparison of orders.",
        r"K = 2,\ A_* = \{2\},\ T = 1:\ E[n_T(2)] = 0 < 1/2",
        expected=Verdict.EXACT,
        rests_on=("algorithm.maximisers",),
    ),
    _claim(
        "scarce.bufalu_relabelled",
        at((329, 331), 445, sha="a7d165f556620ff4"),
        "Beyond the paper: if the arms are relabelled by a uniform permutation first, the initial rounds are "
        "exactly uniform: for T <= K the expected plays of optimal arms are |A*| T / K.",
        r"T \le K \Rightarrow \sum_{a \in A_*} E[n_T(a)] = |A_*| T / K",
        expected=Verdict.EXACT,
        rests_on=("scarce.bufalu_in_fixed_order",),
    ),
    _claim(
        "scarce.weaker_than_all_arms",
        at(332, sha="f47936d39aa33bc7"),
        "Better-than-uniform, that the optimal arms together have their share |A*| T/K of the expected plays, asks "
        "less than that every optimal arm has T/K of them.",
        r"\forall a \in A_*: E[n_T(a)] \ge T/K \Rightarrow \sum_{a \in A_*} E[n_T(a)] \ge |A_*| T/K",
        expected=Verdict.CERTIFIED,
    ),
)
