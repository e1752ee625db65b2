"""An own trajectory and an own disturbance in the window: chosen, saved, broken, mended, recorded."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from armature import engine
from armature.app.simulation.disturbance_feature import DisturbanceFeature
from armature.app.trajectory.feature import TrajectoryFeature
from armature.engine.simulation.commands import StartRecording, StopRecording

WAY = """
import numpy as np

def trajectory(t, p):
    return 0.3 * np.sin(p.rate * t) * np.array([1.0, 0.5])

trajectory.duration = 2.0
trajectory.p = {"rate": (0, 10, 3)}
"""
PUSH = """
def disturbance(t, q, qd, p):
    return [0, 0, p.force, 0, 0, 0]

disturbance.p = {"force": (-50, 50, 20)}
disturbance.link = "link1"
"""


@pytest.fixture
def chosen(monkeypatch):
    """What the file dialog answers."""
    paths = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(paths[-1]), ""))
    return paths


def test_a_trajectory_function_is_planned_run_and_planned_again_when_saved(make_window, find, wait_for, click, chosen, tmp_path):
    window = make_window("double_pendulum", perspective="trajectory")
    feature, status = window.features[TrajectoryFeature], find(window, "trajectory_status")
    wait_for(lambda: window.simulation.ready)
    path = tmp_path / "way.py"
    path.write_text(WAY)
    chosen.append(path)
    feature.panel.entries["function"].trigger()
    wait_for(lambda: status.text() == "From way.py: 2 s, within all limits.")
    click(window, "trajectory_run")
    wait_for(lambda: feature.model.followed is not None and window.simulation.latest.q_desired is not None)
    wait_for(lambda: window.simulation.latest.t > 0.3)
    t = window.simulation.latest.t
    np.testing.assert_allclose(feature.model.preview.q_at(t), 0.3 * np.sin(3 * t) * np.array([1.0, 0.5]), atol=1e-8)
    click(window, "trajectory_stop")
    path.write_text(WAY.replace("= 2.0", "= 1.5"))
    wait_for(lambda: "way.py: 1.5 s" in status.text() and feature.model.preview.duration == 1.5)
    path.write_text(WAY.replace("np.sin", "np.six"))
    wait_for(lambda: "In way.py, line 5" in status.text())
    assert feature.model.preview.duration == 1.5  # the last good one
    path.write_text(WAY)
    wait_for(lambda: "way.py: 2 s" in status.text())
    slider = find(window, "trajectory_slider_rate")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    wait_for(lambda: feature.model.preview.trajectory.origin["values"] == {"rate": 0.0})
    assert np.abs(feature.model.preview.q).max() == 0
    click(window, "trajectory_add_joints")
    wait_for(lambda: feature.model.preview is None)  # waypoints take its place
    assert feature.panel.parameters.isHidden()
    path.write_text(WAY)
    wait_for(lambda: "Add a second waypoint" in status.text())


def test_a_disturbance_pushes_is_recorded_pauses_where_it_fails_and_goes_on(make_window, find, wait_for, click, chosen, tmp_path):
    window = make_window("double_pendulum", perspective="dynamics")
    feature, state, simulation = window.features[DisturbanceFeature], find(window, "disturbance_state"), window.simulation
    wait_for(lambda: simulation.ready)
    path = tmp_path / "push.py"
    path.write_text(PUSH)
    chosen.append(path)
    window.features[DisturbanceFeature]._simulation.dock.bring_up()
    feature.section.header.setChecked(True)
    click(window, "disturbance_open")
    wait_for(lambda: state.text() == "push acts on link1: force = 20.")
    simulation.send(StartRecording(tmp_path / "run.npz"))
    simulation.run()
    wait_for(lambda: simulation.latest.t > 0.1 and simulation.running)
    path.write_text(PUSH.replace("p.force,", "p.force / (0.0 if t > 0.1 else 1.0),"))
    wait_for(lambda: "paused: push.py, line 3" in state.text() and not simulation.running)
    path.write_text(PUSH.replace("20)", "30)"))
    wait_for(lambda: state.text() == "push acts on link1: force = 30.")
    t = simulation.latest.t
    simulation.run()
    wait_for(lambda: simulation.latest.t > t + 0.05)
    simulation.pause()
    simulation.send(StopRecording())
    wait_for((tmp_path / "run.npz").exists)
    wait_for(lambda: not simulation.running and simulation.recording is None)
    recording = engine.load_recording(tmp_path / "run.npz")
    assert engine.verify_recording(recording, allow_code=True).identical
    forces = [event["disturbance"]["values"]["force"] for event in recording.metadata["events"] if event["kind"] == "disturbance"]
    assert forces[-1] == 30
    field = find(window, "disturbance_value_force")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "-5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    wait_for(lambda: state.text() == "push acts on link1: force = −5.")
    wait_for(lambda: feature.disturbance.values == {"force": -5.0})
    path.write_text(PUSH.replace("20)", "40)"))
    wait_for(lambda: dict(feature.disturbance.parameters)["force"].start == 40)
    assert state.text() == "push acts on link1: force = −5."  # what was set by hand stays
    click(window, "disturbance_remove")
    assert state.text().startswith("No disturbance is open") and feature.section.parameters.isHidden()


def test_code_that_is_opened_as_any_file_does_not_run(make_window, tmp_path):
    """Only what is chosen as a trajectory or a disturbance is."""
    window = make_window("double_pendulum")
    trace, path = tmp_path / "trace", tmp_path / "way.py"
    path.write_text(f"open({str(trace)!r}, 'w')\n" + WAY)
    window.bench.files.open_path(str(path))
    assert window.bench.banner.isVisible() and not trace.exists()
