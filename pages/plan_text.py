"""A plan in words and for machines: what each policy and epsilon costs at most, by what is proved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.planning import Offer, cheapest
from bufalu.experiments.studies.summary import CellSummary
from bufalu.experiments.studies.theorems import LowerRates
from bufalu.reference.rationals import Rational, format_rational

ROWS = 10
"""How many rows the table has; --json has them all."""

BASELINES = ("greedy", "cbm-ucb")
"""Played beside the candidates; no theorem bounds them."""


@dataclass(frozen=True)
class Plan:
    """Offers, the cheapest first, for a price of a query; `scope` says of what they hold, `measured` are cells played.

    `never_asking` is what T rounds cost at most, whatever is played, if no reward is asked for: T times the largest gap.
    """

    horizon: int
    price: Rational
    scope: str
    offers: Sequence[Offer]
    lower: LowerRates | None
    measured: Sequence[CellSummary]
    never_asking: Rational


def plan_document(plan: Plan) -> dict[str, object]:
    """The plan for machines: every offer, each number a double that is not below it."""

    def above(number: Fraction) -> float:
        """A double that is not below the number."""
        return Enclosure.of(number).upper_float

    price, lower, measured = plan.price, plan.lower, plan.measured
    document: dict[str, object] = {
        "horizon": plan.horizon,
        "price": format_rational(price),
        "holds_for": plan.scope,
        "never_asking_costs_at_most": above(Fraction(plan.never_asking)),
        "least": [{"policy": offer.policy, "epsilon": offer.epsilon} for offer in cheapest(plan.offers)],
        "offers": [
            {
                "policy": offer.policy,
                "epsilon": offer.epsilon,
                "regret_at_most": above(offer.regret),
                "queries_at_most": above(offer.queries),
                "cost_at_most": above(offer.cost),
            }
            for offer in plan.offers
        ],
    }
    if lower is not None:
        document["asymptotic_lower_rates"] = {
            "family": lower.family,
            "regret_over_log_T": lower.regret,
            "queries_over_log_T": lower.queries,
        }
    if measured:
        document["measured"] = [
            {
                "policy": cell.cell.policy,
                "epsilon": cell.cell.epsilon,
                "seeds": cell.seeds,
                "regret_mean": cell.regret.mean,
                "queries_mean": cell.queries.mean,
                "cost_mean": cell.regret.mean + float(price) * cell.queries.mean,
            }
            for cell in measured
        ]
    return document


def _named(tied: Sequence[Offer], rows: int) -> str:
    """One offer, or all that share the first place: nothing that is proved tells them apart."""
    if len(tied) == rows:
        return f"all {rows} rows are equal, nothing that is proved tells them apart after so few rounds"
    if len(tied) == 1:
        return f"{tied[0].policy} with epsilon {tied[0].epsilon}"
    by_epsilon: dict[str, list[str]] = {}
    for offer in tied:
        by_epsilon.setdefault(offer.epsilon, []).append(offer.policy)
    listed = "; ".join(f"{', '.join(policies)} with epsilon {epsilon}" for epsilon, policies in by_epsilon.items())
    return f"a tie of {len(tied)} rows, whose proved bounds are equal: {listed}"


def plan_text(plan: Plan) -> str:
    """The plan for people: the least certified cost, the best rows, what was measured, and lower bounds beside it."""
    price, found, lower, measured = plan.price, plan.offers, plan.lower, plan.measured
    best = found[0]
    lines = []
    lines.append(f"Least certified cost: {_named(cheapest(found), len(found))}.")
    lines.append(
        f"Expected regret + {format_rational(price)} x queries after {plan.horizon:,} rounds is at most "
        f"{_whole(best.cost)}, for {plan.scope}. The dial leads from BuFAU (dial:0) to BuFALU (dial:1); "
        "pairs is the pair rule."
    )
    if best.cost >= plan.never_asking:
        lines.append(
            f"VACUOUS (no better than the trivial bound): who plays any arm and never asks pays at most "
            f"{_whole(Fraction(plan.never_asking))}."
        )
    played = {(cell.cell.policy, cell.cell.epsilon): cell for cell in measured}
    head = f"{'policy':<12}{'epsilon':<20}{'regret <=':>12}{'queries <=':>12}{'cost <=':>12}"
    lines.append("\n" + head + (f"{'regret':>12}{'queries':>12}{'cost':>12}" if measured else ""))
    for offer in found[:ROWS]:
        row = f"{offer.policy:<12}{offer.epsilon:<20}"
        row += "".join(f"{_whole(number):>12}" for number in (offer.regret, offer.queries, offer.cost))
        lines.append(row + (_played(played[offer.policy, offer.epsilon], price) if measured else ""))
    for cell in measured:
        if cell.cell.policy in BASELINES and cell.cell.epsilon == best.epsilon:
            lines.append(f"{cell.cell.policy:<12}{cell.cell.epsilon:<20}{'no theorem':>36}" + _played(cell, price))
    if len(found) > ROWS:
        lines.append(f"({len(found) - ROWS} more rows with --json)")
    if measured:
        least = min((cell for cell in measured), key=lambda cell: cell.regret.mean + float(price) * cell.queries.mean)
        lines.append(
            f"\nLeast on average over {least.seeds} seeds: {least.cell.policy} with epsilon {least.cell.epsilon}."
        )
    if lower is not None:
        log = math.log(plan.horizon)
        parts = [
            f"{name} about {rate * log:,.0f} or more"
            for name, rate in (("regret", lower.regret), ("queries", lower.queries))
            if rate is not None
        ]
        lines.append(
            f"\nFor comparison, asymptotically (as T grows; at this T it bounds nothing), every strategy that is "
            f"consistent on {lower.family} arms has {' and '.join(parts) or 'no finite lower bound'}."
        )
    return "\n".join(lines)


def _played(cell: CellSummary, price: Rational) -> str:
    cost = cell.regret.mean + float(price) * cell.queries.mean
    return f"{cell.regret.mean:>12,.0f}{cell.queries.mean:>12,.0f}{cost:>12,.0f}"


def _whole(number: Fraction) -> str:
    """Rounded up: an upper bound stays one."""
    return f"{math.ceil(number):,}"
