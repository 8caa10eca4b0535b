"""`bufalu explain`: a picture of one run."""

from __future__ import annotations

import argparse
import json

from bufalu.commands import options
from bufalu.commands.terminal import Progress
from bufalu.reference.whole_files import check_writable, write_whole

HELP = """\
Draw a trace: intervals, leader and challenger, queries, the epsilon test and the reason for each decision.

The page (--html) opens offline, zooms, and shows the exact state of the round under the pointer; the picture (--svg)
is static; a summary is printed in any case. A trace that does not conform, by the judgement of `bufalu check`, shows
its first divergent round. Exit code: 0 conforms, 1 nonconforming, 2 not a trace."""

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
    from bufalu.oracle.report import check_file
    from bufalu.pages.story import tell_blocks
    from bufalu.pages.trace_outcome import report_document, report_lines
    from bufalu.pages.trace_page import trace_page
    from bufalu.pages.trace_svg import title, trace_svg

    for path, endings in ((arguments.html, (".html", ".htm")), (arguments.svg, (".svg",))):
        if path is not None:
            check_writable(path, endings)
    with options.chosen_trace(arguments) as file:
        blocks = list(file.blocks())
        with Progress(sum(len(block) for block in blocks), "rounds", "explaining") as progress:
            story = tell_blocks(file.header, blocks, progress.update, strict=arguments.strict)
        # The argument and the likely bugs are those of `bufalu check`.
        report = None if story.divergence is None else check_file(file, arguments.strict)
    argument = [] if report is None else report_lines(report)
    if arguments.html is not None:
        write_whole(arguments.html, trace_page(story, argument))
    if arguments.svg is not None:
        write_whole(arguments.svg, trace_svg(story))
    if arguments.json:
        bugs = None if report is None else report_document(report)["likely_bugs"]
        print(json.dumps({**story.document(), "likely_bugs": bugs}, indent=2))
    else:
        print("\n".join([title(story), *story.lines(), *argument]))
    return 0 if story.divergence is None else 1
