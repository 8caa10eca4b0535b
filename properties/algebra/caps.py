"""The quantities of the upper bounds: widths, caps, L_epsilon, and the inequalities behind the theorem
(l.371-448).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from bufalu.properties.algebra.grids import Bench, Finding
from bufalu.properties.algebra.symbolic import exp, ln, sqrt, symbols
from bufalu.properties.claims.evidence import EvidenceKind
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO
from bufalu.reference.state import State
from bufalu.reference.view import ExactView

BENCH = Bench()


@BENCH.exact(
    "mean.zero_before_queries", kind=EvidenceKind.REFERENCE_RUN, mutants={"after a query": {"queried": True}}
)
def means_start_at_zero(queried: bool = False) -> Finding:
    """The view of a fresh state has mean 0 for every arm."""
    state = State(3)
    if queried:
        state.record(2, 1)
    view = ExactView(state, confidence_named("hoeffding"), 4, ZERO)
    return Finding(
        all(view.mean(arm) == ZERO for arm in (1, 2, 3)), "a state without queries shows mean 0 for its arms", 3
    )


@BENCH.certified("interval.hoeffding_width", mutants={"3 ln t": {"factor": 3}})
def hoeffding_width_is_twice_the_radius(factor: int = 6) -> Finding:
    """2 sqrt(3 ln t/(2n)) = sqrt(6 ln t/n)."""
    log, n = symbols("L n")
    return Finding((2 * sqrt(3 * log / (2 * n))).equals(sqrt(factor * log / n)), "2 sqrt(3 L/(2n)) = sqrt(6 L/n)")


@BENCH.certified(
    "n_bar.samples_for_width", "regular.hoeffding.queries_shrink_width", mutants={"fewer queries": {"sign": -1}}
)
def more_queries_than_the_cap_make_the_width_small(sign: int = 1) -> Finding:
    """With n = 6 L/mu^2 + s: mu^2 n - 6 L = mu^2 s, so the width squared, 6 L/n, is below mu^2 exactly for s > 0."""
    log, mu, s = symbols("L mu s")
    n = 6 * log / mu**2 + sign * s
    return Finding(
        (mu**2 * n - 6 * log).nonnegative_coefficients(mu, s), "mu^2 n - 6 L = mu^2 s for n = 6 L/mu^2 + s"
    )


@BENCH.certified("gap.ucb_minus_lcb", "gap.width_of_largest_ucb", mutants={"bound below the mean": {"sign": -1}})
def gap_is_at_most_largest_upper_minus_lower_bound(sign: int = 1) -> Finding:
    """UCB(a*) = mu* + s, max UCB = UCB(a*) + u, LCB(a) = mu_a - v: the difference minus the gap is s + u + v."""
    mean, gap, s, u, v = symbols("m d s u v")
    upper = mean + gap + sign * s + u
    lower = mean - v
    slack = upper - lower - gap
    return Finding(
        slack.nonnegative_coefficients(s, u, v),
        "max UCB - LCB(a) - Delta_a is a sum of three slacks of the good event",
    )


@BENCH.certified(
    "n_bar.closed_form",
    "regular.hoeffding.closed_form",
    "bernstein.monotone_schedules",
    "summary.multiple_upper",
    mutants={"increasing epsilon": {"sign": -1}},
)
def caps_are_attained_at_the_horizon(sign: int = 1) -> Finding:
    """L/d grows when L grows by a and d shrinks by b; so do L/d^2 (the level itself) and minima of such terms."""
    log, level, a, b = symbols("L d a b")
    earlier_level = level + sign * b
    linear = ((log + a) * earlier_level - log * level).nonnegative_coefficients(log, level, a, b)
    square = ((log + a) * earlier_level**2 - log * level**2).nonnegative_coefficients(log, level, a, b)
    return Finding(
        linear and square,
        "(L+a)(d+b) - L d and (L+a)(d+b)^2 - L d^2 have nonnegative coefficients: ln t/max{mu, eps} and its square "
        "version are nondecreasing when epsilon is nonincreasing",
    )


@BENCH.certified("n_bar.closed_form", "regular.hoeffding.closed_form", mutants={"shrinking budget": {"sign": -1}})
def caps_of_a_budget_are_attained_at_the_horizon(sign: int = 1) -> Finding:
    """6 L/max{D^2, 6 K L/B} = min{6 L/D^2, B/K}, and both terms grow with L and B."""
    log, arms, gap, budget, a, b = symbols("L K d B a b")
    share = (6 * log / (6 * arms * log / budget)).equals(budget / arms)
    by_gap = ((6 * (log + a) / gap**2 - 6 * log / gap**2) * gap**2).nonnegative_coefficients(a)
    by_budget = ((budget + sign * b) - budget).nonnegative_coefficients(b)
    return Finding(
        share and by_gap and by_budget,
        "with epsilon^2 = 6 K ln t/B(t) the cap is min{6 ln t/D^2, B(t)/K}, nondecreasing when B is",
    )


@BENCH.certified("n_bar.budget", "discussion.total_budget", mutants={"per-arm budget": {"share": 1}})
def budget_schedule_caps_at_the_budget(share: int = 0) -> Finding:
    """6 L/(6 K L/B) = B/K, nondecreasing with B, and K (B/K + 1) = B + K."""
    log, arms, budget = symbols("L K B")
    level_squared = 6 * (arms if not share else 1) * log / budget
    cap = 6 * log / level_squared
    return Finding(
        cap.equals(budget / arms) and (arms * (cap + 1)).equals(budget + arms),
        "6 L/epsilon^2 = B/K for epsilon^2 = 6 K L/B, and K (B/K + 1) = B + K",
    )


@BENCH.exact("l_epsilon.definition", mutants={"strict": {"strict": True}})
def l_epsilon_counts_rounds(strict: bool = False) -> Finding:
    """All sequences of length 6 over {0, 1, 2}: monotone in T and Delta, at most T, and T at Delta = 0."""
    cases = 0
    for sequence in product(range(3), repeat=6):
        for level in range(3):
            counts = [_exceedances(sequence[:horizon], level, strict) for horizon in range(7)]
            steps = [later - earlier for earlier, later in pairwise(counts)]
            smaller = _exceedances(sequence, level + 1, strict) <= counts[-1] <= len(sequence)
            everything = level > 0 or counts[-1] == len(sequence)
            cases += 1
            if not (smaller and everything and set(steps) <= {0, 1}):
                return Finding(False, f"L_epsilon of {sequence} at level {level} breaks its definition")
    return Finding(True, "every sequence of length 6 over three levels", cases)


@BENCH.exact("l_epsilon.inverse", mutants={"off by one": {"shift": 1}})
def l_epsilon_is_at_most_the_last_exceedance(shift: int = 0) -> Finding:
    """All sequences of length 6 over {0, 1, 2}; equality for the nonincreasing ones."""
    cases = 0
    for sequence in product(range(3), repeat=6):
        for level in (1, 2):
            last = max((t for t, value in enumerate(sequence, 1) if value >= level), default=0)
            count = _exceedances(sequence, level, False)
            monotone = all(later <= earlier for earlier, later in pairwise(sequence))
            cases += 1
            if count + shift > last or (monotone and count != last):
                return Finding(False, f"{sequence} at level {level}: {count} exceedances, the last in round {last}")
    return Finding(
        True, "L <= epsilon^-1 for every sequence of length 6 over three levels, = for nonincreasing ones", cases
    )


@BENCH.certified("theorem.factor_four", mutants={"factor three": {"factor": 3}})
def halving_the_level_costs_at_most_a_factor_four(factor: int = 4) -> Finding:
    """factor max{D^2/4, e^2} >= max{D^2, e^2}: D^2 (factor/4 - 1) >= 0 and e^2 (factor - 1) >= 0, tight at factor
    4.
    """
    gap, epsilon = symbols("d e")
    by_gap = (factor * gap**2 / 4).equals(gap**2)
    by_epsilon = (factor * epsilon**2 - epsilon**2).nonnegative_coefficients(epsilon)
    return Finding(
        by_gap and by_epsilon, "4 max{D^2/4, e^2} = max{D^2, 4 e^2} >= max{D^2, e^2}, with equality for e = 0"
    )


@BENCH.certified("theorem.sharper", mutants={"full sum": {"divisor": 1}})
def queried_suboptimal_arm_is_wider_than_the_average(divisor: int = 2) -> Finding:
    """Leader optimal: CI(u) + CI(l) = (UCB(u) - LCB(l)) + (UCB(l) - LCB(u)) > eps + Delta, and CI(l) <= CI(u).

    Otherwise CI(a) >= Delta and CI(a) > eps hold separately.
    """
    mean, gap, eps, s, u, v, narrower = symbols("m d e s u v w")
    upper_leader, lower_challenger = mean + gap + s, mean - u
    lower_leader = mean + gap
    upper_challenger = lower_leader + eps + v
    widths = (upper_challenger - lower_challenger) + (upper_leader - lower_leader)
    identity = widths.equals((upper_challenger - lower_leader) + (upper_leader - lower_challenger))
    # 2 CI(u) = CI(u) + CI(l) + (CI(u) - CI(l)), the last being a slack.
    slack = (2 * (widths + narrower) / 2 - (gap + eps) * 2 / divisor).nonnegative_coefficients(
        s, u, v, narrower, gap, eps
    )
    separate = ((gap + s) + (eps + v) - (gap + eps) * 2 / divisor).nonnegative_coefficients(s, v, gap, eps)
    return Finding(
        identity and slack and separate,
        "2 CI(a) - Delta_a - epsilon(t) is a sum of slacks in both cases (leader optimal, or another optimal arm "
        "below u)",
    )


@BENCH.certified("discussion.middle_point", mutants={"full gap": {"position": Fraction(1)}})
def narrow_intervals_are_separated_by_the_midpoint(position: Fraction = Fraction(1, 2)) -> Finding:
    """UCB(a) <= mu_a + CI(a) < mu_a + Delta/2 = mu* - Delta/2 < mu* - CI(a*) <= LCB(a*)."""
    mean, half, s, u = symbols("m h s u")
    gap = 2 * half
    # widths half - s and half - u with positive slacks (times 2 position, which is 1 as printed)
    upper = mean + 2 * position * half - s
    lower = mean + gap - 2 * position * half + u
    return Finding(
        (lower - upper).nonnegative_coefficients(s, u, half),
        "LCB(a*) - UCB(a) >= s + u > 0 for widths Delta/2 - s, Delta/2 - u",
    )


@BENCH.certified("summary.unique_upper", mutants={"12 ln T": {"factor": 12}})
def unique_terms_are_logarithmic(factor: int = 24) -> Finding:
    """6 L/(D/2)^2 = 24 L/D^2, and D times it is 24 L/D."""
    log, gap = symbols("L d")
    cap = 6 * log / (gap / 2) ** 2
    return Finding(cap.equals(factor * log / gap**2), "6 L/(D/2)^2 = 24 L/D^2 (queries), 24 L/D (regret)")


@BENCH.certified("summary.scarce_upper", "discussion.inverse_profile", mutants={"smaller epsilon": {"sign": -1}})
def exceedances_are_early_in_the_query_profile(sign: int = 1) -> Finding:
    """With epsilon = D + s and ln T = l + a: 6 (l+a) epsilon^2 - 6 l D^2 has nonnegative coefficients."""
    log, gap, s, a = symbols("l d s a")
    epsilon = gap + sign * s
    at_t = (6 * log * epsilon**2 - 6 * log * gap**2).nonnegative_coefficients(log, gap, s)
    at_horizon = (6 * (log + a) * epsilon**2 - 6 * log * gap**2).nonnegative_coefficients(log, gap, s, a)
    return Finding(
        at_t and at_horizon,
        "epsilon(t) >= D gives 6 ln t/epsilon(t)^2 <= 6 ln t/D^2 <= 6 ln T/D^2, and conversely at t",
    )


@BENCH.certified("discussion.epsilon_below_smallest_gap", mutants={"epsilon at the gap": {"slack": 0}})
def epsilon_below_every_gap_never_exceeds_it(slack: int = 1) -> Finding:
    """Gap = epsilon + s with s > 0: no round has epsilon >= gap, so L = 0, and the cap at 0 is 6 ln T/epsilon^2."""
    epsilon, s = symbols("e s")
    positive = slack > 0 and ((epsilon + slack * s) - epsilon).nonnegative_coefficients(s)
    counted = all(_exceedances((level,) * 6, level + slack, False) == 0 for level in range(1, 6))
    return Finding(positive and counted, "Delta_a - epsilon = s > 0 in every round: L_epsilon(T, Delta_a) = 0")


@BENCH.certified("discussion.ucb_count", mutants={"minimum": {"sign": -1}})
def cap_at_a_gap_is_at_most_the_ucb_count(sign: int = 1) -> Finding:
    """max{D^2, e^2} = D^2 + s with s >= 0, so 6 L/max <= 6 L/D^2."""
    log, gap, s = symbols("L d s")
    return Finding(
        (6 * log * (gap**2 + sign * s) - 6 * log * gap**2).nonnegative_coefficients(log, s, gap),
        "6 L (D^2 + s) - 6 L D^2 = 6 L s >= 0",
    )


@BENCH.argued("discussion.superlogarithmic", mutants={"constant epsilon": {"exponent": 0}})
def vanishing_epsilon_means_more_than_logarithmic(exponent: int = 1) -> Finding:
    """epsilon = T^(-1/4) and 1/ln T with L = ln T: epsilon^-2 tends to infinity."""
    (log,) = symbols("L")
    polynomial = exp(exponent * log / 2).limit_at_infinity(log).is_infinite
    logarithmic = (log ** (2 * exponent)).limit_at_infinity(log).is_infinite
    return Finding(polynomial and logarithmic, "epsilon^-2 tends to infinity for t^(-1/4) and for 1/ln t")


@BENCH.certified("discussion.general_reduces", mutants={"C = K": {"failures": 1}})
def hoeffding_constants_add_up_to_three_k(failures: int = 2) -> Finding:
    """K + C = K + 2K = 3K."""
    (arms,) = symbols("K")
    return Finding((arms + failures * arms).equals(3 * arms), "K + 2K = 3K")


@BENCH.certified("discussion.total_to_per_arm", mutants={"B for B - K": {"shift": 0}})
def per_arm_schedules_become_total_ones(shift: int = 1) -> Finding:
    """Substituting B/K for B in both schedules."""
    log, arms, excess = symbols("L K x")
    budget = arms + excess
    bernstein = sqrt(6 * log / (budget / arms - shift)) + 14 * log / (budget / arms - shift)
    total = sqrt(6 * arms * log / excess) + 14 * arms * log / excess
    hoeffding = (6 * log / (budget / arms)).equals(6 * arms * log / budget)
    return Finding(bernstein.equals(total) and hoeffding, "B -> B/K turns the per-arm schedules into the total ones")


@BENCH.certified("discussion.regret_with_budget.corrected", mutants={"earlier logarithm larger": {"sign": -1}})
def later_logarithms_only_enlarge_the_sum(sign: int = 1) -> Finding:
    """6 K (l+a)/B - 6 K l/B = 6 K a/B for ln T = l + a, times B."""
    log, a, arms = symbols("l a K")
    return Finding(
        (6 * arms * (log + sign * a) - 6 * arms * log).nonnegative_coefficients(arms, a, log),
        "term by term 6 K ln T/B(t) - 6 K ln t/B(t) = 6 K (ln T - ln t)/B(t) >= 0",
    )


@BENCH.certified("discussion.bernstein_improves.corrected", mutants={"constant 21": {"constant": 21}})
def bernstein_bound_improves_for_large_budgets(constant: int = 22) -> Finding:
    """With w = 1 - 4V > 0 and b = (484/w^2 + s) L: w^2 b - 22^2 L = w^2 s L > 0, i.e. w b > 22 sqrt(b L)."""
    log, w, s = symbols("L w s")
    budget = (constant**2 / w**2 + s) * log
    difference = w**2 * budget - 484 * log
    return Finding(
        difference.equals(w**2 * s * log), "(1-4V)^2 b - 22^2 ln T > 0 exactly when 4 V b + 22 sqrt(b ln T) < b"
    )


@BENCH.argued("bai.logarithmic_queries_suffice", mutants={"half the queries": {"factor": 2}})
def uniform_queries_identify_the_best_arm(factor: int = 4) -> Finding:
    """(K-1) exp(-n D^2/2) at n = 4 ln(K t)/D^2 is (K-1)/(K t)^2 <= 1/t (K = 1 + k, t = 1 + s)."""
    k, s, gap = symbols("k s d")
    arms, t = 1 + k, 1 + s
    failure = exp(-(factor * ln(arms * t) / gap**2) * gap**2 / 2)
    identity = failure.equals(1 / (arms * t) ** 2)
    small = (arms**2 * t**2 - k * t).nonnegative_coefficients(k, s)
    return Finding(identity and small, "the union of K-1 Hoeffding tails is (K-1)/(K t)^2 <= 1/t")


def _exceedances(sequence: tuple[int, ...], level: int, strict: bool) -> int:
    return sum(value > level if strict else value >= level for value in sequence)
