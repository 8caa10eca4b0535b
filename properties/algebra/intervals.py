"""Regularity of the confidence intervals: roots, tails, variances and the constants of the lemmas (l.1123-1368)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

from bufalu.bounds import BERNSTEIN, HOEFFDING
from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.expressions import exp, log, positives, sqrt
from bufalu.bounds.failures import least_failures, repaired_failures
from bufalu.bounds.maxima import LevelRule, capped, walked_maximum
from bufalu.bounds.regularity import bernstein_budget_terms
from bufalu.properties.algebra.formulas import (
    bernstein_count,
    hoeffding_count,
    larger_bernstein_cap,
    numbers_follow_formula,
    smaller_bernstein_cap,
    zeta,
)
from bufalu.properties.claims.check import certified, erratum, exact, gap
from bufalu.properties.claims.evidence import Decided, EvidenceKind
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO, Exact, log_root, root
from bufalu.reference.schedules import BernsteinBudget, Values
from bufalu.reference.state import State
from bufalu.reference.view import ExactView


@certified("regular.hoeffding.width_nonnegative", mutants={"at least one": {"least": 1}})
def hoeffding_width_squared_is_nonnegative(least: int = 0) -> Decided:
    """CI^2 n = mu^2 N(t, mu) = 6 ln t with ln t >= 0; the reference's width is 0 at t = 1 and +infinity without queries."""
    logarithm, mu = positives("L mu")
    nonnegative = (mu**2 * hoeffding_count(logarithm, mu)).has_nonnegative_coefficients("L")
    state = State(1)
    unknown = ExactView(state, confidence_named("hoeffding"), 2, ZERO).width(1)
    for n in range(1, 21):
        state.record(1, n % 2)
        for t in (1, 2, 100):
            if ExactView(state, confidence_named("hoeffding"), t, ZERO).width(1) < Exact.of(least):
                return Decided(False, f"the width after {n} queries is below {least} at t = {t}")
    return Decided(nonnegative and unknown.is_infinite, "CI^2 n = 6 ln t >= 0; n = 0: +infinity", 60)


@exact("regular.hoeffding.mean_covered", mutants={"half the radius": {"scale": Fraction(1, 2)}})
def good_event_is_coverage(scale: Fraction = Fraction(1)) -> Decided:
    """On every sample of at most six rewards 0/1 and means k/8: |mean - mu| <= radius is mu in [LCB, UCB]."""
    cases = 0
    for n in range(1, 7):
        for total in range(n + 1):
            for eighths in range(9):
                distance = abs(Fraction(total, n) - Fraction(eighths, 8))
                state = State(1)
                for position in range(n):
                    state.record(1, 1 if position < total else 0)
                view = ExactView(state, confidence_named("hoeffding"), 2, ZERO)
                mu = Exact.of(Fraction(eighths, 8))
                inside = view.lcb(1) <= mu <= view.ucb(1)
                # distance^2 <= 3 ln 2/(2 n), decided with balls (never equal: ln 2 is irrational)
                within = (scale**2 * 3 * Enclosure.of(2).log() / (2 * n) - distance**2).is_positive
                cases += 1
                if inside != within:
                    return Decided(
                        False, f"{total} of {n} rewards 1, mean {eighths}/8: coverage and distance disagree"
                    )
    return Decided(True, "mu in [LCB, UCB] and |mean - mu| <= radius agree on every sample", cases)


@gap("regular.hoeffding.failure_probability", kind=EvidenceKind.ALGEBRA, mutants={"one-sided": {"sides": 1}})
def two_sided_tail_has_factor_two(sides: int = 2) -> Decided:
    """E14: 2 exp(-2 n r^2) at r^2 = 3 L/(2n) is 2/t^3, and the printed shortcut would then sum to 2 K zeta(2) > 2K."""
    logarithm, n = positives("L n")
    tail = sides * exp(-2 * n * (3 * logarithm / (2 * n)))
    differs = tail.is_identically(2 * exp(-3 * logarithm))
    too_much = (sides * zeta(2) - 2).is_positive
    return Decided(
        differs and too_much,
        f"Hoeffding's two-sided inequality gives 2/t^3, which is not the printed 1/t^3; with t-1 <= t as printed the sum "
        f"is then 2 K zeta(2) = {2 * zeta(2)} K > 2K. That the probability itself exceeds 1/t^3 is not shown",
    )


@certified(
    "regular.hoeffding.failure_probability.corrected",
    kind=EvidenceKind.ENCLOSURE,
    mutants={"C = K/2": {"constant": Fraction(1, 2)}},
)
def failure_probabilities_sum_to_less_than_k(constant: Fraction = Fraction(1)) -> Decided:
    """sum over t >= 2 of 2 (t-1)/t^3 = 2 (zeta(2) - 1) - 2 (zeta(3) - 1) < 1 < C(T)/K; the product's sums agree."""
    total = 2 * (zeta(2) - zeta(3))
    partial = sum((Fraction(2 * (t - 1), t**3) for t in range(2, 201)), start=Fraction(0))
    product = repaired_failures(1, 200).contains(partial) and (partial - least_failures(1, 200)).is_positive
    stated = (HOEFFDING.failure_sum(1) - total).is_positive and HOEFFDING.failure_sum(3) == 6
    return Decided(
        product and stated and (constant - total).is_positive and (total - partial).is_positive,
        f"2 (zeta(2) - zeta(3)) = {total} < 1: C = 2K holds, and C = K would do",
        slack=f"{2 - total} K to spare below the printed 2K",
    )


@erratum(
    "regular.hoeffding.closed_form_index",
    kind=EvidenceKind.ENCLOSURE,
    mutants={"constant epsilon": {"first": Fraction(1, 4)}},
)
def closed_form_depends_on_the_unbound_round(first: Fraction = Fraction(4)) -> Decided:
    """E15: epsilon = (4, 4, ..., 1/4), T = 20: inserting epsilon(1) gives 6 ln 20/16, inserting epsilon(T) gives 19."""
    last = Fraction(1, 4)
    printed, correct = (Enclosure.of(capped(HOEFFDING.sure, Exact.of(level), 20)) for level in (first, last))
    return Decided(
        (correct - printed).is_positive,
        f"epsilon falls from {first} to {last} by T = 20: with epsilon(1) the printed form is {printed}, the maximum is "
        f"{correct}; at t = 1 the budget schedule gives 0/0",
    )


@exact("regular.hoeffding.closed_form_index.corrected", mutants={"epsilon rises": {"step": -1}})
def closed_form_at_the_horizon_is_the_maximum(step: int = 1) -> Decided:
    """All nonincreasing sequences of three plateaus over {2, 1, 1/2, 1/10}: the cap at T is the maximum over t <= T."""
    levels = [Fraction(2), Fraction(1), Fraction(1, 2), Fraction(1, 10)]
    cases = 0
    for chosen in combinations_with_replacement(levels, 3):
        sequence = [level for level in chosen[::step] for _ in range(4)]
        largest = walked_maximum(HOEFFDING.sure, LevelRule(0), Values(tuple(sequence)), 1, len(sequence))
        cases += 1
        if not Enclosure.of(largest.count).overlaps(capped(HOEFFDING.sure, Exact.of(sequence[-1]), len(sequence))):
            return Decided(False, f"{[str(x) for x in sequence]}: an earlier cap exceeds the one at T")
    return Decided(True, "the maximum over t <= T is the value at T", cases)


@certified("regular.bernstein.failure_probability", mutants={"confidence t^-2": {"power": 2}})
def cited_inequalities_give_the_printed_radii(power: int = 3) -> Decided:
    """Maurer-Pontil: sqrt(2 V ln(2/d)/n) + 7 ln(2/d)/(3(n-1)) at d = 2/t^3, and sqrt(2 ln(1/d)/(n-1)) at d = 1/t^3.

    Twice that radius is the reference's width, exactly, on samples of 2..8 rewards; C(T) = 12K exceeds the failures.
    """
    logarithm, variance, n = positives("L V n")
    confidence = power * logarithm
    mean = sqrt(2 * variance * confidence / n) + 7 * confidence / (3 * (n - 1))
    printed_mean = sqrt(6 * variance * logarithm / n) + 7 * logarithm / (n - 1)
    deviation = (2 * confidence / (n - 1)).is_identically(6 * logarithm / (n - 1))
    slack = BERNSTEIN.failure_sum(1) - 6 * zeta(2)
    for count, ones in product(range(2, 9), range(9)):
        state = State(1)
        for position in range(count):
            state.record(1, int(position < ones))
        share = Fraction(min(ones, count), count)
        sample_variance = Fraction(count, count - 1) * (share - share**2)
        width = ExactView(state, confidence_named("bernstein"), 7, ZERO).width(1)
        radius = root(6 * sample_variance / count) * log_root(7) + Exact.of(Fraction(7, count - 1)) * log_root(7, 2)
        if width != Exact.of(2) * radius:
            return Decided(
                False, f"{ones} of {count} rewards 1: the reference's width is not twice the printed radius"
            )
    return Decided(
        mean.is_identically(printed_mean) and deviation and slack.is_positive,
        f"two sides: 2 (2/t^3) + 2/t^3 = 6/t^3; 6 zeta(2) = {6 * zeta(2)} < 12 (and 6 (zeta(2) - zeta(3)) with t-1 kept)",
        slack=f"{slack} K to spare below the printed 12K",
    )


@erratum("regular.bernstein.nonnegative_index", kind=EvidenceKind.ENCLOSURE, mutants={"same round": {"horizon": 2}})
def width_of_a_round_does_not_contain_the_horizon(horizon: int = 100) -> Decided:
    """E28: at t = 2 with two equal rewards the width is 14 ln 2, whatever T is."""
    state = State(1)
    state.record(1, 1)
    state.record(1, 1)
    width = ExactView(state, confidence_named("bernstein"), 2, ZERO).width(1)
    low, high = width.enclosure(12)
    at_t, at_horizon = 14 * Enclosure.of(2).log(), 14 * Enclosure.of(horizon).log()
    inside = (at_t - Fraction(low)).is_positive and (Fraction(high) - at_t).is_positive
    return Decided(
        inside and (at_horizon - at_t).is_positive,
        f"t = 2, T = {horizon}: CI = 14 ln 2 = {at_t}, not 14 ln T = {at_horizon}",
    )


@certified("regular.bernstein.nonnegative_index.corrected", mutants={"ln(t/2)": {"shift": -1}})
def bernstein_width_is_nonnegative(shift: int = 0) -> Decided:
    """ln t vanishes at t = 1 and has slope 1/t > 0, so every term of the width is nonnegative."""
    (t,) = positives("t")
    logarithm = log(t) + shift * log(2)
    grows = logarithm.derivative("t").is_identically(1 / t)
    width = ExactView(State(1), confidence_named("bernstein"), 2, ZERO).width(1)
    return Decided(
        logarithm.substitute({"t": 1}).is_identically(0) and grows and width.is_infinite,
        "ln 1 = 0, slope 1/t > 0; n <= 1: +infinity",
    )


@erratum("bernstein.variance_indices", kind=EvidenceKind.ALL_CASES, mutants={"right index": {"fixed": False}})
def printed_variance_can_be_negative(fixed: bool = True) -> Decided:
    """E18: rewards 1, 0, 0 at t = 3: with R_t^2 inside the sum the printed variance is 3/2 (0 - 1/9) = -1/6."""
    rewards = [Fraction(1), Fraction(0), Fraction(0)]
    n = len(rewards)
    squares = sum((rewards[-1] if fixed else reward) ** 2 for reward in rewards) / n
    mean = sum(rewards) / n
    variance = Fraction(n, n - 1) * (squares - mean**2)
    return Decided(
        variance < 0, f"rewards 1, 0, 0: the printed formula gives {variance}, the unbiased variance is 1/3"
    )


@certified("bernstein.variance_indices.corrected", mutants={"biased": {"shift": 0}})
def unbiased_variance_identity(shift: int = 1) -> Decided:
    """For every n, with a = sum of x and b = sum of x^2: the sum of (x - a/n)^2 is b - 2 (a/n) a + n (a/n)^2, and over
    n - 1 it is n/(n-1) (b/n - (a/n)^2).
    """
    total, squares, n = positives("a b n")
    mean = total / n
    about_the_mean = squares - 2 * mean * total + n * mean**2
    printed = n / (n - 1) * (squares / n - mean**2)
    return Decided(
        printed.is_identically(about_the_mean / (n - shift)),
        "n/(n-1) (b/n - (a/n)^2) = (b - 2 (a/n) a + n (a/n)^2)/(n-1) for every n >= 2, a and b the sums of rewards and "
        "of their squares",
    )


@exact(
    "bernstein.undefined_count.corrected", kind=EvidenceKind.REFERENCE_RUN, mutants={"two needed": {"finite_from": 1}}
)
def bernstein_interval_is_infinite_below_two_queries(finite_from: int = 2) -> Decided:
    """The reference's width after 0, 1, 2, 3 queries."""
    state = State(1)
    for n in range(4):
        width = ExactView(state, confidence_named("bernstein"), 5, ZERO).width(1)
        if width.is_infinite != (n < finite_from):
            return Decided(False, f"after {n} queries the width is {float(width)}")
        state.record(1, 1)
    return Decided(True, "the width is infinite after 0 and 1 queries, finite after 2 and 3", 4)


@certified("bernstein.variance_cap", mutants={"1/5": {"largest": Fraction(1, 5)}})
def variance_of_unit_rewards_is_at_most_a_quarter(largest: Fraction = Fraction(1, 4)) -> Decided:
    """1/4 - (x - x^2) = (x - 1/2)^2, and r - r^2 = r (1 - r) >= 0 for r in [0, 1]."""
    x, r, s = positives("x r s")
    square = (largest - (x - x**2)).is_identically((x - Fraction(1, 2)) ** 2)
    # r in [0, 1] as r/(r+s)
    share = r / (r + s)
    product = ((share - share**2) * (r + s) ** 2).is_identically(r * s)
    return Decided(square and product, "x - x^2 <= 1/4 by a square; R^2 <= R on [0, 1]; times n/(n-1)")


@certified("bernstein.width_under_good_event", mutants={"25": {"constant": 25}})
def width_under_the_good_event(constant: int = 26) -> Decided:
    """2 sqrt(6 L/n) sqrt(6 L/(n-1)) = 12 L/sqrt(n(n-1)) <= 12 L/(n-1); 12 + 14 = 26; 2 sqrt(6VL) = sqrt(24VL)."""
    logarithm, variance, m, mu = positives("L V m mu")
    n = m + 1
    cross = (2 * sqrt(6 * logarithm / n) * sqrt(6 * logarithm / m)).is_identically(12 * logarithm / sqrt(n * m))
    smaller = (n * m - m**2).has_nonnegative_coefficients("m")
    first = (2 * sqrt(6 * variance * logarithm)).is_identically(sqrt(24 * variance * logarithm))
    threshold = 24 * variance * logarithm / mu**2 + 2 * constant * logarithm / mu + 1
    return Decided(
        cross
        and smaller
        and first
        and bernstein_count(variance, logarithm, mu).is_identically(threshold)
        and numbers_follow_formula(BERNSTEIN.good(Fraction(1, 5))),
        "with n-1 = m: CI <= sqrt(24 V L/m) + 26 L/m, and the root-and-reciprocal fact gives N_a^g",
    )


@certified("bernstein.n2_is_the_root", mutants={"7 ln t": {"linear": 7}})
def second_cap_is_the_root(linear: int = 14) -> Decided:
    """s = sqrt(N_2 - 1) solves mu s^2 - sqrt(6L) s - 14 L = 0."""
    logarithm, mu = positives("L mu")
    solution = sqrt(3 * logarithm / (2 * mu**2)) + sqrt(3 * logarithm / (2 * mu**2) + 14 * logarithm / mu)
    solves = (mu * solution**2 - sqrt(6 * logarithm) * solution - linear * logarithm).is_identically(0)
    return Decided(
        solves
        and smaller_bernstein_cap(logarithm, mu).is_identically(solution**2 + 1)
        and numbers_follow_formula(BERNSTEIN.sure),
        "mu s^2 = sqrt(6 L) s + 14 L at s^2 = N_2 - 1",
    )


@certified("bernstein.n1_at_least_n2", mutants={"27": {"linear": 27}})
def first_cap_dominates_the_second(linear: int = 28) -> Decided:
    """N_1 - 1 = 2 (a^2 + b^2) and N_2 - 1 = (a + b)^2 with a^2 = 3L/(2 mu^2), b^2 = a^2 + 14 L/mu: difference (a-b)^2."""
    logarithm, mu, a, b = positives("L mu a b")
    first, second = 3 * logarithm / (2 * mu**2), 3 * logarithm / (2 * mu**2) + linear * logarithm / (2 * mu)
    larger = larger_bernstein_cap(logarithm, mu).is_identically(2 * (first + second) + 1)
    smaller = smaller_bernstein_cap(logarithm, mu).is_identically((sqrt(first) + sqrt(second)) ** 2 + 1)
    difference = (2 * (a**2 + b**2) - (a + b) ** 2).is_identically((a - b) ** 2)
    followed = numbers_follow_formula(BERNSTEIN.looser)
    return Decided(larger and smaller and difference and followed, "N_1 - N_2 = (a - b)^2 >= 0")


@certified("bernstein.budget_schedule", mutants={"B for B-1": {"linear": 15}})
def bernstein_budget_level_gives_back_the_budget(linear: int = 14) -> Decided:
    """At mu = sqrt(6L/b) + 14 L/b the equation mu s^2 - sqrt(6L) s - 14 L = 0 has the root s^2 = b = B - 1.

    N_2 of the product at the reference's schedule is B, exactly.
    """
    logarithm, b = positives("L b")
    mu = sqrt(6 * logarithm / b) + linear * logarithm / b
    solves = (mu * b - sqrt(6 * logarithm) * sqrt(b) - 14 * logarithm).is_identically(0)
    exact = all(
        BERNSTEIN.sure.count(t, BernsteinBudget(budget).at(t, 1)) == budget
        for budget in (Fraction(3, 2), Fraction(7), Fraction(100))
        for t in (2, 50, 10**6)
    )
    return Decided(solves and exact, "N_2(t, epsilon(t)) = b + 1 = B")


@certified(
    "bernstein.budget_bound",
    kind=EvidenceKind.ENCLOSURE,
    mutants={"21 for 22": {"root_share": Fraction(21, 22)}, "3 for 4": {"linear_share": Fraction(3, 4)}},
)
def bernstein_budget_constants(root_share: Fraction = Fraction(1), linear_share: Fraction = Fraction(1)) -> Decided:
    """24 V L/(6 L/b) = 4 V b; 52 L/sqrt(6 L/b) = (52/sqrt 6) sqrt(b L) <= 22 sqrt(b L); 52 L/(14 L/b) <= 4 b."""
    logarithm, variance, b = positives("L V b")
    leading, root_term, linear_term = bernstein_budget_terms(variance, b, logarithm)
    by_root, by_ratio = sqrt(6 * logarithm / b), 14 * logarithm / b
    without = bernstein_count(0, logarithm, by_root) - 1
    terms = (bernstein_count(variance, logarithm, by_root) - 1 - without).is_identically(leading)
    first = (root_share * root_term - without) / sqrt(b * logarithm)
    second = (linear_share * linear_term - (bernstein_count(0, logarithm, by_ratio) - 1)) / b
    spare = [constant.simplified().evaluate({}) for constant in (first, second)]
    return Decided(
        terms and all(each.is_positive for each in spare),
        f"22 - 52/sqrt(6) = {spare[0]} and 4 - 52/14 = {spare[1]} are positive",
        slack=f"{spare[0]} to spare",
    )


@certified("auxiliary.minimum_of_nondecreasing", mutants={"decreasing": {"sign": -1}})
def minimum_of_nondecreasing_functions(sign: int = 1) -> Decided:
    """min at y is f_k(y) = f_k(x) + s, and f_k(x) = min at x + u: the difference is s + u."""
    low, s, u = positives("m s u")
    return Decided(((low + u + sign * s) - low).has_nonnegative_coefficients("s", "u"), "f(y) - f(x) = s + u >= 0")


@certified("auxiliary.root_and_reciprocal", mutants={"one reciprocal": {"factor": 1}})
def root_and_reciprocal(factor: int = 2) -> Decided:
    """mu n0 >= c1 sqrt(n0) + c2 at n0 = c1^2/mu^2 + 2 c2/mu, because (a + b/2)^2 - a (a + b) = b^2/4."""
    a, b, mu, c2 = positives("a b mu c")
    square = ((a + b / 2) ** 2 - a * (a + b)).is_identically(b**2 / 4)
    # with c1^2 = a: mu^2 n0 = a + 2 mu c2, and sqrt(a (a + 2 mu c2)) <= a + mu c2
    threshold = mu**2 * (a / mu**2 + factor * c2 / mu)
    enough = threshold.is_identically((a + mu * c2) + mu * c2)
    return Decided(square and enough, "sqrt(a(a+b)) <= a + b/2 by a square; mu^2 n0 = (c1^2 + mu c2) + mu c2")


@erratum("auxiliary.direction", kind=EvidenceKind.ALGEBRA, mutants={"negated": {"sign": -1}})
def root_and_reciprocal_decreases(sign: int = 1) -> Decided:
    """E16: the slope of c1/sqrt(n) + c2/n times -n^2 is c1 sqrt(n)/2 + c2 > 0."""
    c1, c2, r = positives("c d r")
    slope = sign * (c1 / r + c2 / r**2).derivative("r")
    negative = (-slope * r**3).has_nonnegative_coefficients("c", "d", "r")
    return Decided(
        negative,
        "with n = r^2 the slope in r is -(c1 r + 2 c2)/r^3 < 0: it decreases; at n = 1, 4: c1 + c2 > c1/2 + c2/4",
    )


@certified("auxiliary.direction.corrected", mutants={"reciprocal squared": {"power": 3}})
def root_and_reciprocal_slope(power: int = 2) -> Decided:
    """d/dn (c1 n^(-1/2) + c2/n) = -c1/(2 n^(3/2)) - c2/n^2."""
    c1, c2, n = positives("c d n")
    slope = (c1 / sqrt(n) + c2 / n).derivative("n")
    return Decided(
        slope.is_identically(-c1 / (2 * n ** Fraction(3, 2)) - c2 / n**power),
        "the slope is -c1/(2 n^(3/2)) - c2/n^2, never positive",
    )
