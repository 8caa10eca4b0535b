"""A verdict in Markdown, as GitHub shows it under a step: the headline, one row for each case, the argument."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bufalu.pages.outcome import Ending, Outcome, presentable

MOST_CHARACTERS = 200_000
"""Of the details of one case; GitHub takes a megabyte for a whole step."""

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&$@])")
_MARKS = {Ending.CONFORMS: "✅", Ending.SKIPPED: "⏭️", Ending.UNFINISHED: "⏭️"}
_OTHER_MARK = "❌"


def summary(outcome: Outcome) -> str:
    """The page."""
    lines = [f"## {_mark(outcome.verdict)} {outcome.command}: {outcome.verdict.value}", ""]
    lines += [inline(outcome.headline), ""]
    lines += ["| judged | verdict | |", "|---|---|---|"]
    for case in outcome.cases:
        mark = _mark(case.verdict)
        lines.append(f"| {inline(case.name)} | {mark} {case.verdict.value} | {inline(case.message)} |")
    for case in outcome.cases:
        if case.details:
            lines += ["", f"### {inline(case.name)}", "", *fenced(case.details)]
    if outcome.again:
        lines += ["", "To see it again:", "", *fenced(outcome.again)]
    return presentable("\n".join(lines) + "\n")


def inline(text: str) -> str:
    """Text from elsewhere on one line, with nothing in it that Markdown understands."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def fenced(lines: Sequence[str]) -> list[str]:
    """Lines as they are, in a fence that nothing in them closes."""
    text = "\n".join(lines)
    if len(text) > MOST_CHARACTERS:
        text = f"{text[:MOST_CHARACTERS]}\n... ({len(text) - MOST_CHARACTERS} characters more)"
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", text, fence]


def _mark(verdict: Ending) -> str:
    return _MARKS.get(verdict, _OTHER_MARK)
