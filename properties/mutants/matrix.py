"""The matrix claim x mutant: which statements notice which wrong version of a policy.

Every known bug plays one corpus of games, and every statement about its policy is decided on each of the
runs. The statements see the true state and the paper's intervals, whatever the mutant believes. Two columns are not
theorems: conformance to the paper's relation, exactly and with the closeness granted to programs in doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from bufalu.oracle.known_bugs import KNOWN_BUGS, KnownBug
from bufalu.oracle.tolerance import NearTies, slack
from bufalu.properties.audit.collecting import collect
from bufalu.properties.runs.baselines import BASELINE_QUERIED_COUNT, BASELINE_UNQUERIED_COUNT
from bufalu.properties.runs.cap import CAP, COUNTS, EXACT_CAP
from bufalu.properties.runs.cases import CASES, SHARPER
from bufalu.properties.runs.corpus import corpus
from bufalu.properties.runs.counts import QUERIED_COUNT, UNQUERIED_COUNT
from bufalu.properties.runs.gap_query import (
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    WIDE_EPSILON_BLOCKS,
    ZERO_EPSILON_IS_FREE,
)
from bufalu.properties.runs.metamorphic import CONFORMS_EXACTLY
from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.scenarios import Scenario, play
from bufalu.properties.runs.statements import Place, Statement
from bufalu.reference.policies import POLICIES


def decision_is_close_to_admissible(run: Run) -> Iterator[Place]:
    """The decision is one that a program in doubles may take: what `bufalu check` accepts by default."""
    yield from (finding for finding in CONFORMS_EXACTLY.examine(run) if finding.round <= run.arms)
    for situation in run.situations:
        near = NearTies(partial(slack, situation.state.records, run.confidence, situation.round))
        accepted = {decision for decision, _ in run.rule.possible(situation.view, near)}
        words = f"round {situation.round}: {situation.decision} is not among {sorted(accepted)}"
        holds = situation.decision in accepted
        yield Place(holds, 0.0, True, situation.round, situation.arm, partial(str, words))


CONFORMS_IN_DOUBLES = Statement(
    "conformance.default",
    ("conformance.default",),
    "every decision is one that a program in doubles may take",
    decision_is_close_to_admissible,
    frozenset(POLICIES),
)

STATEMENTS: tuple[Statement, ...] = (
    CONFORMS_IN_DOUBLES,
    CONFORMS_EXACTLY,
    COUNTS,
    QUERIED_IS_WIDE,
    UNQUERIED_IS_NEAR_OPTIMAL,
    WIDE_EPSILON_BLOCKS,
    ZERO_EPSILON_IS_FREE,
    CAP,
    EXACT_CAP,
    UNQUERIED_COUNT,
    QUERIED_COUNT,
    *CASES,
    SHARPER,
    BASELINE_UNQUERIED_COUNT,
    BASELINE_QUERIED_COUNT,
)
"""The rows of the matrix: conformance first, then the claims."""

CONFORMANCE = frozenset({CONFORMS_IN_DOUBLES.name, CONFORMS_EXACTLY.name})


@dataclass(frozen=True)
class Verdicts:
    """What the statements say of one mutant of one policy with one interval."""

    mutant: str
    description: str
    place: str
    policy: str
    confidence: str
    games: int
    killed_by: tuple[str, ...]
    survived: tuple[str, ...]

    @property
    def violates_a_claim(self) -> bool:
        """Whether a claim of the paper fails, not only conformance."""
        return any(name not in CONFORMANCE for name in self.killed_by)


@dataclass(frozen=True)
class Matrix:
    """The verdicts on the known bugs, and the checks that refute the wrong claims."""

    statements: tuple[str, ...]
    bugs: tuple[Verdicts, ...]
    wrong_claims: tuple[tuple[str, str], ...]

    def as_json(self) -> dict[str, object]:
        """The matrix as plain data, for the command line and the report."""
        return {
            "statements": list(self.statements),
            "mutants": [
                {
                    "mutant": row.mutant,
                    "description": row.description,
                    "place": row.place,
                    "policy": row.policy,
                    "confidence": row.confidence,
                    "games": row.games,
                    "killed_by": list(row.killed_by),
                    "survived": list(row.survived),
                    "violates_a_claim": row.violates_a_claim,
                }
                for row in self.bugs
            ],
            "wrong_claims": [
                {"description": description, "killed_by": check} for description, check in self.wrong_claims
            ],
        }


def breaks(statement: Statement, run: Run) -> bool:
    """Whether the statement fails somewhere on the run."""
    return any(not finding.holds for finding in statement.examine(run))


def judge(mutant: KnownBug, policy: str, confidence: str, played: Iterable[Scenario]) -> Verdicts:
    """Lets a mutant play, and asks every statement about its policy on each run until the statement has failed."""
    alive = [statement for statement in STATEMENTS if policy in statement.policies]
    dead: list[Statement] = []
    count = 0
    for game in played:
        count += 1
        run = play(game, mutant.live)
        killers = [statement for statement in alive if breaks(statement, run)]
        dead += killers
        alive = [statement for statement in alive if statement not in killers]
    return verdicts(mutant, policy, confidence, count, frozenset(statement.name for statement in dead))


def verdicts(mutant: KnownBug, policy: str, confidence: str, games: int, killers: frozenset[str]) -> Verdicts:
    """The row of a mutant: of the statements about its policy, these kill it and all others do not."""
    asked = [statement.name for statement in STATEMENTS if policy in statement.policies]
    return Verdicts(
        mutant.id,
        mutant.description,
        mutant.place.value,
        policy,
        confidence,
        games,
        tuple(name for name in asked if name in killers),
        tuple(name for name in asked if name not in killers),
    )


def settings_of(mutant: KnownBug, full: bool) -> list[tuple[str, str]]:
    """The settings to examine: all of them, or one, BuFALU with Hoeffding's interval where the mutant has it."""
    settings = mutant.settings()
    if full:
        return settings
    preferred = ("bufalu", "hoeffding")
    return [preferred if preferred in settings else settings[0]]


def all_settings(full: bool, bugs: Sequence[KnownBug] = KNOWN_BUGS) -> list[tuple[KnownBug, tuple[str, str]]]:
    """Every known bug with the settings in which it plays."""
    return [(mutant, setting) for mutant in bugs for setting in settings_of(mutant, full)]


def build_matrix(
    size: int = 12,
    seed: int = 0,
    full: bool = False,
    progress: Callable[[int, str], None] | None = None,
    bugs: Sequence[KnownBug] = KNOWN_BUGS,
) -> Matrix:
    """Plays the directed games and `size` others with every known bug.

    `full` takes every policy and interval that a mutant changes.
    `progress` is told how many of `all_settings` are done, and the mutant at hand.
    """
    corpora: dict[tuple[str, str], list[Scenario]] = {}
    rows: list[Verdicts] = []
    for done, (mutant, (policy, confidence)) in enumerate(all_settings(full, bugs)):
        if progress is not None:
            progress(done, mutant.id)
        if (policy, confidence) not in corpora:
            corpora[policy, confidence] = corpus(policy, confidence, size, seed)
        rows.append(judge(mutant, policy, confidence, corpora[policy, confidence]))
    return matrix_of(rows)


def matrix_of(rows: Iterable[Verdicts]) -> Matrix:
    """The matrix with these rows, and the wrong claims."""
    wrong = tuple((words, check.name) for check in collect(("runs",)).checks for words in check.mutants)
    return Matrix(tuple(statement.name for statement in STATEMENTS), tuple(rows), wrong)
