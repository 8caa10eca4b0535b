"""Claims about BuFALU's rule and the quantities of its bounds (l.371-416)."""

from __future__ import annotations

from functools import partial

from bufalu.properties.claims.claim import Claim, Erratum, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = partial(Claim, section=Section.ALGORITHM, about=Subject.ROUND)
GOOD = ("the good event: every mean lies in its interval",)

CLAIMS = (
    _claim(
        id="interval.hoeffding_width",
        lines=at(374, 1144),
        source="bc480b61d578366f",
        statement="After n queries of an arm its Hoeffding interval in round t is sqrt(6 ln t / n) wide.",
        latex=r"2\sqrt{\frac{3 \ln t}{2n}} = \sqrt{\frac{6 \ln t}{n}}",
        expected=Verdict.PROVED,
        about=Subject.HOEFFDING,
    ),
    _claim(
        id="gap.ucb_minus_lcb",
        lines=at((393, 397)),
        source="fe4953e490f9112f",
        statement="While every mean lies in its interval, the gap of an arm is at most the largest upper end of all "
        "intervals minus the arm's lower end.",
        latex=r"\Delta_a \le \max_{a'} UCB_t(a') - LCB_t(a)",
        expected=Verdict.PROVED,
        hypotheses=GOOD,
    ),
    _claim(
        id="gap.width_of_largest_ucb",
        lines=at(399),
        source="6bf366a6232cbdf4",
        statement="While every mean lies in its interval, the gap of an arm whose upper end is largest is at most the "
        "width of its interval.",
        latex=r"a \in \arg\max UCB_t \Rightarrow \Delta_a \le CI_t(a)",
        expected=Verdict.PROVED,
        hypotheses=GOOD,
        rests_on=("gap.ucb_minus_lcb",),
    ),
    _claim(
        id="algorithm.maximisers",
        lines=at((371, 389), (402, 404)),
        source="600c9a1cecf9dfbf",
        statement="The code takes leader, challenger and candidate from exactly the arms that attain the maximum in the "
        "pseudo-code, for every number of arms.",
        latex=r"\arg\max_a v(a) = \{a : v(b) \le v(a)\ \forall b\}",
        expected=Verdict.PROVED,
    ),
    _claim(
        id="algorithm.separated_is_optimal",
        lines=at(401),
        source="c1fbf516d4d3fc14",
        statement="While every mean lies in its interval, a leader whose lower end is at least the challenger's upper "
        "end is an optimal arm.",
        latex=r"UCB_t(u_t) \le LCB_t(l_t) \Rightarrow \mu_{l_t} = \mu^*",
        expected=Verdict.PROVED,
        hypotheses=GOOD,
        rests_on=("gap.ucb_minus_lcb",),
    ),
    _claim(
        id="algorithm.two_optima_overlap",
        lines=at(405),
        source="c58b8b47694ca943",
        statement="While every mean lies in its interval, with two optimal arms whose means are strictly below their "
        "upper ends, the leader's lower end stays below the challenger's upper end.",
        latex=r"|A_*| \ge 2 \Rightarrow UCB_t(u_t) > LCB_t(l_t)",
        expected=Verdict.PROVED,
        hypotheses=GOOD,
        rests_on=("algorithm.separated_is_optimal",),
    ),
    _claim(
        id="epsilon.zero_never_blocks",
        lines=at(443),
        source="463262a1410d4d30",
        statement="With epsilon(t) = 0 BuFALU leaves a round unqueried only if the leader's interval lies above all "
        "others, or if the wider one of leader and challenger has an interval of width zero.",
        latex=r"\epsilon(t) = 0,\ UCB(u_t) > LCB(l_t),\ CI_t(c_t) > 0 \Rightarrow q_t = 1",
        expected=Verdict.PROVED,
        rests_on=("algorithm.maximisers",),
    ),
    _claim(
        id="epsilon.wide_blocks",
        lines=at(443),
        source="463262a1410d4d30",
        statement="If epsilon(t) is at least the candidate's width there is no query.",
        latex=r"\epsilon(t) \ge CI_t(c_t) \Rightarrow q_t = 0",
        expected=Verdict.PROVED,
        rests_on=("algorithm.maximisers",),
    ),
    _claim(
        id="algorithm.one_arm",
        lines=at((371, 389), (402, 404)),
        source="600c9a1cecf9dfbf",
        statement="As printed, the challenger is chosen among the arms other than the leader, also when there is one arm.",
        latex=r"u_t \in \arg\max_{a \ne l_t} UCB_t(a)",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E22",
            slip=True,
            printed="with K = 1 the challenger does not exist",
            corrected="algorithm.one_arm.corrected",
        ),
    ),
    _claim(
        id="algorithm.one_arm.corrected",
        lines=at((371, 389), (402, 404)),
        source="600c9a1cecf9dfbf",
        statement="The maximum over no arms is minus infinity, so BuFALU with a single arm queries it in round 1 and "
        "never again.",
        latex=r"K = 1 \Rightarrow B^q(T) = 1",
        expected=Verdict.PROVED,
        rests_on=("algorithm.maximisers",),
    ),
    _claim(
        id="l_epsilon.definition",
        lines=at((410, 414)),
        source="ac66cf5cd3800d93",
        statement=(
            "L_epsilon(T, Delta), the number of rounds t <= T with epsilon(t) >= Delta, is nondecreasing in T, "
            "nonincreasing in Delta, and at most T."
        ),
        latex=r"L_\epsilon(T, \Delta) = \sum_{t \le T} 1\{\epsilon(t) \ge \Delta\}",
        expected=Verdict.PROVED,
        about=Subject.NEITHER,
    ),
    _claim(
        id="l_epsilon.inverse",
        lines=at(414),
        source="c5e23b76c69656d5",
        statement=(
            "L_epsilon(T, Delta), the number of rounds t <= T with epsilon(t) >= Delta, is at most the last round "
            "with epsilon(t) >= Delta, for every sequence; with equality (up to T) when epsilon does not "
            "increase."
        ),
        latex=r"L_\epsilon(T, \Delta) \le \epsilon^{-1}(\Delta) = \sup\{t: \epsilon(t) \ge \Delta\}",
        expected=Verdict.PROVED,
        about=Subject.NEITHER,
        rests_on=("l_epsilon.definition",),
    ),
    _claim(
        id="n_bar.closed_form",
        lines=at(416),
        source="37a6859da009e21d",
        statement=(
            "For nonincreasing epsilon, or the budget schedule with nondecreasing budget, the largest 6 ln t / "
            "max{Delta, epsilon(t)}^2 over t <= T, BuFALU's bound on queries of an arm, is the one at t = T."
        ),
        latex=r"\bar N(T, \Delta) = 6 \ln T / \max\{\Delta^2, \epsilon^2(T)\}",
        expected=Verdict.PROVED,
        about=Subject.HOEFFDING,
        rests_on=("n_bar.samples_for_width",),
    ),
    _claim(
        id="n_bar.budget",
        lines=at(416),
        source="37a6859da009e21d",
        statement="With epsilon(t) = sqrt(6 K ln t / B(t)) and nondecreasing B, the largest 6 ln t / epsilon(t)^2 over "
        "t <= T, which bounds the queries of every arm, is at most B(T)/K.",
        latex=r"\bar N(T, 0) \le B(T)/K",
        expected=Verdict.PROVED,
        hypotheses=("Hoeffding's intervals", "B is the total budget, and positive", "T >= 1"),
        about=Subject.HOEFFDING,
        rests_on=("n_bar.samples_for_width",),
    ),
    _claim(
        id="n_bar.samples_for_width",
        lines=at(416),
        source="37a6859da009e21d",
        statement="More than 6 ln t / mu^2 queries make the Hoeffding width smaller than mu, and fewer do not.",
        latex=r"n > 6 \ln t / \mu^2 \iff CI_t(a) < \mu",
        expected=Verdict.PROVED,
        about=Subject.HOEFFDING,
        rests_on=("interval.hoeffding_width",),
    ),
    _claim(
        id="n_bar.loose_after_drops",
        lines=at(485),
        source="88ad9381cdb1c723",
        statement=(
            "BuFALU's bound on the queries of an arm can be loose: one round t with epsilon(t) = 0 raises it to t "
            "- 1, while the run queries a few times."
        ),
        latex=r"\bar N^{as}(T) \gg \max_a n^q_T(a)",
        expected=Verdict.EXACT,
        about=Subject.HOEFFDING,
        rests_on=("algorithm.maximisers",),
    ),
    _claim(
        id="budget.never_violated",
        lines=at(416),
        source="37a6859da009e21d",
        statement="As printed, the budget schedule epsilon(t) = sqrt(6 K ln t / B(t)) never lets the total number of "
        "queries exceed B(T).",
        latex=r"B^q(T) \le B(T)",
        expected=Verdict.ERRATUM,
        erratum=Erratum(
            number="E13",
            slip=True,
            printed="the initial rounds and the last query of each arm are not counted",
            corrected="budget.never_violated.corrected",
        ),
        about=Subject.HOEFFDING,
    ),
    _claim(
        id="budget.never_violated.corrected",
        lines=at(416, 441, 871),
        source="13e7e4c054ed4033",
        statement=(
            "With the budget schedule epsilon(t) = sqrt(6 K ln t / B(t)) each arm is queried at most ceil(B(T)/K) "
            "times or once, hence fewer than B(T) + K queries in all."
        ),
        latex=r"B^q(T) \le K \max\{1, \lceil B(T)/K \rceil\} < B(T) + K",
        expected=Verdict.PROVED,
        hypotheses=("Hoeffding's intervals", "B is positive, and nowhere above B(T)", "T >= 1"),
        about=Subject.HOEFFDING,
        rests_on=("cap.almost_sure", "n_bar.budget"),
    ),
    _claim(
        id="beyond.infinite_interval_forces_query",
        lines=at(1133),
        source="7495527e2d64efc7",
        statement="Beyond the paper: with at least two arms, while some arm's interval is the whole line, every round is "
        "queried.",
        latex=r"\exists a: CI_t(a) = \infty \Rightarrow q_t = 1",
        expected=Verdict.PROVED,
        rests_on=("algorithm.maximisers",),
    ),
    _claim(
        id="baselines.bufau",
        lines=at((1377, 1394)),
        source="63acd34e6041c5f1",
        statement=(
            "BuFAU: while every mean lies in its interval, a queried arm's interval is wider than epsilon and at "
            "least as wide as its gap, and an arm played without a query is within epsilon of the best; and on "
            "every path no arm has more queries than BuFALU's bound allows."
        ),
        latex=r"q_t = 1 \Rightarrow CI_t(a_t) > \epsilon(t),\ CI_t(a_t) \ge \Delta_{a_t};\ q_t = 0 \Rightarrow "
        r"\Delta_{a_t} \le \epsilon(t)",
        expected=Verdict.PROVED,
        hypotheses=GOOD,
        about=Subject.OTHER_POLICIES,
        rests_on=("gap.ucb_minus_lcb", "algorithm.separated_is_optimal"),
    ),
    _claim(
        id="baselines.cbm_ucb",
        lines=at((1397, 1414)),
        source="5a8fac64ae12b88c",
        statement=(
            "CBM-UCB: while every mean lies in its interval, a queried arm's interval is wider than epsilon and "
            "at least as wide as its gap, and an arm played without a query is within epsilon of the best; and on "
            "every path no arm has more queries than BuFALU's bound allows."
        ),
        latex=r"q_t = 1 \Rightarrow CI_t(a_t) > \epsilon(t);\ q_t = 0 \Rightarrow \Delta_{a_t} \le \epsilon(t)",
        expected=Verdict.PROVED,
        hypotheses=GOOD,
        about=Subject.OTHER_POLICIES,
        rests_on=("gap.ucb_minus_lcb",),
    ),
    _claim(
        id="baselines.greedy",
        lines=at((1417, 1435)),
        source="4a94be71d30b2683",
        statement="The greedy baseline never makes more queries than K or its largest effective budget 6 K ln s / "
        "epsilon(s)^2 + K over the rounds s so far.",
        latex=r"B^q(t) \le \max\{K, \max_{s \le t} B(s)\}",
        expected=Verdict.PROVED,
        about=Subject.OTHER_POLICIES,
    ),
)
