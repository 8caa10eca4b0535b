"""What the skipped tests lack, in one closing line, each with the command that enables them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from bufalu.commands.doctor import PARTS, ExternalTool

ENABLED_BY = {
    **{command: part.install for part in PARTS if isinstance(part, ExternalTool) for command in part.commands},
    "coqchk": "apt-get install coq",
    "cc": "apt-get install gcc libc6-dev",
    "gcc": "apt-get install gcc libc6-dev",
    "rustc": "apt-get install rustc",
    "javac": "apt-get install default-jdk-headless",
    "go": "apt-get install golang-go",
    "julia": "see julialang.org",
    "the wild": "make wild",
    "river": "make adapters",
    "gymnasium": "make adapters",
    "mabwiser": "make adapters",
    "the paper's source": "make test BUFALU_PAPER=paper.tex",
}
"""The command for everything of which a reason says that it is missing or not installed."""

LONG = ("browser", "coq", "long")
"""The markers of what takes long by nature: it has a command of its own, beside `make test`."""

LEFT_TO_LONG = "what `make long` runs, as .ci/run does"
"""Why `make test` does not run a test with one of these markers."""


def closing_line(reasons: Iterable[str]) -> str:
    """How many tests were skipped for want of what; reasons of another kind are repeated as they are."""
    wanting: Counter[str] = Counter()
    names: defaultdict[str, set[str]] = defaultdict(set)
    others: Counter[str] = Counter()
    for reason in reasons:
        text = reason.removeprefix("Skipped: ")
        lack = re.match(r"(.+?) is (?:missing|not installed)\b", text)
        if lack is not None and lack[1] in ENABLED_BY:
            command = ENABLED_BY[lack[1]]
            wanting[command] += 1
            names[command].add(lack[1])
        else:
            others[text] += 1
    said = [
        f"{count} without {' or '.join(sorted(names[command]))} ({command})"
        for command, count in wanting.most_common()
    ]
    return "skipped: " + ", ".join([*said, *(f"{count}: {text}" for text, count in others.most_common())])
