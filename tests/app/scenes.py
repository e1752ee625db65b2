"""A scene on its own, with a stand-in for the document: what is dragged is shown."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

import engine
from app.scene.view import SceneView

SIZE = (800, 600)


def shown_view(qtbot, name: str, q=None, size=SIZE) -> SceneView:
    """A visible view of a shipped robot that follows its own drags."""
    view = SceneView()
    qtbot.addWidget(view)
    view.resize(*size)
    robot = engine.load_robot(name)
    view.set_robot(robot, robot.configurations["home"] if q is None else np.array(q, float))
    with qtbot.waitExposed(view):
        view.show()
    view.joint_dragged.connect(lambda joint, value: follow(view, joint, value))
    view.fit()
    return view


def follow(view: SceneView, joint: int, value: float) -> None:
    """What the document does with a dragged joint."""
    q = view.q.copy()
    q[joint] = value
    view.set_q(q)


def pixels(image) -> np.ndarray:
    """Colours `(height, width, 3)` of a QImage as numbers 0…255."""
    image = image.convertToFormat(image.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def visible_point(view: SceneView, joint: int, rng=None) -> QPoint | None:
    """A pixel on the link that joint carries, away from its outline and preferably far from the axis; None where it is hidden."""
    X = view.slot_poses[joint + 1]
    mesh = view.stage.arm.mesh
    local = mesh.vertices["position"][mesh.vertices["slot"] == joint + 1].astype(float)
    reach = np.linalg.norm(local[:, :2], axis=1)
    best = None
    for at in view.camera.project(local[np.argsort(-reach)[:: max(1, len(local) // 150)]] @ X[:3, :3].T + X[:3, 3]):
        x, y = round(float(at[0])), round(float(at[1]))
        if not (8 <= x < view.width() - 8 and 8 <= y < view.height() - 8):
            continue
        around = [view.pick(x + dx, y + dy) for dx, dy in ((0, 0), (4, 0), (-4, 0), (0, 4), (0, -4))]
        hits = [hit is not None and hit.joint == joint for hit in around]
        if all(hits):
            return QPoint(x, y)
        if hits[0] and best is None:
            best = QPoint(x, y)
    return best


def drag(view: SceneView, path: list[QPointF], release: bool = True) -> None:
    """Press on the first point, move along the others, let go; real events, through the window system's queue."""
    QTest.mouseMove(view, path[0].toPoint())
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, path[0].toPoint())
    for point in path[1:]:
        move(view, point, Qt.MouseButton.LeftButton)
    if release:
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, path[-1].toPoint())


def move(view: SceneView, at: QPointF, button=Qt.MouseButton.NoButton) -> None:
    """Move the mouse with a button held, as the window system reports it."""
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    whole = QPointF(at.toPoint())
    glob = QPointF(view.mapToGlobal(whole.toPoint()))
    event = QMouseEvent(QEvent.Type.MouseMove, whole, glob, Qt.MouseButton.NoButton, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, event)
