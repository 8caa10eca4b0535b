"""Of several processes that need a kernel at once, one compiles it."""

from threading import Event, Thread

from bufalu.experiments.engine.compiled import alone


def test_whoever_comes_second_waits(tmp_path):
    entered = Event()

    def second():
        with alone(tmp_path / "kept"):
            entered.set()

    with alone(tmp_path / "kept"):
        other = Thread(target=second)
        other.start()
        assert not entered.wait(0.1)
    assert entered.wait(60)
    other.join()


def test_a_folder_that_cannot_be_used_stops_nobody(tmp_path):
    (tmp_path / "file").write_text("")
    entered = []
    with alone(tmp_path / "file"):
        entered.append(True)
    assert entered
