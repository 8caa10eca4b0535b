"""The order of test files: what takes longest comes first, so that no worker has a long file left when the others are done.

With `--dist loadfile` a worker takes one file after the other, so that what a file sets up is made once.
"""

from pathlib import Path

import pytest

LONGEST_FIRST = (
    "experiments/engine/test_engine.py",  # compiles the kernels in a fresh clone, while the next file needs none
    "bufalu/test_conform_command.py",
    "docs/test_snippets.py",
    "properties/mutants/test_every_mutant_dies.py",
    "properties/runs/test_checks.py",
    "properties/smt/test_code_proofs.py",
    "experiments/paper/test_reproduction.py",
    "experiments/studies/test_compare.py",
    "oracle/test_far_bugs.py",
    "properties/own/test_own_audit.py",
    "properties/expectations/test_checks.py",
    "properties/coq/test_broken_theorems.py",  # asks for the build of the proofs, which is made by then
    "bufalu/test_faults.py",
    "bounds/test_planning.py",
    "bufalu/test_stranger.py",
    "bufalu/test_testing_module.py",
    "oracle/test_pairs.py",
    "properties/smt/test_necessity.py",
    "experiments/studies/test_cluster.py",
    "bounds/test_pairs.py",
    "experiments/studies/test_pair_rows.py",
    "oracle/test_checking.py",
    "docs/test_site.py",
    "oracle/test_planted_defects.py",
    "docs/test_notebook.py",
    "experiments/engine/test_engine_agrees.py",
    "oracle/test_schemas_and_vectors.py",
    "properties/runs/test_generators.py",
    "oracle/test_soak.py",
    "oracle/test_conformance.py",
    "bounds/test_frontier.py",
    "properties/runs/test_statements.py",
    "properties/mutants/test_known_bugs_are_killed.py",
    "bufalu/test_fuzz.py",
    "reference/test_exact.py",
    "pages/test_replay.py",
    "reference/test_simulation.py",
    "bufalu/test_replays.py",
    "law/test_law.py",
    "properties/own/test_verdicts_agree.py",
    "bufalu/test_tutorial.py",
    "pages/test_story.py",
    "bufalu/test_plan_command.py",
    "oracle/test_late_games.py",
    "meta/test_distribution.py",
    "bufalu/test_whole_files.py",
    "oracle/test_coverage.py",
)
"""Files of five seconds and more of processor time, the longest first; `pytest --durations=0` tells."""

_PLACE = {name: place for place, name in enumerate(LONGEST_FIRST)}
_FOLDER = Path(__file__).parent


def place(item: pytest.Item) -> tuple[bool, int, bool]:
    """Where the file of a test comes: Coq first, which leaves the build of the proofs behind; then listed files, the
    others, and last the other commands, some of which audit claims that need that build.
    """
    file = item.path.relative_to(_FOLDER)
    listed = _PLACE.get(file.as_posix(), len(_PLACE))
    return file.parent.name != "coq" or listed < len(_PLACE), listed, file.parts[0] == "bufalu"
