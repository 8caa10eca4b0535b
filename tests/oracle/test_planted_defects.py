"""Planted defects in C and JavaScript: `bufalu conform` finds every one of them and accepts every correct variant.

A sample here, all of them in the nightly profile; `python -m tests.oracle.planted` writes the table of the documents.
"""

from pathlib import Path

import pytest

from tests.oracle.planted.judging import judged
from tests.oracle.planted.programs import PlantedChange, correct_variants, defects, missing_tool

ALL = {change.id: change for change in defects()}
FEW = ("--examples", "5", "--arms", "9")
BERNSTEIN = ("--policy", "bufalu", "--confidence", "bernstein", "--rounds", "50", *FEW)
SHORT = ("--policy", "bufalu", "--confidence", "hoeffding", "--rounds", "50", *FEW)
LATE = ("--policy", "bufalu", "--confidence", "hoeffding", "--rounds", "1200", "--examples", "5", "--arms", "40")

NAMED = {
    "queries-in-8-bits": ("count-in-8-bits-deviations",),
    "epsilon-one-round-late": ("epsilon-of-previous-round",),
    "constant-1.499999": (),
    "unanswered-radius-of-one": (),
}
"""What some of the sample are called; nothing where no known bug explains it."""

SAMPLE = (
    ("looks-at-eight-arms", SHORT),
    ("queries-in-8-bits", SHORT),
    ("constant-1.499999", SHORT),
    ("epsilon-one-round-late", SHORT),
    ("infinity-is-1e6", BERNSTEIN),
    ("skips-all-but-smoke", SHORT),
    ("js-fround-rewards", SHORT),
    ("late-over-500-dropped", LATE),
    ("late-forgotten-by-growth", LATE),
    ("unanswered-asked-again", LATE),
    ("late-arm-in-5-bits", LATE),
    ("unanswered-radius-of-one", LATE),
)


def built(change: PlantedChange, folder: Path) -> list[str]:
    tool = missing_tool(change.program)
    if tool is not None:
        pytest.skip(f"{tool} is not installed")
    return change.build(folder)


def test_the_collection_is_large_and_every_change_can_be_made() -> None:
    assert len(ALL) == len(defects()) >= 120
    assert {change.program for change in defects()} == {"bufalu.c", "bufalu.js"}
    for change in (*defects(), *correct_variants()):
        assert change.source()


@pytest.mark.long
@pytest.mark.parametrize(("identifier", "options"), SAMPLE, ids=lambda value: value if isinstance(value, str) else "")
def test_a_sample_is_found(identifier: str, options: tuple[str, ...], tmp_path: Path) -> None:
    outcome = judged(built(ALL[identifier], tmp_path), tmp_path, options)
    assert outcome.exit_code in (1, 3)
    assert outcome.stage
    if identifier in NAMED:
        assert outcome.bugs == NAMED[identifier]


@pytest.mark.long
@pytest.mark.parametrize("identifier", ["plain-sums"])
def test_a_sample_of_correct_variants_is_accepted(identifier: str, tmp_path: Path) -> None:
    (change,) = (one for one in correct_variants() if (one.id, one.program) == (identifier, "bufalu.c"))
    assert judged(built(change, tmp_path), tmp_path, BERNSTEIN).exit_code == 0


@pytest.mark.nightly
@pytest.mark.parametrize("change", defects(), ids=lambda change: change.id)
def test_every_defect_is_found_by_the_default_run(change: PlantedChange, tmp_path: Path) -> None:
    assert judged(built(change, tmp_path), tmp_path).exit_code in (1, 3)


@pytest.mark.nightly
@pytest.mark.parametrize("change", correct_variants(), ids=lambda change: f"{change.program}-{change.id}")
def test_every_correct_variant_is_accepted_by_the_default_run(change: PlantedChange, tmp_path: Path) -> None:
    assert judged(built(change, tmp_path), tmp_path).exit_code == 0
