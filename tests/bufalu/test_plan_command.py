"""`bufalu plan`: the table, the JSON, the picture, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bufalu.cli import main

QUESTION = ["plan", "--means", "1/4,1/4,1/2", "--horizon", "300", "--cost", "1/10"]


def test_the_table_names_the_cheapest_and_says_what_is_asymptotic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(QUESTION) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Least certified cost: all 40 rows are equal, nothing that is proved tells them apart")
    assert "asymptotically" in shown


def test_a_tie_for_the_first_place_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["plan", "--means", "1/4,1/2", "--horizon", "1000", "--cost", "1/10"]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Least certified cost: a tie of ")
    assert "rows, whose proved bounds are equal: " in shown
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    first = found["offers"][: len(found["least"])]
    assert found["least"] == [{"policy": each["policy"], "epsilon": each["epsilon"]} for each in first]
    assert len({offer["cost_at_most"] for offer in first}) == 1 < len({o["cost_at_most"] for o in found["offers"]})


def test_the_json_has_every_offer_and_what_was_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "plan.svg"
    assert main([*QUESTION, "--seeds", "3", "--json", "--plot", str(picture)]) == 0
    found = json.loads(capsys.readouterr().out)
    costs = [offer["cost_at_most"] for offer in found["offers"]]
    assert costs == sorted(costs)
    played = {(cell["policy"], cell["epsilon"]): cell for cell in found["measured"]}
    assert {policy for policy, _ in played} >= {"greedy", "cbm-ucb", "dial:1", "dial:0"}
    for offer in found["offers"]:
        assert played[offer["policy"], offer["epsilon"]]["cost_mean"] <= offer["cost_at_most"]
    drawn = picture.read_text(encoding="utf-8")
    assert all(
        word in drawn for word in ("BuFALU", "BuFAU", "pairs:1", "greedy", "cbm-ucb", "no consistent strategy")
    )


def test_a_plan_without_means(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--arms", "3", "--smallest-gap", "1/4", "--horizon", "300", "--cost", "1/10"]) == 0
    assert "every instance of 3 arms with one optimal arm" in capsys.readouterr().out


def test_a_plan_without_gaps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--arms", "3", "--horizon", "300", "--cost", "1/10"]) == 0
    assert "every instance of 3 arms, whatever its gaps" in capsys.readouterr().out


@pytest.mark.parametrize(("horizon", "vacuous"), [("300", True), ("10000", False)])
def test_a_plan_that_promises_less_than_never_asking_says_so(
    horizon: str, vacuous: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = ["plan", "--arms", "3", "--horizon", horizon, "--cost", "1/10"]
    assert main(plan) == 0
    assert ("VACUOUS" in capsys.readouterr().out) == vacuous
    assert main([*plan, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["never_asking_costs_at_most"] == int(horizon)
    assert (found["offers"][0]["cost_at_most"] >= int(horizon)) == vacuous


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--smallest-gap", "1/4"], "which needs --arms"),
        (["--arms", "3", "--smallest-gap", "1/4", "--seeds", "3"], "--seeds is for a plan with known means"),
        (["--arms", "3", "--smallest-gap", "1/4", "--means", "1/4,1/2"], "--means is for a plan with known means"),
        (["--arms", "1", "--smallest-gap", "1/4"], "two arms or more"),
        (["--means", "1/2,1/2"], "every arm is optimal"),
        ([], "or how many they are with --arms"),
    ],
)
def test_what_cannot_be_planned_is_refused(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", *words, "--horizon", "300", "--cost", "1/10"]) == 2
    assert says in capsys.readouterr().err
