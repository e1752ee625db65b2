"""The camera in the window: projections, flights, touchpads, and what is remembered."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature.app.scene.camera import camera_flight
from tests.app.scenes import drag, pixels, shown_view, visible_point

NONE = Qt.KeyboardModifier.NoModifier


def scroll(view, at: QPointF, pixels=QPoint(), notches=QPoint(), modifiers=NONE, by_wheel=False):
    """Turn the wheel, or move two fingers on a touchpad; some drivers of X11 report pixels for a wheel, too."""
    phase = Qt.ScrollPhase.NoScrollPhase if by_wheel or pixels.isNull() else Qt.ScrollPhase.ScrollUpdate
    QApplication.sendEvent(
        view, QWheelEvent(at, view.mapToGlobal(at), pixels, notches, Qt.MouseButton.NoButton, modifiers, phase, False)
    )


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("on_arm", [True, False])
def test_wheel_touchpad_and_pinch_zoom_to_the_pointer(qtbot, orthographic, on_arm):
    view = shown_view(qtbot, "puma560")
    view.set_orthographic(orthographic)
    at = QPointF(visible_point(view, 1)) if on_arm else QPointF(90, 560)
    point = view.point_under(at.x(), at.y())
    pinch = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QPointingDevice.primaryPointingDevice(),
        2,
        at,
        at,
        view.mapToGlobal(at),
        0.2,
        QPointF(),
    )
    for gesture in (
        lambda: scroll(view, at, notches=QPoint(0, 120)),
        lambda: scroll(view, at, pixels=QPoint(0, 30), notches=QPoint(0, 60)),
        lambda: QApplication.sendEvent(view, pinch),
    ):
        before = view.camera.distance
        gesture()
        assert 0.7 * before < view.camera.distance < 0.95 * before
        assert view.camera.project(point)[:2] == pytest.approx((at.x(), at.y()), abs=0.01)


@pytest.mark.parametrize("pixels", [0, 15, 120])  # of a notch, by driver
def test_a_notch_of_the_wheel_zooms_by_a_sixth_and_a_part_of_one_by_that_part(qtbot, pixels):
    view = shown_view(qtbot, "puma560")
    at, start = QPointF(400, 300), view.camera.distance
    scroll(view, at, QPoint(0, pixels), QPoint(0, 120), by_wheel=True)
    one = start / view.camera.distance
    assert 1.1 < one < 1.2
    for _ in range(8):  # a wheel of fine steps
        scroll(view, at, QPoint(0, -pixels // 8), QPoint(0, -15), by_wheel=True)
    assert view.camera.distance == pytest.approx(start)
    scroll(view, at, QPoint(0, 3 * pixels), QPoint(0, 360), by_wheel=True)  # three notches in one event
    assert start / view.camera.distance == pytest.approx(one**3)


def test_a_view_from_below_the_floor_says_so_and_shows_the_floor_in_another_colour(qtbot):
    view = shown_view(qtbot, "puma560", size=(400, 300))
    view.set_overlay("grid", False)

    def floor_warnings() -> list[str]:
        view.render_image(400, 300)
        return [text for text, _ in view.stage.labels.boxes if "below the floor" in text]

    def floor_tint() -> float:
        """How much redder than blue the picture is on average."""
        red, _, blue = pixels(view.render_image(400, 300)).mean(axis=(0, 1))
        return red - blue

    above = floor_tint()
    assert not floor_warnings()
    drag(view, [QPointF(12, y) for y in range(200, 60, -10)])
    assert view.camera.elevation < -10 and view.camera.eye[2] < view.stage.floor.height
    assert floor_warnings() and floor_tint() > above + 10
    QTest.keyClick(view, Qt.Key.Key_7)
    assert not floor_warnings()


def test_two_fingers_pan_with_shift_and_orbit_with_ctrl(qtbot):
    view = shown_view(qtbot, "puma560")
    at, target = QPointF(400, 300), view.camera.target.copy()
    x, y, _ = view.camera.project(target)
    scroll(view, at, pixels=QPoint(25, -10), modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert view.camera.project(target)[:2] == pytest.approx((x + 25, y - 10), abs=0.1)
    azimuth, elevation = view.camera.azimuth, view.camera.elevation
    scroll(view, at, pixels=QPoint(-20, 10), modifiers=Qt.KeyboardModifier.ControlModifier)
    assert view.camera.azimuth > azimuth and view.camera.elevation > elevation


def test_the_two_projections_show_the_same_arm_differently(qtbot):
    view = shown_view(qtbot, "panda", size=(400, 300))
    pictures = []
    for on in (False, True):
        view.set_orthographic(on)
        pictures.append(pixels(view.render_image(400, 300)))
        corners = pictures[-1][[0, 0, -1, -1], [0, -1, 0, -1]]
        assert np.ptp(pictures[-1]) > 100 and np.ptp(corners[:2]) < 12  # the arm in the middle, the ground at the corners
    assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 20).mean() > 0.01


def test_the_shadow_lies_under_the_arm_without_perspective(qtbot):
    view = shown_view(qtbot, "scara", size=(400, 300))
    view.set_orthographic(True)
    for name in ("frames", "labels", "grid"):
        view.set_overlay(name, False)
    view.standard_view("top")
    with_shadow = pixels(view.render_image(400, 300))
    foot = view.camera.project(np.array([0.0, 0.0, view.stage.floor.height]))
    dark = with_shadow.mean(axis=2) < with_shadow[5, 5].mean() - 25
    ys, xs = np.nonzero(dark)
    assert len(xs) > 200
    assert np.hypot(xs * view.width() / 400 - foot[0], ys * view.height() / 300 - foot[1]).min() < 15


def test_a_flight_ends_where_a_leap_would_and_gives_way_to_the_hand(qtbot, monkeypatch):
    monkeypatch.setattr(camera_flight, "DURATION", 2000)  # longer than a slow machine is busy with one picture
    view = shown_view(qtbot, "puma560", size=(400, 300))
    view.glides = True
    QTest.keyClick(view, Qt.Key.Key_5)
    assert view.flight.under_way and view.camera.elevation != 90
    qtbot.waitUntil(lambda: not view.flight.under_way)
    assert (view.camera.azimuth, view.camera.elevation) == (-90, 90)
    QTest.keyClick(view, Qt.Key.Key_1)
    QTest.keyClick(view, Qt.Key.Key_2)  # the next one begins from what is seen
    assert view.flight.under_way and view.camera.elevation > 60
    QTest.mousePress(view, Qt.MouseButton.LeftButton, NONE, QPoint(8, 290))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, NONE, QPoint(8, 290))
    assert not view.flight.under_way and view.camera.elevation > 60
    QTest.keyClick(view, Qt.Key.Key_3)
    view.render_image(100, 80)
    assert not view.flight.under_way and view.camera.azimuth == -90


def test_projection_and_camera_of_each_robot_are_remembered(make_window, find, press):
    window = make_window("scara")
    scene = window.scene
    press(scene, Qt.Key.Key_O)
    assert scene.camera.orthographic and find(window, "action_orthographic").isChecked()
    scene.orbit(20, 10)
    scene.zoom(300, 200, 0.7)
    mine = scene.camera.pose()
    window.document.open_robot("panda")
    press(scene, Qt.Key.Key_5)
    assert scene.camera.pose() != mine
    window.document.open_robot("scara")
    assert scene.camera.pose() == pytest.approx(mine)


def test_the_next_start_looks_as_the_last_one_did(qapp, make_window):
    window = make_window("scara")
    window.actions_["orthographic"].trigger()
    window.scene.orbit(20, 10)
    mine = window.scene.camera.pose()
    window.close()
    now = window.preferences.now
    later = make_window("scara", cameras=now.cameras, orthographic=now.orthographic)
    assert later.scene.camera.orthographic and later.scene.camera.pose() == pytest.approx(mine)
    later.document.open_robot("panda")
    assert later.scene.is_fitted and later.scene.camera.azimuth == -52


@pytest.mark.parametrize("fitted", [True, False])
def test_a_view_from_below_the_floor_is_not_the_next_start_s(make_window, press, fitted):
    window = make_window("scara")
    press(window.scene, Qt.Key.Key_6)
    if not fitted:
        window.scene.zoom(300, 200, 0.7)
    window.document.open_robot("panda")
    window.document.open_robot("scara")
    assert window.scene.camera.elevation == -90
    window.close()
    later = make_window("scara", cameras=window.preferences.now.cameras).scene
    assert later.is_fitted and later.camera.elevation == 24 and later.camera.eye[2] > later.stage.floor.height
