"""An implementation under test, in another process or in this one: reset it, ask for decisions, show it rewards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeGuard, cast

import numpy as np

from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.program import Program, wrong_shape
from bufalu.reference.policies import Decision

PROTOCOL_VERSION = 1


class Implementation(Protocol):
    """What the oracle drives."""

    def reset(self, policy: str, confidence: str, arms: int) -> str | None:
        """Starts a new run; a reason if the implementation does not want this one."""

    def decide(self, round_number: int, epsilon: float) -> Decision:
        """The decision of a round."""

    def observe(self, reward: float) -> None:
        """Shows the reward of the round just queried."""


class LateImplementation(Implementation, Protocol):
    """What the oracle drives, also with answers that come late, out of order or never, if it `takes_late` ones."""

    takes_late: bool

    def reset_late(self, policy: str, confidence: str, arms: int) -> str | None:
        """Starts a new run in which every answer comes by `answer`."""

    def answer(self, round_number: int, reward: float) -> None:
        """Shows the reward of a round that was queried, maybe long ago."""


def takes_late(implementation: Implementation) -> TypeGuard[LateImplementation]:
    """Whether an implementation declares that it takes late answers."""
    return bool(getattr(implementation, "takes_late", False))


@dataclass(frozen=True)
class Introduction:
    """What a program says of itself."""

    name: str
    language: str
    version: str
    policies: tuple[str, ...]
    confidence: tuple[str, ...]
    late: bool = False
    """Whether it takes late answers."""


class ProgramUnderTest:
    """A program behind the protocol."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._arms = 0
        self.takes_late = False

    def start(self) -> Introduction:
        """The first exchange; raises `BrokenProgram`."""
        request: dict[str, object] = {"command": "start", "version": PROTOCOL_VERSION}
        answer = self._program.ask(request)
        version = answer.get("version")
        if version != PROTOCOL_VERSION or isinstance(version, bool):
            raise wrong_shape(answer, f'"version": {PROTOCOL_VERSION}', request)
        implementation = answer.get("implementation")
        names = ("name", "language", "version")
        if not isinstance(implementation, dict) or not all(isinstance(implementation.get(n), str) for n in names):
            raise wrong_shape(answer, '"implementation": {"name", "language", "version"}, all text,', request)
        lists = {}
        for key in ("policies", "confidence"):
            entries = answer.get(key)
            if not isinstance(entries, list) or not entries or not all(isinstance(entry, str) for entry in entries):
                raise wrong_shape(answer, f'"{key}": a list of names', request)
            lists[key] = tuple(dict.fromkeys(str(entry) for entry in entries))
        late = answer.get("late", False)
        if not isinstance(late, bool):
            raise wrong_shape(answer, '"late": true or false, or none,', request)
        self.takes_late = late
        name, language, its_version = (str(implementation[key]) for key in names)
        return Introduction(name, language, its_version, lists["policies"], lists["confidence"], late)

    def reset(self, policy: str, confidence: str, arms: int) -> str | None:
        """A new run; raises `BrokenProgram`."""
        return self._reset({"command": "reset", "policy": policy, "confidence": confidence, "arms": arms}, arms)

    def reset_late(self, policy: str, confidence: str, arms: int) -> str | None:
        """A new run with late answers; raises `BrokenProgram`."""
        settings = {"policy": policy, "confidence": confidence, "arms": arms}
        return self._reset({"command": "reset", **settings, "late": True}, arms)

    def _reset(self, request: dict[str, object], arms: int) -> str | None:
        answer = self._program.ask(request)
        self._arms = arms
        if isinstance(reason := answer.get("skipped"), str):
            return reason
        if answer.get("ok") is not True:
            raise wrong_shape(answer, '{"ok": true} or {"skipped": "reason"}', request)
        return None

    def decide(self, round_number: int, epsilon: float) -> Decision:
        """A decision; raises `BrokenProgram`."""
        request: dict[str, object] = {"command": "decide", "round": round_number, "epsilon": epsilon}
        answer = self._program.ask(request)
        arm, query = answer.get("arm"), answer.get("query")
        if isinstance(arm, float) and arm.is_integer():
            arm = int(arm)
        if not isinstance(arm, int) or isinstance(arm, bool) or not isinstance(query, bool):
            raise wrong_shape(answer, '{"arm": number, "query": true or false}', request)
        if not 1 <= arm <= self._arms:
            zero = " (arms are numbered from 1: answer arm + 1)" if arm == 0 else ""
            raise wrong_shape(answer, f"an arm from 1 to {self._arms}{zero}", request)
        return Decision(arm, query)

    def observe(self, reward: float) -> None:
        """A reward; raises `BrokenProgram`."""
        self._tell({"command": "observe", "reward": reward})

    def answer(self, round_number: int, reward: float) -> None:
        """A late reward; raises `BrokenProgram`."""
        self._tell({"command": "observe", "round": round_number, "reward": reward})

    def _tell(self, request: dict[str, object]) -> None:
        answer = self._program.ask(request)
        if answer.get("ok") is not True:
            raise wrong_shape(answer, '{"ok": true}', request)

    def stop(self) -> None:
        """The last exchange; raises `BrokenProgram`."""
        self._program.stop()


class LiveObject(Protocol):
    """What a Python factory returns: `decide(round, epsilon)` gives (arm, query); `observe(reward)`."""

    def decide(self, round: int, epsilon: float, /) -> tuple[int, bool]:
        """The decision of a round."""

    def observe(self, reward: float, /) -> object:
        """Takes the reward of a queried round."""


class LateLiveObject(LiveObject, Protocol):
    """A live object that can go on without an answer."""

    def later(self) -> object:
        """Goes on without the answer to the round just queried."""

    def observe(self, reward: float, round: int = ..., /) -> object:
        """Takes the reward of a queried round, by default of the last one."""


class FactoryUnderTest:
    """Objects made by a factory, `arms -> object`, as an implementation of one policy.

    With `takes_late` the objects are `LateLiveObject`s.
    """

    def __init__(self, factory: Callable[[int], LiveObject], takes_late: bool = False) -> None:
        self.takes_late = takes_late
        self._late = False
        self._factory = factory
        self._live: LiveObject | None = None
        self._arms = 0

    def reset(self, policy: str, confidence: str, arms: int) -> str | None:
        """Makes a new object."""
        self._live = self._factory(arms)
        self._arms = arms
        self._late = False
        return None

    def reset_late(self, policy: str, confidence: str, arms: int) -> str | None:
        """Makes a new object, which will go on without answers."""
        self.reset(policy, confidence, arms)
        self._late = True
        return None

    def decide(self, round_number: int, epsilon: float) -> Decision:
        """Asks the object; raises `BrokenProgram` for an answer that is not (arm, query)."""
        assert self._live is not None
        answer = self._live.decide(round_number, epsilon)
        hint = "decide must return (arm, query), a whole number from 1 on and a truth value (numpy's will do)"
        try:
            arm, query = answer
            decision = Decision(int(arm), bool(query))
        except (TypeError, ValueError, OverflowError):
            raise BrokenProgram("wrong answer", f"decide returned {answer!r}", hint) from None
        # int("2"), int(1.9) and bool("no") would hide what the protocol refuses.
        if isinstance(arm, (str, bool)) or decision.arm != arm or not isinstance(query, (bool, np.bool_)):
            raise BrokenProgram("wrong answer", f"decide returned {answer!r}", hint)
        if not 1 <= decision.arm <= self._arms:
            if decision.arm == 0:
                hint = "arms are numbered from 1, as in the paper: return arm + 1 if yours are numbered from 0"
            raise BrokenProgram("wrong answer", f"decide returned {answer!r} with {self._arms} arms", hint)
        if self._late and decision.query:
            self._late_object().later()
        return decision

    def observe(self, reward: float) -> None:
        """Tells the object."""
        assert self._live is not None
        self._live.observe(reward)

    def answer(self, round_number: int, reward: float) -> None:
        """Tells the object, late."""
        self._late_object().observe(reward, round_number)

    def _late_object(self) -> LateLiveObject:
        """The object; raises `BrokenProgram` for one that does not know what it was declared to know."""
        live = self._live
        if not callable(getattr(live, "later", None)):
            hint = "an object that takes late answers has later(), and observe(reward, round)"
            raise BrokenProgram("wrong answer", "declared to take late answers, and has no method `later`", hint)
        return cast(LateLiveObject, live)
