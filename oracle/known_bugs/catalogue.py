"""The catalogue: every known wrong version, with what it would do and where it can be killed."""

from __future__ import annotations

from dataclasses import replace

from bufalu.oracle.known_bugs import bookkeeping as memories
from bufalu.oracle.known_bugs.catalogue_of_statistics import INTERVALS, MEMORIES
from bufalu.oracle.known_bugs.known_bug import Mutant, Place
from bufalu.oracle.stepwise_rules import BUFALU, BUFAU, CBM_UCB, GREEDY, Start, ZooRule


def _leaders(**change: object) -> dict[str, ZooRule]:
    """The same change in BuFALU and BuFAU."""
    return {"bufalu": replace(BUFALU, **change), "bufau": replace(BUFAU, **change)}  # type: ignore[arg-type]  # replace() checks the names at run time


def _all_rules(start: Start) -> dict[str, ZooRule]:
    """The same wrong start in all four policies."""
    return {rule.NAME: replace(rule, start=start) for rule in (BUFALU, BUFAU, CBM_UCB, GREEDY)}


CHOICE_OF_ARMS = (
    Mutant(
        "narrower-queried",
        "queries the narrower of leader and challenger",
        "the arm that is known better is asked again and again",
        rules={"bufalu": replace(BUFALU, candidate="narrower")},
    ),
    Mutant(
        "challenger-always-queried",
        "the candidate is the challenger, however narrow",
        "a wide leader is not queried",
        rules={"bufalu": replace(BUFALU, candidate="challenger")},
    ),
    Mutant(
        "leader-always-queried",
        "the candidate is the leader",
        "challengers are never queried again",
        rules=_leaders(candidate="leader"),
    ),
    Mutant(
        "challenger-may-be-leader",
        "the challenger is the arm of largest UCB, the leader included",
        "a leader with the largest UCB is never separated from itself",
        rules=_leaders(challenger_among="everyone"),
    ),
    Mutant(
        "leader-by-ucb",
        "the leader has the largest UCB instead of the largest LCB",
        "little known arms lead",
        rules=_leaders(leader="ucb"),
    ),
    Mutant(
        "leader-by-mean",
        "the leader has the largest mean instead of the largest LCB",
        "a lucky arm with few queries leads",
        rules=_leaders(leader="mean"),
    ),
    Mutant(
        "candidate-by-ucb",
        "BuFAU's candidate in BuFALU",
        "the arm of largest UCB is queried, not the wider one",
        rules={"bufalu": replace(BUFALU, candidate="largest ucb")},
    ),
    Mutant(
        "candidate-by-width",
        "BuFALU's candidate in BuFAU",
        "the wider of leader and challenger is queried, not the arm of largest UCB",
        rules={"bufau": replace(BUFAU, candidate="wider")},
    ),
    Mutant(
        "candidate-not-leader",
        "the candidate of BuFAU is never the leader",
        "a leader with the largest UCB is not queried",
        rules={"bufau": replace(BUFAU, candidate="challenger")},
    ),
    Mutant(
        "queries-but-plays-leader",
        "asks for feedback but plays the leader",
        "the queried arm is the leader whenever the candidate is not",
        rules=_leaders(queried="leader"),
    ),
    Mutant(
        "plays-candidate-unqueried",
        "plays the candidate when it does not query",
        "unqueried rounds go to an uncertain arm",
        rules=_leaders(unqueried="candidate"),
    ),
    Mutant(
        "plays-challenger-unqueried",
        "plays the challenger when it does not query",
        "unqueried rounds go to the second-best arm",
        rules=_leaders(unqueried="challenger"),
    ),
    Mutant(
        "plays-best-mean-unqueried",
        "plays the best mean when it does not query",
        "a lucky arm with few queries is exploited",
        rules={**_leaders(unqueried="best mean"), "cbm-ucb": replace(CBM_UCB, unqueried="best mean")},
    ),
    Mutant(
        "index-by-lcb",
        "ranks the arms by LCB where UCB belongs",
        "little known arms are never tried again",
        rules={"cbm-ucb": replace(CBM_UCB, index="lcb"), "greedy": replace(GREEDY, index="lcb")},
    ),
    Mutant(
        "index-by-mean",
        "ranks the arms by their means where UCB belongs",
        "little known arms are never tried again",
        rules={"cbm-ucb": replace(CBM_UCB, index="mean"), "greedy": replace(GREEDY, index="mean")},
    ),
    Mutant(
        "index-by-width",
        "ranks the arms by width where UCB belongs",
        "arms are queried in turn, good or bad",
        rules={"cbm-ucb": replace(CBM_UCB, index="width"), "greedy": replace(GREEDY, index="width")},
    ),
    Mutant(
        "spent-plays-ucb",
        "plays the largest UCB once the budget is spent",
        "unqueried rounds go to little known arms for ever",
        rules={"greedy": replace(GREEDY, unqueried="ucb")},
    ),
    Mutant(
        "spent-plays-lcb",
        "plays the largest LCB once the budget is spent",
        "unqueried rounds go to the best known arm, not to the best mean",
        rules={"greedy": replace(GREEDY, unqueried="lcb")},
    ),
    Mutant(
        "unqueried-plays-lcb",
        "plays the largest LCB when it does not query",
        "unqueried rounds go to the leader instead of the candidate",
        rules={"cbm-ucb": replace(CBM_UCB, unqueried="best lcb")},
    ),
)

TESTS = (
    Mutant(
        "separation-strict",
        "tests UCB < LCB instead of UCB <= LCB",
        "nothing with Hoeffding or Bernstein intervals: the two sides are never equal",
        place=Place.SYMBOLIC,
        rules=_leaders(separation="below"),
    ),
    Mutant(
        "epsilon-strict",
        "tests the uncertainty < epsilon instead of <= epsilon",
        "queries once more when the uncertainty is epsilon exactly, as budget schedules arrange",
        place=Place.STRICT,
        rules={
            "cbm-ucb": replace(CBM_UCB, epsilon_test="below"),
            **_leaders(epsilon_test="below"),
        },
    ),
    Mutant(
        "budget-not-strict",
        "stops when B^q(t-1) >= B(t) - 1",
        "spends one query less when the budget is met exactly, as budget schedules arrange",
        place=Place.STRICT,
        rules={"greedy": replace(GREEDY, spent_test="at most")},
    ),
    Mutant(
        "or-becomes-and",
        "stops only when separated and within epsilon",
        "queries go on after either test is met",
        rules=_leaders(both_needed=True),
    ),
    Mutant(
        "separation-ignored",
        "stops only within epsilon",
        "queries go on although the best arm is known",
        rules=_leaders(separation="ignored"),
    ),
    Mutant(
        "separation-of-candidate",
        "tests the candidate's UCB for separation",
        "a leader that is the candidate is never separated",
        rules={"bufalu": replace(BUFALU, separation_of="candidate")},
    ),
    Mutant(
        "epsilon-ignored",
        "never stops because of epsilon",
        "queries go on however large epsilon is",
        rules={
            **_leaders(epsilon_test="ignored"),
            "cbm-ucb": replace(CBM_UCB, epsilon_test="ignored"),
            "greedy": replace(GREEDY, spent_test="ignored"),
        },
    ),
    Mutant(
        "epsilon-on-challenger",
        "takes the challenger's UCB in the epsilon test",
        "stops although the leader itself is wide",
        rules=_leaders(epsilon_side="challenger"),
    ),
    Mutant(
        "epsilon-on-width",
        "takes the candidate's width in the epsilon test",
        "stops on a narrow challenger that may still be much better",
        rules=_leaders(epsilon_side="candidate width"),
    ),
    Mutant(
        "epsilon-on-leader-width",
        "takes the leader's width in the epsilon test",
        "stops while challengers are unknown",
        rules=_leaders(epsilon_side="leader width"),
    ),
    Mutant(
        "epsilon-on-means",
        "takes the difference of the means in the epsilon test",
        "stops almost at once",
        rules=_leaders(epsilon_side="mean gap"),
    ),
    Mutant(
        "epsilon-on-radius",
        "takes half the width in the epsilon test",
        "stops after a quarter of the queries",
        rules={"cbm-ucb": replace(CBM_UCB, epsilon_side="radius")},
    ),
    Mutant(
        "epsilon-from-leader",
        "takes the distance to the best LCB in CBM's epsilon test",
        "BuFAU's test in CBM",
        rules={"cbm-ucb": replace(CBM_UCB, epsilon_side="to best lcb")},
    ),
    Mutant(
        "epsilon-squared",
        "squares epsilon",
        "stops too late for epsilon below 1 and too early above",
        rules={
            **_leaders(epsilon_squared=True),
            "cbm-ucb": replace(CBM_UCB, epsilon_squared=True),
        },
    ),
    Mutant(
        "epsilon-not-squared",
        "forgets the square of epsilon in greedy's budget",
        "the budget is too small for epsilon below 1",
        rules={"greedy": replace(GREEDY, epsilon_squared=False)},
    ),
    Mutant(
        "epsilon-of-previous-round",
        "uses the epsilon of the round before",
        "reacts one round late when epsilon moves",
        memory=memories.EpsilonOfPreviousRound,
    ),
    Mutant(
        "epsilon-never-rises",
        "uses the smallest epsilon so far",
        "goes on querying after epsilon has risen again",
        memory=memories.EpsilonNeverRises,
    ),
    Mutant(
        "budget-off-by-one",
        "stops when B^q(t-1) > B(t)",
        "spends one query too many",
        memory=memories.BudgetOffByOne,
        only_policies=("greedy",),
    ),
    Mutant(
        "budget-without-initial-rounds",
        "leaves out + K in the effective budget",
        "spends K queries too few",
        memory=memories.BudgetWithoutInitialRounds,
        only_policies=("greedy",),
    ),
    Mutant(
        "budget-of-one-arm",
        "leaves out the factor K in the effective budget",
        "spends the budget of a single arm",
        memory=memories.BudgetOfOneArm,
        only_policies=("greedy",),
    ),
)

STARTS = (
    Mutant(
        "initial-rounds-skipped",
        "applies the rule from the first round on",
        "breaks ties among unknown arms where every arm should be queried once",
        rules=_all_rules("skipped"),
        ties="last",
    ),
    Mutant(
        "initial-rounds-twice",
        "queries every arm twice before it starts to decide",
        "K queries too many",
        rules=_all_rules("twice"),
        # CBM under Bernstein queries every arm a second time anyway: an interval is infinite until then.
        equivalent_settings=(("cbm-ucb", "bernstein"),),
    ),
    Mutant(
        "initial-rounds-reversed",
        "plays the initial rounds from the last arm to the first",
        "round t does not play arm t",
        rules=_all_rules("reversed"),
    ),
    Mutant(
        "initial-rounds-unqueried",
        "plays every arm once without asking for the reward",
        "starts to decide with empty statistics",
        rules=_all_rules("unqueried"),
    ),
    Mutant(
        "last-initial-round-skipped",
        "runs the initial rounds for t < K",
        "a single arm is never queried; with more arms Hoeffding's rule finds the unknown arm by itself",
        rules=_leaders(start="last skipped"),
    ),
)

MUTANTS: tuple[Mutant, ...] = CHOICE_OF_ARMS + TESTS + STARTS + INTERVALS + MEMORIES
"""The zoo, in a stable order."""


def mutant_named(identifier: str) -> Mutant:
    """The mutant with this id; raises `KeyError` for a stranger."""
    return {mutant.id: mutant for mutant in MUTANTS}[identifier]
