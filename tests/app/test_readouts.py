"""What follows from the pose: at once where a person changed it, beside the window where a run or a replay moves the arm."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from armature import engine
from armature.app.state import readouts as module
from armature.app.state.document import RobotDocument
from armature.app.state.readouts import Readouts, readout_of
from tests.time_limits import WAIT


@pytest.fixture
def watched_readouts(qapp, monkeypatch):
    """Document, its readouts, the emitted readouts, and the threads that computed them."""
    threads: list[threading.Thread] = []

    def watched(*request):
        threads.append(threading.current_thread())
        return readout_of(*request)

    monkeypatch.setattr(module, "readout_of", watched)
    document = RobotDocument(engine.load_robot("scara"))
    readouts, out = Readouts(document, 50.0, 500.0), []
    readouts.changed.connect(out.append)
    readouts.refresh()
    yield document, readouts, out, threads
    readouts.end()


def _wait(readouts: Readouts) -> None:
    assert readouts._under_way is not None
    readouts._under_way.result(timeout=WAIT)


def test_what_a_person_sets_is_told_at_once(watched_readouts):
    document, readouts, out, threads = watched_readouts
    document.edit(document.q + 0.1)
    readouts.refresh()
    assert len(out) == 2 and out[-1] is readouts.latest and out[-1].q is document.q
    assert out[-1].tool == pytest.approx(engine.frame_pose(document.robot, document.q))
    assert set(threads) == {threading.main_thread()}
    readouts.refresh()
    assert len(out) == 2  # nothing has changed


def test_what_a_run_moves_is_computed_beside_the_window_and_told_with_a_later_frame(watched_readouts):
    document, readouts, out, threads = watched_readouts
    document.follow(document.q + 0.1)
    readouts.refresh()
    assert len(out) == 1
    _wait(readouts)
    readouts.take()
    assert len(out) == 2 and out[-1].q is document.q and threads[-1] is not threading.main_thread()
    readouts.take()
    assert len(out) == 2


def test_one_is_computed_at_a_time_and_the_latest_pose_last(watched_readouts, monkeypatch):
    document, readouts, out, _ = watched_readouts
    may_go, begun = threading.Event(), []

    def slow(*request):
        begun.append(request[1])
        assert may_go.wait(WAIT)
        return readout_of(*request)

    monkeypatch.setattr(module, "readout_of", slow)
    for k in range(4):
        document.follow(document.q + 0.1 * (k + 1))
        readouts.refresh()
    readouts.take()
    assert len(begun) <= 1 and len(out) == 1
    may_go.set()
    _wait(readouts)
    readouts.take()
    readouts.refresh()
    _wait(readouts)
    readouts.take()
    assert len(begun) == 2 and out[-1].q is document.q


def test_what_was_computed_for_another_arm_or_before_an_edit_is_not_told(watched_readouts):
    document, readouts, out, _ = watched_readouts
    document.follow(document.q + 0.1)
    readouts.refresh()
    document.set_robot(engine.load_robot("puma560"))
    readouts.take()
    assert len(out) == 1
    readouts.refresh()
    assert len(out) == 2 and len(out[-1].q) == 6
    document.follow(document.q + 0.1)
    readouts.refresh()
    document.edit(document.q + 0.1)
    readouts.refresh()
    readouts.take()
    assert len(out) == 3 and np.array_equal(out[-1].q, document.q)


def test_a_fault_in_the_thread_is_raised_in_the_window(watched_readouts, monkeypatch):
    document, readouts, out, _ = watched_readouts

    def fails(*_):
        raise RuntimeError("no readout")

    monkeypatch.setattr(module, "readout_of", fails)
    document.follow(document.q + 0.1)
    readouts.refresh()
    with pytest.raises(RuntimeError, match="no readout"):
        while readouts._under_way is not None:
            readouts.take()
    monkeypatch.undo()
    document.follow(document.q + 0.1)
    readouts.refresh()
    _wait(readouts)
    readouts.take()
    assert len(out) == 2


def test_nothing_is_computed_once_the_window_is_closed(watched_readouts):
    document, readouts, out, threads = watched_readouts
    readouts.end()
    count = len(threads)
    document.follow(document.q + 0.1)
    readouts.refresh()
    readouts.take()
    assert len(threads) == count and len(out) == 1
