"""The gizmo in a real window, taken by real mouse events."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.scene.gizmo.gizmo_handles import ARROWS, RINGS, axis_index
from armature.app.scene.hands.gizmo_pick import grasp
from armature.engine.rotations import rotation

POSES = {
    "puma560": (0.2, 0.7, -2.6, 0.3, 0.8, 0.3),
    "panda": (0.1, -0.5, 0.2, -2.1, 0.2, 1.9, 0.6),
    "lwr4": (0.1, 0.5, 0.2, -1.4, 0.2, 0.9, 0.3),
    "ur5": (0.2, -1.3, 1.6, -1.2, -1.4, 0.3),
    "stanford": (0.2, 0.9, 0.45, 0.3, 0.8, 0.3),
    "scara": (0.3, 1.0, 0.08),
    "cobra600": (0.1, 0.9, 0.08, 0.4),
    "double_pendulum": (-0.6, 1.2),
}


def open_gizmo(make_window, name: str, **settings):
    """A window that shows the gizmo on an arm in a pose where nothing is near a limit."""
    window = make_window(name, camera_glides=False, **settings)
    window.actions_["gizmo"].trigger()
    if name in POSES:
        window.document.edit(np.array(POSES[name]))
    window.scene.fit()
    window.document.undo_stack.clear()
    QApplication.processEvents()
    return window


def tool(window) -> np.ndarray:
    """The tool's pose, `(4, 4)`."""
    return engine.frame_pose(window.document.robot, window.document.q)


def angle_between(X: np.ndarray, Y: np.ndarray) -> float:
    """Angle in rad between two orientations, exact for small ones."""
    return float(2.0 * np.arcsin(min(1.0, np.linalg.norm(X[:3, :3] - Y[:3, :3]) / (2.0 * np.sqrt(2.0)))))


def pixel_on(view, handle: str) -> QPoint | None:
    """A whole pixel that takes that handle, in the middle of it where it can be; None where it is hidden."""
    look, camera = view.gizmo.look, view.camera
    points = look.outline(handle, camera)
    if handle in ARROWS:
        points = points[0] + np.linspace(0.9, 0.2, 15)[:, None] * (points[-1] - points[0])
    elif len(points) == 4:
        points = points.mean(axis=0)[None]
    for x, y, _ in np.round(camera.project(points)):
        met = grasp(look, camera, x, y)
        if met is not None and met.handle == handle and view.rect().contains(int(x), int(y)):
            return QPoint(int(x), int(y))
    return None


def press(view, at: QPoint, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    """Move there and take hold."""
    QTest.mouseMove(view, at)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, modifier, at)


def release(view, at: QPoint) -> None:
    """Let go."""
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def pull(view, way: list[QPoint], modifier=Qt.KeyboardModifier.NoModifier) -> QPoint:
    """Move the held mouse along pixels; returns the last."""
    for at in way:
        where, left = QPointF(at), Qt.MouseButton.LeftButton
        glob = QPointF(view.mapToGlobal(at))
        QApplication.sendEvent(view, QMouseEvent(QEvent.Type.MouseMove, where, glob, Qt.MouseButton.NoButton, left, modifier))
    return way[-1]


def way(view, handle: str, start: QPoint, length: float = 40.0, steps: int = 6) -> list[QPoint]:
    """Pixels along which a handle can be pulled: along an arrow, around a ring, anywhere else."""
    look, camera = view.gizmo.look, view.camera
    share = np.linspace(0.0, 1.0, steps + 1)[1:, None]
    if handle not in (*ARROWS, *RINGS):
        return [start + QPoint(round(0.7 * length * s), round(-0.5 * length * s)) for s in share[:, 0]]
    axis = look.R_WG[:, axis_index(handle)]
    here = grasp(look, camera, start.x(), start.y()).point
    if handle in ARROWS:
        ends = camera.project(np.array([here, here + 0.01 * axis]))[:, :2]
        pixels = share * length * (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    else:
        arm = here - look.centre
        turns = [rotation(float(angle) * axis) @ arm for angle in 0.015 * length * share[:, 0]]
        pixels = camera.project(look.centre + np.array(turns))[:, :2] - camera.project(here)[:2]
    return [start + QPoint(round(x), round(y)) for x, y in pixels]
