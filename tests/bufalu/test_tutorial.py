"""The conformance tutorial says what happens: its programs are cut out of the page and run, and what it shows is printed."""

import re
from pathlib import Path
from shutil import which

import pytest

from bufalu.oracle import program
from tests.bufalu.runner import bufalu
from tests.docs.fences import fences
from tests.docs.snippets import SnippetFailed, compare

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "tutorial-conformance.md").read_text(encoding="utf-8")
STEPS = {
    found[1]: (int(found[2]), block.text)
    for block in fences(PAGE)
    if (found := re.fullmatch(r"step=(\w+) exit=(\d)", block.remark))
}


def programs():
    """The program of each step, as the page has the reader change it."""
    first, second = (block.text for block in fences(PAGE) if block.language == "javascript")
    quiet = first.replace('    console.log("hello!");\n', "")
    stub = re.search(r"function decide.*?\n}\n", quiet, flags=re.DOTALL)
    assert stub is not None
    calls = 'reset(request.arms);\n  } else if (request.command === "observe") {\n    observe(request.reward);'
    whole = quiet.replace(stub[0], second).replace("arms = request.arms;", calls)
    wider = whole.replace("radius[challenger] < radius[leader]", "radius[challenger] > radius[leader]")
    right = wider.replace("Math.log2", "Math.log")
    decide = "answer = decide(request.round, request.epsilon);"
    return {
        "hello": first,
        "stub": quiet,
        "both": whole,
        "wider": wider,
        "right": right,
        "forget": right.replace("reset(request.arms);", "if (counts.length === 0) reset(request.arms);"),
        "hang": right.replace(decide, "return;"),
        "throw": right.replace(decide, 'throw new Error("no idea");'),
    }


def test_the_page_has_all_steps():
    assert set(STEPS) == set(programs())
    texts = list(programs().values())
    assert len(set(texts)) == len(texts), "a change that the page describes changes nothing"
    for words in ("if (counts.length === 0) reset(request.arms)", "`return;`", 'throw new Error("no idea");'):
        assert words in PAGE


def answers_of_the_program(number, monkeypatch):
    """Waits for so many answers, to `start` and to `reset`, as long as they take; one more there will never be."""
    left, answered = iter(range(number)), program.answered_within
    monkeypatch.setattr(program, "answered_within", lambda *given: next(left, None) is not None and answered(*given))


@pytest.mark.long
@pytest.mark.parametrize("step", STEPS)
def test_each_step_prints_what_the_page_shows(step, tmp_path, monkeypatch):
    if which("node") is None:
        pytest.skip("node is not installed")
    (tmp_path / "mine.js").write_text(programs()[step], encoding="utf-8")
    options = ["--examples", "5", "--rounds", "200"]
    if step == "hang":
        options += ["--timeout", "1"]
        answers_of_the_program(2, monkeypatch)
    done = bufalu("conform", *options, "--", "node", "mine.js", cwd=tmp_path)
    code, shown = STEPS[step]
    assert done.returncode == code, done.stderr
    # Stderr tells the stages and, of a program that broke, nothing that the page shows.
    printed = "\n".join(line.strip() if step == "throw" else line for line in done.stdout.splitlines())
    compare(shown, printed.replace(" (the long runs cut to 200 rounds)", "") + "\n", step)
    if step == "stub":
        for command in re.findall(r"^  bufalu (.*)$", shown, flags=re.MULTILINE):
            assert bufalu(*command.split(), cwd=tmp_path).returncode == 1


def test_another_message_would_be_noticed():
    _, shown = STEPS["wider"]
    with pytest.raises(SnippetFailed):
        compare(shown, "nonconforming: another message\n", "wider")
