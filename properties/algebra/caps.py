"""The quantities of the upper bounds: widths, caps, L_epsilon, and the inequalities behind the theorem (l.371-448)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from bufalu.bounds import HOEFFDING, quantities
from bufalu.bounds.epsilons import inverse, rounds_at_least
from bufalu.bounds.expressions import Expression, exp, log, number, positive, positives, sqrt, summed
from bufalu.bounds.regularity import bernstein_budget_terms
from bufalu.bounds.upper import queries, query_cap, query_costs, regret
from bufalu.properties.algebra.formulas import (
    bernstein_count,
    hoeffding_count,
    larger_bernstein_cap,
    numbers_follow_formula,
)
from bufalu.properties.claims.check import argued, certified, exact
from bufalu.properties.claims.evidence import Decided, EvidenceKind
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO, Exact, log_root
from bufalu.reference.instances import Instance
from bufalu.reference.schedules import BernsteinBudget, Budget, Values, Zero
from bufalu.reference.state import State
from bufalu.reference.view import ExactView

TWO_ARMS = Instance.bernoulli([Fraction(3, 4), Fraction(1, 4)])
TWO_BEST = Instance.bernoulli([Fraction(3, 4), Fraction(1, 4), Fraction(3, 4)])


@exact("mean.zero_before_queries", kind=EvidenceKind.REFERENCE_RUN, mutants={"after a query": {"queried": True}})
def means_start_at_zero(queried: bool = False) -> Decided:
    """The view of a fresh state has mean 0 for every arm."""
    state = State(3)
    if queried:
        state.record(2, 1)
    view = ExactView(state, confidence_named("hoeffding"), 4, ZERO)
    return Decided(
        all(view.mean(arm) == ZERO for arm in (1, 2, 3)), "a state without queries shows mean 0 for its arms", 3
    )


@certified("interval.hoeffding_width", mutants={"3 ln t": {"factor": 3}})
def hoeffding_width_is_twice_the_radius(factor: int = 6) -> Decided:
    """2 sqrt(3 ln t/(2n)) = sqrt(6 ln t/n), and the square of the reference's width is 6 ln t/n for n = 1..40."""
    logarithm, n = positives("L n")
    identity = (2 * sqrt(3 * logarithm / (2 * n))).is_identically(sqrt(factor * logarithm / n))
    state, cases = State(1), 0
    for count in range(1, 41):
        state.record(1, 1)
        for t in (2, 3, 100, 10**6):
            width = ExactView(state, confidence_named("hoeffding"), t, ZERO).width(1)
            cases += 1
            if width * width != Exact.of(Fraction(factor, count)) * log_root(t, 2):
                return Decided(False, f"after {count} queries the squared width is not {factor} ln {t}/{count}")
    return Decided(identity, "2 sqrt(3 L/(2n)) = sqrt(6 L/n); the reference's squared width is 6 ln t/n", cases)


@certified(
    "n_bar.samples_for_width", "regular.hoeffding.queries_shrink_width", mutants={"width 7 ln t/n": {"factor": 7}}
)
def more_queries_than_the_cap_make_the_width_small(factor: int = 6) -> Decided:
    """With n = N(t, mu) + s: mu^2 n - 6 L = mu^2 s, so the width squared, 6 L/n, is below mu^2 exactly for s > 0."""
    logarithm, mu, s = positives("L mu s")
    n = hoeffding_count(logarithm, mu) + s
    holds = (mu**2 * n - factor * logarithm).is_identically(mu**2 * s) and numbers_follow_formula(HOEFFDING.sure)
    return Decided(holds, "mu^2 n - 6 L = mu^2 s for n = N + s")


@certified("gap.ucb_minus_lcb", "gap.width_of_largest_ucb", mutants={"bound below the mean": {"sign": -1}})
def gap_is_at_most_largest_upper_minus_lower_bound(sign: int = 1) -> Decided:
    """UCB(a*) = mu* + s, max UCB = UCB(a*) + u, LCB(a) = mu_a - v: the difference minus the gap is s + u + v."""
    mean, gap, s, u, v = positives("m d s u v")
    upper = mean + gap + sign * s + u
    lower = mean - v
    slack = upper - lower - gap
    return Decided(
        slack.has_nonnegative_coefficients("s", "u", "v"),
        "max UCB - LCB(a) - Delta_a is a sum of three slacks of the good event",
    )


@certified(
    "n_bar.closed_form",
    "regular.hoeffding.closed_form",
    "bernstein.monotone_schedules",
    "summary.multiple_upper",
    mutants={"increasing epsilon": {"sign": -1}},
)
def caps_are_attained_at_the_horizon(sign: int = 1) -> Decided:
    """Every count of `bounds` grows when ln t grows by a and the level falls by b; so do minima with t - 1."""
    logarithm, variance, level, a, b = positives("L V d a b")
    earlier = level + sign * b
    common = level**2 * earlier**2
    hoeffding = hoeffding_count(logarithm + a, level) - hoeffding_count(logarithm, earlier)
    good = bernstein_count(variance, logarithm + a, level) - bernstein_count(variance, logarithm, earlier)
    sure = larger_bernstein_cap(logarithm + a, level) - larger_bernstein_cap(logarithm, earlier)
    holds = all(
        (difference * common).has_nonnegative_coefficients("L", "V", "d", "a", "b")
        for difference in (hoeffding, good, sure)
    )
    return Decided(
        holds,
        "N(L + a, d) - N(L, d + b), times d^2 (d + b)^2, has nonnegative coefficients for the counts of Hoeffding's and "
        "Bernstein's interval: they are nondecreasing in t when epsilon is nonincreasing",
    )


@certified("n_bar.closed_form", "regular.hoeffding.closed_form", mutants={"shrinking budget": {"sign": -1}})
def caps_of_a_budget_are_attained_at_the_horizon(sign: int = 1) -> Decided:
    """N(t, max{D, epsilon}) is the smaller of N(t, D) and N(t, epsilon); both grow with ln t and B."""
    logarithm, arms, gap, budget, a, b = positives("L K d B a b")
    later = sign * b
    by_gap = (hoeffding_count(logarithm + a, gap) - hoeffding_count(logarithm, gap)) * gap**2
    by_budget = _at_budget(logarithm + a, arms, budget + later) - _at_budget(logarithm, arms, budget)
    return Decided(
        by_gap.has_nonnegative_coefficients("a") and (by_budget * arms).has_nonnegative_coefficients("b"),
        "with epsilon^2 = 6 K ln t/B(t) the cap is min{6 ln t/D^2, B(t)/K}, nondecreasing when B is",
    )


@certified("n_bar.budget", "discussion.total_budget", mutants={"per-arm budget": {"share": 1}})
def budget_schedule_caps_at_the_budget(share: int = 0) -> Decided:
    """N(t, sqrt(6 K L/B)) = B/K, so K arms with the query cap of the theorem have B + K queries in all.

    The same with the schedule of the reference and the numbers that the product evaluates.
    """
    logarithm, arms, budget = positives("L K B")
    cap = _at_budget(logarithm, number(1) if share else arms, budget)
    one_arm = query_cap(quantities(TWO_ARMS, Zero(), 10)).expression.substitute({"N_as": cap})
    for total in (Fraction(1, 2), Fraction(7), Fraction(12)):
        for t in (2, 10, 10**6):
            if HOEFFDING.sure.count(t, Budget(total).at(t, 3)) != total / 3:
                return Decided(False, f"the count at the budget schedule of {total} is not {total / 3} in round {t}")
    return Decided(
        cap.is_identically(budget / arms) and (arms * one_arm).is_identically(budget + arms),
        "N(t, epsilon(t)) = B/K for epsilon^2 = 6 K L/B, and K (N + 1) = B + K",
    )


@exact("l_epsilon.definition", mutants={"a higher level": {"above": Fraction(1, 2)}})
def l_epsilon_counts_rounds(above: Fraction = Fraction(0)) -> Decided:
    """All sequences of length 5 over {0, 1, 2}: monotone in T and Delta, at most T, and T at Delta = 0."""
    cases = 0
    for sequence in product(range(3), repeat=5):
        for level in range(3):
            counts = [0, *(_exceedances(sequence[:horizon], level + above) for horizon in range(1, 6))]
            steps = [later - earlier for earlier, later in pairwise(counts)]
            smaller = _exceedances(sequence, level + 1 + above) <= counts[-1] <= len(sequence)
            everything = level > 0 or counts[-1] == len(sequence)
            cases += 1
            if not (smaller and everything and set(steps) <= {0, 1}):
                return Decided(False, f"L_epsilon of {sequence} at level {level} breaks its definition")
    return Decided(True, "holds for every sequence of length 5 over three levels", cases)


@exact("l_epsilon.inverse", mutants={"off by one": {"shift": 1}})
def l_epsilon_is_at_most_the_last_exceedance(shift: int = 0) -> Decided:
    """All sequences of length 6 over {0, 1, 2}; equality for the nonincreasing ones."""
    cases = 0
    for sequence in product(range(3), repeat=6):
        for level in (1, 2):
            last = inverse(Values(tuple(map(Fraction, sequence))), 1, level)
            by_hand = max((t for t, value in enumerate(sequence, 1) if value >= level), default=0)
            count = _exceedances(sequence, level)
            monotone = all(later <= earlier for earlier, later in pairwise(sequence))
            cases += 1
            if last != by_hand or count + shift > last or (monotone and count != last):
                return Decided(False, f"{sequence} at level {level}: {count} exceedances, the last in round {last}")
    return Decided(
        True,
        "at most the last such round for every sequence of length 6 over three levels, equal for nonincreasing ones",
        cases,
    )


@certified("theorem.factor_four", mutants={"factor three": {"factor": 3}})
def halving_the_level_costs_at_most_a_factor_four(factor: int = 4) -> Decided:
    """N(t, D/2) = 4 N(t, D); for a level e = D/2 + s between them 4 N(D) - N(e) >= 0; and 4 N(e) >= N(e)."""
    logarithm, gap, s = positives("L d s")
    between = gap / 2 + s
    at_gap, at_between = hoeffding_count(logarithm, gap), hoeffding_count(logarithm, between)
    tight = hoeffding_count(logarithm, gap / 2).is_identically(factor * at_gap)
    smaller = (factor * at_gap - at_between) * gap**2 * between**2
    return Decided(
        tight and smaller.has_nonnegative_coefficients("L", "d", "s"),
        "N(max{D/2, e}) <= 4 N(max{D, e}), with equality for e <= D/2",
    )


@certified("theorem.sharper", mutants={"full sum": {"divisor": 1}})
def queried_suboptimal_arm_is_wider_than_the_average(divisor: int = 2) -> Decided:
    """Leader optimal: CI(u) + CI(l) = (UCB(u) - LCB(l)) + (UCB(l) - LCB(u)) > eps + Delta, and CI(l) <= CI(u).

    Otherwise CI(a) >= Delta and CI(a) > eps hold separately.
    """
    mean, gap, eps, s, u, v, narrower = positives("m d e s u v w")
    upper_leader, lower_challenger = mean + gap + s, mean - u
    lower_leader = mean + gap
    upper_challenger = lower_leader + eps + v
    widths = (upper_challenger - lower_challenger) + (upper_leader - lower_leader)
    identity = widths.is_identically((upper_challenger - lower_leader) + (upper_leader - lower_challenger))
    # 2 CI(u) = CI(u) + CI(l) + (CI(u) - CI(l)), the last being a slack.
    slack = (2 * (widths + narrower) / 2 - (gap + eps) * 2 / divisor).has_nonnegative_coefficients(
        "s", "u", "v", "w", "d", "e"
    )
    separate = ((gap + s) + (eps + v) - (gap + eps) * 2 / divisor).has_nonnegative_coefficients("s", "v", "d", "e")
    return Decided(
        identity and slack and separate,
        "2 CI(a) - Delta_a - epsilon(t) is a sum of slacks in both cases (leader optimal, or another optimal arm "
        "below u)",
    )


@certified("discussion.middle_point", mutants={"full gap": {"position": Fraction(1)}})
def narrow_intervals_are_separated_by_the_midpoint(position: Fraction = Fraction(1, 2)) -> Decided:
    """UCB(a) <= mu_a + CI(a) < mu_a + Delta/2 = mu* - Delta/2 < mu* - CI(a*) <= LCB(a*)."""
    mean, half, s, u = positives("m h s u")
    gap = 2 * half
    # widths half - s and half - u with positive slacks (times 2 position, which is 1 as printed)
    upper = mean + 2 * position * half - s
    lower = mean + gap - 2 * position * half + u
    return Decided(
        (lower - upper).has_nonnegative_coefficients("s", "u", "h"),
        "LCB(a*) - UCB(a) >= s + u > 0 for widths Delta/2 - s, Delta/2 - u",
    )


@certified("summary.unique_upper", mutants={"12 ln T": {"factor": 12}})
def unique_terms_are_logarithmic(factor: int = 24) -> Decided:
    """N(T, D/2) = 24 L/D^2, and D times it is 24 L/D."""
    logarithm, gap = positives("L d")
    cap = hoeffding_count(logarithm, gap / 2)
    queries, regret = (
        cap.is_identically(factor * logarithm / gap**2),
        (gap * cap).is_identically(24 * logarithm / gap),
    )
    return Decided(queries and regret, "N(T, D/2) = 24 L/D^2 (queries), D N(T, D/2) = 24 L/D (regret)")


@certified("summary.scarce_upper", "discussion.inverse_profile", mutants={"smaller epsilon": {"sign": -1}})
def exceedances_are_early_in_the_query_profile(sign: int = 1) -> Decided:
    """With epsilon = D + s and ln T = l + a: N(T, D) - N(t, epsilon) and N(t, D) - N(t, epsilon) are nonnegative."""
    logarithm, gap, s, a = positives("l d s a")
    epsilon = gap + sign * s
    common = gap**2 * epsilon**2
    at_t = (hoeffding_count(logarithm, gap) - hoeffding_count(logarithm, epsilon)) * common
    at_horizon = (hoeffding_count(logarithm + a, gap) - hoeffding_count(logarithm, epsilon)) * common
    return Decided(
        all(each.has_nonnegative_coefficients("l", "d", "s", "a") for each in (at_t, at_horizon)),
        "epsilon(t) >= D gives 6 ln t/epsilon(t)^2 <= 6 ln t/D^2 <= 6 ln T/D^2, and conversely at t",
    )


@certified("discussion.epsilon_below_smallest_gap", mutants={"epsilon at the gap": {"slack": 0}})
def epsilon_below_every_gap_never_exceeds_it(slack: int = 1) -> Decided:
    """Gap = epsilon + s with s > 0: no round has epsilon >= gap, so L = 0; the product counts no round either."""
    epsilon, s = positives("e s")
    positive = slack > 0 and ((epsilon + slack * s) - epsilon).has_nonnegative_coefficients("s")
    counted = all(_exceedances((level,) * 6, level + slack) == 0 for level in range(1, 6))
    return Decided(positive and counted, "Delta_a - epsilon = s > 0 in every round: L_epsilon(T, Delta_a) = 0")


@certified("discussion.ucb_count", mutants={"minimum": {"sign": -1}})
def cap_at_a_gap_is_at_most_the_ucb_count(sign: int = 1) -> Decided:
    """max{D, e} = D + s with s >= 0, so N(t, max{D, e}) <= N(t, D) = 6 L/D^2."""
    logarithm, gap, s = positives("L d s")
    smaller = hoeffding_count(logarithm, gap + sign * s)
    difference = (hoeffding_count(logarithm, gap) - smaller) * gap**2 * (gap + sign * s) ** 2
    ucb = hoeffding_count(logarithm, gap).is_identically(6 * logarithm / gap**2)
    return Decided(
        ucb and difference.has_nonnegative_coefficients("L", "d", "s"),
        "N(t, D) - N(t, D + s) >= 0 and N(t, D) = 6 L/D^2",
    )


@certified("discussion.general_reduces", mutants={"C = K": {"factor": 2}})
def hoeffding_constants_add_up_to_three_k(factor: int = 3) -> Decided:
    """The general bounds with Hoeffding's C(T) and N are the theorem of the main text, term by term.

    Both bounds of the product, for one and for two optimal arms: sum_a Delta_a
    (N_a + L_a) + 3 K Delta_max and sum_a N_a + 3 K.
    """
    for instance in (TWO_ARMS, TWO_BEST):
        numbers = quantities(instance, Zero(), 100)
        arms = number(instance.number_of_arms)
        failures = {"K": arms, "C": number(HOEFFDING.failure_sum(instance.number_of_arms))}
        counts = {arm: positive(f"N_{arm}") for arm in range(1, instance.number_of_arms + 1)}
        largest = number(Fraction(instance.largest_gap))
        gaps = {arm: number(Fraction(gap)) for arm, gap in enumerate(instance.gaps, start=1) if gap}
        values = {f"N_{arm}": count for arm, count in counts.items()} | failures | {"Delta_max": largest}
        values |= {f"Delta_{arm}": gap for arm, gap in gaps.items()}
        rounds = {arm: positive(f"L_{arm}") for arm in gaps}
        values |= {f"L_{arm}": blocked for arm, blocked in rounds.items()}
        regret_printed = summed(gap * (counts[arm] + rounds[arm]) for arm, gap in gaps.items())
        regret_found = regret(numbers, numbers.n_bar, "regret").expression.substitute(values)
        queries_found = queries(numbers, numbers.n_bar, "queries").expression.substitute(values)
        if not regret_found.is_identically(regret_printed + factor * arms * largest):
            return Decided(False, f"the regret bound of {instance.means} is not the theorem's")
        if not queries_found.is_identically(summed(counts.values()) + factor * arms):
            return Decided(False, f"the query bound of {instance.means} is not the theorem's")
        at_cost_one = query_costs(numbers, dict.fromkeys(counts, 1)).evaluate()
        if not at_cost_one.overlaps(queries(numbers, numbers.n_bar, "queries").evaluate()):
            return Decided(False, f"queries that cost 1 each do not cost {instance.means} as much as they are many")
    return Decided(True, "K + C(T) = 3K in the regret and the query bound, with one and with two optimal arms", 4)


@certified("discussion.total_to_per_arm", mutants={"B for B - K": {"shift": 0}})
def per_arm_schedules_become_total_ones(shift: int = 1) -> Decided:
    """Substituting B/K for B in both schedules; the schedules of the reference agree in every round tried."""
    logarithm, arms, excess = positives("L K x")
    budget = arms + excess
    bernstein = sqrt(6 * logarithm / (budget / arms - shift)) + 14 * logarithm / (budget / arms - shift)
    total = sqrt(6 * arms * logarithm / excess) + 14 * arms * logarithm / excess
    hoeffding = (6 * logarithm / (budget / arms)).is_identically(6 * arms * logarithm / budget)
    same = all(
        whole(Fraction(20)).at(t, 3) == whole(Fraction(20, 3)).at(t, 1)
        for whole in (Budget, BernsteinBudget)
        for t in (2, 7, 10**5)
    )
    return Decided(
        bernstein.is_identically(total) and hoeffding and same,
        "B -> B/K turns the per-arm schedules into the total ones, as formulas and in the reference",
    )


@certified("discussion.regret_with_budget.corrected", mutants={"earlier logarithm larger": {"sign": -1}})
def later_logarithms_only_enlarge_the_sum(sign: int = 1) -> Decided:
    """6 K (l+a)/B - 6 K l/B = 6 K a/B for ln T = l + a, times B."""
    logarithm, a, arms = positives("l a K")
    return Decided(
        (6 * arms * (logarithm + sign * a) - 6 * arms * logarithm).has_nonnegative_coefficients("K", "a", "l"),
        "term by term 6 K ln T/B(t) - 6 K ln t/B(t) = 6 K (ln T - ln t)/B(t) >= 0",
    )


@certified("discussion.bernstein_improves.corrected", mutants={"constant 21": {"constant": 21}})
def bernstein_bound_improves_for_large_budgets(constant: int = 22) -> Decided:
    """With w = 1 - 4V > 0 and b = (484/w^2 + s) L: (b - 4 V b)^2 - (22 sqrt(b L))^2 = w^2 s b L > 0."""
    logarithm, w, s = positives("L w s")
    budget = (constant**2 / w**2 + s) * logarithm
    leading, root_term, _ = bernstein_budget_terms((1 - w) / 4, budget, logarithm)
    difference = (budget - leading) ** 2 - root_term**2
    return Decided(
        difference.is_identically(w**2 * s * budget * logarithm),
        "(1-4V)^2 b - 22^2 ln T > 0 exactly when 4 V b + 22 sqrt(b ln T) < b",
    )


@argued("bai.logarithmic_queries_suffice", mutants={"half the queries": {"factor": 2}})
def uniform_queries_identify_the_best_arm(factor: int = 4) -> Decided:
    """(K-1) exp(-n D^2/2) at n = 4 ln(K t)/D^2 is (K-1)/(K t)^2 <= 1/t (K = 1 + k, t = 1 + s)."""
    k, s, gap = positives("k s d")
    arms, t = 1 + k, 1 + s
    failure = exp(-(factor * log(arms * t) / gap**2) * gap**2 / 2)
    identity = failure.is_identically(1 / (arms * t) ** 2)
    small = (arms**2 * t**2 - k * t).has_nonnegative_coefficients("k", "s")
    return Decided(identity and small, "the union of K-1 Hoeffding tails is (K-1)/(K t)^2 <= 1/t")


def _exceedances(sequence: tuple[int, ...], level: int | Fraction) -> int:
    """L_epsilon as the product counts it."""
    return rounds_at_least(Values(tuple(map(Fraction, sequence))), 1, len(sequence), level)


def _at_budget(logarithm: Expression, arms: Expression, budget: Expression) -> Expression:
    """N(t, epsilon(t)) for epsilon(t) = sqrt(6 K ln t / B)."""
    return hoeffding_count(logarithm, sqrt(6 * arms * logarithm / budget))
