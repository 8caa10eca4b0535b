"""The finite-time lower bounds on exact laws: the KL inequality (l.505), scarce querying (l.333), and BuFALU beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import permutations, product

from bufalu.bounds import Bernoulli, Enclosure, Truth
from bufalu.bounds.divergences import bernoulli_entropy
from bufalu.bounds.enclosures import total
from bufalu.law.law import Law
from bufalu.law.polynomials import PathPolynomial, polynomial_law
from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, Verdict, Witness
from bufalu.properties.expectations.cases import ExactCase
from bufalu.properties.expectations.theorem_checks import KIND
from bufalu.properties.expectations.uniform import Expectations, better_than_uniform, explore_then_commit, on_triangle
from bufalu.reference.errors import UndecidedComparison
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.policies import POLICIES
from bufalu.reference.rationals import format_rational
from bufalu.reference.schedules import parse_schedule

Means = tuple[Fraction, ...]
Information = Callable[[tuple[Fraction, ...], Means, Means], Enclosure]
Strategy = Callable[[Means, int], Expectations]


def information(queries: tuple[Fraction, ...], means: Means, others: Means) -> Enclosure:
    """sum_a E n^q_T(a) KL(nu_a, nu'_a), the left side of l.505."""
    return total(
        count * bernoulli_entropy(mean, other) for count, mean, other in zip(queries, means, others, strict=True)
    )


def information_of_one_arm(queries: tuple[Fraction, ...], means: Means, others: Means) -> Enclosure:
    """The left side without the first arm."""
    return information(queries[1:], means[1:], others[1:])


@check(
    "kl.counts_inequality",
    kind=KIND,
    name="expectations.the_kl_inequality_on_pairs_of_instances",
    mutants={"information from one arm alone": {"left": information_of_one_arm}},
)
def kl_inequality(profile: AuditProfile, left: Information = information) -> Evidence:
    """E-queries times KL dominate kl(E Z, E' Z) with Z = n_T(a)/T, for pairs of Bernoulli instances (l.505).

    Paths are counted once for each policy; all pairs of instances on a grid are then decided by evaluation.
    """
    steps = 6 if profile.full else 4
    points: list[Means] = list(product([Fraction(k, steps) for k in range(1, steps)], repeat=2))
    examined, informative, closest = 0, 0, 0.0
    for policy, text, horizon in product(POLICIES, ("zero", "constant:3/2"), (3, 8)):
        counted = polynomial_law(2, text, horizon, policy=policy)
        plays = {point: counted.plays[0].at(point) / horizon for point in points}
        queries = {point: tuple(each.at(point) for each in counted.queries) for point in points}
        for means, others in product(points, repeat=2):
            if means == others:
                continue
            divergence = bernoulli_entropy(plays[means], plays[others])
            bound = left(queries[means], means, others)
            examined += 1
            if plays[means] == plays[others]:
                # Then the right side is exactly 0, and the left is a sum of nonnegative terms.
                continue
            verdict = bound >= divergence
            if verdict is Truth.UNDECIDED:
                raise UndecidedComparison("the two sides of the KL inequality agree to the working precision")
            if verdict is Truth.FALSE:
                shown = [", ".join(map(format_rational, point)) for point in (means, others)]
                run = f"{policy}, {text}, T = {horizon}"
                return _refuted(f"{run}: the KL inequality fails at ({shown[0]}), ({shown[1]})")
            informative += 1
            closest = max(closest, float(divergence) / float(bound))
    return Evidence(
        KIND,
        Verdict.EXACT if informative else Verdict.VACUOUS,
        f"holds for {examined:,} pairs of small instances under all policies; the right side is positive for {informative:,}",
        examined,
        informative / examined,
        f"the right side reaches {closest:.3g} of the left",
    )


def uniform_strategies(profile: AuditProfile) -> dict[str, Strategy]:
    """Strategies on two Bernoulli arms that a certificate shows to be better than uniform for all means."""
    return {f"explore {m}": _explorer(m) for m in range(5 if profile.full else 3) if better_than_uniform(m)}


def _explorer(samples: int) -> Strategy:
    return lambda means, horizon: explore_then_commit(means, samples, horizon)


def stubborn(means: Means, horizon: int) -> Expectations:
    """Plays arm 1 for ever and never asks: not better than uniform, so the hypothesis is needed."""
    return Expectations((Fraction(horizon), Fraction(0)), (Fraction(0), Fraction(0)))


@check(
    "scarce.linear_regret",
    "scarce.corollary.corrected",
    kind=KIND,
    name="expectations.scarce_queries_of_certified_strategies",
    mutants={"a stubborn strategy": {"strategies": {"stubborn": stubborn}}},
)
def scarce_queries(profile: AuditProfile, strategies: dict[str, Strategy] | None = None) -> Evidence:
    """E n_T(a) >= (T/K)(1 - sqrt(2 min{K E n^q_T(a), T} Kinf+)), and its special case, for every T (l.333).

    The special case at T = B_a^{-1}(1/(8 K Kinf+)), the last T with so few queries,
    is the corollary of l.343: plays only grow afterwards.
    """
    steps = 12 if profile.full else 8
    horizon = 60 if profile.full else 24
    points: list[Means] = [
        (Fraction(high, steps), Fraction(low, steps)) for high in range(1, steps) for low in range(1, high)
    ]
    examined, informative, special, closest = 0, 0, 0, 0.0
    for name, strategy in (strategies or uniform_strategies(profile)).items():
        for means in points:
            divergence = Bernoulli().kinf_plus(Arm.bernoulli(means[1]), means[0])
            for t in range(1, horizon + 1):
                found = strategy(means, t)
                plays, queries = found.plays[1], found.queries[1]
                root = (2 * min(2 * queries, Fraction(t)) * divergence).sqrt() if queries else Enclosure.of(0)
                bound = Fraction(t, 2) * (1 - root)
                few = (queries * 16 * divergence <= 1) is Truth.TRUE
                if (bound <= plays) is not Truth.TRUE or (few and plays < Fraction(t, 4)):
                    place = ", ".join(map(format_rational, means))
                    return _refuted(f"{name} on ({place}): the lower bound fails at T = {t}")
                examined += 1
                special += few
                if (bound > 0) is Truth.TRUE:
                    informative += 1
                    closest = max(closest, float(bound) / float(plays))
    return Evidence(
        KIND,
        Verdict.EXACT if informative else Verdict.VACUOUS,
        f"holds for {examined:,} choices of a strategy, a small instance and a horizon; the bound is positive for "
        f"{informative:,}, and few enough queries for the corollary are made in {special:,}; the strategies are better "
        "than uniform for all means",
        examined,
        informative / examined if examined else 0.0,
        f"the bound reaches {closest:.3g} of the expected plays",
    )


def plays_of_the_better_arm(found: Law, round_number: int) -> Fraction:
    """E n_T(2)."""
    return found.expected_plays(round_number)[1].exact


def half_of_all_plays(found: Law, round_number: int) -> Fraction:
    """What a uniform choice would give."""
    return Fraction(round_number, 2)


@check("scarce.bufalu_in_fixed_order", kind=KIND, mutants={"a uniform BuFALU": {"plays": half_of_all_plays}})
def bufalu_is_not_better_than_uniform(
    profile: AuditProfile, plays: Callable[[Law, int], Fraction] = plays_of_the_better_arm
) -> Evidence:
    """The exact law of BuFALU on two arms falls short of T/2 plays of the optimal arm (l.330)."""
    case = ExactCase(Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)]), parse_schedule("power:1/4"), 21)
    found = case.law()
    short = [t for t in range(1, case.horizon + 1) if plays(found, t) < Fraction(t, 2)]
    if not short:
        return _refuted("BuFALU plays the optimal arm at least half of the time")
    witness = Witness(
        f"the only optimal arm is played {format_rational(found.expected_plays(1)[1].exact)} < 1/2 times by T = 1",
        case.command.replace(f"--horizon {case.horizon}", "--horizon 1"),
    )
    return Evidence(
        KIND,
        Verdict.EXACT,
        f"fewer than T/K expected plays of the optimal arm at T = {', '.join(map(str, short))}",
        case.horizon,
        1.0,
        witness=witness,
    )


def relabelled_gain(schedule: str, horizon: int) -> PathPolynomial:
    """E n_T(1) - E n_T(2) of relabelled BuFALU on two arms, times two, as a polynomial in (p1, p2)."""
    plain = polynomial_law(2, schedule, horizon)
    return combined(
        [
            (1, plain.plays[0]),
            (-1, plain.plays[1]),
            (1, swapped(plain.plays[1])),
            (-1, swapped(plain.plays[0])),
        ]
    )


def swapped(polynomial: PathPolynomial) -> PathPolynomial:
    """The polynomial with the two means exchanged."""
    return PathPolynomial(2, {outcomes[::-1]: coefficient for outcomes, coefficient in polynomial.terms.items()})


def combined(parts: Iterable[tuple[int, PathPolynomial]]) -> PathPolynomial:
    """A sum of multiples of polynomials in two means."""
    terms: dict[tuple[tuple[int, int], ...], int | Fraction] = {}
    for factor, polynomial in parts:
        for outcomes, coefficient in polynomial.terms.items():
            terms[outcomes] = terms.get(outcomes, 0) + factor * coefficient
    return PathPolynomial(2, terms)


def relabelled_loss(schedule: str, horizon: int) -> PathPolynomial:
    """The gain with the other sign."""
    return combined([(-1, relabelled_gain(schedule, horizon))])


@check("scarce.bufalu_relabelled", kind=KIND, mutants={"worse than uniform": {"gain_of": relabelled_loss}})
def relabelled_bufalu(
    profile: AuditProfile, gain_of: Callable[[str, int], PathPolynomial] = relabelled_gain
) -> Evidence:
    """Relabelled uniformly, BuFALU plays optimal arms exactly |A*| T / K times for T <= K; two arms go further.

    For two arms the gain over uniform is a polynomial in the means; its Bernstein coefficients on the triangle p1 >=
    p2 certify for all means at once that relabelled BuFALU is better than uniform at these horizons.
    """
    examined = 0
    for means in ((1, 2, 3), (3, 3, 1), (2, 2, 2), (1, 3, 2, 3)):
        instance = Instance.bernoulli([Fraction(mean, 4) for mean in means])
        for t in range(1, len(means) + 1):
            if _relabelled_optimal_plays(instance, t) != Fraction(len(instance.optimal_arms) * t, len(means)):
                return _refuted(f"relabelled BuFALU is not uniform at T = {t} <= K")
            examined += 1
    certified, positive = 0, 0
    for text in ("power:1/4", "constant:3/2", "budget:4"):
        for horizon in range(3, 12 if profile.full else 9):
            gain = on_triangle(gain_of(text, horizon))
            verdict = gain.nonnegative()
            if verdict is False:
                return _refuted(f"relabelled BuFALU is worse than uniform: {text}, T = {horizon}")
            examined += 1
            if verdict:
                certified += 1
                positive += gain.largest > 0
    return Evidence(
        KIND,
        Verdict.EXACT,
        f"uniform for T <= K; for T > K better than uniform for all means of two arms in {certified} certified "
        f"choices of schedule and horizon, strictly in {positive}",
        examined,
        (examined - certified + positive) / examined,
    )


def _relabelled_optimal_plays(instance: Instance, horizon: int) -> Fraction:
    """The expected plays of optimal arms, averaged over all orders of the arms."""
    orders = list(permutations(instance.arms))
    plays = Fraction(0)
    for order in orders:
        shuffled = Instance(order)
        found = ExactCase(shuffled, parse_schedule("power:1/4"), horizon).law().expected_plays()
        plays += sum((found[arm - 1].exact for arm in shuffled.optimal_arms), Fraction(0))
    return plays / len(orders)


def _refuted(detail: str) -> Evidence:
    return Evidence(KIND, Verdict.REFUTED, detail)
