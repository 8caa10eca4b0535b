"""Short runs of the reference that decide small statements, and traces that witness what the print gets wrong."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from bufalu.properties.claims.check import erratum, exact
from bufalu.properties.claims.evidence import Decided, EvidenceKind, Witness
from bufalu.properties.smt.lemmas_maximum import LOOP, SHORTLIST
from bufalu.reference.instances import Instance
from bufalu.reference.live import BuFALU
from bufalu.reference.rewards import SeededRewards, Tape
from bufalu.reference.schedules import Budget, Constant, InverseLog, Power, Schedule, Values, Zero
from bufalu.reference.simulation import simulate
from bufalu.reference.trace_files import write_trace
from bufalu.reference.traces import Tally, Trace, TraceHeader
from bufalu.reference.view import Quantity, maximisers

HALF = Fraction(1, 2)


def played(instance: Instance, schedule: Schedule, horizon: int, ties: str = "first", seed: int = 0) -> Trace:
    """BuFALU's run on an instance, as a trace."""
    policy = BuFALU(instance.number_of_arms, ties=ties)
    rounds = tuple(simulate(policy, instance, schedule, horizon, SeededRewards(instance, seed)))
    header = TraceHeader("bufalu", "hoeffding", instance.number_of_arms, schedule.text, instance.means)
    return Trace(header, rounds)


def witness(trace: Trace, name: str, summary: str, claim: str) -> Witness:
    """A trace as a file, with the command that examines the claim on it."""
    return Witness(summary, f"bufalu check {name}.jsonl --claim {claim}", f"{name}.jsonl", trace_text(trace))


def run_to_look_at(trace: Trace, name: str, summary: str) -> Witness:
    """A trace as a file, with the command that tells it: for statements that `check --claim` does not know."""
    return Witness(summary, f"bufalu explain {name}.jsonl", f"{name}.jsonl", trace_text(trace))


@erratum("budget.never_violated", kind=EvidenceKind.REFERENCE_RUN, mutants={"even budget": {"budget": 4}})
def budget_is_exceeded_by_rounding(budget: int = 3) -> Decided:
    """E13: two arms that always pay 1/2 and total budget 3: each is queried twice, 4 queries in all."""
    trace = played(Instance.deterministic([HALF, HALF]), Budget(budget), 30)
    queries = trace.tally().queries
    detail = f"K = 2, B = {budget}, both arms pay 1/2: {queries} queries in 30 rounds (and B < K is exceeded at once)"
    return Decided(
        queries > budget, detail, witness=witness(trace, "E13-budget-exceeded", detail, "budget.never_violated")
    )


@exact("budget.never_violated.corrected", kind=EvidenceKind.REFERENCE_RUN, mutants={"rounded down": {"down": True}})
def budget_is_kept_up_to_rounding(down: bool = False) -> Decided:
    """K <= 4 arms, equal or different, budgets from 1/2 to 24, T = 120: at most K max{1, ceil(B/K)} queries."""
    cases, tightest = 0, None
    for arms in range(1, 5):
        for means in ([HALF] * arms, [Fraction(position, arms) for position in range(1, arms + 1)]):
            for budget in (HALF, Fraction(3), Fraction(7), Fraction(12), Fraction(24)):
                trace = played(Instance.deterministic(means), Budget(budget), 120)
                queries = trace.tally().queries
                per_arm = budget / arms
                allowed = arms * max(1, int(per_arm) if down else -int(-per_arm // 1))
                cases += 1
                tightest = allowed - queries if tightest is None else min(tightest, allowed - queries)
                if queries > allowed:
                    return Decided(False, f"K = {arms}, B = {budget}: {queries} queries, allowed {allowed}")
    return Decided(True, "at most K max{1, ceil(B/K)} < B + K queries", cases, slack=f"{tightest} queries to spare")


@exact("n_bar.loose_after_drops", kind=EvidenceKind.REFERENCE_RUN, mutants={"no drop": {"drop": False}})
def one_free_round_makes_the_cap_loose(drop: bool = True) -> Decided:
    """epsilon = 10 except for one 0 in round 50: the cap of an arm is 49 + 1, the run makes three queries."""
    values = [Fraction(10)] * 100
    if drop:
        values[49] = Fraction(0)
    trace = played(Instance.deterministic([0, 1]), Values(tuple(values)), 100)
    queries = trace.tally().queries
    cap = 50 if drop else 1
    return Decided(
        cap >= 10 * queries, f"the bound allows {cap} queries for each arm, the run makes {queries} in all"
    )


@erratum("algorithm.one_arm", kind=EvidenceKind.ALL_CASES, mutants={"two arms": {"arms": 2}})
def no_challenger_with_one_arm(arms: int = 1) -> Decided:
    """E22: the set of arms other than the leader is empty, so is its argmax."""
    others = [arm for arm in range(1, arms + 1) if arm != 1]
    return Decided(
        not maximisers(others, Fraction),
        "K = 1: argmax over the other arms is empty, u_t does not exist",
    )


@exact("algorithm.one_arm.corrected", kind=EvidenceKind.REFERENCE_RUN, mutants={"two arms": {"arms": 2}})
def one_arm_is_queried_once(arms: int = 1) -> Decided:
    """K = 1 with four schedules and T = 200: one query."""
    schedules: tuple[Schedule, ...] = (Zero(), Constant(HALF), Power(Fraction(1, 4)), InverseLog())
    queries = [played(Instance.bernoulli([HALF] * arms), schedule, 200).tally().queries for schedule in schedules]
    return Decided(set(queries) == {1}, f"a single arm has {queries} queries with four schedules", len(queries))


def _first_maximiser(arms: Sequence[int], value: Callable[[int], Fraction]) -> list[int]:
    """A wrong version of `maximisers`: one of the tied arms only."""
    return [max(arms, key=value)] if arms else []


def _keeps_the_largest_double(self: Quantity, arms: Sequence[int]) -> list[int]:
    """A wrong version of `shortlist`: no error of a double is granted."""
    doubles = self._doubles
    return [arm for arm in arms if doubles[arm] == max(map(doubles.__getitem__, arms))]


def _body(function: Callable[..., object]) -> str:
    """The statements of a function after its docstring, without comments."""
    (parsed,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(parsed, ast.FunctionDef)
    return "\n".join(map(ast.unparse, parsed.body[1:]))


@exact(
    "algorithm.maximisers",
    mutants={
        "one of the tied arms": {"code": _first_maximiser},
        "no error of a double": {"shortlist": _keeps_the_largest_double},
    },
)
def the_code_of_maximisers_is_the_one_of_the_lemmas(
    code: Callable[[Sequence[int], Callable[[int], Fraction]], list[int]] = maximisers,
    shortlist: Callable[[Quantity, Sequence[int]], list[int]] = Quantity.shortlist,
) -> Decided:
    """Statement by statement the texts that the solvers' lemmas transcribe; and the definition, for up to five arms."""
    for function, text in ((code, LOOP), (shortlist, SHORTLIST)):
        if _body(function) != text:
            return Decided(False, f"the text of {function.__name__} is not the transcribed one")
    cases = 0
    for count in range(6):
        for ranks in product(range(count), repeat=count):
            arms = list(range(count))
            values = [Fraction(rank) for rank in ranks]
            cases += 1
            if code(arms, values.__getitem__) != [a for a in arms if values[a] == max(values)]:
                return Decided(False, f"values {ranks}: {code(arms, values.__getitem__)}")
    return Decided(
        True,
        "the source is the text that was transcribed for the solver; right for every order of up to five values, with ties",
        cases,
    )


@exact(
    "independent.sum_after_initial_rounds",
    kind=EvidenceKind.REFERENCE_RUN,
    mutants={"K + 1 rounds": {"extra": 1}, "another first value": {"first": Power(Fraction(1, 4))}},
)
def initial_rounds_are_queried_whatever_epsilon_says(extra: int = 0, first: Schedule | None = None) -> Decided:
    """K <= 5 arms and a huge constant epsilon: exactly the first K rounds are queried. 1/ln 1 = +infinity."""
    schedule = InverseLog() if first is None else first
    if not schedule.at(1, 2).is_infinite or schedule.at(2, 2).is_infinite:
        return Decided(False, f"epsilon(1) = {float(schedule.at(1, 2))} for {schedule.text}")
    for arms in range(1, 6):
        trace = played(Instance.deterministic([HALF] * arms), Constant(Fraction(1000)), 30)
        queried = [played_round.number for played_round in trace.rounds if played_round.query]
        if queried != list(range(1, arms + 1 + extra)):
            return Decided(False, f"K = {arms}: rounds {queried} are queried")
    return Decided(True, "rounds 1..K are queried even with epsilon = 1000, and no others; 1/ln 1 is infinite", 5)


@erratum("regular.tape", kind=EvidenceKind.REFERENCE_RUN, mutants={"always queried": {"pause": False}})
def plays_and_queries_of_an_arm_differ(pause: bool = True) -> Decided:
    """E25: epsilon blocks round 3 and frees round 4: the queried arm has one play more than queries."""
    values = (Fraction(0), Fraction(0), Fraction(10 if pause else 0), Fraction(0), Fraction(0))
    trace = played(Instance.deterministic([0, 1]), Values(values), 5, ties="last")
    for number in range(1, 6):
        tally = trace.tally(number)
        last = trace.rounds[number - 1]
        plays, queries = tally.plays[last.arm - 1], tally.state.queries(last.arm)
        if last.query and plays != queries:
            detail = (
                f"round {number} queries arm {last.arm}: its play {plays} and query {queries}, so the reward is "
                f"X({queries}), not X({plays})"
            )
            return Decided(True, detail, witness=witness(trace, "E25-played-is-not-queried", detail, "regular.tape"))
    return Decided(False, "plays and queries agree in every queried round")


@exact("regular.tape.corrected", kind=EvidenceKind.REFERENCE_RUN, mutants={"k-th play": {"by_play": True}})
def rewards_come_from_the_query_tape(by_play: bool = False) -> Decided:
    """Tapes with distinct entries: the observed reward is the entry of the arm's query count."""
    tapes = [[Fraction(k, 1000) for k in range(1, 200)], [1 - Fraction(k, 1000) for k in range(1, 200)]]
    values = tuple(Fraction(10 if t % 3 == 0 else 0) for t in range(1, 121))
    instance = Instance.bernoulli([HALF, HALF])
    tally, cases = Tally(2), 0
    for row in tally.count(simulate(BuFALU(2), instance, Values(values), 120, Tape(tapes))):
        if row.query:
            position = tally.plays[row.arm - 1] if by_play else tally.state.queries(row.arm)
            cases += 1
            if row.reward != tapes[row.arm - 1][position - 1]:
                return Decided(False, f"round {row.number} observed {row.reward}, entry {position} is another")
    return Decided(True, "each observed reward is the entry of the arm's query count", cases)


@erratum("bernstein.undefined_count", kind=EvidenceKind.REFERENCE_RUN, mutants={"no round yet": {"after": 0}})
def first_round_count_is_one(after: int = 1) -> Decided:
    """E29: after round 1 arm 1 has one query, so ln t/n^q_1(1) = ln t is finite, not +infinity."""
    trace = played(Instance.deterministic([0, 1]), Zero(), 10)
    queries = trace.tally(after).state.queries(1)
    detail = "n^q_1(1) = 1 in every run, so ln t/n^q_1(1) = ln t is finite"
    return Decided(queries == 1, detail, witness=run_to_look_at(trace, "E29-queried-in-round-one", detail))


@erratum("summary.counts_before", kind=EvidenceKind.REFERENCE_RUN, mutants={"inclusive": {"strict": False}})
def counting_before_the_round_loses_one(strict: bool = True) -> Decided:
    """E30: with counts before round t the plays add up to t - 1, contradicting the setting."""
    trace = played(Instance.deterministic([0, 1]), Zero(), 10)
    total = sum(trace.tally(9 if strict else 10).plays)
    detail = f"t = 10: counts before round t add up to {total}, counts up to t to 10"
    return Decided(total != 10, detail, witness=run_to_look_at(trace, "E30-counts-of-round-ten", detail))


@exact("summary.counts_before.corrected", kind=EvidenceKind.REFERENCE_RUN, mutants={"shifted": {"shift": 1}})
def counts_include_the_round(shift: int = 0) -> Decided:
    """Bernoulli arms, 60 rounds: plays add up to t, queries are at most plays."""
    trace = played(Instance.bernoulli([HALF, Fraction(1, 4), Fraction(3, 4)]), Power(Fraction(1, 4)), 60)
    for number in range(1, 61):
        tally = trace.tally(number)
        below = all(tally.state.queries(arm) <= tally.plays[arm - 1] for arm in (1, 2, 3))
        if sum(tally.plays) + shift != number or not below:
            return Decided(False, f"round {number}: counts do not add up")
    return Decided(True, "plays add up to t and dominate queries in each of 60 rounds", 60)


def trace_text(trace: Trace) -> str:
    """The trace as the file that `bufalu check` reads."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        write_trace(str(path), trace)
        return path.read_text(encoding="utf-8")
