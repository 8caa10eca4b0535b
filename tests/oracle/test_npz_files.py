"""NPZ traces: the round that is wrong is named, also beyond the first block."""

import io
import lzma
import zipfile
import zlib

import numpy as np
import pytest

from bufalu.oracle import npz_files
from bufalu.oracle.npz_files import npz_blocks
from bufalu.oracle.npz_writing import npz_writer
from bufalu.reference.errors import InvalidTrace
from bufalu.reference.rounds import Round
from bufalu.reference.traces import TraceHeader

HEADER = TraceHeader("bufalu", "hoeffding", 2, "zero")


def columns(rounds: int = 20) -> dict[str, np.ndarray]:
    query = np.ones(rounds, np.uint8)
    query[3::4] = 0
    return {
        "arm": np.arange(rounds) % 2 + 1,
        "query": query,
        "reward": np.where(query == 1, np.arange(rounds) / rounds, np.nan),
    }


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(npz_files, "BLOCK_ROUNDS", 8)


@pytest.mark.parametrize("place", [0, 6, 7, 8, 18])
@pytest.mark.parametrize(("name", "wrong"), [("arm", 0), ("arm", 3), ("query", 2), ("reward", 1.5), ("reward", -1)])
def test_the_wrong_round_is_named(tmp_path, place, name, wrong):
    arrays = columns()
    arrays["query"][place] = 1
    arrays["reward"][place] = 0.5
    arrays[name][place] = wrong
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(InvalidTrace, match=rf"\bround {place + 1}\b"):
        list(npz_blocks(str(tmp_path / "t.npz"), HEADER))


def test_blocks_follow_one_another(tmp_path):
    arrays = columns()
    np.savez(tmp_path / "t.npz", **arrays)
    blocks = list(npz_blocks(str(tmp_path / "t.npz"), HEADER))
    assert [(block.first, len(block)) for block in blocks] == [(1, 8), (9, 8), (17, 4)]
    assert np.array_equal(np.concatenate([block.arm for block in blocks]), arrays["arm"])
    assert np.array_equal(np.concatenate([block.query for block in blocks]), arrays["query"] == 1)
    assert np.array_equal(np.concatenate([block.reward for block in blocks]), arrays["reward"], equal_nan=True)


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="a longdouble is a double here")
def test_what_is_longer_than_a_double_is_not_rounded(tmp_path):
    arrays = columns()
    np.savez(tmp_path / "t.npz", **{**arrays, "reward": arrays["reward"].astype(np.longdouble)})
    with pytest.raises(InvalidTrace, match="found the type float128"):
        list(npz_blocks(str(tmp_path / "t.npz"), HEADER))


def test_an_archive_of_many_members_is_refused_soon(tmp_path, monkeypatch):
    """Every name is looked at once or twice, not against every other."""
    looked_at = []

    class Name(str):
        def __eq__(self, other):
            looked_at.append(self)
            return str.__eq__(self, other)

        __hash__ = str.__hash__

        def removesuffix(self, suffix):
            return Name(str.removesuffix(self, suffix))

    np.savez(tmp_path / "t.npz", **columns())
    monkeypatch.setattr(npz_files.zipfile.ZipFile, "namelist", lambda _: [Name(f"a{n}.npy") for n in range(500)])
    with pytest.raises(InvalidTrace, match="not an array of a trace"):
        list(npz_blocks(str(tmp_path / "t.npz"), HEADER))
    assert len(looked_at) < 5_000


@pytest.mark.parametrize("arms", [255, 256])
def test_the_last_of_many_arms_is_written_as_itself(tmp_path, arms):
    path, header = str(tmp_path / "t.npz"), TraceHeader("bufalu", "hoeffding", arms, "zero")
    with npz_writer(path, header) as writer:
        for number in range(1, arms + 1):
            writer.write(Round(number, number, True, 1, None))
    assert np.concatenate([block.arm for block in npz_blocks(path, header)]).tolist() == list(range(1, arms + 1))
    with np.load(path) as arrays:
        assert arrays["arm"].itemsize == (1 if arms < 256 else 4)


@pytest.mark.parametrize("wrong", [-0.5, -1e-300, np.inf, np.nan])
@pytest.mark.parametrize("place", [2, 8])
def test_the_round_of_a_wrong_epsilon_is_named(tmp_path, wrong, place):
    arrays = {**columns(), "epsilon": np.full(20, 0.5)}
    # An initial round needs none.
    arrays["epsilon"][:2] = np.nan
    unscheduled = TraceHeader("bufalu", "hoeffding", 2, None)
    np.savez(tmp_path / "right.npz", **arrays)
    assert len(list(npz_blocks(str(tmp_path / "right.npz"), unscheduled))) == 3
    arrays["epsilon"][place] = wrong
    np.savez(tmp_path / "wrong.npz", **arrays)
    with pytest.raises(InvalidTrace, match=rf"'epsilon': round {place + 1}\b"):
        list(npz_blocks(str(tmp_path / "wrong.npz"), unscheduled))


def test_a_trace_without_rounds_is_a_trace(tmp_path):
    np.savez(tmp_path / "t.npz", **columns(0))
    assert list(npz_blocks(str(tmp_path / "t.npz"), HEADER)) == []


def test_an_array_with_fewer_entries_than_it_says_is_cut_short(tmp_path):
    """Four entries of one byte less: with its header the member is still longer than what it promises."""
    with zipfile.ZipFile(tmp_path / "t.npz", "w") as archive:
        for name, values in columns().items():
            written = io.BytesIO()
            np.save(written, values)
            archive.writestr(f"{name}.npy", written.getvalue()[: -4 if name == "query" else None])
    with pytest.raises(InvalidTrace, match=r"query.*cut short"):
        list(npz_blocks(str(tmp_path / "t.npz"), HEADER))


@pytest.mark.parametrize("problem", [zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError])
def test_whatever_a_stream_says_of_its_damage_names_the_array(problem):
    class Damaged(io.BytesIO):
        def read(self, size=-1):
            raise problem("bad byte")

    column = npz_files._Column("run.npz", "reward", Damaged(), np.dtype(np.float64), 3)
    with pytest.raises(InvalidTrace, match=r"run\.npz.*reward.*damaged: bad byte"):
        column.next(3)
