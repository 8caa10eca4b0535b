"""Regularity of the confidence intervals: roots, tails, variances and the constants of the lemmas (l.1123-1368)."""

from __future__ import annotations

from fractions import Fraction

from bufalu.properties.algebra import balls
from bufalu.properties.algebra.grids import Bench, Finding
from bufalu.properties.algebra.symbolic import Term, exp, ln, number, sqrt, symbols
from bufalu.properties.claims.evidence import EvidenceKind
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.state import State
from bufalu.reference.view import ExactView

BENCH = Bench()


@BENCH.certified("regular.hoeffding.width_nonnegative", mutants={"negative radicand": {"sign": -1}})
def hoeffding_width_squared_is_nonnegative(sign: int = 1) -> Finding:
    """CI^2 n = 6 ln t with ln t >= 0; without queries the reference's width is +infinity."""
    (log,) = symbols("L")
    width = ExactView(State(1), confidence_named("hoeffding"), 2, ZERO).width(1)
    return Finding(
        (sign * 6 * log).nonnegative_coefficients(log) and width.is_infinite, "CI^2 n = 6 ln t >= 0; n = 0: +infinity"
    )


@BENCH.exact("regular.hoeffding.mean_covered", mutants={"half the radius": {"scale": Fraction(1, 2)}})
def good_event_is_coverage(scale: Fraction = Fraction(1)) -> Finding:
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
                within = (scale**2 * 3 * balls.ln(2) / (2 * n) - distance**2).positive
                cases += 1
                if inside != within:
                    return Finding(
                        False, f"{total} of {n} rewards 1, mean {eighths}/8: coverage and distance disagree"
                    )
    return Finding(True, "mu in [LCB, UCB] and |mean - mu| <= radius agree on every sample", cases)


@BENCH.erratum(
    "regular.hoeffding.failure_probability", kind=EvidenceKind.ALGEBRA, mutants={"one-sided": {"sides": 1}}
)
def two_sided_tail_has_factor_two(sides: int = 2) -> Finding:
    """E14: 2 exp(-2 n r^2) at r^2 = 3 L/(2n) is 2/t^3, and the printed shortcut would then sum to 2 K zeta(2) >
    2K.
    """
    log, n = symbols("L n")
    tail = sides * exp(-2 * n * (3 * log / (2 * n)))
    differs = tail.equals(2 * exp(-3 * log))
    too_much = (sides * balls.zeta(2) - 2).positive
    return Finding(
        differs and too_much,
        f"Hoeffding's two-sided inequality gives 2/t^3; with t-1 <= t as printed the sum is 2 K zeta(2) = "
        f"{2 * balls.zeta(2)} K > 2K",
    )


@BENCH.certified(
    "regular.hoeffding.failure_probability.corrected",
    kind=EvidenceKind.ENCLOSURE,
    mutants={"C = K/2": {"constant": Fraction(1, 2)}},
)
def failure_probabilities_sum_to_less_than_k(constant: Fraction = Fraction(1)) -> Finding:
    """sum over t >= 2 of 2 (t-1)/t^3 = 2 (zeta(2) - 1) - 2 (zeta(3) - 1) < 1."""
    total = 2 * (balls.zeta(2) - balls.zeta(3))
    partial = sum((Fraction(2 * (t - 1), t**3) for t in range(2, 200)), start=Fraction(0))
    return Finding(
        (constant - total).positive and (total - partial).positive,
        f"2 (zeta(2) - zeta(3)) = {total} < 1: C = 2K holds, and C = K would do",
        slack=str(2 - total),
    )


@BENCH.erratum(
    "regular.hoeffding.closed_form_index",
    kind=EvidenceKind.ENCLOSURE,
    mutants={"constant epsilon": {"first": Fraction(1, 4)}},
)
def closed_form_depends_on_the_unbound_round(first: Fraction = Fraction(4)) -> Finding:
    """E15: epsilon = (4, 4, ..., 1/4), T = 20: inserting epsilon(1) gives 6 ln 20/16, inserting epsilon(T) gives
    19.
    """
    horizon, last = 20, Fraction(1, 4)
    printed = capped(horizon, first)
    correct = capped(horizon, last)
    return Finding(
        (correct - printed).positive,
        f"epsilon falls from {first} to {last} by T = 20: with epsilon(1) the printed form is {printed}, the "
        "maximum is "
        f"{correct}; at t = 1 the budget schedule gives 0/0",
    )


@BENCH.exact("regular.hoeffding.closed_form_index.corrected", mutants={"increasing": {"reverse": True}})
def closed_form_at_the_horizon_is_the_maximum(reverse: bool = False) -> Finding:
    """All nonincreasing sequences of three plateaus over {2, 1, 1/2, 1/10}: the cap at T dominates the earlier
    ones.
    """
    levels = [Fraction(2), Fraction(1), Fraction(1, 2), Fraction(1, 10)]
    cases = 0
    for a in range(4):
        for b in range(a, 4):
            for c in range(b, 4):
                sequence = [levels[a]] * 4 + [levels[b]] * 4 + [levels[c]] * 4
                if reverse:
                    sequence.reverse()
                caps = [capped(t, level) for t, level in enumerate(sequence, 1)]
                cases += 1
                if any((earlier - caps[-1]).positive for earlier in caps[:-1]):
                    return Finding(False, f"{[str(x) for x in sequence]}: an earlier cap exceeds the one at T")
    return Finding(True, "the maximum over t <= T is the value at T", cases)


@BENCH.certified("regular.bernstein.failure_probability", mutants={"confidence t^-2": {"power": 2}})
def cited_inequalities_give_the_printed_radii(power: int = 3) -> Finding:
    """Maurer-Pontil: sqrt(2 V ln(2/d)/n) + 7 ln(2/d)/(3(n-1)) at d = 2/t^3, and sqrt(2 ln(1/d)/(n-1)) at d =
    1/t^3.
    """
    log, variance, n = symbols("L V n")
    confidence = power * log
    mean = sqrt(2 * variance * confidence / n) + 7 * confidence / (3 * (n - 1))
    printed_mean = sqrt(6 * variance * log / n) + 7 * log / (n - 1)
    deviation = (2 * confidence / (n - 1)).equals(6 * log / (n - 1))
    total = (12 - 6 * balls.zeta(2)).positive
    return Finding(
        mean.equals(printed_mean) and deviation and total,
        f"two sides: 2 (2/t^3) + 2/t^3 = 6/t^3; 6 zeta(2) = {6 * balls.zeta(2)} < 12 (and 6 (zeta(2) - zeta(3)) with "
        "t-1 kept)",
        slack=str(12 - 6 * balls.zeta(2)),
    )


@BENCH.erratum(
    "regular.bernstein.nonnegative_index", kind=EvidenceKind.ENCLOSURE, mutants={"same round": {"horizon": 2}}
)
def width_of_a_round_does_not_contain_the_horizon(horizon: int = 100) -> Finding:
    """E28: at t = 2 with two equal rewards the width is 14 ln 2, whatever T is."""
    state = State(1)
    state.record(1, 1)
    state.record(1, 1)
    width = ExactView(state, confidence_named("bernstein"), 2, ZERO).width(1)
    low, high = width.enclosure(12)
    at_t, at_horizon = 14 * balls.ln(2), 14 * balls.ln(horizon)
    inside = (at_t - Fraction(low)).positive and (Fraction(high) - at_t).positive
    return Finding(
        inside and (at_horizon - at_t).positive,
        f"t = 2, T = {horizon}: CI = 14 ln 2 = {at_t}, not 14 ln T = {at_horizon}",
    )


@BENCH.certified("regular.bernstein.nonnegative_index.corrected", mutants={"ln(t/2)": {"shift": -1}})
def bernstein_width_is_nonnegative(shift: int = 0) -> Finding:
    """ln t vanishes at t = 1 and has slope 1/t > 0, so every term of the width is nonnegative."""
    (t,) = symbols("t")
    log = ln(t) + shift * ln(2)
    grows = log.derivative(t).equals(1 / t)
    width = ExactView(State(1), confidence_named("bernstein"), 2, ZERO).width(1)
    return Finding(
        log.at({t: 1}).equals(0) and grows and width.is_infinite, "ln 1 = 0, slope 1/t > 0; n <= 1: +infinity"
    )


@BENCH.erratum("bernstein.variance_indices", kind=EvidenceKind.ALL_CASES, mutants={"right index": {"fixed": False}})
def printed_variance_can_be_negative(fixed: bool = True) -> Finding:
    """E18: rewards 1, 0, 0 at t = 3: with R_t^2 inside the sum the printed variance is 3/2 (0 - 1/9) = -1/6."""
    rewards = [Fraction(1), Fraction(0), Fraction(0)]
    n = len(rewards)
    squares = sum((rewards[-1] if fixed else reward) ** 2 for reward in rewards) / n
    mean = sum(rewards) / n
    variance = Fraction(n, n - 1) * (squares - mean**2)
    return Finding(
        variance < 0, f"rewards 1, 0, 0: the printed formula gives {variance}, the unbiased variance is 1/3"
    )


@BENCH.certified("bernstein.variance_indices.corrected", mutants={"biased": {"shift": 0}})
def unbiased_variance_identity(shift: int = 1) -> Finding:
    """For every n, with a = sum of x and b = sum of x^2: the sum of (x - a/n)^2 is b - 2 (a/n) a + n (a/n)^2, and over
    n - 1 it is n/(n-1) (b/n - (a/n)^2).
    """
    total, squares, n = symbols("a b n")
    mean = total / n
    about_the_mean = squares - 2 * mean * total + n * mean**2
    printed = n / (n - 1) * (squares / n - mean**2)
    return Finding(
        printed.equals(about_the_mean / (n - shift)),
        "n/(n-1) (b/n - (a/n)^2) = (b - 2 (a/n) a + n (a/n)^2)/(n-1) for every n >= 2, a and b the sums of rewards and "
        "of their squares",
    )


@BENCH.exact(
    "bernstein.undefined_count.corrected", kind=EvidenceKind.REFERENCE_RUN, mutants={"two needed": {"finite_from": 1}}
)
def bernstein_interval_is_infinite_below_two_queries(finite_from: int = 2) -> Finding:
    """The reference's width after 0, 1, 2, 3 queries."""
    state = State(1)
    for n in range(4):
        width = ExactView(state, confidence_named("bernstein"), 5, ZERO).width(1)
        if width.is_infinite != (n < finite_from):
            return Finding(False, f"after {n} queries the width is {float(width)}")
        state.record(1, 1)
    return Finding(True, "the width is infinite after 0 and 1 queries, finite after 2 and 3", 4)


@BENCH.certified("bernstein.variance_cap", mutants={"1/5": {"largest": Fraction(1, 5)}})
def variance_of_unit_rewards_is_at_most_a_quarter(largest: Fraction = Fraction(1, 4)) -> Finding:
    """1/4 - (x - x^2) = (x - 1/2)^2, and r - r^2 = r (1 - r) >= 0 for r in [0, 1]."""
    x, r, s = symbols("x r s")
    square = (largest - (x - x**2)).equals((x - Fraction(1, 2)) ** 2)
    # r in [0, 1] as r/(r+s)
    share = r / (r + s)
    product = ((share - share**2) * (r + s) ** 2).equals(r * s)
    return Finding(square and product, "x - x^2 <= 1/4 by a square; R^2 <= R on [0, 1]; times n/(n-1)")


@BENCH.certified("bernstein.width_under_good_event", mutants={"25": {"constant": 25}})
def width_under_the_good_event(constant: int = 26) -> Finding:
    """2 sqrt(6 L/n) sqrt(6 L/(n-1)) = 12 L/sqrt(n(n-1)) <= 12 L/(n-1); 12 + 14 = 26; 2 sqrt(6VL) = sqrt(24VL)."""
    log, variance, m, mu = symbols("L V m mu")
    n = m + 1
    cross = (2 * sqrt(6 * log / n) * sqrt(6 * log / m)).equals(12 * log / sqrt(n * m))
    smaller = (n * m - m**2).nonnegative_coefficients(m)
    first = (2 * sqrt(6 * variance * log)).equals(sqrt(24 * variance * log))
    threshold = (24 * variance * log / mu**2 + 2 * constant * log / mu).equals(
        24 * variance * log / mu**2 + 52 * log / mu
    )
    return Finding(
        cross and smaller and first and threshold and constant == 12 + 14,
        "with n-1 = m: CI <= sqrt(24 V L/m) + 26 L/m, and the root-and-reciprocal fact gives N_a^g",
    )


@BENCH.certified("bernstein.n2_is_the_root", mutants={"7 ln t": {"linear": 7}})
def second_cap_is_the_root(linear: int = 14) -> Finding:
    """s = sqrt(N_2 - 1) solves mu s^2 - sqrt(6L) s - 14 L = 0."""
    log, mu = symbols("L mu")
    root = sqrt(3 * log / (2 * mu**2)) + sqrt(3 * log / (2 * mu**2) + 14 * log / mu)
    return Finding(
        (mu * root**2 - sqrt(6 * log) * root - linear * log).equals(0), "mu s^2 = sqrt(6 L) s + 14 L at s^2 = N_2 - 1"
    )


@BENCH.certified("bernstein.n1_at_least_n2", mutants={"27": {"linear": 27}})
def first_cap_dominates_the_second(linear: int = 28) -> Finding:
    """N_1 - 1 = 2 (a^2 + b^2) and N_2 - 1 = (a + b)^2 with a^2 = 3L/(2 mu^2), b^2 = a^2 + 14 L/mu: difference
    (a-b)^2.
    """
    log, mu, a, b = symbols("L mu a b")
    squares = 2 * (3 * log / (2 * mu**2)) + 2 * (3 * log / (2 * mu**2) + 14 * log / mu)
    first = squares.equals(6 * log / mu**2 + linear * log / mu)
    difference = (2 * (a**2 + b**2) - (a + b) ** 2).equals((a - b) ** 2)
    return Finding(first and difference, "N_1 - N_2 = (a - b)^2 >= 0")


@BENCH.certified("bernstein.budget_schedule", mutants={"B for B-1": {"linear": 15}})
def bernstein_budget_level_gives_back_the_budget(linear: int = 14) -> Finding:
    """At mu = sqrt(6L/b) + 14 L/b the equation mu s^2 - sqrt(6L) s - 14 L = 0 has the root s^2 = b = B - 1."""
    log, b = symbols("L b")
    mu = sqrt(6 * log / b) + linear * log / b
    return Finding((mu * b - sqrt(6 * log) * sqrt(b) - 14 * log).equals(0), "N_2(t, epsilon(t)) = b + 1 = B")


@BENCH.certified(
    "bernstein.budget_bound", kind=EvidenceKind.ENCLOSURE, mutants={"21": {"root": 21}, "3": {"linear": 3}}
)
def bernstein_budget_constants(root: int = 22, linear: int = 4) -> Finding:
    """24 V L/(6 L/b) = 4 V b; 52 L/sqrt(6 L/b) = (52/sqrt 6) sqrt(b L); 52 L/(14 L/b) = (52/14) b."""
    log, variance, b = symbols("L V b")
    terms = (24 * variance * log / (6 * log / b)).equals(4 * variance * b)
    roots = (52 * log / sqrt(6 * log / b)).equals(number(52) / sqrt(6) * sqrt(b * log))
    first, second = 52 / balls.sqrt(6), balls.ball(Fraction(52, 14))
    return Finding(
        terms and roots and (root - first).positive and (linear - second).positive,
        f"52/sqrt(6) = {first} <= 22 and 52/14 = {second} <= 4",
        slack=str(22 - first),
    )


@BENCH.certified("auxiliary.minimum_of_nondecreasing", mutants={"decreasing": {"sign": -1}})
def minimum_of_nondecreasing_functions(sign: int = 1) -> Finding:
    """min at y is f_k(y) = f_k(x) + s, and f_k(x) = min at x + u: the difference is s + u."""
    low, s, u = symbols("m s u")
    return Finding(((low + u + sign * s) - low).nonnegative_coefficients(s, u), "f(y) - f(x) = s + u >= 0")


@BENCH.certified("auxiliary.root_and_reciprocal", mutants={"one reciprocal": {"factor": 1}})
def root_and_reciprocal(factor: int = 2) -> Finding:
    """mu n0 >= c1 sqrt(n0) + c2 at n0 = c1^2/mu^2 + 2 c2/mu, because (a + b/2)^2 - a (a + b) = b^2/4."""
    a, b, mu, c2 = symbols("a b mu c")
    square = ((a + b / 2) ** 2 - a * (a + b)).equals(b**2 / 4)
    # with c1^2 = a: mu^2 n0 = a + 2 mu c2, and sqrt(a (a + 2 mu c2)) <= a + mu c2
    threshold = mu**2 * (a / mu**2 + factor * c2 / mu)
    enough = threshold.equals((a + mu * c2) + mu * c2)
    return Finding(square and enough, "sqrt(a(a+b)) <= a + b/2 by a square; mu^2 n0 = (c1^2 + mu c2) + mu c2")


@BENCH.erratum("auxiliary.direction", kind=EvidenceKind.ALGEBRA, mutants={"negated": {"sign": -1}})
def root_and_reciprocal_decreases(sign: int = 1) -> Finding:
    """E16: the slope of c1/sqrt(n) + c2/n times -n^2 is c1 sqrt(n)/2 + c2 > 0."""
    c1, c2, r = symbols("c d r")
    slope = sign * (c1 / r + c2 / r**2).derivative(r)
    negative = (-slope * r**3).nonnegative_coefficients(c1, c2, r)
    return Finding(
        negative,
        "with n = r^2 the slope in r is -(c1 r + 2 c2)/r^3 < 0: it decreases; at n = 1, 4: c1 + c2 > c1/2 + c2/4",
    )


@BENCH.certified("auxiliary.direction.corrected", mutants={"reciprocal squared": {"power": 3}})
def root_and_reciprocal_slope(power: int = 2) -> Finding:
    """d/dn (c1 n^(-1/2) + c2/n) = -c1/(2 n^(3/2)) - c2/n^2."""
    c1, c2, n = symbols("c d n")
    slope = (c1 / sqrt(n) + c2 / n).derivative(n)
    return Finding(
        slope.equals(-c1 / (2 * n ** Fraction(3, 2)) - c2 / n**power),
        "the slope is -c1/(2 n^(3/2)) - c2/n^2, never positive",
    )


def capped(t: int, level: Fraction) -> balls.Ball:
    """min{6 ln t/level^2, t - 1}."""
    uncapped = 6 * balls.ln(t) / level**2
    return uncapped if (t - 1 - uncapped).positive else balls.ball(t - 1)


def _total(terms: list[Term] | tuple[Term, ...]) -> Term:
    total = number(0)
    for term in terms:
        total = total + term
    return total
