"""Trace files: reading gives back what was written, and a broken file names line and field."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bufalu.properties.runs.strategies import fractions
from bufalu.reference.errors import InvalidNumber, InvalidSchedule, InvalidTrace, UnusableFile
from bufalu.reference.exact import Exact, root
from bufalu.reference.rounds import Round
from bufalu.reference.state import ArmRecord
from bufalu.reference.trace_fields import _known, checked_round, csv_columns, read_number
from bufalu.reference.trace_files import json_number, read_trace, write_trace
from bufalu.reference.traces import Trace, TraceHeader, with_epsilon
from bufalu.reference.whole_files import MAX_NESTING, nests_too_deeply

rewards = st.one_of(st.sampled_from([0, 1]), fractions(0, 1, 9), st.floats(0, 1).map(Fraction))
levels = st.one_of(fractions(0, 5, 9), st.floats(0, 1e6).map(Fraction), st.just(Fraction(10) ** 30))


def record(seen):
    found = ArmRecord()
    for reward in seen:
        found = found.with_reward(reward)
    return found


@st.composite
def traces(draw, knowing=False):
    arms = draw(st.integers(1, 4))
    text = draw(st.sampled_from([None, "zero", "power:1/4", "budget:7/2"]))
    means = draw(st.none() | st.tuples(*[rewards] * arms))
    header = TraceHeader(
        draw(st.sampled_from(["bufalu", "greedy"])),
        draw(st.sampled_from(["hoeffding", "bernstein"])),
        arms,
        text,
        means,
        known=draw(st.none() | st.lists(rewards, max_size=3).map(lambda seen: [record(seen)] * arms))
        if knowing
        else None,
        finding=draw(st.none() | st.lists(st.sampled_from(["constant-two", "log-base-2"]), max_size=2))
        if knowing
        else None,
    )
    rounds = []
    for number in range(1, draw(st.integers(0, 8)) + 1):
        query = draw(st.booleans())
        epsilon = Exact.of(draw(levels)) if text is None and number > arms else None
        reward = draw(st.none() | rewards) if query else None
        answered = draw(st.none() | st.integers(number + 2, number + 9)) if reward is not None else None
        rounds.append(Round(number, draw(st.integers(1, arms)), query, reward, epsilon, answered))
    return Trace(header, tuple(with_epsilon(rounds, header.schedule, arms)))


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
@given(drawn=st.data())
def test_reading_gives_back_what_was_written(tmp_path_factory, suffix, drawn):
    trace = drawn.draw(traces(knowing=suffix == ".jsonl"))
    path = str(tmp_path_factory.mktemp("traces") / f"trace{suffix}")
    write_trace(path, trace)
    again = read_trace(path, trace.header if suffix == ".csv" else None)
    assert again == trace


def test_whole_numbers_are_written_as_such_while_every_double_is_one():
    for value in (0, 2**53 - 1, 1 - 2**53):
        assert type(json_number(Fraction(value))) is int
    for value in (2**53, -(2**53), 2**60, -(2**60)):
        double = json_number(Fraction(float(value)))
        assert type(double) is float and double == float(value)


def test_numbers_are_read_up_to_eight_thousand_characters():
    longest = "1/" + "9" * 7998
    assert read_number(longest) == Fraction(1, 10**7998 - 1) and json_number(read_number(longest)) == longest
    for too_long in (lambda: read_number(longest + "9"), lambda: json_number(Fraction(1, 10**7999 - 1))):
        with pytest.raises(InvalidNumber, match=r"8001|8000"):
            too_long()


def test_what_was_found_is_shown_up_to_sixty_characters():
    header = TraceHeader("bufalu", "hoeffding", 2, "zero")
    for length, shown in ((58, f'"{"x" * 58}"'), (59, f'"{"x" * 56}...')):
        with pytest.raises(InvalidTrace) as caught:
            checked_round("t", 2, 1, header, {"round": 1, "arm": "x" * length, "query": True})
        assert str(caught.value).endswith(f"found {shown}")


def test_bom_and_windows_line_ends_are_read(tmp_path):
    path = tmp_path / "trace.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf" + HEADER.encode() + b'\r\n{"round": 1, "arm": 1, "query": true, "reward": 0.1}\r\n'
    )
    assert read_trace(str(path)).rounds[0].reward == Fraction(0.1)


HEADER = '{"format": "bufalu-trace", "version": 1, "policy": "bufalu", "confidence": "hoeffding", "arms": 2, "epsilon": null}'
GOOD = [
    '{"round": 1, "arm": 1, "query": true, "reward": 1}',
    '{"round": 2, "arm": 2, "query": true, "reward": "1/3"}',
]


@pytest.mark.parametrize(
    ("lines", "line", "field", "message"),
    [
        ([], 1, None, "not JSON"),
        (['{"format": "x"}'], 1, "format", "expected"),
        ([HEADER.replace('"version": 1', '"version": 2')], 1, "version", "expected 1"),
        ([HEADER.replace('"arms": 2', '"arms": 0')], 1, "arms", "whole number from 1"),
        ([HEADER.replace('"arms": 2', '"arms": 1e99')], 1, "arms", "whole number from 1"),
        ([HEADER.replace('"arms": 2', '"arms": true')], 1, "arms", "whole number from 1"),
        ([HEADER.replace('"policy": "bufalu"', '"policy": "softmax"')], 1, "policy", "no policy 'softmax'"),
        ([HEADER.replace("null", '"linear"')], 1, "epsilon", "no schedule 'linear'"),
        ([HEADER.replace("null", '"file:x"')], 1, "epsilon", "another file"),
        ([HEADER, '{"round": 0, "arm": 1, "query": true, "reward": 1}'], 2, "round", "numbered from 1"),
        ([HEADER, '{"round": 1, "arm": 0, "query": true, "reward": 1}'], 2, "arm", "numbered from 1"),
        ([HEADER, '{"round": 1, "arm": 3, "query": true, "reward": 1}'], 2, "arm", "from 1 to 2"),
        ([HEADER, '{"round": 1, "arm": 1, "query": 1, "reward": 1}'], 2, "query", "true or false"),
        ([HEADER, '{"round": 1, "arm": 1, "query": true}'], 2, "reward", "missing"),
        ([HEADER, '{"round": 1, "arm": 1, "query": false, "reward": 1}'], 2, "reward", "not queried"),
        ([HEADER, '{"round": 1, "arm": 1, "query": true, "reward": 1.5}'], 2, "reward", r"\[0, 1\]"),
        ([HEADER, '{"round": 1, "arm": 1, "query": true, "reward": NaN}'], 2, None, "NaN"),
        ([HEADER, '{"round": 1, "arm": 1, "query": true, "reward": 1e400}'], 2, None, "too large"),
        ([HEADER, '{"round": 1, "arm": 1, "arm": 1, "query": true, "reward": 1}'], 2, None, "appears twice"),
        ([HEADER, '{"round": 1, "arm": 1, "query": true, "reward": 1, "x": 1}'], 2, "x", "not a field"),
        # Of several the first by the alphabet, whatever the order of a set is today.
        ([HEADER, json.dumps(dict.fromkeys("hgfedcba"))], 2, "a", "not a field"),
        ([json.dumps(json.loads(HEADER) | dict.fromkeys("hgfedcba"))], 1, "a", "not a field"),
        ([HEADER, *GOOD, '{"round": 4, "arm": 1, "query": false}'], 4, "round", "expected 3, found 4"),
        ([HEADER, *GOOD, '{"round": 3, "arm": 1, "query": false}'], 4, "epsilon", "missing"),
        ([HEADER, *GOOD, '{"round": 3, "arm": 1, "query": false, "epsilon": -1}'], 4, "epsilon", "nonnegative"),
        ([HEADER, *GOOD, "[" * 3000], 4, None, "levels deep"),
    ],
)
def test_broken_files_name_line_and_field(tmp_path, lines, line, field, message):
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(InvalidTrace, match=message) as caught:
        read_trace(str(path))
    assert (caught.value.line, caught.value.field) == (line, field)
    assert str(caught.value).startswith(f"{path}:{line}:")


@pytest.mark.parametrize(
    ("row", "field", "problem"),
    [
        ("x,1,true,1,", "round", 'expected a whole number, found "x"'),
        ("1" * 18 + ",1,true,1,", "round", f"expected 1, found {'1' * 18}"),
        ("1" * 19 + ",1,true,1,", "round", "expected a whole number"),
        ("1,y,true,1,", "arm", "expected a whole number"),
        ("1,1,maybe,1,", "query", "expected true or false"),
        ("1,1,true,abc,", "reward", "expected a number"),
        ("1,1,true,inf,", "reward", "expected a finite number"),
        ("1,1,true,0_1,", "reward", 'expected a number, found "0_1"'),
        ("1,1,true,\u0661,", "reward", "expected a number"),
        ('1,1,true,"0"1,', None, "not a line of CSV"),
    ],
)
def test_broken_rows_name_line_and_field(tmp_path, row, field, problem):
    path = tmp_path / "trace.csv"
    path.write_text(f"round,arm,query,reward,epsilon\n{row}\n", encoding="utf-8")
    with pytest.raises(InvalidTrace, match=problem) as caught:
        read_trace(str(path), TraceHeader("bufalu", "hoeffding", 2, "zero"))
    assert (caught.value.line, caught.value.field) == (2, field)


def test_a_broken_row_of_names_is_the_first_line():
    with pytest.raises(InvalidTrace) as caught:
        csv_columns("trace.csv", '"round" and,arm', strict=True)
    assert caught.value.line == 1


def test_files_that_cannot_be_used(tmp_path):
    with pytest.raises(UnusableFile, match="cannot read"):
        read_trace(str(tmp_path / "missing.jsonl"))
    header = TraceHeader("bufalu", "hoeffding", 1, None)
    with pytest.raises(UnusableFile, match="cannot write"):
        write_trace(str(tmp_path / "no" / "folder.jsonl"), Trace(header, ()))
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(bytes(range(128, 256)))
    with pytest.raises(InvalidTrace, match="UTF-8"):
        read_trace(str(binary))


def test_an_irrational_epsilon_fits_no_file(tmp_path):
    header = TraceHeader("bufalu", "hoeffding", 1, None)
    rounds = (Round(1, 1, True, 1, None), Round(2, 1, False, None, root(2)))
    with pytest.raises(InvalidSchedule, match="irrational"):
        write_trace(str(tmp_path / "trace.jsonl"), Trace(header, rounds))


def test_tallies(tmp_path):
    header = TraceHeader("bufalu", "hoeffding", 2, "zero", (0, 1))
    rounds = (Round(1, 1, True, 0, None), Round(2, 2, True, 1, None), Round(3, 2, False, None, None))
    tally = Trace(header, rounds).tally()
    assert tally.plays == [1, 2]
    assert tally.queries_per_arm() == (1, 1)
    assert tally.queries == 2
    assert tally.regret([1, 0]) == 1


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_long_numbers_are_read_back(tmp_path, suffix):
    # The command line takes 1e-400 for a mean or a level; written as p/q that is longer than what it takes.
    tiny = Fraction(1, 10**800)
    header = TraceHeader("bufalu", "hoeffding", 1, f"constant:{tiny}", (tiny,))
    second = Round(2, 1, True, Fraction(1, 3**8000), Exact.of(tiny))
    trace = Trace(header, (Round(1, 1, True, tiny, None), second))
    path = str(tmp_path / f"trace{suffix}")
    write_trace(path, trace)
    assert read_trace(path, header) == trace


def test_numbers_that_no_reader_would_take_are_not_written(tmp_path):
    header = TraceHeader("bufalu", "hoeffding", 1, "zero")
    trace = Trace(header, (Round(1, 1, True, Fraction(1, 10**8000), None),))
    with pytest.raises(InvalidNumber, match="too long for a trace"):
        write_trace(str(tmp_path / "trace.jsonl"), trace)


@pytest.mark.parametrize("closing", ["]", "}"])
def test_a_bracket_closes_one_level(closing):
    """Pairs that close at once between pairs that stay open: the depth is that of the open ones."""
    opening = "[" if closing == "]" else "{"
    assert nests_too_deeply((opening * 2 + closing) * (MAX_NESTING + 1))
    assert nests_too_deeply((opening * 2 + closing) * MAX_NESTING)
    assert not nests_too_deeply((opening * 2 + closing) * (MAX_NESTING - 1))


@pytest.mark.parametrize(
    "known",
    [3, [], [[1, 1, 1]], [[1, 1, 1], 3], [[1, 1, 1], [1, 1]], [[1, 1, 1], ["1", 1, 1]], [[1, 1, 1], [1, 1, 1, 1]]],
)
def test_what_was_known_before_is_three_numbers_of_each_arm(known):
    with pytest.raises(InvalidTrace, match="expected a list of 2 lists: number, sum and sum of squares"):
        _known("run.jsonl", 1, known, 2)


def test_knowing_nothing_of_any_arm_is_not_knowing_before():
    header = TraceHeader("bufalu", "hoeffding", 2, "zero", known=[ArmRecord(), ArmRecord()])
    assert header == TraceHeader("bufalu", "hoeffding", 2, "zero")
    assert not Trace(header, ()).late


def test_a_csv_file_has_no_place_for_what_was_known_before(tmp_path):
    header = TraceHeader("bufalu", "hoeffding", 1, "zero", known=[ArmRecord(1, 1, 1)])
    with pytest.raises(InvalidTrace, match=r"known.*write \.jsonl"):
        write_trace(str(tmp_path / "run.csv"), Trace(header, ()))
    write_trace(str(tmp_path / "run.jsonl"), Trace(header, ()))
