"""`bufalu explain`: a picture of one run."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from bufalu.commands import options
from bufalu.commands.terminal import Progress
from bufalu.reference.whole_files import check_writable, write_whole

if TYPE_CHECKING:
    from bufalu.pages.story import Story

HELP = """\
Draw a trace: intervals, leader and challenger, queries, the epsilon test and the reason for each decision.

The page (--html) opens offline, zooms, and shows the exact state of the round under the pointer; the picture (--svg)
is static. A trace that does not conform, by the judgement of `bufalu check`, shows its first divergent round. Without
either, prints a summary. Exit code: 0 conforms, 1 nonconforming, 2 not a trace."""

EXAMPLE = """\
  bufalu explain trace.jsonl --html trace.html --svg trace.svg"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `explain`."""
    options.add_trace(parser)
    parser.add_argument("--html", metavar="FILE", help="write a page there")
    parser.add_argument("--svg", metavar="FILE", help="write a static picture there")
    options.add_strict(parser)
    options.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draws, and says what the run did; exit code 1 for a trace that does not conform."""
    from bufalu.commands.journals import source_of
    from bufalu.pages.story import tell_blocks
    from bufalu.pages.trace_page import trace_page
    from bufalu.pages.trace_svg import title, trace_svg

    for path, endings in ((arguments.html, (".html", ".htm")), (arguments.svg, (".svg",))):
        if path is not None:
            check_writable(path, endings)
    with source_of(arguments.trace, options.trace_flags(arguments)) as file:
        header, blocks = file.header, list(file.blocks())
    with Progress(sum(len(block) for block in blocks), "rounds", "explaining") as progress:
        story = tell_blocks(header, blocks, progress.update, strict=arguments.strict)
    for path, make in ((arguments.html, trace_page), (arguments.svg, trace_svg)):
        if path is not None:
            write_whole(path, make(story))
    if arguments.json:
        print(json.dumps(summary(story), indent=2))
    else:
        print(title(story))
        for reason, count in summary_counts(story).items():
            print(f"  {count:>9,}  {reason}")
        if story.divergence is not None:
            print(f"  round {story.divergence} does not conform; admissible: {'; '.join(story.admissible)}")
    return 0 if story.divergence is None else 1


def summary(story: Story) -> dict[str, object]:
    """What the run did, for machines."""
    return {
        "rounds": story.length,
        "queries": int(story.queried.sum()),
        "reasons": summary_counts(story),
        "first_divergence": story.divergence,
        "admissible": story.admissible,
    }


def summary_counts(story: Story) -> dict[str, int]:
    """How many rounds were decided for each reason."""
    from bufalu.reference.policies.decisions import REASONS

    return {reason.value: count for reason, count in zip(REASONS, story.reason_counts(), strict=True) if count}
