"""Paths and counts that show what the print gets wrong, and that the corrections hold (E1, E2, E5, E10, E11, ...)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from bufalu.bounds import BERNSTEIN, HOEFFDING, quantities
from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.expressions import counting, exp, log, nonnegative, number, positives, sqrt
from bufalu.bounds.maxima import capped
from bufalu.bounds.regularity import bernstein_budget_samples
from bufalu.bounds.upper import problem_independent
from bufalu.properties.algebra.formulas import bernstein_count, hoeffding_count
from bufalu.properties.claims.check import certified, erratum, gap
from bufalu.properties.claims.evidence import Decided, EvidenceKind
from bufalu.reference.comparisons import parse_ties
from bufalu.reference.confidence import BernsteinInterval, confidence_named
from bufalu.reference.exact import ZERO, Exact, log_root, root
from bufalu.reference.instances import Instance
from bufalu.reference.policies import BUFALU, Decision
from bufalu.reference.rationals import Rational
from bufalu.reference.schedules import NondecreasingBudget, Zero
from bufalu.reference.state import State
from bufalu.reference.view import ExactView, WithoutCounts


@dataclass(frozen=True)
class StatedView(WithoutCounts[Exact]):
    """Round, epsilon and the intervals of the arms, all given."""

    round: int
    epsilon: Exact
    lower: tuple[Exact, ...]
    upper: tuple[Exact, ...]

    @property
    def arms(self) -> int:
        """K."""
        return len(self.lower)

    def lcb(self, arm: int) -> Exact:
        """The stated lower bound."""
        return self.lower[arm - 1]

    def ucb(self, arm: int) -> Exact:
        """The stated upper bound."""
        return self.upper[arm - 1]

    def width(self, arm: int) -> Exact:
        """Upper minus lower bound."""
        return self.ucb(arm) - self.lcb(arm)

    def mean(self, arm: int) -> Exact:
        """The midpoint of the interval."""
        return (self.ucb(arm) + self.lcb(arm)) * Exact.of(Fraction(1, 2))

    def all_queries(self) -> Exact:
        """No budget plays a role in a stated view."""
        return Exact.of(0)

    def log(self) -> Exact:
        """ln t."""
        return log_root(self.round, 2)

    def number(self, value: Rational) -> Exact:
        """A rational constant."""
        return Exact.of(value)


def hoeffding_view(round_number: int, samples: Sequence[tuple[int, Fraction]], epsilon: Exact) -> StatedView:
    """The Hoeffding intervals of arms with these (queries, mean), the means being any rationals."""
    radii = [root(Fraction(3, 2 * queries)) * log_root(round_number) for queries, _ in samples]
    lower = tuple(Exact.of(mean) - radius for (_, mean), radius in zip(samples, radii, strict=True))
    upper = tuple(Exact.of(mean) + radius for (_, mean), radius in zip(samples, radii, strict=True))
    return StatedView(round_number, epsilon, lower, upper)


FIRST = parse_ties("first")
TWO_ARMS = Instance.bernoulli([Fraction(3, 4), Fraction(1, 4)])


@gap("lower.unique_pair", kind=EvidenceKind.EXAMPLE, mutants={"epochs double": {"ratio": 2}})
def limits_inferior_of_two_counts_need_not_add_up(ratio: int = 4) -> Decided:
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
    return Decided(
        lowest_sum >= 1 and 2 * lowest_share < 1,
        f"counts that take turns over epochs T -> T^{ratio}: (n_a + n_b)/ln T >= {lowest_sum} always, while each count "
        f"falls to {lowest_share} ln T at the end of every other epoch: the two limits inferior add up to "
        f"{2 * lowest_share} < 1 (a consistent strategy that does this is in proofs/CounterexampleUnique.v)",
        cases=8,
    )


@gap("lower.multiple_optimal", kind=EvidenceKind.EXAMPLE, mutants={"no turns": {"turns": False}})
def infinite_sum_without_an_infinite_summand(turns: bool = True) -> Decided:
    """E2: in epoch k the growing count is k ln T, and the epoch multiplies ln T by k: sums grow, each count returns."""
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
    growing = all(later > earlier for earlier, later in pairwise(sums))
    return Decided(
        returning and growing,
        f"epochs k = 2..11: the sum over ln T is at least {sums[0]}, ..., {sums[-1]} and grows, yet each count returns "
        f"to at most 2 ln T ({', '.join(str(min(column[-4:])) for column in shares)}): no summand need diverge "
        "(a consistent strategy for which none does is in proofs/CounterexampleMultiple.v)",
        cases=10,
    )


@erratum("consistency.definition", kind=EvidenceKind.EXAMPLE, mutants={"bounded": {"heavy": False}})
def almost_sure_consistency_does_not_bound_expectations(heavy: bool = True) -> Decided:
    """E5: plays min{N, T} with P(N >= k) = 1/m for (m-1)^2 < k <= m^2:
    finite on every path, expectation above sqrt(T).
    """
    size = 100
    expected = sum((Fraction(2 * m - 1, m) for m in range(1, size + 1 if heavy else 3)), start=Fraction(0))
    return Decided(
        expected > size,
        f"plays min{{N, T}} with N finite almost surely: n_T = O(1) on every path, but E n_T = 2 sqrt(T) - H = "
        f"{float(expected):.1f} at T = {size**2}, not o(T^(1/4))",
    )


@erratum(
    "independent.general", kind=EvidenceKind.REFERENCE_RUN, mutants={"narrow intervals": {"width": Fraction(2, 5)}}
)
def condition_at_the_gap_does_not_bound_the_regret(width: Fraction = Fraction(9, 10), samples: int = 100) -> Decided:
    """E10: deterministic arms 0 and 1, intervals [m - w m, m + w (1-m)] of width w < 1 until `samples` queries, then
    points. Means are always covered (C = 0), N(t, 1) = 0, so M = 0 satisfies the printed condition and the bound is
    K Delta_max = 2; the run queries until both arms are known.
    """
    means, counts = (Fraction(0), Fraction(1)), [1, 1]
    regret, horizon = 1, 4 * samples
    for t in range(3, horizon + 1):
        widths = [width if count <= samples else Fraction(0) for count in counts]
        lower = tuple(Exact.of(mean - w * mean) for mean, w in zip(means, widths, strict=True))
        upper = tuple(Exact.of(mean + w * (1 - mean)) for mean, w in zip(means, widths, strict=True))
        decision = BUFALU.decide(StatedView(t, ZERO, lower, upper), FIRST)
        regret += decision.arm == 1
        counts[decision.arm - 1] += decision.query
    printed = 2
    return Decided(
        width < 1 and regret > printed,
        f"arms 0, 1, regular intervals of width {width} until {samples} queries, epsilon = 0, T = {horizon}: M = 0 "
        f"meets the printed condition and the bound is {printed}; BuFALU's regret is {regret}",
    )


@certified("independent.general.corrected", mutants={"at the gap only": {"halved": 1}})
def condition_at_every_level_covers_half_the_gap(halved: int = 2) -> Decided:
    """D_a > D_0 gives mu = D_a/2 > D_0/2, so mu N(mu) <= M(D_0/2); Hoeffding: mu N(t, mu) = 6 L/mu <= 6 L/D_0."""
    logarithm, level, s = positives("L d s")
    mu = level + s
    hoeffding = (level * hoeffding_count(logarithm, level) - mu * hoeffding_count(logarithm, mu)) * mu * level
    half = ((level + s) / 2 - level / halved).has_nonnegative_coefficients("d", "s")
    product = (mu * hoeffding_count(logarithm, mu)).is_identically(6 * logarithm / mu)
    return Decided(
        hoeffding.has_nonnegative_coefficients("L", "s", "d") and half and product,
        "D_a/2 - D_0/2 > 0, and mu N(mu) = 6 L/mu <= 6 L/D_0 for mu > D_0",
    )


@certified("independent.bernstein", mutants={"variance 1/2": {"variance": Fraction(1, 2)}})
def bernstein_terms_satisfy_the_condition(variance: Fraction = Fraction(1, 4)) -> Decided:
    """mu N_a^g(mu) = 24 V L/mu + 52 L + mu; 24/4 = 6, mu = D_0 + s, D_max = mu + u; and the product's bound for
    Bernstein's interval is the minimum over D_0 of 2 K (6 L/(D_0/2) + 52 L + D_max) + D_0 T, plus the other terms.
    """
    logarithm, level, s, u = positives("L d s u")
    mu = level + s
    left = mu * bernstein_count(variance, logarithm, mu)
    split = left.is_identically(24 * variance * logarithm / mu + 52 * logarithm + mu)
    # times mu D_0: 6 L mu - 24 V L D_0 + u mu D_0 >= 0
    slack = 6 * logarithm * mu - 24 * variance * logarithm * level + u * mu * level
    arms, horizon, largest = counting("K"), counting("T"), nonnegative("Delta_max")
    failures, epsilons = nonnegative("C"), nonnegative("S")
    log_horizon = log(horizon)
    rest = 2 * arms * (52 * log_horizon + largest) + epsilons + (arms + failures) * largest
    printed = 4 * sqrt(6 * arms * horizon * log_horizon) + rest
    bound = problem_independent(quantities(TWO_ARMS, Zero(), 100, BernsteinInterval())).expression
    return Decided(
        split and slack.has_nonnegative_coefficients("L", "d", "s", "u") and bound.is_identically(printed),
        "6 L/D_0 - 24 V L/mu >= 0 for V <= 1/4 and mu > D_0; mu <= D_max",
    )


@certified("independent.minimiser", mutants={"12 K ln T": {"factor": 1}})
def minimiser_of_the_independent_bound(factor: int = 2) -> Decided:
    """2 K (D/2) N(T, D/2) + D T = 24 K L/D + D T has slope 0 at D = sqrt(24 K L/T), is convex, and is 4 sqrt(6 K T L)
    there: the leading term of the bound that the product evaluates.
    """
    arms, logarithm, horizon, level = positives("K L T d")
    bound = factor * arms * (level / 2) * hoeffding_count(logarithm, level / 2) + level * horizon
    point = sqrt(24 * arms * logarithm / horizon)
    stationary = bound.derivative("d").substitute({"d": point}).is_identically(0)
    convex = (bound.derivative("d").derivative("d") * level**3).has_nonnegative_coefficients("K", "L")
    value = bound.substitute({"d": point}).is_identically(4 * sqrt(6 * arms * horizon * logarithm))
    names = {"S": number(0), "C": number(0), "Delta_max": number(0), "K": arms, "T": exp(logarithm)}
    leading = problem_independent(quantities(TWO_ARMS, Zero(), 100)).expression.substitute(names)
    evaluated = leading.is_identically(4 * sqrt(6 * arms * exp(logarithm) * logarithm))
    return Decided(
        stationary and convex and value and evaluated,
        "stationary and convex at sqrt(24 K L/T), with value 4 sqrt(6 K T L)",
    )


@certified(
    "independent.rewards_in_unit_interval", kind=EvidenceKind.REFERENCE_RUN, mutants={"smaller rewards": {"scale": 1}}
)
def large_rewards_break_the_independent_bound(scale: int = 10) -> Decided:
    """Arm 1 pays 1 scale, arm 2 pays 0 or 10 scale with probability 1/2, epsilon = 0. If the first reward of arm 2
    is 0 the arms are separated in round 3 and, the widths growing with t, in every round up to T where they still are.
    """
    horizon = 10**6
    samples = ((1, Fraction(scale)), (1, Fraction(0)))
    stuck = all(
        BUFALU.decide(hoeffding_view(t, samples, ZERO), FIRST) == Decision(1, False) for t in (3, 1000, horizon)
    )
    gap = 4 * scale
    regret = Fraction(gap * (horizon - 1), 2)
    bound = gap_free_bound(horizon, gap, Fraction(0))
    return Decided(
        stuck and (regret - bound).is_positive,
        f"arm 1 pays {scale}, arm 2 pays 0 or {10 * scale}: with probability 1/2 arm 1 is played from round 3 to T = "
        f"10^6, regret at least {float(regret):.3g}, printed bound {bound}",
    )


@certified(
    "independent.unit_rewards_keep_asking", kind=EvidenceKind.ENCLOSURE, mutants={"range two": {"span": Fraction(3)}}
)
def unit_rewards_are_not_separated_after_one_query(span: Fraction = Fraction(1)) -> Decided:
    """UCB(u) - LCB(l) >= 2 sqrt(3 ln 3/2) - 1 > 0 for t >= 3 and one query each."""
    overlap = 2 * (Fraction(3, 2) * Enclosure.of(3).log()).sqrt() - span
    return Decided(
        overlap.is_positive,
        f"2 sqrt((3/2) ln 3) - 1 = {overlap} > 0, and ln t only grows",
        slack=f"{overlap} to spare",
    )


@erratum(
    "discussion.regret_with_budget",
    kind=EvidenceKind.REFERENCE_RUN,
    mutants={"budget from the start": {"early": 10**12}},
)
def late_budget_does_not_help_early_rounds(early: int = 1) -> Decided:
    """E17: B(t) = 1 before T = 10^6 and 10^12 at T; arm 1 pays 0, arm 2 pays Ber(1/2); its first reward is 0 w.p. 1/2.

    Then both arms look the same and epsilon exceeds both widths: arm 1 is played without query until T.
    """
    horizon, late = 10**6, 10**12
    schedule = NondecreasingBudget(lambda t: late if t >= horizon else early)
    samples = ((1, Fraction(0)), (1, Fraction(0)))
    blind = all(
        BUFALU.decide(hoeffding_view(t, samples, schedule.at(t, 2)), FIRST) == Decision(1, False)
        for t in (3, 4, 100, horizon - 1)
    )
    regret = Fraction(horizon - 3, 4)
    logarithm = Enclosure.of(horizon).log()
    printed = gap_free_bound(horizon, Fraction(1, 2), horizon * (12 * logarithm / late).sqrt())
    return Decided(
        blind and (regret - printed).is_positive,
        f"B(t) = {early} until T = 10^6, then 10^12: no queries after round 2, regret at least {regret}; the printed "
        f"form (with the proposition's constants) gives {printed}",
    )


@erratum(
    "discussion.bernstein_improves", kind=EvidenceKind.ENCLOSURE, mutants={"variance 0": {"variance": Fraction(0)}}
)
def bernstein_budget_does_not_improve_at_variance_one_quarter(variance: Fraction = Fraction(1, 4)) -> Decided:
    """E12: V = 1/4, B/K - 1 = 10^4, T = 10^5: 10^4 + 22 sqrt(10^4 ln T) + 1 exceeds the Hoeffding cap B/K."""
    budget = 10**4
    bound = bernstein_budget_samples(variance, budget + 1, 10**5)
    return Decided(
        (bound - (budget + 1)).is_positive,
        f"V = {variance}, B/K = {budget + 1}, T = 10^5: the lemma gives {bound}, Hoeffding gives {budget + 1}; at V = 0 "
        "the printed order is 0, but the bound is 22 sqrt(B ln T)",
    )


@erratum("proof.labels", kind=EvidenceKind.ALL_CASES, mutants={"degenerate interval": {"upper": Fraction(1, 2)}})
def upper_bound_of_an_optimal_arm_need_not_be_its_mean(upper: Fraction = Fraction(1)) -> Decided:
    """E18: the interval [0, 1] covers mu* = 1/2 (good event), and its upper bound is 1; and part (i) is about q = 1."""
    mean, lower = Fraction(1, 2), Fraction(0)
    return Decided(
        lower <= mean < upper, f"mu* = {mean} in [{lower}, {upper}]: UCB = {upper} > mu*; part (i) assumes q_t = 1"
    )


@certified("proof.labels.corrected", mutants={"mean above": {"sign": -1}})
def good_event_puts_the_upper_bound_above_the_mean(sign: int = 1) -> Decided:
    """UCB(a*) = mu* + s with s >= 0 under the good event; so it is for the reference's intervals that cover the mean."""
    mean, s = positives("m s")
    slack = ((mean + sign * s) - mean).has_nonnegative_coefficients("s")
    covered = 0
    for ones, eighths in product(range(5), range(9)):
        state = State(1)
        for position in range(4):
            state.record(1, int(position < ones))
        view, mu = ExactView(state, confidence_named("hoeffding"), 2, ZERO), Exact.of(Fraction(eighths, 8))
        if view.lcb(1) <= mu <= view.ucb(1):
            covered += 1
            if view.ucb(1) < mu:
                return Decided(False, f"{ones} of 4 rewards 1: the upper bound is below the mean {eighths}/8")
    return Decided(slack and covered > 0, "UCB(a*) - mu* = s >= 0", covered)


@erratum("proof.stale_symbols", kind=EvidenceKind.ALL_CASES, mutants={"small epsilon": {"epsilon": Fraction(1, 8)}})
def levels_leave_the_stated_domain(epsilon: Fraction = Fraction(1)) -> Decided:
    """E11: gap 1/4 and epsilon(t) = 1: the theorem evaluates N_a^g at max{1/4, 1} = 1, outside [0, 1/4]."""
    gap = Fraction(1, 4)
    level = max(gap, epsilon)
    return Decided(
        level > gap,
        f"Delta_a = {gap}, epsilon(t) = {epsilon}: N_a^g is used at {level}, outside [0, {gap}]; condition 5 bounds "
        "N_a^g where N^as is meant; N^as(t), N_a^{Delta_a}(a), N_a^mu(t) are undefined",
    )


@certified("proof.stale_symbols.corrected", mutants={"up to t - 2": {"rounds": 2}})
def caps_are_defined_for_every_level(rounds: int = 1) -> Decided:
    """For every mu > 0 the counts are nonnegative (times mu^2: polynomials with nonnegative coefficients), at mu = 0 they
    are +infinity; so min{., t-1} lies in [0, t-1] on either side of the gap, as the product's caps do on a grid.
    """
    logarithm, variance, mu = positives("L V mu")
    counts = (hoeffding_count(logarithm, mu), bernstein_count(variance, logarithm, mu))
    nonnegative_counts = all((count * mu**2).has_nonnegative_coefficients("L", "V", "mu") for count in counts)
    cases = 0
    for rule in (HOEFFDING.sure, BERNSTEIN.sure, BERNSTEIN.looser, BERNSTEIN.good(Fraction(1, 4))):
        for level in (ZERO, Exact.of(Fraction(1, 4)), Exact.of(1), Exact.of(10)):
            for t in (1, 2, 50):
                count = Enclosure.of(capped(rule, level, t))
                cases += 1
                if count.is_negative or not count <= t - min(rounds, t):
                    return Decided(False, f"the cap at level {float(level)} in round {t} is {count}")
    return Decided(
        nonnegative_counts,
        "the counts are nonnegative for every level mu >= 0, on either side of the gap, so the caps lie in [0, t-1]",
        cases,
    )


def gap_free_bound(horizon: int, largest_gap: Fraction | int, epsilons: Fraction | Enclosure) -> Enclosure:
    """The printed bound for two arms and any gaps, with the sum of epsilon given (l.435)."""
    bound = problem_independent(quantities(TWO_ARMS, Zero(), 10))
    return bound.evaluate({"T": horizon, "Delta_max": largest_gap, "S": epsilons})
