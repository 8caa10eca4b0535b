"""The four policies of the paper, one module each, each a relation over all tie-breaks and a rule for one."""

from __future__ import annotations

from bufalu.reference.errors import UnknownName
from bufalu.reference.policies import bufalu, bufau, cbm_ucb, greedy
from bufalu.reference.policies.decisions import Admissible, Decision, PolicyRule, Reason

POLICIES: dict[str, PolicyRule] = {rule.NAME: rule for rule in (bufalu, bufau, cbm_ucb, greedy)}


def policy_named(name: str) -> PolicyRule:
    """The policy with this name; raises `UnknownName` with the list of names."""
    try:
        return POLICIES[name]
    except KeyError:
        raise UnknownName(f"there is no policy '{name}' (choose one of: {', '.join(POLICIES)})") from None


__all__ = ["POLICIES", "Admissible", "Decision", "PolicyRule", "Reason", "policy_named"]
