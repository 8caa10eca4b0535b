"""The options that several subcommands share: instance, schedule, policy, interval, horizon, ties."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bufalu.reference.comparisons import TIE_FORMS, TieBreak, parse_ties
from bufalu.reference.confidence import KNOWN_INTERVALS, ConfidenceInterval, confidence_named
from bufalu.reference.errors import InvalidInstance, InvalidNumber, InvalidTrace
from bufalu.reference.instance_files import read_instance
from bufalu.reference.instances import Instance
from bufalu.reference.policies import DEFAULT_INTERVAL, KNOWN_POLICIES, Policy, interval_beside, policy_named
from bufalu.reference.rationals import parse_count, parse_rational
from bufalu.reference.rewards import AnswerTimes
from bufalu.reference.schedules import KNOWN_SCHEDULES, Schedule, parse_schedule

if TYPE_CHECKING:
    from bufalu.oracle.sources import TraceSource

REWARDS = ("bernoulli", "deterministic")
_SQLITE = b"SQLite format 3\0"


def add_instance(parser: argparse.ArgumentParser) -> None:
    """--means with --rewards, or --instance."""
    parser.add_argument("--means", metavar="M1,M2,...", help="means of the arms, rationals or decimals: 1/4,0.5")
    parser.add_argument(
        "--rewards",
        choices=REWARDS,
        help="how rewards come from the means (default: bernoulli)",
    )
    parser.add_argument("--instance", metavar="FILE", help="a JSON file with the arms, for finite supports")


GRID = ("means", "rewards", "instance", "policy", "epsilon", "confidence", "ties", "horizon")
"""The options of a study."""


def add_grid(parser: argparse.ArgumentParser) -> None:
    """The options of a study: each may be repeated, but for --rewards, which goes with every --means."""

    def add(name: str, metavar: str, text: str) -> None:
        parser.add_argument(name, metavar=metavar, action="append", help=text)

    add("--means", "M1,M2,...", "means of the arms of an instance, rationals or decimals: 1/4,0.5")
    parser.add_argument("--rewards", choices=REWARDS, help="how rewards come from the means (default: bernoulli)")
    add("--instance", "FILE", "a JSON file with the arms, for finite supports")
    parser.add_argument(
        "--policy", metavar="POLICY", type=policy_text, action="append", help=_one_of(KNOWN_POLICIES.forms)
    )
    add("--epsilon", "SCHEDULE", f"one of: {', '.join(KNOWN_SCHEDULES.forms)}")
    parser.add_argument(
        "--confidence",
        metavar="INTERVAL",
        type=interval_text,
        action="append",
        help=f"{_one_of(KNOWN_INTERVALS.forms)} (default: hoeffding)",
    )
    add("--ties", "RULE", f"tie-break: {', '.join(TIE_FORMS)} (default: first)")
    parser.add_argument("--horizon", metavar="T", type=positive_integer, action="append", help="number of rounds T")


def add_trace(parser: argparse.ArgumentParser) -> None:
    """A trace, and what its file may not say."""
    parser.add_argument(
        "trace",
        metavar="TRACE",
        help="the trace: .npz, .csv, or JSON Lines under any other name; .gz unpacks the last two; - is stdin; or a journal",
    )
    add_policy(parser, default=None)
    add_confidence(parser, default=None)
    parser.add_argument("--arms", metavar="K", type=positive_integer, help="number of arms, if no header says")
    add_epsilon(parser, required=False)
    parser.add_argument(
        "--strict-columns", action="store_true", help="refuse columns of a CSV file that a trace does not have"
    )


@contextmanager
def chosen_trace(arguments: argparse.Namespace) -> Iterator[TraceSource]:
    """The trace file or the journal of `add_trace`; raises `InvalidTrace`, `UnusableFile` or `UnusableJournal`."""
    from bufalu.oracle.sources import TraceOptions, trace_source

    path: str = arguments.trace
    flags = TraceOptions(
        arguments.policy, arguments.confidence, arguments.arms, arguments.epsilon, arguments.strict_columns
    )
    if not is_journal(path):
        with trace_source(path, flags) as source:
            yield source
        return
    # What journals load, SQLite above all, is not for the start of every check.
    from bufalu.commands.journals import JournalSource
    from bufalu.live.journal import Journal

    if flags != TraceOptions():
        raise InvalidTrace(path, None, None, "a journal says itself what it is: leave out the options for that")
    with Journal.open(path) as journal:
        yield JournalSource(path, journal)


def is_journal(path: str) -> bool:
    """Whether a file is an SQLite database."""
    place = Path(path)
    if not place.is_file():
        return False
    with place.open("rb") as stream:
        return stream.read(len(_SQLITE)) == _SQLITE


def add_epsilon(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """--epsilon."""
    parser.add_argument(
        "--epsilon", metavar="SCHEDULE", required=required, help=f"one of: {', '.join(KNOWN_SCHEDULES.forms)}"
    )


class DefaultText(str):
    """The text of a default, which nobody asked for."""


def add_confidence(parser: argparse.ArgumentParser, default: str | None = DefaultText(DEFAULT_INTERVAL)) -> None:
    """--confidence."""
    parser.add_argument(
        "--confidence", metavar="INTERVAL", type=interval_text, default=default, help=_one_of(KNOWN_INTERVALS.forms)
    )


def add_policy(parser: argparse.ArgumentParser, default: str | None = "bufalu") -> None:
    """--policy."""
    parser.add_argument(
        "--policy", metavar="POLICY", type=policy_text, default=default, help=_one_of(KNOWN_POLICIES.forms)
    )


def add_horizon(parser: argparse.ArgumentParser) -> None:
    """--horizon."""
    parser.add_argument("--horizon", metavar="T", type=positive_integer, required=True, help="number of rounds T")


def add_answer_times(parser: argparse.ArgumentParser) -> None:
    """--delay and --missing."""
    parser.add_argument(
        "--delay", metavar="D", type=parse_count, help="answers are known D rounds later (default: 0)"
    )
    parser.add_argument("--missing", metavar="P", help="the probability that an answer never comes (default: 0)")


def chosen_answer_times(arguments: argparse.Namespace, seed: int) -> AnswerTimes | None:
    """When answers are known; None for the next round always."""
    if arguments.delay is None and arguments.missing is None:
        return None
    return AnswerTimes(arguments.delay or 0, parse_rational(arguments.missing or "0"), seed)


def add_ties(parser: argparse.ArgumentParser) -> None:
    """--ties."""
    parser.add_argument("--ties", metavar="RULE", default="first", help=f"tie-break: {', '.join(TIE_FORMS)}")


def add_seed(parser: argparse.ArgumentParser) -> None:
    """--seed."""
    parser.add_argument("--seed", metavar="N", type=natural_number, default=0, help="seed (default: 0)")


def add_workers(parser: argparse.ArgumentParser, default: int) -> None:
    """--workers."""
    parser.add_argument(
        "--workers", metavar="N", type=positive_integer, default=default, help=f"processes (default: {default})"
    )


def add_strict(parser: argparse.ArgumentParser) -> None:
    """--strict."""
    parser.add_argument("--strict", action="store_true", help="accept only the decisions of exact arithmetic")


def add_json(parser: argparse.ArgumentParser) -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help="print JSON to stdout")


def chosen_instance(arguments: argparse.Namespace) -> Instance:
    """The instance of --means and --rewards, or of --instance; raises `InvalidInstance` unless one is given."""
    if (arguments.means is None) == (arguments.instance is None):
        raise InvalidInstance("give the arms with --means 1/4,1/2 or with --instance FILE (one of the two)")
    if arguments.instance is not None:
        if arguments.rewards is not None:
            raise InvalidInstance("--rewards goes with --means; an instance file says itself how its arms pay")
        return read_instance(arguments.instance)
    return instance_of_means(arguments.means, arguments.rewards)


def instance_of_means(means: str, rewards: str | None) -> Instance:
    """The instance of a text of means; arms pay as Bernoulli variables unless `rewards` says otherwise."""
    numbers = [parse_rational(part) for part in means.split(",")]
    return Instance.deterministic(numbers) if rewards == "deterministic" else Instance.bernoulli(numbers)


def chosen_schedule(arguments: argparse.Namespace) -> Schedule:
    """The schedule of --epsilon."""
    return parse_schedule(arguments.epsilon)


def chosen_confidence(arguments: argparse.Namespace) -> ConfidenceInterval:
    """The interval of --confidence; raises `InvalidInterval` if it was asked for and the policy has none."""
    asked = None if isinstance(arguments.confidence, DefaultText) else arguments.confidence
    return confidence_named(interval_beside(chosen_policy(arguments), asked))


def chosen_policy(arguments: argparse.Namespace) -> Policy:
    """The policy of --policy."""
    return policy_named(arguments.policy)


def chosen_ties(arguments: argparse.Namespace) -> TieBreak:
    """The tie-break of --ties."""
    return parse_ties(arguments.ties)


class OwnText(str):
    """The text of something of the user's own, which remembers how it was given: `mine.py:Mine`."""

    given: str

    def __new__(cls, text: str, given: str) -> OwnText:
        """The text, with what stood on the command line."""
        made = super().__new__(cls, text)
        made.given = given
        return made


def as_given(text: str) -> str:
    """What stood on the command line for a policy or an interval."""
    return text.given if isinstance(text, OwnText) else text


def policy_text(text: str) -> str:
    """The text of a policy, for argparse; FILE.py:NAME is loaded and known by its own text from then on."""
    if ".py:" not in text:
        return text
    from bufalu.commands.own_files import own_policy

    return OwnText(own_policy(text).text, text)


def interval_text(text: str) -> str:
    """The text of an interval, for argparse; FILE.py:NAME is loaded and known by its own text from then on."""
    if ".py:" not in text:
        return text
    from bufalu.commands.own_files import own_interval

    return OwnText(own_interval(text).text, text)


def _one_of(forms: tuple[str, ...]) -> str:
    return f"one of: {', '.join(forms)}; or FILE.py:NAME, your own"


def positive_integer(text: str) -> int:
    """A whole number from 1 to 10^18, also written `1e6` or `1_000_000`, for argparse."""
    return _count(text, 1)


def natural_number(text: str) -> int:
    """A whole number from 0 to 10^18, also written `1e6` or `1_000_000`, for argparse."""
    return _count(text, 0)


def _count(text: str, least: int) -> int:
    try:
        return parse_count(text, least)
    except InvalidNumber as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
