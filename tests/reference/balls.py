"""An independent evaluation of exact numbers with python-flint's balls, to test the reference against."""

from __future__ import annotations

from flint import arb, ctx, fmpq

from bufalu.reference.radicals import NormalForm


def rational_ball(value) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


BITS = 4000
"""Enough for 10^800 - 10^800 + 1, products of the largest numbers of the tests."""


def ball(form: NormalForm, bits: int = BITS) -> arb:
    """The value of a form as a ball: contains the true value whatever the reference's own error analysis says."""
    with ctx.workprec(bits):
        return _sum(form)


def _sum(form: NormalForm) -> arb:
    total = arb(0)
    for term in form.terms:
        value = rational_ball(term.coefficient) * rational_ball(term.radicand).sqrt()
        if term.exponent:
            value *= arb(form.round) ** rational_ball(term.exponent)
        if term.degree:
            value *= arb(form.round).log().sqrt() ** term.degree
        if term.variant_degree:
            log = arb(form.round).log()
            value *= (log + 3 * log.log()).sqrt() ** term.variant_degree
        for x, power in term.logs:
            value *= rational_ball(x).log().sqrt() ** power
        total += value
    return total
