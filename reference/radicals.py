"""Exact arithmetic on the numbers that the policies compare, and the proof that their signs are decided.

At a round t >= 2 put s = sqrt(ln t). Every number here is a finite sum of terms

    coefficient * sqrt(radicand) * t^exponent * s^degree * g^variant_degree * products of sqrt(ln x)^power

with rational coefficient, radicand > 0 and exponent, and whole degrees (negative ones too: 1/ln t is s^-2). The factor
g = sqrt(ln t + 3 ln ln t) appears only in the variant of l.1644, and the roots of logarithms of other rationals x > 1 only
in the pair rule (docs/pairs.md).

**Zero is decided by algebra.** ln t is transcendental for every integer t >= 2 (Lindemann: e^x is transcendental for
algebraic x != 0, and e^(ln t) = t is algebraic). So is s, whose square it is. A Laurent polynomial in a
transcendental number is zero only if all its coefficients are. A coefficient is a sum of c * sqrt(r) * t^e. Write t =
b^k with b no perfect power; then t^e = b^(ke), and whole and half powers of b go into c and r, which leaves an
exponent f in [0, 1/2). Two such radicals sqrt(r) b^f and sqrt(r') b^f' have a rational ratio only if f = f' and r r'
is a square: otherwise b^(2(f - f')) would be rational with 0 < |2(f - f')| < 1, and b a perfect power. Positive real
radicals with pairwise irrational ratios are linearly independent over the rationals (Besicovitch, Mordell, Siegel),
so after adding up the coefficients class by class the sum is zero exactly if nothing is left. No integer is factored:
classes are found with `isqrt`, perfect powers by integer roots.

**Other logarithms.** A rational x > 1 is y^k with k as large as possible, and ln x = k ln y. Two of them have logarithms
with a rational ratio exactly if they have the same y, so every ln x is written by its y, and by ln t if t has that y too.
What then has one logarithm alone, be it ln t or ln y, is decided as above, by Lindemann's theorem for y. That covers
an index of the pair rule against every epsilon without a logarithm, and two indices with equal counts.

**A sign that is not zero is found by enclosures.** Every term is evaluated with `decimal`, whose `ln`, `exp` and
`sqrt` are correctly rounded, at doubling precision with a running error bound, until the sum is larger than its
error. A number that is not zero is separated from it at some precision, so this ends. Only sums with a factor g, or with
logarithms whose ratio is irrational, may fail to end, since no theorem says that they are not zero: they stop at
`VARIANT_DIGITS` digits with `UndecidedComparison`.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import gcd, isqrt
from typing import NamedTuple, TypeAlias

from bufalu.reference.errors import MixedRounds, UndecidedComparison
from bufalu.reference.rationals import Rational

FIRST_DIGITS, VARIANT_DIGITS = 34, 2000
"""The precision of the first try, which every other one doubles, and that at which sums stop which may fail to end."""


Logs: TypeAlias = tuple[tuple[Rational, int], ...]
"""The product of sqrt(ln x)^power over these (x, power), x > 1 in increasing order."""


class RadicalTerm(NamedTuple):
    """coefficient * sqrt(radicand) * t^exponent * s^degree * g^variant_degree * logs (see the module's first lines)."""

    coefficient: Rational
    radicand: Rational = 1
    exponent: Rational = 0
    degree: int = 0
    variant_degree: int = 0
    logs: Logs = ()


class NormalForm(NamedTuple):
    """A sum of terms at one round; `round` is 0 when no term depends on it."""

    terms: tuple[RadicalTerm, ...]
    round: int

    def plus(self, other: NormalForm) -> NormalForm:
        """The sum of two numbers of the same round; raises `MixedRounds` otherwise, as all that combines two does."""
        return NormalForm(self.terms + other.terms, _common_round(self, other))

    def minus(self, other: NormalForm) -> NormalForm:
        """The difference of two numbers of the same round."""
        return self.plus(other.negated())

    def negated(self) -> NormalForm:
        """The number with the opposite sign."""
        return NormalForm(tuple(RadicalTerm(-term[0], *term[1:]) for term in self.terms), self.round)

    def times(self, other: NormalForm) -> NormalForm:
        """The product of two numbers of the same round."""
        terms = tuple(
            RadicalTerm(
                left.coefficient * right.coefficient,
                left.radicand * right.radicand,
                left.exponent + right.exponent,
                left.degree + right.degree,
                left.variant_degree + right.variant_degree,
                _product_of_logs(left.logs, right.logs) if left.logs or right.logs else (),
            )
            for left in self.terms
            for right in other.terms
        )
        return NormalForm(terms, _common_round(self, other))

    def sign(self) -> int:
        """-1, 0 or 1, decided as the module's docstring says; raises `UndecidedComparison` only for the variant of
        l.1644 and for logarithms whose ratio is irrational.
        """
        reduced = self.reduced()
        signs = {1 if term.coefficient > 0 else -1 for term in reduced.terms}
        if len(signs) <= 1:
            # Every radical is positive, so terms of one sign cannot cancel.
            return signs.pop() if signs else 0
        digits = FIRST_DIGITS
        while True:
            value, error = reduced.evaluate(digits)
            if value.copy_abs() > error:
                return 1 if value > 0 else -1
            if digits >= VARIANT_DIGITS and reduced._beyond_theorems():
                raise UndecidedComparison(
                    f"two numbers with ln ln t or several logarithms agree to {digits} digits at round {self.round}, and no "
                    "theorem says whether they are equal"
                )
            digits *= 2

    def _beyond_theorems(self) -> bool:
        """Whether the reduced number has a factor g, or logarithms with an irrational ratio."""
        roots: set[Rational] = {x for term in self.terms for x, _ in term.logs}
        if any(term.degree for term in self.terms):
            roots.add(0)  # stands for ln t, which no x in reduced terms has a rational ratio to
        return len(roots) > 1 or any(term.variant_degree for term in self.terms)

    def reduced(self) -> NormalForm:
        """This number with one term for each independent radical and no zero coefficient."""
        kept: dict[tuple[int, int, Rational, Logs], list[RadicalTerm]] = {}
        for term in self.terms:
            if term.coefficient == 0:
                continue
            normal = _normal(term, self.round)
            family = kept.setdefault((normal.degree, normal.variant_degree, normal.exponent, normal.logs), [])
            for position, known in enumerate(family):
                ratio = _ratio_of_roots(normal.radicand, known.radicand)
                if ratio is not None:
                    extra = normal.coefficient * ratio
                    family[position] = known._replace(coefficient=known.coefficient + extra)
                    break
            else:
                family.append(normal)
        terms = tuple(term for family in kept.values() for term in family if term.coefficient != 0)
        return NormalForm(terms, self.round)

    def evaluate(self, digits: int) -> tuple[Decimal, Decimal]:
        """An approximation and a bound on its error, computed with `digits` decimal digits.

        Error bound: with unit e = 10^(1 - digits), twice what one correctly rounded operation may lose relatively, a
        term loses at most (8 + 4 |degree| + 4 |variant_degree| + 4 |exponent| (ln t + 1) + 4 |power| for each log) e
        relatively to first order: ln and its root lose 3/2 e for each power and the product 1 e more; L + 3 ln L loses at
        most 4 e since it exceeds 1 for t >= 3 (smaller t have no g); ln x is ln p - ln q of its numerator and
        denominator with as many digits more as p has, which makes up for what the difference cancels, since
        ln x > 1/(2 p); exp(exponent * L) turns the argument's absolute error into a
        relative one; coefficient, root and products lose the rest. Adding m terms loses m e times the sum of absolute
        values. The bound used is four times that, which covers second orders and its own rounding.
        """
        context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN)
        log = _log(digits, self.round) if self.round >= 2 else Decimal(0)
        root = context.sqrt(log)
        total, magnitude = Decimal(0), Decimal(0)
        weight = 8
        for term in self.terms:
            value = context.multiply(
                _divide(context, term.coefficient), context.sqrt(_divide(context, term.radicand))
            )
            if term.exponent:
                power = context.exp(context.multiply(_divide(context, term.exponent), log))
                value = context.multiply(value, power)
            value = context.multiply(value, _whole_power(context, root, term.degree))
            if term.variant_degree:
                variant = context.sqrt(context.add(log, context.multiply(Decimal(3), context.ln(log))))
                value = context.multiply(value, _whole_power(context, variant, term.variant_degree))
            for x, times in term.logs:
                value = context.multiply(value, _whole_power(context, context.sqrt(_log(digits, x)), times))
            total = context.add(total, value)
            magnitude = context.add(magnitude, value.copy_abs())
            steepness = int(abs(Fraction(term.exponent)) * (int(log) + 2)) + 1 if term.exponent else 0
            powers = abs(term.degree) + abs(term.variant_degree) + sum(abs(power) for _, power in term.logs)
            weight = max(weight, 8 + 4 * powers + 4 * steepness)
        unit = Decimal((0, (1,), 1 - digits))
        factor = Decimal(4 * (weight + len(self.terms)))
        return total, context.multiply(magnitude, context.multiply(unit, factor))


def integer_root(value: int, degree: int) -> int:
    """The floor of the `degree`-th root of a positive integer."""
    if degree == 2:
        return isqrt(value)
    low, high = 1, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= value:
            low = middle
        else:
            high = middle - 1
    return low


@lru_cache(maxsize=4096)
def perfect_power(value: int) -> tuple[int, int]:
    """(b, k) with value = b^k and k as large as possible, for an integer value >= 2."""
    for degree in range(value.bit_length() - 1, 1, -1):
        base = integer_root(value, degree)
        if base**degree == value:
            return base, degree
    return value, 1


def _common_round(left: NormalForm, right: NormalForm) -> int:
    if left.round and right.round and left.round != right.round:
        raise MixedRounds(f"numbers of rounds {left.round} and {right.round} cannot be combined")
    return left.round or right.round


def _normal(term: RadicalTerm, round_number: int) -> RadicalTerm:
    """The term with its power of t brought to b^f, 0 <= f < 1/2, b no perfect power (exponent then counts b), and each
    logarithm to that of a number which is no perfect power, or to ln t.
    """
    if term.logs:
        term = _with_normal_logs(term, round_number)
    if not term.exponent:
        return term
    base, height = perfect_power(round_number)
    exponent = Fraction(term.exponent) * height
    whole = exponent.numerator // exponent.denominator
    rest = exponent - whole
    radicand = term.radicand
    if rest >= Fraction(1, 2):
        rest -= Fraction(1, 2)
        radicand = radicand * base
    # The exponent is given back in powers of t, so that the normal term is evaluated like any other.
    return term._replace(
        coefficient=term.coefficient * Fraction(base) ** whole, radicand=radicand, exponent=rest / height
    )


def _product_of_logs(left: Logs, right: Logs) -> Logs:
    powers = dict(left)
    for x, power in right:
        powers[x] = powers.get(x, 0) + power
    return tuple(sorted((x, power) for x, power in powers.items() if power))


def _with_normal_logs(term: RadicalTerm, round_number: int) -> RadicalTerm:
    own, height = perfect_power(round_number) if round_number >= 2 else (0, 1)
    radicand, degree, logs = Fraction(term.radicand), term.degree, term.logs[:0]
    for x, power in term.logs:
        base, times = _rational_power(x)
        if base == own:  # ln x = times / height ln t
            radicand *= Fraction(times, height) ** power
            degree += power
        else:
            radicand *= Fraction(times) ** power
            logs = _product_of_logs(logs, ((base, power),))
    return term._replace(radicand=radicand, degree=degree, logs=logs)


def _rational_power(value: Rational) -> tuple[Rational, int]:
    """(y, k) with value = y^k and k as large as possible, for a rational value > 1."""
    top, times = perfect_power(value.numerator)
    if value.denominator == 1:
        return top, times
    bottom, other = perfect_power(value.denominator)
    common = gcd(times, other)
    return Fraction(top ** (times // common), bottom ** (other // common)), common


@lru_cache(maxsize=4096)
def _log(digits: int, value: Rational) -> Decimal:
    """ln of a rational > 1 to so many digits; a run asks for the same few again and again."""
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN)
    if value.denominator == 1:
        return context.ln(Decimal(value.numerator))
    wide = Context(prec=digits + value.numerator.bit_length() // 3 + 8, Emax=MAX_EMAX, Emin=MIN_EMIN)
    return context.plus(wide.subtract(wide.ln(Decimal(value.numerator)), wide.ln(Decimal(value.denominator))))


def _ratio_of_roots(one: Rational, other: Rational) -> Rational | None:
    """sqrt(one) / sqrt(other) if it is rational, else None."""
    if one == other:
        return 1
    # because the root of one is (root of the product / other) times the root of the other
    ratio = rational_root(one * other)
    return None if ratio is None else ratio / Fraction(other)


def rational_root(value: Rational) -> Fraction | None:
    """The square root of a nonnegative rational if it is rational, else None."""
    numerator, denominator = isqrt(value.numerator), isqrt(value.denominator)
    if numerator * numerator == value.numerator and denominator * denominator == value.denominator:
        return Fraction(numerator, denominator)
    return None


def _divide(context: Context, value: Rational) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def _whole_power(context: Context, base: Decimal, exponent: int) -> Decimal:
    """base^exponent by repeated products: `decimal` does not promise a correctly rounded power."""
    result = Decimal(1)
    for _ in range(abs(exponent)):
        result = context.multiply(result, base)
    return context.divide(Decimal(1), result) if exponent < 0 else result
