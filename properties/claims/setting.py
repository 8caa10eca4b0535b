"""Claims of the introduction's summary table, the setting and the section on existing approaches (l.197-281)."""

from __future__ import annotations

from bufalu.properties.claims.claim import PaperClaims, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = PaperClaims(Section.SETTING, Subject.NEITHER)
_about_hoeffding = PaperClaims(Section.SETTING, Subject.HOEFFDING)
FINITE = ("all laws have finite support",)

CLAIMS = (
    _claim(
        "counts.queries_at_most_plays",
        at(268, sha="2f8515a71b6acc03"),
        "An arm is queried at most as often as it is played; plays add up to t and queries to at most t.",
        r"n^q_t(a) \le n_t(a),\quad \sum_a n_t(a) = t,\quad B^q(t) \le t",
        about=Subject.ROUND,
    ),
    _claim(
        "mean.ignores_unqueried",
        at(268, sha="2f8515a71b6acc03"),
        "The empirical mean uses queried rewards alone: changing unqueried rewards changes no decision.",
        r"\hat\mu_t(a) = \frac{1}{n^q_t(a)} \sum_{s \le t} R_s 1\{a_s = a, q_s = 1\}",
        expected=Verdict.TESTED,
    ),
    _claim(
        "mean.zero_before_queries",
        at(268, sha="2f8515a71b6acc03"),
        "The empirical mean of an arm without queries is 0.",
        r"n^q_t(a) = 0 \Rightarrow \hat\mu_t(a) = 0",
        expected=Verdict.EXACT,
    ),
    _claim(
        "regret.decomposes",
        at((270, 271), sha="39cc6b510bfa2206"),
        "The regret is the sum over arms of gap times expected plays.",
        r"\mathrm{Reg}(T) = \sum_a \Delta_a\, E[n_T(a)]",
    ),
    _claim(
        "tape.same_law",
        at(268, 1149, sha="0e87a90556e9d5c9"),
        "Two models of rewards give every strategy's history the same law: rewards fixed in advance, of which the "
        "k-th query of an arm reads the arm's k-th, and rewards drawn afresh in every round. So the proofs may pass "
        "from one to the other.",
        r"E[f(H_T) \mid R_t = X_{a_t}(n^q_t(a_t))] = E[f(H_T) \mid R_t \sim \nu_{a_t}]",
        *FINITE,
    ),
    _claim(
        "costs.arm_dependent",
        at(268, sha="2f8515a71b6acc03"),
        "With cost c_a for a query of arm a, the expected query cost of BuFALU is at most the sum of the bounds on "
        "each arm's expected queries, weighted with c_a: for any regular intervals, hence for Hoeffding's and "
        "Bernstein's.",
        r"E\Big[\sum_a c_a n^q_T(a)\Big] \le \sum_a c_a (\bar N_a + 1) + C(T) \max_a c_a",
        "rewards in [0, 1]",
        "c_a >= 0",
        about=Subject.THEOREM,
        rests_on=("theorem.general",),
    ),
    _claim(
        "cbm.wastes",
        at(281, sha="77f3baecfe2b3b55"),
        "While every epsilon(t) is below the narrowest width sqrt(6 ln t / (t - K)) that an arm can have, CBM-UCB "
        "queries in every round, whatever the rewards.",
        r"\epsilon(t) < \sqrt{6 \ln t / (t-K)} \Rightarrow q_t = 1",
        about=Subject.OTHER_POLICIES,
        rests_on=("interval.hoeffding_width",),
    ),
    _claim(
        "bai.logarithmic_queries_suffice",
        at(281, sha="77f3baecfe2b3b55"),
        "Cited by the paper from others: with a unique optimal arm, of order K ln t / Delta_min^2 queries identify "
        "it: after ceil(4 ln(K t) / Delta_min^2) queries of each arm it alone has the largest empirical mean, but "
        "with probability at most 1/t.",
        r"n = \lceil 4 \ln(Kt) / \Delta_{\min}^2 \rceil \Rightarrow (K-1)\, e^{-n \Delta_{\min}^2 / 2} \le 1/t",
        "reward laws on [0, 1]",
        "independent rewards",
        "a unique optimal arm",
        "t >= 1",
    ),
    _about_hoeffding(
        "summary.unique_upper",
        at((214, 222), sha="26f0c4611d932b17"),
        "With a unique optimal arm, each term of BuFALU's upper bounds is of the order of ln T times an inverse "
        "squared gap (queries) or an inverse gap (regret).",
        r"\bar N(T, \Delta/2) \le 24 \ln T / \Delta^2",
        "Hoeffding intervals",
        rests_on=("theorem.unique.regret", "theorem.unique.queries", "regular.hoeffding.closed_form"),
    ),
    _about_hoeffding(
        "summary.multiple_upper",
        at((224, 232), sha="ac4edf22ace11c1b"),
        "In the upper bound on BuFALU's queries with several optimal arms, an optimal arm adds at most 6 ln T / "
        "epsilon(T)^2 when epsilon does not increase, and an arm of gap Delta_a at most 6 ln T / Delta_a^2.",
        r"\bar N(T, 0) = 6 \ln T / \epsilon(T)^2,\quad \bar N(T, \Delta) \le 6 \ln T / \Delta^2",
        "Hoeffding intervals",
        "epsilon nonincreasing",
        rests_on=("theorem.multiple.queries", "regular.hoeffding.closed_form"),
    ),
    _claim(
        "summary.gaussian_lower",
        at((210, 216), sha="b48a38ff0719947f"),
        "For Gaussian arms of unit variance the asymptotic lower bounds on expected queries read 2 ln T / Delta_a^2 "
        "for an arm of gap Delta_a and, with the smallest gap, 2 ln T / Delta_min^2 for a unique optimal arm.",
        r"1/\mathcal K^+_{\inf}(\nu_a, \mu^*) = 2/\Delta_a^2,\quad 1/\mathcal K^-_{\inf}(\nu_{a^*}, \mu^s) = "
        r"2/\Delta_{\min}^2",
        expected=Verdict.CERTIFIED,
        rests_on=("lower.suboptimal_arms", "lower.unique_optimal_arm", "kinf.gaussian"),
    ),
    _claim(
        "summary.several_optima",
        at((224, 226), sha="7a45817cde8504bf"),
        "Beside another optimal arm, an optimal arm whose two divergences at the optimal mean are zero, as those of "
        "Gaussian arms are, is queried super-logarithmically by a consistent strategy (proved for finite-support "
        "laws).",
        r"\mathcal K^\pm_{\inf}(\nu_{a}, \mu^*) = 0 \Rightarrow E[n^q_T(a)] = \omega(\ln T)",
        "all laws of the family have finite support",
        "the strategy is consistent in expectation",
        rests_on=("lower.multiple_optimal.corrected",),
    ),
    _claim(
        "summary.scarce_upper",
        at((237, 242), sha="3134c94c275c44bf"),
        "If epsilon does not increase and b(t) = 6 ln t / epsilon(t)^2, then every t <= T with epsilon(t) >= Delta "
        "has b(t) <= 6 ln T / Delta^2: there are at most s such rounds, s being the last round with b(s) not above "
        "this value.",
        r"\epsilon(t) \ge \Delta,\ t \le T \Rightarrow b(t) \le 6 \ln T / \Delta^2",
        "epsilon nonincreasing and positive",
        rests_on=("l_epsilon.inverse", "discussion.inverse_profile"),
    ),
)
