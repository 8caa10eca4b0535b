"""Test vectors for other implementations: runs with the whole admissible set of each round, and the bugs they kill."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path

from bufalu._version import __version__
from bufalu.oracle.aims import side_of_epsilon
from bufalu.oracle.figures import certified
from bufalu.oracle.known_bugs import KNOWN_BUGS, LATE_BUGS, KnownBug, LiveKnownBug
from bufalu.oracle.known_bugs.made import bugs_of
from bufalu.reference.confidence import confidence_named
from bufalu.reference.errors import BufaluError, UnusableFile
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.live import LivePolicy
from bufalu.reference.policies import GREEDY, POLICIES, Decision, policy_named
from bufalu.reference.rationals import Rational, format_rational
from bufalu.reference.rounds import Round
from bufalu.reference.schedules import BernsteinBudget, Budget, Constant, Schedule, Zero
from bufalu.reference.trace_files import rational_epsilon
from bufalu.reference.view import ExactView
from bufalu.reference.whole_files import write_whole

FORMAT = "bufalu-vectors"
VERSION = 1
INTERVALS = ("hoeffding", "bernstein")
DIAL = "dial:1/2"
"""The position of the dial (docs/dial.md) that has vectors."""

PAIRS = "pairs:2"
"""The pair rule (docs/pairs.md) that has vectors; it has no interval, and its files name the default one."""

UCB_INTERVALS = ("hoeffding:2", "hoeffding:2:before")
"""The textbook's UCB, with both conventions of its logarithm (docs/wild.md)."""

DIGITS = 30
"""Of a number that is no rational."""
_HAIR = Fraction(1, 10**25)
"""How far a near miss lies beside the test: no double sees it."""

Epsilon = Callable[[ExactView], Exact | Rational]
Tape = Callable[[int, int], Rational]


@dataclass(frozen=True)
class Group:
    """One run: what it is about, and whether only exact arithmetic can be asked to follow it.

    `delays` says, in turn with the queries, how many rounds after the next one the answer is known, None for never.
    """

    slug: str
    about: str
    arms: int
    rounds: int
    epsilon: Epsilon | Schedule
    reward: Tape
    ties: str = "first"
    exact_only: bool = False
    delays: tuple[int | None, ...] = (0,)


def late_groups(policy: str) -> tuple[Group, ...]:
    """The runs with late and missing answers of a policy, with any interval."""
    beside = _beside(policy, Fraction(1, 8))
    return (
        Group("round-late", "every answer comes a round late", 2, 24, Constant(1), _alternating, delays=(1,)),
        Group("out-of-order", "answers come late and out of order", 3, 40, beside, _eighths, delays=(7, 0, 3)),
        Group("some-never", "some answers never come", 3, 40, beside, _ladder, delays=(None, 0, 0, 2)),
        Group(
            "first-ones-late", "no arm has an answer for a while", 4, 30, _spikes, _thirds, delays=(9, 9, 9, 9, 0, 1)
        ),
    )


def groups(policy: str, confidence: str) -> tuple[Group, ...]:
    """The runs of a policy and an interval."""
    if not policy_named(policy).uses_epsilon:
        return _runs_without_epsilon()
    wide = confidence_named(confidence).uses_variance
    by_budget = policy_named(policy) is GREEDY
    budget: Schedule = BernsteinBudget(10) if wide and not by_budget else Budget(8)
    long = 230 if wide else 80
    uneven = Group("uneven", "arms that are known unequally well", 3, 130, Zero(), _steps)
    return (
        Group("single-arm", "one arm is separated from no other", 1, 5, Zero(), _half),
        Group("epsilon-zero", "epsilon = 0 never stops a query", 3, 14, Zero(), _ladder),
        Group("epsilon-huge", "a huge epsilon stops every query of a known arm", 3, 10, Constant(10**6), _ladder),
        Group("real-ties", "equal arms: every tie-break is right", 3, 12, Constant(2), _half),
        Group("real-ties-last", "equal arms, followed with the last arm", 3, 12, Constant(2), _half, "last"),
        Group("one-query", "arms with one query: infinite under Bernstein", 4, 9, Constant(9), _ladder),
        Group("equal-means", "equal means with different counts", 3, 24, Constant(1), _alternating),
        Group("fractions", "rewards in thirds, epsilon that jumps", 3, 20, _spikes, _thirds),
        Group("exact-budget", _BUDGET, 2, 24, budget, _alternating, exact_only=True),
        Group("near-miss-above", _ABOVE, 2, 10, _beside(policy, _HAIR), _ladder, exact_only=True),
        Group("near-miss-below", _BELOW, 2, 10, _beside(policy, -_HAIR), _ladder, exact_only=True),
        Group("many-arms", "eight arms, epsilon that jumps", 8, 30, _spikes, _eighths),
        Group("separation", "up to the first separated leader and beyond", 2, long, Zero(), lambda arm, k: 2 - arm),
        *(() if policy_named(policy).uses_interval else (uneven,)),
    )


def _runs_without_epsilon() -> tuple[Group, ...]:
    """The runs of a policy that does not look at epsilon."""
    return (
        Group("single-arm", "one arm is played in every round", 1, 5, Zero(), _half),
        Group("first-choice", "three arms after one query each", 3, 14, Zero(), _ladder),
        Group("epsilon-ignored", "no epsilon stops a query", 3, 14, Constant(10**6), _ladder),
        Group("real-ties", "equal arms: every tie-break is right", 3, 12, Zero(), _half),
        Group("real-ties-last", "equal arms, followed with the last arm", 3, 12, Zero(), _half, "last"),
        Group("equal-means", "equal means with different counts", 3, 24, Zero(), _alternating),
        Group("fractions", "rewards in thirds", 3, 40, Zero(), _thirds),
        Group("many-arms", "eight arms", 8, 40, Zero(), _eighths),
        Group("one-clear-winner", "one arm pays 1, the other 0", 2, 120, Zero(), lambda arm, k: 2 - arm),
    )


_BUDGET = "epsilon is the width after B/K queries exactly: equality must not query"
_ABOVE = "epsilon exceeds what it is compared with by 10^-25"
_BELOW = "epsilon falls short of what it is compared with by 10^-25"


@cache
def vector_files() -> dict[str, str]:
    """Name and text of every file, the schema included."""
    return dict(_vector_files())


def _vector_files() -> Iterator[tuple[str, str]]:
    yield "schema.json", schema_text()
    settings = [(policy, confidence) for policy in (*POLICIES, DIAL) for confidence in INTERVALS]
    settings += [(PAIRS, INTERVALS[0]), *(("ucb", confidence) for confidence in UCB_INTERVALS)]
    for policy, confidence in settings:
        content = {
            "format": FORMAT,
            "version": VERSION,
            "generator": f"bufalu {__version__}",
            "policy": policy,
            "confidence": confidence,
            "groups": [_group_json(group, policy, confidence) for group in groups(policy, confidence)],
        }
        name = f"{policy}-{confidence}".replace(":", "-").replace("/", "-")
        yield f"{name}.json", canonical(content)
        if policy != "ucb":
            late = [_group_json(group, policy, confidence) for group in late_groups(policy)]
            yield f"late-{name}.json", canonical({**content, "groups": late})


def canonical(content: dict[str, object]) -> str:
    """JSON text with one round a line: small differences stay small."""
    groups_text = []
    groups_list = content["groups"]
    assert isinstance(groups_list, list)
    for group in groups_list:
        head = {key: value for key, value in group.items() if key != "rounds"}
        rounds = ",\n".join(f"      {json.dumps(entry)}" for entry in group["rounds"])
        lines = json.dumps(head, indent=2)[:-2].replace("\n", "\n  ")
        groups_text.append(f'  {lines},\n    "rounds": [\n{rounds}\n    ]\n  }}')
    head = {key: value for key, value in content.items() if key != "groups"}
    return json.dumps(head, indent=1)[:-2] + ',\n "groups": [\n' + ",\n".join(groups_text) + "\n ]\n}\n"


def schema_text() -> str:
    """The JSON Schema of a vector file."""
    return resources.files("bufalu.oracle").joinpath("vectors.schema.json").read_text(encoding="utf-8")


def write_vectors(folder: Path) -> int:
    """Writes all files; returns how many. Raises `UnusableFile`."""
    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in _vector_files():
            write_whole(folder / name, text)
            count += 1
    except OSError as problem:
        raise UnusableFile(f"cannot write vectors to {folder}: {problem.strerror}") from None
    return count


def differing_files(folder: Path) -> list[str]:
    """The names of files that are missing, strange or not byte for byte what this version writes."""
    try:
        # A folder that cannot be read is refused before the seconds that the vectors take.
        present = {path.name for path in folder.iterdir() if path.suffix == ".json"}
        wanted = vector_files()
        found = {name: (folder / name).read_bytes() for name in wanted if name in present}
    except OSError as problem:
        raise UnusableFile(f"cannot read {folder}: {problem.strerror}") from None
    differing = [name for name, text in wanted.items() if found.get(name) != text.encode()]
    return sorted(differing + list(present - wanted.keys()))


def _group_json(group: Group, policy: str, confidence: str) -> dict[str, object]:
    live = LivePolicy(policy_named(policy), group.arms, confidence, group.ties)
    catalogue = KNOWN_BUGS if group.delays == (0,) else LATE_BUGS
    bugs = bugs_of(policy_named(policy), confidence_named(confidence), catalogue)
    suspects: list[tuple[KnownBug, LiveKnownBug]] = [(bug, bug.live(policy, group.arms, confidence)) for bug in bugs]
    killed: list[dict[str, object]] = []
    rounds: list[dict[str, object]] = []
    asked, coming = [0] * group.arms, dict[int, list[tuple[int, Rational]]]()
    for number in range(1, group.rounds + 1):
        for earlier, answer in reversed(coming.pop(number, [])):
            live.observe(answer, earlier)
        epsilon = _epsilon(group, live, number)
        admissible = live.admissible(number, epsilon)
        killed += _killed(suspects, number, epsilon, set(admissible))
        suspects = [(bug, wrong) for bug, wrong in suspects if bug.id not in {entry["bug"] for entry in killed}]
        decision = live.decide(number, epsilon)
        reward: Rational | None = None
        known: int | None = None
        if decision.query:
            live.later()
            delay = group.delays[sum(asked) % len(group.delays)]
            asked[decision.arm - 1] += 1
            if delay is not None:
                reward, known = group.reward(decision.arm, asked[decision.arm - 1]), number + 1 + delay
                coming.setdefault(known, []).append((number, reward))
        told = epsilon if number > group.arms else None
        played = Round(number, *decision, reward, told, None if known == number + 1 else known)
        for _, wrong in suspects:
            wrong.follow(played)
        rounds.append(
            {
                "round": number,
                "epsilon": None if number <= group.arms else number_text(epsilon),
                "admissible": [
                    {**each._asdict(), "because": sorted(reason.name.lower() for reason in reasons)}
                    for each, reasons in sorted(admissible.items())
                ],
                "followed": decision._asdict(),
                "reward": None if reward is None else format_rational(reward),
                **({"answered": known} if played.late else {}),
            }
        )
    return {
        "id": f"{policy}/{confidence}/{group.slug}",
        "about": group.about,
        "arms": group.arms,
        "exact_only": group.exact_only,
        "kills": killed,
        "rounds": rounds,
    }


def _killed(
    suspects: list[tuple[KnownBug, LiveKnownBug]], number: int, epsilon: Exact, admissible: set[Decision]
) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for bug, wrong in suspects:
        # Most bugs do something right in most rounds: the first such decision is enough.
        if admissible.isdisjoint(wrong.possible(number, epsilon)):
            would = sorted(wrong.admissible(number, epsilon))
            found.append(
                {
                    "bug": bug.id,
                    "description": bug.description,
                    "round": number,
                    "would": [decision._asdict() for decision in would],
                }
            )
    return found


def _epsilon(group: Group, live: LivePolicy, number: int) -> Exact:
    if number <= group.arms:
        return ZERO
    if not callable(group.epsilon):
        return group.epsilon.at(number, group.arms)
    level = group.epsilon(ExactView(live.state, live.confidence, number, ZERO))
    return level if isinstance(level, Exact) else Exact.of(level)


def number_text(number: Exact) -> str:
    """`p/q` for a rational, else a decimal of 30 correct digits with a tilde before it."""
    try:
        return format_rational(rational_epsilon(Round(0, 1, False, None, number)))
    except BufaluError:
        return f"~{certified(number, DIGITS)}"


def _beside(policy: str, offset: Fraction) -> Epsilon:
    """The left side of the epsilon test, cut to 30 decimals and moved by a hair; 1 where it is infinite."""

    def epsilon(view: ExactView) -> Rational:
        side = side_of_epsilon(policy, view)
        if side is None:
            return 1
        lower, _ = side.enclosure(40)
        return max(Fraction(0), Fraction(lower) + offset)

    return epsilon


def _ladder(arm: int, k: int) -> Rational:
    return Fraction((arm + k) % 4, 4)


def _half(arm: int, k: int) -> Rational:
    return Fraction(1, 2)


def _alternating(arm: int, k: int) -> Rational:
    return (k + arm) % 2


def _thirds(arm: int, k: int) -> Rational:
    return Fraction((arm + k * k) % 4, 3)


def _eighths(arm: int, k: int) -> Rational:
    return Fraction((3 * arm + 5 * k * k) % 8, 8)


def _steps(arm: int, k: int) -> Rational:
    return Fraction((arm + k) % 4 + arm, 8)


def _spikes(view: ExactView) -> Rational:
    return (Fraction(0), Fraction(7, 3), Fraction(1, 5), Fraction(12))[view.round % 4]
