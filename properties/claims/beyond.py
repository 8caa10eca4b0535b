"""Claims of ours, which the paper does not make.

The dial between BuFALU and BuFAU, BuFALU's leading constant, and the interval that the paper wishes for (l.1644).
"""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, OurClaims, Subject

GOOD_EVENT = "every mean lies in its interval"
HOEFFDING = "Hoeffding's intervals"
OBLIVIOUS = "epsilon is nonnegative and fixed in advance"
UNIQUE = "a unique optimal arm"
LAWS = "reward laws on [0, 1]"
NONNEGATIVE = "epsilon is nonnegative"
RHO = "rho >= 0"


_sharp = OurClaims("sharp", "docs/proofs.md", Subject.HOEFFDING, (HOEFFDING, OBLIVIOUS, LAWS, UNIQUE, "delta > 0"))
_dial = OurClaims("dial", "docs/dial.md", Subject.OTHER_POLICIES)
_loglog = OurClaims(
    "kl_ucb",
    "docs/proofs.md",
    Subject.KL_UCB,
    ("g(t) = max{0, ln t + 3 ln ln t}, the growth of the interval of l.1644", LAWS),
)

CLAIMS: tuple[Claim, ...] = (
    _dial(
        "at_one_is_bufalu",
        "At rho = 1 the dial between BuFAU and BuFALU admits exactly the decisions of BuFALU, ties included.",
        r"\rho = 1",
        "an interval that is unbounded below is unbounded above",
        rests_on=("algorithm.maximisers",),
    ),
    _dial(
        "at_zero_is_bufau",
        "At rho = 0 the dial between BuFAU and BuFALU admits exactly the decisions of BuFAU, ties included.",
        r"\rho = 0",
        rests_on=("algorithm.maximisers",),
    ),
    _dial(
        "queried_is_wide",
        "An arm that the dial queries after the initial rounds has an interval wider than epsilon.",
        r"q_t = 1 \Rightarrow CI_t(a_t) > \epsilon(t)",
        rests_on=("algorithm.maximisers",),
    ),
    _dial(
        "unqueried_is_near_optimal",
        "An arm that the dial plays without a query has a gap of at most epsilon.",
        r"q_t = 0 \Rightarrow \Delta_{a_t} \le \epsilon(t)",
        GOOD_EVENT,
        NONNEGATIVE,
        rests_on=("gap.ucb_minus_lcb", "algorithm.separated_is_optimal"),
    ),
    _dial(
        "width.suboptimal",
        "A suboptimal arm that the dial at rho queries has an interval at least as wide as the smaller of its gap and "
        "(gap + epsilon)/(1 + rho).",
        r"CI_t(a) \ge \min\{\Delta_a, (\Delta_a + \epsilon(t)) / (1 + \rho)\}",
        GOOD_EVENT,
        NONNEGATIVE,
        RHO,
        rests_on=("gap.ucb_minus_lcb",),
    ),
    _dial(
        "width.several_optima",
        "With several optimal arms, a suboptimal arm that the dial queries has an interval at least as wide "
        "as its gap.",
        r"CI_t(a) \ge \Delta_a",
        GOOD_EVENT,
        NONNEGATIVE,
        "at least two optimal arms",
        rests_on=("gap.ucb_minus_lcb",),
    ),
    _dial(
        "width.optimal",
        "A unique optimal arm that the dial at rho queries has an interval at least as wide as rho/(1 + rho) "
        "of the smallest gap.",
        r"CI_t(a^*) \ge \rho \Delta_{\min} / (1 + \rho)",
        GOOD_EVENT,
        NONNEGATIVE,
        RHO,
        UNIQUE,
        rests_on=("gap.ucb_minus_lcb",),
    ),
    _dial(
        "cap",
        "On every path the dial queries no arm more often than BuFALU's bound allows.",
        r"n^q_T(a) \le \max_t N(t, \epsilon(t)) + 1",
        rests_on=("dial.queried_is_wide",),
    ),
    _dial(
        "theorem.regular",
        "The paper's upper bounds for regular intervals hold for the dial at rho, with gap/(1 + rho) for half "
        "a gap and rho/(1 + rho) of the smallest gap for half of it.",
        r"D_a = \Delta_a / (1 + \rho), \quad D_{a^*} = \rho \Delta_{\min} / (1 + \rho)",
        "regular intervals",
        NONNEGATIVE,
        RHO,
        "a unique optimal arm, where the smallest gap is used",
        rests_on=(
            "dial.cap",
            "dial.width.suboptimal",
            "dial.width.several_optima",
            "dial.width.optimal",
            "dial.unqueried_is_near_optimal",
            "regret.decomposes",
            "tape.same_law",
        ),
    ),
    _dial(
        "theorem.regret",
        "The regret of the dial at rho is at most the sum over suboptimal arms of 6 (1 + rho)^2 ln T / gap "
        "plus gap times the number of rounds with epsilon(t) at or above the gap, plus 2 K times the largest "
        "gap.",
        r"R_T \le \sum_a \frac{6 (1 + \rho)^2 \ln T}{\Delta_a} + \Delta_a L_\epsilon(T, \Delta_a) + 2K \Delta_{\max}",
        HOEFFDING,
        OBLIVIOUS,
        LAWS,
        RHO,
        rests_on=("dial.theorem.regular", "regular.hoeffding"),
    ),
    _dial(
        "theorem.queries",
        "For rho > 0 the expected queries of the dial at rho are at most the sum over suboptimal arms of 6 (1 "
        "+ rho)^2 ln T / gap^2, plus 6 (1 + 1/rho)^2 ln T / the smallest gap squared, plus 2K.",
        r"B^q_T \le \sum_a \frac{6 (1 + \rho)^2 \ln T}{\Delta_a^2} + \frac{6 (1 + 1/\rho)^2 \ln T}{\Delta_{\min}^2} + 2K",
        HOEFFDING,
        OBLIVIOUS,
        LAWS,
        UNIQUE,
        rests_on=("dial.theorem.regular", "regular.hoeffding"),
    ),
    _dial(
        "theorem.sharper",
        "The bounds of the dial at rho hold with the smaller of gap and (gap + epsilon(t))/(1 + rho) as the "
        "width that queries of a suboptimal arm need.",
        r"\min\{\Delta_a, (\Delta_a + \epsilon(t)) / (1 + \rho)\}",
        HOEFFDING,
        OBLIVIOUS,
        LAWS,
        RHO,
        rests_on=("dial.width.suboptimal", "dial.theorem.regular"),
    ),
    _dial(
        "theorem.independent",
        "Whatever the gaps, the regret of the dial at rho is at most 2 (1 + rho) sqrt(6 K T ln T), plus the "
        "sum of epsilon(t) over t > K, plus 2 K times the largest gap.",
        r"R_T \le 2 (1 + \rho) \sqrt{6 K T \ln T} + \sum_{t > K} \epsilon(t) + 2K \Delta_{\max}",
        HOEFFDING,
        OBLIVIOUS,
        LAWS,
        RHO,
        rests_on=("dial.theorem.regret",),
    ),
    _dial(
        "theorem.costs",
        "The dial's bounds on expected queries hold, weighted with the costs, when a query of arm a has its "
        "own nonnegative cost.",
        r"\sum_a c_a E[n^q_T(a)]",
        HOEFFDING,
        OBLIVIOUS,
        LAWS,
        RHO,
        rests_on=("dial.theorem.regular", "costs.arm_dependent"),
    ),
    _dial(
        "theorem.bernstein",
        "The paper's upper bounds for Bernstein's intervals hold for the dial at rho, with gap/(1 + rho) for "
        "half a gap and rho/(1 + rho) of the smallest gap for half of it.",
        r"D_a = \Delta_a / (1 + \rho), \quad D_{a^*} = \rho \Delta_{\min} / (1 + \rho)",
        "Bernstein's intervals",
        OBLIVIOUS,
        LAWS,
        RHO,
        rests_on=("dial.theorem.regular", "regular.bernstein"),
    ),
    _dial(
        "best_position",
        "A (1 + rho)^2 + B (1 + 1/rho)^2, the form of the dial's bounds, is least over (0, 1] at the smaller "
        "of 1 and (B/A)^(1/3); for queries alone and equal gaps that is (K - 1)^(-1/3).",
        r"\rho = \min\{1, (B/A)^{1/3}\}",
        "A, B > 0",
        rests_on=("dial.theorem.queries",),
    ),
    _sharp(
        "regret",
        "BuFALU's regret is at most 2 K times the largest gap plus, for each suboptimal arm, gap times (N(gap - 2 "
        "delta) + L(gap) + 2/delta^2 + 1/(2 delta^4)), where the paper has N(gap/2). N(d) is the largest min{6 ln "
        "t / max{d, epsilon(t)}^2, t - 1} over t <= T, and L(d) counts the rounds with epsilon(t) >= d.",
        r"R_T \le \sum_a \Delta_a \Bigl(\bar N(T, \Delta_a - 2\delta) + L_\epsilon(T, \Delta_a) + \frac{2}{\delta^2} + "
        r"\frac{1}{2\delta^4}\Bigr) + 2K \Delta_{\max}",
        rests_on=("theorem.unique.regret", "regular.hoeffding.two_sided_tail"),
    ),
    _sharp(
        "queries",
        "BuFALU's expected queries are at most 2 K plus, for each suboptimal arm, N(gap - 2 delta) + 2/delta^2 + "
        "1/(2 delta^4), plus N(m - 2 delta) + 1/delta^2 + (K - 1) (1/delta^2 + 1/(2 delta^4)), where m is the "
        "smallest gap. N(d) is the largest min{6 ln t / max{d, epsilon(t)}^2, t - 1} over t <= T.",
        r"B^q_T \le \sum_a \Bigl(\bar N(T, \Delta_a - 2\delta) + \frac{2}{\delta^2} + \frac{1}{2\delta^4}\Bigr) + "
        r"\bar N(T, \Delta_{\min} - 2\delta) + \frac{1}{\delta^2} + (K - 1) \Bigl(\frac{1}{\delta^2} + "
        r"\frac{1}{2\delta^4}\Bigr) + 2K",
        rests_on=("theorem.unique.queries", "regular.hoeffding.two_sided_tail"),
    ),
    _sharp(
        "closed_form",
        "BuFALU's expected queries are at most 6 ln T / (m - 2 delta)^2 + C plus, for each suboptimal arm, 6 ln T / (gap - 2 "
        "delta)^2, where m is the smallest gap and C does not depend on T. So the leading constant is 6, where the paper's "
        "theorem has 24. The bound on the regret has gap times each arm's number, plus gap times L, which counts the rounds "
        "with epsilon(t) >= gap.",
        r"B^q_T \le \sum_a \frac{6 \ln T}{(\Delta_a - 2\delta)^2} + \frac{6 \ln T}{(\Delta_{\min} - 2\delta)^2} + "
        r"O(\delta^{-4})",
        "2 delta is below the smallest gap",
        rests_on=("sharp.regret", "sharp.queries", "regular.hoeffding.closed_form"),
    ),
    _loglog(
        "regular",
        "The intervals mean +- sqrt(g(t)/(2n)) are regular: more than min{2 g(t)/mu^2, t - 1} queries make them "
        "narrower than mu. The probabilities that some mean lies outside its interval sum to at most K times the "
        "sum over 2 <= t <= T of min{1, 2 sqrt(e) D e^-g(t)}. That is at most 8 K, whatever the horizon, and its "
        "part after a round s >= 3 is at most K (r(s) - r(T)).",
        r"\sum_t P(\bar G_t) \le K \sum_{t=2}^T \min\{1, 2 \sqrt{e} D_t e^{-g(t)}\} \le 8K",
        "D is the whole part of sqrt(2 g(t)) ln(t-1)/4, and one more",
        "r(t) = 96/25 (ln t)^(-1/2) + 9/5 (ln t)^-2",
        rests_on=("tape.same_law",),
    ),
    _loglog(
        "theorem",
        "The upper bounds of the main text hold for BuFALU with the intervals mean +- sqrt(g(t)/(2n)), with 2 "
        "g(t)/mu^2 for 6 ln t/mu^2, and K plus at most 8 K for 3 K. They are the cap, those for several optimal "
        "arms and for a unique one, the sharper form, and what does not depend on the gaps. In closed form the "
        "regret of an arm has 8 g(T)/gap for 24 ln T/gap.",
        r"\bar N(T, \mu) \le \frac{2 (\ln T + 3 \ln\ln T)}{\mu^2}",
        OBLIVIOUS,
        rests_on=("kl_ucb.regular", "theorem.unique.regret", "theorem.unique.queries"),
    ),
    _loglog(
        "theorem.dial",
        "The upper bounds with the intervals mean +- sqrt(g(t)/(2n)) hold for the dial at every rho >= 0. They "
        "have gap/(1 + rho) for half a gap, and rho/(1 + rho) of the smallest gap for half of it.",
        r"D_a = \Delta_a / (1 + \rho), \quad D_{a^*} = \rho \Delta_{\min} / (1 + \rho)",
        OBLIVIOUS,
        rests_on=("kl_ucb.regular", "dial.theorem.regular"),
    ),
)
