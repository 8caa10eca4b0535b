"""Claims about BuFALU's rule and the quantities of its bounds (l.371-416)."""

from __future__ import annotations

from bufalu.properties.claims.claim import PaperClaims, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = PaperClaims(Section.ALGORITHM, Subject.ROUND)
_about_hoeffding = PaperClaims(Section.ALGORITHM, Subject.HOEFFDING)
_about_neither = PaperClaims(Section.ALGORITHM, Subject.NEITHER)
_about_other_policies = PaperClaims(Section.ALGORITHM, Subject.OTHER_POLICIES)
GOOD = ("the good event: every mean lies in its interval",)

CLAIMS = (
    _about_hoeffding(
        "interval.hoeffding_width",
        at(374, 1144, sha="bc480b61d578366f"),
        "After n queries of an arm its Hoeffding interval in round t is sqrt(6 ln t / n) wide.",
        r"2\sqrt{\frac{3 \ln t}{2n}} = \sqrt{\frac{6 \ln t}{n}}",
    ),
    _claim(
        "gap.ucb_minus_lcb",
        at((393, 397), sha="fe4953e490f9112f"),
        "While every mean lies in its interval, the gap of an arm is at most the largest upper end of all intervals "
        "minus the arm's lower end.",
        r"\Delta_a \le \max_{a'} UCB_t(a') - LCB_t(a)",
        *GOOD,
    ),
    _claim(
        "gap.width_of_largest_ucb",
        at(399, sha="6bf366a6232cbdf4"),
        "While every mean lies in its interval, the gap of an arm whose upper end is largest is at most the width "
        "of its interval.",
        r"a \in \arg\max UCB_t \Rightarrow \Delta_a \le CI_t(a)",
        *GOOD,
        rests_on=("gap.ucb_minus_lcb",),
    ),
    _claim(
        "algorithm.maximisers",
        at((371, 389), (402, 404), sha="600c9a1cecf9dfbf"),
        "The code takes leader, challenger and candidate from exactly the arms that attain the maximum in the "
        "pseudo-code, for every number of arms.",
        r"\arg\max_a v(a) = \{a : v(b) \le v(a)\ \forall b\}",
    ),
    _claim(
        "algorithm.separated_is_optimal",
        at(401, sha="c1fbf516d4d3fc14"),
        "While every mean lies in its interval, a leader whose lower end is at least the challenger's upper end is "
        "an optimal arm.",
        r"UCB_t(u_t) \le LCB_t(l_t) \Rightarrow \mu_{l_t} = \mu^*",
        *GOOD,
        rests_on=("gap.ucb_minus_lcb",),
    ),
    _claim(
        "algorithm.two_optima_overlap",
        at(405, sha="c58b8b47694ca943"),
        "While every mean lies in its interval, with two optimal arms whose means are strictly below their upper "
        "ends, the leader's lower end stays below the challenger's upper end.",
        r"|A_*| \ge 2 \Rightarrow UCB_t(u_t) > LCB_t(l_t)",
        *GOOD,
        rests_on=("algorithm.separated_is_optimal",),
    ),
    _claim(
        "epsilon.zero_never_blocks",
        at(443, sha="463262a1410d4d30"),
        "With epsilon(t) = 0 BuFALU leaves a round unqueried only if the leader's interval lies above all others, "
        "or if the wider one of leader and challenger has an interval of width zero.",
        r"\epsilon(t) = 0,\ UCB(u_t) > LCB(l_t),\ CI_t(c_t) > 0 \Rightarrow q_t = 1",
        rests_on=("algorithm.maximisers",),
    ),
    _claim(
        "epsilon.wide_blocks",
        at(443, sha="463262a1410d4d30"),
        "If epsilon(t) is at least the candidate's width there is no query.",
        r"\epsilon(t) \ge CI_t(c_t) \Rightarrow q_t = 0",
        rests_on=("algorithm.maximisers",),
    ),
    _claim(
        "algorithm.one_arm",
        at((371, 389), (402, 404), sha="600c9a1cecf9dfbf"),
        "As printed, the challenger is chosen among the arms other than the leader, also when there is one arm.",
        r"u_t \in \arg\max_{a \ne l_t} UCB_t(a)",
        erratum="E22",
        printed="with K = 1 the challenger does not exist",
        slip=True,
    ),
    _claim(
        "algorithm.one_arm.corrected",
        at((371, 389), (402, 404), sha="600c9a1cecf9dfbf"),
        "The maximum over no arms is minus infinity, so BuFALU with a single arm queries it in round 1 and never "
        "again.",
        r"K = 1 \Rightarrow B^q(T) = 1",
        rests_on=("algorithm.maximisers",),
    ),
    _about_neither(
        "l_epsilon.definition",
        at((410, 414), sha="ac66cf5cd3800d93"),
        "L_epsilon(T, Delta), the number of rounds t <= T with epsilon(t) >= Delta, is nondecreasing in T, "
        "nonincreasing in Delta, and at most T.",
        r"L_\epsilon(T, \Delta) = \sum_{t \le T} 1\{\epsilon(t) \ge \Delta\}",
    ),
    _about_neither(
        "l_epsilon.inverse",
        at(414, sha="c5e23b76c69656d5"),
        "L_epsilon(T, Delta), the number of rounds t <= T with epsilon(t) >= Delta, is at most the last round with "
        "epsilon(t) >= Delta, for every sequence; with equality (up to T) when epsilon does not increase.",
        r"L_\epsilon(T, \Delta) \le \epsilon^{-1}(\Delta) = \sup\{t: \epsilon(t) \ge \Delta\}",
        rests_on=("l_epsilon.definition",),
    ),
    _about_hoeffding(
        "n_bar.closed_form",
        at(416, sha="37a6859da009e21d"),
        "For nonincreasing epsilon, or the budget schedule with nondecreasing budget, the largest 6 ln t / "
        "max{Delta, epsilon(t)}^2 over t <= T, BuFALU's bound on queries of an arm, is the one at t = T.",
        r"\bar N(T, \Delta) = 6 \ln T / \max\{\Delta^2, \epsilon^2(T)\}",
        rests_on=("n_bar.samples_for_width",),
    ),
    _about_hoeffding(
        "n_bar.budget",
        at(416, sha="37a6859da009e21d"),
        "With epsilon(t) = sqrt(6 K ln t / B(t)) and nondecreasing B, the largest 6 ln t / epsilon(t)^2 over t <= "
        "T, which bounds the queries of every arm, is at most B(T)/K.",
        r"\bar N(T, 0) \le B(T)/K",
        "Hoeffding's intervals",
        "B is the total budget, and positive",
        "T >= 1",
        rests_on=("n_bar.samples_for_width",),
    ),
    _about_hoeffding(
        "n_bar.samples_for_width",
        at(416, sha="37a6859da009e21d"),
        "More than 6 ln t / mu^2 queries make the Hoeffding width smaller than mu, and fewer do not.",
        r"n > 6 \ln t / \mu^2 \iff CI_t(a) < \mu",
        rests_on=("interval.hoeffding_width",),
    ),
    _about_hoeffding(
        "n_bar.loose_after_drops",
        at(485, sha="88ad9381cdb1c723"),
        "BuFALU's bound on the queries of an arm can be loose: one round t with epsilon(t) = 0 raises it to t - 1, "
        "while the run queries a few times.",
        r"\bar N^{as}(T) \gg \max_a n^q_T(a)",
        expected=Verdict.EXACT,
        rests_on=("algorithm.maximisers",),
    ),
    _about_hoeffding(
        "budget.never_violated",
        at(416, sha="37a6859da009e21d"),
        "As printed, the budget schedule epsilon(t) = sqrt(6 K ln t / B(t)) never lets the total number of queries "
        "exceed B(T).",
        r"B^q(T) \le B(T)",
        erratum="E13",
        printed="the initial rounds and the last query of each arm are not counted",
        slip=True,
    ),
    _about_hoeffding(
        "budget.never_violated.corrected",
        at(416, 441, 871, sha="13e7e4c054ed4033"),
        "With the budget schedule epsilon(t) = sqrt(6 K ln t / B(t)) each arm is queried at most ceil(B(T)/K) times "
        "or once, hence fewer than B(T) + K queries in all.",
        r"B^q(T) \le K \max\{1, \lceil B(T)/K \rceil\} < B(T) + K",
        "Hoeffding's intervals",
        "B is positive, and nowhere above B(T)",
        "T >= 1",
        rests_on=("cap.almost_sure", "n_bar.budget"),
    ),
    _claim(
        "beyond.infinite_interval_forces_query",
        at(1133, sha="7495527e2d64efc7"),
        "Beyond the paper: with at least two arms, while some arm's interval is the whole line, every round is "
        "queried.",
        r"\exists a: CI_t(a) = \infty \Rightarrow q_t = 1",
        rests_on=("algorithm.maximisers",),
    ),
    _about_other_policies(
        "baselines.bufau",
        at((1377, 1394), sha="63acd34e6041c5f1"),
        "BuFAU: while every mean lies in its interval, a queried arm's interval is wider than epsilon and at least "
        "as wide as its gap, and an arm played without a query is within epsilon of the best; and on every path no "
        "arm has more queries than BuFALU's bound allows.",
        r"q_t = 1 \Rightarrow CI_t(a_t) > \epsilon(t),\ CI_t(a_t) \ge \Delta_{a_t};\ q_t = 0 \Rightarrow "
        r"\Delta_{a_t} \le \epsilon(t)",
        *GOOD,
        rests_on=("gap.ucb_minus_lcb", "algorithm.separated_is_optimal"),
    ),
    _about_other_policies(
        "baselines.cbm_ucb",
        at((1397, 1414), sha="5a8fac64ae12b88c"),
        "CBM-UCB: while every mean lies in its interval, a queried arm's interval is wider than epsilon and at "
        "least as wide as its gap, and an arm played without a query is within epsilon of the best; and on every "
        "path no arm has more queries than BuFALU's bound allows.",
        r"q_t = 1 \Rightarrow CI_t(a_t) > \epsilon(t);\ q_t = 0 \Rightarrow \Delta_{a_t} \le \epsilon(t)",
        *GOOD,
        rests_on=("gap.ucb_minus_lcb",),
    ),
    _about_other_policies(
        "baselines.greedy",
        at((1417, 1435), sha="4a94be71d30b2683"),
        "The greedy baseline never makes more queries than K or its largest effective budget 6 K ln s / "
        "epsilon(s)^2 + K over the rounds s so far.",
        r"B^q(t) \le \max\{K, \max_{s \le t} B(s)\}",
    ),
)
