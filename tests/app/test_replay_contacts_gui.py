"""Cell and contacts of an open recording."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from armature import engine
from armature.app.plots.feature import PlotsFeature

TABLE = engine.load_cell("table")


@pytest.fixture
def replaying(make_window, tmp_path, wait_for):
    """Open a recording of the Panda, in a cell, that falls or is held."""

    def open_(recorded: engine.Cell | None, law: str = "computed-torque"):
        robot = engine.load_robot("panda")
        controller = engine.default_gains(robot, law) if law else None
        recording = engine.simulate(robot, robot.configurations["home"], None, 0.5, 1e-3, controller, cell=recorded)
        window = make_window("panda")
        window.files.open_path(str(recording.save(tmp_path / "run.npz")))
        wait_for(lambda: window.replay.replaying)
        return window

    return open_


def test_a_replay_in_another_cell_says_so(replaying, find, wait_for):
    window = replaying(TABLE)
    line = find(window, "replay_contacts")
    assert find(window, "replay_title").text().endswith("· cell table")
    assert line.isVisibleTo(window) and line.text().startswith("Recorded in the cell table, which is not the open cell.")
    window.bench.cell.open(TABLE)
    wait_for(lambda: "Recorded in" not in line.text())
    window.bench.cell.edit(TABLE.with_changes("table", xyz=(0.6, 0.0, 0.5)), "edit table")
    wait_for(lambda: "The cell table has changed since this recording was made." in line.text())
    window.replay.close()
    assert not line.text().strip()


def test_a_cell_without_a_file_has_no_name_in_texts(replaying, find, wait_for):
    window = replaying(engine.Cell().with_object("ball", "sphere", radius=0.1, xyz=(0.0, 0.0, 3.0)))
    line = find(window, "replay_contacts")
    assert find(window, "replay_title").text().endswith("samples")
    wait_for(lambda: line.text().startswith("The cell has changed since this recording was made."))
    window.bench.cell.open(TABLE)
    wait_for(lambda: line.text().startswith("Recorded in an unnamed cell, which is not the open cell table."))


def test_a_recording_without_a_cell_says_nothing_of_one(replaying, find, wait_for):
    window = replaying(None)
    assert "cell" not in find(window, "replay_title").text()
    wait_for(lambda: find(window, "replay_contacts").text() == "No contact.")
    assert not find(window, "replay_timeline").contacts


def test_contacts_are_marked_on_the_timeline_and_in_the_plots(replaying, find, wait_for):
    window = replaying(TABLE, law="")
    timeline, recording = find(window, "replay_timeline"), window.replay.recording
    wait_for(lambda: timeline.contacts)
    tested = window.scene.stage.clearance.tested
    first = float(recording.t[np.flatnonzero(tested.collides(recording.q))[0]])
    start, end, text = timeline.contacts[0]
    pair = engine.collision(window.document.robot, recording.q[recording.t == first][0]).pair
    assert first - 1e-3 <= 0.5 * start <= first and start < end <= 1.0
    assert text.startswith(f"{' and '.join(pair)}, {0.5 * start:.3f} to ")
    assert "contact" in find(window, "replay_contacts").text() and text in find(window, "replay_contacts").text()

    x = 8 + (start + end) / 2 * (timeline.width() - 16)
    assert timeline.text_at(x) == text and not timeline.text_at(8.0)
    timeline.setVisible(True)
    place = QPoint(round(x), 2)
    QApplication.sendEvent(timeline, QHelpEvent(QEvent.Type.ToolTip, place, timeline.mapToGlobal(place)))
    assert QToolTip.text() == text
    bare, marked = timeline.grab().toImage(), None
    timeline.set_contacts(())
    marked, bare = bare, timeline.grab().toImage()
    assert any(marked.pixel(place.x(), y) != bare.pixel(place.x(), y) for y in range(4))

    (view, *_) = (pane.view for pane in window.features[PlotsFeature].panel.panes)
    assert view.mark == pytest.approx(0.5 * start)
    window.replay.close()
    assert view.mark is None and not timeline.contacts and not find(window, "replay_contacts").text().strip()


def test_an_object_that_is_added_during_the_replay_is_marked_too(replaying, find, wait_for):
    window = replaying(None)
    line = find(window, "replay_contacts")
    wait_for(lambda: line.text() == "No contact.")
    tool = engine.frame_pose(window.document.robot, window.replay.recording.q[0])[:3, 3]
    cell = window.bench.cell
    cell.edit(cell.now.with_object("ball", "sphere", radius=0.05, xyz=tool), "ball")
    wait_for(lambda: "and ball, 0.000 to 0.500 s." in line.text())
    assert find(window, "replay_timeline").contacts[0][:2] == pytest.approx((0.0, 1.0), abs=0.01)
    window.document.undo_stack.undo()
    wait_for(lambda: line.text() == "No contact.")


def test_a_run_that_stops_at_a_contact_is_marked_in_the_plots(make_window, find, press, wait_for):
    window = make_window("panda")
    wait_for(lambda: window.scene.stage.clearance.tested is not None and window.simulation.ready)
    box = find(window, "simulation_contact_stop")
    box.click()
    press(window.scene, Qt.Key.Key_Space)
    view = window.features[PlotsFeature].panel.panes[0].view
    wait_for(lambda: view.mark is not None)
    wait_for(lambda: not window.simulation.running)
    assert window.simulation.latest.t - 2e-3 <= view.mark <= window.simulation.latest.t
    box.click()
    press(window.scene, Qt.Key.Key_Backspace)
    wait_for(lambda: view.mark is None)


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
