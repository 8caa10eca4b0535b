"""The scenarios reach what the paper speaks of, at stated rates: a search over dull runs would prove nothing."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import pytest

from bufalu.properties.runs.cases import ProofCase, corners
from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.scenarios import Adversary, Oblivious, Scenario, TieScript, play
from bufalu.properties.runs.search import Observation, search
from bufalu.properties.runs.statements import TrueMeans
from bufalu.properties.runs.strategies import (
    adaptive_scenarios,
    instances,
    scenarios,
    separating_scenarios,
    tie_scripts,
)
from bufalu.properties.runs.worst_means import Intervals, corner_means
from bufalu.reference.exact import Exact
from bufalu.reference.policies import Decision, Reason
from bufalu.reference.schedules import Budget, Zero
from bufalu.reference.view import maximisers

SIZE = 60
SEEDS = range(4)


def collect(strategy, size=SIZE):
    """Several small searches: within one, Hypothesis likes to vary what it has tried before."""
    found = []

    def keep(subject) -> Observation:
        found.append(subject)
        return Observation(True, True, float("inf"), "")

    for seed_number in SEEDS:
        search("generators", strategy, keep, cases=size, seed_number=seed_number)
    return found


@dataclass(frozen=True)
class PlayedScenario:
    """A scenario and its run, with what several tests ask of them."""

    scenario: Scenario
    run: Run

    @cached_property
    def reasons(self) -> set[Reason]:
        found: set[Reason] = set()
        for situation in self.run.situations:
            found |= self.run.rule.admissible(situation.view)[situation.decision]
        return found

    @cached_property
    def cases(self) -> set[ProofCase]:
        return {corner.case for situation in self.run.situations if situation.query for corner in corners(situation)}


@pytest.fixture(scope="module")
def played() -> list[PlayedScenario]:
    return [PlayedScenario(scenario, play(scenario)) for scenario in collect(scenarios())]


@pytest.fixture(scope="module")
def long_ones() -> list[PlayedScenario]:
    return [PlayedScenario(scenario, play(scenario)) for scenario in collect(separating_scenarios(), 20)]


def has_real_tie(run: Run) -> bool:
    return any(
        len(maximisers(situation.arms, situation.view.lcb)) > 1
        or len(maximisers(situation.arms, situation.view.ucb)) > 1
        for situation in run.situations
    )


def epsilon_ties(run: Run) -> bool:
    return any(
        not (width := situation.view.width(arm)).is_infinite and width == situation.epsilon
        for situation in run.situations
        for arm in situation.arms
    )


def share(played: list[PlayedScenario], holds: Callable[[PlayedScenario], bool]) -> float:
    return sum(holds(game) for game in played) / len(played)


RATES: list[tuple[str, float, Callable[[PlayedScenario], bool]]] = [
    ("a query after the initial rounds", 0.5, lambda game: any(s.query for s in game.run.situations)),
    ("a round without a query", 0.4, lambda game: any(not s.query for s in game.run.situations)),
    ("both in one run", 0.3, lambda game: {s.query for s in game.run.situations} == {True, False}),
    ("stops within epsilon", 0.35, lambda game: Reason.WITHIN_EPSILON in game.reasons),
    ("a real tie of two arms", 0.4, lambda game: has_real_tie(game.run)),
    ("a width equal to epsilon, exactly", 0.06, lambda game: epsilon_ties(game.run)),
    ("an adversary", 0.05, lambda game: isinstance(game.scenario.epsilon, Adversary)),
    ("a constant budget", 0.02, lambda game: isinstance(getattr(game.scenario.epsilon, "schedule", None), Budget)),
    ("Bernstein's interval", 0.1, lambda game: game.scenario.confidence == "bernstein"),
    ("one arm", 0.02, lambda game: game.scenario.arms == 1),
    ("five arms or more", 0.1, lambda game: game.scenario.arms >= 5),
    ("case (i)", 0.4, lambda game: ProofCase.OPTIMAL in game.cases),
    ("case (ii)", 0.4, lambda game: ProofCase.LEADER in game.cases),
    ("case (iii)", 0.2, lambda game: ProofCase.CHALLENGER_OF_MANY in game.cases),
    ("case (iv)", 0.4, lambda game: ProofCase.CHALLENGER_OF_ONE in game.cases),
    ("case (v)", 0.4, lambda game: ProofCase.UNIQUE_BEST in game.cases),
]


@pytest.mark.parametrize(("what", "rate", "holds"), RATES, ids=[what for what, _, _ in RATES])
def test_games_reach(what, rate, holds, played) -> None:
    assert share(played, holds) >= rate, f"{what}: {share(played, holds):.2f} of the scenarios"


def test_long_games_separate_the_leader_at_epsilon_zero_and_above(long_ones) -> None:
    assert share(long_ones, lambda game: Reason.SEPARATED in game.reasons) >= 0.12
    assert share(long_ones, lambda game: Reason.WITHIN_EPSILON in game.reasons) >= 0.03


def test_corner_means_are_good_and_opposite_means_are_bad(played) -> None:
    good, bad, runs = 0, 0, 0
    for game in played:
        scenario, run = game.scenario, game.run
        if not run.situations:
            continue
        runs += 1
        intervals = Intervals(run)
        last = len(run.situations) - 1
        corners = list(corner_means(intervals))
        good += bool(corners) and all(intervals.good(last, true_means) for true_means in corners)
        means = tuple(1 - sum(map(Fraction, tape)) / len(tape) for tape in scenario.tapes)
        opposite = TrueMeans(means, (Fraction(0),) * run.arms)
        bad += any(not intervals.good(index, opposite) for index in range(last + 1))
    assert good / runs >= 0.95
    assert bad / runs >= 0.05


def test_corner_means_have_both_unique_and_multiple_optima(played) -> None:
    unique, multiple = 0, 0
    for game in played:
        corners = list(corner_means(Intervals(game.run)))
        unique += any(len(true_means.optimal) == 1 for true_means in corners)
        multiple += any(len(true_means.optimal) > 1 for true_means in corners)
    assert unique / len(played) >= 0.6
    assert multiple / len(played) >= 0.3


def test_means_of_corner_means_are_means_of_rewards(played) -> None:
    for game in played[:60]:
        for true_means in corner_means(Intervals(game.run)):
            assert all(0 <= mean <= 1 for mean in true_means.means)
            assert all(
                0 <= v <= mean * (1 - mean) for v, mean in zip(true_means.variances, true_means.means, strict=True)
            )


def test_instances_have_every_shape() -> None:
    found = collect(instances())
    assert {instance.number_of_arms for instance in found} == set(range(1, 9))
    rates = {
        "unique": sum(instance.unique for instance in found),
        "tied": sum(len(instance.optimal_arms) > 1 for instance in found),
        "all equal": sum(instance.largest_gap == 0 and instance.number_of_arms > 1 for instance in found),
        "tiny gap": sum(0 < (instance.smallest_gap or 0) <= Fraction(1, 10**6) for instance in found),
    }
    assert all(count >= 0.05 * len(found) for count in rates.values()), rates


def test_tie_scripts_reach_every_admissible_decision_of_a_tie() -> None:
    """Three equal arms: over the scripts, every admissible decision of the first free round is taken."""
    scenario = Scenario(((0,), (0,), (0,)), Oblivious(Zero()), TieScript((0,)), 4)
    first = play(scenario).situations[0]
    taken = {play(replace(scenario, ties=script)).situations[0].decision for script in collect(tie_scripts())}
    assert taken == set(play(scenario).rule.admissible(first.view)) == {Decision(arm, True) for arm in (1, 2, 3)}


def test_exact_numbers_of_an_adversary_meet_the_test() -> None:
    """An aimed epsilon is the test's own number, not a double near it."""
    ties = 0
    for scenario in collect(adaptive_scenarios(), 8):
        if isinstance(scenario.epsilon, Adversary):
            for situation in play(scenario).situations:
                level = situation.epsilon
                ties += any(
                    isinstance(level, Exact) and level.sign() > 0 and level == situation.view.width(arm)
                    for arm in situation.arms
                    if not situation.view.width(arm).is_infinite
                )
    assert ties >= 20
