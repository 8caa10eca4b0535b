"""Which schedules go with an interval that has the logarithm of the rounds before.

The sign of a polynomial in sqrt(ln t) is decided (see `radicals.py`); of one in sqrt(ln(t - 1)) and sqrt(ln t) together, or
in sqrt(ln(t - 1)) with powers of t, it is not here. So such an interval wants an epsilon that is rational in every round, or
a policy that does not look at epsilon, or not at intervals.
"""

from __future__ import annotations

from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.errors import InvalidSchedule, MixedRounds
from bufalu.reference.policies import Policy, Rule
from bufalu.reference.schedules import Schedule


def check_one_logarithm(rule: Rule, confidence: ConfidenceInterval, schedule: Schedule, arms: int) -> None:
    """Raises `MixedRounds` if a run would compare epsilon(t) of round t with a radius of the rounds before.

    An adaptive schedule is not asked in advance: what it mixes is refused in the round in which it does.
    """
    early = arms + 2
    shape = confidence.shape
    if shape is None or shape.growth.log_round(early) == early or schedule.adaptive:
        return
    if isinstance(rule, Policy) and not (rule.uses_epsilon and rule.uses_interval):
        return
    try:
        epsilon = schedule.at(early, arms)
    except InvalidSchedule:
        return  # a list of epsilons that ends before: all that it has are rational
    if not epsilon.is_infinite and epsilon.form().round:
        raise MixedRounds(
            f"'{confidence.text}' has the logarithm of the rounds before, and epsilon depends on the round: the two are "
            "not compared here; take a constant epsilon, or the policy 'ucb', which has none"
        )
