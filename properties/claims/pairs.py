"""Claims of ours about the pair rule, which compares the leader with each other arm (docs/pairs.md)."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, OurClaims, Subject
from bufalu.properties.claims.live import WIDE_ROUNDS

KAPPA = "kappa >= 1 and s > 0 are the rule's constants"
SETTING = (
    KAPPA,
    "rewards in [0, 1], drawn independently from round to round",
    "epsilon is nonnegative and fixed in advance",
    "tie-breaks depend on the past alone",
)
UNIQUE = "a unique optimal arm"
SHIFT = "s' = s (1 + kappa^2)/(1 + kappa)"
DIGITS = "b(t) is the number of binary digits of t"
LOG = f"F = ln(t b(t)) + ln((t - 1 + s)/s), where {DIGITS}"
RADIUS = (
    "the radius of two arms with n and n' queries is sqrt(f/2 ((n + s)/n^2 + (n' + s)/n'^2)), where f = ln(t b(t)) + "
    f"1/2 ln((n + s) (n' + s)/s^2) and {DIGITS}"
)
SHORT_OF_THE_GAP = "no empirical difference to another arm falls short of the gap by more than the radius"
NONNEGATIVE = "epsilon is nonnegative"
GOOD_PAIRS = (f"for one optimal arm, {SHORT_OF_THE_GAP}", RADIUS)
QUERIED = (KAPPA, NONNEGATIVE, "every arm has been queried", LOG)
AT_THE_LARGEST = (LOG, SHIFT, "N is taken at the round t where it is largest, and is t - 1 there at most")
LEVEL = "l is the larger of epsilon(t) and the arm's gap"
FAILURES = "C is K - 1 times the sum of 1/(t b(t)) over the rounds"
SHARP = (
    *SETTING,
    UNIQUE,
    "m is at most every other gap, and 0 < 2 delta < m",
    "R = 3/2 (1 + 1/m)^2 (1 + kappa^2) (1 + s), and c = 1/delta^2 + (K - 1) R/delta^2 (1 + 1/(2 delta^2))",
    f"f = ln(t b(t)) + ln((4 M + s)/s) for a whole number M >= 1, where {DIGITS}",
    "R ln T <= 2 delta^2 M, and f ((1 + kappa) M + (1 + kappa^2) s)/(2 M^2) < (m - 2 delta)^2 at t = T",
)
SHARP_ROUNDS = (
    "N is taken at the round t where it is largest, and is t - 1 there at most",
    "D is K - 1 times the sum of 1/(t b(t)) over the rounds, plus K (2 + 1/delta^2)",
)


_pairs = OurClaims("pairs", "docs/pairs.md", Subject.OTHER_POLICIES)

CLAIMS: tuple[Claim, ...] = (
    _pairs(
        "supermartingale",
        "The worth of n rewards is sqrt(s/(n + s)) exp(2 S^2/(n + s)), where S is their sum less n times their mean. "
        "It does not grow in expectation with one reward more.",
        r"E[M(n + 1, S + X - \mu)] \le M(n, S), \quad M(n, S) = \sqrt{s / (n + s)}\, e^{2 S^2 / (n + s)}",
        "X in [0, 1] has mean mu",
        "s > 0",
    ),
    _pairs(
        "worth_of_two_arms",
        "After any number of rounds the product of the worths of two arms is at least x with probability at most 1/x,"
        " for every strategy that decides by the past. The worth of n rewards is sqrt(s/(n + s)) exp(2 S^2/(n + s)), "
        "where S is their sum less n times their mean.",
        r"P(M_a M_c \ge x) \le 1 / x",
        "rewards in [0, 1], drawn independently from round to round",
        "s > 0",
        rests_on=("pairs.supermartingale",),
    ),
    _pairs(
        "good_event",
        "In a round t > K no empirical difference between a given optimal arm and another falls short of the gap by "
        "more than their radius, with probability at least 1 - (K - 1)/(t b(t)).",
        r"P(\exists a: m_* - m_a < \Delta_a - r_t(a, *)) \le \frac{K - 1}{t\, b(t)}",
        *SETTING,
        RADIUS,
        rests_on=("pairs.worth_of_two_arms",),
    ),
    _pairs(
        "failures",
        "The sum of 1/(t b(t)) over the rounds 1..T is at most the harmonic number of b(T), the number of "
        "binary digits of T.",
        r"\sum_{t \le T} \frac{1}{t\, b(t)} \le H_{b(T)}",
    ),
    _pairs(
        "unqueried_is_near_optimal",
        "An arm that the pair rule plays without a query has a gap of at most epsilon.",
        r"q_t = 0 \Rightarrow \Delta_{a_t} \le \epsilon(t)",
        NONNEGATIVE,
        *GOOD_PAIRS,
    ),
    _pairs(
        "queried_is_thin",
        "If the pair rule queries an arm of n queries, epsilon^2 is at most F V/2 or at most F W/2. V is ((1 + kappa)"
        " n + (1 + kappa^2) s)/n^2, and W is (1 + 1/kappa) (n + s)/n^2.",
        r"\epsilon^2 \le \frac{F_t}{2} \frac{(1 + \kappa) n + (1 + \kappa^2) s}{n^2} \text{ or } "
        r"\epsilon^2 \le \frac{F_t}{2} (1 + 1/\kappa) \frac{n + s}{n^2}",
        *QUERIED,
    ),
    _pairs(
        "thin.suboptimal",
        "If the pair rule queries a suboptimal arm of n queries, the square of its gap is at most F V/2 or at most 2 "
        "F W. V is ((1 + kappa) n + (1 + kappa^2) s)/n^2, and W is (1 + 1/kappa) (n + s)/n^2.",
        r"\Delta_a^2 \le \frac{F_t}{2} \frac{(1 + \kappa) n + (1 + \kappa^2) s}{n^2} \text{ or } "
        r"\Delta_a^2 \le 2 F_t (1 + 1/\kappa) \frac{n + s}{n^2}",
        *QUERIED,
        *GOOD_PAIRS,
    ),
    _pairs(
        "thin.optimal",
        "If the pair rule queries the optimal arm, of n queries, the square of the smallest gap is at most 2 F V or "
        "at most F W/2. V is ((1 + kappa) n + (1 + kappa^2) s)/n^2, and W is (1 + 1/kappa) (n + s)/n^2.",
        r"\Delta_{\min}^2 \le 2 F_t \frac{(1 + \kappa) n + (1 + \kappa^2) s}{n^2} \text{ or } "
        r"\Delta_{\min}^2 \le \frac{F_t}{2} (1 + 1/\kappa) \frac{n + s}{n^2}",
        *QUERIED,
        *GOOD_PAIRS,
        UNIQUE,
    ),
    _pairs(
        "thin.several_optima",
        "With several optimal arms, if the pair rule queries a suboptimal arm of n queries, the square of its gap is "
        "at most F V/2 or at most 2 F W. V is ((1 + kappa) n + (1 + kappa^2) s)/n^2, and W is (n + s)/n^2.",
        r"\Delta_a^2 \le \frac{F_t}{2} \frac{(1 + \kappa) n + (1 + \kappa^2) s}{n^2} \text{ or } "
        r"\Delta_a^2 \le 2 F_t \frac{n + s}{n^2}",
        *QUERIED,
        f"for two optimal arms, {SHORT_OF_THE_GAP}",
        RADIUS,
    ),
    _pairs(
        "cap",
        "On every path the pair rule queries no arm more than N + 1 times. N is the larger of (1 + kappa) F/(2 "
        "epsilon^2) + s' and (1 + 1/kappa) F/(2 epsilon^2) + s.",
        r"n^q_T(a) \le \max_t \max\Bigl\{\frac{(1 + \kappa) F_t}{2 \epsilon(t)^2} + s \frac{1 + \kappa^2}{1 + \kappa}, "
        r"\frac{(1 + 1/\kappa) F_t}{2 \epsilon(t)^2} + s\Bigr\} + 1",
        *SETTING,
        *AT_THE_LARGEST,
        rests_on=("pairs.queried_is_thin",),
    ),
    _pairs(
        "theorem.regret",
        "The pair rule's expected regret is at most (K + C) times the largest gap plus, for each suboptimal arm, "
        "gap times (N + L). N is the larger of (1 + kappa) F/(2 l^2) + s' and 2 (1 + 1/kappa) F/l^2 + s.",
        r"R_T \le \sum_a \Delta_a (\bar N(\Delta_a) + L_\epsilon(T, \Delta_a)) + (K + C) \Delta_{\max}",
        *SETTING,
        *AT_THE_LARGEST,
        LEVEL,
        WIDE_ROUNDS,
        FAILURES,
        rests_on=("pairs.thin.suboptimal", "pairs.unqueried_is_near_optimal", "pairs.good_event"),
    ),
    _pairs(
        "theorem.queries",
        "The pair rule's expected queries are at most K + C plus, for each arm, N. For a suboptimal arm N is the "
        "larger of (1 + kappa) F/(2 l^2) + s' and 2 (1 + 1/kappa) F/l^2 + s. For the optimal arm it is the larger "
        "of 2 (1 + kappa) F/l^2 + s' and (1 + 1/kappa) F/(2 l^2) + s.",
        r"B^q_T \le \sum_{a \ne a^*} \bar N(\Delta_a) + \bar N^*(\Delta_{\min}) + K + C",
        *SETTING,
        UNIQUE,
        *AT_THE_LARGEST,
        f"{LEVEL}, for the optimal arm the smallest gap",
        FAILURES,
        rests_on=("pairs.thin.suboptimal", "pairs.thin.optimal", "pairs.good_event"),
    ),
    _pairs(
        "theorem.several_optima",
        "With several optimal arms the pair rule's expected regret is at most (K + 2 C) times the largest gap "
        "plus, for each suboptimal arm, gap times (N + L). Its expected queries are at most K + 2 C plus, for "
        "each arm, N. N is the larger of (1 + kappa) F/(2 l^2) + s' and 2 F/l^2 + s.",
        r"R_T \le \sum_a \Delta_a (\bar N'(\Delta_a) + L_\epsilon(T, \Delta_a)) + (K + 2C) \Delta_{\max}",
        *SETTING,
        "at least two optimal arms",
        *AT_THE_LARGEST,
        LEVEL,
        WIDE_ROUNDS,
        FAILURES,
        rests_on=("pairs.thin.several_optima", "pairs.unqueried_is_near_optimal", "pairs.good_event"),
    ),
    _pairs(
        "theorem.closed_form",
        "The pair rule's expected regret is at most H times the largest gap plus, for each suboptimal arm, gap "
        "times (N + L). With a unique optimal arm its expected queries are at most H + N' plus, for each other "
        "arm, N. N is the larger of (1 + kappa) F/(2 gap^2) + s' and 2 (1 + 1/kappa) F/gap^2 + s. N' is the "
        "larger of 2 (1 + kappa) F/m^2 + s' and (1 + 1/kappa) F/(2 m^2) + s.",
        r"R_T \le \sum_a \max\Bigl\{\frac{2 (1 + 1/\kappa) F_T}{\Delta_a} + s \Delta_a, \dots\Bigr\} "
        r"+ \Delta_a L_\epsilon(T, \Delta_a) + (K + (K - 1) H_{b(T)}) \Delta_{\max}",
        *SETTING,
        f"{LOG}, at t = T",
        SHIFT,
        "m is the smallest gap",
        WIDE_ROUNDS,
        "H is K plus K - 1 times the harmonic number of b(T)",
        rests_on=("pairs.theorem.regret", "pairs.theorem.queries", "pairs.failures"),
    ),
    _pairs(
        "sharp.regret",
        "The pair rule's expected regret is at most (K + D) times the largest gap plus, for each suboptimal arm, "
        "gap times (N + L + c). N is (1 + 1/kappa) f/(2 l^2) + s, where l is the larger of epsilon(t) and gap - 2 "
        "delta.",
        r"R_T \le \sum_a \Delta_a (A(\Delta_a - 2 \delta) + L_\epsilon(T, \Delta_a) + c) + (K + O) \Delta_{\max}",
        *SHARP,
        *SHARP_ROUNDS,
        WIDE_ROUNDS,
        rests_on=("pairs.good_event", "pairs.unqueried_is_near_optimal"),
    ),
    _pairs(
        "sharp.queries",
        "The pair rule's expected queries of an arm are at most N + c + 1 + D, and those of all arms together K + "
        "D plus, for each arm, N + c. For a suboptimal arm N is (1 + 1/kappa) f/(2 l^2) + s, where l is the "
        "larger of epsilon(t) and gap - 2 delta. For the optimal arm N is (1 + kappa) f/(2 l^2) + s', where l is "
        "the larger of epsilon(t) and m - 2 delta.",
        r"E[n^q_T(a)] \le A(\Delta_a - 2 \delta) + c + 1 + O, \quad E[n^q_T(*)] \le B(m - 2 \delta) + c + 1 + O",
        *SHARP,
        *SHARP_ROUNDS,
        SHIFT,
        rests_on=("pairs.good_event",),
    ),
    _pairs(
        "sharp.closed_form",
        "The pair rule's expected queries of an arm are at most N + c + 1 + D. Its expected regret is at most (K "
        "+ D) times the largest gap plus, for each suboptimal arm, gap times (N + L + c). N is (1 + 1/kappa) f/(2 "
        "(gap - 2 delta)^2) + s for a suboptimal arm, and (1 + kappa) f/(2 (m - 2 delta)^2) + s' for the optimal "
        "one.",
        r"E[n^q_T(a)] \le \frac{(1 + 1/\kappa) f_T}{2 (\Delta_a - 2 \delta)^2} + s + c + 1 "
        r"+ (K - 1) H_{b(T)} + K (2 + 1/\delta^2)",
        *SHARP,
        "f is taken at t = T",
        SHIFT,
        WIDE_ROUNDS,
        "D is K - 1 times the harmonic number of b(T), plus K (2 + 1/delta^2)",
        rests_on=("pairs.sharp.regret", "pairs.sharp.queries", "pairs.failures"),
    ),
    _pairs(
        "theorem.independent",
        "Whatever the gaps, the pair rule's expected regret is at most 2 sqrt(A K T F), plus the sum of E over "
        "the rounds after K, plus (K + K D + C) times the largest gap. A is the larger of (1 + kappa)/2 and 2 (1 "
        "+ 1/kappa), and D the larger of s' and s.",
        r"R_T \le 2 \sqrt{A K T F_T} + \sum_{t > K} \min\{\epsilon(t), \Delta_{\max}\} + (K D + K + C) \Delta_{\max}",
        *SETTING,
        f"{LOG}, at t = T",
        SHIFT,
        "E is the smaller of epsilon(t) and the largest gap",
        FAILURES,
        rests_on=("pairs.thin.suboptimal", "pairs.unqueried_is_near_optimal", "pairs.good_event"),
    ),
    _pairs(
        "sharp.long_run",
        "For every eta > 0 and all large T the pair rule's expected queries of a suboptimal arm are at most n = "
        "(1 + eta) (1 + 1/kappa) ln T/(2 gap^2). Those of the optimal arm are at most (1 + eta) (1 + kappa) ln "
        "T/(2 m^2). Its expected regret is at most eta ln T plus, for each suboptimal arm, gap times (n + L).",
        r"\limsup_T \frac{E[n^q_T(a)]}{\ln T} \le \frac{1 + 1/\kappa}{2 \Delta_a^2}, \quad "
        r"\limsup_T \frac{E[n^q_T(*)]}{\ln T} \le \frac{1 + \kappa}{2 m^2}",
        *SETTING,
        UNIQUE,
        "m > 0 is at most every other gap",
        WIDE_ROUNDS,
        "the horizon from which on this holds depends on the means, kappa, s and eta alone",
        rests_on=("pairs.sharp.closed_form",),
    ),
    _pairs(
        "frontier.below",
        "Let n and n' be a consistent strategy's expected queries of an arm of mean p and of the optimal one, of "
        "mean q. For every d in (0, 1) and all large T, d ln T is at most kl(p, x) n + kl(q, x) n' for all x from p to "
        "q at once. So 1/n + 1/n' is at most (q - p)^2/(2 v d ln T).",
        r"\forall x: d \ln T \le kl(p, x)\, n + kl(q, x)\, n', \quad "
        r"\frac{1}{n} + \frac{1}{n'} \le \frac{(q - p)^2}{2 v d \ln T}",
        "Bernoulli arms, of which one is optimal, and p > 0, q < 1",
        "a strategy that is consistent in expectation for all Bernoulli arms",
        "v > 0 is at most p (1 - p) and at most q (1 - q)",
        rests_on=("lower.unique_pair_weighted.corrected",),
    ),
    _pairs(
        "frontier.reached",
        "Let n and n' be the expected queries of the second-best arm and of the optimal one, and D the gap. For "
        "all large T, 1/n + 1/n' is at least 2 D^2/((1 + eta) ln T) for the pair rule, and at most D^2/(2 v (1 - "
        "eta) ln T) for every consistent strategy. With means near 1/2, v is nearly 1/4 and both sides agree: the "
        "rule lies on the frontier.",
        r"\frac{2 \Delta^2}{(1 + \eta) \ln T} \le \frac{1}{n} + \frac{1}{n'} \text{ for the pair rule}, \quad "
        r"\frac{1}{n} + \frac{1}{n'} \le \frac{\Delta^2}{2 v (1 - \eta) \ln T} \text{ for every consistent strategy}",
        "Bernoulli arms, of which one is optimal, with the means of the two arms in (0, 1)",
        "kappa >= 1, s > 0, 0 < eta < 1, and v > 0 is at most both variances",
        "the strategies are consistent in expectation for all Bernoulli arms",
        "the pair rule has any nonnegative epsilon fixed in advance, and tie-breaks that depend on the past alone",
        rests_on=("pairs.frontier.below", "pairs.sharp.long_run"),
    ),
)
