"""Numbers in the text and arithmetic on printed figures (l.450-479, l.1438-1669)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds import HOEFFDING
from bufalu.bounds.enclosures import Enclosure, smallest, total
from bufalu.bounds.expressions import positives
from bufalu.bounds.failures import ROUNDS_ONE_BY_ONE, least_log_log_failures
from bufalu.bounds.query_cap import recurrence
from bufalu.bounds.regularity import LOG_LOG, PolynomialRule
from bufalu.properties.algebra.formulas import hoeffding_count, numbers_follow_formula
from bufalu.properties.claims.check import argued, certified, erratum
from bufalu.properties.claims.evidence import Decided, EvidenceKind
from bufalu.reference.instances import Instance
from bufalu.reference.live import CBMUCB, BuFALU, Greedy, LivePolicy
from bufalu.reference.rewards import SeededRewards
from bufalu.reference.schedules import InverseLog, Power, Zero
from bufalu.reference.simulation import simulate

MAX_PIECES = 200_000
"""Pieces of a box after which its proof is given up."""

Side = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class BoxProof:
    """How an inequality on a box came out: certified with this many pieces, or a piece where it could not be."""

    certified: bool
    pieces: int
    failing: tuple[Side, ...] | None = None


def positive_on_box(function: Callable[[Sequence[Enclosure]], Enclosure], box: Sequence[Side]) -> BoxProof:
    """Whether `function` is positive on the whole box, by splitting the longest side until enclosures decide.

    Stops at a centre where the function is certainly negative, and gives up after `MAX_PIECES` pieces: both come out
    as not certified, with the piece.
    """
    stack = [tuple(box)]
    pieces = 0
    while stack:
        piece = stack.pop()
        pieces += 1
        if function([Enclosure.between(lower, upper) for lower, upper in piece]).is_positive:
            continue
        centre = [Enclosure.of((lower + upper) / 2) for lower, upper in piece]
        if function(centre).is_negative or pieces > MAX_PIECES:
            return BoxProof(False, pieces, piece)
        side = max(range(len(piece)), key=lambda index: piece[index][1] - piece[index][0])
        lower, upper = piece[side]
        middle = (lower + upper) / 2
        stack.append((*piece[:side], (lower, middle), *piece[side + 1 :]))
        stack.append((*piece[:side], (middle, upper), *piece[side + 1 :]))
    return BoxProof(True, pieces)


HORIZON = 100_000
FIVE_ARMS = 5


@certified("deterministic.query_cap", kind=EvidenceKind.ENCLOSURE, mutants={"exactly 20,000": {"largest": 20_000}})
def cap_of_the_illustration(largest: int = 21_845) -> Decided:
    """6 sqrt(T) ln T at T = 100,000."""
    cap = Enclosure.of(HOEFFDING.sure.count(HORIZON, Power(Fraction(1, 4)).at(HORIZON, FIVE_ARMS)))
    return Decided(
        (largest - cap).is_positive and (cap - (largest - 1)).is_positive,
        f"6 sqrt(T) ln T = {cap}, printed as about 20,000 (9% less)",
    )


@erratum("greedy.budget_formula", kind=EvidenceKind.ENCLOSURE, mutants={"t = T": {"t": HORIZON}})
def greedy_budgets_of_text_and_code_differ(t: int = 1000) -> Decided:
    """E20: at t = 1000 the text's ln T and the pseudo-code's ln t give different budgets, and at T both exceed T."""
    text = 6 * FIVE_ARMS * Enclosure.of(HORIZON).log() * Enclosure.of(t).sqrt() + FIVE_ARMS
    code = 6 * FIVE_ARMS * Enclosure.of(t).log() * Enclosure.of(t).sqrt() + FIVE_ARMS
    final = 6 * FIVE_ARMS * Enclosure.of(HORIZON).log() * Enclosure.of(HORIZON).sqrt() + FIVE_ARMS
    return Decided(
        (text - code).is_positive and (final - HORIZON).is_positive,
        f"five arms, t^(-1/4), t = {t}: {text} (text) against {code} (pseudo-code); at T = 100,000 the budget {final} "
        "exceeds T: greedy is UCB1",
    )


@certified("greedy.budget_formula.corrected", kind=EvidenceKind.ENCLOSURE, mutants={"two arms": {"arms": 2}})
def greedy_never_exhausts_its_budget(arms: int = FIVE_ARMS) -> Decided:
    """6 K sqrt(t) ln t + K - t > 0 on the whole interval from 6 to 100,000, by enclosures."""
    proof = positive_on_box(
        lambda point: 6 * arms * point[0].sqrt() * point[0].log() + arms - point[0],
        [(Fraction(6), Fraction(HORIZON))],
    )
    return Decided(
        proof.certified, "30 sqrt(t) ln t + 5 > t on [6, 100000]: greedy queries every round", proof.pieces
    )


@certified("greedy.inverse_log_queries", kind=EvidenceKind.ENCLOSURE, mutants={"budget without K": {"offset": 0}})
def greedy_queries_with_inverse_logarithm(offset: int = FIVE_ARMS) -> Decided:
    """B^q - K + 1 grows by one in round t iff it is at most 6 K ln t/epsilon^2 = 30 ln^3 t, whatever the rewards, which is
    the recurrence of the exact query cap with a factor K: 45,785 queries at T.
    """
    rule = PolynomialRule(6 * FIVE_ARMS)
    queries = recurrence(rule, InverseLog(), FIVE_ARMS, HORIZON) + offset - 1
    return Decided(queries == 45_785, f"{queries:,} queries, as printed in both rows", HORIZON - FIVE_ARMS)


@certified("budget.inverse_log_profile", mutants={"square": {"power": 2}})
def inverse_logarithm_is_a_cubic_logarithmic_budget(power: int = 3) -> Decided:
    """K N(t, 1/L) = 6 K L^3."""
    arms, logarithm = positives("K L")
    budget = arms * hoeffding_count(logarithm, 1 / logarithm)
    return Decided(budget.is_identically(6 * arms * logarithm**power), "6 K ln t/epsilon^2 = 6 K ln^3 t")


@argued("tables.factor_three", kind=EvidenceKind.PRINTED, mutants={"factor four": {"stated": 4}})
def regret_ratio_with_power_schedule(stated: int = 3) -> Decided:
    """664.88 against 222.94, 222.97 and 248.08: rounded ratios, 3 for the two baselines with the same schedule."""
    ratios = [Fraction("664.88") / Fraction(other) for other in ("222.94", "222.97", "248.08")]
    return Decided(
        [round(ratio) for ratio in ratios] == [stated] * 3,
        f"printed ratios {', '.join(f'{float(r):.3f}' for r in ratios)}",
    )


@argued("tables.factor_four", "tables.one_twentieth", kind=EvidenceKind.PRINTED, mutants={"1/10": {"fraction": 10}})
def regret_and_query_ratio_with_free_queries(fraction: int = 20) -> Decided:
    """5240.73 of 100,000 rounds, and 1003.96 against 248.08."""
    queries, regret = Fraction("5240.73") / HORIZON, Fraction("1003.96") / Fraction("248.08")
    return Decided(
        round(1 / queries / 5) * 5 == fraction and round(regret) == 4,
        f"queries 1/{float(1 / queries):.1f} of the rounds, regret factor {float(regret):.3f}",
    )


@argued("tables.limited_below_unlimited", kind=EvidenceKind.PRINTED, mutants={"multiple": {"unlimited": "181.05"}})
def limited_schedules_have_lower_regret(unlimited: str = "1003.96") -> Decided:
    """551.43 and 664.88 against 1003.96."""
    limited = [Fraction("551.43"), Fraction("664.88")]
    return Decided(max(limited) < Fraction(unlimited), f"551.43 and 664.88 are below {unlimited}")


@certified("tables.baselines_always_ask", mutants={"BuFALU": {"bufalu": True}, "epsilon above 0": {"epsilon": 1}})
def baselines_always_query_when_free(bufalu: bool = False, epsilon: int = 0) -> Decided:
    """CBM asks while 6 ln t > n epsilon^2, greedy while 6 K ln t >= (B^q - K + 1) epsilon^2: with epsilon = 0 both hold
    for every t >= 2, whatever the counts. The code is replayed for 400 rounds.
    """
    logarithm, arms, queries, overspend = positives("L K n x")
    cbm = (6 * logarithm - queries * epsilon**2).has_nonnegative_coefficients("L", "n")
    greedy = (6 * arms * logarithm - overspend * epsilon**2).has_nonnegative_coefficients("K", "L", "x")
    instance = Instance.bernoulli([Fraction(1, 10), Fraction(9, 10)])
    policies: list[LivePolicy] = [BuFALU(2)] if bufalu else [CBMUCB(2), Greedy(2)]
    for policy in policies:
        asked = sum(row.query for row in simulate(policy, instance, Zero(), 400, SeededRewards(instance, 1)))
        if asked != 400:
            return Decided(False, f"{asked} of 400 rounds are queried")
    return Decided(
        cbm and greedy,
        "6 ln t > 0 and 6 K ln t >= 0 for t >= 2: with epsilon = 0 every round is queried (and replayed, 400 rounds)",
    )


@argued("tables.greedy_is_ucb", kind=EvidenceKind.PRINTED, mutants={"limited baseline": {"greedy": "222.94"}})
def greedy_rows_agree_with_free_baselines(greedy: str = "248.08") -> Decided:
    """The printed rows (mean, std, 90%, max of the regret): greedy with t^(-1/4), and greedy with epsilon = 0."""
    limited = (greedy, "26.18", "281.77", "343.75")
    free = ("248.08", "26.18", "281.77", "343.75")
    return Decided(limited == free, f"greedy {' '.join(limited)} with t^(-1/4), {' '.join(free)} with epsilon = 0")


@erratum("kl_ucb.suggestion", kind=EvidenceKind.ENCLOSURE, mutants={"t = 3": {"t": 3}})
def tighter_radicand_is_negative_at_two(t: int = 2) -> Decided:
    """E19: ln 2 + 3 ln ln 2 < 0."""
    radicand = Enclosure.of(t).log() + 3 * Enclosure.of(t).log().log()
    return Decided(radicand.is_negative, f"ln {t} + 3 ln ln {t} = {radicand}")


@certified(
    "kl_ucb.suggestion.corrected", kind=EvidenceKind.ENCLOSURE, mutants={"from t = 2": {"start": Fraction(69, 100)}}
)
def tighter_radicand_is_between_zero_and_hoeffdings(start: Fraction = Fraction(1)) -> Decided:
    """With x = ln t >= 1: x + 3 ln x > 0 and 2x - 3 ln x > 0 on [1, 8] by
    enclosures; beyond, both slopes are positive.
    """
    box = [(start, Fraction(8))]
    positive = positive_on_box(lambda point: point[0] + 3 * point[0].log(), box)
    below = positive_on_box(lambda point: 2 * point[0] - 3 * point[0].log(), box)
    (s,) = positives("s")
    # slopes 1 + 3/x and 2 - 3/x, times x, at x = 8 + s
    slopes = ((8 + s) + 3).has_nonnegative_coefficients("s") and (2 * (8 + s) - 3).has_nonnegative_coefficients("s")
    return Decided(
        positive.certified and below.certified and slopes,
        "0 < ln t + 3 ln ln t < 3 ln t for every t >= 3",
        positive.pieces + below.pieces,
    )


def _failure_in_ranges(t: int) -> Enclosure:
    """min{1, 2 D sqrt(e) / (t (ln t)^3)}, D ranges from 1 on, each e^(4/sqrt(2g)) times as long, reaching beyond t - 1."""
    logarithm = Enclosure.of(t).log()
    step = 4 / (2 * (logarithm + 3 * logarithm.log())).sqrt()
    ranges = 1
    while not (ranges * step > Enclosure.of(t - 1).log()):
        ranges += 1
    return smallest([1, 2 * ranges * Enclosure.of(Fraction(1, 2)).exp() / (t * logarithm.power(3))])


@certified("kl_ucb.regular", kind=EvidenceKind.ENCLOSURE, mutants={"C = 4K": {"constant": 4}})
def failures_of_the_tighter_interval_sum_to_less_than_eight_k(constant: int = 8) -> Decided:
    """The product's sums are those of the ranges counted one by one, and below 8K at every horizon that it takes."""
    listed = 1 + total(_failure_in_ranges(t) for t in range(3, 201))
    summed = least_log_log_failures(1, 200).overlaps(listed) and least_log_log_failures(3, 3).overlaps(0)
    several = least_log_log_failures(2, 200).overlaps(2 * (listed - 1))
    later = all(
        (least_log_log_failures(1, t) - least_log_log_failures(1, t - 1) - _failure_in_ranges(t)).is_positive
        for t in (ROUNDS_ONE_BY_ONE + 1, 10**6, 10**12)
    )
    most = least_log_log_failures(1, 10**300)
    stated = LOG_LOG.failure_sum(3) == 24 and LOG_LOG.sure == PolynomialRule(2, growth=LOG_LOG.good_numbers.growth)
    return Decided(
        summed
        and several
        and later
        and stated
        and (constant - most).is_positive
        and numbers_follow_formula(LOG_LOG.sure, first=3),
        f"the failures of one arm sum to at most {most} over 10^300 rounds",
        slack=f"{8 - most} K to spare below 8K",
    )
