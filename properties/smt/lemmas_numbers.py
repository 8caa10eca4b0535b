"""Lemmas about numbers: widths, roots, minima, costs.

Square roots enter as symbols with their defining equations and logarithms as free symbols, so that a lemma holds for
every value they can take; quotients are multiplied out.
"""

from __future__ import annotations

from fractions import Fraction

from bufalu.properties.smt.lemma import Hypothesis, Lemma
from bufalu.properties.smt.terms import RealFunction, arm, for_all, number, real

LOG = real("log_round")
COUNT = real("queries")
HALF_WIDTH, WIDTH, LEVEL, EPSILON = real("half_width"), real("width"), real("level"), real("epsilon")
LOWER, UPPER, EMPIRICAL_MEAN = real("lower_end"), real("upper_end"), real("empirical_mean")

_POSITIVE_LOG = Hypothesis("ln t is positive", LOG > 0, (("ln t is not negative", LOG >= 0),))
_POSITIVE_COUNT = Hypothesis("the arm was queried", COUNT > 0)
_POSITIVE_LEVEL = Hypothesis("the level is positive", LEVEL > 0)
_WIDTH_IS_HOEFFDING = (
    Hypothesis("the width is not negative", WIDTH >= 0),
    Hypothesis("the width is sqrt(6 ln t / n)", (WIDTH * WIDTH * COUNT).equals(6 * LOG)),
)

HOEFFDING_WIDTH = Lemma(
    name="the hoeffding width is the root of six log over count",
    claims=("interval.hoeffding_width",),
    lines="l.374, l.1144",
    says="With half width sqrt(3 ln t / (2 n)), CI^2 n = 6 ln t and CI >= 0.",
    hypotheses=(
        Hypothesis("the half width is not negative", HALF_WIDTH >= 0),
        Hypothesis("the half width is sqrt(3 ln t / (2 n))", (2 * (HALF_WIDTH * HALF_WIDTH) * COUNT).equals(3 * LOG)),
        Hypothesis("the upper end is the mean plus it", UPPER.equals(EMPIRICAL_MEAN + HALF_WIDTH)),
        Hypothesis("the lower end is the mean minus it", LOWER.equals(EMPIRICAL_MEAN - HALF_WIDTH)),
    ),
    conclusion=((UPPER - LOWER) * (UPPER - LOWER) * COUNT).equals(6 * LOG) & (UPPER - LOWER >= 0),
    logic="QF_NRA",
)

HOEFFDING_ENOUGH = Lemma(
    name="more than six log over level squared queries make the hoeffding width smaller than the level",
    claims=("regular.hoeffding.queries_shrink_width", "n_bar.samples_for_width"),
    lines="l.1139, l.1169-1174 (conditions 4 and 5)",
    says="For mu > 0: n > 6 ln t / mu^2 exactly when CI < mu.",
    hypotheses=(_POSITIVE_COUNT, _POSITIVE_LEVEL, *_WIDTH_IS_HOEFFDING),
    conclusion=(COUNT * LEVEL * LEVEL > 6 * LOG).iff(WIDTH < LEVEL),
    logic="QF_NRA",
)

ARMS, BUDGET, ROUND = real("number_of_arms"), real("budget"), real("round")

CBM_QUERIES_BELOW_ITS_SHARE = Lemma(
    name="cbm queries exactly while the played arm has fewer queries than its share of the budget",
    claims=("cbm.wastes",),
    lines="l.281, l.1397-1414",
    says=(
        "With Hoeffding widths and epsilon = sqrt(6 K ln t / B), CI > epsilon exactly when K n < B. Hence B(t) > K (t "
        "- K) makes CBM query every round: after the initial rounds no arm has more than t - K queries."
    ),
    hypotheses=(
        _POSITIVE_LOG,
        _POSITIVE_COUNT,
        Hypothesis("there are arms", ARMS > 0),
        Hypothesis("the budget is positive", BUDGET > 0),
        *_WIDTH_IS_HOEFFDING,
        Hypothesis("epsilon is not negative", EPSILON >= 0),
        Hypothesis("epsilon is sqrt(6 K ln t / B)", (EPSILON * EPSILON * BUDGET).equals(6 * ARMS * LOG)),
    ),
    conclusion=(WIDTH > EPSILON).iff(ARMS * COUNT < BUDGET),
    logic="QF_NRA",
)

CBM_QUERIES_EVERY_ROUND = Lemma(
    name="cbm queries every round under a budget above the number of arms times the rounds after the initial ones",
    claims=("cbm.wastes",),
    lines="l.281",
    says="B(t) > K (t - K) gives CI > epsilon whatever the rewards were.",
    hypotheses=(
        *CBM_QUERIES_BELOW_ITS_SHARE.hypotheses,
        Hypothesis("no arm has more than t - K queries", COUNT <= ROUND - ARMS),
        Hypothesis("the budget exceeds K (t - K)", BUDGET > ARMS * (ROUND - ARMS)),
    ),
    conclusion=WIDTH > EPSILON,
    logic="QF_NRA",
    meta=(
        "After the initial rounds each of the other K - 1 arms has at least one query, so that n_{t-1}(a) <= t - 1 - "
        "(K - 1)."
    ),
)

FIRST, SECOND, ROOT = real("first_constant"), real("second_constant"), real("root_of_count")
LARGER_ROOT = real("root_of_larger_count")
_CONSTANTS = (
    Hypothesis("c_1 is not negative", FIRST >= 0),
    Hypothesis("c_2 is not negative", SECOND >= 0),
)

ROOT_AND_RECIPROCAL = Lemma(
    name="a root and a reciprocal fall below the level",
    claims=("auxiliary.root_and_reciprocal",),
    lines="l.1353",
    says="n > c_1^2 / mu^2 + 2 c_2 / mu gives c_1 / sqrt(n) + c_2 / n < mu, with sqrt(n) as the variable.",
    hypotheses=(
        *_CONSTANTS,
        _POSITIVE_LEVEL,
        Hypothesis("the count is positive", ROOT > 0),
        Hypothesis(
            "the count exceeds the threshold",
            (ROOT * ROOT) * (LEVEL * LEVEL) > FIRST * FIRST + 2 * SECOND * LEVEL,
        ),
    ),
    conclusion=FIRST * ROOT + SECOND < LEVEL * (ROOT * ROOT),
    logic="QF_NRA",
)

_TWO_COUNTS = (
    *_CONSTANTS,
    Hypothesis("the count is positive", ROOT > 0),
    Hypothesis("the other count is larger", LARGER_ROOT > ROOT),
)
_SMALLER_SIDE = (FIRST * LARGER_ROOT + SECOND) * (ROOT * ROOT)
_LARGER_SIDE = (FIRST * ROOT + SECOND) * (LARGER_ROOT * LARGER_ROOT)

ROOT_AND_RECIPROCAL_FALLS = Lemma(
    name="a root and a reciprocal fall as the count grows",
    claims=("auxiliary.direction.corrected",),
    lines="l.1361, corrected",
    says="c_1 / sqrt(n) + c_2 / n is nonincreasing in n, which is what the proof uses.",
    hypotheses=_TWO_COUNTS,
    conclusion=_SMALLER_SIDE <= _LARGER_SIDE,
    logic="QF_NRA",
)

ROOT_AND_RECIPROCAL_RISES = Lemma(
    name="a root and a reciprocal rise as the count grows",
    claims=("auxiliary.direction",),
    lines="l.1361, as printed; false",
    says="The proof says that the left side is strictly increasing in n.",
    hypotheses=_TWO_COUNTS,
    conclusion=_SMALLER_SIDE > _LARGER_SIDE,
    logic="QF_NRA",
)

_ROOT_LOG, _SHORT, _LONG, _ROOT_COUNT = real("root_of_six_log"), real("first_root"), real("second_root"), real("root")
_BERNSTEIN_ROOTS = (
    _POSITIVE_LOG,
    _POSITIVE_LEVEL,
    Hypothesis("r is not negative", _ROOT_LOG >= 0),
    Hypothesis("r is sqrt(6 ln t)", (_ROOT_LOG * _ROOT_LOG).equals(6 * LOG)),
    Hypothesis("p is not negative", _SHORT >= 0),
    Hypothesis("p is sqrt(3 ln t / (2 mu^2))", (2 * LEVEL * _SHORT).equals(_ROOT_LOG)),
    Hypothesis("q is not negative", _LONG >= 0),
    Hypothesis(
        "q is sqrt(3 ln t / (2 mu^2) + 14 ln t / mu)",
        (LEVEL * (_LONG * _LONG)).equals(LEVEL * (_SHORT * _SHORT) + 14 * LOG),
    ),
)
_N2_ROOT = _SHORT + _LONG
_RATIONAL_ROOTS = LOG.equals(6) & LEVEL.equals(18)

N2_IS_THE_ROOT = Lemma(
    name="at N2 the bernstein bound equals the level",
    claims=("bernstein.n2_is_the_root",),
    lines="l.1226, l.1301",
    says="With n - 1 = (p + q)^2, sqrt(6 ln t / (n-1)) + 14 ln t / (n-1) = mu.",
    hypotheses=_BERNSTEIN_ROOTS,
    conclusion=(_ROOT_LOG * _N2_ROOT + 14 * LOG).equals(LEVEL * (_N2_ROOT * _N2_ROOT)) & (_N2_ROOT > 0),
    logic="QF_NRA",
    rational_choice=_RATIONAL_ROOTS,
)

BEYOND_N2 = Lemma(
    name="beyond N2 the bernstein bound is below the level",
    claims=("bernstein.n2_is_the_root",),
    lines="l.1301 (condition 5)",
    says="For n > N2, sqrt(6 ln t / (n-1)) + 14 ln t / (n-1) < mu.",
    hypotheses=(*_BERNSTEIN_ROOTS, Hypothesis("the count exceeds N2", _ROOT_COUNT > _N2_ROOT)),
    conclusion=_ROOT_LOG * _ROOT_COUNT + 14 * LOG < LEVEL * (_ROOT_COUNT * _ROOT_COUNT),
    logic="QF_NRA",
    rational_choice=_RATIONAL_ROOTS & _ROOT_COUNT.equals(2),
)

N2_OF_THE_BUDGET_SCHEDULE = Lemma(
    name="the bernstein budget schedule makes N2 the budget",
    claims=("bernstein.budget_schedule",),
    lines="l.1231, l.1324",
    says="With epsilon = sqrt(6 ln t / (B-1)) + 14 ln t / (B-1) and B > 1 the per-arm budget, (p + q)^2 + 1 = B.",
    hypotheses=(
        *_BERNSTEIN_ROOTS,
        Hypothesis("the budget exceeds one", _ROOT_COUNT > 0),
        Hypothesis(
            "the level is the schedule's epsilon",
            (LEVEL * (_ROOT_COUNT * _ROOT_COUNT)).equals(_ROOT_LOG * _ROOT_COUNT + 14 * LOG),
        ),
    ),
    conclusion=_N2_ROOT.equals(_ROOT_COUNT),
    logic="QF_NRA",
    rational_choice=_RATIONAL_ROOTS & (_SHORT.equals(Fraction(1, 6)) | _SHORT.equals(Fraction(11, 6))),
)

_MEAN_OF_SQUARES, _VARIANCE = real("mean_of_squares"), real("empirical_variance")

VARIANCE_CAP = Lemma(
    name="the empirical variance is at most n over four times n minus one",
    claims=("bernstein.variance_cap",),
    lines="l.1288-1296",
    says="For rewards in [0,1] and n >= 2, V-hat <= n / (4 (n - 1)).",
    hypotheses=(
        Hypothesis("there are two rewards", COUNT >= 2),
        Hypothesis("rewards in [0,1] exceed their squares on average", _MEAN_OF_SQUARES <= EMPIRICAL_MEAN),
        Hypothesis(
            "the unbiased variance",
            ((COUNT - 1) * _VARIANCE).equals(COUNT * (_MEAN_OF_SQUARES - EMPIRICAL_MEAN * EMPIRICAL_MEAN)),
        ),
    ),
    conclusion=4 * (COUNT - 1) * _VARIANCE <= COUNT,
    logic="QF_NRA",
)

HORIZON, SPLIT, OTHER_SPLIT = real("horizon"), real("split"), real("other_split")
_COST = ARMS * LOG

MINIMISER = Lemma(
    name="the split gap of the problem independent bound is the minimiser",
    claims=("independent.minimiser",),
    lines="l.1059, l.435",
    says="f(D) = 24 K ln T / D + D T is smallest at D_0 = sqrt(24 K ln T / T), where f(D_0)^2 = 96 K T ln T = (4 sqrt(6 "
    "K T ln T))^2.",
    hypotheses=(
        Hypothesis("the horizon is positive", HORIZON > 0),
        Hypothesis("the split is positive", SPLIT > 0),
        Hypothesis("the other split is positive", OTHER_SPLIT > 0),
        Hypothesis("the split is sqrt(24 K ln T / T)", (SPLIT * SPLIT * HORIZON).equals(24 * _COST)),
    ),
    conclusion=(
        (24 * _COST + SPLIT * SPLIT * HORIZON) * OTHER_SPLIT
        <= (24 * _COST + OTHER_SPLIT * OTHER_SPLIT * HORIZON) * SPLIT
    )
    & (24 * _COST + SPLIT * SPLIT * HORIZON).equals(2 * HORIZON * SPLIT * SPLIT)
    & ((2 * HORIZON * SPLIT) * (2 * HORIZON * SPLIT)).equals(96 * _COST * HORIZON),
    logic="QF_NRA",
)

_AT_SMALLER, _AT_LARGER = RealFunction("value_at_smaller_point"), RealFunction("value_at_larger_point")
_MIN_SMALLER, _MIN_LARGER = real("minimum_at_smaller_point"), real("minimum_at_larger_point")
_ATTAINS = arm("attains_minimum_at_larger_point")

MINIMUM_OF_NONDECREASING = Lemma(
    name="a minimum of nondecreasing functions is nondecreasing",
    claims=("auxiliary.minimum_of_nondecreasing",),
    lines="l.1343",
    says=(
        "For any family f_j (the index set takes the place of the arms) and any two points x_2 < x_1: if no f_j falls "
        "from x_2 to x_1, then neither does the minimum."
    ),
    hypotheses=(
        Hypothesis("no function falls", for_all(lambda j: _AT_SMALLER(j) <= _AT_LARGER(j))),
        Hypothesis(
            "the minimum at the smaller point is a lower bound", for_all(lambda j: _AT_SMALLER(j) >= _MIN_SMALLER)
        ),
        Hypothesis("the minimum at the larger point is attained", _AT_LARGER(_ATTAINS).equals(_MIN_LARGER)),
        Hypothesis(
            "the minimum at the larger point is a lower bound", for_all(lambda j: _AT_LARGER(j) >= _MIN_LARGER)
        ),
    ),
    conclusion=_MIN_SMALLER <= _MIN_LARGER,
)

_SHARE_A, _SHARE_B, _REST = real("share_of_a"), real("share_of_b"), real("share_of_the_rest")

TWO_SHARES = Lemma(
    name="two different arms leave at least one",
    claims=("lower.proof_steps",),
    lines="l.691-697",
    says="For different arms a and b, 2 - E n(a)/T - E n(b)/T >= 1.",
    hypotheses=(
        Hypothesis("the shares of all arms sum to one", (_SHARE_A + _SHARE_B + _REST).equals(1)),
        Hypothesis("the other arms have no negative share", _REST >= 0),
    ),
    conclusion=number(2) - _SHARE_A - _SHARE_B >= 1,
    meta="Sums over the other arms are one symbol; a and b are different arms, so that both shares are in the sum.",
)

_SUM, _TOTAL, _LARGEST, _N, _K = (
    real("sum_of_products"),
    real("sum_of_counts"),
    real("largest_divergence"),
    real("one_count"),
    real("one_divergence"),
)

HOELDER_STEP = Lemma(
    name="a sum of products is at most the largest factor times the sum",
    claims=("lower.proof_steps",),
    lines="l.591, l.647, l.698",
    says="sum n_a k_a <= max k * sum n_a, one summand at a time.",
    hypotheses=(
        Hypothesis("so far the sum is bounded", _SUM <= _LARGEST * _TOTAL),
        Hypothesis("the count is not negative", _N >= 0),
        Hypothesis("the divergence is at most the largest", _K <= _LARGEST),
    ),
    conclusion=_SUM + _N * _K <= _LARGEST * (_TOTAL + _N),
    logic="QF_NRA",
    meta="Induction over the arms from empty sums; finite divergences.",
)

_GAP, _PLAYS, _QUERIES, _PRICE = (
    real("gap"),
    real("expected_plays"),
    real("expected_queries"),
    real("cost_of_a_query"),
)

QUERY_AWARE_REGRET = Lemma(
    name="the query aware regret of an arm is at least its gap plus the cost for every query",
    claims=("costs.query_aware_regret",),
    lines="l.753-759",
    says="Delta_a E n(a) + c E n^q(a) >= (Delta_a + c) E n^q(a), arm by arm.",
    hypotheses=(
        Hypothesis("the gap is not negative", _GAP >= 0),
        Hypothesis("an arm is queried no more than played", _QUERIES <= _PLAYS),
        Hypothesis("the cost is positive", _PRICE > 0),
    ),
    conclusion=_GAP * _PLAYS + _PRICE * _QUERIES >= (_GAP + _PRICE) * _QUERIES,
    logic="QF_NRA",
    meta="Summed over the arms; expectations are monotone.",
)

MULTIPLE = real("multiple")

VANISHING_EPSILON = Lemma(
    name="a small epsilon makes the cap exceed a multiple of the logarithm",
    claims=("discussion.superlogarithmic",),
    lines="l.446",
    says="If 0 < epsilon and epsilon^2 M < 1 then ln T / epsilon^2 > M ln T, multiplied out, for every M > 0.",
    hypotheses=(
        _POSITIVE_LOG,
        Hypothesis("epsilon is positive", EPSILON > 0),
        Hypothesis("the multiple is positive", MULTIPLE > 0),
        Hypothesis("epsilon is below the root of 1/M", (EPSILON * EPSILON) * MULTIPLE < 1),
    ),
    conclusion=MULTIPLE * LOG * (EPSILON * EPSILON) < LOG,
    logic="QF_NRA",
    meta="An epsilon that tends to zero is below the root of 1/M from some round on, for every M.",
)

LEMMAS = (
    HOEFFDING_WIDTH,
    HOEFFDING_ENOUGH,
    CBM_QUERIES_BELOW_ITS_SHARE,
    CBM_QUERIES_EVERY_ROUND,
    ROOT_AND_RECIPROCAL,
    ROOT_AND_RECIPROCAL_FALLS,
    N2_IS_THE_ROOT,
    BEYOND_N2,
    N2_OF_THE_BUDGET_SCHEDULE,
    VARIANCE_CAP,
    MINIMISER,
    MINIMUM_OF_NONDECREASING,
    TWO_SHARES,
    HOELDER_STEP,
    QUERY_AWARE_REGRET,
    VANISHING_EPSILON,
)
FALSE_STATEMENTS = (ROOT_AND_RECIPROCAL_RISES,)
