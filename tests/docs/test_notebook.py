"""The notebook is run, cell after cell, as a reader would run it."""

import contextlib
import io
import json
from pathlib import Path

import pytest

from bufalu import studies

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "study.ipynb"


@pytest.mark.long
def test_the_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(studies, "draw_study", lambda summary, folder: [])  # pictures are looked at elsewhere
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    namespace, printed = {"__name__": "__main__"}, []
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile("".join(cell["source"]), f"cell {number}", "exec"), namespace)
            printed.append(output.getvalue())
    assert len(printed) == 5
    assert "seven | epsilon power:1/4" in printed[0]
    assert printed[1].rstrip().endswith(f"{4 * 3 * 40}")
    assert printed[2].count("queries") == 12
    assert printed[3].count("told apart") == 9
    assert (tmp_path / "seven" / "study.html").is_file()
    assert namespace["more"].seeds == 60


def test_the_notebook_holds_no_outputs():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert all(cell.get("outputs", []) == [] for cell in cells)
