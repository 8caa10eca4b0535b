"""The steps by which a policy decides in one state, as data: what an argument against a decision is made of."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bufalu.reference.exact import Exact


class RoleStep(NamedTuple):
    """`role: arms, reason`; `chosen` is the arm that the next steps speak of, where they do."""

    role: str
    arms: tuple[int, ...]
    reason: str = ""
    chosen: int | None = None


class ComparisonStep(NamedTuple):
    """`question left_name = left relation right_name = right: holds`; a number may go without a name."""

    question: str
    left_name: str
    left: Exact
    relation: str
    right_name: str
    right: Exact
    holds: bool


Step: TypeAlias = RoleStep | ComparisonStep | str
"""One step; a text stands for itself."""
