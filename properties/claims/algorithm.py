"""Claims about BuFALU's rule and the quantities of its bounds (l.371-416)."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, Erratum, Section, at
from bufalu.properties.claims.evidence import Verdict

SECTION = Section.ALGORITHM
GOOD = ("the good event: every mean lies in its interval",)

CLAIMS = (
    Claim(
        "interval.hoeffding_width",
        at(374, 1144),
        SECTION,
        "The width of the Hoeffding interval is sqrt(6 ln t / n).",
        r"2\sqrt{\frac{3 \ln t}{2n}} = \sqrt{\frac{6 \ln t}{n}}",
        Verdict.PROVED,
    ),
    Claim(
        "gap.ucb_minus_lcb",
        at((393, 397)),
        SECTION,
        "Under the good event a gap is at most the largest upper bound minus the arm's lower bound.",
        r"\Delta_a \le \max_{a'} UCB_t(a') - LCB_t(a)",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "gap.width_of_largest_ucb",
        at(399),
        SECTION,
        "Under the good event the gap of an arm of largest upper bound is at most its width.",
        r"a \in \arg\max UCB_t \Rightarrow \Delta_a \le CI_t(a)",
        Verdict.CERTIFIED,
        GOOD,
    ),
    Claim(
        "epsilon.zero_never_blocks",
        at(443),
        SECTION,
        "With epsilon(t) = 0 a round is unqueried only if the leader is separated, or the candidate's interval is "
        "empty of uncertainty.",
        r"\epsilon(t) = 0,\ UCB(u_t) > LCB(l_t),\ CI_t(c_t) > 0 \Rightarrow q_t = 1",
        Verdict.PROVED,
    ),
    Claim(
        "epsilon.wide_blocks",
        at(443),
        SECTION,
        "If epsilon(t) is at least the candidate's width there is no query.",
        r"\epsilon(t) \ge CI_t(c_t) \Rightarrow q_t = 0",
        Verdict.PROVED,
    ),
    Claim(
        "algorithm.one_arm",
        at((371, 389), (402, 404)),
        SECTION,
        "As printed, the challenger is chosen among the arms other than the leader, also when there is one arm.",
        r"u_t \in \arg\max_{a \ne l_t} UCB_t(a)",
        Verdict.ERRATUM,
        erratum=Erratum("E22", "with K = 1 the challenger does not exist", "algorithm.one_arm.corrected"),
    ),
    Claim(
        "algorithm.one_arm.corrected",
        at((371, 389), (402, 404)),
        SECTION,
        "The maximum over no arms is minus infinity, so a single arm is always separated and queried in round 1 "
        "alone.",
        r"K = 1 \Rightarrow B^q(T) = 1",
        Verdict.EXACT,
    ),
    Claim(
        "l_epsilon.definition",
        at((410, 414)),
        SECTION,
        "L_epsilon counts the rounds whose epsilon is at least Delta: nondecreasing in T, nonincreasing in Delta, at "
        "most T.",
        r"L_\epsilon(T, \Delta) = \sum_{t \le T} 1\{\epsilon(t) \ge \Delta\}",
        Verdict.EXACT,
    ),
    Claim(
        "l_epsilon.inverse",
        at(414),
        SECTION,
        "L_epsilon is at most the last round with epsilon(t) >= Delta, for every sequence; with equality (up to T) "
        "when "
        "epsilon does not increase.",
        r"L_\epsilon(T, \Delta) \le \epsilon^{-1}(\Delta) = \sup\{t: \epsilon(t) \ge \Delta\}",
        Verdict.EXACT,
    ),
    Claim(
        "n_bar.closed_form",
        at(416),
        SECTION,
        "For nonincreasing epsilon, or the budget schedule with nondecreasing budget, the maximum over t is attained "
        "at T.",
        r"\bar N(T, \Delta) = 6 \ln T / \max\{\Delta^2, \epsilon^2(T)\}",
        Verdict.CERTIFIED,
    ),
    Claim(
        "n_bar.budget",
        at(416),
        SECTION,
        "With epsilon(t) = sqrt(6 K ln t / B(t)) and nondecreasing B, the cap at level 0 is at most B(T)/K.",
        r"\bar N(T, 0) \le B(T)/K",
        Verdict.PROVED,
    ),
    Claim(
        "n_bar.samples_for_width",
        at(416),
        SECTION,
        "More than 6 ln t / mu^2 queries make the Hoeffding width smaller than mu, and fewer do not.",
        r"n > 6 \ln t / \mu^2 \iff CI_t(a) < \mu",
        Verdict.PROVED,
    ),
    Claim(
        "n_bar.loose_after_drops",
        at(485),
        SECTION,
        "The maximum over t can be loose: one round with epsilon = 0 makes the cap t - 1, while the run queries a "
        "few "
        "times.",
        r"\bar N^{as}(T) \gg \max_a n^q_T(a)",
        Verdict.EXACT,
    ),
    Claim(
        "budget.never_violated",
        at(416),
        SECTION,
        "As printed, the budget schedule never lets the total number of queries exceed B(T).",
        r"B^q(T) \le B(T)",
        Verdict.ERRATUM,
        erratum=Erratum(
            "E13",
            "the initial rounds and the last query of each arm are not counted",
            "budget.never_violated.corrected",
        ),
    ),
    Claim(
        "budget.never_violated.corrected",
        at(416, 441, 871),
        SECTION,
        "With the budget schedule each arm is queried at most ceil(B(T)/K) times or once, hence fewer than B(T) + K "
        "queries in all.",
        r"B^q(T) \le K \max\{1, \lceil B(T)/K \rceil\} < B(T) + K",
        Verdict.EXACT,
    ),
    Claim(
        "beyond.infinite_interval_forces_query",
        at(1133),
        SECTION,
        "Beyond the paper: with at least two arms, while some arm's interval is the whole line, every round is "
        "queried.",
        r"\exists a: CI_t(a) = \infty \Rightarrow q_t = 1",
        Verdict.PROVED,
    ),
    Claim(
        "baselines.bufau",
        at((1377, 1394)),
        SECTION,
        "BuFAU: a queried arm is wider than epsilon and than its gap, an unqueried arm is within epsilon of the "
        "best, "
        "and the cap holds.",
        r"q_t = 1 \Rightarrow CI_t(a_t) > \epsilon(t),\ CI_t(a_t) \ge \Delta_{a_t};\ q_t = 0 \Rightarrow "
        r"\Delta_{a_t} \le \epsilon(t)",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "baselines.cbm_ucb",
        at((1397, 1414)),
        SECTION,
        "CBM-UCB: a queried arm is wider than epsilon and than its gap, an unqueried arm is within epsilon of the "
        "best, "
        "and the cap holds.",
        r"q_t = 1 \Rightarrow CI_t(a_t) > \epsilon(t);\ q_t = 0 \Rightarrow \Delta_{a_t} \le \epsilon(t)",
        Verdict.PROVED,
        GOOD,
    ),
    Claim(
        "baselines.greedy",
        at((1417, 1435)),
        SECTION,
        "Greedy never makes more queries than the largest effective budget so far.",
        r"B^q(t) \le \max\{K, \max_{s \le t} B(s)\}",
        Verdict.PROVED,
    ),
)
