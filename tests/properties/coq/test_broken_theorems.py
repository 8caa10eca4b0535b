"""The kernel rejects every broken theorem, at its own proof; so the numbers in the statements are not decoration."""

import re
import subprocess
from pathlib import Path

import pytest

from bufalu.properties.coq import checks as kernel
from tests.properties.coq.broken_lower_bounds import BROKEN_LOWER_BOUNDS
from tests.properties.coq.broken_theorems import BROKEN, BrokenTheorem

PROOFS = Path(__file__).resolve().parents[3] / "proofs"
ORDER = kernel.ordered_files(PROOFS)
EVERY_BROKEN = (*BROKEN, *BROKEN_LOWER_BOUNDS)
TEXTS = {name: (PROOFS / name).read_text(encoding="utf-8") for name in ORDER}


def _file_of(theorem: str) -> str:
    (name,) = (
        each for each, text in TEXTS.items() if re.search(rf"^(?:Theorem|Lemma) {theorem}\b", text, re.MULTILINE)
    )
    return name


def _compile(place: Path, name: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["coqc", "-q", "-R", ".", "Bufalu", name], cwd=place, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the compiled development. What Coq said of it is remembered: other tests need no second build."""
    compiler = kernel.find_coqc()
    assert compiler is not None
    place = tmp_path_factory.mktemp("proofs")
    texts = kernel._texts(PROOFS)
    remembered = kernel._remembered(kernel.default_cache(), kernel._version(compiler), texts)
    kernel._remember(remembered, kernel._compile(compiler, texts, place))
    return place


@pytest.mark.coq
@pytest.mark.xdist_group("coq")
@pytest.mark.skipif(kernel.find_coqc() is None, reason="coqc is missing: no broken theorem was put to the kernel")
@pytest.mark.kills(*(f"coq.{broken.name}" for broken in EVERY_BROKEN))
@pytest.mark.parametrize("broken", EVERY_BROKEN, ids=lambda each: each.name)
def test_the_kernel_rejects_a_broken_theorem_at_its_proof(broken: BrokenTheorem, built: Path) -> None:
    text, first, last = broken.in_text(TEXTS[_file_of(broken.name)])
    (built / "Broken.v").write_text(text, encoding="utf-8")
    done = _compile(built, "Broken.v")
    assert done.returncode != 0, f"the kernel accepts {broken}"
    line = re.search(r'File "\./Broken\.v", line (\d+)', done.stderr)
    assert line, done.stderr
    assert first <= int(line.group(1)) <= last, f"rejected elsewhere than at {broken.name}: {done.stderr}"


def test_what_a_broken_theorem_exchanges_is_in_its_statement() -> None:
    for broken in EVERY_BROKEN:
        text, first, last = broken.in_text(TEXTS[_file_of(broken.name)])
        assert text != TEXTS[_file_of(broken.name)]
        assert first < last
