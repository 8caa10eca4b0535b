"""A polynomial in Bernstein form at a point, by the definition of the form."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod

import numpy as np

from bufalu.law.polynomials import BernsteinForm


def value_at(form: BernsteinForm, point: Sequence[Fraction]) -> Fraction:
    """The sum over all coefficients, each times C(n, k) x^k (1 - x)^(n - k) of every coordinate x."""
    return sum(
        coefficient
        * prod(
            comb(size - 1, k) * x**k * (1 - x) ** (size - 1 - k)
            for size, k, x in zip(form.coefficients.shape, index, point, strict=True)
        )
        for index, coefficient in np.ndenumerate(form.coefficients)
    )
