"""What changed between two audits: the JSON report of an earlier one against the results of this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from bufalu.properties.claims.claim import strength
from bufalu.properties.claims.evidence import Verdict
from bufalu.reference.errors import BufaluError, UnusableFile
from bufalu.reference.whole_files import NotStrictJson, parse_json, read_at_most


class InvalidBaseline(BufaluError):
    """A file that is not the JSON report of an audit."""


class ChangeKind(Enum):
    """What happened to a claim since the earlier audit, the bad news first."""

    WEAKER = "weaker verdict"
    GONE = "no longer a claim"
    OTHER = "another verdict"
    RESTATED = "another statement"
    EVIDENCE = "other evidence"
    STRONGER = "stronger verdict"
    NEW = "a new claim"


@dataclass(frozen=True)
class Change:
    """One claim that is not as it was; `before` and `after` say how, in words."""

    claim: str
    kind: ChangeKind
    before: str
    after: str

    @property
    def text(self) -> str:
        """The change in one line."""
        parts = [each for each in (self.before, self.after) if each]
        return f"{self.kind.value}: {' -> '.join(parts)}"


def read_baseline(path: Path) -> list[Mapping[str, object]]:
    """The claims of an earlier report; raises `UnusableFile` and `InvalidBaseline`."""
    try:
        text = read_at_most(path)
    except OSError as problem:
        raise UnusableFile(f"cannot read {path}: {problem}") from None
    try:
        found = parse_json(text)
    except NotStrictJson as problem:
        raise InvalidBaseline(f"{path} is not JSON: {problem}") from None
    claims = found.get("claims") if isinstance(found, dict) else found
    if not isinstance(claims, list) or not all(_is_claim(each) for each in claims):
        raise InvalidBaseline(f"{path} is not the JSON report of an audit (`bufalu audit --out FILE` writes one)")
    return claims


def _is_claim(each: object) -> bool:
    if not isinstance(each, dict):
        return False
    name, verdict, evidence = each.get("id"), each.get("verdict"), each.get("evidence")
    return (
        isinstance(name, str)
        and isinstance(verdict, str)
        and verdict in {verdict.value for verdict in Verdict}
        and isinstance(evidence, list)
        and all(isinstance(one, dict) for one in evidence)
    )


def changes(
    before: Sequence[Mapping[str, object]], after: Sequence[Mapping[str, object]], *, partial: bool = False
) -> list[Change]:
    """Every claim that differs, bad news first; an audit of some claims alone (`partial`) misses none of the others."""
    old = {str(each["id"]): each for each in before}
    new = {str(each["id"]): each for each in after}
    found = [Change(name, ChangeKind.NEW, "", str(each["verdict"])) for name, each in new.items() if name not in old]
    if not partial:
        found += [
            Change(name, ChangeKind.GONE, str(each["verdict"]), "") for name, each in old.items() if name not in new
        ]
    found += [change for name in new if name in old for change in _between(name, old[name], new[name])]
    order = list(ChangeKind)
    return sorted(
        found,
        key=lambda change: (order.index(change.kind), list(new).index(change.claim) if change.claim in new else 0),
    )


def _between(name: str, old: Mapping[str, object], new: Mapping[str, object]) -> list[Change]:
    found = []
    before, after = Verdict(old["verdict"]), Verdict(new["verdict"])
    if before is not after:
        was, now = strength(before), strength(after)
        kind = ChangeKind.OTHER
        if was is not None and now is not None:
            kind = ChangeKind.STRONGER if now > was else ChangeKind.WEAKER
        elif was is not None and after in (Verdict.REFUTED, Verdict.VACUOUS, Verdict.NOT_RUN):
            kind = ChangeKind.WEAKER
        found.append(Change(name, kind, before.value, after.value))
    if old.get("statement") != new.get("statement"):
        found.append(Change(name, ChangeKind.RESTATED, str(old.get("statement")), str(new.get("statement"))))
    kinds_before, kinds_after = _kinds(old), _kinds(new)
    if kinds_before != kinds_after:
        found.append(Change(name, ChangeKind.EVIDENCE, ", ".join(kinds_before), ", ".join(kinds_after)))
    return found


def _kinds(claim: Mapping[str, object]) -> list[str]:
    """The kinds of evidence that said something, in the order of the report."""
    evidence = claim["evidence"]
    assert isinstance(evidence, list)
    said = [str(each.get("kind")) for each in evidence if each.get("verdict") != Verdict.NOT_RUN.value]
    return list(dict.fromkeys(said))
