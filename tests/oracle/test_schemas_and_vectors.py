"""The schemas describe what is sent, answered and written; the vectors are what the tool writes."""

import json
from fractions import Fraction
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bufalu.oracle import vectors
from bufalu.oracle.errors import BrokenProgram
from bufalu.oracle.implementations import ProgramUnderTest
from bufalu.oracle.known_bugs import KNOWN_BUGS, LATE_BUGS, KilledBy
from bufalu.oracle.vectors import differing_files
from bufalu.reference.state import ArmRecord
from bufalu.reference.trace_files import write_trace
from bufalu.reference.traces import TraceHeader
from tests.oracle.runs import play, reference, rewards

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("protocol.schema.json", "trace.schema.json", "vectors.schema.json")


def schema(name: str) -> dict:
    return json.loads(resources.files("bufalu.oracle").joinpath(name).read_text(encoding="utf-8"))


def valid(part: str, value: object) -> bool:
    whole = schema("protocol.schema.json")
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": whole["$defs"]}).is_valid(value)


@pytest.mark.parametrize("name", NAMES)
def test_the_documentation_carries_the_same_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert json.loads((ROOT / "docs" / "schemas" / name).read_text(encoding="utf-8")) == schema(name)


class Echo:
    """A program that answers with what it is told to, and remembers what it was asked."""

    def __init__(self, answer: object) -> None:
        self.answer, self.asked = answer, []

    def ask(self, request: dict) -> dict:
        self.asked.append(request)
        assert valid("request", request), request
        return self.answer  # type: ignore[return-value]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.sampled_from([1.0, 1.5, "x"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["ok", "arm"]), inner, max_size=2),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(["arm", "query", "note"]), json_values))
@example({"arm": 0, "query": True})
@example({"arm": 1, "query": True})
@example({"arm": 4, "query": False})
@example({"arm": 5, "query": False})
def test_decisions_are_judged_as_the_schema_says(answer: dict) -> None:
    expected = valid("decide_answer", answer) and answer["arm"] <= 4
    under_test = ProgramUnderTest(Echo({"ok": True}))  # type: ignore[arg-type]
    under_test.reset("bufalu", "hoeffding", 4)
    under_test._program = Echo(answer)  # type: ignore[assignment]
    try:
        decision = under_test.decide(5, 0.5)
        accepted = True
        assert (decision.arm, decision.query) == (answer["arm"], answer["query"])
    except BrokenProgram:
        accepted = False
    assert accepted == expected


@given(st.dictionaries(st.sampled_from(["ok", "skipped"]), json_values))
def test_resets_are_judged_as_the_schema_says(answer: dict) -> None:
    under_test = ProgramUnderTest(Echo(answer))  # type: ignore[arg-type]
    try:
        under_test.reset("bufalu", "hoeffding", 4)
        accepted = True
    except BrokenProgram:
        accepted = False
    assert accepted == valid("reset_answer", answer)


def test_runs_with_late_answers_are_asked_for_as_the_schema_says() -> None:
    declared = {"version": 1, "policies": ["bufalu"], "confidence": ["hoeffding"], "late": True}
    start = {**declared, "implementation": {"name": "x", "language": "y", "version": "1"}}
    assert valid("start_answer", start) and not valid("start_answer", {**start, "late": 1})
    echo = Echo(start)
    under_test = ProgramUnderTest(echo)  # type: ignore[arg-type]
    assert under_test.start().late and under_test.takes_late
    for wrong in (1, "yes", None):
        with pytest.raises(BrokenProgram, match="late"):
            ProgramUnderTest(Echo({**start, "late": wrong})).start()  # type: ignore[arg-type]
    echo.answer = {"ok": True}
    under_test.reset_late("bufalu", "hoeffding", 4)
    under_test.answer(7, 0.5)
    _, reset, observe = echo.asked
    assert reset["late"] is True and valid("reset", reset)
    assert observe == {"command": "observe", "round": 7, "reward": 0.5} and valid("observe", observe)
    assert not valid("observe", {**observe, "round": 0})


@pytest.mark.parametrize("known", [None, [ArmRecord(2, 1, Fraction(5, 9)), ArmRecord()]])
def test_written_traces_fit_their_schema(tmp_path: Path, known: list[ArmRecord] | None) -> None:
    for epsilon in ("power:1/4", None):
        header = TraceHeader("bufalu", "hoeffding", 2, epsilon, known=known)
        delays = (0,) if known is None else (0, 4, None)
        trace = play(reference(header), header, 20, rewards("thirds", 1), [1, 2], delays)
        write_trace(str(tmp_path / "t.jsonl"), trace)
        for line in (tmp_path / "t.jsonl").read_text().splitlines():
            jsonschema.validate(json.loads(line), schema("trace.schema.json"))


@pytest.mark.long
def test_the_vectors_are_what_the_tool_writes_and_fit_their_schema() -> None:
    folder = ROOT / "vectors"
    assert differing_files(folder) == []
    validator = jsonschema.Draft202012Validator(schema("vectors.schema.json"))
    killed, identifiers = set(), []
    for path in sorted(folder.glob("*-*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        validator.validate(content)
        for group in content["groups"]:
            identifiers.append(group["id"])
            killed |= {entry["bug"] for entry in group["kills"]}
            for entry in group["rounds"]:
                followed = (entry["followed"]["arm"], entry["followed"]["query"])
                assert followed in {(one["arm"], one["query"]) for one in entry["admissible"]}
    assert len(identifiers) == len(set(identifiers)) == 148 + 40 + 14 + 4
    # Equivalent with real intervals; and one that needs a leader wider than a challenger it is separated from.
    missed = {mutant.id for mutant in KNOWN_BUGS if mutant.place is not KilledBy.SYMBOLIC} - killed
    assert missed == {"separation-of-candidate"}
    assert {mutant.id for mutant in LATE_BUGS} <= killed


def test_a_changed_vector_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = dict.fromkeys(("right.json", "changed.json", "missing.json"), "{}")
    monkeypatch.setattr(vectors, "vector_files", lambda: wanted)
    for name, text in (("right.json", "{}"), ("changed.json", "{} "), ("stranger.json", "{}"), ("notes.txt", "")):
        (tmp_path / name).write_text(text)
    assert differing_files(tmp_path) == ["changed.json", "missing.json", "stranger.json"]


def test_a_vector_file_is_written_with_a_round_a_line() -> None:
    text = (ROOT / "vectors" / "bufalu-hoeffding.json").read_text(encoding="utf-8")
    assert vectors.canonical(json.loads(text)) == text
