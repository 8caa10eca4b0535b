"""The oracle judges the pair rule: a plain program from its page conforms, each known bug is killed and named."""

import json
import math
import sys
from fractions import Fraction

import pytest

from bufalu import Instance, Pairs, SeededRewards, check_trace, simulate
from bufalu.oracle.conformance import Effort, run_setting
from bufalu.oracle.diagnosis import narrowed
from bufalu.oracle.directed import Stage
from bufalu.oracle.implementations import FactoryUnderTest
from bufalu.oracle.judging import judge_program
from bufalu.oracle.known_bugs import KNOWN_BUGS
from bufalu.oracle.known_bugs.made import bugs_of_pairs
from bufalu.oracle.program import Program
from bufalu.oracle.report import diagnosed
from bufalu.reference.policies import Decision, PairsPolicy
from bufalu.reference.schedules import Zero
from bufalu.reference.traces import Trace, TraceHeader
from tests.docs.snippets import ROOT

TEXT = "pairs:2"
QUICK = Effort(examples=1, rounds=200, arms=6)
FIRST_STAGES = (Stage.SMOKE, Stage.DIRECTED)
BUGS = {bug.id: bug for bug in bugs_of_pairs(TEXT, PairsPolicy(2).pairing, KNOWN_BUGS)}
OWN = [name for name in BUGS if name.startswith("pairs-")]
EQUIVALENT = {
    # greedy's budget, and what is wrong with the interval of an arm: the pair rule has neither
    *("budget-off-by-one", "budget-without-initial-rounds", "budget-of-one-arm", "clips-bounds", "stale-intervals"),
    *("count-stops-at-64", "total-count", "log-of-queries", "unseen-arms-are-certain", "unknown-below-three-queries"),
}


class FromThePage:
    """The ten lines of docs/pairs.md in plain doubles, as somebody might write them who knows nothing of this package."""

    def __init__(self, arms: int, kappa: float = 2, s: int = 4) -> None:
        self.n, self.sums, self.kappa, self.s, self.asked = [0] * arms, [0.0] * arms, kappa, s, 0

    def radius(self, t: int, a: int, c: int) -> float:
        n, s = self.n, self.s
        if not n[a] or not n[c]:
            return math.inf
        f = math.log(t * (math.floor(math.log2(t)) + 1)) + 0.5 * math.log((n[a] + s) * (n[c] + s) / s**2)
        return math.sqrt(f / 2 * ((n[a] + s) / n[a] ** 2 + (n[c] + s) / n[c] ** 2))

    def decide(self, round: int, epsilon: float) -> Decision:
        arms = range(len(self.n))
        if round <= len(self.n):
            return self.played(round - 1, True)
        means = [total / max(1, n) for total, n in zip(self.sums, self.n, strict=True)]
        leader = max(arms, key=means.__getitem__)
        if len(self.n) == 1:
            return self.played(leader, False)
        index = {a: means[a] - means[leader] + self.radius(round, a, leader) for a in arms if a != leader}
        challenger = max(index, key=index.__getitem__)
        if index[challenger] <= epsilon:
            return self.played(leader, False)
        return self.played(leader if self.n[leader] <= self.kappa * self.n[challenger] else challenger, True)

    def played(self, arm: int, query: bool) -> Decision:
        self.asked = arm
        return Decision(arm + 1, query)

    def observe(self, reward: float) -> None:
        self.n[self.asked] += 1
        self.sums[self.asked] += reward


def test_a_program_from_the_page_conforms() -> None:
    stages = (*FIRST_STAGES, Stage.PRECISION, Stage.TIES, Stage.ARMS)
    result = run_setting(FactoryUnderTest(FromThePage), TEXT, "hoeffding", QUICK, stages)
    assert result.verdict == "conforms", result.failed
    # Whose turn it is at n_l = 2 n_u is a tie of whole numbers, not a matter of rounding.
    assert result.ambiguous_rounds < result.rounds / 10


@pytest.mark.parametrize("name", OWN)
def test_each_known_bug_is_killed_and_named(name: str) -> None:
    wrong = FactoryUnderTest(lambda arms: BUGS[name].live(TEXT, arms, "hoeffding"))
    result = run_setting(wrong, TEXT, "hoeffding", QUICK, FIRST_STAGES)
    assert result.failed is not None
    report = narrowed(diagnosed(result.failed.checked, result.failed.trace, False), result.second_opinions)
    assert name in {likely.known.id for likely in report.bugs}


def test_at_kappa_one_there_is_no_kappa_to_get_wrong() -> None:
    equal = bugs_of_pairs("pairs:1", PairsPolicy(1).pairing, ())
    assert not {bug.id for bug in equal} & {"pairs-kappa-inverted", "pairs-kappa-ignored"}


def test_the_vectors_kill_every_bug_that_is_one() -> None:
    written = json.loads((ROOT / "vectors" / "pairs-2-hoeffding.json").read_text())
    assert set(BUGS) - {kill["bug"] for group in written["groups"] for kill in group["kills"]} == EQUIVALENT


def test_an_argument_speaks_of_pairs_and_not_of_intervals() -> None:
    instance = Instance.bernoulli([Fraction(1, 4), Fraction(1, 2)])
    rounds = list(simulate(Pairs(2, arms=2), instance, Zero(), 60, SeededRewards(instance, 1)))
    rounds[30] = rounds[30]._replace(arm=3 - rounds[30].arm)
    report = check_trace(Trace(TraceHeader(TEXT, "hoeffding", 2, "zero"), tuple(rounds)))
    told = repr(report)
    for words in ("the largest mean", "radius(", "<= epsilon = 0: no", "2 queries("):
        assert words in told
    assert "UCB" not in told
    assert "interval" not in told


def test_the_pair_rule_is_judged_with_one_of_the_intervals_that_a_program_declares() -> None:
    source = (ROOT / "examples" / "bufalu_program.py").read_text(encoding="utf-8")
    source = source.replace("import CBMUCB", "import Pairs, CBMUCB").replace(
        '"bufalu": BuFALU,', '"pairs:2": lambda arms, interval: Pairs(2, arms), "bufalu": BuFALU,'
    )
    few = Effort(examples=1, rounds=10, arms=2)
    judged = judge_program(
        lambda: Program([sys.executable, "-c", source], 60), TEXT, None, few, lambda done, of, told: None
    )
    assert judged.problem is None
    assert judged.failure is None
    assert [(one.policy, one.confidence) for one in judged.conformance.settings] == [(TEXT, "hoeffding")]
