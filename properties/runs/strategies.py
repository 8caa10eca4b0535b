"""Hypothesis strategies: instances, reward tapes, epsilon of every temper, tie-breaks, and whole scenarios.

Sizes are small and the shapes are nasty: equal arms, zero and tiny gaps, epsilon aimed at the policies' own tests.
tests/properties/runs/test_generators.py states how often the scenarios reach what the paper speaks of.

To make a strategy takes Hypothesis far longer than to draw from one. So what is drawn from for every example is made
once: it is a constant, or kept by its arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil, floor

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from bufalu.properties.runs.scenarios import (
    Adversary,
    Aim,
    Cycle,
    EpsilonSource,
    FreeThen,
    Oblivious,
    Scenario,
    TieScript,
)
from bufalu.reference.confidence import confidence_named
from bufalu.reference.instances import Arm, Instance
from bufalu.reference.rationals import Rational, rational
from bufalu.reference.schedules import (
    BernsteinBudget,
    Budget,
    Constant,
    InverseLog,
    NondecreasingBudget,
    Power,
    Zero,
)

MOST_ARMS = 8
LONGEST = 130
"""Rounds of a game, unless somebody says otherwise."""
TINY = Fraction(1, 10**6)

_YES_OR_NO = st.booleans()
_MEANS = st.sampled_from(["any", "equal", "tied best", "tiny gap"])
_FAMILIES = st.sampled_from(["bernoulli", "deterministic", "three values"])
_TAPES = st.sampled_from(["extremes", "near", "any", "any"])
_SCHEDULES = st.sampled_from(
    ["budget", "constant", "power", "inverse-log", "budget", "bernstein-budget", "steps", "steps", "zero"]
)
_INTERVALS = st.sampled_from(["hoeffding", "hoeffding", "bernstein"])
_MOSTLY_FEW_ARMS = st.sampled_from([2, 3, 2, 3, 4, 2, 3, 5, 1, 6, 7, 8])
_FEW_ARMS = st.sampled_from([2, 2, 3])
_FREE_AT_FIRST = st.sampled_from([False, False, True])
_RISES = st.lists(st.tuples(st.integers(2, 120), st.integers(1, 60)), max_size=3)
_EXTREME_PAYMENTS: SearchStrategy[Rational] = st.sampled_from([0, 1])
_MIXED_PAYMENTS: SearchStrategy[Rational] = st.sampled_from([0, 1, Fraction(1, 4), Fraction(3, 4)])


@lru_cache(maxsize=1024)
def whole(least: int, most: int) -> SearchStrategy[int]:
    """Whole numbers between two others."""
    return st.integers(least, most)


@st.composite
def fractions(draw: DrawFn, least: Rational, most: Rational, max_denominator: int) -> Fraction:
    """Fractions between two numbers with a whole one between them: those of `st.fractions`, ten times as fast."""
    denominator = draw(whole(1, max_denominator))
    numerator = draw(whole(ceil(least * denominator), floor(most * denominator)))
    return Fraction(numerator, denominator)


@cache
def probabilities() -> SearchStrategy[Rational]:
    """Rationals in [0, 1], many of them at the ends or simple."""
    simple: SearchStrategy[Rational] = st.sampled_from([0, 1, Fraction(1, 2), Fraction(1, 4), Fraction(9, 10)])
    return simple | fractions(0, 1, 64).map(rational)


@st.composite
def instances(draw: DrawFn, most_arms: int = MOST_ARMS) -> Instance:
    """Instances with K = 1..8 arms: one mean for all, ties for the best, tiny gaps, or anything."""
    arms = draw(whole(1, most_arms))
    base = draw(probabilities())
    kind = draw(_MEANS)
    means = [base] * arms if kind != "any" else [draw(probabilities()) for _ in range(arms)]
    if kind == "tied best":
        means = [base if draw(_YES_OR_NO) else rational(base * Fraction(1, 2)) for _ in range(arms)]
    elif kind == "tiny gap":
        loser = draw(whole(0, arms - 1))
        means[loser] = rational(max(Fraction(0), base - TINY))
    family = draw(_FAMILIES)
    if family == "bernoulli":
        return Instance.bernoulli(means)
    if family == "deterministic":
        return Instance.deterministic(means)
    return Instance(tuple(three_values(mean) for mean in means))


def three_values(mean: Rational) -> Arm:
    """An arm with this mean on {0, mean, 1}, half of the mass in the middle."""
    if mean in (0, 1):
        return Arm.deterministic(mean)
    half = Fraction(1, 2)
    return Arm.finite([(0, half * (1 - mean)), (mean, half), (1, half * mean)])


@cache
def tapes() -> SearchStrategy[tuple[Rational, ...]]:
    """Rewards of one arm, repeated for ever: constant, a pattern of zeros and ones, or small rationals."""
    bits: SearchStrategy[Rational] = st.integers(0, 1)
    constant = probabilities().map(lambda value: (value,))
    return (
        constant
        | st.lists(bits, min_size=1, max_size=6).map(tuple)
        | st.lists(probabilities(), min_size=1, max_size=4).map(tuple)
    )


@cache
def _palettes() -> SearchStrategy[list[tuple[Rational, ...]]]:
    return st.lists(tapes(), min_size=1, max_size=3)


@lru_cache(maxsize=64)
@st.composite
def reward_tapes(draw: DrawFn, arms: int) -> tuple[tuple[Rational, ...], ...]:
    """One tape for each arm from a palette of at most three, so that arms often look the same.

    Nearly equal means are worth a palette of their own: the arm of best mean and the best known arm then differ.
    """
    extremes: list[tuple[Rational, ...]] = [(0,), (1,)]
    near: list[tuple[Rational, ...]] = [(Fraction(1, 2),), (Fraction(11, 20),), (Fraction(1, 2), Fraction(3, 5))]
    palette = {"extremes": extremes, "near": near}.get(draw(_TAPES)) or draw(_palettes())
    return tuple(palette[draw(whole(0, len(palette) - 1))] for _ in range(arms))


@dataclass(frozen=True)
class Steps:
    """A positive nondecreasing budget: `start`, and an increase at each of the given rounds."""

    start: Rational
    increases: tuple[tuple[int, Rational], ...]

    def __call__(self, round_number: int) -> Rational:
        """B(t)."""
        return self.start + sum((more for begin, more in self.increases if begin <= round_number), start=0)


@cache
@st.composite
def step_budgets(draw: DrawFn) -> Steps:
    """Budgets that start small and rise a few times."""
    return Steps(draw(whole(1, 40)), tuple(draw(_RISES)))


@cache
def levels(scale: int) -> SearchStrategy[Rational]:
    """Values of epsilon: zero, small, of the size of a gap, or up to `scale`, where they block."""
    common: SearchStrategy[Rational] = st.sampled_from([0, Fraction(1, 10), Fraction(1, 2), 1, scale])
    return common | fractions(0, scale, 32).map(rational)


@cache
def _powers() -> SearchStrategy[Rational]:
    return fractions(0, 1, 8).map(rational)


@lru_cache(maxsize=64)
def _budgets(arms: int) -> SearchStrategy[Rational]:
    # Multiples of K make the width of an arm equal to epsilon exactly: the ties that doubles get wrong.
    multiple: SearchStrategy[Rational] = st.integers(1, 30).map(lambda share: share * arms)
    return multiple | st.integers(1, 100) | st.just(Fraction(arms, 2))


@lru_cache(maxsize=64)
@st.composite
def oblivious(draw: DrawFn, arms: int, scale: int) -> Oblivious:  # noqa: PLR0911 - one answer for each kind of schedule
    """The schedules of the command line, and budgets that rise."""
    kind = draw(_SCHEDULES)
    if kind == "zero":
        return Oblivious(Zero())
    if kind == "constant":
        return Oblivious(Constant(draw(levels(scale))))
    if kind == "power":
        return Oblivious(Power(draw(_powers())))
    if kind == "inverse-log":
        return Oblivious(InverseLog())
    if kind == "bernstein-budget":
        return Oblivious(BernsteinBudget(arms + draw(whole(1, 150))))
    if kind == "steps":
        return Oblivious(NondecreasingBudget(draw(step_budgets())))
    return Oblivious(Budget(draw(_budgets(arms))))


@cache
def spiky(scale: int) -> SearchStrategy[Cycle]:
    """A short cycle of levels: spikes, steps, no monotony at all."""
    return st.lists(levels(scale), min_size=1, max_size=8).map(lambda values: Cycle(tuple(values)))


@cache
def steady(scale: int) -> SearchStrategy[Cycle]:
    """A short cycle of levels that are never small, so that caps on queries bind early."""
    positive = fractions(Fraction(scale, 8), scale, 16).map(rational)
    return st.lists(positive, min_size=1, max_size=4).map(lambda values: Cycle(tuple(values)))


@cache
def adversaries() -> SearchStrategy[Adversary]:
    """Tactics that know the intervals; most rounds are free, so that queries pile up."""
    tactic = st.sampled_from([Aim.FREE, Aim.FREE, *Aim])
    return st.lists(tactic, min_size=1, max_size=6).map(lambda tactics: Adversary(tuple(tactics)))


@cache
def tie_scripts() -> SearchStrategy[TieScript]:
    """Every way to break the ties of a run: which of the tied arms, tie after tie."""
    return st.lists(st.integers(0, MOST_ARMS - 1), min_size=1, max_size=6).map(lambda picks: TieScript(tuple(picks)))


@lru_cache(maxsize=64)
def _sources(arms: int, scale: int) -> SearchStrategy[EpsilonSource]:
    return oblivious(arms, scale) | spiky(scale) | steady(scale) | adversaries()


@cache
def _free_then() -> SearchStrategy[Cycle | Adversary]:
    return spiky(1) | adversaries()


@lru_cache(maxsize=64)
def _horizons(arms: int, longest: int) -> SearchStrategy[int]:
    long = st.integers(longest - 40, longest)
    return st.integers(arms, longest) | long | long


@st.composite
def scenarios(
    draw: DrawFn,
    policy: str = "bufalu",
    confidence: SearchStrategy[str] | None = None,
    epsilon: SearchStrategy[EpsilonSource] | None = None,
    longest: int = LONGEST,
) -> Scenario:
    """Games of one policy: K = 1..8 (mostly two or three) arms, up to `longest` rounds."""
    arms = draw(_MOSTLY_FEW_ARMS)
    interval = draw(_INTERVALS if confidence is None else confidence)
    scale = 40 if confidence_named(interval).uses_variance else 3
    source: EpsilonSource = draw(_sources(arms, scale) if epsilon is None else epsilon)
    horizon = draw(_horizons(arms, longest))
    if epsilon is None and draw(_FREE_AT_FIRST):
        source = FreeThen(draw(whole(1, 1 + horizon // 2)), source)
    return Scenario(draw(reward_tapes(arms)), source, draw(tie_scripts()), horizon, interval, policy)


@st.composite
def separating_scenarios(draw: DrawFn, policy: str = "bufalu", confidence: str = "hoeffding") -> Scenario:
    """Long scenarios between arms that pay little and arms that pay much, mostly free: leaders get separated, or nearly."""
    arms = draw(_FEW_ARMS)
    source: EpsilonSource = Oblivious(Zero())
    if draw(_YES_OR_NO):
        source = FreeThen(draw(whole(40, 110)), draw(_free_then()))
    payments = _EXTREME_PAYMENTS if draw(_YES_OR_NO) else _MIXED_PAYMENTS
    tapes = [(draw(payments),) for _ in range(arms)]
    horizon = draw(whole(60, 140))
    return Scenario(tuple(tapes), source, draw(tie_scripts()), horizon, confidence, policy)


def scenarios_of(policies: Sequence[str]) -> SearchStrategy[Scenario]:
    """Games of one of these policies, of every kind."""
    return st.sampled_from(policies).flatmap(lambda policy: scenarios(policy) | separating_scenarios(policy))


def adaptive_scenarios(policy: str = "bufalu") -> SearchStrategy[Scenario]:
    """Games in which epsilon is chosen by an adversary who sees the run."""
    return scenarios(policy=policy, epsilon=adversaries())
