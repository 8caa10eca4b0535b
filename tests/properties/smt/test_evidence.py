"""What the audit is told: every proof, with its limits, and NOT RUN without a solver."""

import ast
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bufalu.properties.claims.check import checks_of
from bufalu.properties.claims.evidence import AuditProfile, EvidenceKind, Verdict, check_name
from bufalu.properties.smt import evidence, second_opinion, solver
from bufalu.properties.smt.catalogue import ERRATA, LEMMAS, lemma_named
from bufalu.properties.smt.code_proofs import CodeProof
from bufalu.properties.smt.errors import SolverFailed, TooManyPaths
from bufalu.properties.smt.lemma import Hypothesis
from bufalu.properties.smt.solver import Satisfiability, SolverAnswer
from bufalu.properties.smt.terms import FALSE, TRUE

ROOT = Path(__file__).parents[3]


def test_every_lemma_and_every_policy_is_a_check():
    checks = checks_of("smt")
    assert len({check.name for check in checks}) == len(checks)
    assert {check.name for check in checks if check.kind is EvidenceKind.SMT} == {
        check_name("smt", each.name) for each in (*LEMMAS, *ERRATA)
    }
    assert sum(check.kind is EvidenceKind.CODE_PATHS for check in checks) == 8


def test_every_check_gives_its_verdict_and_its_limits():
    for check in checks_of("smt"):
        if check.kind is EvidenceKind.SMT:
            found = check.run(AuditProfile())
            erratum = check.name in {check_name("smt", each.name) for each in ERRATA}
            assert found.verdict is (Verdict.ERRATUM if erratum else Verdict.PROVED), check.name
            assert erratum or ("Not proved: " in found.detail and "z3 " in found.detail)


def test_an_inductive_step_says_what_the_solver_did_not_check():
    shown = evidence.describe(lemma_named("no arm is queried more often than the cap plus one"), "z3 1")
    assert "for every number of arms and all reals" in shown
    assert "Not checked by the solver: Induction on t" in shown


def test_code_evidence_counts_its_paths():
    (check,) = [each for each in checks_of("smt") if each.name == "smt.code_of_cbm_ucb_obeys_the_relation"]
    found = check.run(AuditProfile())
    assert found.verdict is Verdict.PROVED
    assert found.cases is not None
    assert found.cases > 400
    assert found.detail.startswith(
        f"the code of cbm-ucb run on symbolic reals, {found.cases} paths: decide under every tie-break with any intervals "
        "infinite for K = 2, 3; admissible with any intervals infinite for K = 2, 3; decide under every tie-break with "
        "finite intervals for K = 4, 5. On every path"
    )


def test_the_coverage_claims_no_more_than_the_runs():
    proof = CodeProof("bufalu", "first", 4, frozenset(), 1, 1, None)
    assert evidence.covered([proof]) == "decide under the tie-break first with finite intervals for K = 4"
    some = [replace(proof, arms=2, ties="any", infinite=frozenset(chosen)) for chosen in ([], [1], [2])]
    assert "finite intervals" in evidence.covered(some), "three of four choices are not all"
    every = [*some, replace(some[0], infinite=frozenset([1, 2]))]
    assert evidence.covered(every) == "decide under every tie-break with any intervals infinite for K = 2"


def test_without_z3_everything_says_not_run(monkeypatch):
    monkeypatch.setattr(solver, "find_spec", lambda name: None)
    assert {check.run(AuditProfile()).verdict for check in checks_of("smt")} == {Verdict.NOT_RUN}


def test_a_false_lemma_is_refuted_with_a_witness():
    wrong = replace(lemma_named("a queried arm is wider than epsilon"), conclusion=FALSE)
    found = evidence._lemma_evidence(wrong, AuditProfile())
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert "epsilon = " in found.witness.summary


def test_contradictory_hypotheses_are_vacuous_not_proved():
    lemma = lemma_named("a queried arm is wider than epsilon")
    empty = replace(lemma, hypotheses=(*lemma.hypotheses, Hypothesis("never", FALSE)))
    assert evidence._lemma_evidence(empty, AuditProfile()).verdict is Verdict.VACUOUS


def test_an_erratum_that_can_be_proved_is_no_erratum():
    right = replace(ERRATA[0], conclusion=TRUE)
    assert evidence._erratum_evidence(right, AuditProfile()).verdict is Verdict.REFUTED


def test_the_command_of_a_witness_shows_the_witness():
    witness = evidence._erratum_evidence(ERRATA[0], AuditProfile()).witness
    assert witness is not None
    program, *arguments = shlex.split(witness.command)
    assert program == "python"
    shown = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True, cwd=ROOT)
    assert shown.stdout.strip() == witness.summary


def test_a_wrong_rule_is_refuted_in_the_audit(monkeypatch):
    from tests.properties.smt.wrong_rules import leader_by_upper_end

    monkeypatch.setattr(evidence, "prove_rule", _with(leader_by_upper_end))
    found = evidence._code_evidence("bufalu", AuditProfile())
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert found.witness.summary.startswith("Let\n")
    ast.parse(shlex.split(found.witness.command)[-1])
    assert "prove_rule('bufalu', 2, ties='any', infinite=frozenset([]))" in found.witness.command


def _with(rule):
    from bufalu.properties.smt.code_proofs import prove_rule

    return lambda policy, arms, **options: prove_rule(policy, arms, rule=rule, **options)


def cvc5_that_says(monkeypatch, opinion):
    monkeypatch.setattr(second_opinion, "available", lambda: True)
    monkeypatch.setattr(second_opinion, "name_and_version", lambda: "cvc5 0")
    monkeypatch.setattr(second_opinion, "second_opinion", opinion)


@pytest.mark.parametrize(
    ("answer", "verdict", "words"),
    [
        (Satisfiability.UNSATISFIABLE, Verdict.PROVED, "agrees"),
        (Satisfiability.UNKNOWN, Verdict.PROVED, "gave up"),
        (Satisfiability.SATISFIABLE, Verdict.REFUTED, "disagrees"),
    ],
)
def test_a_second_opinion_counts(monkeypatch, answer, verdict, words):
    cvc5_that_says(monkeypatch, lambda lemma: SolverAnswer(answer, 0.0))
    found = evidence._lemma_evidence(LEMMAS[0], AuditProfile("full"))
    assert found.verdict is verdict
    assert words in found.detail


def test_a_second_opinion_that_cannot_be_had_is_said(monkeypatch):
    def fail(lemma):
        raise SolverFailed("no such logic")

    cvc5_that_says(monkeypatch, fail)
    found = evidence._lemma_evidence(LEMMAS[0], AuditProfile("full"))
    assert found.verdict is Verdict.PROVED
    assert "could not be asked (no such logic)" in found.detail


def test_an_exploration_that_does_not_finish_proves_nothing(monkeypatch):
    def give_up(policy, arms, **options):
        raise TooManyPaths("the rule has more than 7 paths")

    monkeypatch.setattr(evidence, "prove_rule", give_up)
    found = evidence._code_evidence("bufalu", AuditProfile())
    assert found.verdict is Verdict.NOT_RUN
    assert "more than 7 paths" in found.detail


@pytest.mark.nightly
@pytest.mark.skipif(not second_opinion.available(), reason="cvc5 is not installed: no second opinion")
def test_the_full_profile_asks_cvc5_too():
    found = evidence._lemma_evidence(LEMMAS[0], AuditProfile("full"))
    assert found.verdict is Verdict.PROVED
    assert "cvc5" in found.detail
    assert "agrees" in found.detail
