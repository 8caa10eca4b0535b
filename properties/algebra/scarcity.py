"""Scarce querying: the proof's steps, inverse profiles, and what is wrong with the corollary (l.327-366, l.770-826)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations

from bufalu.bounds.divergences import gaussian_form, quadratic_form
from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.expressions import Expression, exp, log, number, positives
from bufalu.bounds.scarce import (
    GapAwareProfile,
    PolylogProfile,
    PolynomialProfile,
    linear_regret_expression,
    scarce_threshold_expression,
)
from bufalu.properties.algebra.formulas import kl
from bufalu.properties.claims.check import certified, erratum, exact
from bufalu.properties.claims.evidence import Decided, EvidenceKind
from bufalu.reference.live import BuFALU

HALF = Fraction(1, 2)


@certified("scarce.local_pinsker", mutants={"twice as much": {"factor": 2}})
def local_pinsker_inequality_holds(factor: int = 1) -> Decided:
    """Both sides vanish at q = p; the slope of the difference is (q-p)((q-p) + q(q+p))/(2 q^2 (1-q)) >= 0."""
    p, d, q = positives("p d q")
    difference = kl(p, q) - factor * quadratic_form(p, q)
    zero_at_p = difference.substitute({"q": p}).is_identically(0)
    slope = (q - p) * ((q - p) + q * (q + p)) / (2 * q**2 * (1 - q))
    factors = difference.derivative("q").is_identically(slope)
    shifted = (d + (p + d) * (2 * p + d)).has_nonnegative_coefficients("p", "d")
    return Decided(
        zero_at_p and factors and shifted,
        "equal at q = p, and the slope in q factors into nonnegative terms for p <= q < 1 (polynomial in p, q-p)",
    )


@certified("scarce.kl_increasing", mutants={"decreasing": {"sign": -1}})
def divergence_increases_beyond_its_mean(sign: int = 1) -> Decided:
    """d kl(p,q)/dq = (q-p)/(q(1-q))."""
    p, q = positives("p q")
    holds = kl(p, q).derivative("q").is_identically(sign * (q - p) / (q * (1 - q)))
    return Decided(holds, "d kl/dq = (q-p)/(q(1-q)), nonnegative for p <= q < 1")


@certified("scarce.reorganisation", mutants={"a third of the share": {"share": Fraction(1, 3)}})
def quadratic_bound_rearranges(share: Fraction = HALF) -> Decided:
    """From n k >= quadratic form of (p, 1/K), i.e. (K/2)(1/K - p)^2: with p = (1 - r)/K this is r^2 <= 2 K n k, the bound
    of the product. At its threshold 1/(8 K k), where K n <= T, the bound is half of T/K.
    """
    arms, r, k, horizon = positives("K r kappa T")
    p = (1 - r) / arms
    square = quadratic_form(p, 1 / arms).is_identically(r**2 / (2 * arms))
    plays = linear_regret_expression()
    threshold = scarce_threshold_expression().substitute({"K": arms, "kappa": k})
    # T >= K n is T = K n + s; the smaller of the two is then K n
    many = arms * threshold + horizon
    special = plays.substitute({"K": arms, "n": threshold, "kappa": k, "T": many}).is_identically(share * many / arms)
    general = plays.substitute({"K": arms, "n": r**2 / (2 * arms * k), "kappa": k, "T": r**2 / (2 * k) + horizon})
    inverts = general.is_identically((r**2 / (2 * k) + horizon) / arms * (1 - r))
    return Decided(
        square and special and inverts,
        "(K/2)(1/K - p)^2 = r^2/(2K) with p = (1-r)/K; at r^2 = 2 K n k the bound is T (1-r)/K; at 1/(8 K Kinf) half of T/K",
    )


@erratum("scarce.corollary", kind=EvidenceKind.ALL_CASES, mutants={"queried at once": {"late": 2}})
def corollary_fails_for_infinite_divergence(late: int = 40) -> Decided:
    """E8: in {delta_0, delta_1} a better-than-uniform strategy leaves the bad arm unqueried until round `late`."""
    for means in ((0, 1), (1, 0), (0, 0), (1, 1)):
        for horizon in range(1, late + 3):
            plays, _ = _late_querier(means, late, horizon)
            best = [arm for arm in (0, 1) if means[arm] == max(means)]
            if sum(plays[arm] for arm in best) < Fraction(len(best) * horizon, 2):
                return Decided(False, f"the strategy is not better than uniform on {means} at T = {horizon}")
    profile = [_late_querier((0, 1), late, horizon)[1][0] for horizon in range(1, late + 3)]
    inverse = inverse_profile(profile, Fraction(0))
    regret = _late_querier((0, 1), late, inverse)[0][0]
    printed = Fraction(inverse, 4)
    return Decided(
        regret < printed,
        f"arms (0,1) in D = {{delta_0, delta_1}}, K = 2: B_1(t) = 0 up to t = {inverse}, Kinf+ infinite; the print "
        f"gives regret >= {printed}, the strategy (better than uniform on all of D) has {regret}",
        cases=4 * (late + 2),
    )


@erratum("scarce.corollary_indices", kind=EvidenceKind.ALL_CASES, mutants={"own first value": {"total": False}})
def index_free_first_value_changes_the_inverse(total: bool = True) -> Decided:
    """E9: profiles (1, 1, 1, 1) and (0, 0, 1/2, 1) at x = 1/2."""
    first, second, x = [Fraction(1)] * 4, [Fraction(0), Fraction(0), HALF, Fraction(1)], HALF
    start = first[0] + second[0] if total else second[0]
    printed = inverse_profile(second, x) if x >= start else 0
    own = inverse_profile(second, x)
    return Decided(
        printed != own,
        f"B_1 = (1,1,1,1), B_2 = (0,0,1/2,1), x = 1/2: with B(1) = {start} the inverse of B_2 is {printed}, with "
        f"B_2(1) = 0 it is {own}",
    )


@exact("scarce.corollary_indices.corrected", "summary.scarce_indices.corrected", mutants={"other": {"step": -1}})
def inverse_profiles_grow_with_their_argument(step: int = 1) -> Decided:
    """All nondecreasing profiles of four rounds with values 0..3: the inverse is nondecreasing in its argument."""
    cases = 0
    for profile in combinations_with_replacement(range(4), 4):
        values = [Fraction(value) for value in profile]
        for x in range(4):
            cases += 1
            if step * inverse_profile(values, Fraction(x)) > step * inverse_profile(values, Fraction(x + 1)):
                return Decided(False, f"the inverse of {profile} is not nondecreasing at {x}")
    return Decided(True, "the inverse of a profile, from its own first value on, is nondecreasing", cases)


@exact("scarce.remark_budgets", mutants={"smaller budgets": {"larger": False}})
def larger_budgets_have_smaller_inverses(larger: bool = True) -> Decided:
    """All pairs B <= B' of nondecreasing profiles of four rounds with values 0..3."""
    cases = 0
    profiles = [tuple(map(Fraction, profile)) for profile in combinations_with_replacement(range(4), 4)]
    for profile in profiles:
        for other in profiles:
            if not all(a <= b for a, b in zip(profile, other, strict=True)):
                continue
            for x in range(4):
                cases += 1
                small = inverse_profile(other if larger else profile, Fraction(x))
                large = inverse_profile(profile if larger else other, Fraction(x))
                if small > large:
                    return Decided(False, f"{other} has a larger inverse than {profile} at {x}")
    return Decided(True, "B <= B' pointwise gives inverses in the opposite order", cases)


@certified("scarce.gaussian_example", mutants={"8K Delta^2": {"factor": 8}})
def gaussian_argument_is_one_over_four_k_gap_squared(factor: int = 4) -> Decided:
    """The threshold 1/(8 K Kinf+) at Kinf+ = Delta^2/2 is 1/(4 K Delta^2)."""
    arms, gap = positives("K d")
    return Decided(
        gaussian_threshold(arms, gap).is_identically(1 / (factor * arms * gap**2)),
        "1/(8 K Delta^2/2) = 1/(4 K Delta^2)",
    )


@certified(
    "scarce.polynomial", "scarce.profiles_start_positive.corrected", mutants={"Delta^(1-1/a)": {"exponent": 1}}
)
def polynomial_profile_inverts(exponent: int = 2) -> Decided:
    """t = (4 D^2)^(-1/a) solves t^a/K = 1/(4 K D^2), and D/(2K) t = 4^(-1/a) D^(1-2/a)/(2K).

    The inverse of the product is its whole part on a grid.
    """
    arms, gap, alpha = positives("K d a")
    solution = (4 * gap**2) ** (-1 / alpha)
    solves = (solution**alpha / arms).is_identically(gaussian_threshold(arms, gap))
    order = (gap / (2 * arms) * solution).is_identically(
        number(4) ** (-1 / alpha) * gap ** (1 - exponent / alpha) / (2 * arms)
    )
    profile = PolynomialProfile(HALF)
    whole = all(
        profile.inverse(3, delta, gaussian_threshold(number(3), number(delta)).rational({}))
        == int((4 * delta**2) ** -2)
        for delta in (Fraction(1, 3), Fraction(1, 7), Fraction(2, 5))
    )
    return Decided(
        solves and order and whole, "t^a/K = 1/(4 K D^2) at t = (4 D^2)^(-1/a); D t/(2K) = 4^(-1/a) D^(1-2/a)/(2K)"
    )


@erratum("scarce.polylog", kind=EvidenceKind.ALGEBRA, mutants={"constant kept": {"dropped": 1}})
def dropped_constant_changes_the_order(dropped: int = 4) -> Decided:
    """E7, alpha = 1, one gap D: at T = floor(exp(1/(4 D^2))) no regret exceeds D T, and D T over D exp(1/D^2) tends to 0."""
    (x,) = positives("x")
    ratio = exp(x / dropped - x)
    limit = ratio.limit_at_infinity("x")
    ball = (Enclosure.of(100) / dropped - 100).exp()
    return Decided(
        limit.is_identically(0),
        "alpha = 1, one gap D: at T = floor(exp(1/(4 D^2))), where the corollary's bound begins to hold, no strategy has "
        "more regret than D T, which over the printed order D exp(1/D^2) is at most exp(-3/(4 D^2)), with limit 0; at "
        f"D = 1/10 that is {ball}",
    )


@certified("scarce.polylog.corrected", mutants={"printed exponent": {"inside": 1}})
def poly_logarithmic_profile_inverts(inside: int = 4) -> Decided:
    """t = exp((4 D^2)^(-1/a)) solves (ln t)^a/K = 1/(4 K D^2); the inverse of the product is its whole part."""
    arms, gap, alpha = positives("K d a")
    log_inverse = (inside * gap**2) ** (-1 / alpha)
    delta = Fraction(1, 4)
    threshold = gaussian_threshold(number(3), number(delta)).rational({})
    found = PolylogProfile(Fraction(1)).inverse(3, delta, threshold)
    whole = found == Enclosure.of(1 / (inside * delta**2)).exp().integer_part()
    return Decided(
        whole and (log_inverse**alpha / arms).is_identically(gaussian_threshold(arms, gap)),
        "(ln t)^a/K = 1/(4 K D^2) at ln t = (4 D^2)^(-1/a)",
    )


@certified("scarce.gap_aware", kind=EvidenceKind.ENCLOSURE, mutants={"argument 1/K": {"factor": 4}})
def gap_aware_profile_inverts_to_one(factor: int = 1) -> Decided:
    """ln t / D^2 <= 1/(4 K D^2) iff t <= e^(1/(4K)), which lies in (1, 2) at K = 1 and decreases to 1."""
    arms, gap = positives("K d")
    argument = factor * gap**2 * gaussian_threshold(arms, gap)
    only_arms = argument.is_identically(Fraction(factor, 4) / arms)
    largest = argument.evaluate({"K": 1, "d": HALF}).exp()
    ones = all(
        GapAwareProfile().inverse(k, HALF, factor * gaussian_threshold(number(k), number(HALF)).rational({})) == 1
        for k in range(1, 9)
    )
    return Decided(
        only_arms and ones and (2 - largest).is_positive and (largest - 1).is_positive,
        f"e^(1/4) = {largest} < 2: t = 1 for every K >= 1",
    )


@erratum("scarce.profiles_start_positive", kind=EvidenceKind.ALGEBRA, mutants={"start at e": {"first": 3}})
def logarithmic_profiles_start_at_zero(first: int = 1) -> Decided:
    """E26: (ln 1)^a = 0; T^0/K is constant; and the printed orders lack 1/K, an unbounded factor."""
    (arms,) = positives("K")
    zero = log(first).is_identically(0)
    dropped = (2 * arms).limit_at_infinity("K").is_infinite
    return Decided(
        zero and dropped,
        "(ln 1)^alpha/K = 0 is not positive; alpha = 0 makes the profile constant and 2/alpha undefined; the printed "
        "order over the bound is 2 K 4^(1/alpha), unbounded in K",
    )


@exact("scarce.bufalu_in_fixed_order", kind=EvidenceKind.REFERENCE_RUN, mutants={"good arm first": {"optimal": 1}})
def bufalu_is_not_better_than_uniform(optimal: int = 2) -> Decided:
    """With two arms, the second optimal, and T = 1, BuFALU plays arm 1: no play of the optimal arm."""
    decision = BuFALU(2).decide(1, 0)
    plays = Fraction(1 if decision.arm == optimal else 0)
    return Decided(
        plays < HALF, f"K = 2, arm {optimal} optimal, T = 1: {plays} plays of the optimal arm, uniform has 1/2"
    )


@exact("scarce.bufalu_relabelled", mutants={"fixed order": {"shuffled": False}})
def random_order_makes_initial_rounds_uniform(shuffled: bool = True) -> Decided:
    """All permutations of K <= 5 arms, all numbers of optimal arms, T <= K."""
    cases = 0
    for arms in range(1, 6):
        orders = list(permutations(range(arms))) if shuffled else [tuple(range(arms))]
        for optimal in range(1, arms + 1):
            for horizon in range(1, arms + 1):
                plays = sum(1 for order in orders for arm in order[:horizon] if arm < optimal)
                cases += 1
                if Fraction(plays, len(orders)) != Fraction(optimal * horizon, arms):
                    return Decided(False, f"K = {arms}, {optimal} optimal arms, T = {horizon}: not uniform")
    return Decided(True, "averaged over all orders, T <= K initial rounds play optimal arms |A*| T/K times", cases)


@certified("scarce.weaker_than_all_arms", mutants={"one arm short": {"sign": -1}})
def playing_every_optimal_arm_is_stronger(sign: int = 1) -> Decided:
    """One optimal arm more: if n arms have n T/K + s plays and the next T/K + u, then n + 1 arms have slack s + u."""
    share, arms, s, u = positives("x n s u")
    difference = (arms * share + s) + (share + sign * u) - (arms + 1) * share
    return Decided(
        difference.has_nonnegative_coefficients("s", "u"),
        "the slacks of the single arms add up to that of the sum, one arm after the other",
    )


@erratum("summary.scarce_indices", kind=EvidenceKind.ENCLOSURE, mutants={"constant kept": {"printed": 1}})
def summary_table_enlarges_the_inverse(printed: int = 4) -> Decided:
    """E31: profile ln t/K, two arms, gap 1/2: at T = floor(e) = 2 no regret exceeds 1, and the table's bound is 27/2.

    The table's inverse is floor(e^4) = 54, the corollary's floor(e) = 2; with the gap the ratio of the two tends to 0.
    """
    threshold = gaussian_threshold(number(2), number(HALF)).rational({})
    profile = PolylogProfile(Fraction(1))
    claimed, given = (profile.inverse(2, HALF, factor * threshold) for factor in (printed, 1))
    assert claimed is not None
    assert given is not None
    (x,) = positives("x")
    vanishes = exp(x / 4 - x * printed / 4).limit_at_infinity("x").is_identically(0)
    most, bound = HALF * given, HALF / 2 * claimed
    return Decided(
        bound > most and vanishes,
        f"profile ln t/K, K = 2, Delta = {HALF}: at T = {given}, where the corollary's bound begins to hold, no strategy has "
        f"more regret than Delta T = {most}, and the table's Delta/K times its inverse {claimed} is {bound}; as Delta falls, "
        "no constant mends that; and the table limits the queries of a*, the corollary those of a",
    )


def inverse_profile(profile: Sequence[Fraction], x: Fraction) -> int:
    """The last round t with B(t) <= x, or 0 if B(1) > x."""
    return max((t for t, value in enumerate(profile, start=1) if value <= x), default=0)


def _late_querier(means: tuple[int, int], late: int, horizon: int) -> tuple[list[Fraction], list[Fraction]]:
    """Expected plays and queries of a strategy that learns from arm 2 alone and queries arm 1 in round late + 1.

    Round 1 is a fair coin; only arm 2 is queried. Whoever started with arm 1 queries arm 2 in round 2. From then on
    the better arm (arm 2 in a tie) is played without query.
    """
    plays, queries = [Fraction(0), Fraction(0)], [Fraction(0), Fraction(0)]
    better = 1 if means[1] == 1 else 0
    for first in (0, 1):
        for round_number in range(1, horizon + 1):
            if round_number == 1:
                arm, query = first, first == 1
            elif round_number == 2 and first == 0:
                arm, query = 1, True
            elif round_number == late + 1:
                arm, query = 0, True
            else:
                arm, query = better, False
            plays[arm] += HALF
            queries[arm] += HALF * query
    return plays, queries


def gaussian_threshold(arms: Expression, gap: Expression) -> Expression:
    """The number of expected queries up to which half of a uniform share is played, for a Gaussian arm (l.353)."""
    return scarce_threshold_expression().substitute({"K": arms, "kappa": gaussian_form(gap, number(1))})
