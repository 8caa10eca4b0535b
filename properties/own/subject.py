"""What an audit of one's own is about: an interval, a policy, or a policy with an interval."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bufalu.properties.claims.evidence import Evidence, Witness
from bufalu.reference.confidence import ConfidenceInterval, HoeffdingInterval
from bufalu.reference.policies import BUFALU, Policy


@dataclass(frozen=True)
class OwnSubject:
    """The user's own. `policy_given` and `interval_given` are the words of the command line, `mine.py:Mine` say."""

    policy: Policy | None = None
    interval: ConfidenceInterval | None = None
    policy_given: str = ""
    interval_given: str = ""

    @property
    def name(self) -> str:
        """For a person: `the policy mine with the interval narrow`."""
        parts = []
        if self.policy is not None:
            parts.append(f"the policy {self.policy.text}")
        if self.interval is not None:
            parts.append(f"the interval {self.interval.text}")
        return " with ".join(parts)

    @property
    def options(self) -> str:
        """What `bufalu audit` was given."""
        policy = f" --policy {self.policy_given}" if self.policy is not None else ""
        return policy + (f" --interval {self.interval_given}" if self.interval is not None else "")

    @property
    def the_policy(self) -> Policy:
        """The policy whose runs are examined: BuFALU, if an interval alone was brought."""
        return BUFALU if self.policy is None else self.policy

    @property
    def the_interval(self) -> ConfidenceInterval:
        """The interval of the exact laws: Hoeffding's, if a policy alone was brought."""
        return HoeffdingInterval() if self.interval is None else self.interval

    def with_own_commands(self, evidence: Evidence) -> Evidence:
        """The evidence with a replay command that loads the user's own again."""
        witness = evidence.witness
        if witness is None:
            return evidence
        return replace(evidence, witness=replace(witness, command=self._command(witness)))

    def _command(self, witness: Witness) -> str:
        command = witness.command
        if command.startswith("bufalu check "):
            policy = f" --policy {self.policy_given}" if self.policy is not None else ""
            return command + policy + (f" --confidence {self.interval_given}" if self.interval is not None else "")
        if self.policy is not None:
            command = command.replace(f"--policy {self.policy.text} ", f"--policy {self.policy_given} ")
        if self.interval is not None:
            command = command.replace(f"--confidence {self.interval.text} ", f"--confidence {self.interval_given} ")
        return command
