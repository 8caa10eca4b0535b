"""Every claim that speaks of intervals or of the algorithm, with the checks that ask it of the user's own, or the reason
why it cannot be asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature

from bufalu.bounds.errors import NotRegular
from bufalu.properties.audit.collecting import collect
from bufalu.properties.claims import BY_ID, CLAIMS, Claim
from bufalu.properties.claims.claim import Subject
from bufalu.properties.claims.evidence import Check, EvidenceKind
from bufalu.properties.expectations.asked import asked_regularity
from bufalu.properties.expectations.claims_on_law import FAILURE_SUM, PROMISES
from bufalu.properties.own.interval_checks import (
    failures_sum_up,
    known_count,
    queries_shrink_width,
    width_is_nonnegative,
)
from bufalu.properties.own.laws import LawTies, laws
from bufalu.properties.own.shared_runs import GROUP as RUNS
from bufalu.properties.own.shared_runs import Chosen, adaptive, every, examined_on_shared_runs
from bufalu.properties.own.subject import OwnSubject
from bufalu.properties.runs.cap import CAP, COUNTS
from bufalu.properties.runs.cases import CASES, SHARPER
from bufalu.properties.runs.counts import QUERIED_COUNT, UNQUERIED_COUNT
from bufalu.properties.runs.gap_query import (
    GAP_IS_ENCLOSED,
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    WIDE_EPSILON_BLOCKS,
    ZERO_EPSILON_IS_FREE,
)
from bufalu.properties.runs.statements import Statement

LAWS = "the exact laws of one's own"
"""One group: these checks share the laws that they compute."""

OF_ANY_POLICY: tuple[Statement, ...] = (
    COUNTS,
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    CAP,
    UNQUERIED_COUNT,
    QUERIED_COUNT,
    *CASES,
    SHARPER,
)
"""The statements about runs that can be asked of any policy."""

OF_BUFALU: tuple[Statement, ...] = (GAP_IS_ENCLOSED, WIDE_EPSILON_BLOCKS, ZERO_EPSILON_IS_FREE)
"""The statements that speak of BuFALU's own roles, or of intervals alone."""

NEED_COUNTS = frozenset({CAP.name, QUERIED_COUNT.name, "theorem.adaptive_epsilon"})
"""Claims about runs that need N^as or N^g."""

FAIR_TIES, SOME_TIES = ", fair ties", ", some ties"
"""How the names end of checks that ask a policy's laws with fair ties, and with ties broken in some fixed ways."""

FOR_ANY_INTERVALS = frozenset(
    {
        "gap.ucb_minus_lcb",
        "gap_query.queried_is_wide",
        "gap_query.unqueried_is_near_optimal",
        "count.case_leader",
        "count.case_challenger_multiple",
        "count.case_challenger_unique",
        "count.case_optimal_unique",
        "count.unqueried",
        "epsilon.wide_blocks",
        "epsilon.zero_never_blocks",
        "algorithm.maximisers",
        "algorithm.separated_is_optimal",
        "algorithm.two_optima_overlap",
        "beyond.infinite_interval_forces_query",
    }
)
"""Claims about BuFALU whose lemmas the solvers prove for all intervals with LCB <= UCB and no further hypothesis on them."""


OWN_WORDS = {
    "regular.hoeffding": "Condition 3: the probabilities that the good event fails sum to at most C, on every law.",
    "regular.hoeffding.width_nonnegative": "Condition 1: widths are nonnegative.",
    "regular.hoeffding.queries_shrink_width": (
        "Conditions 4 and 5: more than N^as queries make the width smaller than the level, and more than N^g do so "
        "under the good event."
    ),
    "independent.hoeffding": (
        "For rewards in [0, 1] the regret is at most 4 sqrt(A K T ln T), A ln T / level^2 being the leading term of N^g, "
        "plus its lower order terms, plus the sum of epsilon(t) over t > K, plus (K + C) Delta_max, whatever the gaps."
    ),
    "theorem.adaptive_epsilon": "The cap holds on every path, also if an adversary who sees the run chooses epsilon.",
    "costs.arm_dependent": "With cost c_a for a query of arm a, the expected cost is within the bounds weighted with c_a.",
}
"""Claims that speak of Hoeffding's numbers, or of more than is asked, as they are asked here."""


@dataclass(frozen=True)
class OwnQuestion:
    """A claim with the checks that ask it of the user's own; without checks, `reason` says why there are none.

    `applies` is False for a claim about something else; a claim that applies and has no checks is open. `supposed` are the
    checks of what the claim supposes of the interval: where one of them refutes it, the claim says nothing.
    """

    claim: Claim
    checks: tuple[Check, ...] = ()
    reason: str = ""
    applies: bool = True
    supposed: tuple[Check, ...] = ()

    @property
    def words(self) -> str:
        """What the claim says of the user's own."""
        return OWN_WORDS.get(self.claim.id, self.claim.statement) if self.checks else self.claim.statement


def questions(brought: OwnSubject) -> tuple[OwnQuestion, ...]:
    """Every claim about intervals or the algorithm, in the registry's order."""
    conditions = [] if brought.interval is None else _interval_checks(brought)
    checks = [*_run_checks(brought), *_law_checks(brought)]
    if brought.policy is None:
        checks += conditions
        if brought.the_interval.shape is not None:
            # The lemmas suppose LCB <= UCB, which is certain of a radius with a shape, and known on a grid of another.
            checks += _lemmas()
    own: dict[str, list[Check]] = {}
    for check in checks:
        for claim in check.claims:
            own.setdefault(claim, []).append(check)
    return tuple(
        _asked(brought, claim, tuple(own.get(claim.id, ())), conditions)
        for claim in CLAIMS
        if claim.about is not Subject.NEITHER
    )


def _supposed(claim: Claim, conditions: Sequence[Check]) -> tuple[Check, ...]:
    """What a claim supposes of the interval: a theorem that it is regular, a count that it shrinks as N^as or N^g says."""
    if claim.about is Subject.THEOREM:
        return tuple(conditions)
    if claim.id in NEED_COUNTS:
        return tuple(check for check in conditions if check.claims != (FAILURE_SUM,))
    return ()


def _asked(brought: OwnSubject, claim: Claim, checks: tuple[Check, ...], conditions: Sequence[Check]) -> OwnQuestion:  # noqa: PLR0911 - one answer for each kind of claim
    if checks:
        return OwnQuestion(claim, checks, supposed=_supposed(claim, conditions))
    subject = claim.about
    if claim.erratum is not None:
        return OwnQuestion(claim, reason="is a slip of the print, which has a correction", applies=False)
    if claim.id == "theorem.general" and brought.policy is None:
        return OwnQuestion(
            claim,
            reason="proved for every regular interval; whether this one is regular is asked as regular.hoeffding",
        )
    if subject is Subject.THEOREM and claim.id in (*PROMISES, "costs.arm_dependent"):
        return OwnQuestion(claim, reason=_no_numbers(brought))
    if claim.id in NEED_COUNTS:
        count = known_count(brought.the_interval)
        return OwnQuestion(
            claim, reason=f"it needs N^as, and {count}" if isinstance(count, str) else "nothing is known"
        )
    if claim.id in FOR_ANY_INTERVALS and brought.policy is None:
        return OwnQuestion(
            claim, reason="proved for every interval with LCB <= UCB; of this one that is known on a grid alone"
        )
    if subject is Subject.ROUND and brought.policy is None:
        return OwnQuestion(claim, reason="does not depend on the interval", applies=False)
    return OwnQuestion(claim, reason=f"speaks of {subject.value}", applies=False)


def _no_numbers(brought: OwnSubject) -> str:
    try:
        asked_regularity(brought.the_interval)
    except NotRegular as problem:
        return str(problem)
    return "no check asks it"


def _run_checks(brought: OwnSubject) -> list[Check]:
    """The statements about single runs, on one set of generated runs of the user's own."""
    counted = not isinstance(known_count(brought.the_interval), str)
    statements = OF_ANY_POLICY if brought.policy is not None else (*OF_ANY_POLICY, *OF_BUFALU)
    found = [
        _on_runs(brought, statement, f"runs.{statement.name}", statement.name)
        for statement in statements
        if counted or statement.name not in NEED_COUNTS
    ]
    if counted:
        found.append(_on_runs(brought, CAP, f"runs.adaptive.{CAP.name}", "theorem.adaptive_epsilon", adaptive))
    return found


def _on_runs(brought: OwnSubject, statement: Statement, name: str, claim: str, chosen: Chosen = every) -> Check:
    run = partial(examined_on_shared_runs, brought=brought, statement=statement, name=name, chosen=chosen)
    return Check(name, (claim,), EvidenceKind.GENERATED, run, RUNS)


def _law_checks(brought: OwnSubject) -> list[Check]:
    """The theorem's bounds on exact laws, with the user's numbers, or those that are asked of the interval.

    A policy's own coins are ties, so that its laws are asked with fair ties, and apart from them with fixed ones.
    """
    try:
        asked_regularity(brought.the_interval)
    except NotRegular:
        return []
    known = [
        check
        for check in collect(("expectations",)).checks
        if "chosen" in signature(check.run).parameters
        and BY_ID[check.claims[0]].about in (Subject.ROUND, Subject.THEOREM)
    ]
    if brought.policy is None:
        return [_on_laws(brought, check, check.name, LawTies.FIXED) for check in known]
    return [
        _on_laws(brought, check, f"{check.name}{ending}", ties)
        for check in known
        for ties, ending in ((LawTies.FAIR, FAIR_TIES), (LawTies.FIXED, SOME_TIES))
    ]


def _on_laws(brought: OwnSubject, check: Check, name: str, ties: LawTies) -> Check:
    run = partial(check.run, chosen=lambda profile: laws(brought, profile, ties))
    return replace(check, name=name, run=run, group=LAWS)


def _interval_checks(brought: OwnSubject) -> list[Check]:
    """The conditions of regularity."""
    interval = brought.the_interval

    def replay(claim: str) -> str:
        return f"bufalu audit{brought.options} --only {claim}"

    width, shrink = "regular.hoeffding.width_nonnegative", "regular.hoeffding.queries_shrink_width"
    return [
        Check(
            "own.width_is_nonnegative",
            (width,),
            EvidenceKind.ALL_CASES,
            lambda profile: width_is_nonnegative(interval, replay(width)),
        ),
        Check(
            "own.queries_shrink_width",
            (shrink,),
            EvidenceKind.ALL_CASES,
            lambda profile: queries_shrink_width(interval, replay(shrink)),
        ),
        Check("own.failures_sum_up", (FAILURE_SUM,), EvidenceKind.EXACT_LAW, partial(failures_sum_up, brought), LAWS),
    ]


def _lemmas() -> list[Check]:
    """The solvers' lemmas about BuFALU with any intervals: they carry over as they stand."""
    found = []
    for check in collect(("smt",)).checks:
        claims = tuple(claim for claim in check.claims if claim in FOR_ANY_INTERVALS)
        if check.kind is EvidenceKind.SMT and claims:
            found.append(replace(check, claims=claims))
    return found
