"""The policies' own code, run on symbolic reals: on every path the outcome is in the paper's relation.

The relation is the one of the lemmas (`relations`), written from the paper and not from the code. What is proved of
it for every number of arms therefore holds of the code for the numbers of arms explored here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeVar

from bufalu.properties.smt.errors import UndecidedPath, UnexplainedModel
from bufalu.properties.smt.grounding import constant, grounded, some_selection
from bufalu.properties.smt.intervals import EPSILON, GOOD_EVENT, LCB, MEAN, UCB, width_at_most, width_below
from bufalu.properties.smt.lemma import Hypothesis, confirm
from bufalu.properties.smt.models import Model
from bufalu.properties.smt.relations import BUDGET, BUFALU, BUFAU, CBM_UCB, GREEDY, PAIRS, PLAYED, dial, turns
from bufalu.properties.smt.solver import Satisfiability, Session
from bufalu.properties.smt.symbolic import Explorer, explore
from bufalu.properties.smt.symbolic_views import LOG, ReplayView, SymbolicView
from bufalu.properties.smt.terms import TRUE, SolverTruth, all_of, for_all, number
from bufalu.reference.comparisons import TieBreak, first, last
from bufalu.reference.policies import Admissible, Decision, policy_named
from bufalu.reference.view import N, View

PATH_LIMIT = 100_000
"""Paths of a rule after which its proof is given up: BuFALU with five arms and every tie-break has 67,606."""
NO_ARMS: frozenset[int] = frozenset()
Result = TypeVar("Result", bound=Hashable)


class DecisionRule(Protocol):
    """A rule as `reference` writes it: a view and a tie-break give a decision."""

    def __call__(self, view: View[N], ties: TieBreak, /) -> Decision:
        """The decision of this round."""


class AdmissibleSet(Protocol):
    """A relation as `reference` writes it: a view gives the decisions of every tie-break."""

    def __call__(self, view: View[N], /) -> Admissible:
        """The admissible decisions, with their reasons."""


TIES: dict[str, Callable[[Explorer], TieBreak]] = {
    "first": lambda explorer: first,
    "last": lambda explorer: last,
    "any": lambda explorer: explorer.choose,
}

_GOOD = all_of(*(hypothesis.formula for hypothesis in GOOD_EVENT))
_WIDER_THAN_EPSILON = ~width_at_most(PLAYED, EPSILON)

AS_WIDE_AS_THE_GAP = _WIDER_THAN_EPSILON & _GOOD.implies(
    for_all(lambda b: ~width_below(PLAYED, MEAN(b) - MEAN(PLAYED)))
)
"""What is proved of an arm that BuFAU or CBM-UCB queries: no narrower than epsilon, nor than its gap."""

WIDER_THAN_HALF_THE_GAP = _WIDER_THAN_EPSILON & _GOOD.implies(
    for_all(
        lambda b: (MEAN(b) > MEAN(PLAYED)).implies(
            ~width_at_most(PLAYED, Fraction(1, 2) * (MEAN(b) - MEAN(PLAYED) + EPSILON))
        )
    )
)
"""What is proved of an arm that BuFALU queries: wider than epsilon, and than half of gap plus epsilon."""


def as_wide_as_its_share(rho: Fraction) -> SolverTruth:
    """What is proved of an arm that the dial queries: wider than epsilon, no narrower than its gap or wider than
    (gap + epsilon)/(1 + rho).
    """
    return _WIDER_THAN_EPSILON & _GOOD.implies(
        for_all(
            lambda b: (MEAN(b) > MEAN(PLAYED)).implies(
                ~width_below(PLAYED, MEAN(b) - MEAN(PLAYED))
                | ~width_at_most(PLAYED, 1 / (1 + rho) * (MEAN(b) - MEAN(PLAYED) + EPSILON))
            )
        )
    )


NEAR_OPTIMAL = _GOOD.implies(for_all(lambda b: MEAN(b) - MEAN(PLAYED) <= EPSILON))
"""What is proved of an arm that is played unqueried."""


@dataclass(frozen=True)
class PaperRelation:
    """A policy as the solvers know it: its relation, and what the lemmas say of a queried arm.

    Without a lemma (`queried` None) no lemma speaks of a single round; `by_budget` says that the effective budget of
    l.1426 plays a role.
    """

    hypotheses: tuple[Hypothesis, ...]
    roles: tuple[str, ...]
    queried: SolverTruth | None
    by_budget: bool = False


_BUFALU = PaperRelation(BUFALU, ("leader", "challenger", "candidate"), WIDER_THAN_HALF_THE_GAP)
_BUFAU = PaperRelation(BUFAU, ("leader", "challenger"), AS_WIDE_AS_THE_GAP)


def _dial(rho: Fraction) -> PaperRelation:
    return PaperRelation(dial(number(rho)), _BUFALU.roles, as_wide_as_its_share(rho))


RELATIONS: dict[str, PaperRelation] = {
    "bufalu": _BUFALU,
    "bufau": _BUFAU,
    "cbm-ucb": PaperRelation(CBM_UCB, ("challenger",), AS_WIDE_AS_THE_GAP),
    "greedy": PaperRelation(GREEDY, (), None, by_budget=True),
    # At its ends the dial's own code is held to the relations of the paper's policies: tie for tie the same.
    "dial:1": _BUFALU,
    "dial:0": _BUFAU,
    "dial:1/2": _dial(Fraction(1, 2)),
    "pairs:2": PaperRelation((*PAIRS, *turns(number(2))), ("leader", "challenger"), None),
}


@dataclass(frozen=True)
class FailedProof:
    """A round in numbers on which the code is wrong, found by the solver and replayed in exact arithmetic."""

    outcome: str
    broken: str
    model: Model
    infinite: frozenset[int]

    def describe(self) -> str:
        """The round as an argument for people."""
        values = "\n".join(f"  {name} = {value}" for name, value in sorted(self.model.reals.items()))
        unbounded = f"\n  infinite intervals: arms {sorted(self.infinite)}" if self.infinite else ""
        return f"Let\n{values}{unbounded}\nThen the code gives {self.outcome}, but {self.broken}."


@dataclass(frozen=True)
class CodeProof:
    """What the exploration of a rule found; without a violation, every path was proved."""

    policy: str
    ties: str
    arms: int
    infinite: frozenset[int]
    paths: int
    checks: int
    violation: FailedProof | None


def relation(policy: str, arms: int, decision: Decision, infinite: frozenset[int] = NO_ARMS) -> SolverTruth:
    """Some tie-break of the paper's policy takes this decision: the relation as a formula over K arms."""
    known = RELATIONS[policy]
    outcome, facts = {"played": decision.arm}, {"queried": decision.query}
    return some_selection(known.hypotheses, known.roles, arms, outcome=outcome, facts=facts, infinite=infinite)


def consequences(policy: str, arms: int, decision: Decision, infinite: frozenset[int] = NO_ARMS) -> SolverTruth:
    """What the lemmas say of the decision: wide if queried, near-optimal under the good event if not."""
    queried = RELATIONS[policy].queried
    if queried is None:
        return TRUE
    lemma = queried if decision.query else NEAR_OPTIMAL
    return grounded(lemma, arms, {"played": decision.arm}, infinite)


def assumptions(policy: str, arms: int, infinite: frozenset[int] = NO_ARMS) -> list[SolverTruth]:
    """Epsilon is not negative and no interval is upside down; for greedy, the effective budget is that of l.1426."""
    finite = [arm for arm in range(1, arms + 1) if arm not in infinite]
    intervals = [EPSILON >= 0, *(constant(LCB, arm) <= constant(UCB, arm) for arm in finite)]
    if not RELATIONS[policy].by_budget:
        return intervals
    share = (BUDGET - number(arms)) * (EPSILON * EPSILON)
    return [*intervals, LOG > 0, (EPSILON > 0).implies(share.equals(6 * arms * LOG))]


def prove_rule(
    policy: str,
    arms: int,
    *,
    ties: str = "any",
    infinite: frozenset[int] = NO_ARMS,
    rule: DecisionRule | None = None,
    limit: int = PATH_LIMIT,
) -> CodeProof:
    """Explore the rule (the policy's own unless another is given) and prove every path; stops at the first violation.

    `ties` is "first", "last" or "any" (every choice of every argmax is tried). Raises TooManyPaths, UndecidedPath,
    IrrationalModel and UnexplainedModel.
    """
    code: DecisionRule = policy_named(policy).decide if rule is None else rule

    def run(explorer: Explorer) -> Decision:
        return code(SymbolicView(explorer, arms, infinite), TIES[ties](explorer))

    def claimed(decision: Decision) -> list[tuple[str, SolverTruth]]:
        return [
            ("no tie-break of the paper's rule takes that decision", relation(policy, arms, decision, infinite)),
            ("that decision breaks a lemma", consequences(policy, arms, decision, infinite)),
        ]

    def replay(view: ReplayView, choices: tuple[int, ...]) -> Decision:
        return code(view, _scripted(choices) if ties == "any" else (first if ties == "first" else last))

    return _prove(policy, ties, arms, infinite, run=run, claimed=claimed, replay=replay, limit=limit)


def prove_admissible(
    policy: str,
    arms: int,
    *,
    infinite: frozenset[int] = NO_ARMS,
    relation_code: AdmissibleSet | None = None,
    limit: int = PATH_LIMIT,
) -> CodeProof:
    """Explore `admissible`: on every path the set that it returns is exactly the set of decisions in the relation.

    Raises what `prove_rule` raises.
    """
    code: AdmissibleSet = policy_named(policy).admissible if relation_code is None else relation_code
    every = [Decision(arm, query) for arm in range(1, arms + 1) for query in (True, False)]
    related = {decision: relation(policy, arms, decision, infinite) for decision in every}

    def run(explorer: Explorer) -> frozenset[Decision]:
        return frozenset(code(SymbolicView(explorer, arms, infinite)))

    def claimed(decisions: frozenset[Decision]) -> list[tuple[str, SolverTruth]]:
        exactly = [related[each] if each in decisions else ~related[each] for each in every]
        return [("that is not the set of decisions that some tie-break takes", all_of(*exactly))]

    def replay(view: ReplayView, choices: tuple[int, ...]) -> frozenset[Decision]:
        return frozenset(code(view))

    return _prove(policy, "all", arms, infinite, run=run, claimed=claimed, replay=replay, limit=limit)


def _prove(
    policy: str,
    ties: str,
    arms: int,
    infinite: frozenset[int],
    *,
    run: Callable[[Explorer], Result],
    claimed: Callable[[Result], list[tuple[str, SolverTruth]]],
    replay: Callable[[ReplayView, tuple[int, ...]], Result],
    limit: int,
) -> CodeProof:
    """Explore `run` and prove what is claimed of each outcome; the claims are built once for each outcome."""
    linear = not RELATIONS[policy].by_budget
    session = Session(assumptions(policy, arms, infinite), logic="QF_LRA" if linear else None)
    known: dict[Result, list[tuple[str, SolverTruth]]] = {}
    denied: dict[Result, SolverTruth] = {}
    paths, violation = 0, None
    for path in explore(run, session, limit):
        paths += 1
        if path.outcome not in known:
            known[path.outcome] = claimed(path.outcome)
            denied[path.outcome] = ~all_of(*(formula for _, formula in known[path.outcome]))
        model = _counterexample(session, denied[path.outcome])
        if model is not None:
            broken = next(says for says, formula in known[path.outcome] if not model.holds(formula))
            again = replay(ReplayView(model, arms, infinite), path.choices)
            if again != path.outcome:
                raise UnexplainedModel(f"replayed in exact numbers the rule gives {again}, not {path.outcome}")
            violation = FailedProof(str(path.outcome), broken, model, infinite)
            break
    return CodeProof(policy, ties, arms, infinite, paths, session.checks, violation)


def _counterexample(session: Session, denied: SolverTruth) -> Model | None:
    """A model of the current path in which what is claimed of it is false, evaluated in rational arithmetic."""
    with session.scope(denied):
        answer = session.check()
        if answer is Satisfiability.UNSATISFIABLE:
            return None
        if answer is Satisfiability.UNKNOWN:
            raise UndecidedPath("the solver gave up on the outcome of a path")
        model = session.model(0)
        confirm(model, session.assumed())
    return model


def _scripted(choices: tuple[int, ...]) -> TieBreak:
    """The tie-break that makes these choices one after the other."""
    remaining = iter(choices)
    return lambda tied: next(remaining)
