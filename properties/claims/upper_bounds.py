"""Claims of the upper-bound theorem, its proof and the problem-independent bound (l.417-438, l.846-1119)."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, Erratum, Section, at
from bufalu.properties.claims.evidence import Verdict

SECTION = Section.UPPER
GOOD = ("the good event: every mean lies in its interval",)
BOUNDED = ("rewards in [0, 1]; in the proofs of finite support",)

CLAIMS = (
    Claim(
        "gap_query.queried_is_wide",
        at((877, 898)),
        SECTION,
        "A queried arm's interval is wider than epsilon(t).",
        r"q_t = 1 \Rightarrow CI_t(a_t) > \epsilon(t)",
        Verdict.PROVED,
    ),
    Claim(
        "gap_query.unqueried_is_near_optimal",
        at((877, 881), (900, 921)),
        SECTION,
        "Under the good event an arm played without query has a gap of at most epsilon(t).",
        r"G_t,\ q_t = 0 \Rightarrow \Delta_{a_t} \le \epsilon(t)",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "cap.almost_sure",
        at(421, 856, 931),
        SECTION,
        "On every path, with every tie-break and every (also adaptive) epsilon, each arm is queried at most "
        "N^as(T) + 1 times.",
        r"n^q_T(a) \le \bar N^{as}(T) + 1",
        Verdict.PROVED,
    ),
    Claim(
        "count.unqueried",
        at((938, 945)),
        SECTION,
        "Under the good event an arm is played without query at most L_epsilon(T, Delta_a) times.",
        r"\sum_t 1\{G_t, a_t = a, q_t = 0\} \le L_\epsilon(T, \Delta_a)",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "count.queried",
        at((945, 963)),
        SECTION,
        "Under the good event an arm is queried at most N_a^g(T, Delta) + 1 times, at the level Delta of its case.",
        r"\sum_t 1\{G_t, a_t = a, q_t = 1\} \le \bar N_a^g(T, \Delta) + 1",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "count.case_leader",
        at((968, 977)),
        SECTION,
        "A suboptimal leader that is queried has width at least its gap.",
        r"a_t = l_t \notin A_*,\ q_t = 1 \Rightarrow CI_t(l_t) \ge \Delta_{l_t}",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "count.case_challenger_multiple",
        at((979, 988)),
        SECTION,
        "With several optimal arms a suboptimal challenger that is queried has width at least its gap.",
        r"|A_*| > 1,\ a_t = u_t,\ q_t = 1 \Rightarrow CI_t(u_t) \ge \Delta_{u_t}",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "count.case_challenger_unique",
        at((990, 1008)),
        SECTION,
        "With a unique optimal arm a suboptimal challenger that is queried has width at least half its gap.",
        r"|A_*| = 1,\ a_t = u_t,\ q_t = 1 \Rightarrow CI_t(u_t) \ge \Delta_{u_t}/2",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "count.case_optimal_unique",
        at((1010, 1019)),
        SECTION,
        "A unique optimal arm that is queried has width at least half the smallest gap.",
        r"|A_*| = 1,\ a_t = a^*,\ q_t = 1 \Rightarrow CI_t(a^*) \ge \Delta_{\min}/2",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "theorem.multiple.regret",
        at((422, 426), (857, 861)),
        SECTION,
        "With several optimal arms the regret is at most the sum of Delta_a (N(T, Delta_a) + L(T, Delta_a)) plus "
        "3 K Delta_max.",
        r"\mathrm{Reg}(T) \le \sum_{a \notin A_*} \Delta_a(\bar N(T,\Delta_a) + L_\epsilon(T,\Delta_a)) + "
        r"3K\Delta_{\max}",
        Verdict.PROVED,
        BOUNDED,
    ),
    Claim(
        "theorem.multiple.queries",
        at((422, 426), (857, 861)),
        SECTION,
        "With several optimal arms the expected queries are at most the caps at the gaps, the cap at 0 for each "
        "optimal arm, and 3K.",
        r"E[B^q(T)] \le \sum_{a \notin A_*} \bar N(T,\Delta_a) + |A_*| \bar N(T,0) + 3K",
        Verdict.PROVED,
        BOUNDED,
    ),
    Claim(
        "theorem.unique.regret",
        at((427, 432), (862, 867)),
        SECTION,
        "With a unique optimal arm the regret bound has the caps at half the gaps.",
        r"\mathrm{Reg}(T) \le \sum_{a \ne a^*} \Delta_a(\bar N(T,\Delta_a/2) + L_\epsilon(T,\Delta_a)) + "
        r"3K\Delta_{\max}",
        Verdict.PROVED,
        BOUNDED,
    ),
    Claim(
        "theorem.unique.queries",
        at((427, 432), (862, 867)),
        SECTION,
        "With a unique optimal arm the expected queries are at most the caps at half the gaps, at half the smallest "
        "gap "
        "for the optimal arm, and 3K.",
        r"E[B^q(T)] \le \sum_{a \ne a^*} \bar N(T,\Delta_a/2) + \bar N(T,\Delta_{\min}/2) + 3K",
        Verdict.PROVED,
        BOUNDED,
    ),
    Claim(
        "theorem.short_horizon",
        at(929),
        SECTION,
        "All bounds hold for T <= K and for K = 1.",
        r"T \le K \Rightarrow \mathrm{Reg}(T) \le (K + C(T)) \Delta_{\max},\ B^q(T) = T",
        Verdict.PROVED,
        BOUNDED,
    ),
    Claim(
        "theorem.adaptive_epsilon",
        at(416, (1042, 1045)),
        SECTION,
        "The count bounds hold pathwise for predictable epsilon; expected bounds follow with expectations of the "
        "caps.",
        r"\sum_t 1\{G_t, a_t = a\} \le \bar N_a^g(T, \cdot) + 1 + L_\epsilon(T, \Delta_a) \text{ on every path}",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "theorem.factor_four",
        at(448, 476),
        SECTION,
        "Halving the level multiplies the cap by at most four.",
        r"\bar N(T, \Delta/2) \le 4 \bar N(T, \Delta)",
        Verdict.PROVED,
    ),
    Claim(
        "theorem.sharper",
        at((427, 432)),
        SECTION,
        "Beyond the paper: under the good event a queried suboptimal arm has width above (Delta_a + epsilon(t))/2, "
        "so "
        "the caps improve.",
        r"G_t,\ a_t = a \notin A_*,\ q_t = 1 \Rightarrow CI_t(a) > (\Delta_a + \epsilon(t))/2",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "independent.hoeffding",
        at((435, 438)),
        SECTION,
        "For rewards in [0, 1] the regret is at most 4 sqrt(6 K T ln T) plus the sum of epsilon(t) over t > K plus "
        "3 K Delta_max, whatever the gaps.",
        r"\mathrm{Reg}(T) \le 4\sqrt{6KT \ln T} + \sum_{t > K} \epsilon(t) + 3K\Delta_{\max}",
        Verdict.PROVED,
        BOUNDED,
    ),
    Claim(
        "independent.minimiser",
        at(1059),
        SECTION,
        "24 K ln T / D + D T is smallest at D = sqrt(24 K ln T / T), with value 4 sqrt(6 K T ln T).",
        r"\min_{D>0} \{24K \ln T/D + DT\} = 4\sqrt{6KT\ln T}",
        Verdict.PROVED,
    ),
    Claim(
        "independent.rewards_in_unit_interval",
        at((435, 438)),
        SECTION,
        "As printed, the problem-independent bound has no hypothesis on the range of the rewards.",
        r"\mathrm{Reg}(T) \le 4\sqrt{6KT \ln T} + \sum_t \epsilon(t) + 3K\Delta_{\max}",
        Verdict.ERRATUM,
        erratum=Erratum("E23", "rewards in [0, 1] must be assumed", "independent.hoeffding"),
    ),
    Claim(
        "independent.unit_rewards_keep_asking",
        at((435, 438)),
        SECTION,
        "Beyond the paper: with rewards in [0, 1] two arms queried once each are never separated after round 2, so "
        "the run that breaks the bound for larger rewards does not exist.",
        r"R \in [0,1],\ n = 1 \Rightarrow UCB_t(u_t) > LCB_t(l_t)\ (t \ge 3)",
        Verdict.CERTIFIED,
        ("rewards in [0, 1]",),
    ),
    Claim(
        "independent.sum_from_first_round",
        at(437, (1101, 1106)),
        SECTION,
        "As printed, the sum of epsilon starts at round 1, also for epsilon(t) = 1/ln t.",
        r"\sum_{t=1}^T \epsilon(t)",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E24",
            "1/ln 1 is infinite, and the first K values are never used",
            "independent.sum_from_first_round.corrected",
        ),
    ),
    Claim(
        "independent.sum_from_first_round.corrected",
        at(437, (1101, 1106)),
        SECTION,
        "The sum starts at K + 1: the first K rounds are queried whatever epsilon says, so they add nothing to the "
        "unqueried regret.",
        r"t \le K \Rightarrow q_t = 1",
        Verdict.EXACT,
    ),
    Claim(
        "independent.general",
        at((1052, 1058), (1085, 1096)),
        SECTION,
        "As printed, the general problem-independent bound follows from a condition on M at the gaps alone.",
        r"\Delta_a > \Delta_0 \Rightarrow \Delta_a \bar N_a^g(T, \Delta_a) \le M(T, \Delta_0)",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E10",
            "with a unique optimal arm the proof uses the condition at half the gap",
            "independent.general.corrected",
        ),
    ),
    Claim(
        "independent.general.corrected",
        at((1052, 1058), (1085, 1096)),
        SECTION,
        "The bound holds when M dominates mu N_a(T, mu) at every level mu in (Delta_0, Delta_a]; Hoeffding's M does.",
        r"\Delta_0 < \mu \le \Delta_a \Rightarrow \mu \bar N_a^g(T, \mu) \le M(T, \Delta_0)",
        Verdict.PROVED,
    ),
    Claim(
        "independent.bernstein",
        at((1059, 1062)),
        SECTION,
        "For Bernstein intervals M = 6 ln T/Delta_0 + 52 ln T + Delta_max satisfies the (corrected) condition.",
        r"\mu\Big(\frac{24V\ln T}{\mu^2} + \frac{52\ln T}{\mu} + 1\Big) \le \frac{6\ln T}{\Delta_0} + 52 \ln T + "
        r"\Delta_{\max}",
        Verdict.CERTIFIED,
        ("V <= 1/4", "Delta_0 < mu <= Delta_max"),
    ),
    Claim(
        "proof.labels",
        at(938, 982),
        SECTION,
        "As printed, the unqueried count cites the part of the lemma about queried rounds, and an optimal arm's "
        "upper "
        "bound equals the optimal mean.",
        r"UCB_t(a^*) = \mu^*",
        Verdict.ERRATUM,
        erratum=Erratum("E18", "part (i) for (ii), and = for >=", "proof.labels.corrected"),
    ),
    Claim(
        "proof.labels.corrected",
        at(938, 982),
        SECTION,
        "The unqueried count rests on part (ii), and the good event gives an upper bound of at least the optimal "
        "mean.",
        r"UCB_t(a^*) \ge \mu^*",
        Verdict.CERTIFIED,
        GOOD,
    ),
    Claim(
        "proof.stale_symbols",
        at((840, 841), 931, 957, 959, 1279),
        SECTION,
        "As printed, condition 4 defines its function for levels up to the gap only, condition 5 bounds the function "
        "of condition 4 instead of its own, and older names of both appear in the proofs.",
        r"N_a^g: [T] \times [0, \Delta_a] \to [0, \infty)",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E11",
            "the functions are used at max{Delta, epsilon(t)}, which can exceed Delta_a; stale symbols",
            "proof.stale_symbols.corrected",
        ),
    ),
    Claim(
        "proof.stale_symbols.corrected",
        at((840, 841), 931, 957, 959, 1279),
        SECTION,
        "Both functions are defined for every level mu >= 0 and bounded by t - 1; the Hoeffding and Bernstein caps "
        "are.",
        r"N_a^g, N^{as}: [T] \times [0, \infty) \to [0, t-1]",
        Verdict.CERTIFIED,
    ),
)
