"""The conformance tutorial says what happens: its programs are cut out of the page and run."""

import json
import re
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import which

import pytest

from bufalu.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "tutorial-conformance.md").read_text(encoding="utf-8")


def verdict(folder: Path, program: str) -> tuple[int, dict]:
    node = which("node")
    if node is None:
        pytest.skip("node is not installed")
    (folder / "mine.js").write_text(program, encoding="utf-8")
    out = StringIO()
    with chdir(folder), redirect_stdout(out):
        code = main(["conform", "--examples", "5", "--json", "--", node, "mine.js"])
    return code, json.loads(out.getvalue())


def test_every_mistake_of_the_tutorial_is_met_once(tmp_path: Path) -> None:
    first, second = re.findall(r"```javascript\n(.*?)```", PAGE, flags=re.DOTALL)
    code, result = verdict(tmp_path, first)
    assert (code, result["broken"]["reason"]) == (3, "garbage")

    quiet = first.replace('    console.log("hello!");\n', "")
    code, result = verdict(tmp_path, quiet)
    assert (code, result["first_divergence"]["round"]) == (1, 2)

    stub = re.search(r"function decide.*?\n}\n", quiet, flags=re.DOTALL)
    assert stub is not None
    calls = 'reset(request.arms);\n  } else if (request.command === "observe") {\n    observe(request.reward);'
    whole = quiet.replace(stub[0], second).replace("arms = request.arms;", calls)
    code, result = verdict(tmp_path, whole)
    assert code == 1

    wider = whole.replace("radius[challenger] < radius[leader]", "radius[challenger] > radius[leader]")
    code, result = verdict(tmp_path, wider)
    assert code == 1
    assert "log-base-2" in {bug["id"] for bug in result["likely_bugs"]}

    code, result = verdict(tmp_path, wider.replace("Math.log2", "Math.log"))
    assert (code, result["verdict"]) == (0, "conforms")
