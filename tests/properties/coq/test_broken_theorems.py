"""The kernel rejects every broken theorem, at its own proof; so the numbers in the statements are not decoration."""

import re
import subprocess
from pathlib import Path

import pytest

from bufalu.properties.coq import checks as kernel
from bufalu.properties.coq.theorem import BrokenVersion, broken_versions_in
from bufalu.properties.coq.theorems import PROOFS, written_texts

TEXTS = written_texts(PROOFS)
BY_FILE = {name: broken for name, text in TEXTS.items() if (broken := broken_versions_in(text))}


def _tried_in(text: str, name: str, broken: BrokenVersion) -> str:
    """The text of the theorem's file in which the broken statement is put to the same proof before the true one.

    Coq's prompt names the theorem once its statement is well-formed, and `Fail Check` says that it was not proved.
    """
    found = re.search(rf"^((?:Theorem|Lemma) ){name}(\b.*?)(^Proof\..*?Qed\.)", text, flags=re.DOTALL | re.MULTILINE)
    assert found, f"{name} is not stated"
    word, statement, proof = found.groups()
    assert broken.was in statement, f"{name} does not say {broken.was}"
    version = f"{word}broken_{name}{statement.replace(broken.was, broken.becomes)}{proof}"
    after = f"Abort All.\nFail Check broken_{name}."
    return f"{text[: found.start()]}{version}\n{after}\n{text[found.start() :]}"


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
@pytest.mark.kills(*(f"coq.{name}" for broken in BY_FILE.values() for name in broken))
@pytest.mark.parametrize("file", BY_FILE)
def test_the_kernel_rejects_broken_theorems_at_their_proofs(file: str, built: Path) -> None:
    text = TEXTS[file]
    for name, broken in BY_FILE[file].items():
        text = _tried_in(text, name, broken)
    proved = "".join(f"Check {name}.\n" for name in BY_FILE[file])
    answers = _answers(built, text + proved)
    for name, broken in BY_FILE[file].items():
        assert f" broken_{name} < " in answers, f"the broken statement is not well-formed: {name}, {broken}"
        assert f"The reference broken_{name} was not found" in answers, f"the kernel accepts {name}, {broken}"
        assert f" {name} : " in answers, f"the true theorem is not proved: {name}"


@pytest.mark.coq
@pytest.mark.skipif(kernel.find_coqc() is None, reason="coqc is missing: no broken theorem was put to the kernel")
def test_a_version_that_the_proof_does_prove_is_not_called_rejected(built: Path) -> None:
    harmless = BrokenVersion("1 / 4", "(1 / 4)")
    name = "the_variance_of_a_reward_is_at_most_a_quarter"
    (text,) = (text for text in TEXTS.values() if f"Theorem {name} " in text)
    answers = _answers(built, _tried_in(text, name, harmless))
    assert f"The reference broken_{name} was not found" not in answers
    assert "The command has not failed!" in answers
