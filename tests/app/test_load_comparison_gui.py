"""Grasp and release as fields of a waypoint, and the runs with, without and with an unknown load laid over each other."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.trajectory.comparison import feature as comparison
from armature.app.trajectory.comparison.comparison_model import CANCELLED, NOTHING
from armature.app.trajectory.comparison.feature import LoadComparisonFeature
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.on_screen import on_screen


def choose(box, k: int) -> None:
    """Choose the k-th entry with the keys."""
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(k):
        QTest.keyClick(box, Qt.Key.Key_Down)
    box.activated.emit(box.currentIndex())


def enter(field, text: str) -> None:
    """Type a number and confirm it."""
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def _until_given_up(job) -> None:
    while not job.cancelled():
        time.sleep(0.005)


def test_loads_are_edited_saved_and_compared(make_window, find, wait_for, click, press, tmp_path, monkeypatch):
    window = make_window("scara", perspective="trajectory")
    feature, compared = window.features[TrajectoryFeature], window.features[LoadComparisonFeature]
    panel, load = compared.panel, feature.panel.load
    assert not load.action.isEnabled()
    home = window.document.q
    for q in (home, home + [0.2, 0.2, 0.05], home + [0.1, 0.1, -0.05]):
        window.document.edit(q)
        press(window.scene, Qt.Key.Key_Insert)
    wait_for(lambda: feature.model.preview is not None)
    assert panel.sentence.text() == NOTHING and not panel.compute.isEnabled()
    assert all("to plot the" in plot.note for plot in (panel.torque, panel.difference))

    # grasp at the second, release at the third waypoint
    feature.panel.table.select(1)
    wait_for(lambda: load.action.isEnabled())
    choose(load.action, 1)
    window.bench.views.flush()
    first = feature.model.draft.waypoints[1]
    assert first.grasp.mass == 0.851 and first.dwell == 0.5 and load.fields[0].isEnabled()
    enter(load.fields[0], "1.5")
    enter(load.fields[3], "0.05")
    window.bench.views.flush()
    held = feature.model.draft.waypoints[1].grasp
    assert held.mass == 1.5 and held.com.tolist() == [0.0, 0.0, 0.05]
    window.actions_["undo"].trigger()
    window.bench.views.flush()
    assert feature.model.draft.waypoints[1].grasp.com.tolist() == [0.0, 0.0, 0.0] and load.fields[3].value() == 0.0
    window.actions_["redo"].trigger()
    window.bench.views.flush()
    assert load.fields[3].value() == 0.05
    feature.panel.table.select(2)
    choose(load.action, 2)
    window.bench.views.flush()
    assert feature.model.draft.waypoints[2].release and not load.fields[0].isEnabled()
    wait_for(lambda: panel.compute.isEnabled())
    path = tmp_path / "mine.toml"
    feature.files.save(str(path))
    again = engine.load_plan(path, window.document.robot).waypoints
    assert again[1].grasp.mass == 1.5 and again[1].grasp.com.tolist() == [0.0, 0.0, 0.05] and again[2].release

    # given up, then compared
    with monkeypatch.context() as slow:  # it takes less time than a dock to come up where the machine is busy
        slow.setattr(comparison, "_compare", lambda *arguments: _until_given_up(arguments[-1]))
        window.actions_["compare_loads"].trigger()
        wait_for(lambda: on_screen(panel) and panel.cancel.isEnabled())
        click(window, "load_cancel")
    wait_for(lambda: panel.sentence.text() == CANCELLED and not compared.runner.busy)
    click(window, "load_compare")
    wait_for(lambda: compared.model.found is not None)
    found, joint = compared.model.found, panel.joint.currentIndex()
    assert [phase.name for phase in found.phases] == ["move", "grasp", "carry", "release"]
    assert [band.name for band in panel.torque.bands] == [phase.name for phase in found.phases]
    assert joint == 2 and "joint3" in panel.sentence.text()  # which lifts the load
    carry = found.phases[2]
    middle = np.searchsorted(found.t, (carry.start + carry.end) / 2)
    below = panel.difference.curves
    assert [curves.names[0] for curves in below] == ["Without payload", "With unknown payload"]
    arm = window.simulation.robot
    q, qd, qdd = feature.model.preview.trajectory.sample(found.t[middle])
    less = engine.rnea(arm, q, qd, qdd) - engine.rnea(held.held_by(arm), q, qd, qdd)
    assert below[0].y[middle, 0] == pytest.approx(less[joint], abs=0.05) and abs(less[joint]) > 10
    assert find(window, "load_unknown_error").text() != find(window, "load_with_error").text()
    before = panel.torque.curves[0].y.copy()
    panel.joint.setFocus()
    QTest.keyClick(panel.joint, Qt.Key.Key_Up)
    window.bench.views.flush()
    assert panel.joint.currentIndex() == 1 and not np.array_equal(panel.torque.curves[0].y, before)

    # another trajectory: what was compared is not of it; an arm without masses says why not
    feature.model.change("speed", speed=0.4)
    window.bench.views.flush()
    assert compared.model.found is None and not panel.torque.curves
    window.document.open_robot("irb140")
    wait_for(lambda: "mass" in panel.sentence.text())
    assert not panel.compute.isEnabled()
