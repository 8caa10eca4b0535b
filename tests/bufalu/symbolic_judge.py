"""The solvers' relations on the numbers of a real round: what the symbolic layer says of a decision.

A formula of `properties/smt/relations.py` is walked as it stands, with exact numbers for its reals and every arm for its
quantifiers. The roles (leader, challenger, candidate) are searched for, as each may be any arm of its argmax.
"""

from bufalu.properties.smt import relations
from bufalu.properties.smt.terms import APPLY, EXISTS, FORALL, NUMERAL, SYMBOL, Real, SolverArm, number, walk
from bufalu.reference.exact import ONE, Exact
from bufalu.reference.rationals import parse_rational

ROLES = ("leader", "challenger", "candidate")
NAMED = {
    "bufalu": relations.BUFALU,
    "bufau": relations.BUFAU,
    "cbm-ucb": relations.CBM_UCB,
    "greedy": relations.GREEDY,
}


def relation_of(policy):
    """The solvers' relation of a policy."""
    if policy.startswith("dial:"):
        return relations.dial(number(parse_rational(policy.removeprefix("dial:"), 20)))
    return NAMED[policy]


def symbolically_admitted(policy, view, decision):
    """Whether some choice of the roles makes the relation hold with this decision."""
    formulas = [hypothesis.formula for hypothesis in relation_of(policy)]
    needed = {
        formula: {term.name for term in walk(formula) if isinstance(term, SolverArm) and term.name in ROLES}
        for formula in formulas
    }
    roles = [role for role in ROLES if any(role in names for names in needed.values())]

    def holds_with(assigned, step):
        known = set(roles[:step])
        for formula, names in needed.items():
            # Each as soon as its last role has an arm.
            if names <= known and (step == 0 or roles[step - 1] in names) and not value(formula, assigned, view):
                return False
        if step == len(roles):
            return True
        return any(holds_with({**assigned, roles[step]: arm}, step + 1) for arm in range(1, view.arms + 1))

    return holds_with({"played": decision.arm, "queried": decision.query}, 0)


def value(term, known, view):  # noqa: C901, PLR0911, PLR0912 - one branch for each kind of term
    """A term: a truth value, an arm's number, or a real as a pair of numerator and positive denominator."""
    parts = term.arguments
    match term.operator:
        case "true" | "false":
            return term.operator == "true"
        case "not":
            return not value(parts[0], known, view)
        case "and":
            return all(value(part, known, view) for part in parts)
        case "or":
            return any(value(part, known, view) for part in parts)
        case "=>":
            return not value(parts[0], known, view) or value(parts[1], known, view)
        case "forall" | "exists":
            every = all if term.operator == FORALL else any
            assert term.operator in (FORALL, EXISTS)
            return every(value(parts[0], {**known, term.name: arm}, view) for arm in range(1, view.arms + 1))
        case "<" | "<=" | "=" if isinstance(parts[0], Real):
            (above, below), (other_above, other_below) = (value(part, known, view) for part in parts)
            left, right = above * other_below, other_above * below
            return {"<": left < right, "<=": left <= right, "=": left == right}[term.operator]
        case "=":
            return value(parts[0], known, view) == value(parts[1], known, view)
        case "-":
            (above, below), (other_above, other_below) = (value(part, known, view) for part in parts)
            return above * other_below - other_above * below, below * other_below
        case "*":
            (above, below), (other_above, other_below) = (value(part, known, view) for part in parts)
            return above * other_above, below * other_below
    if term.operator == NUMERAL:
        return Exact.of(term.value), ONE
    if term.operator == APPLY:
        arm = value(parts[0], known, view)
        ends = {"lower_end_infinite": view.lcb, "upper_end_infinite": view.ucb}
        if term.name in ends:
            return ends[term.name](arm).is_infinite
        return {"LCB": view.lcb, "UCB": view.ucb, "empirical_mean": view.mean}[term.name](arm), ONE
    assert term.operator == SYMBOL, term
    if term.name in known:
        return known[term.name]
    squared = view.epsilon * view.epsilon
    reals = {
        "epsilon": (view.epsilon, ONE),
        "all_queries": (view.all_queries(), ONE),
        # 6 K ln t / epsilon^2 + K, asked for where epsilon is positive.
        "effective_budget": (Exact.of(view.arms) * (Exact.of(6) * view.log() + squared), squared),
    }
    return reals[term.name]
