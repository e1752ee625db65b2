"""README: the arm is moved, joint by joint and by its hand."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature.app.scene.gizmo.gizmo_handles import ARROWS, PLANES, RINGS
from tests.app.gizmos import pixel_on, pull, release, way
from tests.app.readme_walk.walk import CTRL, NONE, RIGHT, Key
from tests.app.scenes import drag, move, visible_point
from tests.app.test_gizmo_gestures import take


def move_it(walk):
    window, scene = walk.window, walk.window.scene
    assert window.document.robot.name == "puma560"
    at = visible_point(scene, 1)
    move(scene, QPointF(at))
    assert scene.hovered == 1
    before = walk.q
    drag(scene, [QPointF(at), QPointF(at + QPoint(10, -20)), QPointF(at + QPoint(15, -40))])
    assert np.flatnonzero(walk.q != before).tolist() == [1]
    slider = walk.find("joint_slider_joint1")
    middle = slider.rect().center()
    drag(slider, [QPointF(middle), QPointF(middle + QPoint(20, 0)), QPointF(middle + QPoint(35, 0))])
    assert walk.q[0] != before[0]
    walk.type("joint_value_joint3", "30")
    assert walk.q[2] == pytest.approx(np.radians(30))
    camera, free = scene.camera, QPointF(walk.beside())
    turn = camera.azimuth, camera.elevation
    drag(scene, [free, free + QPointF(30, 10), free + QPointF(60, 20)])
    assert (camera.azimuth, camera.elevation) != turn
    seen = walk.pixel([0, 0, 0])
    free = walk.beside()
    QTest.mousePress(scene, RIGHT, NONE, free)
    move(scene, QPointF(free + QPoint(40, 30)), RIGHT)
    QTest.mouseRelease(scene, RIGHT, NONE, free + QPoint(40, 30))
    assert (walk.pixel([0, 0, 0]) - seen - QPoint(40, 30)).manhattanLength() < 30
    far = camera.distance
    place = QPointF(scene.rect().center())
    wheel = QWheelEvent(
        place,
        scene.mapToGlobal(place),
        QPoint(),
        QPoint(0, 480),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(scene, wheel)
    assert camera.distance < far
    walk.key(Key.Key_F)
    ends = [walk.pixel(X[:3, 3]) for X in window.document.link_poses]
    assert all(scene.rect().contains(end) for end in ends)
    for _ in range(3):
        walk.key(Key.Key_Z, CTRL)
    assert np.array_equal(walk.q, before)
    hold_the_hand(walk)


def hold_the_hand(walk):
    window, scene = walk.window, walk.window.scene
    walk.type("joint_value_joint2", "40")  # where nothing is stretched
    walk.type("joint_value_joint3", "-150")
    walk.type("joint_value_joint5", "45")
    for key in (Key.Key_7, Key.Key_F, Key.Key_H):
        walk.key(key)
    look = scene.gizmo.look
    assert look.shown and set(look.handles) >= {*ARROWS, *RINGS, *PLANES}
    for kind in (ARROWS, RINGS, PLANES):
        before, handle = walk.q, next(handle for handle in kind if pixel_on(scene, handle) is not None)
        release(scene, pull(scene, way(scene, handle, take(window, handle))))
        assert (walk.q != before).sum() >= 2, handle
    start = take(window, next(handle for handle in ARROWS if pixel_on(scene, handle) is not None))
    tip = scene.camera.project(look.outline(look.active, scene.camera))[[0, -1], :2]
    out = QPointF(*(tip[1] - tip[0]) / np.linalg.norm(tip[1] - tip[0]))
    pull(scene, [start + (length * out).toPoint() for length in (50, 200, 600)])
    assert look.words and walk.find("readout_hand").text()
    release(scene, start)
    walk.key(Key.Key_H)
    assert not look.shown
