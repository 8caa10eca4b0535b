"""Claims and checks from outside: `register_claim` and `register_check` put them into the audit's table."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from bufalu.properties.claims.check import KINDS, deciding
from bufalu.properties.claims.claim import GOOD_NEWS, Claim, Section, Subject
from bufalu.properties.claims.evidence import Check, Decided, EvidenceKind, Verdict
from bufalu.reference.errors import NameTaken, UnknownName
from bufalu.reference.rationals import many, shown

_CLAIMS: dict[str, Claim] = {}
_CHECKS: dict[str, Check] = {}
_ID = re.compile(r"[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*", re.ASCII)

Decide = Callable[[], Decided]


def register_claim(
    name: str,
    statement: str,
    *,
    expected: str = "TESTED",
    latex: str = "",
    place: str = "registered from outside",
    hypotheses: tuple[str, ...] = (),
) -> Claim:
    """Puts a claim into the registry: it stands in the audit's table, after the paper's, with the verdict of its checks.

    `expected` is the least verdict that its checks must reach, `place` says where the claim comes from. Raises
    `NameTaken` for a name in use, `UnknownName` for one that cannot be an id and for a verdict that is no good news.
    """
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise UnknownName(
            f"the name {shown(name)} cannot name a claim: use small letters, digits, _ and -, with points between words"
        )
    if name in _CLAIMS or name in _taken():
        raise NameTaken(f"there is a claim '{name}' already")
    for argument, text in (("statement", statement), ("latex", latex), ("place", place)):
        if not isinstance(text, str):
            raise UnknownName(f"{argument} must be a text, not {shown(text)}")
    verdict = _verdict(expected, GOOD_NEWS, "expected: a claim is expected to be")
    claim = Claim(
        id=name,
        page=place,
        section=Section.OWN,
        statement=statement,
        latex=latex,
        expected=verdict,
        about=Subject.NEITHER,
        hypotheses=tuple(many(hypotheses, "hypotheses")),
    )
    _CLAIMS[name] = claim
    return claim


def register_check(
    *claims: str, verdict: str = "TESTED", kind: EvidenceKind | None = None
) -> Callable[[Decide], Decide]:
    """A decorator: the function is a check of these claims, registered or the paper's, and gives a `Decided`.

    If it holds, the claims get this verdict by it, else they are REFUTED. PROVED is for proof checkers. Raises
    `UnknownName` for no claim, an unknown one, or a verdict that a check from outside cannot give, and `NameTaken` for
    a second function of one name.
    """
    given = _verdict(verdict, KINDS, "verdict: a check from outside gives")
    if kind is not None and not isinstance(kind, EvidenceKind):
        raise UnknownName(f"kind must be an EvidenceKind, not {shown(kind)}")
    if not claims:
        raise UnknownName("a check speaks for at least one claim")
    for claim in claims:
        if claim not in _CLAIMS and claim not in _taken():
            raise UnknownName(f"there is no claim '{claim}': register it first")

    def register(decide: Decide) -> Decide:
        name = f"own.{decide.__name__}"
        if name in _CHECKS:
            raise NameTaken(f"there is a check '{name}' already")
        known = kind or KINDS[given]
        _CHECKS[name] = Check(name, claims, known, deciding(decide, claims, given, known))
        return decide

    return register


def registered_claims() -> tuple[Claim, ...]:
    """The claims from outside, in the order of their registration."""
    return tuple(_CLAIMS.values())


def registered_checks() -> tuple[Check, ...]:
    """The checks from outside, in the order of their registration."""
    return tuple(_CHECKS.values())


def forget_registered() -> None:
    """Forgets what was registered from outside."""
    _CLAIMS.clear()
    _CHECKS.clear()


def _verdict(word: str, allowed: Collection[Verdict], sentence: str) -> Verdict:
    found = {verdict.value: verdict for verdict in Verdict if verdict in allowed}
    if not isinstance(word, str) or word not in found:
        raise UnknownName(f"{sentence} one of {', '.join(found)}, not {shown(word)}")
    return found[word]


def _taken() -> Collection[str]:
    """The ids of the paper's claims; looked up late, since the registry itself loads this module."""
    from bufalu.properties.claims import BY_ID

    return BY_ID
