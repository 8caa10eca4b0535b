"""Hypothesis strategies: instances, reward tapes, epsilon of every temper, tie-breaks, and whole scenarios.

Sizes are small and the shapes are nasty: equal arms, zero and tiny gaps, epsilon aimed at the policies' own tests.
tests/properties/runs/test_generators.py states how often the scenarios reach what the paper speaks of.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

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


def probabilities() -> SearchStrategy[Rational]:
    """Rationals in [0, 1], many of them at the ends or simple."""
    simple: SearchStrategy[Rational] = st.sampled_from([0, 1, Fraction(1, 2), Fraction(1, 4), Fraction(9, 10)])
    return simple | st.fractions(0, 1, max_denominator=64).map(rational)


@st.composite
def instances(draw: DrawFn, most_arms: int = MOST_ARMS) -> Instance:
    """Instances with K = 1..8 arms: one mean for all, ties for the best, tiny gaps, or anything."""
    arms = draw(st.integers(1, most_arms))
    base = draw(probabilities())
    kind = draw(st.sampled_from(["any", "equal", "tied best", "tiny gap"]))
    means = [base] * arms if kind != "any" else [draw(probabilities()) for _ in range(arms)]
    if kind == "tied best":
        means = [base if draw(st.booleans()) else rational(base * Fraction(1, 2)) for _ in range(arms)]
    elif kind == "tiny gap":
        loser = draw(st.integers(0, arms - 1))
        means[loser] = rational(max(Fraction(0), base - TINY))
    family = draw(st.sampled_from(["bernoulli", "deterministic", "three values"]))
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


def tapes() -> SearchStrategy[tuple[Rational, ...]]:
    """Rewards of one arm, repeated for ever: constant, a pattern of zeros and ones, or small rationals."""
    bits: SearchStrategy[Rational] = st.integers(0, 1)
    constant = probabilities().map(lambda value: (value,))
    return (
        constant
        | st.lists(bits, min_size=1, max_size=6).map(tuple)
        | st.lists(probabilities(), min_size=1, max_size=4).map(tuple)
    )


@st.composite
def reward_tapes(draw: DrawFn, arms: int) -> tuple[tuple[Rational, ...], ...]:
    """One tape for each arm from a palette of at most three, so that arms often look the same.

    Nearly equal means are worth a palette of their own: the arm of best mean and the best known arm then differ.
    """
    extremes: list[tuple[Rational, ...]] = [(0,), (1,)]
    near: list[tuple[Rational, ...]] = [(Fraction(1, 2),), (Fraction(11, 20),), (Fraction(1, 2), Fraction(3, 5))]
    kind = draw(st.sampled_from(["extremes", "near", "any", "any"]))
    palette = {"extremes": extremes, "near": near}.get(kind) or draw(st.lists(tapes(), min_size=1, max_size=3))
    return tuple(palette[draw(st.integers(0, len(palette) - 1))] for _ in range(arms))


@dataclass(frozen=True)
class Steps:
    """A positive nondecreasing budget: `start`, and an increase at each of the given rounds."""

    start: Rational
    increases: tuple[tuple[int, Rational], ...]

    def __call__(self, round_number: int) -> Rational:
        """B(t)."""
        return self.start + sum((more for begin, more in self.increases if begin <= round_number), start=0)


@st.composite
def step_budgets(draw: DrawFn) -> Steps:
    """Budgets that start small and rise a few times."""
    start = draw(st.integers(1, 40))
    rises = draw(st.lists(st.tuples(st.integers(2, 120), st.integers(1, 60)), max_size=3))
    return Steps(start, tuple(rises))


def levels(scale: int) -> SearchStrategy[Rational]:
    """Values of epsilon: zero, small, of the size of a gap, or up to `scale`, where they block."""
    common: SearchStrategy[Rational] = st.sampled_from([0, Fraction(1, 10), Fraction(1, 2), 1, scale])
    return common | st.fractions(0, scale, max_denominator=32).map(rational)


@st.composite
def oblivious(draw: DrawFn, arms: int, scale: int) -> Oblivious:  # noqa: PLR0911 - one answer for each kind of schedule
    """The schedules of the command line, and budgets that rise."""
    kind = draw(
        st.sampled_from(
            ["budget", "constant", "power", "inverse-log", "budget", "bernstein-budget", "steps", "steps", "zero"]
        )
    )
    if kind == "zero":
        return Oblivious(Zero())
    if kind == "constant":
        return Oblivious(Constant(draw(levels(scale))))
    if kind == "power":
        return Oblivious(Power(draw(st.fractions(0, 1, max_denominator=8).map(rational))))
    if kind == "inverse-log":
        return Oblivious(InverseLog())
    if kind == "bernstein-budget":
        return Oblivious(BernsteinBudget(arms + draw(st.integers(1, 150))))
    if kind == "steps":
        return Oblivious(NondecreasingBudget(draw(step_budgets())))
    # Multiples of K make the width of an arm equal to epsilon exactly: the ties that doubles get wrong.
    multiple: SearchStrategy[Rational] = st.integers(1, 30).map(lambda share: share * arms)
    return Oblivious(Budget(draw(multiple | st.integers(1, 100) | st.just(Fraction(arms, 2)))))


def spiky(scale: int) -> SearchStrategy[Cycle]:
    """A short cycle of levels: spikes, steps, no monotony at all."""
    return st.lists(levels(scale), min_size=1, max_size=8).map(lambda values: Cycle(tuple(values)))


def steady(scale: int) -> SearchStrategy[Cycle]:
    """A short cycle of levels that are never small, so that caps on queries bind early."""
    positive = st.fractions(Fraction(scale, 8), scale, max_denominator=16).map(rational)
    return st.lists(positive, min_size=1, max_size=4).map(lambda values: Cycle(tuple(values)))


def adversaries() -> SearchStrategy[Adversary]:
    """Tactics that know the intervals; most rounds are free, so that queries pile up."""
    tactic = st.sampled_from([Aim.FREE, Aim.FREE, *Aim])
    return st.lists(tactic, min_size=1, max_size=6).map(lambda tactics: Adversary(tuple(tactics)))


def tie_scripts() -> SearchStrategy[TieScript]:
    """Every way to break the ties of a run: which of the tied arms, tie after tie."""
    return st.lists(st.integers(0, MOST_ARMS - 1), min_size=1, max_size=6).map(lambda picks: TieScript(tuple(picks)))


@st.composite
def scenarios(
    draw: DrawFn,
    policy: str = "bufalu",
    confidence: SearchStrategy[str] | None = None,
    epsilon: SearchStrategy[EpsilonSource] | None = None,
    longest: int = LONGEST,
) -> Scenario:
    """Games of one policy: K = 1..8 (mostly two or three) arms, up to `longest` rounds."""
    arms = draw(st.sampled_from([2, 3, 2, 3, 4, 2, 3, 5, 1, 6, 7, 8]))
    intervals = st.sampled_from(["hoeffding", "hoeffding", "bernstein"]) if confidence is None else confidence
    interval = draw(intervals)
    scale = 40 if confidence_named(interval).uses_variance else 3
    sources = oblivious(arms, scale) | spiky(scale) | steady(scale) | adversaries() if epsilon is None else epsilon
    source: EpsilonSource = draw(sources)
    long = st.integers(longest - 40, longest)
    horizon = draw(st.integers(arms, longest) | long | long)
    if epsilon is None and draw(st.sampled_from([False, False, True])):
        source = FreeThen(draw(st.integers(1, 1 + horizon // 2)), source)
    return Scenario(draw(reward_tapes(arms)), source, draw(tie_scripts()), horizon, interval, policy)


@st.composite
def separating_scenarios(draw: DrawFn, policy: str = "bufalu", confidence: str = "hoeffding") -> Scenario:
    """Long scenarios between arms that pay little and arms that pay much, mostly free: leaders get separated, or nearly."""
    arms = draw(st.sampled_from([2, 2, 3]))
    source: EpsilonSource = Oblivious(Zero())
    if draw(st.booleans()):
        source = FreeThen(draw(st.integers(40, 110)), draw(spiky(1) | adversaries()))
    extreme: SearchStrategy[Rational] = st.sampled_from([0, 1])
    mixed: SearchStrategy[Rational] = st.sampled_from([0, 1, Fraction(1, 4), Fraction(3, 4)])
    payments = extreme if draw(st.booleans()) else mixed
    tapes = [(draw(payments),) for _ in range(arms)]
    horizon = draw(st.integers(60, 140))
    return Scenario(tuple(tapes), source, draw(tie_scripts()), horizon, confidence, policy)


def adaptive_scenarios(policy: str = "bufalu") -> SearchStrategy[Scenario]:
    """Games in which epsilon is chosen by an adversary who sees the run."""
    return scenarios(policy=policy, epsilon=adversaries())
