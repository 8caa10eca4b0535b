"""Wrong versions of the policies, each with one mistake that a programmer could make; every one must be refuted."""

from fractions import Fraction

from bufalu.reference.policies import POLICIES, Decision
from bufalu.reference.policies.greedy import allowance, spending
from bufalu.reference.view import maximisers


def _bufalu(view, ties, candidate_of=None, *, leader_by=None, others_of=None, separated=None, within=None, stop=any):
    """BuFALU, or another rule that chooses the candidate of leader and challenger, with places to put a mistake."""
    everyone = range(1, view.arms + 1)
    leader = ties(maximisers(everyone, leader_by or view.lcb))
    others = (others_of or (lambda everyone, leader: [a for a in everyone if a != leader]))(everyone, leader)
    challenger = ties(maximisers(others, view.ucb))
    candidate = (candidate_of or (lambda *pair: ties(maximisers(sorted(pair), view.width))))(leader, challenger)
    tests = [
        (separated or (lambda u, lead: view.ucb(u) <= view.lcb(lead)))(challenger, leader),
        (within or (lambda u, c, lead: view.ucb(c) - view.lcb(lead) <= view.epsilon))(challenger, candidate, leader),
    ]
    return Decision(leader, False) if stop(tests) else Decision(candidate, True)


def faithful(view, ties):
    return _bufalu(view, ties)


def queries_the_narrower_interval(view, ties):
    def narrower(*pair):
        wide = maximisers(pair, view.width)
        return next((arm for arm in pair if arm not in wide), min(pair))

    return _bufalu(view, ties, narrower)


def separates_only_strictly(view, ties):
    return _bufalu(view, ties, separated=lambda u, lead: view.ucb(u) < view.lcb(lead))


def stops_only_strictly_within_epsilon(view, ties):
    return _bufalu(view, ties, within=lambda u, c, lead: view.ucb(c) - view.lcb(lead) < view.epsilon)


def stops_only_if_both_tests_say_so(view, ties):
    return _bufalu(view, ties, stop=all)


def challenger_may_be_the_leader(view, ties):
    return _bufalu(view, ties, others_of=lambda everyone, leader: list(everyone))


def challengers_upper_end_in_the_epsilon_test(view, ties):
    return _bufalu(view, ties, within=lambda u, c, lead: view.ucb(u) - view.lcb(lead) <= view.epsilon)


def candidates_width_in_the_epsilon_test(view, ties):
    return _bufalu(view, ties, within=lambda u, c, lead: view.width(c) <= view.epsilon)


def leader_by_upper_end(view, ties):
    return _bufalu(view, ties, leader_by=view.ucb)


def always_queries(view, ties):
    return _bufalu(view, ties, stop=lambda tests: False)


def plays_the_candidate_unqueried(view, ties):
    decision = _bufalu(view, ties)
    return decision if decision.query else Decision(ties(maximisers(range(1, view.arms + 1), view.ucb)), False)


def bufau_that_separates_on_the_top_arm(view, ties):
    everyone = range(1, view.arms + 1)
    leader, top = ties(maximisers(everyone, view.lcb)), ties(maximisers(everyone, view.ucb))
    if view.ucb(top) <= view.lcb(leader) or view.ucb(top) - view.lcb(leader) <= view.epsilon:
        return Decision(leader, False)
    return Decision(top, True)


def cbm_that_stops_only_strictly_within_epsilon(view, ties):
    arm = ties(maximisers(range(1, view.arms + 1), view.ucb))
    return Decision(arm, not view.width(arm) < view.epsilon)


def greedy_with_one_query_too_few(view, ties):
    everyone = range(1, view.arms + 1)
    if allowance(view) <= spending(view):
        return Decision(ties(maximisers(everyone, view.mean)), False)
    return Decision(ties(maximisers(everyone, view.ucb)), True)


def greedy_that_exploits_the_upper_end(view, ties):
    decision = POLICIES["greedy"].decide(view, ties)
    return decision if decision.query else Decision(ties(maximisers(range(1, view.arms + 1), view.ucb)), False)


def _half(view, arm):
    return view.number(Fraction(1, 2)) * view.width(arm)


def dial_at_a_half(view, ties):
    """The dial at 1/2, written the other way round; a tie goes to the challenger, which is one of the tie-breaks."""

    def candidate(leader, challenger):
        behind = view.ucb(leader) <= view.ucb(challenger)
        return challenger if behind or view.width(leader) <= _half(view, challenger) else leader

    return _bufalu(view, ties, candidate)


def dial_without_the_width_test(view, ties):
    return _bufalu(view, ties, lambda leader, u: leader if view.ucb(u) <= view.ucb(leader) else u)


def dial_without_the_ucb_test(view, ties):
    return _bufalu(view, ties, lambda leader, u: leader if _half(view, u) <= view.width(leader) else u)


def dial_with_rho_inverted(view, ties):
    def candidate(leader, challenger):
        ahead = view.ucb(challenger) <= view.ucb(leader)
        return leader if ahead and view.width(challenger) <= _half(view, leader) else challenger

    return _bufalu(view, ties, candidate)


def dial_that_stops_only_strictly_within_epsilon(view, ties):
    def candidate(leader, challenger):
        ahead = view.ucb(challenger) <= view.ucb(leader)
        return leader if ahead and _half(view, challenger) <= view.width(leader) else challenger

    return _bufalu(view, ties, candidate, within=lambda u, c, lead: view.ucb(c) - view.lcb(lead) < view.epsilon)


def dial_at_zero_that_prefers_the_challenger(view, ties):
    return _bufalu(view, ties, lambda leader, u: u)


WRONG_RULES = [
    ("bufalu", queries_the_narrower_interval),
    ("bufalu", separates_only_strictly),
    ("bufalu", stops_only_strictly_within_epsilon),
    ("bufalu", stops_only_if_both_tests_say_so),
    ("bufalu", challenger_may_be_the_leader),
    ("bufalu", challengers_upper_end_in_the_epsilon_test),
    ("bufalu", candidates_width_in_the_epsilon_test),
    ("bufalu", leader_by_upper_end),
    ("bufalu", always_queries),
    ("bufalu", plays_the_candidate_unqueried),
    ("bufau", bufau_that_separates_on_the_top_arm),
    ("cbm-ucb", cbm_that_stops_only_strictly_within_epsilon),
    ("greedy", greedy_with_one_query_too_few),
    ("greedy", greedy_that_exploits_the_upper_end),
    ("dial:1/2", dial_without_the_width_test),
    ("dial:1/2", dial_without_the_ucb_test),
    ("dial:1/2", dial_with_rho_inverted),
    ("dial:1/2", dial_that_stops_only_strictly_within_epsilon),
    ("dial:1", dial_without_the_width_test),
    ("dial:0", dial_at_zero_that_prefers_the_challenger),
]


def admissible_for_the_first_leader_only(view):
    """BuFALU's relation with the ties of the leader forgotten."""
    decisions = POLICIES["bufalu"].admissible(view)
    leader = maximisers(range(1, view.arms + 1), view.lcb)[0]
    kept = {decision: why for decision, why in decisions.items() if decision.query or decision.arm == leader}
    return kept or decisions
