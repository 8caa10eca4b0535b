"""Names, sizes and permissions of files that are written whole."""

import gzip
import os
from pathlib import Path

import pytest

from bufalu.reference import whole_files
from bufalu.reference.errors import UnusableFile
from bufalu.reference.schedules import read_values
from bufalu.reference.trace_files import read_trace
from bufalu.reference.whole_files import (
    NotStrictJson,
    check_ending,
    check_writable,
    is_stream,
    open_to_read,
    parse_json,
    read_at_most,
    whole_file,
    write_whole,
)


def test_only_devices_and_pipes_are_streams(tmp_path: Path) -> None:
    pipe, file = tmp_path / "pipe.csv", tmp_path / "file.csv"
    os.mkfifo(pipe)
    file.touch()
    assert is_stream(pipe) and is_stream("/dev/null")
    assert not is_stream(file) and not is_stream(tmp_path) and not is_stream(tmp_path / "missing.csv")
    # The name of a pipe says nothing of a format, that of a file does.
    check_ending(pipe, (".npz",))
    check_writable(pipe, (".npz",))
    for good in ("trace", "trace.npz", "trace.NPZ"):
        check_ending(tmp_path / good, (".npz", ".x"))
    for bad in (file, tmp_path / "missing.csv"):
        with pytest.raises(UnusableFile, match=r"its name says .csv, and this is written as .npz"):
            check_ending(bad, (".npz",))


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("12345", encoding="utf-8-sig")
    assert read_at_most(file, 8) == "12345"
    with pytest.raises(UnusableFile, match="larger than 7 bytes"):
        read_at_most(file, 7)
    file.write_bytes(gzip.compress(b"12345"))
    with pytest.raises(UnusableFile, match="text: not a text file in UTF-8"):
        read_at_most(file)


def test_a_pipe_is_read_and_not_waited_for_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(whole_files, "WRITER_COMES", 0.0)
    for read in (read_at_most, read_trace, read_values):
        with pytest.raises(UnusableFile, match="pipe is a pipe that nobody writes to"):
            read(pipe)
    both = os.open(pipe, os.O_RDWR)
    reader = open_to_read(pipe)  # somebody has it open, and has written nothing yet
    os.write(both, b"one two")
    assert reader.read(3) == b"one"
    os.close(both)
    assert reader.read() == b" two"
    reader.close()
    again = os.open(pipe, os.O_RDWR)
    os.write(again, b"three")
    with open_to_read(pipe) as stream:
        os.close(again)
        assert stream.read() == b"three"


def test_a_message_quotes_little_of_what_was_given() -> None:
    assert str(UnusableFile(f"there is no '{'x' * 500}' in it")) == f"there is no '{'x' * 50}...{'x' * 27}' in it"
    assert len(str(UnusableFile("y" * 5000))) == 80
    told = (
        "the program's own long sentence, which goes on for more than eighty characters, isn't cut, nor /" + "p" * 300
    )
    assert str(UnusableFile(told)) == told


def test_permissions_are_those_of_a_new_file_or_of_the_one_before(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", "a")
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
        (tmp_path / "new").chmod(0o604)
        write_whole(tmp_path / "new", "b")
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o604
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert (tmp_path / "new").read_bytes() == b"b"


def test_a_name_as_long_as_a_name_can_be_is_written(tmp_path: Path) -> None:
    write_whole(tmp_path / ("n" * 255), "whole")
    assert [len(path.name) for path in tmp_path.iterdir()] == [255]


def test_what_is_left_by_an_error_leaves_nothing(tmp_path: Path) -> None:
    def interrupted() -> None:
        with whole_file(tmp_path / "x") as part:
            part.write_text("half", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["[" + "[" * 63 + "]" * 63 + ", []]", '["' + "[" * 99 + '"]', "[[]" + ",[]" * 99 + "]"]
)
def test_many_brackets_are_no_deep_nesting(text: str) -> None:
    assert parse_json(text)


@pytest.mark.parametrize("text", ["[" + "[" * 64 + "]" * 64 + ", []]", '{"a":' * 65 + "1" + "}" * 65])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(NotStrictJson, match="nested"):
        parse_json(text)
