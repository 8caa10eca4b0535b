"""The skeletons in other languages: each builds, speaks the protocol, and is right once its decision is filled in."""

import json
import subprocess
from pathlib import Path
from shutil import which

import jsonschema
import pytest

from bufalu.oracle.implementations import ProgramUnderTest
from bufalu.oracle.program import Program
from bufalu.oracle.skeletons import LANGUAGES, skeleton
from bufalu.reference.errors import UnknownName
from tests.bufalu.test_conform_command import ROOT, bufalu

TOOLS = {"c": "gcc", "rust": "rustc", "java": "javac", "go": "go", "julia": "julia", "javascript": "node"}
BUILD = {
    "c": ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "skeleton", "skeleton.c", "-lm"],
    "rust": ["rustc", "-D", "warnings", "skeleton.rs"],
    "java": ["javac", "Skeleton.java"],
    "go": ["go", "build", "skeleton.go"],
    "julia": None,
    "javascript": None,
}
FILLED_IN = {
    "c": """int best = 0;
    for (int a = 1; a < arms; a++)
        if (sums[a] / queries[a] + sqrt(1.5 * log((double)round) / queries[a])
            > sums[best] / queries[best] + sqrt(1.5 * log((double)round) / queries[best])) best = a;
    return (decision){best + 1, 2 * sqrt(1.5 * log((double)round) / queries[best]) > epsilon};""",
    "javascript": """const radius = (a) => Math.sqrt((1.5 * Math.log(round)) / queries[a]);
  let best = 0;
  for (let a = 1; a < arms; a++)
    if (sums[a] / queries[a] + radius(a) > sums[best] / queries[best] + radius(best)) best = a;
  return { arm: best + 1, query: 2 * radius(best) > epsilon };""",
}
"""CBM-UCB with Hoeffding's interval (l.1397, l.1129), in place of the line that is to be filled in."""


def started(language: str, folder: Path, program: str) -> list[str]:
    """The command of a program, after it was written and built; skips where the toolchain is not there."""
    if which(TOOLS[language]) is None:
        pytest.skip(f"{TOOLS[language]} is not installed")
    source = folder / LANGUAGES[language].template
    source.write_text(program)
    if BUILD[language] is None:
        return [TOOLS[language], str(source)]
    run = subprocess.run(BUILD[language], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return ["java", "-cp", str(folder), "Skeleton"] if language == "java" else [str(folder / "skeleton")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_skeleton_speaks_the_protocol(language: str, tmp_path: Path) -> None:
    command = started(language, tmp_path, skeleton(language))
    with Program(command, 60.0) as program:
        answer = program.ask({"command": "start", "version": 1})
        schema = json.loads((ROOT / "docs" / "schemas" / "protocol.schema.json").read_text())
        jsonschema.validate(answer, {"$ref": "#/$defs/start_answer", "$defs": schema["$defs"]})
        assert answer["implementation"]["language"] == LANGUAGES[language].title
        under_test = ProgramUnderTest(program)
        for arms in (3, 1, 2):
            assert under_test.reset("bufalu", "hoeffding", arms) is None
            for number in range(1, arms + 1):
                assert under_test.decide(number, 1e-07) == (number, True)
                under_test.observe(0.1)
            assert under_test.decide(123_456, 1e16) == (1, True)
        under_test.stop()


@pytest.mark.parametrize("language", FILLED_IN)
def test_a_skeleton_conforms_once_its_decision_is_filled_in(language: str, tmp_path: Path) -> None:
    line = next(line.strip() for line in skeleton(language).splitlines() if "fill in: play arm 1" in line)
    changes = {line: FILLED_IN[language], "#include <stdio.h>": "#include <math.h>\n#include <stdio.h>"}
    changes |= {"    (void)epsilon;\n": "", '["bufalu"]': '["cbm-ucb"]', '[\\"bufalu\\"]': '[\\"cbm-ucb\\"]'}
    filled = skeleton(language)
    for old, new in changes.items():
        filled = filled.replace(old, new)
    options = ("--means", "1/4,1/2,3/4", "--policy", "cbm-ucb", "--epsilon", "constant:1", "--horizon", "300")
    assert bufalu("simulate", *options, "--out", "run.jsonl", cwd=tmp_path)[0] == 0
    right = started(language, tmp_path, filled)
    assert bufalu("conform", "--replay", "run.jsonl", "--", *right, cwd=tmp_path)[0] == 0
    wrong = started(language, tmp_path, filled.replace("1.5", "1.6"))
    code, out, _ = bufalu("conform", "--replay", "run.jsonl", "--", *wrong, cwd=tmp_path)
    assert code == 1
    assert "a contradiction" in out


def test_every_language_says_the_same_of_itself() -> None:
    def words(language: str) -> list[str]:
        program = skeleton(language)
        assert "@" not in program
        about = program[: program.index("belongs on stderr")].replace("*", " ").replace("//", " ").replace("#", " ")
        return " ".join(about.split()).split("It answers each line")[1].split()

    assert {tuple(words(language)) for language in LANGUAGES} == {tuple(words("c"))}
    assert all("fill in: play arm 1 for ever" in skeleton(language) for language in LANGUAGES)


def test_the_command_writes_what_it_prints_and_knows_its_languages(tmp_path: Path) -> None:
    code, out, _ = bufalu("skeleton", "rust", cwd=tmp_path)
    assert (code, out) == (0, skeleton("rust"))
    assert bufalu("skeleton", "rust", "--out", "bandit.rs", cwd=tmp_path)[0] == 0
    assert (tmp_path / "bandit.rs").read_text() == out
    told = json.loads(bufalu("skeleton", "rust", "--json", cwd=tmp_path)[1])
    assert told == {"language": "Rust", "name": "skeleton.rs", "program": out}
    code, _, err = bufalu("skeleton", "cobol", cwd=tmp_path)
    assert (code, "there is no skeleton in 'cobol'" in err) == (2, True)
    with pytest.raises(UnknownName, match="choose one of: c, rust, java"):
        skeleton("cobol")
