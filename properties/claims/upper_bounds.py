"""Claims of the upper-bound theorem, its proof and the problem-independent bound (l.417-438, l.846-1119)."""

from __future__ import annotations

from bufalu.properties.claims.claim import PaperClaims, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = PaperClaims(Section.UPPER, Subject.ROUND)
_about_theorem = PaperClaims(Section.UPPER, Subject.THEOREM)
_about_bernstein = PaperClaims(Section.UPPER, Subject.BERNSTEIN)
_about_hoeffding = PaperClaims(Section.UPPER, Subject.HOEFFDING)
GOOD = ("the good event: every mean lies in its interval",)
BOUNDED = ("rewards in [0, 1]",)

CLAIMS = (
    _claim(
        "gap_query.queried_is_wide",
        at((877, 898), sha="0cf7730754827cb9"),
        "When BuFALU queries an arm, that arm's confidence interval is wider than epsilon(t).",
        r"q_t = 1 \Rightarrow CI_t(a_t) > \epsilon(t)",
        rests_on=("algorithm.maximisers",),
    ),
    _claim(
        "gap_query.unqueried_is_near_optimal",
        at((877, 881), (900, 921), sha="2041684499c24bca"),
        "While every mean lies in its interval, an arm that BuFALU plays without a query has a gap of at most "
        "epsilon(t).",
        r"G_t,\ q_t = 0 \Rightarrow \Delta_{a_t} \le \epsilon(t)",
        *GOOD,
        rests_on=("algorithm.maximisers", "gap.ucb_minus_lcb", "algorithm.separated_is_optimal"),
    ),
    _claim(
        "cap.almost_sure",
        at(421, 856, 931, sha="5fa0fdb9b1351524"),
        "On every path, with every tie-break and every epsilon, also an adaptive one, BuFALU queries an arm at most "
        "N + 1 times: N is the largest, over t <= T, number of queries after which an interval in round t can still "
        "be epsilon(t) wide.",
        r"n^q_T(a) \le \bar N^{as}(T) + 1",
        rests_on=("gap_query.queried_is_wide",),
    ),
    _claim(
        "count.unqueried",
        at((938, 945), sha="6d6985378eb3e01a"),
        "In rounds in which every mean lies in its interval, BuFALU plays an arm of gap Delta_a without a query at "
        "most L_epsilon(T, Delta_a) times, the number of rounds t <= T with epsilon(t) >= Delta_a.",
        r"\sum_t 1\{G_t, a_t = a, q_t = 0\} \le L_\epsilon(T, \Delta_a)",
        *GOOD,
        rests_on=("gap_query.unqueried_is_near_optimal", "l_epsilon.definition"),
    ),
    _claim(
        "count.queried",
        at((945, 963), sha="14f2c73a4f0d7bea"),
        "In rounds in which every mean lies in its interval, BuFALU queries an arm at most N + 1 times, if its "
        "queries need an interval of width d or more: N is the largest, over t <= T, number of queries after which "
        "an interval in round t can still be max{d, epsilon(t)} wide.",
        r"\sum_t 1\{G_t, a_t = a, q_t = 1\} \le \bar N_a^g(T, \Delta) + 1",
        *GOOD,
        rests_on=(
            "gap_query.queried_is_wide",
            "count.case_leader",
            "count.case_challenger_multiple",
            "count.case_challenger_unique",
            "count.case_optimal_unique",
        ),
    ),
    _claim(
        "count.case_leader",
        at((968, 977), sha="fe6e48e20549670a"),
        "While every mean lies in its interval, a suboptimal leader that BuFALU queries has an interval at least as "
        "wide as its gap.",
        r"a_t = l_t \notin A_*,\ q_t = 1 \Rightarrow CI_t(l_t) \ge \Delta_{l_t}",
        *GOOD,
        rests_on=("gap.ucb_minus_lcb", "algorithm.maximisers"),
    ),
    _claim(
        "count.case_challenger_multiple",
        at((979, 988), sha="b26b477c575b0ae3"),
        "While every mean lies in its interval, with several optimal arms a suboptimal challenger that BuFALU "
        "queries has an interval at least as wide as its gap.",
        r"|A_*| > 1,\ a_t = u_t,\ q_t = 1 \Rightarrow CI_t(u_t) \ge \Delta_{u_t}",
        *GOOD,
        rests_on=("gap.ucb_minus_lcb", "algorithm.maximisers"),
    ),
    _claim(
        "count.case_challenger_unique",
        at((990, 1008), sha="f51226e95a349a15"),
        "While every mean lies in its interval, with a unique optimal arm a suboptimal challenger that BuFALU "
        "queries has an interval at least half as wide as its gap.",
        r"|A_*| = 1,\ a_t = u_t,\ q_t = 1 \Rightarrow CI_t(u_t) \ge \Delta_{u_t}/2",
        *GOOD,
        rests_on=("gap.ucb_minus_lcb", "algorithm.maximisers"),
    ),
    _claim(
        "count.case_optimal_unique",
        at((1010, 1019), sha="6a7915739e408a90"),
        "While every mean lies in its interval, a unique optimal arm that BuFALU queries has an interval at least "
        "half as wide as the smallest gap.",
        r"|A_*| = 1,\ a_t = a^*,\ q_t = 1 \Rightarrow CI_t(a^*) \ge \Delta_{\min}/2",
        *GOOD,
        rests_on=("gap.ucb_minus_lcb", "algorithm.maximisers"),
    ),
    _about_theorem(
        "theorem.multiple.regret",
        at((422, 426), (857, 861), sha="a6bacefc2630b882"),
        "With several optimal arms BuFALU's regret is at most the sum of Delta_a (N(T, Delta_a) + L(T, Delta_a)) "
        "over suboptimal arms a, plus 3 K Delta_max: N(T, d) is the largest min{6 ln t / max{d, epsilon(t)}^2, t - "
        "1} over t <= T, and L(T, d) counts the rounds t <= T with epsilon(t) >= d.",
        r"\mathrm{Reg}(T) \le \sum_{a \notin A_*} \Delta_a(\bar N(T,\Delta_a) + L_\epsilon(T,\Delta_a)) + "
        r"3K\Delta_{\max}",
        *BOUNDED,
        rests_on=("theorem.general", "regular.hoeffding"),
    ),
    _about_theorem(
        "theorem.multiple.queries",
        at((422, 426), (857, 861), sha="a6bacefc2630b882"),
        "With several optimal arms BuFALU's expected queries are at most N(T, Delta_a) for each suboptimal arm a, "
        "N(T, 0) for each optimal one, and 3K: N(T, d) is the largest min{6 ln t / max{d, epsilon(t)}^2, t - 1} "
        "over t <= T.",
        r"E[B^q(T)] \le \sum_{a \notin A_*} \bar N(T,\Delta_a) + |A_*| \bar N(T,0) + 3K",
        *BOUNDED,
        rests_on=("theorem.general", "regular.hoeffding", "regular.hoeffding.n_bar_at_zero"),
    ),
    _about_theorem(
        "theorem.unique.regret",
        at((427, 432), (862, 867), sha="875468c70edc2806"),
        "With a unique optimal arm BuFALU's regret is at most the sum of Delta_a (N(T, Delta_a/2) + L(T, Delta_a)) "
        "over suboptimal arms a, plus 3 K Delta_max: N(T, d) is the largest min{6 ln t / max{d, epsilon(t)}^2, t - "
        "1} over t <= T, and L(T, d) counts the rounds t <= T with epsilon(t) >= d.",
        r"\mathrm{Reg}(T) \le \sum_{a \ne a^*} \Delta_a(\bar N(T,\Delta_a/2) + L_\epsilon(T,\Delta_a)) + "
        r"3K\Delta_{\max}",
        *BOUNDED,
        rests_on=("theorem.general", "regular.hoeffding"),
    ),
    _about_theorem(
        "theorem.unique.queries",
        at((427, 432), (862, 867), sha="875468c70edc2806"),
        "With a unique optimal arm BuFALU's expected queries are at most N(T, Delta_a/2) for each suboptimal arm a, "
        "N(T, Delta_min/2) for the optimal one, and 3K: N(T, d) is the largest min{6 ln t / max{d, epsilon(t)}^2, t "
        "- 1} over t <= T.",
        r"E[B^q(T)] \le \sum_{a \ne a^*} \bar N(T,\Delta_a/2) + \bar N(T,\Delta_{\min}/2) + 3K",
        *BOUNDED,
        rests_on=("theorem.general", "regular.hoeffding"),
    ),
    _about_theorem(
        "theorem.short_horizon",
        at(929, sha="b8c79e57331dd3c4"),
        "The bounds of the upper-bound theorem hold also for horizons T <= K and for a single arm.",
        r"T \le K \Rightarrow \mathrm{Reg}(T) \le (K + C(T)) \Delta_{\max},\ B^q(T) = T",
        *BOUNDED,
        rests_on=("theorem.general",),
    ),
    _claim(
        "theorem.adaptive_epsilon",
        at(416, (1042, 1045), sha="6eae03da15aa46c6"),
        "If epsilon(t) may depend on what was seen before round t, BuFALU's bounds on the plays and queries of an "
        "arm still hold on every path, and the bounds in expectation with the expectations of these counts.",
        r"\sum_t 1\{G_t, a_t = a\} \le \bar N_a^g(T, \cdot) + 1 + L_\epsilon(T, \Delta_a) \text{ on every path}",
        "the good event for the counts",
        "rewards in [0, 1] for the expectations",
        rests_on=("count.queried", "count.unqueried", "cap.almost_sure"),
    ),
    _about_theorem(
        "theorem.general",
        at((846, 868), sha="99935852f80f6dba"),
        "The upper bounds hold for any regular intervals, with the intervals' own numbers of queries, and with K + "
        "C(T) for the initial rounds and for failures that sum to C(T). An arm's queries are capped on every path. "
        "Regret and expected queries are bounded at the gaps with several optimal arms; with a unique one at half "
        "the gaps, and for that arm at half the smallest.",
        r"\mathrm{Reg}(T) \le \sum_{a \notin A_*} \Delta_a(\bar N_a^g(T,\Delta_a/2) + L_\epsilon(T,\Delta_a)) + (K "
        r"+ C(T))\Delta_{\max},\ \ldots",
        "the intervals are regular",
        rests_on=("regret.decomposes", "tape.same_law", "cap.almost_sure", "count.queried", "count.unqueried"),
    ),
    _about_bernstein(
        "theorem.bernstein",
        at((846, 868), (1211, 1221), sha="12ae7865d10249bb"),
        "The upper-bound theorem for regular intervals holds for Bernstein intervals: on every path the bound on "
        "each arm's queries; regret and queries for several optimal arms and for a unique one, with the printed "
        "failure sum C = 12K. C = 2K is proved, so 3K for K + C.",
        r"\mathrm{Reg}(T) \le \sum_{a \notin A_*} \Delta_a(\bar N_a^g(T,\Delta_a/2) + L_\epsilon(T,\Delta_a)) + (K "
        r"+ 2K)\Delta_{\max},\ \ldots",
        *BOUNDED,
        rests_on=("theorem.general", "regular.bernstein"),
    ),
    _about_bernstein(
        "theorem.bernstein.closed_form",
        at((862, 867), (1219, 1221), sha="1a6210382acde9c5"),
        "Let a suboptimal arm have variance V_a, with Bernstein intervals and a unique optimal arm. It adds 96 V_a "
        "ln T/Delta_a + 104 ln T + Delta_a to the bound on the regret, beside Delta_a times the number of rounds "
        "with epsilon(t) >= Delta_a. To the bound on the queries it adds 96 V_a ln T/Delta_a^2 + 104 ln T/Delta_a + "
        "1.",
        r"\Delta_a \bar N_a^g(T,\Delta_a/2) \le \frac{96 V_a \ln T}{\Delta_a} + 104 \ln T + \Delta_a",
        *BOUNDED,
        rests_on=("theorem.bernstein", "bernstein.n_bar_at_horizon"),
    ),
    _about_hoeffding(
        "theorem.factor_four",
        at(448, 476, sha="83ef49429bc1f1c1"),
        "Halving the gap multiplies the number of queries that BuFALU's bounds allow an arm, the largest 6 ln t / "
        "max{gap, epsilon(t)}^2 over t <= T, by at most four.",
        r"\bar N(T, \Delta/2) \le 4 \bar N(T, \Delta)",
        rests_on=("n_bar.samples_for_width",),
    ),
    _about_theorem(
        "theorem.sharper",
        at((427, 432), sha="54b54037db84e097"),
        "Beyond the paper: while every mean lies in its interval, a suboptimal arm that BuFALU queries has an "
        "interval wider than (Delta_a + epsilon(t))/2, so the bounds on its queries improve.",
        r"G_t,\ a_t = a \notin A_*,\ q_t = 1 \Rightarrow CI_t(a) > (\Delta_a + \epsilon(t))/2",
        *GOOD,
        "rewards in [0, 1] for the bounds with the better caps",
        rests_on=("gap_query.queried_is_wide", "count.case_leader", "count.case_challenger_multiple"),
    ),
    _about_theorem(
        "independent.hoeffding",
        at((435, 438), sha="d8dd04a23def0049"),
        "For rewards in [0, 1] BuFALU's regret is at most 4 sqrt(6 K T ln T) plus the sum of epsilon(t) over t > K "
        "plus 3 K Delta_max, whatever the gaps.",
        r"\mathrm{Reg}(T) \le 4\sqrt{6KT \ln T} + \sum_{t > K} \epsilon(t) + 3K\Delta_{\max}",
        *BOUNDED,
        rests_on=(
            "theorem.multiple.regret",
            "theorem.unique.regret",
            "independent.minimiser",
            "regular.hoeffding.closed_form",
        ),
    ),
    _about_hoeffding(
        "independent.minimiser",
        at(1059, sha="3ff9231a99e38a0e"),
        "24 K ln T / D + D T is smallest at D = sqrt(24 K ln T / T), with value 4 sqrt(6 K T ln T), the leading "
        "term of the bound on the regret that does not know the gaps.",
        r"\min_{D>0} \{24K \ln T/D + DT\} = 4\sqrt{6KT\ln T}",
    ),
    _about_hoeffding(
        "independent.rewards_in_unit_interval",
        at(391, (435, 438), sha="18e4d6ee2a661f38"),
        "Beyond the paper: the rewards in [0, 1] that l.391 assumes are needed. If one arm pays 10 and another 0 or "
        "100 with probability 1/2 each, the regret exceeds the problem-independent bound.",
        r"R \notin [0,1]:\ \mathrm{Reg}(T) > 4\sqrt{6KT \ln T} + \sum_t \epsilon(t) + 3K\Delta_{\max}",
        expected=Verdict.CERTIFIED,
        rests_on=("independent.hoeffding",),
    ),
    _about_hoeffding(
        "independent.unit_rewards_keep_asking",
        at((435, 438), sha="d8dd04a23def0049"),
        "Beyond the paper: with rewards in [0, 1] two arms queried once each are never separated after round 2, so "
        "the run that breaks the bound for larger rewards does not exist.",
        r"R \in [0,1],\ n = 1 \Rightarrow UCB_t(u_t) > LCB_t(l_t)\ (t \ge 3)",
        "rewards in [0, 1]",
        expected=Verdict.CERTIFIED,
        rests_on=("independent.rewards_in_unit_interval", "interval.hoeffding_width"),
    ),
    _about_theorem(
        "independent.sum_after_initial_rounds",
        at(437, (1101, 1106), sha="4b9aa35ac5e2eabe"),
        "Beyond the paper: the sum of epsilon may start at K + 1, since the first K rounds are queried whatever "
        "epsilon says. With epsilon(t) = 1/ln t the printed sum is infinite and this one is not.",
        r"t \le K \Rightarrow q_t = 1",
        expected=Verdict.EXACT,
        rests_on=("independent.hoeffding",),
    ),
    _about_theorem(
        "independent.general",
        at((1052, 1058), (1085, 1096), sha="de00cb9c56cc966d"),
        "As printed, the bound on the regret that does not know the gaps holds for regular intervals if a number "
        "M(T, Delta_0) is at least mu times the allowed queries at level mu, for every gap mu = Delta_a above "
        "Delta_0.",
        r"\Delta_a > \Delta_0 \Rightarrow \Delta_a \bar N_a^g(T, \Delta_a) \le M(T, \Delta_0)",
        erratum="E10",
        printed="with a unique optimal arm the proof uses the condition at half the gap; and M >= 0 is not asked for",
    ),
    _about_theorem(
        "independent.general.corrected",
        at((1052, 1058), (1085, 1096), sha="de00cb9c56cc966d"),
        "The bound on the regret that does not know the gaps holds for regular intervals if M(T, Delta_0) is at "
        "least mu times the allowed queries at level mu, for every level mu in (Delta_0, Delta_a]; with Hoeffding's "
        "intervals M does this.",
        r"\Delta_0 < \mu \le \Delta_a \Rightarrow \mu \bar N_a^g(T, \mu) \le M(T, \Delta_0)",
        "the intervals are regular",
        "M >= 0",
        rests_on=("theorem.general",),
    ),
    _about_bernstein(
        "independent.bernstein",
        at((1059, 1062), sha="9100122b61878391"),
        "For Bernstein intervals M = 6 ln T/Delta_0 + 52 ln T + Delta_max is at least mu times the allowed queries "
        "at level mu, for every level mu above Delta_0 up to a gap: the condition of the bound on the regret that "
        "does not know the gaps.",
        r"\mu\Big(\frac{24V\ln T}{\mu^2} + \frac{52\ln T}{\mu} + 1\Big) \le \frac{6\ln T}{\Delta_0} + 52 \ln T + "
        r"\Delta_{\max}",
        "V <= 1/4",
        "Delta_0 < mu <= Delta_max",
        rests_on=("bernstein.n_bar_at_horizon", "independent.general.corrected"),
    ),
    _about_bernstein(
        "independent.bernstein.regret",
        at((1052, 1065), sha="5b8e7b3b4a257581"),
        "For Bernstein intervals and variances V_a <= v of the suboptimal arms, the regret is at most 8 sqrt(6 K v "
        "T ln T) + 104 K ln T + the sum of epsilon from K + 1 on + 4 K Delta_max; v = 1/4 always serves.",
        r"\mathrm{Reg}(T) \le 8\sqrt{6KvT\ln T} + 104K\ln T + \sum_{t=K+1}^T \epsilon(t) + 4K\Delta_{\max}",
        *BOUNDED,
        rests_on=("independent.bernstein", "independent.general.corrected", "theorem.bernstein"),
    ),
    _claim(
        "proof.labels",
        at(938, 982, sha="c940d02746b4d1cc"),
        "As printed, the count of rounds without a query cites the part of a lemma that speaks of queried rounds, "
        "and an optimal arm's upper end equals the optimal mean.",
        r"UCB_t(a^*) = \mu^*",
        erratum="E18",
        printed="part (i) for (ii), and = for >=",
    ),
    _claim(
        "proof.labels.corrected",
        at(938, 982, sha="c940d02746b4d1cc"),
        "The count of rounds without a query rests on the lemma that an arm played in one has a gap of at most "
        "epsilon(t), and while every mean lies in its interval an optimal arm's upper end is at least the optimal "
        "mean.",
        r"UCB_t(a^*) \ge \mu^*",
        *GOOD,
        expected=Verdict.CERTIFIED,
        rests_on=("gap_query.unqueried_is_near_optimal",),
    ),
    _claim(
        "proof.stale_symbols",
        at((840, 841), 931, 957, 959, 1279, sha="3b38b0044b2e9f1e"),
        "As printed, of the conditions for regular intervals the fourth defines its number of queries for levels up "
        "to the gap only, the fifth bounds the number of the fourth instead of its own, and older names of both "
        "appear in the proofs.",
        r"N_a^g: [T] \times [0, \Delta_a] \to [0, \infty)",
        erratum="E11",
        printed="the functions are used at max{Delta, epsilon(t)}, which can exceed Delta_a; stale symbols",
    ),
    _claim(
        "proof.stale_symbols.corrected",
        at((840, 841), 931, 957, 959, 1279, sha="3b38b0044b2e9f1e"),
        "The numbers of queries in conditions 4 and 5 for regular intervals are defined for every level mu >= 0 and "
        "are at most t - 1; those of Hoeffding's and Bernstein's intervals are.",
        r"N_a^g, N^{as}: [T] \times [0, \infty) \to [0, t-1]",
        expected=Verdict.CERTIFIED,
    ),
)
