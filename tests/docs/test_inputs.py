"""The schemas of instance and schedule files accept what the commands read, and refuse what they refuse."""

import json
import re

import jsonschema
import pytest

from bufalu.reference.errors import BufaluError
from bufalu.reference.instance_files import read_instance
from bufalu.reference.schedules import read_values
from tests.docs.snippets import ROOT

SCHEMA = json.loads((ROOT / "docs" / "schemas" / "instance.schema.json").read_text())
PAGE = (ROOT / "docs" / "inputs.md").read_text()
LINE = re.compile(next(block for block in re.findall(r"```text\n(.*?)\n```", PAGE, flags=re.DOTALL)))


def read(text, tmp_path):
    path = tmp_path / "arms.json"
    path.write_text(text)
    try:
        return read_instance(str(path))
    except BufaluError:
        return None


@pytest.mark.parametrize(
    "text",
    [
        '{"arms": [{"bernoulli": "1/4"}]}',
        '{"arms": [{"bernoulli": 0.25}, {"deterministic": "1e-3"}]}',
        '{"arms": [{"values": [0, "1/2", 1], "probabilities": ["1/4", "1/4", 0.5]}]}',
        "{}",
        '{"arms": {}}',
        '{"arms": [], "more": 1}',
        '{"arms": []}',
        '{"arms": [{"bernoulli": "a quarter"}]}',
        '{"arms": [{"bernoulli": true}]}',
        '{"arms": [{"bernoulli": "1/4", "deterministic": 1}]}',
        '{"arms": [{"values": [1]}]}',
        '{"arms": [{"values": 1, "probabilities": 1}]}',
    ],
)
def test_the_schema_of_an_instance_is_what_is_read(tmp_path, text):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    valid = jsonschema.Draft202012Validator(SCHEMA).is_valid(json.loads(text))
    assert valid == (read(text, tmp_path) is not None)


@pytest.mark.parametrize("line", ["1", "0.5", "1/3", "1e-1", ".5", "2.", "+1", "", "one", "1/", "1//2", "0x1", "nan"])
def test_the_line_of_a_schedule_file_is_what_is_read(tmp_path, line):
    path = tmp_path / "epsilon.txt"
    path.write_text(f"1\n{line}\n")
    try:
        read = len(read_values(path).values) == 2
    except BufaluError:
        read = False
    assert read == (LINE.fullmatch(line) is not None)
