"""Tells a divergence as an argument: let the state be ..., then ..., hence ..., but the trace ..."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bufalu.oracle.checking import Divergence, TraceCheck
from bufalu.oracle.figures import certified
from bufalu.reference.confidence import confidence_named
from bufalu.reference.exact import ZERO, Exact
from bufalu.reference.policies import Admissible, Decision, Policy, policy_named
from bufalu.reference.policies.decisions import Roles, RoleStep, Step
from bufalu.reference.rationals import Rational, format_rational
from bufalu.reference.view import ExactView

_MOST_ARMS_SHOWN = 12
"""Of more arms, those alone that the argument speaks of."""


def argument(checked: TraceCheck, divergence: Divergence) -> list[str]:
    """The argument, line by line."""
    header = checked.header
    lines: list[str] = []
    if divergence.round > header.arms:
        epsilon = divergence.epsilon or ZERO
        view = ExactView(divergence.state, confidence_named(header.confidence), divergence.round, epsilon)
        lines.append(f"Let the state before round {divergence.round} be")
        policy = policy_named(header.policy)
        lines += [f"  {line}" for line in _table(policy, divergence, view)]
        lines.append(
            f"and epsilon({divergence.round}) = {certified(epsilon)}. Then" if policy.uses_epsilon else "Then"
        )
        lines += [f"  {_told(step)}" for step in policy.steps(view)]
    else:
        lines.append(
            f"Round {divergence.round} is one of the {header.arms} initial rounds: round t plays and queries arm t."
        )
    lines.append(f"Hence it must {_alternatives(divergence.admissible)}.")
    why = ""
    if divergence.in_reason_alone and divergence.reason is not None:
        why = f" and gives another reason for it ({divergence.reason.value})"
    lines.append(f"But the trace {_verb(divergence.got, 's')}{why}: a contradiction.")
    return lines


def _table(policy: Policy, divergence: Divergence, view: ExactView) -> list[str]:
    figures: dict[str, Callable[[int], str]] = {
        "arm": str,
        "queries": lambda arm: str(divergence.state.queries(arm)),
        "mean": lambda arm: _fraction(divergence.state.mean(arm)),
    }
    if policy.uses_interval:
        figures["LCB"] = lambda arm: certified(view.lcb(arm))
        figures["UCB"] = lambda arm: certified(view.ucb(arm))
        figures["width"] = lambda arm: certified(view.width(arm))
    rows = [list(figures)]
    rows += [[figure(arm) for figure in figures.values()] for arm in _shown_arms(policy, divergence, view)]
    sizes = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    table = ["  ".join(cell.rjust(size) for cell, size in zip(row, sizes, strict=True)) for row in rows]
    if hidden := view.arms - (len(rows) - 1):
        table.append(f"(and {hidden} {'arm more, which plays' if hidden == 1 else 'arms more, which play'} no role)")
    return table


def _shown_arms(policy: Policy, divergence: Divergence, view: ExactView) -> list[int]:
    """All arms if they are few, else those that the argument speaks of."""
    if view.arms <= _MOST_ARMS_SHOWN:
        return list(range(1, view.arms + 1))
    leaders, challengers = policy.roles(view)
    wanted = {divergence.got.arm, leaders[0], challengers[0], *(Roles(view).top[:1] if policy.uses_interval else ())}
    return sorted(wanted | {decision.arm for decision in sorted(divergence.admissible)[:_MOST_ARMS_SHOWN]})


def _told(step: Step) -> str:
    """One step of a policy as a line."""
    if isinstance(step, str):
        return step
    if isinstance(step, RoleStep):
        reason = f", {step.reason}" if step.reason else ""
        picked = f" (say {step.chosen})" if step.chosen is not None and len(step.arms) > 1 else ""
        return f"{step.role}: {_arms(step.arms)}{reason}{picked}"
    left, right = certified(step.left), certified(step.right)
    right = f"{step.right_name} = {right}" if step.right_name else right
    return f"{step.question} {step.left_name} = {left} {step.relation} {right}: {'yes' if step.holds else 'no'}"


def _alternatives(admissible: Admissible) -> str:
    parts = []
    for decision, reasons in sorted(admissible.items()):
        why = "; ".join(sorted(reason.value for reason in reasons))
        parts.append(f"{_verb(decision, '')} ({why})")
    return ", or ".join(parts)


def _verb(decision: Decision, ending: str) -> str:
    action = f"play{ending} arm {decision.arm}"
    return f"{action} and quer{'ies' if ending else 'y'} it" if decision.query else f"{action} without a query"


def _arms(arms: Sequence[int]) -> str:
    return f"arm {arms[0]}" if len(arms) == 1 else f"any of the arms {', '.join(map(str, arms))}"


def _fraction(mean: Rational) -> str:
    text = format_rational(mean)
    return text if len(text) <= 16 else certified(Exact.of(mean))
