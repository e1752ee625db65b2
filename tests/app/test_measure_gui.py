"""Measuring between two frames or points of the arm, by clicks."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.scene.hands.pointer import PointerMode
from tests.app.scenes import visible_point

LEFT, CTRL, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


def test_two_clicks_measure_and_what_they_tell_follows_the_arm_until_escape(make_window, find, wait_for):
    window = make_window("puma560")
    scene, hand, text = window.scene, window.scene.measure, find(window, "measure_text")
    robot = window.document.robot

    def pixel(frame):
        scene.match_camera()
        x, y = scene.camera.project(engine.frame_pose(robot, window.document.q, frame)[None, :3, 3])[0, :2]
        return QPoint(round(x), round(y))

    def click(at):
        QTest.mouseClick(scene, LEFT, NONE, at)

    scene.setFocus()
    QTest.keyClick(scene, Qt.Key.Key_M, CTRL)
    assert hand.on and text.isVisible() and "click a frame" in text.text()
    undo = window.document.undo_stack.count()
    click(pixel("tool"))
    assert "Measure from frame tool" in text.text() or "Measure from frame link6" in text.text()
    click(pixel("link2"))
    X, Y = (engine.frame_pose(robot, window.document.q, name) for name in ("tool", "link2"))
    found = scene.stage.measure.measured()
    assert np.allclose(found.parts, Y[:3, 3] - X[:3, 3]) and np.isclose(found.distance, np.linalg.norm(found.parts))
    turn = np.arccos(np.clip((np.trace(X[:3, :3].T @ Y[:3, :3]) - 1) / 2, -1, 1))
    assert np.isclose(found.angle, turn)
    assert f"distance {found.distance:.4f}" in text.text().replace(",", ".") and "angle between the frames" in text.text()
    assert window.document.undo_stack.count() == undo and scene.selected < 0

    before = text.text()
    window.document.edit(robot.configurations["stretched"])
    wait_for(lambda: text.text() != before)
    X, Y = (engine.frame_pose(robot, window.document.q, name) for name in ("tool", "link2"))
    assert np.isclose(scene.stage.measure.measured().distance, np.linalg.norm(Y[:3, 3] - X[:3, 3]))

    window.document.edit(robot.configurations["home"])  # a third click begins anew, here with a point on a link
    at = visible_point(scene, 1)
    click(at)
    assert len(scene.stage.measure.anchors) == 1 and scene.stage.measure.measured() is None
    anchor = scene.stage.measure.anchors[0]
    click(pixel("base"))
    found = scene.stage.measure.measured()
    assert anchor.is_frame == (found.angle is not None)
    window.actions_["length_mm"].trigger()
    assert " mm" in text.text()
    assert not scene.grab().isNull() and not scene.stage.measure.broken

    QTest.keyClick(scene, Qt.Key.Key_Escape)
    assert not hand.on and text.isHidden() and not scene.stage.measure.anchors
    assert not window.actions_["measure"].isChecked()
    QTest.mousePress(scene, LEFT, NONE, at)
    assert scene.pointer.mode is PointerMode.GRAB
    QTest.mouseRelease(scene, LEFT, NONE, at)
    window.actions_["measure"].trigger()
    click(pixel("link2"))
    window.document.open_robot("scara")
    assert hand.on and not scene.stage.measure.anchors and "click a frame" in text.text()
