"""Every snippet of README and docs is run, and what is shown as output is what is printed."""

import pytest

from bufalu.pages.site import documents, text_of
from tests.docs.fences import fences
from tests.docs.snippets import NOT_RUN, ROOT, RUN_ELSEWHERE, SnippetFailed, run_document

MOST_NOT_RUN = 6
"""How many blocks of all documents together may go without being run."""

DOCUMENTS = documents(ROOT)
FIRST_PAGES = ("README.md", "docs/bufalu.md", "docs/quickstart.md")
"""What a newcomer reads; the snippets of the other pages run with `make long`."""
WITH_BLOCKS = [name for name in DOCUMENTS if "```" in text_of(ROOT, name)]


@pytest.mark.parametrize(
    "name", [name if name in FIRST_PAGES else pytest.param(name, marks=pytest.mark.long) for name in WITH_BLOCKS]
)
def test_every_snippet_runs(name, tmp_path):
    run_document(name, text_of(ROOT, name), tmp_path)


def test_few_blocks_are_not_run():
    marked = [
        f"{name}:{block.line}"
        for name in DOCUMENTS
        for block in fences(text_of(ROOT, name))
        if block.remark.startswith(NOT_RUN) and name not in RUN_ELSEWHERE
    ]
    assert len(marked) <= MOST_NOT_RUN, marked


def test_the_first_pages_have_snippets_of_both_kinds():
    quickstart = [block.language for block in fences((ROOT / "docs" / "quickstart.md").read_text())]
    assert quickstart.count("python") >= 2
    assert quickstart.count("console") >= 3
    assert [block.language for block in fences((ROOT / "README.md").read_text())].count("console") >= 3


def document(fence, *lines, after=""):
    return "\n".join([f"```{fence}", *lines, "```", after])


@pytest.mark.parametrize(
    "text",
    [
        document("python", "assert 1 == 2"),
        document("python", "print(1)", after="\n```text\n2\n```\n"),
        document("python", "print(1); print(2)", after="\n```text\n1\n```\n"),
        document("console", "$ bufalu --version", "bufalu 99"),
        document("console", "$ bufalu nonsense"),
        document("console exit 2", "$ bufalu --version"),
        document("console", "$ ls"),
        document("ruby", "puts 1"),
        document("", "bufalu --version"),
        document("console not run:", "$ ls"),
    ],
)
def test_a_wrong_snippet_is_caught(text, tmp_path):
    with pytest.raises((SnippetFailed, AssertionError)):
        run_document("wrong.md", text, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        document("python", "x = 1") + document("python", "print(x)", after="\n```text\n1\n```\n"),
        document("console", "$ bufalu --version", "bufalu ..."),
        document("console exit 2", "$ bufalu nonsense", "...", "bufalu: ... (see bufalu --help)"),
        document("console", "$ bufalu simulate --means 0,1 \\", "    --epsilon zero --horizon 9", "rounds 9 ..."),
        document("js file=a.js", "console.log(1)")
        + document("python", "from pathlib import Path; print(Path('a.js').read_text())"),
    ],
)
def test_a_right_snippet_passes(text, tmp_path):
    assert run_document("right.md", text, tmp_path) >= 1
