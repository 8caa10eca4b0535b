"""Wrong versions of the policies, by which a report names the likely bug and which the checks must kill."""

from bufalu.oracle.known_bugs.catalogue import KNOWN_BUGS
from bufalu.oracle.known_bugs.far import FAR_BUGS
from bufalu.oracle.known_bugs.known_bug import KilledBy, KnownBug, LiveKnownBug
from bufalu.oracle.known_bugs.late import LATE_BUGS

__all__ = ["FAR_BUGS", "KNOWN_BUGS", "LATE_BUGS", "KilledBy", "KnownBug", "LiveKnownBug", "known_bug_named"]


def known_bug_named(identifier: str) -> KnownBug:
    """The bug with this id; raises `KeyError` for a stranger."""
    return {bug.id: bug for bug in KNOWN_BUGS + FAR_BUGS}[identifier]
