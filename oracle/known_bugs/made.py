"""The known bugs of a policy: those of the catalogue, and those made for the numbers that policy and interval have."""

from __future__ import annotations

from collections.abc import Sequence

from bufalu.oracle.known_bugs.dial import bugs_of_the_dial
from bufalu.oracle.known_bugs.known_bug import EVERY_POLICY, KnownBug
from bufalu.oracle.known_bugs.pairs import bugs_of_pairs
from bufalu.oracle.known_bugs.ucb import bugs_of_ucb
from bufalu.reference.confidence import ConfidenceInterval
from bufalu.reference.policies import Policy


def bugs_of(policy: Policy, confidence: ConfidenceInterval, catalogue: Sequence[KnownBug]) -> list[KnownBug]:
    """The bugs that change something under this policy and interval."""
    if policy.pairing is not None:
        return bugs_of_pairs(policy.text, policy.pairing, catalogue)
    if policy.steering is not None and policy.text not in EVERY_POLICY:
        catalogue = bugs_of_the_dial(policy.text, policy.steering, catalogue)
    listed = [bug for bug in catalogue if (policy.text, confidence.text) in bug.settings()]
    return listed + [bug for bug in bugs_of_ucb(confidence, catalogue) if policy.text in bug.policies]
