"""Refusals that people met, in the words that help them."""

import gzip

import pytest

from bufalu.cli import main

RUN = ("--means", "1/4,1/2", "--horizon", "9")


def said(capsys, *arguments):
    try:
        code = main(list(arguments))
    except SystemExit as stopped:
        code = stopped.code
    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    assert len(told.err.splitlines()) == 1
    return told.err


@pytest.mark.parametrize("horizon", ["-5", "0", "1/2", "x"])
def test_a_horizon_starts_at_one(capsys, horizon):
    line = said(capsys, "simulate", "--means", "1/4,1/2", "--epsilon", "zero", "--horizon", horizon)
    assert "between 1 and 10^18" in line


@pytest.mark.parametrize("number", ["0.1", "1/10", "0"])
def test_a_number_for_epsilon_is_a_constant(capsys, number):
    assert f"constant:{number}" in said(capsys, "simulate", *RUN, "--epsilon", number)


def test_a_study_is_kept_in_a_folder(capsys, tmp_path):
    (tmp_path / "file").write_text("mine")
    study = (*RUN, "--policy", "bufalu", "--epsilon", "zero", "--seeds", "2")
    line = said(capsys, "compare", *study, "--out", str(tmp_path / "file"))
    assert "is a file: a study is kept in a folder" in line
    assert (tmp_path / "file").read_text() == "mine"


@pytest.fixture
def trace(tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    assert main(["simulate", *RUN, "--epsilon", "zero", "--out", str(path)]) == 0
    capsys.readouterr()
    return path


def test_a_compressed_trace_may_have_any_name(trace, tmp_path, capsys):
    packed = tmp_path / "packed.jsonl"
    packed.write_bytes(gzip.compress(trace.read_bytes()))
    assert main(["check", str(packed)]) == 0
    assert capsys.readouterr().out.startswith("conforms")


def test_a_dash_is_no_file(trace, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "/dev/stdout" in said(capsys, "explain", str(trace), "--svg", "-")
    assert not (tmp_path / "-").exists()
