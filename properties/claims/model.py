"""Claims of ours that join both halves of the paper: the algorithms of the upper bounds as strategies of the lower ones."""

from __future__ import annotations

from bufalu.properties.claims.beyond import HOEFFDING, UNIQUE
from bufalu.properties.claims.claim import Claim, OurClaims, Subject
from bufalu.properties.claims.pairs import KAPPA

LAWS = "reward laws of finite support on [0, 1]"
EPSILON = "epsilon is nonnegative and fixed in advance"
VANISHING = "epsilon(t) tends to 0"
BERNOULLI = "Bernoulli arms"
PAGE = "docs/proofs.md"

_any_strategy = OurClaims("model", PAGE, Subject.NEITHER, ("reward laws of finite support",))
_bufalu = OurClaims("model", PAGE, Subject.HOEFFDING, (HOEFFDING, EPSILON))
_dial = OurClaims("model", PAGE, Subject.OTHER_POLICIES, (HOEFFDING, EPSILON, LAWS, "rho >= 0"))
_pairs = OurClaims("model", PAGE, Subject.OTHER_POLICIES, (KAPPA, EPSILON, LAWS))

CLAIMS: tuple[Claim, ...] = (
    _any_strategy(
        "same_law",
        "Every strategy of the lower bounds can be run on the table of rewards of the upper bounds, and the expectation of "
        "any function of its history is the same in both models.",
        r"E_{X}[f(\text{run on } X)] = E_\nu[f(I_T)]",
        "rewards in [0, 1]",
        rests_on=("tape.same_law",),
    ),
    _any_strategy(
        "private_randomness",
        "Whatever private randomness a strategy decides by, one that draws one of the 2K actions, from their conditional "
        "law given the arms and the rewards seen, shows histories of the same law: so the lower bounds, proved for private "
        "seeds of finite support, hold for all strategies.",
        r"P(a_{t+1}, q_{t+1} \mid a_1, q_1, R_1 q_1, \ldots, R_t q_t)",
    ),
    _bufalu(
        "bufalu_is_a_strategy",
        "There is a strategy in the sense of the lower bounds that decides as BuFALU, and BuFALU's run on the table of "
        "rewards has the law of that strategy's history.",
        r"E_{X}[f(\mathrm{BuFALU} \text{ on } X)] = E_\nu[f(I_T)]",
        LAWS,
        rests_on=("model.same_law", "algorithm.maximisers"),
    ),
    _dial(
        "dial_is_a_strategy",
        "There is a strategy in the sense of the lower bounds that decides as the dial, and the dial's run on the table of "
        "rewards has the law of that strategy's history.",
        r"E_{X}[f(\text{dial on } X)] = E_\nu[f(I_T)]",
        rests_on=("model.same_law", "algorithm.maximisers"),
    ),
    _pairs(
        "pairs_is_a_strategy",
        "There is a strategy in the sense of the lower bounds that decides as the pair rule. The rule's upper bounds draw "
        "one reward of every arm in each round, and its run on these draws has the law of that strategy's history.",
        r"E_{X}[f(\text{pair rule on } X)] = E_\nu[f(I_T)]",
    ),
    _bufalu(
        "bufalu_is_consistent",
        "BuFALU is consistent, with any tie-break, a random one included: it plays a suboptimal arm in expectation "
        "fewer than T^alpha times, for every alpha > 0 and all large T. So the paper's lower bounds speak about it.",
        r"E_\nu[n_T(a)] = o(T^\alpha), \quad a \notin A_*, \ \alpha \in (0, 1]",
        LAWS,
        VANISHING,
        rests_on=("model.same_law", "theorem.unique.regret", "consistency.definition.corrected"),
    ),
    _bufalu(
        "uniform_share",
        "With two or more arms BuFALU is not better-than-uniform, since it begins with arm 1, optimal or not; but on every "
        "instance the optimal arms have at least their uniform share of its expected plays for all large T.",
        r"\sum_{a \in A_*} E_\nu[n_T(a)] \ge \frac{|A_*|}{K} T, \quad T \ge T_0(\nu)",
        LAWS,
        VANISHING,
        rests_on=("model.bufalu_is_consistent", "lower.optimal_share_tends_to_one"),
    ),
    _dial(
        "dial_is_consistent",
        "The dial is consistent, with any tie-break, a random one included: it plays a suboptimal arm in expectation "
        "fewer than T^alpha times, for every alpha > 0 and all large T.",
        r"E_\nu[n_T(a)] = o(T^\alpha), \quad a \notin A_*, \ \alpha \in (0, 1]",
        VANISHING,
        rests_on=("model.same_law", "dial.theorem.regret", "consistency.definition.corrected"),
    ),
    _pairs(
        "pairs_is_consistent",
        "The pair rule is consistent, with any tie-break, a random one included: it plays a suboptimal arm in expectation "
        "fewer than T^alpha times, for every alpha > 0 and all large T. So the paper's lower bounds speak about it.",
        r"E_\nu[n_T(a)] = o(T^\alpha), \quad a \notin A_*, \ \alpha \in (0, 1]",
        VANISHING,
        rests_on=("pairs.theorem.closed_form", "consistency.definition.corrected"),
    ),
    _bufalu(
        "sandwich",
        "BuFALU's queries lie between both halves of the paper. It queries a suboptimal arm at least about ln T / "
        "kl(its mean, the best mean) times, for large T, and at most 6 ln T / (gap - 2 delta)^2 + C times. The "
        "optimal arm it queries at least about ln T / kl(the best mean, any other mean) times, for large T, and "
        "at most 6 ln T / (m - 2 delta)^2 + C' times. C and C' do not depend on T.",
        r"\frac{\ln T}{kl(\mu_a, \mu^*)} (1 - o(1)) \le E[n^q_T(a)] \le \frac{6 \ln T}{(\Delta_a - 2\delta)^2} + C",
        VANISHING,
        BERNOULLI,
        UNIQUE,
        "m is the smallest gap, and 0 < 2 delta < m",
        rests_on=(
            "model.bufalu_is_consistent",
            "lower.suboptimal_arms",
            "lower.unique_optimal_arm",
            "sharp.closed_form",
        ),
    ),
    _pairs(
        "pairs_sandwich",
        "The pair rule's queries lie between both halves, for large T. It queries a suboptimal arm at least about ln T / "
        "kl(its mean, the best mean) times, and at most (1 + eta) (1 + 1/kappa) ln T / (2 gap^2) times. The optimal arm it "
        "queries at least about ln T / kl(the best mean, any other mean) times, and at most (1 + eta) (1 + kappa) ln T / "
        "(2 m^2) times.",
        r"\frac{\ln T}{kl(\mu_a, \mu^*)} (1 - o(1)) \le E[n^q_T(a)] \le (1 + o(1)) \frac{(1 + 1/\kappa) \ln T}{2 \Delta_a^2}",
        VANISHING,
        BERNOULLI,
        UNIQUE,
        "m is the smallest gap, and eta > 0",
        rests_on=(
            "model.pairs_is_consistent",
            "lower.suboptimal_arms",
            "lower.unique_optimal_arm",
            "pairs.sharp.long_run",
        ),
    ),
    _bufalu(
        "sandwich_several_optima",
        "With several optimal arms BuFALU queries each of them more than every multiple of ln T times, for large T, and at "
        "most max over t <= T of N(t, epsilon(t)), plus 1, where N(t, d) is min{6 ln t / d^2, t - 1}.",
        r"C \ln T \le E[n^q_T(a)] \le \max_{t \le T} N(t, \epsilon(t)) + 1, \quad a \in A_*",
        VANISHING,
        BERNOULLI,
        "at least two optimal arms, of mean strictly between 0 and 1",
        rests_on=("model.bufalu_is_consistent", "summary.several_optima", "cap.almost_sure"),
    ),
)
