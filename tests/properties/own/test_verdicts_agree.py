"""No part says yes where another says no: wrong intervals, policies and claims go through every part that judges.

What the audit calls proved or not refuted is attacked on laws and runs that it has not seen; what it says to fail is
replayed as printed; bounds are refused or say what they suppose; and the mean over many seeds is that of the exact law.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from bufalu import (
    ConfidenceInterval,
    Decision,
    Instance,
    Policy,
    Reason,
    parse_schedule,
    register_interval,
    register_policy,
)
from bufalu.bounds import Enclosure, Truth
from bufalu.cli import main
from bufalu.oracle.known_bugs.edited_rules import LeaderRule
from bufalu.properties.audit.files import write_witnesses
from bufalu.properties.claims.evidence import AuditProfile, Verdict
from bufalu.properties.expectations.cases import ExactCase
from bufalu.properties.expectations.claims_on_law import CAP, COSTS, FAILURE_SUM, PROMISES, examine_on_law
from bufalu.properties.expectations.theorem_checks import (
    INDEPENDENT,
    MULTIPLE_QUERIES,
    MULTIPLE_REGRET,
    SHARPER_REGRET,
    UNIQUE_QUERIES,
    UNIQUE_REGRET,
    decide_promises,
)
from bufalu.properties.own.questions import questions
from bufalu.properties.own.report import FAILING, OwnResult, OwnVerdict, own_report, own_results
from bufalu.properties.own.subject import OwnSubject
from bufalu.properties.runs.claims_on_trace import ALL_STATEMENTS
from tests.properties.own.wrong_intervals import Root, Sinking

PROFILE = AuditProfile()
YES = (OwnVerdict.PROVED, OwnVerdict.UNREFUTED)
F = Fraction


# ---- thirty wrong intervals, from absurd to nearly right


def root(factor: Fraction, samples: Fraction | None = None, failures: int = 2) -> Root:
    """A root, named by its numbers."""
    stated = "" if samples is None else f"-{samples}-{failures}"
    return Root(f"wrong:root-{factor}{stated}".replace("/", "over"), factor, samples, failures)


FACTORS = (
    "1/1000000 1/10000 1/500 1/200 1/100 1/64 1/50 1/32 1/24 1/16 1/12 1/8 1/5 1/4 1/3 2/5 1/2 3/5 3/4 1 5/4 7/5"
)
INTERVALS: tuple[ConfidenceInterval, ...] = (
    root(F(1, 200), F(1, 50), 0),
    *(root(F(text)) for text in FACTORS.split()),
    root(F(1), F(3)),
    root(F(3, 2), F(5)),
    root(F(1, 32), F(1, 8), 2),
    root(F(1, 2), F(2), 0),
    root(F(3, 2), F(6), 0),
    Sinking("wrong:sinking-3", 3),
    Sinking("wrong:sinking-30", 30),
)
assert len(INTERVALS) >= 30


# ---- thirty wrong policies


class EditedBufalu(Policy):
    """BuFALU with one part changed."""

    def __init__(self, **changes: object) -> None:
        self._rule = LeaderRule("bufalu", **changes)  # type: ignore[arg-type]  # the parts of a rule by name
        self._changes = changes

    @property
    def text(self) -> str:
        words = "-".join(f"{part}-{value}" for part, value in self._changes.items())
        return f"wrong:{words}".replace(" ", "-").replace("_", "-").lower()

    def possible(self, view, comparisons):
        return self._rule.possible(view, comparisons)


class Sometimes(Policy):
    """Never asks after the initial rounds, or asks in one round of `every`; plays the arm of best mean, or a given one."""

    text = ""

    def __init__(self, every: int, arm: int | None = None) -> None:
        self.text = f"wrong:sometimes-{every}-{arm or 'best'}"
        self._every, self._arm = every, arm

    def possible(self, view, comparisons):
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return
        arms = range(1, view.arms + 1) if self._arm is None else [min(self._arm, view.arms)]
        for arm in comparisons.largest(arms, view.mean):
            yield Decision(arm, bool(self._every) and view.round % self._every == 0), Reason.UNCERTAIN


class TossedCandidate(Policy):
    """A coin chooses the candidate."""

    text = "wrong:tossing"

    def possible(self, view, comparisons):
        if view.round <= view.arms:
            yield Decision(view.round, True), Reason.INITIAL
            return
        everyone = range(1, view.arms + 1)
        for arm in comparisons.largest(everyone, lambda arm: view.number(0)):
            for stop in comparisons.at_most(view.width(arm), view.epsilon):
                yield Decision(arm, not stop), Reason.UNCERTAIN


POLICIES: tuple[Policy, ...] = (
    Sometimes(0, 1),
    EditedBufalu(candidate="narrower"),
    *(EditedBufalu(leader=value) for value in ("mean", "ucb")),
    EditedBufalu(challenger_among="everyone"),
    *(EditedBufalu(candidate=value) for value in ("challenger", "leader", "largest ucb")),
    *(EditedBufalu(separation=value) for value in ("ignored", "below")),
    *(EditedBufalu(separation_of=value) for value in ("candidate", "leader")),
    *(EditedBufalu(epsilon_test=value) for value in ("ignored", "below")),
    *(EditedBufalu(epsilon_side=value) for value in ("challenger", "candidate width", "leader width", "mean gap")),
    EditedBufalu(epsilon_squared=True),
    EditedBufalu(both_needed=True),
    *(EditedBufalu(queried=value) for value in ("leader", "challenger")),
    *(EditedBufalu(unqueried=value) for value in ("candidate", "challenger", "best mean")),
    Sometimes(0),
    Sometimes(1),
    Sometimes(2),
    Sometimes(10),
    Sometimes(3, 2),
    TossedCandidate(),
)
assert len(POLICIES) >= 30

# One family of names each: what a message lists stays short for the other tests of this process.
register_interval("wrong", lambda name: {each.text: each for each in INTERVALS}[f"wrong:{name}"], "wrong:NAME")
register_policy("wrong", lambda name: {each.text: each for each in POLICIES}[f"wrong:{name}"], "wrong:NAME")


# ---- what the audit says, and the attacks on it


FEW = {"theorem.unique.regret", "theorem.short_horizon", "gap_query.unqueried_is_near_optimal", FAILURE_SUM}
"""What is asked in every run of the tests; the nightly one asks everything."""


def audited(text: str, kind: str, *, few: bool) -> tuple[OwnResult, ...]:
    """The answers of an audit about laws and runs; solvers, which know no interval, are left out."""
    known = {each.text: each for each in (INTERVALS if kind == "interval" else POLICIES)}[text]
    brought = (
        OwnSubject(interval=known, interval_given=text)
        if isinstance(known, ConfidenceInterval)
        else OwnSubject(policy=known, policy_given=text)
    )
    asked = [question for question in questions(brought) if question.checks and (not few or question.claim.id in FEW)]
    checks = {check.name: check for question in asked for check in (*question.checks, *question.supposed)}
    finished = {name: check.run(PROFILE) for name, check in checks.items() if not name.startswith("smt.")}
    return own_results(own_report(brought, asked, finished, PROFILE, 0.0))


def unseen_laws(policy: str, confidence: str, ties: str) -> Iterator[ExactCase]:
    """Laws that no audit has among its own; with fair ties they are short, for every state is decided exactly."""
    last = 14 if ties == "random" or "sinking" in confidence else 70
    for means in ((F(1, 5), F(2, 5)), (F(7, 10), F(3, 5)), (F(3, 10), F(3, 10), F(4, 5))):
        for epsilon in ("zero", "power:1/3"):
            horizon = last if len(means) == 2 else min(last, 16)
            yield ExactCase(Instance.bernoulli(means), parse_schedule(epsilon), horizon, confidence, ties, policy)
    yield ExactCase(
        Instance.deterministic([F(1, 4), 1]), parse_schedule("power:1/3"), 3 * last, confidence, ties, policy
    )


def said_yes(rows: tuple[OwnResult, ...], claims: tuple[str, ...]) -> list[OwnResult]:
    return [row for row in rows if row.claim.id in claims and row.outcome in YES]


def attack_with_laws(rows: tuple[OwnResult, ...], policy: str, confidence: str, ties: str) -> None:
    """A claim that holds for the audit holds on every unseen law; one that fails for some ties does so for fair ones."""
    laws = (*PROMISES, CAP, COSTS, FAILURE_SUM)
    yes = said_yes(rows, laws)
    if ties == "random":
        yes += [row for row in rows if row.claim.id in laws and row.outcome is OwnVerdict.FAILS_FOR_SOME_TIES]
    for case in unseen_laws(policy, confidence, ties) if yes else ():
        for row in yes:
            if row.claim.id == FAILURE_SUM and not case.law().knows_bad_events:
                continue
            for told in examine_on_law(case, row.claim.id):
                assert told.holds, f"the audit says '{row.outcome.value}', and the law: {told} ({case.command})"


def attack_with_runs(rows: tuple[OwnResult, ...], policy: str, confidence: str, folder: Path, capsys) -> None:
    """A claim about runs that holds for the audit holds on simulated runs, as `check` sees them."""
    claims = [row.claim.id for row in said_yes(rows, tuple(statement.name for statement in ALL_STATEMENTS))]
    for seed, means in enumerate(("1/5,2/5", "7/10,3/5,3/10")):
        trace = str(folder / f"unseen-{seed}.jsonl")
        run = ["simulate", "--means", means, "--epsilon", "power:1/3", "--horizon", "120", "--seed", str(seed)]
        own = ["--policy", policy, "--confidence", confidence]
        assert main([*run, *own, "--ties", f"random:{seed}", "--out", trace]) == 0
        for claim in claims:
            code = main(["check", trace, "--claim", claim])
            assert code in (0, 2), f"the audit says yes to {claim}, and check: {capsys.readouterr().out}"


def replay_what_fails(rows: tuple[OwnResult, ...], folder: Path, capsys, monkeypatch) -> None:
    """Every witness shows what it is said to show, in the part of the product that its command names."""
    write_witnesses(folder, rows)
    monkeypatch.chdir(folder)
    for row in rows:
        if row.outcome in FAILING:
            assert row.witness is not None, row.claim.id
            program, *arguments = shlex.split(row.witness.command)
            assert program == "bufalu"
            if arguments[0] != "audit":
                assert main(arguments) == 1, f"{row.claim.id} fails for the audit, and not for: {row.witness.command}"
            capsys.readouterr()


def bounds_say_what_they_suppose(policy: str, confidence: str, capsys) -> None:
    """A wrong interval or policy has no bound, or one that names what it rests on."""
    capsys.readouterr()
    question = ["bounds", "--means", "1/4,1/2", "--epsilon", "zero", "--horizon", "60", "--json"]
    code = main([*question, "--policy", policy, "--confidence", confidence])
    told = capsys.readouterr()
    if code == 0:
        assert "states of itself (somebody)" in json.loads(told.out)["supposes"]
    else:
        assert (code, told.err.count("\n")) == (2, 1)


def means_are_those_of_the_law(policy: str, confidence: str, capsys) -> None:
    """What compare measures is what the exact law says, and a mean above a bound is not passed over in silence."""
    shared = ["--means", "1/4,1/2", "--epsilon", "power:1/4", "--horizon", "24", "--ties", "first"]
    own = ["--policy", policy, "--confidence", confidence]
    assert main(["compare", *shared, *own, "--seeds", "300", "--json"]) == 0
    (cell,) = json.loads(capsys.readouterr().out)["cells"]
    assert main(["law", *shared, *own, "--json"]) == 0
    law = json.loads(capsys.readouterr().out)
    for quantity in ("regret", "queries"):
        exact, error = law[f"expected_{quantity}"]["float"], cell[f"{quantity}_std"] / 300**0.5
        # What no seed of 300 shows may still happen in one run of a hundred, and change at most each of its rounds.
        allowed = 5 * error or 24 / 100
        assert abs(cell[f"{quantity}_mean"] - exact) <= allowed, (quantity, exact, cell)


def sampled(wrong: Sequence[ConfidenceInterval | Policy]) -> list[ParameterSet]:
    """The first with a few questions in every run, all of them with all questions in the nightly one."""
    return [
        pytest.param(wrong[0], True, id=f"{wrong[0].text}-few"),
        *(pytest.param(each, False, id=each.text, marks=pytest.mark.nightly) for each in wrong),
    ]


@pytest.mark.parametrize(("interval", "few"), sampled(INTERVALS))
def test_a_wrong_interval_is_told_one_thing_everywhere(
    interval: ConfidenceInterval,
    few: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = audited(interval.text, "interval", few=few)
    attack_with_laws(rows, "bufalu", interval.text, "first")
    attack_with_runs(rows, "bufalu", interval.text, tmp_path, capsys)
    replay_what_fails(rows, tmp_path, capsys, monkeypatch)
    bounds_say_what_they_suppose("bufalu", interval.text, capsys)
    if interval.shape is not None:
        means_are_those_of_the_law("bufalu", interval.text, capsys)
    refuted = any(row.outcome in FAILING for row in rows if row.claim.id.startswith("regular."))
    theorem = {row.outcome for row in rows if row.claim.id in PROMISES}
    assert not refuted or not theorem & set(YES)


@pytest.mark.parametrize(("policy", "few"), sampled(POLICIES))
def test_a_wrong_policy_is_told_one_thing_everywhere(
    policy: Policy, few: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = audited(policy.text, "policy", few=few)
    for ties in ("first", "last", "random"):
        attack_with_laws(rows, policy.text, "hoeffding", ties)
    attack_with_runs(rows, policy.text, "hoeffding", tmp_path, capsys)
    replay_what_fails(rows, tmp_path, capsys, monkeypatch)
    bounds_say_what_they_suppose(policy.text, "hoeffding", capsys)
    means_are_those_of_the_law(policy.text, "hoeffding", capsys)


def test_a_mean_above_its_bound_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """With radius sqrt(ln t / (200 n)) and what is stated of it the bound is 1.2, and 4.6 is the expectation."""
    shared = ["--means", "1/4,1/2", "--epsilon", "zero", "--horizon", "60", "--confidence", INTERVALS[0].text]
    assert main(["compare", *shared, "--policy", "bufalu", "--seeds", "200"]) == 0
    assert "ABOVE THE BOUND (what the interval states of itself is doubtful" in capsys.readouterr().out
    assert main(["law", *shared, "--claim", "theorem.unique.regret"]) == 1
    assert main(["bounds", *shared]) == 0
    assert "NOTE: supposed, and not proved here, is what the interval" in capsys.readouterr().out


# ---- thirty wrong claims: a share of each bound

LAWS = (
    ExactCase(Instance.deterministic([0, 1]), parse_schedule("power:1/4"), 120),
    ExactCase(Instance.bernoulli([F(1, 2), F(1, 4)]), parse_schedule("zero"), 30),
    ExactCase(Instance.deterministic([0, 1, 1]), parse_schedule("constant:1/2"), 100),
)
SHARES = (F(1, 1000), F(1, 20), F(1, 4), F(1, 2), F(3, 4), F(99, 100))
BOUNDS = {
    "theorem.unique.regret": UNIQUE_REGRET,
    "theorem.unique.queries": UNIQUE_QUERIES,
    "theorem.multiple.regret": MULTIPLE_REGRET,
    "theorem.multiple.queries": MULTIPLE_QUERIES,
    "theorem.sharper": SHARPER_REGRET,
    "independent.hoeffding": INDEPENDENT,
}


@pytest.mark.parametrize("claim", BOUNDS)
def test_a_share_of_a_bound_is_refuted_where_the_law_exceeds_it(claim: str) -> None:
    """The audit decides all rounds in blocks, a law is asked for one round: they say the same of every share."""
    promise, refuted = BOUNDS[claim], 0
    for share in SHARES:
        for case in LAWS:
            if not promise.applies(case):
                continue
            told = decide_promises([promise.times(share)], [case], claim)
            above = [t for t in range(1, case.horizon + 1) if _exceeds(case, claim, promise.name, t, share)]
            assert (told.verdict is Verdict.REFUTED) == bool(above)
            refuted += bool(above)
            if above:
                assert told.witness is not None and f"--horizon {above[0]} " in told.witness.command
    assert refuted


def _exceeds(case: ExactCase, claim: str, name: str, round_number: int, share: Fraction) -> bool:
    """Whether the expectation of one round is above the share of its bound."""
    promise, numbers = BOUNDS[claim], case.quantities(round_number)
    bound: Enclosure = share * promise.bound(numbers)
    return (bound < promise.curve(case.law(), round_number).exact) is Truth.TRUE
