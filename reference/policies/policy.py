"""A policy as one object: a relation and a rule, and whatever else the rooms can use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from bufalu.reference.comparisons import Comparisons, EveryTie, OneTie, TieBreak
from bufalu.reference.errors import NoDecision
from bufalu.reference.exact import Exact
from bufalu.reference.policies.decisions import Admissible, Decision, Possibility, Roles, Step, collected
from bufalu.reference.rationals import Rational
from bufalu.reference.view import ExactView, N, View


@runtime_checkable
class Rule(Protocol):
    """What a live policy needs: a relation (`admissible`) and one of its selections (`decide`)."""

    def decide(self, view: View[N], ties: TieBreak, /) -> Decision:
        """The decision that this tie-break gives."""

    def admissible(self, view: View[N], /) -> Admissible:
        """Every decision that some tie-break gives."""


_KNOWN_OF_CANDIDATES = (
    "title",
    "candidate_words",
    "kernel",
    "steering",
    "pairing",
    "interchangeable",
    "queries_largest_ucb",
)
_KNOWN_OF_DECISIONS = (
    *_KNOWN_OF_CANDIDATES,
    "uses_epsilon",
    "uses_interval",
    "counts_all_queries",
    "stops_by_epsilon_alone",
)
_TOLD_OF_DECISIONS = (*_KNOWN_OF_DECISIONS, "steps", "epsilon_side", "uncertainty", "uncertainty_words")
_KNOWN_OF_THE_RULE = {
    "possible": _TOLD_OF_DECISIONS,
    "decide": _TOLD_OF_DECISIONS,
    "selections": _TOLD_OF_DECISIONS,
    "index": _KNOWN_OF_DECISIONS,
    "load": _KNOWN_OF_DECISIONS,
    "candidates": _KNOWN_OF_CANDIDATES,
    "chosen": ("uses_epsilon",),
}
"""By the methods that make a rule: what is known and told of it. Where nothing is known, what `Policy` says holds."""


@dataclass(frozen=True)
class Pairing:
    """kappa and s of the pair rule, which compares two arms and queries the leader up to kappa times as often."""

    kappa: Rational
    spread: int


class Policy(ABC):
    """A policy as the paper writes one. `text` and `possible` are all that it must have.

    The rest has defaults that are right for every policy, if slow or silent.
    """

    ours: ClassVar[bool] = False
    """Whether the claims of this package speak of the class itself or are known not to: the paper's policies, the dial, the
    pair rule and UCB. One that a user derives from them is not.
    """

    kernel: ClassVar[str | None] = None
    """The compiled rule of the engine that decides as this policy does, by its name there; None: there is none."""
    uses_epsilon: ClassVar[bool] = True
    """Whether any decision depends on epsilon."""
    uses_interval: ClassVar[bool] = True
    """Whether any decision depends on the confidence interval of an arm."""
    queries_largest_ucb: ClassVar[bool] = False
    """Whether after the initial rounds it is known to query arms of largest UCB and no others."""
    counts_all_queries: ClassVar[bool] = False
    """Whether it is known to decide by the number of all queries too, not only by what is known of single arms."""
    stops_by_epsilon_alone: ClassVar[bool] = False
    """Whether nothing but its comparison with epsilon is known to keep it from a query: no leader that is separated."""
    tosses: ClassVar[bool] = False
    """Whether `possible` tosses a coin, so that a run needs ties that are broken by chance."""
    interchangeable: ClassVar[int | None] = None
    """How many arms with one and the same interval suffice to see all decisions, if only intervals are looked at; or, of
    a policy that uses none, how many with the same number and sum of answers.

    Two for a leader and a challenger. None: every arm is looked at, which costs what `possible` costs.
    """
    uncertainty_words: ClassVar[str] = "width of the arm with the largest UCB"
    """What `uncertainty` is, for the caption of a picture."""
    candidate_words: ClassVar[str] = "chosen beside them"
    """Who is the candidate beside leader and challenger, in words."""

    def __init_subclass__(cls) -> None:
        """A class that changes the rule of another does not inherit what is known of that rule alone."""
        super().__init_subclass__()
        cls.ours = vars(cls).get("ours", False)
        for rule, facts in _KNOWN_OF_THE_RULE.items():
            for name in facts:
                if rule in vars(cls) and name not in vars(cls):
                    setattr(cls, name, vars(Policy)[name])

    @property
    @abstractmethod
    def text(self) -> str:
        """The form that the command line and trace files use."""

    def decide(self, view: View[N], ties: TieBreak) -> Decision:
        """The decision that this tie-break gives: the first that `possible` lists when the tie-break settles every tie.

        Raises `NoDecision` where it lists none.
        """
        comparisons: OneTie[N] = OneTie(ties)  # the generic alias itself would take as long as the comparisons
        found = next(iter(self.possible(view, comparisons)), None)
        if found is None:
            raise NoDecision(f"the policy {self.text} gives no decision in round {view.round}")
        return found[0]

    @abstractmethod
    def possible(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[Possibility]:
        """Every outcome that the comparisons leave open, with its reason.

        With `EveryTie` these are the decisions of all tie-breaks; the oracle also asks with comparisons that keep
        what a program in doubles cannot tell apart.
        """

    def __repr__(self) -> str:
        return f"<policy {self.text}>"

    def admissible(self, view: View[N]) -> Admissible:
        """Every decision that some tie-break gives, with the reasons; raises `NoDecision` where there is none."""
        found = collected(self.possible(view, EveryTie[N]()))
        if not found:
            raise NoDecision(f"the policy {self.text} gives no decision in round {view.round}")
        return found

    @property
    def title(self) -> str:
        """The name for people."""
        return self.text

    @property
    def steering(self) -> Rational | None:
        """The rho for which the theorem of docs/dial.md bounds this policy: 1 is the paper's own. None: no theorem does."""
        return None

    @property
    def pairing(self) -> Pairing | None:
        """The constants for which the theorem of docs/pairs.md bounds this policy. None: that theorem does not."""
        return None

    def roles(self, view: ExactView) -> tuple[list[int], list[int]]:
        """All leaders, and all challengers of the first: by LCB and by UCB, for a policy that has no others."""
        roles = Roles(view)
        return roles.leaders, roles.challengers

    def selections(self, view: View[N], comparisons: Comparisons[N]) -> Iterator[tuple[int, int, int]]:
        """Every leader l_t, challenger u_t and candidate c_t (l.371). A single arm is the candidate, and its challenger 0."""
        everyone = range(1, view.arms + 1)
        for leader in comparisons.largest(everyone, view.lcb):
            others = [arm for arm in everyone if arm != leader]
            if not others:
                yield leader, 0, leader
            for challenger in comparisons.largest(others, view.ucb):
                for candidate in self.candidates(view, comparisons, leader, challenger):
                    yield leader, challenger, candidate

    def candidates(self, view: View[N], comparisons: Comparisons[N], leader: int, challenger: int) -> Iterable[int]:
        """Every arm that may be the candidate beside this leader and this challenger; by default those of largest UCB."""
        return comparisons.largest(range(1, view.arms + 1), view.ucb)

    def first_candidates(self, view: ExactView, roles: Roles[Exact]) -> list[int]:
        """Every candidate beside the first leader and the first challenger, in increasing order."""
        return sorted(set(self.candidates(view, EveryTie[Exact](), roles.leader, roles.challenger)))

    def steps(self, view: ExactView) -> list[Step]:
        """How the decision of a round after the initial ones comes about; silent by default."""
        return []

    def epsilon_side(self, view: ExactView) -> Exact:
        """What epsilon is compared with in this state; by default the width of the first arm of largest UCB."""
        return view.width(Roles(view).top[0])

    def uncertainty(self, view: ExactView) -> Exact:
        """What a picture draws beside epsilon."""
        return self.epsilon_side(view)
