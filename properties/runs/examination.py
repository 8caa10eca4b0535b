"""From a statement to evidence: plays scenarios, examines the runs, and says what was seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from hypothesis.strategies import SearchStrategy

from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import AuditProfile, Evidence, EvidenceKind, Mutants, Verdict, Witness
from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.scenarios import Scenario, play
from bufalu.properties.runs.search import Observation, SearchResult, Subject, number_of_cases, search
from bufalu.properties.runs.statements import Examination, Place, Statement
from bufalu.properties.runs.strategies import scenarios_of
from bufalu.properties.runs.witnesses import witness_of
from bufalu.properties.runs.wrong import wrong

KIND = EvidenceKind.GENERATED


def observe_findings(findings: Iterable[Place]) -> Observation:
    """The worst of the findings on one subject."""
    slack = math.inf
    closest: Place | None = None
    telling = False
    places = 0
    for finding in findings:
        places += 1
        if not finding.holds:
            return Observation(False, True, finding.slack, finding.account(), places)
        telling = telling or finding.telling
        # Places that could not fail do not count as close.
        if finding.telling and finding.slack < slack:
            slack, closest = finding.slack, finding
    return Observation(True, telling, slack, "" if closest is None else closest.account(), places)


def evidence_of(
    outcome: SearchResult[Subject], witness: Callable[[Subject, str, str], Witness | None], name: str
) -> Evidence:
    """TESTED with the case that came closest, REFUTED with the smallest counterexample, or VACUOUS."""
    if outcome.refuted is not None:
        found = witness(outcome.refuted, name, outcome.refuted_account)
        return Evidence(KIND, Verdict.REFUTED, outcome.refuted_account, outcome.cases, witness=found)
    share = outcome.telling / outcome.cases if outcome.cases else 0.0
    if not outcome.telling:
        detail = f"in {outcome.cases} cases the statement never had a chance to fail"
        return Evidence(KIND, Verdict.VACUOUS, detail, outcome.cases, share)
    found = None if outcome.closest is None else witness(outcome.closest, name, outcome.closest_account)
    found = None if found is None else replace(found, closest=True)
    detail = f"held at {outcome.places:,} places of {outcome.cases} generated runs; "
    detail += f"closest case: {outcome.closest_account or 'none'}"
    slack = f"{outcome.slack:.3g} to spare" if math.isfinite(outcome.slack) else None
    return Evidence(KIND, Verdict.TESTED, detail, outcome.cases, share, slack, witness=found)


def scenario_witness(statement: str, *, scheduled: bool = False) -> Callable[[Scenario, str, str], Witness | None]:
    """Makes the witness of a scenario: its run as a trace file, with the command that examines the statement on it.

    A statement that needs to know the schedule (`scheduled`) has no witness where the schedule has no text.
    """

    def witness(scenario: Scenario, name: str, account: str) -> Witness | None:
        run = play(scenario)
        if not is_playable(run) or (scheduled and run.schedule is None):
            return None
        return witness_of(run, name, account, statement)

    return witness


def is_playable(run: Run) -> bool:
    """Whether a trace file can hold the run: it needs a schedule text, or levels that are numbers."""
    return run.schedule is not None or all(
        played.epsilon is None or not played.epsilon.is_infinite for played in run.rounds
    )


Finder = Callable[[Subject, str, str], Witness | None]


def no_witness(subject: object, name: str, account: str) -> Witness | None:
    """For subjects that are not runs: the account says it all."""
    return None


def searching(
    name: str,
    examine: Callable[[Subject], Iterable[Place]],
    subjects: Callable[[], SearchStrategy[Subject]],
    quick: int,
    witness: Finder[Subject] = no_witness,
) -> Callable[..., Evidence]:
    """The evidence that an examination of subjects finds nothing."""
    right, usual = examine, subjects

    def run(
        profile: AuditProfile,
        *,
        examine: Callable[[Subject], Iterable[Place]] = right,
        subjects: Callable[[], SearchStrategy[Subject]] = usual,
        cases: int | None = None,
        shrink: bool = True,
    ) -> Evidence:
        outcome = search(
            name,
            subjects(),
            lambda subject: observe_findings(examine(subject)),
            cases=cases or number_of_cases(profile, quick),
            seed_number=profile.seed,
            shrink=shrink,
        )
        return evidence_of(outcome, witness, name)

    run.__module__ = examine.__module__
    return run


def _played(examine: Examination) -> Callable[[Scenario], Iterable[Place]]:
    return lambda scenario: examine(play(scenario))


def check_statement(
    statement: Statement,
    scenarios: Callable[[], SearchStrategy[Scenario]],
    quick: int,
    *,
    claims: tuple[str, ...] | None = None,
    name: str | None = None,
    mutants: Mutants,
) -> Statement:
    """Registers the check that a statement survives scenarios of this kind, and gives the statement."""
    chosen = f"runs.{name or statement.name}"
    run = searching(chosen, _played(statement.examine), scenarios, quick, scenario_witness(statement.name))
    run.__module__ = statement.examine.__module__
    played = {
        words: {**changes, "examine": _played(changes["examine"])}  # type: ignore[arg-type]  # by `wrong`
        for words, changes in mutants.items()
    }
    check(*(claims or statement.claims), kind=KIND, name=chosen, mutants=played)(run)
    return statement


def check_statement_about(
    policies: Sequence[str], claim: str, words: str, examine: Examination, mistaken: Mapping[str, Examination]
) -> Statement:
    """Registers the check of a claim about such policies; mutants are the statement made too strong."""
    statement = Statement(claim, (claim,), words, examine, frozenset(policies))
    mutants = {made: wrong(examination) for made, examination in mistaken.items()}
    return check_statement(statement, partial(scenarios_of, policies), 40, mutants=mutants)


def check_subjects(
    *claims: str,
    subjects: Callable[[], SearchStrategy[Subject]],
    quick: int,
    mutants: Mutants,
    witness: Finder[Subject] = no_witness,
) -> Callable[[Callable[[Subject], Iterable[Place]]], Callable[[Subject], Iterable[Place]]]:
    """A decorator: that an examination of other subjects than runs finds nothing is the check of these claims."""

    def register_examination(
        examine: Callable[[Subject], Iterable[Place]],
    ) -> Callable[[Subject], Iterable[Place]]:
        name = f"runs.{claims[0]}"
        run = searching(name, examine, subjects, quick, witness)
        check(*claims, kind=KIND, name=name, mutants=mutants)(run)
        return examine

    return register_examination
