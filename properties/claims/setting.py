"""Claims of the introduction's summary table, the setting and the section on existing approaches (l.197-281)."""

from __future__ import annotations

from functools import partial

from bufalu.properties.claims.claim import Claim, Section, Subject, at
from bufalu.properties.claims.evidence import Verdict

_claim = partial(Claim, section=Section.SETTING, about=Subject.NEITHER)
FINITE = ("all laws have finite support",)

CLAIMS = (
    _claim(
        id="counts.queries_at_most_plays",
        lines=at(268),
        source="2f8515a71b6acc03",
        statement="An arm is queried at most as often as it is played; plays add up to t and queries to at most t.",
        latex=r"n^q_t(a) \le n_t(a),\quad \sum_a n_t(a) = t,\quad B^q(t) \le t",
        expected=Verdict.PROVED,
        about=Subject.ROUND,
    ),
    _claim(
        id="mean.ignores_unqueried",
        lines=at(268),
        source="2f8515a71b6acc03",
        statement="The empirical mean uses queried rewards alone: changing unqueried rewards changes no decision.",
        latex=r"\hat\mu_t(a) = \frac{1}{n^q_t(a)} \sum_{s \le t} R_s 1\{a_s = a, q_s = 1\}",
        expected=Verdict.TESTED,
    ),
    _claim(
        id="mean.zero_before_queries",
        lines=at(268),
        source="2f8515a71b6acc03",
        statement="The empirical mean of an arm without queries is 0.",
        latex=r"n^q_t(a) = 0 \Rightarrow \hat\mu_t(a) = 0",
        expected=Verdict.EXACT,
    ),
    _claim(
        id="regret.decomposes",
        lines=at((270, 271)),
        source="39cc6b510bfa2206",
        statement="The regret is the sum over arms of gap times expected plays.",
        latex=r"\mathrm{Reg}(T) = \sum_a \Delta_a\, E[n_T(a)]",
        expected=Verdict.PROVED,
    ),
    _claim(
        id="tape.same_law",
        lines=at(268, 1149),
        source="0e87a90556e9d5c9",
        statement=(
            "Two models of rewards give every strategy's history the same law: rewards fixed in advance, of which "
            "the k-th query of an arm reads the arm's k-th, and rewards drawn afresh in every round. So the "
            "proofs may pass from one to the other."
        ),
        latex=r"E[f(H_T) \mid R_t = X_{a_t}(n^q_t(a_t))] = E[f(H_T) \mid R_t \sim \nu_{a_t}]",
        expected=Verdict.PROVED,
        hypotheses=FINITE,
    ),
    _claim(
        id="costs.arm_dependent",
        lines=at(268),
        source="2f8515a71b6acc03",
        statement=(
            "With cost c_a for a query of arm a, the expected query cost of BuFALU is at most the sum of the "
            "bounds on each arm's expected queries, weighted with c_a: for any regular intervals, hence for "
            "Hoeffding's and Bernstein's."
        ),
        latex=r"E\Big[\sum_a c_a n^q_T(a)\Big] \le \sum_a c_a (\bar N_a + 1) + C(T) \max_a c_a",
        expected=Verdict.PROVED,
        hypotheses=("rewards in [0, 1]", "c_a >= 0"),
        about=Subject.THEOREM,
        rests_on=("theorem.general",),
    ),
    _claim(
        id="cbm.wastes",
        lines=at(281),
        source="77f3baecfe2b3b55",
        statement="While every epsilon(t) is below the narrowest width sqrt(6 ln t / (t - K)) that an arm can have, "
        "CBM-UCB queries in every round, whatever the rewards.",
        latex=r"\epsilon(t) < \sqrt{6 \ln t / (t-K)} \Rightarrow q_t = 1",
        expected=Verdict.PROVED,
        about=Subject.OTHER_POLICIES,
        rests_on=("interval.hoeffding_width",),
    ),
    _claim(
        id="bai.logarithmic_queries_suffice",
        lines=at(281),
        source="77f3baecfe2b3b55",
        statement=(
            "Cited by the paper from others: with a unique optimal arm, of order K ln t / Delta_min^2 queries identify it: "
            "after ceil(4 ln(K t) / Delta_min^2) queries of each arm it alone has the largest empirical mean, but with "
            "probability at most 1/t."
        ),
        latex=r"n = \lceil 4 \ln(Kt) / \Delta_{\min}^2 \rceil \Rightarrow (K-1)\, e^{-n \Delta_{\min}^2 / 2} \le 1/t",
        expected=Verdict.PROVED,
        hypotheses=("reward laws on [0, 1]", "independent rewards", "a unique optimal arm", "t >= 1"),
    ),
    _claim(
        id="summary.unique_upper",
        lines=at((214, 222)),
        source="26f0c4611d932b17",
        statement="With a unique optimal arm, each term of BuFALU's upper bounds is of the order of ln T times an "
        "inverse squared gap (queries) or an inverse gap (regret).",
        latex=r"\bar N(T, \Delta/2) \le 24 \ln T / \Delta^2",
        expected=Verdict.PROVED,
        hypotheses=("Hoeffding intervals",),
        about=Subject.HOEFFDING,
        rests_on=("theorem.unique.regret", "theorem.unique.queries", "regular.hoeffding.closed_form"),
    ),
    _claim(
        id="summary.multiple_upper",
        lines=at((224, 232)),
        source="ac4edf22ace11c1b",
        statement=(
            "In the upper bound on BuFALU's queries with several optimal arms, an optimal arm adds at most 6 ln T "
            "/ epsilon(T)^2 when epsilon does not increase, and an arm of gap Delta_a at most 6 ln T / Delta_a^2."
        ),
        latex=r"\bar N(T, 0) = 6 \ln T / \epsilon(T)^2,\quad \bar N(T, \Delta) \le 6 \ln T / \Delta^2",
        expected=Verdict.PROVED,
        hypotheses=("Hoeffding intervals", "epsilon nonincreasing"),
        about=Subject.HOEFFDING,
        rests_on=("theorem.multiple.queries", "regular.hoeffding.closed_form"),
    ),
    _claim(
        id="summary.gaussian_lower",
        lines=at((210, 216)),
        source="b48a38ff0719947f",
        statement=(
            "For Gaussian arms of unit variance the asymptotic lower bounds on expected queries read 2 ln T / "
            "Delta_a^2 for an arm of gap Delta_a and, with the smallest gap, 2 ln T / Delta_min^2 for a unique "
            "optimal arm."
        ),
        latex=r"1/\mathcal K^+_{\inf}(\nu_a, \mu^*) = 2/\Delta_a^2,\quad 1/\mathcal K^-_{\inf}(\nu_{a^*}, \mu^s) = "
        r"2/\Delta_{\min}^2",
        expected=Verdict.CERTIFIED,
        rests_on=("lower.suboptimal_arms", "lower.unique_optimal_arm", "kinf.gaussian"),
    ),
    _claim(
        id="summary.several_optima",
        lines=at((224, 226)),
        source="7a45817cde8504bf",
        statement=(
            "Beside another optimal arm, an optimal arm whose two divergences at the optimal mean are zero, as "
            "those of Gaussian arms are, is queried super-logarithmically by a consistent strategy (proved for "
            "finite-support laws)."
        ),
        latex=r"\mathcal K^\pm_{\inf}(\nu_{a}, \mu^*) = 0 \Rightarrow E[n^q_T(a)] = \omega(\ln T)",
        expected=Verdict.PROVED,
        hypotheses=(
            "all laws of the family have finite support",
            "the strategy is consistent in expectation",
        ),
        rests_on=("lower.multiple_optimal.corrected",),
    ),
    _claim(
        id="summary.scarce_upper",
        lines=at((237, 242)),
        source="3134c94c275c44bf",
        statement="If epsilon does not increase and b(t) = 6 ln t / epsilon(t)^2, then every t <= T with epsilon(t) >= "
        "Delta has b(t) <= 6 ln T / Delta^2: there are at most s such rounds, s being the last round with "
        "b(s) not above this value.",
        latex=r"\epsilon(t) \ge \Delta,\ t \le T \Rightarrow b(t) \le 6 \ln T / \Delta^2",
        expected=Verdict.PROVED,
        hypotheses=("epsilon nonincreasing and positive",),
        rests_on=("l_epsilon.inverse", "discussion.inverse_profile"),
    ),
)
