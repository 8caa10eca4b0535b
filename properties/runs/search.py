"""Looks for a run that breaks a statement: Hypothesis proposes scenarios, `target` pulls the slack towards zero.

The same seed gives the same runs, in a clone and in an installed package: no database, no clock, no constants of
loaded modules, and the seed is derived from the profile and the name.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings, target
from hypothesis.strategies import SearchStrategy

from bufalu.properties.claims.evidence import AuditProfile

Subject = TypeVar("Subject")

FULL_FACTOR = 16
"""How many times as many cases the full profile looks at."""


@dataclass(frozen=True)
class Observation:
    """What one statement said about one subject: whether it held, whether it could have failed, its least slack."""

    holds: bool
    telling: bool
    slack: float
    account: str
    places: int = 1


@dataclass
class SearchResult(Generic[Subject]):
    """The result of a search; `refuted` holds the smallest counterexample found."""

    cases: int = 0
    telling: int = 0
    places: int = 0
    slack: float = math.inf
    closest: Subject | None = None
    closest_account: str = ""
    refuted: Subject | None = None
    refuted_account: str = ""

    def see(self, subject: Subject, observation: Observation) -> None:
        """Takes in what was observed; after a counterexample nothing counts but smaller ones, the last being the smallest."""
        if not observation.holds:
            self.refuted, self.refuted_account = subject, observation.account
            return
        if self.refuted is not None:
            return
        self.cases += 1
        self.places += observation.places
        self.telling += observation.telling
        if observation.telling and observation.slack < self.slack:
            self.slack, self.closest, self.closest_account = observation.slack, subject, observation.account


class Refuted(Exception):
    """Raised inside a search to tell Hypothesis that a statement failed."""


@contextlib.contextmanager
def no_constants_of_modules() -> Iterator[None]:
    """Keeps Hypothesis from drawing constants that it finds in loaded modules, unless they are installed ones.

    It offers no setting for that, so its own function is put aside; a version without that function needs nothing.
    """
    providers = vars(importlib.import_module("hypothesis.internal.conjecture.providers"))
    found = providers.get("_get_local_constants")
    if found is None:
        yield
        return
    nothing = importlib.import_module("hypothesis.internal.constants_ast").Constants()
    providers["_get_local_constants"] = lambda: nothing
    try:
        yield
    finally:
        providers["_get_local_constants"] = found


def number_of_cases(profile: AuditProfile, quick: int) -> int:
    """The number of cases of a profile."""
    return quick * FULL_FACTOR if profile.full else quick


def search(
    name: str,
    subjects: SearchStrategy[Subject],
    observe: Callable[[Subject], Observation],
    *,
    cases: int,
    seed_number: int,
    shrink: bool = True,
) -> SearchResult[Subject]:
    """Examines `cases` subjects, more only to make a counterexample small."""
    outcome: SearchResult[Subject] = SearchResult()
    phases = [Phase.generate, Phase.target] + ([Phase.shrink] if shrink else [])

    @seed(zlib.crc32(f"{name}:{seed_number}".encode()))
    @settings(
        max_examples=cases,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
        print_blob=False,
    )
    @given(subjects)
    def look(subject: Subject) -> None:
        observation = observe(subject)
        outcome.see(subject, observation)
        if not observation.holds:
            # Hypothesis runs the smallest failure last.
            raise Refuted(observation.account)
        if outcome.refuted is None and math.isfinite(observation.slack):
            target(-observation.slack)

    with contextlib.suppress(Refuted), no_constants_of_modules():
        look()
    return outcome
