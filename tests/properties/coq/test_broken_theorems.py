"""The kernel rejects every broken theorem, at its own proof; so the numbers in the statements are not decoration."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from bufalu.properties.coq.hypotheses import without_proofs
from bufalu.properties.coq.kernel import check_proofs
from bufalu.properties.coq.theorem import BrokenVersion, broken_versions_in
from bufalu.properties.coq.theorems import PROOFS, written_texts
from tests.properties.coq.development import answers, kernel_says, small_development
from tests.properties.coq.dialogue import ATTEMPT, ATTEMPTS, GIVEN_UP

TEXTS = written_texts(PROOFS)
BY_FILE = {name: broken for name, text in TEXTS.items() if (broken := broken_versions_in(text))}
HARMLESS = ("the_variance_of_a_reward_is_at_most_a_quarter", BrokenVersion("1 / 4", "(1 / 4)"))
"""A version that the proof does prove, to see that not everything is called rejected."""


def _tried_in(text: str, name: str, broken: BrokenVersion, called: str = "broken") -> str:
    """The text of the theorem's file in which the broken statement is put to the same proof before the true one.

    Coq's prompt names the theorem once its statement is well-formed, and `Fail Check` says that it was not proved.
    """
    found = re.search(rf"^((?:Theorem|Lemma) ){name}(\b.*?)(^Proof\..*?Qed\.)", text, flags=re.DOTALL | re.MULTILINE)
    assert found, f"{name} is not stated"
    word, statement, proof = found.groups()
    assert broken.was in statement, f"{name} does not say {broken.was}"
    version = f"{word}{called}_{name}{statement.replace(broken.was, broken.becomes)}{proof}"
    after = f"{GIVEN_UP}\nUnset Silent.\nFail Check {called}_{name}.\nSet Silent."
    return f"{text[: found.start()]}{ATTEMPT}{version}\n{after}\n{text[found.start() :]}"


def _with_attempts(file: str, used: Mapping[str, str]) -> str:
    """A file with every broken version before its theorem, and in the end the question what the theorems say."""
    text = TEXTS[file]
    for name, broken in BY_FILE.get(file, {}).items():
        text = _tried_in(text, name, broken)
    if f"Theorem {HARMLESS[0]} " in text:
        text = _tried_in(text, *HARMLESS, "harmless")
    return _without_known_proofs(file, text, used) + "".join(f"Check {name}.\n" for name in BY_FILE.get(file, ()))


def _without_known_proofs(file: str, text: str, used: Mapping[str, str]) -> str:
    """The proofs of the true theorems, which the build of the proofs puts to the kernel, are left out, and attempts are
    kept. The last theorem that has a broken version is proved all the same, from those of the file that are not.
    """
    kept = list(BY_FILE.get(file, ()))[-1:]
    return "".join(
        f"{ATTEMPT}{part}{GIVEN_UP}" if place % 2 else without_proofs(file, part, used, kept)
        for place, part in enumerate(ATTEMPTS.split(text))
    )


@pytest.fixture(scope="module")
def said() -> str:
    """What one Coq said to all broken versions, the files in their order."""
    used = check_proofs().used
    return answers({file: _with_attempts(file, used) for file in TEXTS})


@pytest.mark.coq
@pytest.mark.parametrize("file", BY_FILE)
def test_the_kernel_rejects_broken_theorems_at_their_proofs(file: str, said: str) -> None:
    for name, broken in BY_FILE[file].items():
        assert f" broken_{name} < " in said, f"the broken statement is not well-formed: {name}, {broken}"
        assert f"The reference broken_{name} was not found" in said, f"the kernel accepts {name}, {broken}"
        assert f" {name} : " in said, f"the true theorem is not stated: {name}"


@pytest.mark.coq
def test_a_version_that_the_proof_does_prove_is_not_called_rejected(said: str) -> None:
    assert f" harmless_{HARMLESS[0]} < " in said
    assert f"The reference harmless_{HARMLESS[0]} was not found" not in said
    assert said.count("The command has not failed!") == 1


def test_no_name_is_broken_in_two_files() -> None:
    names = [name for broken in BY_FILE.values() for name in broken]
    assert len(set(names)) == len(names)
    assert sum(f"Theorem {HARMLESS[0]} " in text for text in TEXTS.values()) == 1


SECTION = """\
Section numbers.
Variable n : nat.
Hypothesis unused : n = 2.
Hypothesis three : n = 3.
Lemma same : n = n.
Proof. now rewrite three. Qed.
Let four : n + 1 = 4.
Proof. now rewrite three. Qed.
Lemma five : 5 = n + 2.
Proof. pose proof same. now rewrite three. Qed.
Lemma zero : n = n + 0.
Proof. apply plus_n_O. Qed.
End numbers.
(** says: three and two are five
    paper: beyond the paper *)
Lemma here : 5 = 3 + 2.
Proof. exact (five 3 eq_refl). Qed.
"""


@pytest.mark.coq
def test_a_theorem_says_the_same_when_its_proof_is_left_out(tmp_path: Path) -> None:
    used = kernel_says(small_development(tmp_path / "small", SECTION), tmp_path).used
    assert used == {"Small.same": "three", "Small.five": "three", "Small.zero": "", "Small.here": ""}
    asked = "Check same.\nCheck five.\nCheck zero.\nCheck here.\n"
    left_out = without_proofs("Small.v", SECTION, used, ("here",))
    assert left_out.count("Admitted.") == 3
    assert answers({"Small.v": left_out + asked}) == answers({"Small.v": SECTION + asked})
    unknown = without_proofs("Small.v", SECTION, dict.fromkeys(used, ""), ("here",))
    assert "Error:" in answers({"Small.v": unknown + asked})
