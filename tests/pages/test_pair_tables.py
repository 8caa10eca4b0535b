"""The measured tables of docs/pairs.md are those of the data file, whose figures the engine gives again."""

import json

import pytest

from bufalu.experiments.engine.errors import ExperimentsUnavailable
from bufalu.experiments.paper.printed import MULTIPLE, POLICIES, SCHEDULES, UNIQUE
from bufalu.pages import pair_tables as tables
from bufalu.pages.pair_tables import (
    CHOSEN,
    DATA,
    HORIZON,
    INSTANCES,
    OF_THE_PAPER,
    PAGE,
    SEEDS,
    main,
    measure,
    not_below,
)
from tests.docs.snippets import ROOT

CELLS = tables.read((ROOT / DATA).read_text())
QUICK = 3_500
"""Cells of at most so many queries a run take a fraction of a second: the engine goes from query to query."""


def test_the_page_says_what_the_file_says():
    page = (ROOT / PAGE).read_text()
    assert tables.renewed(page, CELLS) == page, "stale: run `python -m bufalu.pages.pair_tables`"
    assert tables.renewed(page.replace("209 ± 45", "208 ± 45"), CELLS) == page
    assert tables.renewed("# A page\n", CELLS) == "# A page\n\n" + tables.section(CELLS)
    assert tables.renewed("# A page\n\n## Measured\n\nold\n\n## After\n", CELLS).endswith("\n\n## After\n")


def test_every_cell_was_played_once():
    wanted = [(i, e, p) for i in INSTANCES for e in tables.SCHEDULES for p in tables.POLICIES]
    assert [cell[:3] for cell in CELLS] == wanted
    document = json.loads((ROOT / DATA).read_text())
    assert (document["horizon"], document["seeds"]) == (HORIZON, SEEDS) == (100_000, 1_000)
    assert document["instances"] == {name: list(means) for name, (means, _) in INSTANCES.items()}
    # The paper's instances, policies and schedules are among them.
    assert (INSTANCES["one optimum"][0], INSTANCES["two optima"][0]) == (UNIQUE, MULTIPLE)
    assert (set(OF_THE_PAPER), set(tables.SCHEDULES)) == (set(POLICIES), set(SCHEDULES))


def played(cells):
    try:
        return [measure(cell.instance, [cell.policy], [cell.epsilon])[0] for cell in cells]
    except ExperimentsUnavailable as missing:
        pytest.skip(str(missing))


def quick():
    return [cell for cell in CELLS if cell.policy == CHOSEN and cell.queries <= QUICK and "arms" not in cell.instance]


def test_the_quick_cells_of_the_pair_rule_are_what_is_played():
    assert len(quick()) >= 3
    assert played(quick()) == quick()


@pytest.mark.nightly
def test_the_other_cells_are_what_is_played():
    others = [cell for cell in CELLS if cell not in quick()]
    assert played(others) == others


def test_less_than_what_was_asked_for_on_the_instance_of_the_paper():
    (cell,) = [cell for cell in CELLS if cell[:3] == ("one optimum", "zero", CHOSEN)]
    assert cell.regret <= 230 and cell.queries <= 1_500
    assert not [cell for cell, _ in not_below(CELLS, CHOSEN) if cell.instance == "one optimum"]


def test_the_remarks_are_what_the_tables_show():
    said = {cell[:3]: cell for cell in CELLS}
    policies, epsilons = list(tables.PAIRS), list(tables.SCHEDULES)
    for instance in ("two optima", "small means"):
        assert {said[instance, "zero", policy].queries for policy in tables.POLICIES} == {HORIZON}
    for instance in INSTANCES:
        for epsilon in epsilons:
            regrets = [said[instance, epsilon, policy].regret for policy in policies]
            assert regrets == sorted(regrets, reverse=True) or instance == "two optima"
    for instance, least in (("two arms", "pairs:1"), ("twenty arms", "pairs:2"), ("hundred arms", "pairs:4")):
        for epsilon in epsilons:
            assert min(policies, key=lambda policy: said[instance, epsilon, policy].queries) == least
    for epsilon in ("power:1/4", "inverse-log"):
        spreads = {policy: said["small means", epsilon, policy].regret_spread for policy in tables.POLICIES}
        assert min(spreads[policy] for policy in policies) > max(spreads[policy] for policy in OF_THE_PAPER)


def test_a_cell_that_is_not_below_is_named():
    low, high = CELLS[0]._replace(regret=5.0, queries=5.0), CELLS[0]._replace(regret=9.0, queries=9.0)
    paper = [high._replace(policy=policy) for policy in OF_THE_PAPER]
    pair = low._replace(policy=CHOSEN)
    assert not_below([*paper, pair], CHOSEN) == []
    for worse, words in (
        (pair._replace(regret=9.0), "regret"),
        (pair._replace(queries=9.0), "queries"),
        (high._replace(policy=CHOSEN), "regret and queries"),
    ):
        assert not_below([*paper, worse], CHOSEN) == [(worse, words)]
        assert f"({words})" in "".join(tables.exceptions([*paper, worse]))


def test_the_command_writes_the_page_from_the_file(tmp_path, capsys):
    data, page = tmp_path / "pairs.json", tmp_path / "pairs.md"
    assert main(["--data", str(data), "--page", str(page)]) == 2
    assert capsys.readouterr().err.startswith("pair_tables: ")
    data.write_text(tables.written(CELLS))
    page.write_text("# The pair rule\n")
    assert main(["--data", str(data), "--page", str(page)]) == 0
    assert page.read_text().endswith(tables.section(CELLS))
    assert data.read_text() == (ROOT / DATA).read_text()
