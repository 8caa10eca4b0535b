"""The measured tables of `docs/dial.md`, and what its sentences draw from them: played again with the same seeds."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

import pytest

from bufalu import Instance, Study
from bufalu.experiments.studies.running import run_study
from bufalu.experiments.studies.summary import summarised
from bufalu.reference.rationals import parse_rational
from tests.docs.snippets import ROOT

PAGE = (ROOT / "docs" / "dial.md").read_text(encoding="utf-8")
POSITIONS = ("1", "3/4", "1/2", "1/4", "0")
SHOWN_EPSILONS = {"0": "zero", "$`t^{-1/4}`$": "power:1/4", "$`1/\\ln t`$": "inverse-log"}
ONE, TWO_OPTIMAL, PAIR = "1/4,1/4,1/4,1/4,1/2", "1/4,1/4,1/4,1/2,1/2", "1/4,1/2"

QUICK = 3_500
"""Cells of at most so many queries a run take a fraction of a second: the engine jumps over the other rounds."""


class TableCell(NamedTuple):
    """A cell of the page."""

    means: str
    epsilon: str
    position: str


class Figures(NamedTuple):
    """What a cell says: mean and standard deviation of regret and of queries, as whole numbers."""

    regret: int
    regret_spread: int
    queries: int
    queries_spread: int


def tables(text: str) -> dict[TableCell, Figures]:
    """The cells of the section, each under the means in the line above its table."""
    section = text[text.index("## Measured") : text.index("## Where it does not help")]
    found: dict[TableCell, Figures] = {}
    means = ""
    for line in section.splitlines():
        if heading := re.fullmatch(r".*arms.* \(([\d/, ]+)\):", line):
            means = heading[1].replace(" ", "")
        first, *cells = [part.strip() for part in line.strip("|").split(" | ")]
        if first in SHOWN_EPSILONS:
            for position, cell in zip(POSITIONS, cells, strict=True):
                numbers = [int(number.replace(",", "")) for number in re.split(" ± | / ", cell)]
                found[TableCell(means, SHOWN_EPSILONS[first], position)] = Figures(*numbers)
    return found


def options(text: str) -> dict[str, list[str]]:
    """The options of the command that the page says its numbers are from."""
    (command,) = re.findall(r"^bufalu compare (.*?)```", text, flags=re.MULTILINE | re.DOTALL)
    words = shlex.split(command.replace("\\\n", " "))
    found: dict[str, list[str]] = {}
    for name, value in zip(words[::2], words[1::2], strict=True):
        found.setdefault(name, []).append(value)
    return found


@cache
def played(cell: TableCell, horizon: int, seeds: int) -> Figures:
    """The figures of a cell, played."""
    study = Study(
        instances=Instance.bernoulli([parse_rational(mean) for mean in cell.means.split(",")]),
        policies=f"dial:{cell.position}",
        epsilons=cell.epsilon,
        horizons=horizon,
        seeds=seeds,
        points=1,
    )
    (found,) = summarised(run_study(study), 1).cells
    return Figures(*(round(n) for s in (found.regret, found.queries) for n in (s.mean, s.std)))


def disagreements(text: str, cells: Collection[TableCell]) -> dict[TableCell, Figures]:
    """The cells among these of which the page says something else, with what is played."""
    said, command = tables(text), options(text)
    (horizon,), (seeds,) = (map(int, command[name]) for name in ("--horizon", "--seeds"))
    return {cell: found for cell in cells if (found := played(cell, horizon, seeds)) != said[cell]}


def quick() -> list[TableCell]:
    return [cell for cell, figures in tables(PAGE).items() if figures.queries <= QUICK]


def test_the_tables_have_the_cells_of_the_command():
    command = options(PAGE)
    assert command["--means"] == [ONE, TWO_OPTIMAL, PAIR]
    assert command["--policy"] == [*(f"dial:{position}" for position in POSITIONS), "bufalu", "bufau"]
    expected = {
        TableCell(means, epsilon, position)
        for means in command["--means"]
        for epsilon in command["--epsilon"]
        for position in POSITIONS
    }
    assert set(tables(PAGE)) == expected
    assert len(expected) == 45
    for number, position in enumerate(POSITIONS):
        heads = re.findall(r"^\| \$`\\epsilon\(t\)`\$ \| (.*) \|$", PAGE, flags=re.MULTILINE)
        assert [head.split(" | ")[number] for head in heads] == [f"$`\\rho = {position}`$"] * 3


def test_the_quick_cells_say_what_is_played():
    assert len(quick()) >= 10
    assert disagreements(PAGE, quick()) == {}


def test_a_changed_figure_is_noticed():
    cell = TableCell(PAIR, "inverse-log", "1")
    for right, wrong in (
        ("154 ± 24 / 1,233 ± 196", "154 ± 24 / 1,234 ± 196"),
        ("154 ± 24 / 1,233", "154 ± 25 / 1,233"),
    ):
        assert PAGE.count(right) == 1
        assert list(disagreements(PAGE.replace(right, wrong), [cell])) == [cell]
    # Fewer seeds give other figures.
    assert disagreements(PAGE.replace("--seeds 1000", "--seeds 500"), [cell])


@pytest.mark.nightly
def test_the_other_cells_say_what_is_played():
    assert disagreements(PAGE, set(tables(PAGE)) - set(quick())) == {}


def untrue(text: str) -> list[str]:
    """The sentences that the tables do not bear out; a sentence that is not on the page is one of them."""
    said = tables(text)
    epsilons = SHOWN_EPSILONS.values()

    def changes(means: str, position: str, quantity: str) -> list[float]:
        """In percent against rho = 1, for each epsilon."""
        pairs = [
            (said[TableCell(means, epsilon, position)], said[TableCell(means, epsilon, "1")]) for epsilon in epsilons
        ]
        return [100 * (getattr(ours, quantity) / getattr(wide, quantity) - 1) for ours, wide in pairs]

    def rounded(values: list[float]) -> set[int]:
        return {round(value) for value in values}

    several = [change for position in POSITIONS[1:] for change in changes(TWO_OPTIMAL, position, "regret")]
    more = [change for position in POSITIONS[1:] for change in changes(TWO_OPTIMAL, position, "queries")[1:]]
    sentences = {
        "has 42% less regret than BuFALU and no more queries": rounded(changes(ONE, "1/2", "regret")) == {-42}
        and max(changes(ONE, "1/2", "queries")) <= 0,
        "+6% to +7% at 3/4, +41% at 1/2": rounded(changes(PAIR, "3/4", "queries")) == {6, 7}
        and rounded(changes(PAIR, "1/2", "queries")) == {41},
        "has 1% to 2% less regret": rounded(several) == {-1, -2},
        "about 3% more of them": rounded(more) == {3},
        "nearly doubled with five arms": all(80 <= change < 100 for change in changes(ONE, "1/4", "queries")),
        "more than tripled with two": min(changes(PAIR, "1/4", "queries")) > 200,
        "at 0 with epsilon = 0 every round is queried": {
            said[TableCell(means, "zero", "0")][2:] for means in (ONE, TWO_OPTIMAL, PAIR)
        }
        == {(int(options(text)["--horizon"][0]), 0)},
    }
    plain = " ".join(text.split())
    return [sentence for sentence, holds in sentences.items() if sentence not in plain or not holds]


def test_the_sentences_are_what_the_tables_say():
    assert untrue(PAGE) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("584 ± 61", "594 ± 61"),
        ("2,369 ± 371", "2,469 ± 371"),
        ("147 ± 18 / 16,636", "155 ± 18 / 16,636"),
        ("16,636 ± 1,538", "17,000 ± 1,538"),
        ("9,757 ± 1,053", "10,757 ± 1,053"),
        ("7,384 ± 1,298", "6,384 ± 1,298"),
        ("63 ± 13 / 100,000 ± 0", "63 ± 13 / 99,999 ± 0"),
        ("42% less regret", "43% less regret"),
    ],
)
def test_a_sentence_that_its_table_does_not_bear_out_is_noticed(right, wrong):
    assert PAGE.count(right) == 1
    assert len(untrue(PAGE.replace(right, wrong))) == 1
