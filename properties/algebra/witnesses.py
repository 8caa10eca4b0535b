"""Paths and counts that show what the print gets wrong, and that the corrections hold (E1, E2, E5, E10, E11, ...)."""

from __future__ import annotations

import itertools
from fractions import Fraction

from bufalu.properties.algebra import balls
from bufalu.properties.algebra.grids import Bench, Finding
from bufalu.properties.algebra.stated_views import StatedView, hoeffding_view
from bufalu.properties.algebra.symbolic import ln, symbols
from bufalu.properties.claims.evidence import EvidenceKind, Verdict
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Decision, bufalu
from bufalu.reference.schedules import NondecreasingBudget
from bufalu.reference.ties import parse_ties

BENCH = Bench()

FIRST = parse_ties("first")


@BENCH.erratum(
    "lower.unique_pair", kind=EvidenceKind.EXAMPLE, verdict=Verdict.GAP, mutants={"epochs double": {"ratio": 2}}
)
def limits_inferior_of_two_counts_need_not_add_up(ratio: int = 4) -> Finding:
    """E1: two counts that take turns growing, in units of ln T = j: at every j their sum is at least j, but each is
    frozen during the other's epoch, which multiplies j by `ratio`.
    """
    frozen, growing = Fraction(1), Fraction(1)
    lowest_share, lowest_sum = Fraction(1), Fraction(10)
    start = Fraction(1)
    for _ in range(8):
        end = start * ratio
        frozen, growing = growing, frozen
        for j in (start, (start + end) / 2, end):
            growing = max(growing, j)
            lowest_sum = min(lowest_sum, (frozen + growing) / j)
        lowest_share = min(lowest_share, frozen / end)
        start = end
    return Finding(
        lowest_sum >= 1 and 2 * lowest_share < 1,
        f"counts that take turns over epochs T -> T^{ratio}: (n_a + n_b)/ln T >= {lowest_sum} always, while each "
        "count "
        f"falls to {lowest_share} ln T at the end of every other epoch: the two limits inferior add up to "
        f"{2 * lowest_share} < 1 (that a consistent strategy does this is argued, not checked)",
        cases=8,
    )


@BENCH.erratum(
    "lower.multiple_optimal", kind=EvidenceKind.EXAMPLE, verdict=Verdict.GAP, mutants={"no turns": {"turns": False}}
)
def infinite_sum_without_an_infinite_summand(turns: bool = True) -> Finding:
    """E2: in epoch k the growing count is k ln T, and the epoch multiplies ln T by k: sums grow, each count
    returns.
    """
    counts = [Fraction(1), Fraction(1)]
    start = Fraction(1)
    shares: list[list[Fraction]] = [[], []]
    sums = []
    for k in range(2, 12):
        active = k % 2 if turns else 0
        end = start * k
        lowest = (max(counts[active], k * start) + counts[1 - active]) / start
        counts[active] = max(counts[active], k * end)
        sums.append(lowest)
        for arm in (0, 1):
            shares[arm].append(counts[arm] / end)
        start = end
    returning = all(min(column[-4:]) <= 2 for column in shares)
    growing = all(later > earlier for earlier, later in itertools.pairwise(sums))
    return Finding(
        returning and growing,
        f"epochs k = 2..11: the sum over ln T is at least {sums[0]}, ..., {sums[-1]} and grows, yet each count "
        "returns to "
        f"at most 2 ln T ({', '.join(str(min(column[-4:])) for column in shares)}): no summand need diverge",
        cases=10,
    )


@BENCH.argued("lower.multiple_optimal.corrected", mutants={"one share zero": {"share": 0}})
def an_arm_close_on_both_sides_is_queried_superlogarithmically(share: Fraction = Fraction(1, 2)) -> Finding:
    """max{p, 1-p} >= 1/2, so n^q k >= (1-a)/2 ln T - ln 2 for every k > 0: the ratio over ln T exceeds any
    constant.
    """
    q, d, log, k = symbols("q d L k")
    # shares (q + d)/(2q + d) and q/(2q + d): the larger one is 1/2 + d/(2(2q + d))
    half = ((q + d) / (2 * q + d) - share).equals(d / (2 * (2 * q + d)))
    bound = (share * Fraction(9, 10) * log - ln(2)) / (k * log)
    limit = bound.limit_at_infinity(log)
    positive = limit.equals(Fraction(9, 20) / k)
    return Finding(
        half and positive and limit.limit(k, 0).is_infinite,
        "with alpha = 1/10 the normalised bound tends to 9/(20 Kinf), which is infinite when both divergences are 0",
    )


@BENCH.erratum("consistency.definition", kind=EvidenceKind.EXAMPLE, mutants={"bounded": {"heavy": False}})
def almost_sure_consistency_does_not_bound_expectations(heavy: bool = True) -> Finding:
    """E5: plays min{N, T} with P(N >= k) = 1/m for (m-1)^2 < k <= m^2: finite on every path, expectation above
    sqrt(T).
    """
    size = 100
    expected = sum((Fraction(2 * m - 1, m) for m in range(1, size + 1 if heavy else 3)), start=Fraction(0))
    return Finding(
        expected > size,
        f"plays min{{N, T}} with N finite almost surely: n_T = O(1) on every path, but E n_T = 2 sqrt(T) - H = "
        f"{float(expected):.1f} at T = {size**2}, not o(T^(1/4))",
    )


@BENCH.argued("consistency.definition.corrected", mutants={"same exponent": {"alpha": Fraction(1, 2)}})
def expected_consistency_implies_the_pathwise_form(alpha: Fraction = Fraction(1, 4)) -> Finding:
    """Markov: P(n_T >= T^b) <= E n_T/T^b <= T^(a-b) -> 0 for a < b = 1/2."""
    (horizon,) = symbols("T")
    return Finding(
        (horizon ** (alpha - Fraction(1, 2))).limit_at_infinity(horizon).equals(0),
        "T^(1/4 - 1/2) -> 0 in Markov's inequality",
    )


@BENCH.erratum(
    "independent.general", kind=EvidenceKind.REFERENCE_RUN, mutants={"narrow intervals": {"width": Fraction(2, 5)}}
)
def condition_at_the_gap_does_not_bound_the_regret(width: Fraction = Fraction(9, 10), samples: int = 100) -> Finding:
    """E10: deterministic arms 0 and 1, intervals [m - w m, m + w (1-m)] of width w < 1 until `samples` queries, then
    points. Means are always covered (C = 0), N(t, 1) = 0, so M = 0 satisfies the printed condition and the bound is
    K Delta_max = 2; the run queries until both arms are known.
    """
    means, counts = (Fraction(0), Fraction(1)), [1, 1]
    regret, horizon = 1, 4 * samples
    for number in range(3, horizon + 1):
        widths = [width if count <= samples else Fraction(0) for count in counts]
        lower = tuple(Exact.of(mean - w * mean) for mean, w in zip(means, widths, strict=True))
        upper = tuple(Exact.of(mean + w * (1 - mean)) for mean, w in zip(means, widths, strict=True))
        decision = bufalu.decide(StatedView(number, ZERO, lower, upper), FIRST)
        regret += decision.arm == 1
        counts[decision.arm - 1] += decision.query
    printed = 2
    return Finding(
        width < 1 and regret > printed,
        f"arms 0, 1, regular intervals of width {width} until {samples} queries, epsilon = 0, T = {horizon}: M = 0 "
        "meets "
        f"the printed condition and the bound is {printed}; BuFALU's regret is {regret}",
    )


@BENCH.certified("independent.general.corrected", mutants={"at the gap only": {"halved": 1}})
def condition_at_every_level_covers_half_the_gap(halved: int = 2) -> Finding:
    """D_a > D_0 gives mu = D_a/2 > D_0/2, so mu N(mu) <= M(D_0/2); Hoeffding: mu 6 L/mu^2 = 6 L/mu <= 6 L/D_0."""
    log, level, s = symbols("L d s")
    mu = level + s
    hoeffding = (6 * log * mu - 6 * log * level).nonnegative_coefficients(log, s, level)
    half = ((level + s) / 2 - level / halved).nonnegative_coefficients(level, s)
    product = (mu * (6 * log / mu**2)).equals(6 * log / mu)
    return Finding(hoeffding and half and product, "D_a/2 - D_0/2 > 0, and 6 L/mu <= 6 L/D_0 for mu > D_0")


@BENCH.certified("independent.bernstein", mutants={"variance 1/2": {"variance": Fraction(1, 2)}})
def bernstein_terms_satisfy_the_condition(variance: Fraction = Fraction(1, 4)) -> Finding:
    """mu (24 V L/mu^2 + 52 L/mu + 1) = 24 V L/mu + 52 L + mu; 24/4 = 6, mu = D_0 + s, D_max = mu + u."""
    log, level, s, u = symbols("L d s u")
    mu = level + s
    left = mu * (24 * variance * log / mu**2 + 52 * log / mu + 1)
    split = left.equals(24 * variance * log / mu + 52 * log + mu)
    # times mu D_0: 6 L mu - 24 V L D_0 + u mu D_0 >= 0
    slack = (6 * log * mu - 24 * variance * log * level + u * mu * level).nonnegative_coefficients(log, level, s, u)
    return Finding(split and slack, "6 L/D_0 - 24 V L/mu >= 0 for V <= 1/4 and mu > D_0; mu <= D_max")


@BENCH.certified("independent.minimiser", mutants={"12 K ln T": {"constant": 12}})
def minimiser_of_the_independent_bound(constant: int = 24) -> Finding:
    """24 K L/D + D T has slope 0 at D = sqrt(24 K L/T), is convex, and is 4 sqrt(6 K T L) there."""
    arms, log, horizon, level = symbols("K L T d")
    bound = constant * arms * log / level + level * horizon
    point = (24 * arms * log / horizon) ** Fraction(1, 2)
    stationary = bound.derivative(level).at({level: point}).equals(0)
    convex = (bound.derivative(level).derivative(level) * level**3).nonnegative_coefficients(arms, log)
    value = bound.at({level: point}).equals(4 * (6 * arms * horizon * log) ** Fraction(1, 2))
    return Finding(
        stationary and convex and value, "stationary and convex at sqrt(24 K L/T), with value 4 sqrt(6 K T L)"
    )


@BENCH.erratum(
    "independent.rewards_in_unit_interval", kind=EvidenceKind.REFERENCE_RUN, mutants={"unit rewards": {"scale": 1}}
)
def large_rewards_break_the_independent_bound(scale: int = 10) -> Finding:
    """E23: arm 1 pays 1 scale, arm 2 pays 0 or 10 scale with probability 1/2, epsilon = 0. If the first reward of arm 2
    is 0 the arms are separated in round 3 and, the widths growing with t, in every round up to T where they still are.
    """
    horizon = 10**6
    samples = ((1, Fraction(scale)), (1, Fraction(0)))
    stuck = all(
        bufalu.decide(hoeffding_view(t, samples, ZERO), FIRST) == Decision(1, False) for t in (3, 1000, horizon)
    )
    gap = 4 * scale
    regret = Fraction(gap * (horizon - 1), 2)
    bound = 4 * (12 * horizon * balls.ln(horizon)).sqrt() + 6 * gap
    return Finding(
        stuck and (regret - bound).positive,
        f"arm 1 pays {scale}, arm 2 pays 0 or {10 * scale}: with probability 1/2 arm 1 is played from round 3 "
        f"to T = 10^6, regret at least {float(regret):.3g}, printed bound {bound}",
    )


@BENCH.certified(
    "independent.unit_rewards_keep_asking", kind=EvidenceKind.ENCLOSURE, mutants={"range two": {"span": Fraction(3)}}
)
def unit_rewards_are_not_separated_after_one_query(span: Fraction = Fraction(1)) -> Finding:
    """UCB(u) - LCB(l) >= 2 sqrt(3 ln 3/2) - 1 > 0 for t >= 3 and one query each."""
    overlap = 2 * (Fraction(3, 2) * balls.ln(3)).sqrt() - span
    return Finding(
        overlap.positive, f"2 sqrt((3/2) ln 3) - 1 = {overlap} > 0, and ln t only grows", slack=str(overlap)
    )


@BENCH.erratum(
    "discussion.regret_with_budget",
    kind=EvidenceKind.REFERENCE_RUN,
    mutants={"budget from the start": {"early": 10**12}},
)
def late_budget_does_not_help_early_rounds(early: int = 1) -> Finding:
    """E17: B(t) = 1 before T = 10^6 and 10^12 at T; arm 1 pays 0, arm 2 pays Ber(1/2); its first reward is 0 w.p. 1/2.

    Then both arms look the same and epsilon exceeds both widths: arm 1 is played without query until T.
    """
    horizon, late = 10**6, 10**12
    schedule = NondecreasingBudget(lambda t: late if t >= horizon else early)
    samples = ((1, Fraction(0)), (1, Fraction(0)))
    blind = all(
        bufalu.decide(hoeffding_view(t, samples, schedule.at(t, 2)), FIRST) == Decision(1, False)
        for t in (3, 4, 100, horizon - 1)
    )
    regret = Fraction(horizon - 3, 4)
    log = balls.ln(horizon)
    printed = 4 * (12 * horizon * log).sqrt() + horizon * (12 * log / late).sqrt() + 3
    return Finding(
        blind and (regret - printed).positive,
        f"B(t) = {early} until T = 10^6, then 10^12: no queries after round 2, regret at least {regret}; the "
        "printed form "
        f"(with the proposition's constants) gives {printed}",
    )


@BENCH.erratum("discussion.bernstein_improves", kind=EvidenceKind.ENCLOSURE, mutants={"no second term": {"root": 0}})
def bernstein_budget_does_not_improve_at_variance_one_quarter(root: int = 22) -> Finding:
    """E12: V = 1/4, B/K - 1 = 10^4, T = 10^5: 10^4 + 22 sqrt(10^4 ln T) + 1 exceeds the Hoeffding cap B/K."""
    budget = 10**4
    extra = root * (budget * balls.ln(10**5)).sqrt()
    bound = budget + extra + 1
    return Finding(
        (4 * budget - extra).positive and (bound - (budget + 1)).positive,
        f"V = 1/4, B/K = {budget + 1}, T = 10^5: the lemma gives {bound}, Hoeffding gives {budget + 1}; at V = 0 the "
        "printed order is 0, but the bound is 22 sqrt(B ln T)",
    )


@BENCH.erratum(
    "proof.labels", kind=EvidenceKind.ALL_CASES, mutants={"degenerate interval": {"upper": Fraction(1, 2)}}
)
def upper_bound_of_an_optimal_arm_need_not_be_its_mean(upper: Fraction = Fraction(1)) -> Finding:
    """E18: the interval [0, 1] covers mu* = 1/2 (good event), and its upper bound is 1; and part (i) is about q =
    1.
    """
    mean, lower = Fraction(1, 2), Fraction(0)
    return Finding(
        lower <= mean < upper, f"mu* = {mean} in [{lower}, {upper}]: UCB = {upper} > mu*; part (i) assumes q_t = 1"
    )


@BENCH.certified("proof.labels.corrected", mutants={"mean above": {"sign": -1}})
def good_event_puts_the_upper_bound_above_the_mean(sign: int = 1) -> Finding:
    """UCB(a*) = mu* + s with s >= 0 under the good event."""
    mean, s = symbols("m s")
    return Finding(((mean + sign * s) - mean).nonnegative_coefficients(s), "UCB(a*) - mu* = s >= 0")


@BENCH.erratum(
    "proof.stale_symbols", kind=EvidenceKind.ALL_CASES, mutants={"small epsilon": {"epsilon": Fraction(1, 8)}}
)
def levels_leave_the_stated_domain(epsilon: Fraction = Fraction(1)) -> Finding:
    """E11: gap 1/4 and epsilon(t) = 1: the theorem evaluates N_a^g at max{1/4, 1} = 1, outside [0, 1/4]."""
    gap = Fraction(1, 4)
    level = max(gap, epsilon)
    return Finding(
        level > gap,
        f"Delta_a = {gap}, epsilon(t) = {epsilon}: N_a^g is used at {level}, outside [0, {gap}]; condition 5 bounds "
        "N_a^g "
        "where N^as is meant; N^as(t), N_a^{Delta_a}(a), N_a^mu(t) are undefined",
    )


@BENCH.certified(
    "proof.stale_symbols.corrected", mutants={"uncapped": {"cap": False}, "negative term": {"linear": -52}}
)
def caps_are_defined_for_every_level(cap: bool = True, linear: int = 52) -> Finding:
    """For every mu > 0 the terms are nonnegative (times mu^2: 6 L and 24 V L + 52 L mu + mu^2), at mu = 0 they are
    +infinity; so min{., t-1} lies in [0, t-1], and is t-1 where the term is t-1 + s.
    """
    log, variance, mu, rounds, s = symbols("L V mu c s")
    hoeffding = (6 * log / mu**2 * mu**2).nonnegative_coefficients(log)
    bernstein = ((24 * variance * log / mu**2 + linear * log / mu + 1) * mu**2).nonnegative_coefficients(
        log, variance, mu
    )
    beyond = rounds if cap else rounds + s
    return Finding(
        hoeffding and bernstein and beyond.equals(rounds),
        "both terms are nonnegative for every level mu >= 0, on either side of the gap, so the caps lie in [0, t-1]",
    )
