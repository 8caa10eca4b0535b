"""The almost-sure cap (l.421, l.849), and the exact worst case behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from bufalu.properties.runs.examination import check_statement
from bufalu.properties.runs.gap_query import ALL_BUT_GREEDY
from bufalu.properties.runs.observed_rounds import Run
from bufalu.properties.runs.statements import Place, Statement
from bufalu.properties.runs.strategies import adaptive_scenarios, scenarios
from bufalu.properties.runs.thresholds import BernsteinCount, HoeffdingCount, SampleCount, sure_count
from bufalu.properties.runs.wrong import bernstein_scenarios, hoeffding_scenarios, one_less, wrong
from bufalu.reference.confidence import HoeffdingInterval
from bufalu.reference.exact import Exact, log_root


def count_finding(count: int, bound: int, *, telling: bool, round_number: int, arm: int, words: str) -> Place:
    """The finding that a number of rounds stays within a whole bound."""
    relation = "<=" if count <= bound else ">"

    def account() -> str:
        return f"{words}: {count} {relation} {bound}"

    return Place(count <= bound, float(bound - count), telling, round_number, arm, account)


def queries_stay_below_cap(run: Run) -> Iterator[Place]:
    """n^q_t(a) <= N_bar^as(t) + 1 after every query, the maximum being taken over the rounds K < s <= t alone.

    Says nothing of an interval whose N^as nobody has worked out.
    """
    sure = sure_count(run.confidence)
    if sure is not None:
        yield from queries_stay_below(run, sure)


def queries_stay_below(run: Run, sure: SampleCount) -> Iterator[Place]:
    """No arm has more queries than a given rule N^as allows."""
    counts = list(run.queries_until(run.arms))
    most = 0
    for situation in run.situations:
        while most < situation.round - 1 and sure.reached(most + 1, situation.round, situation.epsilon):
            most += 1
        if situation.query:
            counts[situation.arm - 1] += 1
            yield count_against_cap(run.arms, situation.round, situation.arm, counts[situation.arm - 1], most + 1)


def count_against_cap(arms: int, round_number: int, arm: int, count: int, bound: int) -> Place:
    """The finding about one query."""
    words = f"arm {arm} after round {round_number}: its queries against the cap"
    telling = bound < round_number - arms + 1
    return count_finding(count, bound, telling=telling, round_number=round_number, arm=arm, words=words)


def queries_stay_below_recurrence(run: Run) -> Iterator[Place]:
    """n^q_t(a) <= m_t, where m grows by one in round t only if m epsilon(t)^2 < 6 ln t (Hoeffding's interval)."""
    if run.confidence != HoeffdingInterval():
        return
    counts = list(run.queries_until(run.arms))
    most = 1
    for situation in run.situations:
        if worst_case_grows(most, situation.round, situation.epsilon):
            most += 1
        if situation.query:
            counts[situation.arm - 1] += 1
            yield count_against_worst_case(run.arms, situation.round, situation.arm, counts[situation.arm - 1], most)


def worst_case_grows(most: int, round_number: int, epsilon: Exact) -> bool:
    """m epsilon(t)^2 < 6 ln t."""
    return Exact.of(most) * epsilon * epsilon < Exact.of(6) * log_root(round_number, 2)


def count_against_worst_case(arms: int, round_number: int, arm: int, count: int, bound: int) -> Place:
    """The finding about one query."""
    words = f"arm {arm} after round {round_number}: its queries against the exact worst case"
    telling = bound < round_number - arms + 1
    return count_finding(count, bound, telling=telling, round_number=round_number, arm=arm, words=words)


def plays_and_queries_add_up(run: Run) -> Iterator[Place]:
    """n^q_t(a) <= n_t(a), the plays of all arms sum to t, and all queries are at most t (l.268)."""
    yield from totals_add_up(run.horizon, run.plays, run.queries, run.rounds[-1].arm)


def totals_add_up(horizon: int, plays: Sequence[int], queries: Sequence[int], last: int) -> Iterator[Place]:
    """Plays and queries add up, told from the totals of every arm; `last` is the arm that was played last."""
    for arm, (queried, played) in enumerate(zip(queries, plays, strict=True), start=1):
        words = f"arm {arm} after round {horizon}: its queries against its plays"
        yield count_finding(queried, played, telling=queried < horizon, round_number=horizon, arm=arm, words=words)
    total = sum(queries)
    words = f"all queries after round {horizon} against the rounds"
    yield count_finding(total, horizon, telling=total < horizon, round_number=horizon, arm=last, words=words)
    if sum(plays) != horizon:
        words = f"all plays after round {horizon} against the rounds"
        distance = abs(sum(plays) - horizon)
        yield count_finding(distance, 0, telling=True, round_number=horizon, arm=last, words=words)


def queries_are_plays(run: Run) -> Iterator[Place]:
    """As printed, the k-th query of an arm is the k-th time that it is played (l.1149; wrong, erratum E25)."""
    plays, queries = [0] * run.arms, [0] * run.arms
    for played in run.rounds:
        plays[played.arm - 1] += 1
        if played.query:
            queries[played.arm - 1] += 1
            words = f"round {played.number}: the plays of arm {played.arm} against its queries"
            yield count_finding(
                plays[played.arm - 1],
                queries[played.arm - 1],
                telling=played.number > run.arms,
                round_number=played.number,
                arm=played.arm,
                words=words,
            )


CAP = check_statement(
    Statement(
        "cap.almost_sure",
        ("cap.almost_sure",),
        "no arm is queried more than N-bar^as(T) + 1 times, on any path",
        queries_stay_below_cap,
        ALL_BUT_GREEDY,
        steered=True,
    ),
    scenarios,
    60,
    mutants={
        "without + 1": wrong(one_less(queries_stay_below_cap)),
        "5 ln t for 6 ln t": wrong(partial(queries_stay_below, sure=HoeffdingCount(5)), hoeffding_scenarios),
        "Hoeffding's cap for Bernstein's interval": wrong(
            partial(queries_stay_below, sure=HoeffdingCount()), bernstein_scenarios
        ),
        "Bernstein's cap with 13 ln t / epsilon for 28": wrong(
            partial(queries_stay_below, sure=BernsteinCount(linear=13)), bernstein_scenarios
        ),
    },
)
check_statement(
    CAP,
    adaptive_scenarios,
    30,
    claims=("theorem.adaptive_epsilon",),
    name=f"adaptive.{CAP.name}",
    mutants={"without + 1, against an adversary": wrong(one_less(queries_stay_below_cap), adaptive_scenarios)},
)
EXACT_CAP = check_statement(
    Statement(
        "cap.exact_recurrence",
        ("cap.almost_sure",),
        "no arm is queried more often than the recurrence m allows, which is at most the cap",
        queries_stay_below_recurrence,
        ALL_BUT_GREEDY,
        steered=True,
    ),
    scenarios,
    40,
    mutants={
        "the worst case stops one query early": wrong(one_less(queries_stay_below_recurrence), hoeffding_scenarios)
    },
)
COUNTS = check_statement(
    Statement(
        "counts.queries_at_most_plays",
        ("counts.queries_at_most_plays",),
        "queries of an arm are at most its plays, plays sum to T, and queries are at most T",
        plays_and_queries_add_up,
        frozenset({"bufalu", "bufau", "cbm-ucb", "greedy"}),
        steered=True,
    ),
    scenarios,
    30,
    mutants={"fewer queries than plays": wrong(one_less(plays_and_queries_add_up))},
)
TAPE_AS_PRINTED = Statement(
    "regular.tape",
    ("regular.tape",),
    "as printed: the k-th query of an arm is the k-th time that it is played",
    queries_are_plays,
    COUNTS.policies,
)
