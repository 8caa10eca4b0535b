"""Lets `bufalu conform` judge planted defects and correct variants, and writes the tables of docs/reach.md.

    python -m tests.oracle.planted [--only CLASS] [--workers N] [--results FILE] [--write]

Results are kept in a file, one line of JSON for each program, so that a run can be taken up again.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.bufalu.runner import ROOT
from tests.oracle.coverage import table
from tests.oracle.planted.judging import ConformRun, judged
from tests.oracle.planted.programs import PlantedChange, correct_variants, defects, missing_tool

PAGE = ROOT / "docs" / "reach.md"
BEGIN, END = "<!-- written by `make reach` -->", "<!-- end of what `make reach` writes -->"

COVERAGE = ("<!-- coverage, written by `make reach` -->", "<!-- end of the coverage -->")


@dataclass(frozen=True)
class Result:
    """What became of one program."""

    id: str
    group: str
    about: str
    program: str
    correct: bool
    outcome: ConformRun

    @property
    def as_it_should_be(self) -> bool:
        """A defect is found, a correct variant accepted."""
        return (self.outcome.exit_code == 0) == self.correct


def main() -> int:
    """Judges what is not judged yet, and says what survived; exit code 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.planted", description=__doc__)
    parser.add_argument("--only", metavar="CLASS", help="one class of defects, or `correct`")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--results", type=Path, default=ROOT / "reach.jsonl")
    parser.add_argument("--write", action="store_true", help="write the tables from the results, judge nothing")
    arguments = parser.parse_args()
    if not arguments.write:
        judge_all(arguments.results, arguments.only, arguments.workers)
    results = list(read(arguments.results))
    wrong = [result for result in results if not result.as_it_should_be]
    for result in wrong:
        print(f"{'rejected' if result.correct else 'SURVIVED'}: {result.program} {result.id} ({result.about})")
    print(f"{len(results)} programs, {len(wrong)} not as they should be")
    if arguments.write:
        text = PAGE.read_text(encoding="utf-8")
        text = _between(text, BEGIN, END, tables(results))
        PAGE.write_text(_between(text, *COVERAGE, table()[0]), encoding="utf-8")
    return 1 if wrong else 0


def _between(text: str, begin: str, end: str, new: str) -> str:
    """The text with what stands between two marks replaced."""
    return f"{text.split(begin, maxsplit=1)[0]}{begin}\n\n{new}\n{end}{text.split(end)[1]}"


def judge_all(path: Path, only: str | None, workers: int) -> None:
    """Judges every program of the class that the file does not know yet, and adds a line for each."""
    known = {(result.program, result.id) for result in read(path)}
    tasks = [(change, False) for change in defects()] + [(change, True) for change in correct_variants()]
    tasks = [
        (change, correct)
        for change, correct in tasks
        if (change.program, change.id) not in known
        and only in (None, change.group, "correct" if correct else change.group)
        and missing_tool(change.program) is None
    ]
    if not tasks:
        return
    with ProcessPoolExecutor(workers) as pool, path.open("a", encoding="utf-8") as stream:
        for result in pool.map(_judge, *zip(*tasks, strict=True)):
            stream.write(json.dumps(asdict(result)) + "\n")
            stream.flush()
            mark = "" if result.as_it_should_be else "  <-- not as it should be"
            print(f"{result.outcome.seconds:6.1f} s  {result.program:9}  {result.id}{mark}", flush=True)


def _judge(change: PlantedChange, correct: bool) -> Result:
    with tempfile.TemporaryDirectory() as name:
        outcome = judged(change.build(Path(name)), Path(name))
    return Result(change.id, change.group, change.about, change.program, correct, outcome)


def read(path: Path) -> Iterator[Result]:
    """The results in a file, none if there is no file; of programs that are still planted."""
    planted = {(change.program, change.id) for change in (*defects(), *correct_variants())}
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        outcome = ConformRun(**{**fields.pop("outcome"), "bugs": ()})
        result = Result(**fields, outcome=outcome)
        if (result.program, result.id) in planted:
            yield result


def tables(results: list[Result]) -> str:
    """Markdown: the classes with counts, stages and seconds, then every defect, then the correct variants."""
    wrong = [result for result in results if not result.correct]
    lines = [
        f"{len(wrong)} of {len(defects())} planted defects and {len(results) - len(wrong)} of {len(correct_variants())} "
        "correct variants were judged in this run.",
        "",
    ]
    lines += ["| class | planted | found | by the stages | seconds (median, most) |", "|---|---|---|---|---|"]
    for group in dict.fromkeys(result.group for result in wrong):
        members = [result for result in wrong if result.group == group]
        found = [result for result in members if result.as_it_should_be]
        stages: dict[str, int] = {}
        for result in found:
            stages[str(result.outcome.stage)] = stages.get(str(result.outcome.stage), 0) + 1
        seconds = sorted(result.outcome.seconds for result in members)
        told = ", ".join(f"{stage} {count}" for stage, count in sorted(stages.items(), key=lambda item: -item[1]))
        lines.append(
            f"| {group} | {len(members)} | {len(found)} | {told} | "
            f"{seconds[len(seconds) // 2]:.0f}, {seconds[-1]:.0f} |"
        )
    lines += ["", "| class | defect | program | found by | seconds |", "|---|---|---|---|---|"]
    for result in wrong:
        stage = result.outcome.stage if result.as_it_should_be else "**not found**"
        lines.append(
            f"| {result.group} | {result.about} | {result.program} | {stage} | {result.outcome.seconds:.0f} |"
        )
    lines += ["", "| correct variant | program | verdict | seconds |", "|---|---|---|---|"]
    for result in results:
        if result.correct:
            verdict = "accepted" if result.as_it_should_be else "**rejected**"
            lines.append(f"| {result.about} | {result.program} | {verdict} | {result.outcome.seconds:.0f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
