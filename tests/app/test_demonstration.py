"""Learning from demonstration: a motion by hand becomes a trajectory, and the arm repeats it."""

from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.state.severity import Severity
from armature.app.state.units import Units
from armature.app.trajectory import demonstration
from armature.app.trajectory.demonstration import DemonstrationFeature
from armature.app.trajectory.demonstration_model import DemonstrationModel
from armature.app.trajectory.feature import TrajectoryFeature
from tests.app.gizmos import angle_between, open_gizmo, pixel_on, press, pull, release, tool, way

LEFT = Qt.MouseButton.LeftButton


def test_samples_become_a_trajectory_and_errors_a_text():
    arm, other = engine.load_robot("scara"), engine.load_robot("panda")
    model = DemonstrationModel(arm)
    model.add(0.0, np.zeros(3))  # before it begins
    model.clear(arm, is_recording=True)
    assert model.status.text == "Recording: drag the arm."
    for k in range(3):
        model.add(5.0 + k, np.full(3, 0.1 * k))
    t, q = model.end()
    assert t.tolist() == [0.0, 1.0, 2.0] and q[:, 0] == pytest.approx([0.0, 0.1, 0.2]) and model.status.text == "Computing…"
    model.fail("the arm did not move")
    assert model.status == ("The arm did not move.", Severity.WARNING)
    model.take(SimpleNamespace(trajectory=SimpleNamespace(duration=2.5), why=None))
    assert model.status.text == "Trajectory of 2.50 s."
    model.add_error("PD", 0.1, np.array([0.03, 0.0, 0.001]))
    model.add_error("PD", 0.1, np.array([9.0, 9.0, 9.0]))  # the same sample once more
    model.add_error("PD", 0.2, np.array([0.01, 0.0, 0.002]))
    assert model.errors.mean_squares == pytest.approx([5e-4, 0.0, 2.5e-6]) and model.errors.largest.tolist() == [0.03, 0.0, 0.002]
    assert model.error_text(Units()).startswith("PD: tracking error") and "joint1" in model.error_text(Units())
    model.clear(other)
    assert model.found is None and not model.error_text(Units()) and not model.status.text


def test_a_motion_by_hand_is_repeated_under_a_controller(make_window, find, wait_for, monkeypatch):
    """A joint is dragged by its slider, then the tool along an arrow and around a ring of its gizmo."""
    looks = count()
    monkeypatch.setattr(demonstration, "time", SimpleNamespace(monotonic=lambda: 0.015 * next(looks)))  # as fast as a hand
    window = open_gizmo(make_window, "puma560")
    feature, run = window.features[DemonstrationFeature], window.features[TrajectoryFeature].run
    window.actions_["demonstration"].trigger()
    record, repeat = find(window, "demonstration_record"), find(window, "demonstration_repeat")
    wait_for(record.isVisible)
    assert not repeat.isEnabled()
    QTest.mouseClick(record, LEFT, pos=QPoint(8, record.height() // 2))
    assert record.isChecked()
    start, X = window.document.q.copy(), tool(window)
    slider = find(window, "joint_slider_joint1")
    QTest.keyClick(slider, Qt.Key.Key_Right)
    for handle in ("x", "rz"):
        at = pixel_on(window.scene, handle)
        press(window.scene, at)
        for to in way(window.scene, handle, at, length=60.0, steps=30):
            pull(window.scene, [to])
        release(window.scene, to)
    end = window.document.q.copy()
    assert np.linalg.norm(tool(window)[:3, 3] - X[:3, 3]) > 0.02 and angle_between(tool(window), X) > 0.2
    QTest.mouseClick(record, LEFT, pos=QPoint(8, record.height() // 2))
    wait_for(lambda: feature.model.found is not None, seconds=30)
    shown = feature.model.found.trajectory
    assert np.allclose(shown.start, start, atol=2e-3) and np.allclose(shown.end, end, atol=2e-3)
    assert engine.check_limits(window.document.robot, shown, torque=True) is None
    assert find(window, "demonstration_state").text().startswith("Trajectory of") and repeat.isEnabled()

    QTest.mouseClick(repeat, LEFT)
    wait_for(lambda: "tracking error" in find(window, "demonstration_error").text(), seconds=30)
    wait_for(lambda: run.arrived, seconds=60)
    assert find(window, "demonstration_error").text().startswith("Computed torque: tracking error")
    assert np.allclose(window.document.q, end, atol=0.05)
    window.document.open_robot("panda")
    window.bench.views.flush()
    assert feature.model.found is None and not repeat.isEnabled()
