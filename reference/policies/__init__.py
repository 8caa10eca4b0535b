"""The four policies of the paper, the dial between two of them, the pair rule, UCB, and what people use instead: each a
relation over all tie-breaks and a rule.

`register_policy` adds others.
"""

from __future__ import annotations

from collections.abc import Callable

from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.errors import InvalidInterval, InvalidSchedule, MixedRounds
from bufalu.reference.policies.baselines import coin, every_nth, explore_first
from bufalu.reference.policies.cbm_ucb import CBMUCBPolicy
from bufalu.reference.policies.decisions import Admissible, Decision, Possibility, Reason
from bufalu.reference.policies.greedy import GreedyPolicy
from bufalu.reference.policies.leaders import BuFALUPolicy, BuFAUPolicy, DialPolicy, dial
from bufalu.reference.policies.pairs import PairsPolicy, pairs
from bufalu.reference.policies.policy import Policy, Rule
from bufalu.reference.policies.ucb import UCBPolicy
from bufalu.reference.registry import Registry
from bufalu.reference.schedules import Schedule

BUFALU, BUFAU, CBM_UCB, GREEDY = BuFALUPolicy(), BuFAUPolicy(), CBMUCBPolicy(), GreedyPolicy()

POLICIES: dict[str, Policy] = {policy.text: policy for policy in (BUFALU, BUFAU, CBM_UCB, GREEDY)}
"""The policies of the paper; `policy_named` knows these and every one that was registered."""

DEFAULT_INTERVAL = "hoeffding"

KNOWN_POLICIES: Registry[Policy] = Registry("policy")


def register_policy(name: str, make: Policy | Callable[[str | None], Policy], form: str | None = None) -> None:
    """Makes a policy known under `name`: an object, or a function from the argument after the colon to one.

    Raises `NameTaken` if the name is in use.
    """
    KNOWN_POLICIES.register(name, KNOWN_POLICIES.fixed(name, make) if isinstance(make, Policy) else make, form)


def policy_named(text: str) -> Policy:
    """The policy with this text form; raises `UnknownName` with the list of forms."""
    return KNOWN_POLICIES.parse(text)


def named_with(policy: str, interval: str, link: str = " with ") -> str:
    """Policy and interval for a sentence; a policy that uses none is named alone."""
    return f"{policy}{link}{interval}" if policy_named(policy).uses_interval else policy


def interval_beside(policy: Policy, given: str | None) -> str:
    """The interval that was given beside a policy, or the default; raises `InvalidInterval` if it would have no effect."""
    if given is not None and not policy.uses_interval:
        raise InvalidInterval(f"{policy.text} has no confidence interval: leave out '{given}'")
    return given or DEFAULT_INTERVAL


def check_one_logarithm(rule: Rule, confidence: ConfidenceInterval, schedule: Schedule, arms: int) -> None:
    """Raises `MixedRounds` if a run would compare epsilon(t) of round t with a radius of the rounds before.

    The sign of a polynomial in sqrt(ln t) is decided (see `radicals.py`); of one in sqrt(ln(t - 1)) and sqrt(ln t)
    together, or in sqrt(ln(t - 1)) with powers of t, it is not here. So an interval that has the logarithm of the rounds
    before wants an epsilon that is rational in every round, or a policy that does not look at epsilon, or not at intervals.
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


for _policy in POLICIES.values():
    register_policy(_policy.text, _policy)
register_policy("dial", dial, "dial:RHO")
register_policy("pairs", pairs, "pairs:KAPPA[:SPREAD]")
register_policy("ucb", UCBPolicy())
register_policy("coin", coin, "coin:P")
register_policy("every", every_nth, "every:N")
register_policy("explore", explore_first, "explore:N")

__all__ = [
    "BUFALU",
    "BUFAU",
    "CBM_UCB",
    "GREEDY",
    "KNOWN_POLICIES",
    "POLICIES",
    "Admissible",
    "Decision",
    "DialPolicy",
    "PairsPolicy",
    "Policy",
    "Possibility",
    "Reason",
    "Rule",
    "UCBPolicy",
    "check_one_logarithm",
    "interval_beside",
    "named_with",
    "policy_named",
    "register_policy",
]
