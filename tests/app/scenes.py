"""A scene on its own, with a stand-in for the document: what is dragged is shown."""

from __future__ import annotations

import numpy as np
from OpenGL import GL
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from armature import engine
from armature.app.scene.scene_view import SceneView
from armature.app.state.choices.overlay_choices import OVERLAYS

SIZE = (800, 600)


def shown_view(qtbot, name: str, q=None, size=SIZE) -> SceneView:
    """A visible view of a shipped robot that follows its own drags."""
    view = SceneView()
    qtbot.addWidget(view)
    view.resize(*size)
    robot = engine.load_robot(name)
    view.set_robot(robot, robot.configurations["home"] if q is None else np.array(q, float))
    with qtbot.waitActive(view):  # else keys go to the window that tests share
        view.show()
        view.activateWindow()
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


def visible_point(view: SceneView, joint: int) -> QPoint | None:
    """A pixel well inside the link that joint carries, as far from the axis as there is one; None where it is hidden."""
    X, mesh = view.slot_poses[joint + 1], view.stage.solids.mesh
    corners = mesh.vertices["position"].astype(float)[mesh.faces[mesh.vertices["slot"][mesh.faces[:, 0]] == joint + 1]]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    rng = np.random.default_rng(joint)
    chosen = corners[rng.choice(len(corners), 400, p=area / area.sum())]
    local = np.einsum("nk,nkj->nj", rng.dirichlet([1, 1, 1], 400), chosen)
    far = np.argsort(-np.linalg.norm(local[:, :2], axis=1))
    for at in view.camera.project(local[far] @ X[:3, :3].T + X[:3, 3]):
        x, y = round(float(at[0])), round(float(at[1]))
        if 8 <= x < view.width() - 8 and 8 <= y < view.height() - 8:
            around = (view.pick(x + dx, y + dy) for dx, dy in ((0, 0), (4, 0), (-4, 0), (0, 4), (0, -4)))
            if all(hit is not None and hit.joint == joint for hit in around):
                return QPoint(x, y)
    return None


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
    whole = QPointF(at.toPoint())
    glob = QPointF(view.mapToGlobal(whole.toPoint()))
    event = QMouseEvent(QEvent.Type.MouseMove, whole, glob, Qt.MouseButton.NoButton, button, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, event)


def bare_view(qtbot, name: str, q=None, size=(400, 300), on=()) -> SceneView:
    """A visible view with these overlays alone."""
    view = shown_view(qtbot, name, q, size)
    for other in OVERLAYS:
        view.set_overlay(other, other in on)
    return view


def near(picture, at, colour: str, radius: int = 3, tolerance: int = 60) -> bool:
    """Whether a pixel within `radius` of `at` has nearly this colour."""
    x, y = round(float(at[0])), round(float(at[1]))
    patch = picture[max(0, y - radius) : y + radius + 1, max(0, x - radius) : x + radius + 1]
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    return bool((np.abs(patch - wanted).max(axis=2) < tolerance).any())


def changed(before, after) -> int:
    """How many pixels differ."""
    return int((np.abs(before - after).max(axis=2) > 12).sum())


def gl_objects(view) -> dict[str, int]:
    """How many GL objects of each kind exist in the view's context."""
    view.makeCurrent()
    kinds = {"buffer": GL.glIsBuffer, "texture": GL.glIsTexture, "program": GL.glIsProgram, "array": GL.glIsVertexArray}
    counts = {name: sum(bool(exists(k)) for k in range(1, 600)) for name, exists in kinds.items()}
    view.doneCurrent()
    return counts
