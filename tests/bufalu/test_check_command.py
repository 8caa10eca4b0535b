"""`bufalu check`: verdicts, formats, and everything that is not a trace."""

import json
import re
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bufalu import check_trace
from bufalu.oracle.known_bugs import known_bug_named
from bufalu.oracle.sources import TraceOptions, open_trace
from bufalu.reference.errors import BufaluError, InvalidTrace
from bufalu.reference.exact import Exact
from bufalu.reference.trace_files import write_trace
from bufalu.reference.traces import Trace, TraceHeader
from tests.bufalu.passed_files import files_passed
from tests.bufalu.runner import bufalu
from tests.oracle.runs import play, reference, rewards

HEADER = (
    '{"format": "bufalu-trace", "version": 1, "policy": "bufalu", "confidence": "hoeffding", '
    '"arms": 2, "epsilon": null}\n'
)
ROUNDS = (
    '{"round": 1, "arm": 1, "query": true, "reward": 1.0}\n'
    '{"round": 2, "arm": 2, "query": true, "reward": 0.5}\n'
    '{"round": 3, "arm": 1, "query": false, "reward": null, "epsilon": 100}\n'
)


def check(*arguments: str) -> tuple[int, str, str]:
    run = bufalu("check", *arguments)
    assert "a defect of bufalu" not in run.stderr, run.stderr
    return run.returncode, run.stdout, run.stderr


def test_a_conforming_check_runs_the_rule_of_the_reference(tmp_path: Path, trace: Trace) -> None:
    """Which files a check goes through: those with the paper's rule among them, and not many more than today."""
    path = tmp_path / "trace.jsonl"
    write_trace(str(path), trace)
    seen = files_passed(lambda: check(str(path))[0])
    assert {"reference/policies/leaders.py", "doubles/masks.py"} <= seen
    assert len(seen) <= 29, sorted(seen)


@pytest.fixture(scope="module")
def trace() -> Trace:
    header = TraceHeader("bufalu", "hoeffding", 3, None)
    return play(reference(header), header, 300, rewards("bernoulli", 4), [0, 1, 2])


BARE = ("--policy", "bufalu", "--confidence", "hoeffding", "--arms", "3")
"""What a file without a header leaves open."""


def save_npz(path: Path, trace: Trace, **changes: object) -> str:
    rounds = trace.rounds
    arrays = {
        "arm": np.array([r.arm for r in rounds]),
        "query": np.array([r.query for r in rounds]),
        "reward": np.array([np.nan if r.reward is None else float(r.reward) for r in rounds]),
        "epsilon": np.array([np.nan if r.epsilon is None else float(r.epsilon) for r in rounds]),
        **changes,
    }
    np.savez_compressed(path, **{name: array for name, array in arrays.items() if array is not None})
    return str(path)


def test_all_formats_give_the_same_verdict(tmp_path: Path, trace: Trace) -> None:
    wrong = trace.rounds[199]._replace(arm=trace.rounds[199].arm % 3 + 1)
    broken = Trace(trace.header, (*trace.rounds[:199], wrong, *trace.rounds[200:]))
    for name, code in (("right", 0), ("wrong", 1)):
        chosen = trace if code == 0 else broken
        write_trace(str(tmp_path / f"{name}.jsonl"), chosen)
        write_trace(str(tmp_path / f"{name}.csv"), chosen)
        save_npz(tmp_path / f"{name}.npz", chosen)
        told = []
        for suffix in ("jsonl", "csv", "npz"):
            flags = () if suffix == "jsonl" else BARE
            found, out, _ = check(str(tmp_path / f"{name}.{suffix}"), *flags, "--json")
            assert found == code
            told.append(json.loads(out))
        assert told[0] == told[1] == told[2]
        assert told[0]["rounds"] == 300
        assert {"verdict", "rounds", "first_divergence", "ambiguous_rounds"} <= told[0].keys()
        if code:
            assert told[0]["verdict"] == "nonconforming"
            assert told[0]["first_divergence"]["round"] == 200
            assert {"round", "got", "admissible", "because"} == told[0]["first_divergence"].keys()


def test_the_argument_names_the_bug(tmp_path: Path) -> None:
    header = TraceHeader("bufalu", "hoeffding", 3, "power:1/4")
    wrong = play(known_bug_named("log-base-10").live("bufalu", 3), header, 100, rewards("eighths", 1))
    write_trace(str(tmp_path / "t.jsonl"), wrong)
    code, out, _ = check(str(tmp_path / "t.jsonl"))
    assert code == 1
    assert "Let the state before round" in out
    assert re.search(r"leader: arm \d, the largest LCB\n", out)
    assert "a contradiction" in out
    assert "`log-base-10`" in out


@pytest.mark.parametrize(
    ("policy", "interval", "asked"),
    [
        ("bufalu", "hoeffding", {"cap.almost_sure", "cap.exact_recurrence", "count.queried", "count.unqueried"}),
        ("bufalu", "kl-ucb", {"cap.almost_sure", "count.queried", "count.unqueried"}),
        ("bufau", "hoeffding", {"cap.almost_sure", "cap.exact_recurrence", "count.unqueried"}),
        ("greedy", "hoeffding", set()),
    ],
)
def test_the_claims_that_are_said_to_hold_are_those_that_were_asked(
    tmp_path: Path, policy: str, interval: str, asked: set[str]
) -> None:
    header, path = TraceHeader(policy, interval, 2, "zero"), str(tmp_path / "t.jsonl")
    write_trace(path, play(reference(header), header, 9, rewards("bernoulli", 4)))
    _, out, _ = check(path, "--means", "1/4,1/2", "--json")
    names = json.loads(out)["checked_claims"]
    assert asked == {name for name in names if name.startswith(("cap.", "count."))}
    assert check(path, "--means", "1/4,1/2")[1].splitlines()[-1] == f"claims: {', '.join(names)} hold on this trace"


def test_means_for_a_policy_of_which_no_claim_speaks_are_refused(tmp_path: Path) -> None:
    header, path = TraceHeader("ucb", "hoeffding", 2, "zero"), str(tmp_path / "t.jsonl")
    write_trace(path, play(reference(header), header, 9, rewards("bernoulli", 4)))
    code, out, err = check(path, "--means", "1/4,1/2")
    assert (code, out) == (2, "")
    assert "none speaks of ucb" in err


def test_a_claim_that_says_nothing_about_a_run_does_not_hold_there(tmp_path: Path) -> None:
    """All three rounds are queried, and the claim is about the others; a run that is wrong is wrong all the same."""
    header, claim = TraceHeader("bufalu", "hoeffding", 2, "zero"), "gap_query.unqueried_is_near_optimal"
    right = play(reference(header), header, 3, rewards("bernoulli", 1))
    wrong = Trace(header, (right.rounds[0]._replace(arm=2), *right.rounds[1:]))
    junit = tmp_path / "t.xml"
    for trace, code in ((right, 2), (wrong, 1)):
        write_trace(str(tmp_path / "t.jsonl"), trace)
        found, out, errors = check(str(tmp_path / "t.jsonl"), "--claim", claim, "--json", "--junit", str(junit))
        assert found == code
        assert json.loads(out)["claim"][0]["holds"] is None
        assert ("says nothing about this run" in errors) == (code == 2)
        assert 'skipped="1"' in junit.read_text(encoding="utf-8")


def test_an_empty_flag_is_not_the_header(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(HEADER + ROUNDS)
    for empty in ({"policy": ""}, {"confidence": ""}, {"epsilon": ""}):
        with pytest.raises(BufaluError, match=f"there is no .*''|{next(iter(empty))}"):
            open_trace(str(path), TraceOptions(**empty))


def test_flags_overrule_the_header_and_claims_are_checked(tmp_path: Path, trace: Trace) -> None:
    path = str(tmp_path / "t.jsonl")
    write_trace(path, trace)
    assert check(path, "--policy", "cbm-ucb")[0] == 1
    code, out, _ = check(path, "--means", "1/4,1/2,3/4", "--json")
    assert (code, json.loads(out)["violated_claims"]) == (0, [])
    assert check(path, "--means", "1/4,1/2")[0] == 2
    ignored = play(known_bug_named("epsilon-ignored").live("bufalu", 3), trace.header, 60, rewards("thirds", 2), [3])
    write_trace(path, ignored)
    code, out, _ = check(path, "--means", "1/4,1/2,3/4", "--json")
    assert code == 1
    assert json.loads(out)["violated_claims"]


def test_a_real_tie_in_doubles_is_accepted_and_counted_and_strictly_refused(tmp_path: Path) -> None:
    header = TraceHeader("cbm-ucb", "hoeffding", 2, "budget:4")
    late = play(known_bug_named("epsilon-strict").live("cbm-ucb", 2), header, 60, lambda arm, k: 1)
    path = str(tmp_path / "t.jsonl")
    write_trace(path, late)
    code, out, _ = check(path, "--json")
    assert code == 0
    assert json.loads(out)["ambiguous_rounds"] > 0
    assert check(path, "--strict")[0] == 1


INVALID = {
    "empty": "",
    "no header": ROUNDS,
    "truncated": HEADER + ROUNDS[:-20],
    "not json": HEADER + "round 1\n",
    "nan": HEADER + ROUNDS.replace("0.5", "NaN"),
    "infinity": HEADER + ROUNDS.replace("100", "Infinity"),
    "too large": HEADER + ROUNDS.replace("100", "1e400"),
    "reward above one": HEADER + ROUNDS.replace("0.5", "1.5"),
    "negative reward": HEADER + ROUNDS.replace("0.5", "-0.5"),
    "negative epsilon": HEADER + ROUNDS.replace("100", "-1"),
    "missing epsilon": HEADER + ROUNDS.replace(', "epsilon": 100', ""),
    "arm zero": HEADER + ROUNDS.replace('"arm": 1', '"arm": 0'),
    "arm beyond": HEADER + ROUNDS.replace('"arm": 2', '"arm": 3'),
    "round zero": HEADER + ROUNDS.replace('"round": 1', '"round": 0'),
    "round missing": HEADER + ROUNDS.replace('"round": 3', '"round": 4'),
    "round repeated": HEADER + ROUNDS.replace('"round": 3', '"round": 2'),
    "unqueried reward": HEADER + ROUNDS.replace("null", "1"),
    "queried without reward": HEADER + ROUNDS.replace("0.5", "null"),
    "duplicate key": HEADER + ROUNDS.replace('"arm": 2', '"arm": 2, "arm": 2'),
    "unknown key": HEADER + ROUNDS.replace('"arm": 2', '"arm": 2, "lever": 2'),
    "deep": HEADER + "[" * 100_000 + "\n",
    "gigantic arms": HEADER.replace('"arms": 2', '"arms": 1' + "0" * 30) + ROUNDS,
    "unknown policy": HEADER.replace('"bufalu",', '"ucb1",') + ROUNDS,
    "other format": HEADER.replace("bufalu-trace", "trace") + ROUNDS,
    "other version": HEADER.replace('"version": 1', '"version": 2') + ROUNDS,
    "text arm": HEADER + ROUNDS.replace('"arm": 1', '"arm": "1"'),
    "fraction arm": HEADER + ROUNDS.replace('"arm": 1', '"arm": 1.5'),
    "true arm": HEADER + ROUNDS.replace('"arm": 1', '"arm": true'),
    "zero division": HEADER + ROUNDS.replace("0.5", '"1/0"'),
}


@pytest.mark.parametrize("name", INVALID)
def test_bad_files_get_one_clear_line(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(INVALID[name], encoding="utf-8")
    code, out, errors = check(str(path), "--json")
    assert code == 2
    assert errors.startswith("bufalu check: ")
    assert len(errors.splitlines()) == 1
    assert len(errors) < 600
    assert json.loads(out)["verdict"] == "invalid"


def test_boms_and_crlf_are_welcome_and_a_later_error_beats_an_earlier_divergence(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + (HEADER + ROUNDS).replace("\n", "\r\n").encode())
    assert check(str(path))[0] == 0
    path.write_text(HEADER + ROUNDS.replace('"arm": 1, "query": false', '"arm": 2, "query": false'))
    assert check(str(path))[0] == 1
    path.write_text(HEADER + ROUNDS.replace('"arm": 1, "query": false', '"arm": 2, "query": false') + "nonsense\n")
    assert check(str(path))[0] == 2


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"arm": None}, "arm"),
        ({"reward": np.zeros(300)}, "reward"),
        ({"reward": np.full(300, 2.0), "query": np.ones(300, dtype=bool)}, "reward"),
        ({"epsilon": np.full(300, -1.0)}, "epsilon"),
        ({"epsilon": np.full(300, np.inf)}, "epsilon"),
        ({"epsilon": np.full(300, np.nan)}, "epsilon"),
        ({"arm": np.zeros(300, dtype=int)}, "arm"),
        ({"arm": np.ones(299, dtype=int)}, "length"),
        ({"arm": np.ones((300, 1), dtype=int)}, "dimension"),
        ({"arm": np.array([object()] * 300)}, "arm"),
        ({"query": np.full(300, 2)}, "query"),
        ({"extra": np.zeros(3)}, "extra"),
    ],
)
def test_bad_arrays_are_named(tmp_path: Path, trace: Trace, changes: dict[str, object], expected: str) -> None:
    code, _, errors = check(save_npz(tmp_path / "t.npz", trace, **changes), *BARE)
    assert code == 2
    assert expected in errors
    assert len(errors.splitlines()) == 1


def test_an_array_that_promises_too_much_allocates_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for name, descr in (("arm", "<i8"), ("query", "|b1"), ("reward", "<f8"), ("epsilon", "<f8")):
            header = BytesIO()
            promise = {"descr": descr, "fortran_order": False, "shape": (9 * 10**8,)}
            np.lib.format.write_array_header_1_0(header, promise)
            archive.writestr(f"{name}.npy", header.getvalue())
    code, _, errors = check(str(path), *BARE)
    assert code == 2
    assert "promises" in errors


@pytest.mark.parametrize("compression", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_a_damaged_stream_of_any_compression_is_told(tmp_path: Path, trace: Trace, compression: int) -> None:
    plain, path = tmp_path / "plain.npz", tmp_path / "t.npz"
    save_npz(plain, trace)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(path, "w", compression) as archive:
        for name in source.namelist():
            archive.writestr(name, source.read(name))
    whole = path.read_bytes()
    assert check(str(path), *BARE)[0] == 0
    for place in range(60, len(whole) // 2, 29):
        path.write_bytes(whole[:place] + bytes(b ^ 0x5A for b in whole[place : place + 20]) + whole[place + 20 :])
        code, _, errors = check(str(path), *BARE)
        assert (code, len(errors.splitlines())) == (2, 1)


def test_an_array_that_appears_twice_is_refused(tmp_path: Path, trace: Trace) -> None:
    path = tmp_path / "t.npz"
    save_npz(path, trace)
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("arm.npy", archive.read("arm.npy"))
    code, _, errors = check(str(path), *BARE)
    assert code == 2
    assert "field 'arm': the array appears twice" in errors


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data(), suffix=st.sampled_from(["jsonl", "csv", "npz"]))
def test_damaged_files_never_crash_the_check(tmp_path: Path, trace: Trace, data: st.DataObject, suffix: str) -> None:
    short = Trace(trace.header, trace.rounds[:12])
    path = tmp_path / f"t.{suffix}"
    if suffix == "npz":
        save_npz(path, short)
    else:
        write_trace(str(path), short)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        kind = data.draw(st.sampled_from(["change", "cut", "repeat"]))
        if kind == "change":
            content[place] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del content[place : place + data.draw(st.integers(1, 40))]
        else:
            content[place:place] = content[max(0, place - 30) : place]
        if not content:
            content = bytearray(b"\x00")
    path.write_bytes(bytes(content))
    code, _, errors = check(str(path), *BARE) if suffix != "jsonl" else check(str(path))
    assert code in (0, 1, 2)
    assert "Traceback" not in errors
    if code == 2:
        assert len(errors.strip().splitlines()) == 1


@given(st.binary(max_size=300), st.sampled_from(["jsonl", "csv", "npz"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_binary_noise_is_refused(tmp_path: Path, noise: bytes, suffix: str) -> None:
    path = tmp_path / f"noise.{suffix}"
    path.write_bytes(noise)
    assert check(str(path), *BARE)[0] == 2


@pytest.mark.parametrize("suffix", ["csv", "npz"])
def test_what_a_file_without_a_header_is_a_trace_of_must_be_said(tmp_path: Path, trace: Trace, suffix: str) -> None:
    path = tmp_path / f"t.{suffix}"
    if suffix == "npz":
        save_npz(path, trace)
    else:
        write_trace(str(path), trace)
    for place in (0, 2, 4):
        code, _, errors = check(str(path), *BARE[:place], *BARE[place + 2 :])
        assert code == 2
        assert f"give {BARE[place]}" in errors


def test_a_trace_of_no_rounds_is_not_judged(tmp_path: Path, trace: Trace) -> None:
    path = tmp_path / "empty.jsonl"
    write_trace(str(path), Trace(trace.header, ()))
    for extra in ((), ("--strict",), ("--means", "1/4,1/2,3/4")):
        code, out, errors = check(str(path), *extra)
        assert (code, out) == (2, "")
        assert "no rounds: there is nothing to judge" in errors
    with pytest.raises(InvalidTrace, match="nothing to judge"):
        check_trace(Trace(trace.header, ()))


def test_brackets_in_strings_do_not_hide_the_depth(tmp_path: Path, trace: Trace) -> None:
    path = tmp_path / "deep.jsonl"
    write_trace(str(path), trace)
    deep = '["' + "]" * 5000 + '",' + "[" * 5000 + "]" * 5000 + "]"
    path.write_text(path.read_text() + deep + "\n")
    code, _, errors = check(str(path))
    assert code == 2
    assert "nested more than 64 levels deep" in errors
    harmless = '{"note": "' + "[" * 5000 + '"}'
    path.write_text(path.read_text().replace(deep, harmless))
    assert "levels deep" not in check(str(path))[2]


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.jsonl", tmp_path, tmp_path / "nothing.npz", tmp_path / "nothing.csv"):
        code, _, errors = check(str(path), *BARE)
        assert code == 2
        assert "cannot read" in errors


def test_epsilons_beyond_the_doubles_in_text_are_exact(tmp_path: Path) -> None:
    header = TraceHeader("cbm-ucb", "hoeffding", 1, None)
    tiny = Exact.of(0)
    rounds = play(reference(header), header, 3, lambda arm, k: 1, [0]).rounds
    write_trace(str(tmp_path / "t.jsonl"), Trace(header, tuple(r._replace(epsilon=tiny) for r in rounds)))
    text = (tmp_path / "t.jsonl").read_text().replace('"epsilon": 0', '"epsilon": "1/3"')
    (tmp_path / "t.jsonl").write_text(text)
    assert check(str(tmp_path / "t.jsonl"))[0] == 0
