"""Claims of the discussion: budgets, comparisons with the lower bounds and with UCB1 (l.440-448, l.869-871)."""

from __future__ import annotations

from bufalu.properties.claims.claim import PaperClaims, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = PaperClaims(Section.DISCUSSION, Subject.HOEFFDING)
_about_neither = PaperClaims(Section.DISCUSSION, Subject.NEITHER)
_about_bernstein = PaperClaims(Section.DISCUSSION, Subject.BERNSTEIN)

CLAIMS = (
    _claim(
        "discussion.total_budget",
        at(441, 871, sha="e12e33968e52c658"),
        "With the budget schedule epsilon(t) = sqrt(6 K ln t / B(t)) BuFALU makes at most B(T) + K queries, surely: "
        "each arm has at most B(T)/K + 1.",
        r"B^q(T) \le K(\bar N(T,0) + 1) \le B(T) + K",
        "Hoeffding's intervals",
        "epsilon(t) = sqrt(6 K ln t / B(t)) with B positive and nondecreasing",
        rests_on=("cap.almost_sure", "n_bar.budget"),
    ),
    _claim(
        "discussion.regret_with_budget",
        at(441, sha="e0c621c77548fad9"),
        "As printed, BuFALU's regret with a total budget of B(T) queries is of order sqrt(K T ln T) plus T times "
        "sqrt(K ln T / B(T)).",
        r"\mathrm{Reg}(T) = O\Big(\sqrt{KT\ln T} + \sum_{t \le T} \sqrt{K \ln T/B(T)}\Big)",
        erratum="E17",
        printed="the sum must contain B(t): a budget that comes late does not help early rounds",
    ),
    _claim(
        "discussion.regret_with_budget.corrected",
        at(441, sha="e0c621c77548fad9"),
        "In the bound on BuFALU's regret with a total budget the sum is that of epsilon(t) = sqrt(6 K ln t / B(t)), "
        "round by round; replacing ln t by ln T only enlarges it.",
        r"\sum_{t} \sqrt{6K\ln t/B(t)} \le \sqrt6 \sum_{t} \sqrt{K\ln T/B(t)}",
        rests_on=("independent.hoeffding",),
    ),
    _claim(
        "discussion.unique_logarithmic",
        at(441, sha="e0c621c77548fad9"),
        "With a unique optimal arm BuFALU's expected queries in T rounds are at most 2K + 24 ln T/Delta_min^2 plus, "
        "for each other arm, 24 ln T/Delta_a^2, Delta_a being the arm's gap, whatever epsilon is.",
        r"E[B^q(T)] \le \sum_{a \ne a^*} \frac{24 \ln T}{\Delta_a^2} + \frac{24 \ln T}{\Delta_{\min}^2} + 2K",
        "Hoeffding intervals",
        "rewards in [0, 1]",
        rests_on=("theorem.unique.queries", "regular.hoeffding.closed_form"),
    ),
    _claim(
        "discussion.epsilon_below_smallest_gap",
        at(443, 363, sha="1f2a01305e7c0ded"),
        "If epsilon is constant and below the smallest gap, no round counts as one with epsilon at or above a gap, "
        "and BuFALU's bounds allow an arm at most 6 ln T/epsilon^2 queries. So its bounds on queries and regret are "
        "logarithmic even with several optimal arms.",
        r"0 < \epsilon < \Delta_{\min} \Rightarrow L_\epsilon(T,\Delta_a) = 0,\ \bar N(T,0) = 6\ln T/\epsilon^2",
        rests_on=("l_epsilon.definition", "n_bar.closed_form", "theorem.unique.regret"),
    ),
    _about_neither(
        "discussion.inverse_profile",
        at(445, sha="98613008cf44f610"),
        "With b(t) = 6 ln t/epsilon(t)^2, the queries that epsilon allows an arm, epsilon(t) >= Delta is the same "
        "as b(t) <= 6 ln t/Delta^2.",
        r"\epsilon(t) \ge \Delta \iff b(t) \le 6 \ln t/\Delta^2",
        rests_on=("l_epsilon.inverse",),
    ),
    _about_neither(
        "discussion.superlogarithmic",
        at(446, sha="42d3732c974e46b7"),
        "If epsilon(t) tends to zero then ln T/epsilon(T)^2 exceeds every multiple of ln T from some round on.",
        r"\epsilon(T) \to 0 \Rightarrow \epsilon(T)^{-2} \to \infty",
    ),
    _about_neither(
        "discussion.logarithmic_regret",
        at(446, sha="42d3732c974e46b7"),
        "BuFALU's regret is at most the sum over suboptimal arms of 24 ln T/Delta_a plus Delta_a times the number "
        "of rounds with epsilon(t) >= Delta_a, plus 3 K Delta_max. If epsilon stays below the gap after round s, "
        "these are at most s rounds, whatever T. So the regret is logarithmic for every epsilon that tends to zero.",
        r"(\forall t > s: \epsilon(t) < \Delta_a) \Rightarrow L_\epsilon(T, \Delta_a) \le s",
        "Hoeffding intervals",
        "rewards in [0, 1]",
        rests_on=("l_epsilon.definition",),
    ),
    _claim(
        "discussion.ucb_count",
        at(448, sha="7194731d7a1c2aaa"),
        "With several optimal arms the queries that BuFALU's bounds allow an arm of gap Delta_a are at most 6 ln "
        "T/Delta_a^2, the number of plays of UCB with alpha = 3.",
        r"\bar N(T,\Delta_a) \le 6 \ln T/\Delta_a^2",
        rests_on=("regular.hoeffding.closed_form",),
    ),
    _claim(
        "discussion.middle_point",
        at(448, sha="7194731d7a1c2aaa"),
        "Two intervals that contain their means and are narrower than half the gap lie on different sides of the "
        "midpoint, so they are separated.",
        r"CI(a), CI(a^*) < \Delta_a/2 \Rightarrow UCB(a) < (\mu_a+\mu^*)/2 < LCB(a^*)",
        expected=Verdict.CERTIFIED,
        about=Subject.ROUND,
    ),
    _about_bernstein(
        "discussion.bernstein_improves",
        at(871, sha="2364a93317b6876f"),
        "As printed, with a total budget of B queries and Bernstein intervals the expected queries of an arm of "
        "variance V_a are of order 4 V_a B/K, and this improves on Hoeffding intervals.",
        r"E[n^q_T(a)] = O(4 V_a B(T)/K)",
        erratum="E12",
        printed="the additional term min{22 sqrt(B ln T), 4 B} is dropped: no improvement at V = 1/4, and not of that order "
        "at V = 0",
    ),
    _about_bernstein(
        "discussion.bernstein_improves.corrected",
        at(871, 1233, sha="2d8af4c21b6fddb5"),
        "With a total budget of B queries, Bernstein intervals and variance V, an arm's expected queries have the "
        "bound 4 V (B/K - 1) + min{22 sqrt((B/K - 1) ln T), 4 (B/K - 1)} + 1. This number is below B/K, that of "
        "Hoeffding intervals, whenever V < 1/4 and B/K - 1 > (22/(1 - 4V))^2 ln T.",
        r"V < \tfrac14,\ b > \Big(\frac{22}{1-4V}\Big)^2 \ln T \Rightarrow 4Vb + 22\sqrt{b \ln T} < b",
        rests_on=("bernstein.budget_bound", "theorem.bernstein"),
    ),
    _claim(
        "discussion.general_reduces",
        at(871, sha="2364a93317b6876f"),
        "For Hoeffding intervals the theorem for regular intervals, whose overhead is K + C with C = 2K, has the "
        "overhead 3K of the main text.",
        r"K + C(T) = 3K",
        about=Subject.THEOREM,
        rests_on=("theorem.general", "regular.hoeffding"),
    ),
    _about_neither(
        "discussion.total_to_per_arm",
        at((869, 871), sha="6277ad3ca8fb21ed"),
        "Replacing a budget B for each arm by B/K turns the budget schedules of the two lemmas into those for a "
        "total budget.",
        r"\sqrt{\frac{6\ln t}{B/K-1}} + \frac{14 \ln t}{B/K-1} = \sqrt{\frac{6K\ln t}{B-K}} + \frac{14K\ln t}{B-K}",
        expected=Verdict.CERTIFIED,
    ),
)
