"""The catalogue: every known wrong version, with what it would do and where it can be killed."""

from __future__ import annotations

from dataclasses import replace

from bufalu.oracle.known_bugs import bookkeeping
from bufalu.oracle.known_bugs.catalogue_of_statistics import WRONG_BOOKKEEPING, WRONG_INTERVALS
from bufalu.oracle.known_bugs.edited_rules import BUFALU, BUFAU, CBM_UCB, GREEDY, EditedRule, Start
from bufalu.oracle.known_bugs.known_bug import KilledBy, KnownBug


def _leaders(**change: object) -> dict[str, EditedRule]:
    """One change, made in BuFALU and in BuFAU."""
    return {"bufalu": replace(BUFALU, **change), "bufau": replace(BUFAU, **change)}  # type: ignore[arg-type]  # replace() checks the names at run time


def _all_rules(start: Start) -> dict[str, EditedRule]:
    """One wrong start, made in the four policies of the paper."""
    return {rule.NAME: replace(rule, start=start) for rule in (BUFALU, BUFAU, CBM_UCB, GREEDY)}


CHOICE_OF_ARMS = (
    KnownBug(
        "narrower-queried",
        "queries the narrower of leader and challenger",
        "the arm that is known better is asked again and again",
        rules={"bufalu": replace(BUFALU, candidate="narrower")},
    ),
    KnownBug(
        "challenger-always-queried",
        "the candidate is the challenger, however narrow",
        "a wide leader is not queried",
        rules={"bufalu": replace(BUFALU, candidate="challenger")},
    ),
    KnownBug(
        "leader-always-queried",
        "the candidate is the leader",
        "challengers are never queried again",
        rules=_leaders(candidate="leader"),
    ),
    KnownBug(
        "challenger-may-be-leader",
        "the challenger is the arm of largest UCB, the leader included",
        "a leader with the largest UCB is never separated from itself",
        rules=_leaders(challenger_among="everyone"),
    ),
    KnownBug(
        "leader-by-ucb",
        "the leader has the largest UCB instead of the largest LCB",
        "little known arms lead",
        rules=_leaders(leader="ucb"),
    ),
    KnownBug(
        "leader-by-mean",
        "the leader has the largest mean instead of the largest LCB",
        "a lucky arm with few queries leads",
        rules=_leaders(leader="mean"),
    ),
    KnownBug(
        "candidate-by-ucb",
        "BuFAU's candidate in BuFALU",
        "the arm of largest UCB is queried, not the wider one",
        rules={"bufalu": replace(BUFALU, candidate="largest ucb")},
    ),
    KnownBug(
        "candidate-by-width",
        "BuFALU's candidate in BuFAU",
        "the wider of leader and challenger is queried, not the arm of largest UCB",
        rules={"bufau": replace(BUFAU, candidate="wider")},
    ),
    KnownBug(
        "candidate-not-leader",
        "the candidate of BuFAU is never the leader",
        "a leader with the largest UCB is not queried",
        rules={"bufau": replace(BUFAU, candidate="challenger")},
    ),
    KnownBug(
        "queries-but-plays-leader",
        "asks for feedback but plays the leader",
        "the queried arm is the leader whenever the candidate is not",
        rules=_leaders(queried="leader"),
    ),
    KnownBug(
        "plays-candidate-unqueried",
        "plays the candidate when it does not query",
        "unqueried rounds go to an uncertain arm",
        rules=_leaders(unqueried="candidate"),
    ),
    KnownBug(
        "plays-challenger-unqueried",
        "plays the challenger when it does not query",
        "unqueried rounds go to the second-best arm",
        rules=_leaders(unqueried="challenger"),
    ),
    KnownBug(
        "plays-best-mean-unqueried",
        "plays the best mean when it does not query",
        "a lucky arm with few queries is exploited",
        rules={**_leaders(unqueried="best mean"), "cbm-ucb": replace(CBM_UCB, unqueried="best mean")},
    ),
    KnownBug(
        "index-by-lcb",
        "ranks the arms by LCB where UCB belongs",
        "little known arms are never tried again",
        rules={"cbm-ucb": replace(CBM_UCB, index="lcb"), "greedy": replace(GREEDY, index="lcb")},
    ),
    KnownBug(
        "index-by-mean",
        "ranks the arms by their means where UCB belongs",
        "little known arms are never tried again",
        rules={"cbm-ucb": replace(CBM_UCB, index="mean"), "greedy": replace(GREEDY, index="mean")},
    ),
    KnownBug(
        "index-by-width",
        "ranks the arms by width where UCB belongs",
        "arms are queried in turn, good or bad",
        rules={"cbm-ucb": replace(CBM_UCB, index="width"), "greedy": replace(GREEDY, index="width")},
    ),
    KnownBug(
        "spent-plays-ucb",
        "plays the largest UCB once the budget is spent",
        "unqueried rounds go to little known arms for ever",
        rules={"greedy": replace(GREEDY, unqueried="ucb")},
    ),
    KnownBug(
        "spent-plays-lcb",
        "plays the largest LCB once the budget is spent",
        "unqueried rounds go to the best known arm, not to the best mean",
        rules={"greedy": replace(GREEDY, unqueried="lcb")},
    ),
    KnownBug(
        "unqueried-plays-lcb",
        "plays the largest LCB when it does not query",
        "unqueried rounds go to the leader instead of the candidate",
        rules={"cbm-ucb": replace(CBM_UCB, unqueried="best lcb")},
    ),
)

TESTS = (
    KnownBug(
        "separation-strict",
        "tests UCB < LCB instead of UCB <= LCB",
        "nothing with Hoeffding or Bernstein intervals: the two sides are never equal",
        place=KilledBy.SYMBOLIC,
        rules=_leaders(separation="below"),
    ),
    KnownBug(
        "epsilon-strict",
        "tests the uncertainty < epsilon instead of <= epsilon",
        "queries once more when the uncertainty is epsilon exactly, as budget schedules arrange",
        place=KilledBy.STRICT,
        rules={
            "cbm-ucb": replace(CBM_UCB, epsilon_test="below"),
            **_leaders(epsilon_test="below"),
        },
    ),
    KnownBug(
        "budget-not-strict",
        "stops when B^q(t-1) >= B(t) - 1",
        "spends one query less when the budget is met exactly, as budget schedules arrange",
        place=KilledBy.STRICT,
        rules={"greedy": replace(GREEDY, spent_test="at most")},
    ),
    KnownBug(
        "or-becomes-and",
        "stops only when separated and within epsilon",
        "queries go on after either test is met",
        rules=_leaders(both_needed=True),
    ),
    KnownBug(
        "separation-ignored",
        "stops only within epsilon",
        "queries go on although the best arm is known",
        rules=_leaders(separation="ignored"),
    ),
    KnownBug(
        "separation-of-candidate",
        "tests the candidate's UCB for separation",
        "a leader that is the candidate is never separated",
        rules={"bufalu": replace(BUFALU, separation_of="candidate")},
    ),
    KnownBug(
        "epsilon-ignored",
        "never stops because of epsilon",
        "queries go on however large epsilon is",
        rules={
            **_leaders(epsilon_test="ignored"),
            "cbm-ucb": replace(CBM_UCB, epsilon_test="ignored"),
            "greedy": replace(GREEDY, spent_test="ignored"),
        },
    ),
    KnownBug(
        "epsilon-on-challenger",
        "takes the challenger's UCB in the epsilon test",
        "stops although the leader itself is wide",
        rules=_leaders(epsilon_side="challenger"),
    ),
    KnownBug(
        "epsilon-on-width",
        "takes the candidate's width in the epsilon test",
        "stops on a narrow challenger that may still be much better",
        rules=_leaders(epsilon_side="candidate width"),
    ),
    KnownBug(
        "epsilon-on-leader-width",
        "takes the leader's width in the epsilon test",
        "stops while challengers are unknown",
        rules=_leaders(epsilon_side="leader width"),
    ),
    KnownBug(
        "epsilon-on-means",
        "takes the difference of the means in the epsilon test",
        "stops almost at once",
        rules=_leaders(epsilon_side="mean gap"),
    ),
    KnownBug(
        "epsilon-on-radius",
        "takes half the width in the epsilon test",
        "stops after a quarter of the queries",
        rules={"cbm-ucb": replace(CBM_UCB, epsilon_side="radius")},
    ),
    KnownBug(
        "epsilon-from-leader",
        "takes the distance to the best LCB in CBM's epsilon test",
        "BuFAU's test in CBM",
        rules={"cbm-ucb": replace(CBM_UCB, epsilon_side="to best lcb")},
    ),
    KnownBug(
        "epsilon-squared",
        "squares epsilon",
        "stops too late for epsilon below 1 and too early above",
        rules={
            **_leaders(epsilon_squared=True),
            "cbm-ucb": replace(CBM_UCB, epsilon_squared=True),
        },
    ),
    KnownBug(
        "epsilon-not-squared",
        "forgets the square of epsilon in greedy's budget",
        "the budget is too small for epsilon below 1",
        rules={"greedy": replace(GREEDY, epsilon_squared=False)},
    ),
    KnownBug(
        "epsilon-of-previous-round",
        "uses the epsilon of the round before",
        "reacts one round late when epsilon moves",
        bookkeeping=bookkeeping.EpsilonOfPreviousRound,
    ),
    KnownBug(
        "epsilon-never-rises",
        "uses the smallest epsilon so far",
        "goes on querying after epsilon has risen again",
        bookkeeping=bookkeeping.EpsilonNeverRises,
    ),
    KnownBug(
        "budget-off-by-one",
        "stops when B^q(t-1) > B(t)",
        "spends one query too many",
        bookkeeping=bookkeeping.BudgetOffByOne,
        only_policies=("greedy",),
    ),
    KnownBug(
        "budget-without-initial-rounds",
        "leaves out + K in the effective budget",
        "spends K queries too few",
        bookkeeping=bookkeeping.BudgetWithoutInitialRounds,
        only_policies=("greedy",),
    ),
    KnownBug(
        "budget-of-one-arm",
        "leaves out the factor K in the effective budget",
        "spends the budget of a single arm",
        bookkeeping=bookkeeping.BudgetOfOneArm,
        only_policies=("greedy",),
    ),
)

STARTS = (
    KnownBug(
        "initial-rounds-skipped",
        "applies the rule from the first round on",
        "breaks ties among unknown arms where every arm should be queried once",
        rules=_all_rules("skipped"),
        ties="last",
    ),
    KnownBug(
        "initial-rounds-twice",
        "queries every arm twice before it starts to decide",
        "K queries too many",
        rules=_all_rules("twice"),
        # CBM under Bernstein queries every arm a second time anyway: an interval is infinite until then.
        equivalent_settings=(("cbm-ucb", "bernstein"),),
    ),
    KnownBug(
        "initial-rounds-reversed",
        "plays the initial rounds from the last arm to the first",
        "round t does not play arm t",
        rules=_all_rules("reversed"),
    ),
    KnownBug(
        "initial-rounds-unqueried",
        "plays every arm once without asking for the reward",
        "starts to decide with empty statistics",
        rules=_all_rules("unqueried"),
    ),
    KnownBug(
        "last-initial-round-skipped",
        "runs the initial rounds for t < K",
        "a single arm is never queried; with more arms Hoeffding's rule finds the unknown arm by itself",
        rules=_leaders(start="last skipped"),
    ),
)

KNOWN_BUGS: tuple[KnownBug, ...] = CHOICE_OF_ARMS + TESTS + STARTS + WRONG_INTERVALS + WRONG_BOOKKEEPING
"""Every known bug, in a stable order."""
