"""Divergences and the asymptotic lower bounds: identities, monotonicity, limits of the proofs' steps (l.284-323)."""

from __future__ import annotations

from fractions import Fraction

from bufalu.properties.algebra import balls
from bufalu.properties.algebra.grids import Bench, Finding
from bufalu.properties.algebra.symbolic import Term, exp, gaussian_divergence, kl, ln, number, real_symbols, symbols
from bufalu.properties.claims.evidence import EvidenceKind

BENCH = Bench()

HALF = Fraction(1, 2)


@BENCH.certified("kinf.definition", mutants={"wrong side": {"sign": -1}})
def bernoulli_divergence_grows_away_from_its_mean(sign: int = 1) -> Finding:
    """kl(p, .) is 0 at p, and its slope is (mu-p)/(mu(1-mu)), so the infimum beyond mu is kl(p, mu); mu = 1 is
    empty.
    """
    p, mu = symbols("p mu")
    divergence = kl(p, mu)
    slope = sign * (mu - p) / (mu * (1 - mu))
    holds = divergence.at({mu: p}).equals(0) and divergence.derivative(mu).equals(slope)
    unbounded = kl(number(HALF), mu).limit(mu, 1, "-").is_infinite
    return Finding(
        holds and unbounded, "kl(p,p) = 0, d kl/d mu = (mu-p)/(mu(1-mu)), and kl(1/2, mu) is unbounded as mu -> 1"
    )


@BENCH.certified("kinf.gaussian", mutants={"no half": {"factor": Fraction(1)}})
def gaussian_divergence_is_half_the_squared_distance(factor: Fraction = HALF) -> Finding:
    """KL(N(m,1), N(m',1)) = (m-m')^2/2, by integration."""
    mean, other = real_symbols("m n")
    holds = gaussian_divergence(mean, other).equals(factor * (mean - other) ** 2)
    return Finding(holds, "KL(N(m,1),N(m',1)) integrates to (m-m')^2/2, which increases with the distance")


@BENCH.certified("summary.gaussian_lower", mutants={"inverse without 2": {"factor": 1}})
def gaussian_lower_bounds_have_constant_two(factor: int = 2) -> Finding:
    """1/Kinf = 2/Delta^2."""
    mean, gap = symbols("m d")
    holds = (1 / gaussian_divergence(mean, mean + gap)).equals(factor / gap**2)
    return Finding(
        holds, "1/KL at distance Delta is 2/Delta^2, for suboptimal arms and, at Delta_min, the optimal one"
    )


@BENCH.erratum("kinf.monotone", kind=EvidenceKind.ALGEBRA, mutants={"directions exchanged": {"sign": -1}})
def upward_divergence_increases_in_the_threshold(sign: int = 1) -> Finding:
    """E3: for N(0,1) and thresholds mu > 0 the divergence mu^2/2 has positive slope; the print says it decreases."""
    (mu,) = symbols("mu")
    slope = sign * (mu**2 / 2).derivative(mu)
    holds = slope.nonnegative_coefficients(mu)
    return Finding(holds, f"Kinf+(N(0,1), mu) = mu^2/2 has slope {slope} > 0: it increases in mu")


@BENCH.certified("kinf.monotone.corrected", mutants={"reversed sets": {"sign": -1}})
def higher_thresholds_leave_fewer_distributions(sign: int = 1) -> Finding:
    """{mean > mu'} is inside {mean > mu} for mu <= mu', so the infimum cannot fall; checked as m - mu = (m - mu') +
    d.
    """
    mean_slack, step = symbols("s d")
    # A distribution of mean mu' + s (s > 0) with mu' = mu + d (d >= 0) has mean - mu = s + d > 0.
    membership = mean_slack + sign * step
    holds = membership.nonnegative_coefficients(mean_slack, step)
    return Finding(holds, "mean - mu = (mean - mu') + (mu' - mu) > 0: the sets are nested, hence the infima ordered")


@BENCH.certified("kl.log_lower_bound", mutants={"ln 2 forgotten": {"entropy_bound": Fraction(1, 2)}})
def divergence_dominates_its_cross_terms(entropy_bound: Fraction = Fraction(1)) -> Finding:
    """kl = p ln(1/q) + (1-p) ln(1/(1-q)) - h(p) with h convex down, largest at 1/2 where h = ln 2."""
    p, q = symbols("p q")
    negative_entropy = p * ln(p) + (1 - p) * ln(1 - p)
    splits = kl(p, q).equals(-p * ln(q) - (1 - p) * ln(1 - q) + negative_entropy)
    slope = negative_entropy.derivative(p)
    convex = slope.derivative(p).equals(1 / p + 1 / (1 - p))
    lowest = slope.at({p: HALF}).equals(0) and negative_entropy.at({p: HALF}).equals(-entropy_bound * ln(2))
    return Finding(
        splits and convex and lowest,
        "kl splits into the cross terms minus the entropy; the entropy is concave with maximum ln 2 at 1/2",
    )


@BENCH.argued(
    "lower.suboptimal_arms",
    "lower.unique_optimal_arm",
    "lower.unique_pair.corrected",
    mutants={"exponent kept": {"share_exponent": Fraction(1)}},
)
def normalised_lower_bound_tends_to_one_minus_alpha(share_exponent: Fraction = HALF) -> Finding:
    """((1 - T^(a-1)) ln(T^(1-a)) - ln 2)/ln T -> 1 - a; shown for a = 1/2, 1/10 and 1/100 with L = ln T."""
    (log_horizon,) = symbols("L")
    holds = True
    for alpha in (HALF, Fraction(1, 10), Fraction(1, 100)):
        share = _power_of_horizon(log_horizon, (alpha - 1) * 2 * (1 - share_exponent))
        bound = ((1 - share) * (1 - alpha) * log_horizon - ln(2)) / log_horizon
        holds = holds and bound.limit_at_infinity(log_horizon).equals(1 - alpha)
    return Finding(
        holds, "the proof's right side over ln T tends to 1 - alpha (alpha = 1/2, 1/10, 1/100); then alpha -> 0"
    )


@BENCH.argued("lower.optimal_share_tends_to_one", mutants={"linear plays": {"alpha": Fraction(1)}})
def optimal_share_tends_to_one(alpha: Fraction = HALF) -> Finding:
    """1 - K T^(alpha-1) -> 1 for alpha < 1."""
    log_horizon, arms = symbols("L K")
    share = 1 - arms * _power_of_horizon(log_horizon, alpha - 1)
    return Finding(
        share.limit_at_infinity(log_horizon).equals(1), "1 - K T^(alpha-1) tends to 1 (alpha = 1/2, any K)"
    )


@BENCH.certified("lower.proof_steps", mutants={"smallest weight": {"sign": -1}})
def weighted_sums_are_at_most_sum_times_largest_weight(sign: int = 1) -> Finding:
    """With k = m + d: (x+y) k - (x k + y m) = y d; and 2 - p_a - p_b = 1 + (rest of the shares)."""
    x, y, m, d, a, b, rest = symbols("x y m d a b r")
    k = m + sign * d
    hoelder = ((x + y) * k - (x * k + y * m)).nonnegative_coefficients(x, y, m, d)
    total = a + b + rest
    shares = (2 - (a + b) / total - 1).equals(rest / total)
    return Finding(
        hoelder and shares, "(x+y)max{k,m} - xk - ym = y(k-m) for k >= m; 1 - p_a - p_b is the others' share"
    )


@BENCH.certified(
    "lower.discussion", mutants={"quarter point": {"position": Fraction(1, 4)}, "entropies exchanged": {"sign": -1}}
)
def divergences_cross_once_between_the_means(position: Fraction = HALF, sign: int = 1) -> Finding:
    """Gaussian: equal at the midpoint. Bernoulli: kl(p, mu) rises and kl(q, mu) falls for mu in (p, q), so they cross
    once, where ln((1-mu)/mu) = (h(p) - h(q))/(q - p) with h(x) = x ln x + (1-x) ln(1-x).
    """
    low, gap = symbols("m d")
    threshold = low + position * gap
    gaussian = ((threshold - low) ** 2).equals((low + gap - threshold) ** 2)
    p, q, mu = symbols("p q mu")
    rises = kl(p, mu).derivative(mu).equals((mu - p) / (mu * (1 - mu)))
    falls = kl(q, mu).derivative(mu).equals(-(q - mu) / (mu * (1 - mu)))
    difference = kl(p, mu) - kl(q, mu)
    ends = difference.at({mu: p}).equals(-kl(q, p)) and difference.at({mu: q}).equals(kl(p, q))
    entropies = p * ln(p) + (1 - p) * ln(1 - p) - q * ln(q) - (1 - q) * ln(1 - q)
    log_odds = sign * entropies / (q - p)
    log_mu, log_rest = -ln(1 + exp(log_odds)), log_odds - ln(1 + exp(log_odds))
    crossing = entropies - (p - q) * log_mu - (q - p) * log_rest
    return Finding(
        gaussian and rises and falls and ends and crossing.equals(0),
        "Gaussian: midpoint; Bernoulli: kl(p,mu) rises and kl(q,mu) falls on (p,q), the difference goes from -kl(q,p) "
        "to kl(p,q), and is 0 at 1/(1 + e^c) with c = (h(p) - h(q))/(q - p)",
    )


@BENCH.erratum("lower.threshold_range", kind=EvidenceKind.ALL_CASES, mutants={"two arms": {"worst": Fraction(9, 10)}})
def balancing_threshold_below_best_suboptimal_mean(
    best: Fraction = Fraction(1), second: Fraction = Fraction(9, 10), worst: Fraction = Fraction(0)
) -> Finding:
    """E4: Gaussian arms of means 1, 9/10, 0: the balancing threshold of the last arm is 1/2, below 9/10."""
    threshold = (best + worst) / 2
    return Finding(
        threshold < second,
        f"Gaussian means {best}, {second}, {worst}: mu_0 = {threshold} of the last arm lies below mu^s = {second}",
    )


@BENCH.certified("lower.threshold_range.corrected", mutants={"beyond the optimum": {"position": Fraction(3, 2)}})
def balancing_threshold_lies_between_the_two_means(position: Fraction = HALF) -> Finding:
    """mu_a <= mu_0 <= mu*, and a modified pair with means above and below mu_0 is strictly ordered."""
    low, gap, up, down = symbols("m d u v")
    threshold = low + position * gap
    inside = (threshold - low).nonnegative_coefficients(gap) and (low + gap - threshold).nonnegative_coefficients(gap)
    ordered = ((threshold + up) - (threshold - down)).nonnegative_coefficients(up, down)
    return Finding(
        inside and ordered, "mu_0 - mu_a = mu* - mu_0 = Delta/2 > 0; mu'_a - mu'_* is a sum of two slacks > 0"
    )


@BENCH.erratum(
    "lower.strictness_of_mean", kind=EvidenceKind.ALL_CASES, mutants={"no boundary member": {"at_boundary": False}}
)
def weak_and_strict_infima_differ(at_boundary: bool = True) -> Finding:
    """E27: in {Ber(1/4), Ber(1/2)} at mu = 1/2 the weak infimum is finite and the strict one infinite."""
    family = [Fraction(1, 4), HALF] if at_boundary else [Fraction(1, 4)]
    mu = HALF
    weak = [mean for mean in family if mean >= mu]
    strict = [mean for mean in family if mean > mu]
    return Finding(
        bool(weak) and not strict,
        "D = {Ber(1/4), Ber(1/2)}, mu = 1/2: mean >= mu leaves Ber(1/2) (finite), mean > mu leaves nothing "
        "(infinite)",
    )


@BENCH.certified("lower.strictness_of_mean.corrected", mutants={"both weak": {"strict": 0}})
def one_strict_mean_orders_the_pair(strict: int = 1) -> Finding:
    """mean'_a = mu + u and mean'_* = mu - v with v > 0 differ by u + v, which is positive also at u = 0."""
    up, down = symbols("u v")
    difference = up + strict * down
    above = difference.nonnegative_coefficients(up, down)
    at_the_threshold = difference.at({up: 0}).nonnegative_coefficients(down)
    return Finding(above and at_the_threshold, "E nu'_a - E nu'_* = u + v > 0 for u >= 0 and v > 0")


@BENCH.certified("lower.example_d1_d2", mutants={"mass elsewhere": {"same_support": True}})
def example_families_have_the_stated_divergences(same_support: bool = False) -> Finding:
    """Ber(x) puts mass on 0, which no member of D2 does; delta_x puts mass on x, which no member of D1 does."""
    x, h = symbols("x h")
    below = kl(x, x - h).limit(h, 0).equals(0)
    above = (ln(1 - x) - ln(1 - x - h)).limit(h, 0).equals(0)
    first_family, second_family = {"0", "1"}, {"x", "1"}
    if same_support:
        second_family = {"0", "x", "1"}
    infinite = not {"0", "1"} <= second_family and not {"x"} <= first_family
    return Finding(
        below and above and infinite,
        "kl(x, x-h) -> 0 and ln((1-x)/(1-x-h)) -> 0 as h -> 0; across the families absolute continuity fails: "
        "infinite",
    )


@BENCH.erratum("lower.example_sample_count", kind=EvidenceKind.ENCLOSURE, mutants={"x = 1/2": {"x": HALF}})
def printed_sample_count_is_too_small(x: Fraction = Fraction(9, 10), delta: Fraction = Fraction(1, 100)) -> Finding:
    """E6: at x = 9/10, delta = 1/100 the printed count is 2, and 2 samples miss a zero with probability 81/100."""
    printed = balls.ln(1 / delta) / balls.ln(1 / (1 - x))
    count = 1
    while (printed - count).positive:
        count += 1
    missed = x**count
    return Finding(
        missed > delta,
        f"x = {x}, delta = {delta}: {count} samples of the printed formula miss a zero with probability {missed}",
    )


@BENCH.certified(
    "lower.example_sample_count.corrected", kind=EvidenceKind.ENCLOSURE, mutants={"one fewer": {"shift": -1}}
)
def corrected_sample_count_is_exact(shift: int = 0) -> Finding:
    """With X = ln(1/x), D = ln(1/delta) and n = D/X + s: n X - D = s X, so x^n <= delta exactly for s >= 0. The least
    such whole n is compared with the rounded formula on a grid of x and delta.
    """
    log_x, log_delta, s = symbols("X D s")
    if not ((log_delta / log_x + s) * log_x - log_delta).equals(s * log_x):
        return Finding(False, "n ln(1/x) - ln(1/delta) is not a multiple of the excess")
    cases = 0
    for tenths in range(1, 10):
        x = Fraction(tenths, 10)
        for power in range(1, 8):
            delta = Fraction(1, 7**power)
            least = 1
            while x**least > delta:
                least += 1
            formula = balls.ln(1 / delta) / balls.ln(1 / x)
            count = least + shift
            # ceil(formula) = count, certified: count - 1 < formula <= count (never equal: 7 is no power of x).
            if not ((count - formula).positive and (formula - (count - 1)).positive):
                return Finding(False, f"x = {x}, delta = {delta}: {count} is not the rounded formula {formula}")
            cases += 1
    return Finding(
        True,
        "n ln(1/x) - ln(1/delta) = s ln(1/x) for n = ln(1/delta)/ln(1/x) + s; the whole numbers agree on a grid",
        cases,
    )


@BENCH.certified("costs.query_aware_regret", mutants={"more queries than plays": {"sign": -1}})
def query_aware_regret_dominates_queries(sign: int = 1) -> Finding:
    """With n = q + u (plays = queries + unqueried plays): gap n + c q - (gap + c) q = gap u >= 0."""
    gap, cost, queries, unqueried = symbols("g c q u")
    plays = queries + sign * unqueried
    difference = gap * plays + cost * queries - (gap + cost) * queries
    return Finding(
        difference.nonnegative_coefficients(gap, cost, queries, unqueried),
        "arm by arm, Delta n + c q - (Delta + c) q = Delta (n - q) >= 0",
    )


@BENCH.argued("costs.no_logarithmic_regret", mutants={"no cost": {"cost": 0}})
def super_logarithmic_queries_cost_more_than_logarithmic(cost: int = 1) -> Finding:
    """Reg^q >= c q with q/ln T unbounded (q = L^(1+h)): c L^h tends to infinity with L = ln T."""
    (log_horizon,) = symbols("L")
    ratio = cost * log_horizon ** (1 + Fraction(1, 10)) / log_horizon
    return Finding(
        ratio.limit_at_infinity(log_horizon).is_infinite, "c (ln T)^(1+h)/ln T tends to infinity (h = 1/10)"
    )


def _power_of_horizon(log_horizon: Term, exponent: Fraction) -> Term:
    """T^exponent with L = ln T."""
    return exp(exponent * log_horizon)
