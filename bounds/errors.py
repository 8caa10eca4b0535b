"""What the bounds refuse, one exception for each kind of refusal."""

from __future__ import annotations

from bufalu.reference.errors import BufaluError


class OutsideDomain(BufaluError):
    """An argument for which the quantity is not defined: a horizon below 1, a negative level, an empty interval."""


class NotEvaluable(BufaluError):
    """A formula with a symbol that has no value, or with a function that has no certified evaluation."""


class NotRegular(BufaluError):
    """A confidence interval for which the paper proves no regularity, hence no bound."""


class NeedsPath(BufaluError):
    """An epsilon that depends on the history: only the form of the bounds for one run speaks of it."""


class TooLong(BufaluError):
    """A sum or a maximum over so many rounds of an arbitrary sequence that it would not end soon."""


class NotInFamily(BufaluError):
    """An arm whose distribution is not a member of the family of a lower bound."""


class NoTheorem(BufaluError):
    """A policy about which no upper bound is known; a bound of another policy is never applied to it."""
