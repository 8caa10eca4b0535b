"""What the games of a conformance run reach: which arm is in which role, for which reason, early and late.

    python -m tests.oracle.coverage

A correct program in doubles plays the games, and every round of it is put into a cell. `make reach` prints the table and
writes it into docs/reach.md; a test fails on an empty cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bufalu.oracle.directed import Scope, Stage, games
from bufalu.oracle.every_arm import FEW, LATE
from bufalu.oracle.games import Game, GameTally, Scene
from bufalu.reference.comparisons import OneTie, parse_ties
from bufalu.reference.confidence import ConfidenceInterval, confidence_named
from bufalu.reference.policies import Decision, Policy, Reason, policy_named
from tests.oracle.float_programs import FloatArm, FloatView

POLICIES = ("bufalu", "bufau", "cbm-ucb", "greedy", "dial:1/2")
INTERVALS = ("hoeffding", "bernstein")
SETTINGS = (*((policy, interval) for policy in POLICIES for interval in INTERVALS), ("pairs:2", "hoeffding"))
TIES = ("first", "last")
MOST_ARMS = 64


class CoveredRound(NamedTuple):
    """A kind of round: the number of arms, which role is looked at, where that arm stands, why it is played, and when."""

    arms: int
    role: str
    place: str
    reason: str
    when: str


class _Figures(FloatView):
    """What a rule sees, in doubles, equal widths where counts are equal."""

    def width(self, arm: int) -> float:
        return 2 * self.radii[arm - 1]


def cells_of(game: Game, policy: Policy, interval: ConfidenceInterval, ties: str) -> Iterator[CoveredRound]:
    """The cells of every round of a game, played by a correct program that breaks ties in this way."""
    records = [FloatArm("sums") for _ in range(game.arms)]
    assert interval.shape is not None
    tally = GameTally(game.arms)
    comparisons = OneTie[float](parse_ties(ties))
    for number in range(1, game.rounds + 1):
        scene = Scene(number, game.arms, tally, interval)
        view = _Figures(records, interval.shape, number, game.epsilon(scene))
        decision, reason = next(iter(policy.possible(view, comparisons)))
        yield from _cells(view, policy, decision, reason, comparisons)
        if decision.query:
            reward = game.reward(scene, decision.arm)
            tally.add(decision.arm, reward)
            records[decision.arm - 1].add(reward)


def _cells(
    view: FloatView, policy: Policy, decision: Decision, reason: Reason, comparisons: OneTie[float]
) -> Iterator[CoveredRound]:
    when = "late" if view.round > LATE else "early"

    def cell(role: str, arm: int, why: str) -> CoveredRound:
        return CoveredRound(view.arms, role, _place(arm, view.arms), why, when)

    leads = view.lcb if policy.steering is not None else view.mean if policy.pairing is not None else None
    if leads is None or reason not in (Reason.UNCERTAIN, Reason.CHALLENGED):
        yield cell("played", decision.arm, reason.name.lower())
        return
    (leader,) = comparisons.largest(range(1, view.arms + 1), leads)
    why = "query of leader" if decision.arm == leader else "query of challenger"
    yield cell("leader", leader, why)
    yield cell("played", decision.arm, why)


def _place(arm: int, arms: int) -> str:
    if arm == 1:
        return "first"
    return "last" if arm == arms else "middle"


def possible_cells(policy: str, interval: str) -> list[CoveredRound]:
    """Every cell that a run of this setting can be in, with the numbers of arms that are covered wholly."""
    rule, wide = policy_named(policy), confidence_named(interval).uses_variance
    made = []
    for arms in FEW:
        places = ("first", "middle", "last")[:: 1 if arms > 2 else 2][:arms]
        made += [CoveredRound(arms, "played", place, "initial", "early") for place in places]
        for when in ("early", "late"):
            for place in places:
                made += [CoveredRound(arms, role, place, why, when) for role, why in _kinds(rule, arms, when, wide)]
    return made


def _kinds(rule: Policy, arms: int, when: str, wide: bool) -> list[tuple[str, str]]:
    """The roles and reasons that a policy has; separation needs rounds enough."""
    if rule.text == "cbm-ucb":
        return [("played", "within_epsilon"), ("played", "uncertain")]
    if rule.text == "greedy":
        return [("played", "budget_spent"), ("played", "budget_left")]
    pairs = rule.pairing is not None
    if arms == 1:
        return [("played", "unchallenged" if pairs else "separated")]
    kinds = [(role, f"query of {whom}") for role in ("leader", "played") for whom in ("leader", "challenger")]
    if pairs:
        return [*kinds, ("played", "unchallenged")]
    separable = when == "late" or not wide or arms <= (2 if rule.text == "bufau" else 5)
    return [*kinds, ("played", "within_epsilon"), *([("played", "separated")] if separable else [])]


def counted(policy: str, interval: str, ties: str, played: Iterable[Game]) -> Counter[CoveredRound]:
    """How many rounds of these games are in each cell."""
    found: Counter[CoveredRound] = Counter()
    for game in played:
        found.update(cells_of(game, policy_named(policy), confidence_named(interval), ties))
    return found


def empty_cells(policy: str, interval: str, ties: str) -> list[CoveredRound]:
    """The cells that the games of every role leave empty."""
    found = counted(policy, interval, ties, games(Stage.ROLES, policy, interval, Scope()))
    return [cell for cell in possible_cells(policy, interval) if not found[cell]]


def sizes_played() -> set[int]:
    """The numbers of arms that each policy plays in the stages before the search."""
    stages = (Stage.DIRECTED, Stage.ARMS, Stage.ROLES, Stage.SIZES)
    each = [
        {game.arms for stage in stages for game in games(stage, policy, "hoeffding", Scope())}
        for policy in dict(SETTINGS)
    ]
    return set.intersection(*each)


def table() -> tuple[str, bool]:
    """Markdown: for each setting and kind of round the cells that are hit and the fewest rounds of one, with either way of
    breaking ties; and whether none is empty.
    """
    lines = [
        "| policy | interval | arm | reason | when | cells | hit | fewest rounds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    full = True
    for policy, interval in SETTINGS:
        played = games(Stage.ROLES, policy, interval, Scope())
        found = [counted(policy, interval, ties, played) for ties in TIES]
        kinds: dict[tuple[str, str, str], list[int]] = {}
        for cell in possible_cells(policy, interval):
            kinds.setdefault((cell.role, cell.reason, cell.when), []).append(min(one[cell] for one in found))
        for (role, reason, when), fewest in kinds.items():
            hit = sum(rounds > 0 for rounds in fewest)
            full = full and hit == len(fewest)
            told = reason.replace("_", " ")
            lines.append(
                f"| {policy} | {interval} | {role} | {told} | {when} | {len(fewest)} | {hit} | {min(fewest)} |"
            )
    missing = set(range(1, MOST_ARMS + 1)) - sizes_played()
    sizes = f"Numbers of arms that are never played, of 1 to {MOST_ARMS}: {sorted(missing) or 'none'}."
    return "\n".join([*lines, "", sizes]) + "\n", full and not missing


def main() -> int:
    """Prints the table; exit code 1 if a cell is empty."""
    text, full = table()
    print(text)
    return 0 if full else 1


if __name__ == "__main__":
    raise SystemExit(main())
