"""`bufalu live`: a policy in use, from a shell or from any language."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from bufalu.commands import check, options
from bufalu.reference.errors import InvalidNumber, InvalidReward
from bufalu.reference.rationals import parse_rational
from bufalu.reference.whole_files import check_writable, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from bufalu.live.deciding import Step
    from bufalu.live.journal import Journal

HELP = """\
Run a policy for real: which arm next, whether to ask for its reward, and why; keep a journal.

A journal is one SQLite file. `new` creates it, `next` decides a round, `answer` takes the reward of a round that asked
(or --none: it will never come), `show` tells what is known, `check` whether every decision is one of the policy (as
`bufalu check` does, while others go on writing). Answers may come late, in any order or never; several programs may use
one journal at a time; a crash loses nothing. Every verb takes --json. Exit code: 0 done (or conforms), 1 nonconforming,
2 refused, and nothing was changed."""

EXAMPLE = """\
  bufalu live new prompts.db --names short,polite,long --epsilon power:1/4 --range 1,5
  bufalu live next prompts.db
  bufalu live answer prompts.db 1 4
  bufalu live show prompts.db
  bufalu live check prompts.db"""

_CHECK = "Check every decision of a journal against its policy: `bufalu check FILE`, with its options."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subcommands of `live`."""
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    def add(name: str, text: str) -> argparse.ArgumentParser:
        verb: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
        verb.add_argument("journal", metavar="FILE", help="the journal")
        options.add_json(verb)
        return verb

    new = add("new", "Create a journal; one that exists with the same settings is left as it is.")
    new.add_argument("--names", metavar="A,B,...", required=True, help="the names of the arms, at least one")
    options.add_policy(new, default=None)
    options.add_epsilon(new)
    new.add_argument(
        "--range",
        metavar="LOWEST,HIGHEST",
        help="the range of the rewards (default: 0,1); epsilon has the same unit",
    )
    options.add_confidence(new, default=None)
    new.add_argument(
        "--ties", metavar="RULE", help="tie-break: first, last, random:SEED (default: random, a new seed)"
    )
    new.add_argument(
        "--known",
        metavar="NAME=R1,R2,...",
        action="append",
        default=[],
        help="rewards of an arm from before the first round, of the same kind; may be given for each arm",
    )
    add("next", "Decide the next round: which arm, whether to ask, and why.")
    answer = add("answer", "Take the reward of a round that asked.")
    answer.add_argument("step", metavar="ID", type=options.positive_integer, help="the id that `next` printed")
    given = answer.add_mutually_exclusive_group(required=True)
    given.add_argument("reward", metavar="REWARD", nargs="?", help="the reward: 4, 0.25 or 1/3")
    given.add_argument("--none", action="store_true", help="the answer will never come")
    show = add("show", "Tell what is known: counts, means, intervals, what is waited for.")
    show.add_argument("--html", metavar="FILE", help="write a page that opens offline")
    show.add_argument("--cost", metavar="C", help="the price of an answer, for the page: 0.05")
    checked = verbs.add_parser("check", help=_CHECK, description=_CHECK)
    check.add_arguments(checked)


def run(arguments: argparse.Namespace) -> int:
    """Does what the verb says; raises a `BufaluError` for what is refused."""
    verbs: dict[str, Callable[[argparse.Namespace], int]] = {
        "new": _new,
        "next": _next,
        "answer": _answer,
        "show": _show,
        "check": _check,
    }
    return verbs[arguments.verb](arguments)


def _opened(arguments: argparse.Namespace) -> Journal:
    from bufalu.live.journal import Journal

    return Journal.open(arguments.journal)


def _new(arguments: argparse.Namespace) -> int:
    from bufalu.live.journal import Journal

    ends = None
    if arguments.range is not None:
        lowest, comma, highest = arguments.range.partition(",")
        if not comma:
            raise InvalidReward(
                f"--range takes the smallest and the largest reward, such as 1,5, not {arguments.range}"
            )
        ends = (parse_rational(lowest), parse_rational(highest))
    journal = Journal.open(
        arguments.journal,
        arguments.names.split(","),
        arguments.policy,
        arguments.epsilon,
        ends,
        confidence=arguments.confidence,
        ties=arguments.ties,
        known=_known(arguments.known) or None,
    )
    taken = journal.rounds
    state = f"taken up after {taken} rounds" if taken else "ready"
    _tell(arguments, {**asdict(journal.settings), "rounds": taken}, f"{arguments.journal}: {state}")
    return 0


def _known(texts: list[str]) -> dict[str, list[str]]:
    """The rewards that --known has for each arm."""
    known: dict[str, list[str]] = {}
    for text in texts:
        name, equals, rewards = text.rpartition("=")
        if not equals:
            raise InvalidReward(f"--known takes an arm and its rewards, such as red=3,4, not {text}")
        known.setdefault(name, []).extend(rewards.split(","))
    return known


def _next(arguments: argparse.Namespace) -> int:
    with _opened(arguments) as journal:
        step = journal.next()
    _tell(arguments, step._asdict(), _step_line(step))
    return 0


def _answer(arguments: argparse.Namespace) -> int:
    with _opened(arguments) as journal:
        if arguments.none:
            journal.no_answer(arguments.step)
        else:
            journal.answer(arguments.step, arguments.reward)
    _tell(arguments, {"id": arguments.step, "answered": not arguments.none}, f"step {arguments.step} is closed")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    from bufalu.pages.journal_text import journal_lines

    cost = None if arguments.cost is None else parse_rational(arguments.cost)
    if cost is not None and (cost < 0 or arguments.html is None):
        raise InvalidNumber(f"--cost is the price of an answer on the page of --html, not below 0: {arguments.cost}")
    if arguments.html is not None:
        check_writable(arguments.html, (".html", ".htm"))
    with _opened(arguments) as journal:
        if arguments.html is not None:
            from bufalu.pages.journal_page import journal_page

            write_whole(arguments.html, journal_page(Path(arguments.journal).name, journal, cost))
        summary, waiting = journal.summary(), journal.waiting
        told = {
            **asdict(summary),
            "settings": asdict(journal.settings),
            "waiting": [step._asdict() for step in waiting],
        }
    _tell(arguments, told, "\n".join(journal_lines(summary, waiting)))
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from bufalu.commands.journals import check_journal

    check_journal(arguments.trace)
    return check.run(arguments)


def _step_line(step: Step) -> str:
    return f"{step.id} {'ask' if step.ask else 'play'} {step.arm} ({step.reason})"


def _tell(arguments: argparse.Namespace, told: dict[str, object], text: str) -> None:
    print(json.dumps(told, indent=2) if arguments.json else text)
