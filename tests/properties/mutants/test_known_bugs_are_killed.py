"""Every wrong version of a policy dies by its named killer; what no theorem notices is known by name."""

import json
from functools import cache
from pathlib import Path

import pytest

from bufalu.oracle.known_bugs import FAR_BUGS, KNOWN_BUGS, LATE_BUGS, KilledBy, known_bug_named
from bufalu.properties.mutants.matrix import (
    CONFORMANCE,
    STATEMENTS,
    all_settings,
    breaks,
    build_matrix,
    settings_of,
)
from bufalu.properties.runs.corpus import corpus
from bufalu.properties.runs.scenarios import Scenario, play
from bufalu.properties.runs.statements import Statement
from bufalu.reference.policies import policy_named
from tests.properties.mutants.killers import CONFORMANCE_ALONE, EQUIVALENT, EXACT_KILLS, KILLERS

BY_NAME = {statement.name: statement for statement in STATEMENTS}
GAMES = 12
SEEDS = (0, 1, 2)


@cache
def scenarios_of(policy: str, confidence: str, seed: int) -> tuple[Scenario, ...]:
    return tuple(corpus(policy, confidence, GAMES, seed))


def killing_scenario(identifier: str, statement: Statement) -> Scenario | None:
    mutant = known_bug_named(identifier)
    for policy, confidence in settings_of(mutant, full=False):
        for seed in SEEDS:
            for game in scenarios_of(policy, confidence, seed):
                if breaks(statement, play(game, mutant.live)):
                    return game
    return None


def test_the_page_of_mutants_counts_the_known_bugs() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "mutants.md").read_text(encoding="utf-8")
    for said in (f" {len(KNOWN_BUGS)} wrong versions", f" {len(LATE_BUGS)} of the use", f" {len(FAR_BUGS)} that"):
        assert said in page


def test_the_catalogue_is_large_and_every_mutant_has_a_killer() -> None:
    assert len(KNOWN_BUGS) >= 40
    assert set(KILLERS) | set(EQUIVALENT) == {mutant.id for mutant in KNOWN_BUGS}


@pytest.mark.parametrize("identifier", sorted(KILLERS))
def test_named_killer(identifier: str) -> None:
    game = killing_scenario(identifier, BY_NAME[KILLERS[identifier]])
    assert game is not None, f"{KILLERS[identifier]} does not notice {identifier}"
    # The same game played by the reference breaks nothing: the mutant is to blame.
    assert not breaks(BY_NAME[KILLERS[identifier]], play(game))


@pytest.mark.parametrize("identifier", EQUIVALENT)
def test_equivalent_mutant_plays_like_the_reference(identifier: str) -> None:
    """Not a single admissible decision differs; tie-breaks aside, the two rules are one.

    A sample: that they are one rule for all numbers is proved in the symbolic layer.
    """
    mutant = known_bug_named(identifier)
    assert mutant.place is KilledBy.SYMBOLIC
    rounds = 0
    for policy, confidence in mutant.settings():
        for game in scenarios_of(policy, confidence, 0)[::3]:
            for situation in play(game).situations:
                theirs = mutant.rules[policy].admissible(situation.view)
                assert set(theirs) == set(policy_named(policy).admissible(situation.view))
                rounds += 1
    assert rounds > 1000


def test_strict_mutants_are_accepted_by_default() -> None:
    for identifier in EXACT_KILLS:
        mutant = known_bug_named(identifier)
        assert mutant.place is KilledBy.STRICT
        for policy, confidence in settings_of(mutant, full=False):
            for game in scenarios_of(policy, confidence, 0):
                assert not breaks(BY_NAME["conformance.default"], play(game, mutant.live))


@pytest.mark.parametrize("identifier", ["leader-by-ucb", "epsilon-on-challenger", "epsilon-on-width"])
def test_natural_mutants_that_violate_no_theorem_of_the_paper(identifier: str) -> None:
    """Theorems do not pin the algorithm: only the sharper statement beyond the paper may notice."""
    mutant = known_bug_named(identifier)
    beyond = CONFORMANCE | {"theorem.sharper"}
    claims = [
        statement for statement in STATEMENTS if statement.name not in beyond and "bufalu" in statement.policies
    ]
    noticed = False
    for game in scenarios_of("bufalu", "hoeffding", 0):
        run = play(game, mutant.live)
        noticed = noticed or breaks(BY_NAME["conformance.default"], run)
        for claim in claims:
            assert not breaks(claim, run), claim.name
    assert noticed


def test_the_matrix_as_data() -> None:
    seen: list[int] = []
    some = KNOWN_BUGS[3:6]
    matrix = build_matrix(size=1, progress=lambda done, label: seen.append(done), bugs=some)
    assert seen == list(range(len(all_settings(False, some))))
    data = matrix.as_json()
    assert [row["mutant"] for row in data["mutants"]] == [mutant.id for mutant in some]
    assert json.loads(json.dumps(data)) == data
    for row in matrix.bugs:
        assert not set(row.killed_by) & set(row.survived)
        assert set(row.killed_by) | set(row.survived) == {s.name for s in STATEMENTS if row.policy in s.policies}


@pytest.mark.nightly
def test_the_whole_matrix() -> None:
    """Every mutant in every setting: conformance notices all but the equivalent one, and the list above is right."""
    matrix = build_matrix(size=150, full=True)
    for row in matrix.bugs:
        if row.mutant in EQUIVALENT:
            assert not row.killed_by
        elif row.mutant in EXACT_KILLS:
            assert "conformance.exact" in row.killed_by
        else:
            assert "conformance.default" in row.killed_by, (row.mutant, row.policy, row.confidence)
        if row.mutant in CONFORMANCE_ALONE and row.policy == "bufalu":
            assert not row.violates_a_claim, (row.mutant, row.killed_by)
