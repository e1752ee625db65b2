"""Pulling on the arm with Ctrl and the mouse."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from armature import engine
from armature.app.dynamics.feature import DynamicsFeature
from armature.app.scene.hands.pointer import PointerMode
from tests.app.scenes import move, near, pixels, visible_point

CTRL = Qt.KeyboardModifier.ControlModifier


def run(window, wait_for):
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)


def grab(window, joint: int) -> QPointF:
    """Ctrl-press on a link; the arm may be moving."""
    view = window.scene
    at = visible_point(view, joint)
    assert at is not None
    QTest.mousePress(view, Qt.MouseButton.LeftButton, CTRL, at)
    assert view.pointer.mode is PointerMode.PULL
    return QPointF(at)


def pull(window, start: QPointF, by: tuple[float, float]) -> QPointF:
    """Drag from `start`, in steps as a hand does."""
    for part in (0.2, 0.5, 1.0):
        move(window.scene, start + part * QPointF(*by), Qt.MouseButton.LeftButton)
        QApplication.processEvents()
    return start + QPointF(*by)


def release(window, at: QPointF):
    QTest.mouseRelease(window.scene, Qt.MouseButton.LeftButton, CTRL, at.toPoint())


def force(window) -> float:
    vector = window.simulation.latest.pull_force
    return 0.0 if vector is None else float(np.linalg.norm(vector))


@pytest.mark.parametrize("name, view_from", [("panda", "iso"), ("scara", "top")])
def test_the_arm_follows_the_hand_and_the_newtons_are_shown(make_window, wait_for, name, view_from):
    window = make_window(name)
    window.scene.recall_view((30.0, 20.0)) if view_from == "iso" else window.scene.standard_view(view_from)
    joint, tug = 4 if name == "panda" else 1, window.scene.tug
    window.simulation.choose(gravity=(0.0, 0.0, 0.0))
    run(window, wait_for)
    start = grab(window, joint)
    point = tug.ends[0].copy()
    inwards = window.scene.camera.project(window.scene.slot_poses[2][:3, 3])[:2] - [start.x(), start.y()]
    end = pull(window, start, tuple(np.round(0.5 * inwards + 20)))
    far = np.linalg.norm(tug.ends[1] - point)
    wait_for(lambda: force(window) > 1.0)
    wait_for(lambda: np.linalg.norm(tug.ends[1] - tug.ends[0]) < 0.8 * far)
    head = window.scene.camera.project(tug.ends[1])
    assert np.allclose(head[:2], [end.x(), end.y()], atol=1e-6), "the arrow ends under the cursor"
    assert tug.text.endswith(" N") and float(tug.text[:-2]) > 0
    window.scene.render_image(600, 400)
    assert any(text == tug.text for text, _ in window.scene.stage.labels.boxes)
    snapshot = window.simulation.latest
    assert np.abs(snapshot.tau_terms["external"]).max() > 0.1
    release(window, end)
    assert tug.text == ""
    wait_for(lambda: window.simulation.latest.pull_force is None)
    assert not window.simulation.latest.tau_terms["external"].any()


def test_the_arrow_is_drawn_and_the_links_feel_the_hand(make_window, wait_for):
    window = make_window("puma560")
    run(window, wait_for)
    end = pull(window, grab(window, 2), (120, -90))
    wait_for(lambda: force(window) > 1.0)
    snapshot, robot = window.simulation.latest, window.document.robot
    wrench, still = window.features[DynamicsFeature]._pull_on_links(snapshot), np.zeros(robot.n)
    pulled = engine.rnea(robot, snapshot.q, still, still, wrench) - engine.gravity_torque(robot, snapshot.q)
    assert np.allclose(pulled, snapshot.tau_terms["external"], atol=1e-9), "the links feel the same hand"
    picture = pixels(window.scene.render_image(window.scene.width(), window.scene.height()))
    camera, (start, head) = window.scene.camera, window.scene.tug.ends
    assert near(picture, camera.project(0.5 * (start + head)), "#f2542d", radius=4)
    release(window, end)
    picture = pixels(window.scene.render_image(window.scene.width(), window.scene.height()))
    assert not near(picture, camera.project(head), "#f2542d", radius=4)


def test_escape_and_pause_let_go(make_window, wait_for):
    window = make_window("panda")
    for end in (lambda: QTest.keyClick(window.scene, Qt.Key.Key_Escape), window.actions_["pause"].trigger):
        run(window, wait_for)
        at = pull(window, grab(window, 1), (60, -30))
        wait_for(lambda: force(window) > 1.0)
        end()
        wait_for(lambda: window.simulation.latest.pull_force is None and not window.scene.tug.pulling)
        move(window.scene, at + QPointF(30, 0), Qt.MouseButton.LeftButton)  # the button is still down, the hand is not
        QTest.qWait(60)
        assert window.simulation.latest.pull_force is None
        release(window, at)


def test_while_paused_it_explains_itself_and_moves_nothing(make_window):
    window = make_window("panda")
    q = window.document.q
    release(window, pull(window, grab(window, 2), (60, -40)))
    assert "Space" in window.findChild(QLabel, "banner_text").text()
    assert np.array_equal(window.document.q, q) and window.document.undo_stack.count() == 0
    assert window.scene.tug.text == ""


def test_another_robot_while_pulling(make_window, wait_for):
    window = make_window("panda")
    run(window, wait_for)
    at = pull(window, grab(window, 3), (60, -40))
    wait_for(lambda: force(window) > 1.0)
    window.document.open_robot("scara")
    assert not window.scene.tug.pulling
    move(window.scene, at + QPointF(20, 0), Qt.MouseButton.LeftButton)
    release(window, at)
    wait_for(lambda: not window.simulation.running)
    run(window, wait_for)
    wait_for(lambda: window.simulation.latest is not None and window.simulation.latest.steps > 5)
    assert window.simulation.latest.pull_force is None


def test_closing_while_pulling(make_window, wait_for):
    window = make_window("panda")
    run(window, wait_for)
    pull(window, grab(window, 2), (60, -40))
    wait_for(lambda: force(window) > 1.0)
    window.close()
    assert not window.scene.tug.pulling


def test_the_hint_to_run_first_goes_once_somebody_pulls(make_window, wait_for):
    window = make_window("panda")
    start = visible_point(window.scene, 4)
    QTest.mouseClick(window.scene, Qt.MouseButton.LeftButton, CTRL, start)
    wait_for(lambda: "Press Space to start it" in window.banner.text.text() and window.banner.isVisible())
    window.simulation.choose(gravity=(0.0, 0.0, 0.0))
    run(window, wait_for)
    at = grab(window, 4)
    assert not window.banner.isVisible()
    release(window, at)
