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


STATED = [
    (theorem, name)
    for name in ORDER
    for theorem in re.findall(r"^(?:Theorem|Lemma) (\w+)", TEXTS[name], re.MULTILINE)
]


def _file_of(broken: BrokenTheorem) -> str:
    (name,) = (name for theorem, name in STATED if theorem == broken.name)
    return name


BY_FILE: dict[str, list[BrokenTheorem]] = {}
for each in EVERY_BROKEN:
    BY_FILE.setdefault(_file_of(each), []).append(each)


def _answers(place: Path, text: str) -> str:
    """What Coq says to the text, sentence by sentence; it goes on after an error, as the compiler does not."""
    done = subprocess.run(
        ["coqtop", "-q", "-R", ".", "Bufalu"], cwd=place, input=text, capture_output=True, text=True, check=False
    )
    return " ".join((done.stdout + done.stderr).split())


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
@pytest.mark.skipif(kernel.find_coqc() is None, reason="coqc is missing: no broken theorem was put to the kernel")
@pytest.mark.kills(*(f"coq.{broken.name}" for broken in EVERY_BROKEN))
@pytest.mark.parametrize("name", BY_FILE)
def test_the_kernel_rejects_broken_theorems_at_their_proofs(name: str, built: Path) -> None:
    text = TEXTS[name]
    for broken in BY_FILE[name]:
        text = broken.tried_in(text)
    proved = "".join(f"Check {broken.name}.\n" for broken in BY_FILE[name])
    answers = _answers(built, text + proved)
    for broken in BY_FILE[name]:
        assert f" {broken.new_name} < " in answers, f"the broken statement is not well-formed: {broken}"
        assert f"The reference {broken.new_name} was not found" in answers, f"the kernel accepts {broken}"
        assert f" {broken.name} : " in answers, f"the true theorem is not proved: {broken.name}"


@pytest.mark.coq
@pytest.mark.skipif(kernel.find_coqc() is None, reason="coqc is missing: no broken theorem was put to the kernel")
def test_a_version_that_the_proof_does_prove_is_not_called_rejected(built: Path) -> None:
    harmless = BrokenTheorem("the_variance_of_a_reward_is_at_most_a_quarter", "1 / 4", "(1 / 4)")
    answers = _answers(built, harmless.tried_in(TEXTS[_file_of(harmless)]))
    assert f"The reference {harmless.new_name} was not found" not in answers
    assert "The command has not failed!" in answers
