"""Claims of ours about the pair rule, which compares the leader with each other arm (docs/pairs.md)."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, OurClaims, Subject

GOOD_PAIRS = (
    "for one optimal arm, no empirical difference to another arm falls short of the gap by more than the radius"
)
KAPPA = "real kappa >= 1 and s > 0"
SETTING = (
    KAPPA,
    "rewards in [0, 1], drawn independently from round to round",
    "epsilon is nonnegative and fixed in advance",
    "tie-breaks depend on the past alone",
)
UNIQUE = "a unique optimal arm"


_pairs = OurClaims("pairs", "docs/pairs.md", Subject.OTHER_POLICIES)

CLAIMS: tuple[Claim, ...] = (
    _pairs(
        "supermartingale",
        "The worth sqrt(s/(n + s)) exp(2 S^2/(n + s)) of n rewards, S being their sum less n times their mean, does not grow "
        "in expectation with one reward more.",
        r"E[M(n + 1, S + X - \mu)] \le M(n, S), \quad M(n, S) = \sqrt{s / (n + s)}\, e^{2 S^2 / (n + s)}",
        "X in [0, 1] has mean mu",
        "s > 0",
    ),
    _pairs(
        "worth_of_two_arms",
        "After any number of rounds the product of the worths of two arms, sqrt(s/(n + s)) exp(2 S^2/(n + s)) for "
        "n rewards whose sum differs by S from n times the mean, is at least x with probability at most 1/x, for "
        "every strategy that decides by the past.",
        r"P(M_a M_c \ge x) \le 1 / x",
        "rewards in [0, 1], drawn independently from round to round",
        "s > 0",
        rests_on=("pairs.supermartingale",),
    ),
    _pairs(
        "good_event",
        "In a round t > K, with probability at least 1 - (K - 1)/(t b(t)), b(t) being the number of binary digits of t, no "
        "empirical difference between a given optimal arm and another falls short of the gap by more than their radius.",
        r"P(\exists a: m_* - m_a < \Delta_a - r_t(a, *)) \le \frac{K - 1}{t\, b(t)}",
        *SETTING,
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
        GOOD_PAIRS,
    ),
    _pairs(
        "queried_is_thin",
        "If the pair rule queries an arm of n queries in round t, then epsilon^2 is at most F/2 times ((1 + kappa) "
        "n + (1 + kappa^2) s)/n^2, or at most F/2 times (1 + 1/kappa) (n + s)/n^2, with F = ln(t b(t)) + ln((t - 1 "
        "+ s)/s), where b(t) is the number of binary digits of t, and kappa and s are the rule's constants.",
        r"\epsilon^2 \le \frac{F_t}{2} \frac{(1 + \kappa) n + (1 + \kappa^2) s}{n^2} \text{ or } "
        r"\epsilon^2 \le \frac{F_t}{2} (1 + 1/\kappa) \frac{n + s}{n^2}",
        KAPPA,
        "every arm has been queried",
    ),
    _pairs(
        "thin.suboptimal",
        "If the pair rule queries a suboptimal arm of n queries in round t, then gap^2 is at most F/2 times ((1 + "
        "kappa) n + (1 + kappa^2) s)/n^2, or at most 2 F times (1 + 1/kappa) (n + s)/n^2, with F = ln(t b(t)) + "
        "ln((t - 1 + s)/s), where b(t) is the number of binary digits of t, and kappa and s are the rule's "
        "constants.",
        r"\Delta_a^2 \le \frac{F_t}{2} \frac{(1 + \kappa) n + (1 + \kappa^2) s}{n^2} \text{ or } "
        r"\Delta_a^2 \le 2 F_t (1 + 1/\kappa) \frac{n + s}{n^2}",
        KAPPA,
        "every arm has been queried",
        GOOD_PAIRS,
    ),
    _pairs(
        "thin.optimal",
        "If the pair rule queries the unique optimal arm, of n queries, in round t, then the square of the "
        "smallest gap is at most 2 F times ((1 + kappa) n + (1 + kappa^2) s)/n^2, or at most F/2 times (1 + "
        "1/kappa) (n + s)/n^2, with F = ln(t b(t)) + ln((t - 1 + s)/s), where b(t) is the number of binary digits "
        "of t, and kappa and s are the rule's constants.",
        r"\Delta_{\min}^2 \le 2 F_t \frac{(1 + \kappa) n + (1 + \kappa^2) s}{n^2} \text{ or } "
        r"\Delta_{\min}^2 \le \frac{F_t}{2} (1 + 1/\kappa) \frac{n + s}{n^2}",
        KAPPA,
        "every arm has been queried",
        GOOD_PAIRS,
        UNIQUE,
    ),
    _pairs(
        "thin.several_optima",
        "With several optimal arms, if the pair rule queries a suboptimal arm of n queries in round t, then gap^2 "
        "is at most F/2 times ((1 + kappa) n + (1 + kappa^2) s)/n^2, or at most 2 F (n + s)/n^2, with F = ln(t "
        "b(t)) + ln((t - 1 + s)/s), where b(t) is the number of binary digits of t, and kappa and s are the rule's "
        "constants.",
        r"\Delta_a^2 \le \frac{F_t}{2} \frac{(1 + \kappa) n + (1 + \kappa^2) s}{n^2} \text{ or } "
        r"\Delta_a^2 \le 2 F_t \frac{n + s}{n^2}",
        KAPPA,
        "every arm has been queried",
        "for two optimal arms, no empirical difference to another arm falls short of the gap by more than the radius",
    ),
    _pairs(
        "cap",
        "On every path the pair rule queries no arm more than N-bar + 1 times, where N-bar is the largest over the "
        "rounds of the larger of (1 + kappa) F/(2 epsilon^2) + s (1 + kappa^2)/(1 + kappa) and (1 + 1/kappa) F/(2 "
        "epsilon^2) + s, t - 1 at most, with F = ln(t b(t)) + ln((t - 1 + s)/s), where b(t) is the number of "
        "binary digits of t, and kappa and s are the rule's constants.",
        r"n^q_T(a) \le \max_t \max\Bigl\{\frac{(1 + \kappa) F_t}{2 \epsilon(t)^2} + s \frac{1 + \kappa^2}{1 + \kappa}, "
        r"\frac{(1 + 1/\kappa) F_t}{2 \epsilon(t)^2} + s\Bigr\} + 1",
        *SETTING,
        rests_on=("pairs.queried_is_thin",),
    ),
    _pairs(
        "theorem.regret",
        "The pair rule's expected regret is at most the sum over suboptimal arms of gap times (N + L), plus K + C "
        "times the largest gap. N is the largest over the rounds of the larger of (1 + kappa) F/(2 l^2) + s (1 + "
        "kappa^2)/(1 + kappa) and 2 (1 + 1/kappa) F/l^2 + s, where l is the larger of gap and epsilon, F = ln(t "
        "b(t)) + ln((t - 1 + s)/s), b(t) is the number of binary digits of t, C is K - 1 times the sum of 1/(t "
        "b(t)), and kappa and s are the rule's constants; L counts the rounds with epsilon(t) at or above the gap.",
        r"R_T \le \sum_a \Delta_a (\bar N(\Delta_a) + L_\epsilon(T, \Delta_a)) + (K + C) \Delta_{\max}",
        *SETTING,
        rests_on=("pairs.thin.suboptimal", "pairs.unqueried_is_near_optimal", "pairs.good_event"),
    ),
    _pairs(
        "theorem.queries",
        "The pair rule's expected queries are at most the sum over suboptimal arms of the number that its regret "
        "bound allows them, plus N for the optimal arm, plus K + C. N is the largest over the rounds of the larger "
        "of 2 (1 + kappa) F/l^2 + s (1 + kappa^2)/(1 + kappa) and (1 + 1/kappa) F/(2 l^2) + s, where l is the "
        "larger of the smallest gap and epsilon, F = ln(t b(t)) + ln((t - 1 + s)/s), b(t) is the number of binary "
        "digits of t, C is K - 1 times the sum of 1/(t b(t)), and kappa and s are the rule's constants.",
        r"B^q_T \le \sum_{a \ne a^*} \bar N(\Delta_a) + \bar N^*(\Delta_{\min}) + K + C",
        *SETTING,
        UNIQUE,
        rests_on=("pairs.thin.suboptimal", "pairs.thin.optimal", "pairs.good_event"),
    ),
    _pairs(
        "theorem.several_optima",
        "With several optimal arms the bounds on the pair rule's expected regret and queries allow an arm the "
        "largest over the rounds of the larger of (1 + kappa) F/(2 l^2) + s (1 + kappa^2)/(1 + kappa) and 2 F/l^2 "
        "+ s queries, with the overhead K + 2 C: l is the larger of gap and epsilon, F = ln(t b(t)) + ln((t - 1 + "
        "s)/s), b(t) is the number of binary digits of t, C is K - 1 times the sum of 1/(t b(t)), and kappa and s "
        "are the rule's constants.",
        r"R_T \le \sum_a \Delta_a (\bar N'(\Delta_a) + L_\epsilon(T, \Delta_a)) + (K + 2C) \Delta_{\max}",
        *SETTING,
        "at least two optimal arms",
        rests_on=("pairs.thin.several_optima", "pairs.unqueried_is_near_optimal", "pairs.good_event"),
    ),
    _pairs(
        "theorem.closed_form",
        "In closed form a suboptimal arm costs the pair rule in regret gap times the larger of (1 + kappa) F/(2 "
        "gap^2) + s (1 + kappa^2)/(1 + kappa) and 2 (1 + 1/kappa) F/gap^2 + s, and gap times the number of rounds "
        "with epsilon(t) at or above the gap, with F = ln(T b(T)) + ln((T - 1 + s)/s); the first number bounds its "
        "queries, and the larger of 2 (1 + kappa) F/smallest gap^2 + s (1 + kappa^2)/(1 + kappa) and (1 + 1/kappa) "
        "F/(2 smallest gap^2) + s those of a unique optimal arm; K plus K - 1 times the harmonic number of b(T) is "
        "added, times the largest gap for the regret. b(T) is the number of binary digits of T, and kappa and s "
        "are the rule's constants.",
        r"R_T \le \sum_a \max\Bigl\{\frac{2 (1 + 1/\kappa) F_T}{\Delta_a} + s \Delta_a, \dots\Bigr\} "
        r"+ \Delta_a L_\epsilon(T, \Delta_a) + (K + (K - 1) H_{b(T)}) \Delta_{\max}",
        *SETTING,
        rests_on=("pairs.theorem.regret", "pairs.theorem.queries", "pairs.failures"),
    ),
)
