"""The games put every arm into every role, for every reason, early and late, and play every number of arms."""

from dataclasses import replace

import pytest

from bufalu.oracle.directed import Scope, Stage, games, smoke
from bufalu.oracle.every_arm import FEW
from bufalu.oracle.games import Scene
from bufalu.reference.confidence import confidence_named
from bufalu.reference.policies import policy_named
from tests.oracle.coverage import (
    MOST_ARMS,
    SETTINGS,
    TIES,
    CoveredRound,
    cells_of,
    counted,
    empty_cells,
    possible_cells,
    sizes_played,
)

FIRST, LAST = TIES


@pytest.mark.parametrize(("policy", "interval"), SETTINGS)
def test_no_cell_is_empty(policy: str, interval: str) -> None:
    # One way of breaking ties for each interval; the nightly test tries both.
    assert empty_cells(policy, interval, FIRST if interval == "hoeffding" else LAST) == []


@pytest.mark.nightly
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize(("policy", "interval"), SETTINGS)
def test_no_cell_is_empty_whichever_tie_is_taken(policy: str, interval: str, ties: str) -> None:
    assert empty_cells(policy, interval, ties) == []


def test_every_number_of_arms_is_played() -> None:
    assert sizes_played() >= set(range(1, MOST_ARMS + 1))


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("interval", ["hoeffding", "bernstein"])
def test_the_last_of_many_arms_is_challenger_and_then_leader(interval: str, ties: str) -> None:
    for game in games(Stage.SIZES, "bufalu", interval, Scope()):
        found = set(cells_of(game, policy_named("bufalu"), confidence_named(interval), ties))
        for role in ("played", "leader"):
            assert CoveredRound(game.arms, role, "last", "query of challenger", "early") in found


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("interval", ["hoeffding", "bernstein"])
@pytest.mark.parametrize("policy", ["bufalu", "dial:1/2"])
def test_epsilons_below_1e_5_decide_however_ties_are_broken(policy: str, interval: str, ties: str) -> None:
    (game,) = (game for game in games(Stage.TIES, policy, interval, Scope()) if game.name.startswith("tiny epsilons"))
    epsilons = list[float]()

    def heard(scene: Scene) -> float:
        epsilons.append(game.epsilon(scene))
        return epsilons[-1]

    cells = cells_of(replace(game, epsilon=heard), policy_named(policy), confidence_named(interval), ties)
    reasons = [cell.reason for cell in cells if cell.role == "played"]
    decided = {
        reason
        for epsilon, reason in zip(epsilons, reasons, strict=True)
        if 0 < epsilon < 1e-5 and reason != "initial"
    }
    assert decided == {"within_epsilon", "query of challenger"}


def test_the_games_before_left_cells_empty() -> None:
    """The table sees a gap: the stages without this one separate a leader with two and three arms, and with 64."""
    played = [game for game in games(Stage.DIRECTED, "bufalu", "hoeffding", Scope()) if game.arms in FEW]
    found = counted("bufalu", "hoeffding", FIRST, played)
    empty = [cell for cell in possible_cells("bufalu", "hoeffding") if not found[cell]]
    assert CoveredRound(5, "played", "last", "separated", "late") in empty
    assert CoveredRound(2, "played", "last", "separated", "early") not in empty


def test_a_cell_names_the_round() -> None:
    cells = list(cells_of(smoke(), policy_named("bufalu"), confidence_named("hoeffding"), FIRST))
    assert cells[:2] == [
        CoveredRound(2, "played", "first", "initial", "early"),
        CoveredRound(2, "played", "last", "initial", "early"),
    ]
    assert {cell.reason for cell in cells} <= {
        "initial",
        "within_epsilon",
        "separated",
        "query of leader",
        "query of challenger",
    }
