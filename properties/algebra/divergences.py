"""Divergences and the asymptotic lower bounds: identities, monotonicity, limits of the proofs' steps (l.284-323)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product

from bufalu.bounds.divergences import bernoulli_entropy, gaussian_form, log_lower_bound
from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.expressions import exp, log, number, positives, real
from bufalu.bounds.families import Bernoulli, Bounded, Family, Gaussian, TwoFaced
from bufalu.bounds.lower import balance_level, lower_bounds
from bufalu.bounds.scarce import least_query_aware_regret, query_aware_regret
from bufalu.properties.algebra.formulas import integrated_gaussian_divergence, kl, portion
from bufalu.properties.claims.check import certified, erratum
from bufalu.properties.claims.evidence import Decided, EvidenceKind
from bufalu.reference.instances import Arm, Instance

HALF = Fraction(1, 2)
TWELFTHS = tuple(Fraction(k, 12) for k in range(1, 12))


@certified("kinf.definition", mutants={"wrong side": {"sign": -1}})
def bernoulli_divergence_grows_away_from_its_mean(sign: int = 1) -> Decided:
    """kl(p, .) is 0 at p, and its slope is (mu-p)/(mu(1-mu)), so the infimum beyond mu is kl(p, mu); at mu = 1 there is
    no such distribution. The product's numbers enclose the formula on a grid.
    """
    p, mu = positives("p mu")
    divergence = kl(p, mu)
    slope = sign * (mu - p) / (mu * (1 - mu))
    holds = divergence.substitute({"mu": p}).is_identically(0) and divergence.derivative("mu").is_identically(slope)
    unbounded = kl(number(HALF), mu).limit("mu", 1, "-").is_infinite
    family, cases = Bernoulli(), 0
    for mean, level in product(TWELFTHS, repeat=2):
        arm, value = Arm.bernoulli(mean), divergence.evaluate({"p": mean, "mu": level})
        found = (family.kinf_plus(arm, level), family.kinf_minus(arm, level))
        cases += 1
        if not (found[mean > level].overlaps(value) and found[mean <= level].is_zero):
            return Decided(False, f"Kinf of Ber({mean}) at {level} is not kl = {value}")
    empty = (
        family.kinf_plus(Arm.bernoulli(HALF), 1).is_infinite and family.kinf_minus(Arm.bernoulli(HALF), 0).is_infinite
    )
    return Decided(
        holds and unbounded and empty,
        "kl(p,p) = 0, d kl/d mu = (mu-p)/(mu(1-mu)), kl(1/2, mu) is unbounded as mu -> 1; Kinf of the product agrees",
        cases,
    )


@certified("kinf.gaussian", mutants={"variance two": {"variance": 2}})
def gaussian_divergence_is_half_the_squared_distance(variance: int = 1) -> Decided:
    """KL(N(m,1), N(m',1)) = (m-m')^2/2, by integration."""
    mean, other = real("m"), real("n")
    integrated = integrated_gaussian_divergence(mean, other)
    holds = integrated.is_identically(gaussian_form(mean - other, number(variance)))
    return Decided(holds, "KL(N(m,1),N(m',1)) integrates to (m-m')^2/2, which increases with the distance")


@certified("summary.gaussian_lower", mutants={"inverse without 2": {"factor": 1}})
def gaussian_lower_bounds_have_constant_two(factor: int = 2) -> Decided:
    """The lower bounds of the product, per ln T, are 2/Delta^2 for a Gaussian arm at distance Delta."""
    (gap,) = positives("d")
    found = lower_bounds(Instance.bernoulli([Fraction(3, 4), Fraction(1, 4)]), Gaussian(1))
    suboptimal = next(bound for bound in found.suboptimal if bound is not None)
    divergence = gaussian_form(gap, number(1))
    holds = all(
        bound.expression.substitute({name: divergence}).is_identically(factor / gap**2)
        for bound in (suboptimal, found.optimal)
        for name in bound.values
    )
    numbers = all(bound.evaluate().contains(factor * 4) for bound in (suboptimal, found.optimal))
    return Decided(
        holds and numbers,
        "1/KL at distance Delta is 2/Delta^2, for suboptimal arms and, at Delta_min, the optimal one; 8 at distance 1/2",
    )


@erratum("kinf.monotone", kind=EvidenceKind.ALGEBRA, mutants={"directions exchanged": {"sign": -1}})
def upward_divergence_increases_in_the_threshold(sign: int = 1) -> Decided:
    """E3: for N(0,1) and thresholds mu > 0 the divergence mu^2/2 has positive slope; the print says it decreases."""
    (mu,) = positives("mu")
    slope = sign * gaussian_form(mu, number(1)).derivative("mu")
    holds = slope.has_nonnegative_coefficients("mu")
    return Decided(holds, f"Kinf+(N(0,1), mu) = mu^2/2 has slope {slope} > 0: it increases in mu")


@certified("kinf.monotone.corrected", mutants={"reversed sets": {"sign": -1}})
def higher_thresholds_leave_fewer_distributions(sign: int = 1) -> Decided:
    """{mean > mu'} is inside {mean > mu} for mu <= mu', so the infimum cannot fall: m - mu = (m - mu') + d.

    Kinf of the product is ordered so on a grid.
    """
    mean_slack, step = positives("s d")
    # A distribution of mean mu' + s (s > 0) with mu' = mu + d (d >= 0) has mean - mu = s + d > 0.
    membership = mean_slack + sign * step
    nested = membership.has_nonnegative_coefficients("s", "d")
    families: tuple[Family, ...] = (Bernoulli(), Gaussian(1))
    ordered = all(
        family.kinf_plus(Arm.bernoulli(mean), low) <= family.kinf_plus(Arm.bernoulli(mean), high)
        and family.kinf_minus(Arm.bernoulli(mean), low) >= family.kinf_minus(Arm.bernoulli(mean), high)
        for family in families
        for mean in TWELFTHS
        for low, high in pairwise(TWELFTHS)
    )
    return Decided(
        nested and ordered, "mean - mu = (mean - mu') + (mu' - mu) > 0: the sets are nested, hence the infima ordered"
    )


@certified("kl.log_lower_bound", mutants={"ln 2 forgotten": {"entropy_bound": Fraction(1, 2)}})
def divergence_dominates_its_cross_terms(entropy_bound: Fraction = Fraction(1)) -> Decided:
    """kl = p ln(1/q) + (1-p) ln(1/(1-q)) - h(p) with h concave, largest at 1/2 where h = ln 2.

    The product's lower bound is below kl on a grid.
    """
    odds, other, p = positives("x y p")
    left, right = portion(odds), portion(other)
    cross_terms = -left * log(right) - (1 - left) * log(1 - right)
    splits = kl(left, right).is_identically(cross_terms + left * log(left) + (1 - left) * log(1 - left))
    negative_entropy = p * log(p) + (1 - p) * log(1 - p)
    slope = negative_entropy.derivative("p")
    convex = slope.derivative("p").is_identically(1 / p + 1 / (1 - p))
    lowest = negative_entropy.substitute({"p": HALF}).is_identically(-entropy_bound * log(2))
    stationary = slope.substitute({"p": HALF}).is_identically(0)
    below = all((bernoulli_entropy(a, b) - log_lower_bound(a, b)).is_positive for a, b in product(TWELFTHS, repeat=2))
    return Decided(
        splits and convex and lowest and stationary and below,
        "kl splits into the cross terms minus the entropy; the entropy is concave with maximum ln 2 at 1/2",
    )


@certified("lower.proof_steps", mutants={"smallest weight": {"sign": -1}})
def weighted_sums_are_at_most_sum_times_largest_weight(sign: int = 1) -> Decided:
    """With k = m + d: (x+y) k - (x k + y m) = y d; and 2 - p_a - p_b = 1 + (rest of the shares).

    So k x + m y >= 1 gives x + y >= 1/k, which is the product's bound on the sum, for pairs and for several optima.
    """
    x, y, m, d, a, b, rest = positives("x y m d a b r")
    k = m + sign * d
    hoelder = ((x + y) * k - (x * k + y * m)).has_nonnegative_coefficients("x", "y", "m", "d")
    total = a + b + rest
    shares = (2 - (a + b) / total - 1).is_identically(rest / total)
    (pair,) = lower_bounds(Instance.bernoulli([Fraction(3, 4), Fraction(1, 4)]), Bernoulli()).pairs
    several = lower_bounds(Instance.bernoulli([HALF, HALF]), Bernoulli()).several
    bounds = all(
        bound.expression.substitute({"K_1": m, "K_2": m + d}).is_identically(1 / (m + d))
        for bound in (pair.bound, *several)
    )
    return Decided(
        hoelder and shares and bounds,
        "(x+y)max{k,m} - xk - ym = y(k-m) for k >= m; 1 - p_a - p_b is the others' share; the bounds are 1/max{k,m}",
    )


@certified("lower.balancing_threshold.gaussian", mutants={"quarter point": {"position": Fraction(1, 4)}})
def gaussian_divergences_cross_at_the_midpoint(position: Fraction = HALF) -> Decided:
    """At x above the lower mean the two differ by d (x - d/2), where d is the gap: they are equal at the midpoint alone, and
    since the upward one grows with the threshold and the downward one falls, their maximum is smallest there.
    """
    x, gap = positives("x d")
    one = number(1)
    difference = gaussian_form(x, one) - gaussian_form(gap - x, one)
    once = difference.is_identically(gap * (x - position * gap))
    found = Enclosure.between(*balance_level(Gaussian(1), Arm.bernoulli(0), Arm.bernoulli(1))).contains(position)
    return Decided(
        once and found,
        "the divergences at mu_a + x differ by Delta_a (x - Delta_a/2), which is 0 at the midpoint alone; the product "
        "finds it for the means 0 and 1",
    )


@certified("lower.balancing_threshold.bernoulli", mutants={"entropies exchanged": {"sign": -1}})
def bernoulli_divergences_cross_once_between_the_means(sign: int = 1) -> Decided:
    """kl(p, mu) rises and kl(q, mu) falls for mu in (p, q), so they cross once, where ln((1-mu)/mu) = (h(p) - h(q))/(q - p)
    with h(x) = x ln x + (1-x) ln(1-x). The threshold that the product finds is that one.
    """
    p, q, mu = positives("p q mu")
    rises = kl(p, mu).derivative("mu").is_identically((mu - p) / (mu * (1 - mu)))
    falls = kl(q, mu).derivative("mu").is_identically(-(q - mu) / (mu * (1 - mu)))
    difference = kl(p, mu) - kl(q, mu)
    below = difference.substitute({"mu": p}).is_identically(-kl(q, p))
    above = difference.substitute({"mu": q}).is_identically(kl(p, q))
    entropies = p * log(p) + (1 - p) * log(1 - p) - q * log(q) - (1 - q) * log(1 - q)
    log_odds = sign * entropies / (q - p)
    crossing = 1 / (1 + exp(log_odds))
    means = {"p": Fraction(1, 5), "q": Fraction(2, 3)}
    ends = balance_level(Bernoulli(), Arm.bernoulli(means["p"]), Arm.bernoulli(means["q"]))
    found = Enclosure.between(*ends).overlaps(crossing.evaluate(means))
    return Decided(
        rises and falls and below and above and found,
        "kl(p,mu) rises and kl(q,mu) falls on (p,q), the difference goes from -kl(q,p) to kl(p,q); the product's crossing "
        "for the means 1/5 and 2/3 agrees with 1/(1 + e^c), c = (h(p) - h(q))/(q - p)",
    )


@erratum("lower.threshold_range", kind=EvidenceKind.ENCLOSURE, mutants={"two arms": {"worst": Fraction(9, 10)}})
def balancing_threshold_below_best_suboptimal_mean(worst: Fraction = Fraction(0)) -> Decided:
    """E4: Gaussian arms of means 1, 9/10, 0: the balancing threshold of the last arm is 1/2, below 9/10."""
    best, second = Fraction(1), Fraction(9, 10)
    _, threshold = balance_level(Gaussian(1), Arm.bernoulli(worst), Arm.bernoulli(best))
    return Decided(
        threshold < second,
        f"Gaussian means {best}, {second}, {worst}: mu_0 = {float(threshold)} of the last arm lies below mu^s = {second}",
    )


@certified("lower.threshold_range.corrected", mutants={"beyond the optimum": {"stretch": Fraction(3)}})
def balancing_threshold_lies_between_the_two_means(stretch: Fraction = Fraction(1)) -> Decided:
    """Kinf+(a, .) is 0 up to mu_a and Kinf-(*, .) is 0 from mu* on, so they balance in [mu_a, mu*], in three families;
    and a modified pair with means above and below mu_0 is strictly ordered.
    """
    threshold, up, down = positives("m u v")
    ordered = ((threshold + up) - (threshold - down)).has_nonnegative_coefficients("u", "v")
    families: tuple[Family, ...] = (Bernoulli(), Gaussian(1), Bounded())
    cases = 0
    for family, (low, high) in product(families, combinations(TWELFTHS[::2], 2)):
        arm, best = Arm.bernoulli(low), Arm.bernoulli(high)
        ends = balance_level(family, arm, best)
        cases += 1
        vanish = family.kinf_plus(arm, low).is_zero and family.kinf_minus(best, high).is_zero
        if not (vanish and low <= ends[0] and low + stretch * (ends[1] - low) <= high):
            return Decided(False, f"means {low}, {high} in {family.name}: mu_0 lies in [{ends[0]}, {ends[1]}]")
    return Decided(
        ordered,
        "mu_a <= mu_0 <= mu* for Bernoulli, Gaussian and bounded arms on a grid of means, where the divergences vanish at "
        "the ends; mu'_a - mu'_* is a sum of two slacks > 0",
        cases,
    )


@certified("lower.strictness_of_mean", mutants={"both weak": {"strict": 0}})
def one_strict_mean_orders_the_pair(strict: int = 1) -> Decided:
    """mean'_a = mu + u and mean'_* = mu - v with v > 0 differ by u + v, which is positive also at u = 0."""
    up, down = positives("u v")
    difference = up + strict * down
    above = difference.has_nonnegative_coefficients("u", "v")
    at_the_threshold = difference.substitute({"u": 0}).has_nonnegative_coefficients("v")
    return Decided(above and at_the_threshold, "E nu'_a - E nu'_* = u + v > 0 for u >= 0 and v > 0")


@certified("lower.example_d1_d2", mutants={"threshold above x": {"shift": Fraction(1, 100)}})
def example_families_have_the_stated_divergences(shift: Fraction = Fraction(0)) -> Decided:
    """Ber(x) puts mass on 0, which no member of D2 does; delta_x puts mass on x, which no member of D1 does.

    The product's family D1 u D2 says so at x = 1/12..11/12.
    """
    x, h = positives("x h")
    below = kl(x, x - h).limit("h", 0).is_identically(0)
    above = (log(1 - x) - log(1 - x - h)).limit("h", 0).is_identically(0)
    for point in TWELFTHS:
        family, level = TwoFaced(point), point + shift
        bernoulli, certain = Arm.bernoulli(point), Arm.deterministic(point)
        first = family.kinf_minus(bernoulli, level).is_zero and family.kinf_plus(bernoulli, level).is_infinite
        second = family.kinf_plus(certain, level).is_zero and family.kinf_minus(certain, level).is_infinite
        if not (first and second):
            return Decided(False, f"x = {point}: the divergences at {level} are not 0 and infinite")
    return Decided(
        below and above,
        "kl(x, x-h) -> 0 and ln((1-x)/(1-x-h)) -> 0 as h -> 0; across the families absolute continuity fails: infinite",
    )


@erratum("lower.example_sample_count", kind=EvidenceKind.ENCLOSURE, mutants={"x = 1/2": {"x": HALF}})
def printed_sample_count_is_too_small(x: Fraction = Fraction(9, 10), delta: Fraction = Fraction(1, 100)) -> Decided:
    """E6: at x = 9/10, delta = 1/100 the printed count is 2, and 2 samples miss a zero with probability 81/100."""
    printed = Enclosure.of(1 / delta).log() / Enclosure.of(1 / (1 - x)).log()
    count = 1
    while (printed - count).is_positive:
        count += 1
    missed = x**count
    return Decided(
        missed > delta,
        f"x = {x}, delta = {delta}: {count} samples of the printed formula miss a zero with probability {missed}",
    )


@certified("lower.example_sample_count.corrected", kind=EvidenceKind.ENCLOSURE, mutants={"one fewer": {"shift": -1}})
def corrected_sample_count_is_exact(shift: int = 0) -> Decided:
    """With X = ln(1/x), D = ln(1/delta) and n = D/X + s: n X - D = s X, so x^n <= delta exactly for s >= 0. The least
    such whole n is compared with the rounded formula on a grid of x and delta.
    """
    log_x, log_delta, s = positives("X D s")
    if not ((log_delta / log_x + s) * log_x - log_delta).is_identically(s * log_x):
        return Decided(False, "n ln(1/x) - ln(1/delta) is not a multiple of the excess")
    cases = 0
    for tenths in range(1, 10):
        x = Fraction(tenths, 10)
        for power in range(1, 8):
            delta = Fraction(1, 7**power)
            least = 1
            while x**least > delta:
                least += 1
            formula = Enclosure.of(1 / delta).log() / Enclosure.of(1 / x).log()
            count = least + shift
            # ceil(formula) = count, certified: count - 1 < formula <= count (never equal: 7 is no power of x).
            if not ((count - formula).is_positive and (formula - (count - 1)).is_positive):
                return Decided(False, f"x = {x}, delta = {delta}: {count} is not the rounded formula {formula}")
            cases += 1
    return Decided(
        True,
        "n ln(1/x) - ln(1/delta) = s ln(1/x) for n = ln(1/delta)/ln(1/x) + s; the whole numbers agree on a grid",
        cases,
    )


@certified("costs.query_aware_regret", mutants={"more queries than plays": {"sign": -1}})
def query_aware_regret_dominates_queries(sign: int = 1) -> Decided:
    """With n = q + u (plays = queries + unqueried plays): gap n + c q - (gap + c) q = gap u >= 0.

    Both sums of the product are polynomials of degree at most 2 in each variable, so three values of each decide.
    """
    gap, cost, queries, unqueried = positives("g c q u")
    plays = queries + sign * unqueried
    difference = gap * plays + cost * queries - (gap + cost) * queries
    for delta, charge, asked, silent in product(map(Fraction, range(3)), repeat=4):
        counts = [Enclosure.of(asked)]
        found = query_aware_regret([delta], charge, counts, [Enclosure.of(asked + silent)])
        if not found.contains(least_query_aware_regret([delta], charge, counts).lower + delta * silent):
            return Decided(
                False, f"gap {delta}, cost {charge}, {asked} queries, {silent} others: not gap times others"
            )
    return Decided(
        difference.has_nonnegative_coefficients("g", "c", "q", "u"),
        "arm by arm, Delta n + c q - (Delta + c) q = Delta (n - q) >= 0, in the sums that the product evaluates",
    )
