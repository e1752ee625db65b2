"""Learning from demonstration in the window: a joint is dragged while the switch is on, and the arm repeats it."""

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.trajectory.demonstration.feature import DemonstrationFeature

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
    assert find(window, "demonstration_state").text().startswith("A trajectory of") and repeat.isEnabled()

    QTest.mouseClick(repeat, LEFT)
    wait_for(lambda: "tracking error" in find(window, "demonstration_error").text(), seconds=30)
    wait_for(lambda: feature._trajectory.run.arrived, seconds=60)
    assert find(window, "demonstration_error").text().startswith("Computed torque: tracking error")
    assert np.allclose(window.document.q, end, atol=0.05)
    window.document.open_robot("panda")
    assert feature.found is None and not repeat.isEnabled()
