"""Finished pieces on disk: whole or absent, found again by everything they depend on, noticed when damaged."""

import os

import numpy as np
import pytest

from bufalu import Instance, Study
from bufalu.experiments.studies import code_version, pieces, store
from bufalu.experiments.studies.counts import Counts, decoded, encoded, joined
from bufalu.experiments.studies.errors import BrokenWork, DifferentCode, UnusableFolder
from bufalu.experiments.studies.pieces import Piece, computed, pieces_of
from bufalu.experiments.studies.running import StudyRuns, run_study
from bufalu.experiments.studies.store import UNFINISHED, Folder

STUDY = {
    "instances": Instance.bernoulli([0.25, 0.5]),
    "policies": ["bufalu", "greedy"],
    "epsilons": "power:1/4",
    "horizons": 300,
    "seeds": 5,
}


def some_counts(seed=0):
    draws = np.random.default_rng(seed)
    whole = lambda *shape: draws.integers(0, 2**40, shape)  # noqa: E731
    return Counts(draws.normal(size=(3, 4)), whole(3, 4), whole(4, 2), whole(4, 2), 7)


def equal(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_numbers_survive_their_form_in_bytes():
    counts = some_counts()
    assert equal(decoded(encoded(counts)), counts)
    assert equal(joined([counts]), counts)
    both = joined([counts, some_counts(1)])
    assert both.regret.shape == (3, 8)
    assert both.resolved == 14


@pytest.mark.parametrize("content", [b"", b"{}", b"[]\n", b'{"points":1,"seeds":1,"arms":1,"resolved":0}\n12345678'])
def test_other_bytes_are_refused(content):
    with pytest.raises(BrokenWork):
        decoded(content)


def test_a_piece_is_kept_and_found(tmp_path):
    folder, piece = Folder(tmp_path), Piece("text", 10)
    assert folder.load(piece) is None
    folder.save(piece, encoded(some_counts()))
    assert equal(Folder(tmp_path).load(piece), some_counts())
    assert Folder(tmp_path).load(Piece("other text", 10)) is None
    assert folder.damaged == set()


def test_every_damage_is_noticed(tmp_path):
    folder, piece = Folder(tmp_path), Piece("text", 10)
    folder.save(piece, encoded(some_counts()))
    path = folder.path(piece)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert folder.load(piece) is None, place
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert folder.load(piece) is None, length
    assert folder.damaged == {path.name}
    path.write_bytes(whole)
    assert equal(folder.load(piece), some_counts())


def test_a_damaged_piece_is_computed_again_and_no_other(tmp_path):
    kept = Folder(tmp_path)
    before = run_study(Study(**STUDY), kept)
    files = sorted(tmp_path.glob("*/*.piece"))
    content = {path: path.read_bytes() for path in files}
    made = {path: path.stat().st_mtime_ns for path in files}
    files[0].write_bytes(b"nonsense")
    again = Folder(tmp_path)
    work = StudyRuns(Study(**STUDY), again).work()
    assert len(work.missing) == 1
    after = run_study(Study(**STUDY), again)
    assert again.damaged == {files[0].name}
    assert {path: path.read_bytes() for path in files} == content
    assert {path: path.stat().st_mtime_ns for path in files[1:]} == {path: made[path] for path in files[1:]}
    assert all(equal(after.counts(cell), before.counts(cell)) for cell in before.cells)


def test_a_folder_in_the_place_of_a_piece_is_damage_too(tmp_path):
    folder, piece = Folder(tmp_path), Piece("text", 10)
    path = folder.path(piece)
    path.mkdir(parents=True)
    (path / "mine").touch()
    assert folder.load(piece) is None
    assert folder.damaged == {path.name}
    folder.save(piece, encoded(some_counts()))
    assert equal(folder.load(piece), some_counts())
    (aside,) = path.parent.glob("*.folder-*")
    assert (aside / "mine").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"instances": Instance.bernoulli([0.25, 0.75])},
        {"policies": ["bufau"]},
        {"epsilons": "power:1/3"},
        {"confidences": "bernstein"},
        {"ties": "last"},
        {"horizons": 301},
        {"seeds": 6},
    ],
)
def test_what_a_result_depends_on_is_in_its_name(change):
    def keys(study):
        return {piece.key for cell in study.cells() for piece in pieces_of(cell, study.seeds)}

    assert keys(Study(**STUDY)) == keys(Study(**STUDY))
    assert not keys(Study(**STUDY)) & keys(Study(**{**STUDY, **change}))


def test_other_code_means_other_pieces_and_is_refused(monkeypatch):
    (cell, _) = Study(**STUDY).cells()
    (piece,) = pieces_of(cell, 5)
    assert computed(piece.text)
    monkeypatch.setattr(pieces, "code_digest", lambda: "another")
    (other,) = pieces_of(cell, 5)
    assert other.key != piece.key
    with pytest.raises(DifferentCode):
        computed(piece.text)


def test_the_digest_sees_every_source(monkeypatch, tmp_path):
    from bufalu.experiments import engine

    for name in ("running.py", "arrays.py"):
        (tmp_path / name).write_text("a = 1\n")
    monkeypatch.setattr(code_version, "files", lambda room: tmp_path)
    first = code_version.code_digest.__wrapped__()
    (tmp_path / "arrays.py").write_text("a = 2\n")
    assert code_version.code_digest.__wrapped__() != first
    assert engine.__name__ in code_version.ROOMS
    assert "bufalu.reference" in code_version.ROOMS


def test_the_code_of_a_users_object_is_part_of_the_name(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    digests = set()
    for version in ("1", "2"):
        (tmp_path / f"brought{version}.py").write_text(f"class Thing:\n    number = {version}\n")
        module = __import__(f"brought{version}")
        digests.add(code_version.objects_digest(module.Thing()))
    assert len(digests) == 2
    assert code_version.objects_digest(Instance.bernoulli([0.5])) == ""
    typed = type("Typed", (), {"__module__": "__main__"})
    assert code_version.objects_digest(typed()) not in digests | {""}


def test_a_file_of_epsilons_is_part_of_the_name(tmp_path):
    values = tmp_path / "epsilons"
    values.write_text("1\n" * 300)
    study = Study(**{**STUDY, "epsilons": f"file:{values}"})
    (piece,) = pieces_of(study.cells()[0], 5)
    values.write_text("2\n" * 300)
    assert pieces_of(study.cells()[0], 5)[0].key != piece.key
    with pytest.raises(BrokenWork, match="same numbers"):
        computed(piece.text)


def test_a_file_is_on_disk_before_it_has_its_name(monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr(store.os, "fsync", lambda handle: calls.append("fsync"))
    replace = os.replace
    monkeypatch.setattr(store.os, "replace", lambda a, b: (calls.append("replace"), replace(a, b)))
    Folder(tmp_path).save(Piece("text", 1), encoded(some_counts()))
    assert calls == ["fsync", "replace", "fsync"]


def test_a_write_that_fails_leaves_nothing(monkeypatch, tmp_path):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.os, "fsync", full)
    with pytest.raises(UnusableFolder, match="No space left"):
        Folder(tmp_path).save(Piece("text", 1), encoded(some_counts()))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_what_a_dead_program_left_unfinished_goes(tmp_path):
    leftover = tmp_path / "ab" / f"{UNFINISHED}x"
    leftover.parent.mkdir()
    leftover.write_text("half")
    Folder(tmp_path)
    assert not leftover.exists()


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableFolder):
        Folder(tmp_path / "file")
