"""One set of generated runs of the user's own, on which every statement about runs is examined."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from bufalu.properties.claims.evidence import AuditProfile, Evidence, EvidenceKind, Verdict, Witness
from bufalu.properties.claims.shared_work import shared_work
from bufalu.properties.own.subject import OwnSubject
from bufalu.properties.runs.corpus import corpus
from bufalu.properties.runs.directed_scenarios import ZERO_AND_ONE
from bufalu.properties.runs.examination import evidence_of, is_playable, observe_findings, scenario_witness
from bufalu.properties.runs.observed_rounds import Run, replay
from bufalu.properties.runs.scenarios import (
    Adversary,
    Cycle,
    EpsilonSource,
    FreeThen,
    Oblivious,
    Scenario,
    TieScript,
    play,
)
from bufalu.properties.runs.search import SearchResult, number_of_cases
from bufalu.properties.runs.statements import Statement, violations
from bufalu.properties.runs.strategies import LONGEST
from bufalu.properties.runs.witnesses import writable
from bufalu.reference.schedules import Zero

GROUP = "the runs of one's own"
"""These checks run one after the other in one process: they share their runs."""

OF_BUFALU, OF_A_POLICY = 60, 150
"""Generated runs of the quick profile: more where the rule itself is in question."""

LONGEST_EXACT = 40
"""Rounds of a run with an interval that has no doubles, in which every comparison takes exact arithmetic."""

MOST_REPLAYS = 80
"""Simpler scenarios that are tried for one counterexample."""

Chosen = Callable[[Scenario], bool]


def every(scenario: Scenario) -> bool:
    """All runs."""
    return True


def adaptive(scenario: Scenario) -> bool:
    """The runs whose epsilon an adversary chooses who sees the run."""
    source = scenario.epsilon.source if isinstance(scenario.epsilon, FreeThen) else scenario.epsilon
    return isinstance(source, Adversary)


def examined_on_shared_runs(
    profile: AuditProfile, brought: OwnSubject, statement: Statement, name: str, chosen: Chosen = every
) -> Evidence:
    """What a statement says of the shared runs; a run that breaks it is made small.

    One whose file breaks it as well is preferred: a file holds rationals, and rounds an epsilon that is aimed at a tie. Where
    there is no such run the audit itself is the replay.
    """
    outcome: SearchResult[Scenario] = SearchResult()
    unwritable = ""
    for scenario, run in shared_runs(brought, profile):
        if not chosen(scenario):
            continue
        seen = observe_findings(statement.examine(run))
        if seen.holds:
            outcome.see(scenario, seen)
        elif (smallest := made_small(scenario, statement)) is not None:
            outcome.see(smallest, observe_findings(statement.examine(as_written(smallest))))
            break
        else:
            unwritable = unwritable or seen.account
    if unwritable and outcome.refuted is None:
        witness = Witness(unwritable, f"bufalu audit --only {statement.name}")
        return Evidence(EvidenceKind.GENERATED, Verdict.REFUTED, unwritable, outcome.cases, witness=witness)
    return evidence_of(outcome, scenario_witness(statement.name), name)


def shared_runs(brought: OwnSubject, profile: AuditProfile) -> tuple[tuple[Scenario, Run], ...]:
    """The runs of a profile, played once for all statements."""
    quick, longest = OF_BUFALU if brought.policy is None else OF_A_POLICY, LONGEST
    if brought.the_interval.shape is None:
        quick, longest = quick // 3, LONGEST_EXACT
    games = number_of_cases(profile, quick)
    return _played(brought.the_policy.text, brought.the_interval.text, games, profile.seed, longest)


@lru_cache(maxsize=1)
def _played(policy: str, confidence: str, games: int, seed: int, longest: int) -> tuple[tuple[Scenario, Run], ...]:
    with shared_work("the runs of one's own"):
        played = [*corpus(policy, confidence, games, seed, longest), *_long_games(policy, confidence, longest)]
        return tuple((game, play(game)) for game in played)


def _long_games(policy: str, confidence: str, longest: int) -> list[Scenario]:
    """Free queries between an arm that always pays 1 and one that pays 0, until they are separated or should be."""
    return [
        Scenario(tapes, Oblivious(Zero()), TieScript(choices), longest, confidence, policy)
        for tapes in (ZERO_AND_ONE, tuple(reversed(ZERO_AND_ONE)))
        for choices in ((0,), (1,), (0, 1))
    ]


def as_written(scenario: Scenario) -> Run:
    """The run as its trace file tells it."""
    run = play(scenario)
    return run if run.schedule is not None else replay(run.header(), map(writable, run.rounds))


def made_small(scenario: Scenario, statement: Statement) -> Scenario | None:
    """A simpler scenario whose written run breaks the statement too, found by leaving out one part after the other.

    None if the written run of the scenario itself does not break it.
    """
    smallest = _until_it_breaks(scenario, statement)
    tried, found = 0, smallest is not None
    while found and smallest is not None:
        found = False
        for simpler in _simpler(smallest):
            tried += 1
            if tried > MOST_REPLAYS:
                return smallest
            broken = _until_it_breaks(simpler, statement)
            if broken is not None:
                smallest, found = broken, True
                break
    return smallest


def _until_it_breaks(scenario: Scenario, statement: Statement) -> Scenario | None:
    """The scenario cut after the first round in which the statement fails, if it still does so; None if it holds."""
    broken = violations(statement, as_written(scenario)) if is_playable(play(scenario)) else []
    if not broken:
        return None
    shorter = replace(scenario, horizon=min(broken[0].round, scenario.horizon))
    return shorter if violations(statement, as_written(shorter)) else scenario


def _simpler(scenario: Scenario) -> Iterator[Scenario]:
    """Scenarios with an arm, a reward, a tactic or a choice less, the boldest first."""
    tapes = scenario.tapes
    if scenario.arms > 1:
        for arm in range(scenario.arms):
            yield replace(scenario, tapes=tapes[:arm] + tapes[arm + 1 :])
    for epsilon in _simpler_sources(scenario.epsilon):
        yield replace(scenario, epsilon=epsilon)
    for choices in _shorter(scenario.ties.choices):
        yield replace(scenario, ties=TieScript(choices))
    for arm, tape in enumerate(tapes):
        for shorter in _shorter(tape):
            yield replace(scenario, tapes=(*tapes[:arm], shorter, *tapes[arm + 1 :]))


def _simpler_sources(source: EpsilonSource) -> Iterator[EpsilonSource]:
    if isinstance(source, FreeThen):
        yield source.source
        yield from (replace(source, source=simpler) for simpler in _simpler_sources(source.source))
    elif isinstance(source, Cycle):
        yield from map(Cycle, _shorter(source.values))
    elif isinstance(source, Adversary):
        yield from map(Adversary, _shorter(source.tactics))


T = TypeVar("T")


def _shorter(items: tuple[T, ...]) -> Iterator[tuple[T, ...]]:
    """The first item alone, and all but each of them."""
    if len(items) > 1:
        yield items[:1]
        yield from (items[:place] + items[place + 1 :] for place in range(len(items)))
