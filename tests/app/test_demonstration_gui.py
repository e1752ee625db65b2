"""Learning from demonstration in the window: a joint is dragged while the switch is on, and the arm repeats it."""

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.trajectory.demonstration.feature import DemonstrationFeature
from tests.app.gizmos import angle_between, open_gizmo, pixel_on, press, pull, release, tool, way

LEFT = Qt.MouseButton.LeftButton


def test_a_motion_is_shown_by_hand_and_repeated_under_a_law(make_window, find, wait_for):
    window = make_window("puma560")
    feature = window.features[DemonstrationFeature]
    window.actions_["demonstration"].trigger()
    record, repeat = find(window, "demonstration_record"), find(window, "demonstration_repeat")
    wait_for(record.isVisible)
    assert not repeat.isEnabled()
    QTest.mouseClick(record, LEFT, pos=QPoint(8, record.height() // 2))
    assert record.isChecked()
    assert "Recording" in find(window, "demonstration_state").text()
    start = window.document.q.copy()
    slider = find(window, "joint_slider_joint1")
    at = QPoint(round(slider._handle_x(slider.value())), slider.height() // 2)
    QTest.mousePress(slider, LEFT, pos=at)
    for k in range(1, 31):
        QTest.mouseMove(slider, at + QPoint(k, 0))
        QTest.qWait(15)  # as fast as a hand
    QTest.mouseRelease(slider, LEFT, pos=at + QPoint(30, 0))
    end = window.document.q.copy()
    assert abs(end - start).max() > 0.1
    QTest.mouseClick(record, LEFT, pos=QPoint(8, record.height() // 2))
    wait_for(lambda: feature.found is not None, seconds=30)
    way = feature.found.trajectory
    assert engine.check_limits(window.document.robot, way, torque=True) is None
    assert np.allclose(way.start, start, atol=2e-3) and np.allclose(way.end, end, atol=2e-3)
    assert find(window, "demonstration_state").text().startswith("Trajectory of") and repeat.isEnabled()

    QTest.mouseClick(repeat, LEFT)
    wait_for(lambda: "tracking error" in find(window, "demonstration_error").text(), seconds=30)
    wait_for(lambda: feature._trajectory.run.arrived, seconds=60)
    assert find(window, "demonstration_error").text().startswith("Computed torque: tracking error")
    assert np.allclose(window.document.q, end, atol=0.05)
    window.document.open_robot("panda")
    assert feature.found is None and not repeat.isEnabled()


def test_a_motion_of_the_hand_in_the_view_is_repeated(make_window, find, wait_for):
    """The gizmo of the hand is taken by the mouse, pulled along an arrow and turned by a ring."""
    window = open_gizmo(make_window, "puma560")
    feature = window.features[DemonstrationFeature]
    window.actions_["demonstration"].trigger()
    record = find(window, "demonstration_record")
    wait_for(record.isVisible)
    QTest.mouseClick(record, LEFT, pos=QPoint(8, record.height() // 2))
    start, X = window.document.q.copy(), tool(window)
    for handle in ("x", "rz"):
        at = pixel_on(window.scene, handle)
        press(window.scene, at)
        for to in way(window.scene, handle, at, length=60.0, steps=30):
            pull(window.scene, [to])
            QTest.qWait(15)
        release(window.scene, to)
    end = window.document.q.copy()
    assert np.linalg.norm(tool(window)[:3, 3] - X[:3, 3]) > 0.02 and angle_between(tool(window), X) > 0.2
    QTest.mouseClick(record, LEFT, pos=QPoint(8, record.height() // 2))
    wait_for(lambda: feature.found is not None, seconds=30)
    shown = feature.found.trajectory
    assert np.allclose(shown.start, start, atol=2e-3) and np.allclose(shown.end, end, atol=2e-3)
    assert engine.check_limits(window.document.robot, shown, torque=True) is None
    middle = engine.frame_pose(window.document.robot, shown.sample(np.linspace(0, shown.duration, 50))[0])[:, :3, 3]
    assert np.linalg.norm(middle - X[:3, 3], axis=1).max() > 0.02
    QTest.mouseClick(find(window, "demonstration_repeat"), LEFT)
    wait_for(lambda: "tracking error" in find(window, "demonstration_error").text(), seconds=30)
    wait_for(lambda: feature._trajectory.run.arrived, seconds=60)
    assert np.allclose(window.document.q, end, atol=0.05)
