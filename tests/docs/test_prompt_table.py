"""The table of `docs/tutorial-which-prompt.md`: what the rule, a coin, a timer and UCB cost, played again."""

from __future__ import annotations

import re

import pytest

from bufalu import Study, compare
from tests.docs.snippets import ROOT

PAGE = (ROOT / "docs" / "tutorial-which-prompt.md").read_text(encoding="utf-8")
ROWS = {
    policy: tuple(int(number.replace(",", "")) for number in numbers.split(" | "))
    for policy, numbers in re.findall(r"^\| `([a-z]+[:\d/]*)` \| (.+) \|$", PAGE, flags=re.MULTILINE)
}


def played(policy: str, delay: int, missing: str) -> tuple[int, ...]:
    """Mean and 95% quantile of the regret, mean queries, and what both cost at the price of the page."""
    study = Study(
        instances=[0.4, 0.5, 0.55, 0.6, 0.8],
        policies=policy,
        epsilons="constant:99/500",
        horizons=20_000,
        seeds=12,
        delay=delay,
        missing=missing,
    )
    (cell,) = compare(study).summary.cells
    cost = cell.regret.mean + cell.queries.mean / 5
    return tuple(round(number) for number in (cell.regret.mean, cell.regret.quantiles[-1], cell.queries.mean, cost))


def test_the_rule_costs_what_the_page_says_if_verdicts_come_at_once() -> None:
    regret, _, queries, _ = played("dial:3/4", 0, "0")
    assert f"the rule has {regret} bad answers too many and asks {queries:,} times" in PAGE


@pytest.mark.nightly
@pytest.mark.parametrize("policy", ["dial:3/4", "coin:1/10", "every:10", "coin:1/100", "explore:100", "ucb"])
def test_each_row_is_what_comes_out(policy: str) -> None:
    assert played(policy, 10, "1/20") == ROWS[policy]
