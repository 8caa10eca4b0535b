"""Where to set the dial: the bound on regret plus price times queries as a function of rho, and its minimum.

Beyond the paper (docs/dial.md). For a unique optimal arm, Hoeffding's interval and epsilon = 0, regret and queries of
the dial are at most 6 ln T times A (1 + rho)^2 + B (1 + 1/rho)^2, up to what does not depend on rho, with
A = sum over a of (Delta_a + c) / Delta_a^2 and B = c / Delta_min^2 for a price c of a query. The Coq theorem
`the_best_dial_for_a_price` says that this is least at rho = (B/A)^(1/3), and on (0, 1] at the smaller of that and 1.
"""

from __future__ import annotations

from fractions import Fraction

from bufalu.bounds.bound import Bound, BoundTerm
from bufalu.bounds.enclosures import Enclosure
from bufalu.bounds.errors import OutsideDomain
from bufalu.bounds.expressions import Expression, counting, minimum, number, positive
from bufalu.reference.instances import Instance
from bufalu.reference.rationals import Rational

DENOMINATORS = 100
"""Positions are rounded to fractions with denominators up to this: the bound is flat at its minimum."""


def price_constants(instance: Instance, price: Rational) -> tuple[Fraction, Fraction]:
    """A and B of the bound; raises `OutsideDomain` for several optimal arms, one arm, or a price that is not positive."""
    if not instance.unique or instance.smallest_gap is None:
        raise OutsideDomain("the dial has a best position only where one arm of several is the unique optimal one")
    if price <= 0:
        raise OutsideDomain("without a price of a query the bound falls as rho does: there is no best position")
    gaps = [Fraction(gap) for gap in instance.gaps if gap]
    return sum(((gap + price) / gap**2 for gap in gaps), start=Fraction(0)), Fraction(price) / min(gaps) ** 2


def price_bound(instance: Instance, price: Rational, rho: Rational) -> Bound:
    """A (1 + rho)^2 + B (1 + 1/rho)^2: regret plus price times queries is at most 6 ln T times this, to leading order.

    Raises `OutsideDomain` as `price_constants` does, and for a rho outside (0, 1].
    """
    if not 0 < rho <= 1:
        raise OutsideDomain(f"a position of the dial with this bound lies in (0, 1], and {rho} does not")
    others, best = price_constants(instance, price)
    position = positive("rho")
    terms = (
        BoundTerm("suboptimal arms", positive("A") * (1 + position) ** 2),
        BoundTerm("the optimal arm", positive("B") * (1 + 1 / position) ** 2),
    )
    return Bound(
        name="price of the dial",
        line="docs/dial.md",
        statement="regret plus price times queries is at most 6 ln T times this, up to a term without rho",
        expression=terms[0].expression + terms[1].expression,
        values={"A": others, "B": best, "rho": rho},
        terms=terms,
    )


def best_position(instance: Instance, price: Rational) -> Bound:
    """min{1, (B/A)^(1/3)}, where the bound is least; raises as `price_constants` does."""
    others, best = price_constants(instance, price)
    return Bound(
        name="best position of the dial",
        line="docs/dial.md",
        statement="the rho in (0, 1] whose bound is least",
        expression=minimum(number(1), (positive("B") / positive("A")) ** Fraction(1, 3)),
        values={"A": others, "B": best},
    )


def position_for_queries(arms: int) -> Bound:
    """(K - 1)^(-1/3): the best position for queries alone and equal gaps, which needs no gaps.

    Raises `OutsideDomain` for fewer than two arms.
    """
    if arms < 2:
        raise OutsideDomain("with one arm there is nothing to set")
    return Bound(
        name="position of the dial for queries",
        line="docs/dial.md",
        statement="the rho whose bound on queries is least when all suboptimal arms have the same gap",
        expression=(counting("K") - 1) ** Fraction(-1, 3),
        values={"K": arms},
    )


def rounded(position: Bound) -> Fraction:
    """A rational near a position, for a text form: at least 1/100, at most 1."""
    value = Enclosure.of(position.evaluate())
    near = Fraction(float(value)).limit_denominator(DENOMINATORS)
    return min(Fraction(1), max(Fraction(1, DENOMINATORS), near))


def excess(instance: Instance, price: Rational, rho: Rational) -> Enclosure:
    """How much larger the bound is at this rho than at the best one, as a factor: 1 at the best."""
    here = price_bound(instance, price, rho).evaluate()
    best: Expression = best_position(instance, price).expression
    values = price_bound(instance, price, rho).values
    formula = price_bound(instance, price, rho).expression.substitute({"rho": best})
    return here / formula.evaluate({name: value for name, value in values.items() if name != "rho"})
