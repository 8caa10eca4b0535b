"""What the solvers hand to the audit: one check for each lemma, and for each policy the runs of its own code.

Without z3 every check still exists and says NOT RUN.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, combinations

from bufalu.properties.claims.check import check
from bufalu.properties.claims.evidence import (
    AuditProfile,
    Evidence,
    EvidenceKind,
    Verdict,
    Witness,
    check_name,
)
from bufalu.properties.smt import second_opinion, solver
from bufalu.properties.smt.catalogue import ERRATA, LEMMAS
from bufalu.properties.smt.code_proofs import (
    NO_ARMS,
    RELATIONS,
    CodeProof,
    DecisionRule,
    prove_admissible,
    prove_rule,
)
from bufalu.properties.smt.errors import SolverFailed, TooManyPaths, UndecidedPath
from bufalu.properties.smt.lemma import Lemma, ProofResult, Status, prove
from bufalu.properties.smt.nonvacuity import satisfying_model
from bufalu.properties.smt.solver import Satisfiability
from bufalu.properties.smt.terms import SolverTruth
from bufalu.reference.policies import policy_named

SMT, CODE_PATHS = EvidenceKind.SMT, EvidenceKind.CODE_PATHS
NOT_PROVED_BY_LEMMAS = "floating point, probabilities and expectations, and that the code follows the relation"
NOT_PROVED_BY_CODE = "more arms than stated, floating point, the intervals' formulas, and runs of many rounds"


def code_runs(policy: str, full: bool) -> Iterator[Callable[[], CodeProof]]:
    """The explorations of one policy, smallest first; the full profile adds what takes minutes."""
    roles = RELATIONS[policy].roles
    for arms in (2, 3):
        for infinite in infinite_choices(arms) if policy_named(policy).uses_interval else [NO_ARMS]:
            yield partial(prove_rule, policy, arms, infinite=infinite)
            yield partial(prove_admissible, policy, arms, infinite=infinite)
    if len(roles) <= 1:
        yield from (partial(prove_rule, policy, arms) for arms in (4, 5))
        return
    if full or "candidate" in roles:
        yield partial(prove_rule, policy, 4, ties="first")
    if full:
        yield partial(prove_rule, policy, 4)
        yield from (partial(prove_rule, policy, 5, ties=ties) for ties in ("first", "last"))


def infinite_choices(arms: int) -> Iterator[frozenset[int]]:
    """Every choice of arms whose interval is infinite."""
    everyone = range(1, arms + 1)
    return map(frozenset, chain.from_iterable(combinations(everyone, size) for size in range(arms + 1)))


def _not_run(kind: EvidenceKind) -> Evidence:
    return Evidence(kind, Verdict.NOT_RUN, "z3 is not installed: pip install z3-solver")


def _lemma_evidence(lemma: Lemma, profile: AuditProfile, conclusion: SolverTruth | None = None) -> Evidence:
    """Prove the lemma, or another conclusion from its hypotheses, and show that these can be met; the full profile also
    asks cvc5.
    """
    if not solver.available():
        return _not_run(SMT)
    result = prove(lemma if conclusion is None else replace(lemma, conclusion=conclusion))
    if result.status is not Status.PROVED:
        return _unproved(lemma, result)
    if all(satisfying_model(lemma, arms) is None for arms in (2, 3)):
        return Evidence(SMT, Verdict.VACUOUS, "the hypotheses contradict each other")
    solvers, verdict = result.solver, Verdict.PROVED
    if profile.full and second_opinion.available():
        opinion, disagrees = _opinion(lemma)
        solvers += f"; {opinion}"
        verdict = Verdict.REFUTED if disagrees else verdict
    return Evidence(SMT, verdict, describe(lemma, solvers), nonvacuous=1.0)


def _opinion(lemma: Lemma) -> tuple[str, bool]:
    """What cvc5 says, and whether it contradicts z3; that it cannot be asked is said and contradicts nothing."""
    name = second_opinion.name_and_version()
    try:
        answer = second_opinion.second_opinion(lemma).answer
    except SolverFailed as failure:
        return f"{name} could not be asked ({failure})", False
    words = {
        Satisfiability.UNSATISFIABLE: "agrees",
        Satisfiability.UNKNOWN: "gave up",
        Satisfiability.SATISFIABLE: "disagrees",
    }
    return f"{name} {words[answer]}", answer is Satisfiability.SATISFIABLE


def describe(lemma: Lemma, solvers: str) -> str:
    """What was proved, for whom, from what, by whom, and what was not."""
    scope = "for all reals" if lemma.logic == "QF_NRA" else "for every number of arms and all reals"
    given = "; ".join(hypothesis.name for hypothesis in lemma.hypotheses)
    by_hand = f" Not checked by the solver: {lemma.meta}" if lemma.meta else ""
    return (
        f"{lemma.says} Proved {scope} by {solvers}, as unsatisfiability of the negation, from: {given}.{by_hand} Not "
        f"proved: {NOT_PROVED_BY_LEMMAS}."
    )


def _unproved(lemma: Lemma, result: ProofResult) -> Evidence:
    if result.model is None:
        return Evidence(SMT, Verdict.NOT_RUN, f"{result.solver} gave up on it", failed=True)
    witness = Witness(result.model.describe(), _command(lemma))
    return Evidence(SMT, Verdict.REFUTED, f"{lemma.says} is false", witness=witness)


def _erratum_evidence(lemma: Lemma, profile: AuditProfile, conclusion: SolverTruth | None = None) -> Evidence:
    """Refute a statement that the paper makes, or another one; it would be no erratum if it could be proved."""
    if not solver.available():
        return _not_run(SMT)
    result = prove(lemma if conclusion is None else replace(lemma, conclusion=conclusion))
    if result.status is Status.PROVED:
        return Evidence(SMT, Verdict.REFUTED, f"no erratum: {lemma.says} It is proved.")
    if result.model is None:
        return Evidence(SMT, Verdict.NOT_RUN, f"{result.solver} did not refute it", failed=True)
    witness = Witness(result.model.describe(), _command(lemma))
    return Evidence(SMT, Verdict.ERRATUM, lemma.says, witness=witness)


def _command(lemma: Lemma) -> str:
    """Shows the model again."""
    return (
        'python -c "from bufalu.properties.smt.lemma import prove; '
        "from bufalu.properties.smt.catalogue import lemma_named; "
        f"print(prove(lemma_named('{lemma.name}')).model.describe())\""
    )


def _replay_command(proof: CodeProof) -> str:
    """Explores the same code again and shows the round."""
    called = "prove_admissible" if proof.ties == "all" else "prove_rule"
    ties = "" if proof.ties == "all" else f", ties='{proof.ties}'"
    return (
        f'python -c "from bufalu.properties.smt.code_proofs import {called}; '
        f"print({called}('{proof.policy}', {proof.arms}{ties}, infinite=frozenset({sorted(proof.infinite)}))"
        '.violation.describe())"'
    )


def covered(proofs: list[CodeProof]) -> str:
    """Which function, tie-break and intervals were explored for each number of arms, from the runs themselves."""
    ties = {"all": "admissible", "any": "decide under every tie-break"}
    parts: dict[str, list[str]] = {}
    for arms in sorted({proof.arms for proof in proofs}):
        for kind in dict.fromkeys(proof.ties for proof in proofs if proof.arms == arms):
            choices = {proof.infinite for proof in proofs if proof.arms == arms and proof.ties == kind}
            intervals = "any intervals infinite" if len(choices) == 2**arms else "finite intervals"
            said = f"{ties.get(kind, f'decide under the tie-break {kind}')} with {intervals}"
            parts.setdefault(said, []).append(str(arms))
    return "; ".join(f"{said} for K = {', '.join(arms)}" for said, arms in parts.items())


def _code_evidence(policy: str, profile: AuditProfile, rule: DecisionRule | None = None) -> Evidence:
    """Explore the policy's code, or a wrong `rule` under the first tie-break alone, and prove every path."""
    if not solver.available():
        return _not_run(CODE_PATHS)
    proofs: list[CodeProof] = []
    wrong = [] if rule is None else [partial(prove_rule, policy, arms, ties="first", rule=rule) for arms in (2, 3)]
    for run in wrong or code_runs(policy, profile.full):
        try:
            proofs.append(run())
        except (UndecidedPath, TooManyPaths) as gave_up:
            return Evidence(CODE_PATHS, Verdict.NOT_RUN, f"the exploration did not finish: {gave_up}", failed=True)
        violation = proofs[-1].violation
        if violation is not None:
            witness = Witness(violation.describe(), _replay_command(proofs[-1]))
            return Evidence(CODE_PATHS, Verdict.REFUTED, violation.broken, witness=witness)
    paths = sum(proof.paths for proof in proofs)
    # No lemma speaks of a single round of greedy.
    lemmas = "" if RELATIONS[policy].queried is None else " and obeys the lemmas"
    detail = (
        f"the code of {policy} run on symbolic reals, {paths} paths: {covered(proofs)}. On every path decide stays in "
        f"the paper's relation{lemmas}, and admissible is exactly the relation ({solver.name_and_version()}). Not "
        f"proved: {NOT_PROVED_BY_CODE}."
    )
    return Evidence(CODE_PATHS, Verdict.PROVED, detail, cases=paths, nonvacuous=1.0)


for _lemma in LEMMAS:
    check(
        *_lemma.claims,
        kind=SMT,
        name=check_name("smt", _lemma.name),
        mutants={"the negation of the conclusion": {"conclusion": ~_lemma.conclusion}},
    )(partial(_lemma_evidence, _lemma))

for _lemma in ERRATA:
    check(
        *_lemma.claims,
        kind=SMT,
        name=check_name("smt", _lemma.name),
        mutants={"a hypothesis for the conclusion": {"conclusion": _lemma.hypotheses[0].formula}},
    )(partial(_erratum_evidence, _lemma))


def _code_of(policy: str, other: str, *claims: str) -> None:
    """The check that the code of a policy obeys the relation, which another policy's code does not."""
    mutants = {f"the code of {other}": {"rule": policy_named(other).decide}}
    name = check_name("smt", f"code of {policy} obeys the relation")
    check(*claims, kind=CODE_PATHS, name=name, mutants=mutants)(partial(_code_evidence, policy))


_code_of("bufalu", "bufau", "gap_query.queried_is_wide", "gap_query.unqueried_is_near_optimal", "theorem.sharper")
_code_of("bufau", "bufalu", "baselines.bufau")
_code_of("cbm-ucb", "bufau", "baselines.cbm_ucb")
_code_of("greedy", "bufalu", "baselines.greedy")
_code_of("dial:1", "bufau", "dial.at_one_is_bufalu")
_code_of("dial:0", "bufalu", "dial.at_zero_is_bufau")
_code_of("pairs:2", "bufau", "pairs.unqueried_is_near_optimal")
_code_of("dial:1/2", "bufalu", "dial.queried_is_wide", "dial.unqueried_is_near_optimal", "dial.width.suboptimal")
