"""Cell and contacts of an open recording."""

from __future__ import annotations

import numpy as np
import pytest

from armature import engine

TABLE = engine.load_cell("table")


@pytest.fixture
def replaying(make_window, tmp_path, wait_for):
    """Open a recording of the Panda at rest in a cell."""

    def open_(recorded: engine.Cell | None):
        robot = engine.load_robot("panda")
        recording = engine.simulate(robot, robot.configurations["home"], None, 0.05, 1e-3, cell=recorded)
        window = make_window("panda")
        window.files.open_path(str(recording.save(tmp_path / "run.npz")))
        wait_for(lambda: window.replay.replaying)
        return window

    return open_


def test_a_replay_in_another_cell_says_so(replaying, find, wait_for):
    window = replaying(TABLE)
    line = find(window, "replay_contacts")
    assert find(window, "replay_title").text().endswith("· cell table")
    assert line.isVisibleTo(window) and line.text() == "Recorded in the cell table, which is not the open cell (cell)."
    window.bench.cell.open(TABLE)
    wait_for(lambda: "Recorded in" not in line.text())
    window.bench.cell.edit(TABLE.with_changes("table", xyz=(0.6, 0.0, 0.5)), "edit table")
    wait_for(lambda: "The cell table has changed since this recording was made." in line.text())
    window.replay.close()
    assert not line.isVisibleTo(window)


def test_a_recording_without_a_cell_says_nothing_of_one(replaying, find):
    window = replaying(None)
    assert "cell" not in find(window, "replay_title").text()
    assert not find(window, "replay_contacts").isVisibleTo(window)


def test_a_recording_of_the_window_stores_the_open_cell(make_window, find, press, wait_for):
    window = make_window("panda")
    window.bench.cell.open(TABLE)
    wait_for(lambda: (model := window.scene.stage.clearance.tested) is not None and "table" in np.ravel(model.pair_names))
    find(window, "action_record").trigger()
    wait_for(lambda: window.simulation.recording is not None)
    find(window, "action_record").trigger()
    wait_for(lambda: window.simulation.recording is None)
    path = find(window, "action_replay_last") and window.preferences.now.last_recording
    wait_for(lambda: window.preferences.now.last_recording)
    recording = engine.load_recording(window.preferences.now.last_recording)
    assert path is not None and recording.metadata["cell"] == TABLE.describe()
