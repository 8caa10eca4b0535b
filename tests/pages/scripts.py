"""The scripts of the pages, run by node on what a page would embed."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.snippets import ROOT

REPLAY, DATA = ROOT / "pages" / "replay.js", ROOT / "pages" / "trace_data.js"


def said_by(driver: str, given: str, replay: Path = REPLAY, data: Path = DATA):
    """What a driver prints, which gets the two scripts as arguments and reads what is given."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed: the scripts of the pages were not tried")
    done = subprocess.run(["node", "-e", driver, str(replay), str(data)], input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def changed(script: Path, right: str, wrong: str, place: Path) -> Path:
    """The script with one piece of its text exchanged, in a place."""
    text = script.read_text()
    assert text.count(right) == 1
    copy = place / script.name
    copy.write_text(text.replace(right, wrong))
    return copy
