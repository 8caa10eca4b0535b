"""The known bugs of a policy: those of the catalogue, or made for the numbers that it has."""

from __future__ import annotations

from collections.abc import Sequence

from bufalu.oracle.known_bugs.dial import bugs_of_the_dial
from bufalu.oracle.known_bugs.known_bug import KnownBug
from bufalu.oracle.known_bugs.pairs import bugs_of_pairs
from bufalu.oracle.known_bugs.ucb import bugs_of_ucb
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.policies import DialPolicy, PairsPolicy, Policy, UCBPolicy


def bugs_of(policy: Policy, confidence: ConfidenceInterval, catalogue: Sequence[KnownBug]) -> list[KnownBug]:
    """The bugs that change something under this policy and interval."""
    if isinstance(policy, UCBPolicy):
        return bugs_of_ucb(confidence, catalogue)
    if isinstance(policy, PairsPolicy):
        return bugs_of_pairs(policy, catalogue)
    if isinstance(policy, DialPolicy):
        catalogue = bugs_of_the_dial(policy, catalogue)
    return [bug for bug in catalogue if (policy.text, confidence.text) in bug.settings()]
