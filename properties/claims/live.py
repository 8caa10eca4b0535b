"""Claims of ours about BuFALU in a deployment: late and lost answers, rewards in any range, samples from before."""

from __future__ import annotations

from bufalu.properties.claims.claim import Claim, OurClaims, Subject

BLIND = "which answers come, when and in which order is drawn independently of the rewards, and no answer comes twice"
WAITING = "at most D answers of an arm are waiting in any round, the lost ones apart"
WIDE_ROUNDS = "for an arm, L counts the rounds with epsilon(t) at or above its gap"
SETTING = (
    "reward laws on [lo, hi]",
    "Hoeffding's intervals, stretched by hi - lo, from the answers known by then",
    "epsilon is nonnegative, fixed in advance, and in the unit of the rewards",
    BLIND,
    WAITING,
)


_live = OurClaims("live", "docs/live.md", Subject.DEPLOYMENT)

CLAIMS: tuple[Claim, ...] = (
    _live(
        "answers",
        "Late, reordered and lost answers do no harm to the law of what is known: the answers of an arm, in the order in "
        "which they come, are independent rewards of its law.",
        r"(Y_a(1), Y_a(2), \dots) \sim \nu_a^{\infty}",
        "reward laws on [0, 1]",
        BLIND,
        rests_on=(),
    ),
    _live(
        "cap",
        "On every path BuFALU queries an arm at most N + D + lost + 1 times. N is the number of queries that the "
        "paper's bound allows an arm, less its samples from before the first round, but not below 0. D is how "
        "many of its answers can be waiting at once, and lost is how many never come.",
        r"n^q_T(a) \le \max\{0, \max_t N(t, \epsilon(t)) - s_a\} + D + m_a + 1",
        WAITING,
        "more than N(t, mu) answers make an interval narrower than mu",
        rests_on=("gap_query.queried_is_wide", "cap.almost_sure"),
    ),
    _live(
        "regret",
        "BuFALU's expected regret is at most 2 K times the largest gap plus, for each suboptimal arm, gap times "
        "(N + D + L + the expected number of its answers that never come). N is the number of queries that the "
        "paper's bound allows the arm: at half its gap, with several optimal arms at its gap.",
        r"R_T \le \sum_a \Delta_a (\bar N_a(\Delta_a / 2) + D + L_\epsilon(T, \Delta_a) + E[m_a]) + 2K \Delta_{\max}",
        *SETTING,
        WIDE_ROUNDS,
        rests_on=("live.answers", "theorem.unique.regret", "theorem.multiple.regret"),
    ),
    _live(
        "queries",
        "BuFALU's expected queries are at most 2 K plus, for each arm, N + D + the expected number of its answers "
        "that never come. N is the number of queries that the paper's bound allows the arm: at half its gap, for "
        "a unique optimal arm at half the smallest gap, with several optimal arms at the gap, which is 0 for "
        "these.",
        r"B^q_T \le \sum_a (\bar N_a + D + E[m_a]) + 2K",
        *SETTING,
        rests_on=("live.answers", "theorem.unique.queries", "theorem.multiple.queries"),
    ),
    _live(
        "closed_form",
        "Let every answer come, and nothing be known before the first round. BuFALU's expected regret is at most "
        "2 K times the largest gap plus, for each suboptimal arm, c ln T/gap + gap (L + D). With a unique optimal "
        "arm its expected queries are at most K D + 2 K + c ln T/m^2 plus, for each other arm, c ln T/gap^2.",
        r"R_T \le \sum_a \frac{24 (hi - lo)^2 \ln T}{\Delta_a} + \Delta_a (L_\epsilon(T, \Delta_a) + D) + 2K \Delta_{\max}",
        *SETTING,
        WIDE_ROUNDS,
        "c = 24 (hi - lo)^2, and m is the smallest gap",
        rests_on=("live.regret", "live.queries"),
    ),
    _live(
        "lost",
        "If a share of at most p < 1 of the queries of each arm is lost, in expectation, then regret and queries are at most "
        "1/(1 - p) times their bounds without losses.",
        r"E[m_a] \le p E[n^q_T(a)] \Rightarrow R_T \le \frac{1}{1 - p} (\dots)",
        *SETTING,
        rests_on=("live.regret", "live.queries", "regret.decomposes"),
    ),
    _live(
        "range",
        "Rewards in [lo, hi] may be scaled to [0, 1] with epsilon divided by hi - lo: BuFALU admits the same decisions. In "
        "the bounds 6 ln t / level^2 becomes 6 (hi - lo)^2 ln t / level^2, with gaps and epsilon in the unit of the rewards.",
        r"N(t, \mu) = 6 (hi - lo)^2 \ln t / \mu^2",
        *SETTING,
        rests_on=("algorithm.maximisers", "live.regret", "live.queries"),
    ),
    _live(
        "warm_start",
        "Samples of an arm from before the first round, independent and of the same law, are taken off the number "
        "of queries that the bounds on regret and queries allow the arm, down to 0 at least; the overhead 2K "
        "becomes 4K.",
        r"\bar N_a \to \max\{0, \bar N_a - s_a\}, \quad 2K \to 4K",
        *SETTING,
        rests_on=("live.answers", "live.regret", "live.queries"),
    ),
)
