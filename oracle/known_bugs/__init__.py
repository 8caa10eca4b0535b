"""Wrong versions of the policies, by which a report names the likely bug and which the checks must kill."""

from bufalu.oracle.known_bugs.catalogue import KNOWN_BUGS, known_bug_named
from bufalu.oracle.known_bugs.known_bug import KilledBy, KnownBug, LiveKnownBug

__all__ = ["KNOWN_BUGS", "KilledBy", "KnownBug", "LiveKnownBug", "known_bug_named"]
