"""One sitting by mouse and keys: waypoints, a controller, a run that is pushed and recorded, the recording seen and exported."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.trajectory.feature import TrajectoryFeature
from armature.engine.kinematics.jacobian import body_jacobian
from armature.engine.kinematics.poses import body_point
from tests.app.dialogs import answer_the_file_dialog
from tests.app.double_click import double_click
from tests.app.scenes import drag, move, visible_point

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
PUSH = (110, -80)  # pixels


def click(widget, at: QPoint | None = None):
    """A click with the left button, in the middle or at a place."""
    assert widget.isVisible() and widget.isEnabled(), widget.objectName()
    QTest.mouseClick(widget, LEFT, pos=at or widget.rect().center())
    QApplication.processEvents()


def click_tab(window, title: str):
    """Bring a dock to the front by its tab."""
    for bar in window.findChildren(QTabBar):
        for k in range(bar.count()):
            if bar.tabText(k) == title and bar.isVisible():
                return click(bar, bar.tabRect(k).center())
    raise AssertionError(f"no tab says {title}")


def toolbar_button(window, name: str):
    return window.toolbar.widgetForAction(window.actions_[name])


def pose_with_the_slider(window, find):
    slider = find(window, "joint_slider_joint1")
    middle, width = slider.rect().center(), slider.width()
    QTest.mousePress(slider, LEFT, pos=middle)
    for part in (0.02, 0.04, 0.06):
        move(slider, QPointF(middle) + QPointF(part * width, 0), LEFT)
    QTest.mouseRelease(slider, LEFT, pos=middle + QPoint(round(0.06 * width), 0))


def pose_with_the_mouse_in_the_view(window):
    at = QPointF(visible_point(window.scene, 1))
    drag(window.scene, [at, at + QPointF(4, -12), at + QPointF(8, -30)])


def pose_by_typing(window, find):
    field = find(window, "joint_value_joint5")
    double_click(field, LEFT, pos=QPoint(12, field.height() // 2))
    field.selectAll()
    QTest.keyClicks(field, "25")
    QTest.keyClick(field, Qt.Key.Key_Return)


def capture_three_waypoints(window, find, wait_for) -> list[np.ndarray]:
    """Three poses, each made in another way; two taken with Insert, one with the button."""
    poses = []
    for pose in (pose_with_the_slider, lambda w, _: pose_with_the_mouse_in_the_view(w), pose_by_typing):
        before = window.document.q
        pose(window, find)
        assert not np.array_equal(window.document.q, before)
        poses.append(window.document.q.copy())
        if len(poses) == 2:
            click(find(window, "trajectory_add_joints"))
        else:
            QTest.keyClick(window, Qt.Key.Key_Insert)
    feature = window.features[TrajectoryFeature]
    wait_for(lambda: feature.model.preview is not None and len(feature.model.draft.waypoints) == 3)
    assert [tuple(point.q) for point in feature.model.draft.waypoints] == [tuple(q) for q in poses]
    assert "within all limits" in find(window, "trajectory_status").text()
    return poses


def choose_computed_torque(window, find):
    """With the keyboard, in the dock behind its tab."""
    click_tab(window, "Control")
    box = find(window, "control_law")
    box.setFocus()
    QTest.keyClicks(box, "Computed")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert window.features[ControlFeature].law == "computed-torque"


def push_while_it_runs(window, wait_for):
    """Ctrl-drag on a link that moves, hold it for a while, and let go."""
    at = visible_point(window.scene, 2)
    QTest.mousePress(window.scene, LEFT, CTRL, at)
    for part in (0.3, 0.7, 1.0):
        move(window.scene, QPointF(at) + part * QPointF(*PUSH), LEFT)
        QApplication.processEvents()
    wait_for(lambda: window.simulation.latest.pull_force is not None and np.linalg.norm(window.simulation.latest.pull_force) > 5)
    assert window.scene.tug.text.endswith(" N")
    t = window.simulation.latest.t
    wait_for(lambda: window.simulation.latest.t > t + 0.3)
    QTest.mouseRelease(window.scene, LEFT, CTRL, at + QPoint(*PUSH))
    wait_for(lambda: window.simulation.latest.pull_force is None)


def check_where_it_rests(window, goal):
    """Back at the goal after the push, as near as dry friction lets the controller come: |M Kp e| up to breakaway friction."""
    robot, q = window.document.robot, window.simulation.latest.q
    kp = window.features[ControlFeature]._controller().kp
    left = np.abs(engine.mass_matrix(robot, q) @ (kp * (goal - q)))
    breakaway = [max(body.friction.stiction, *body.friction.coulomb) for body in robot.bodies]
    assert (left <= np.array(breakaway) * (1 + 1e-5)).all() and np.abs(goal - q).max() < 0.05


def check_the_push(recording):
    """The hand's spring, as recorded, is what the motors' torque lacks: M qdd + c + g + friction − tau = Jᵀ f."""
    robot = engine.load_robot("puma560")
    pulls = [event for event in recording.metadata["events"] if event["kind"] == "pull"]
    assert len(pulls) >= 2 and pulls[-1]["pull"] is None
    row = pulls[-1]["row"] - 1  # the last with the hand on it
    spring = [event for event in pulls if event["pull"] is not None][-1]["pull"]
    q, qd, qdd, tau = recording.q[row], recording.qd[row], recording.qdd[row], recording.tau[row]
    J = body_jacobian(robot, q, spring["body"], np.array(spring["point"]))[:3]
    place = body_point(robot, q, spring["body"], np.array(spring["point"]))
    force = spring["stiffness"] * (np.array(spring["target"]) - place) - spring["damping"] * (J @ qd)
    missing = engine.rnea(robot, q, qd, qdd) + engine.friction_torque(robot, qd) - tau
    moves = qd != 0  # where a joint rests, dry friction takes what there is
    assert np.linalg.norm(force) > 5 and moves.any()
    np.testing.assert_allclose(missing[moves], (J.T @ force)[moves], atol=1e-6)


def test_waypoints_controller_run_push_record_scrub_export(make_window, find, wait_for, tmp_path):
    window = make_window(perspective="explore", recording_format="npz")
    click(find(window, "button_perspective_trajectory"))
    poses = capture_three_waypoints(window, find, wait_for)
    choose_computed_torque(window, find)

    click(toolbar_button(window, "record"))
    wait_for(lambda: window.simulation.recording is not None)
    click_tab(window, "Trajectory")
    click(find(window, "trajectory_run"))
    wait_for(lambda: window.simulation.running and window.simulation.latest.t > 0.1)
    push_while_it_runs(window, wait_for)
    T = window.features[TrajectoryFeature].model.preview.duration
    wait_for(lambda: window.simulation.latest.t > T + 1.0 and np.abs(window.simulation.latest.qd).max() < 1e-4, 60)
    check_where_it_rests(window, poses[-1])
    click(find(window, "trajectory_stop"))
    wait_for(lambda: not window.simulation.running)
    made = window.simulation.recording
    click(toolbar_button(window, "record"))
    wait_for(lambda: window.simulation.recording is None and made.exists())
    recording = engine.load_recording(made)
    assert recording.metadata["controller"]["kind"] == "computed-torque"
    check_the_push(recording)

    click_tab(window, "Recording")
    wait_for(lambda: find(window, "recording_replay_last").isEnabled())
    click(find(window, "recording_replay_last"))
    wait_for(lambda: window.replay.replaying)
    timeline = find(window, "replay_timeline")
    for fraction in (0.2, 0.6, 0.9):
        click(timeline, QPoint(round(fraction * timeline.width()), timeline.height() // 2))
        assert window.replay.t == pytest.approx(fraction * recording.duration, rel=0.05)
        row = int(np.searchsorted(recording.t, recording.t[0] + window.replay.t, side="right")) - 1
        assert np.array_equal(window.document.q, recording.q[row])
    click(find(window, "replay_verify"))
    wait_for(lambda: "last bit" in find(window, "replay_result").text(), 60)

    for suffix in ("mcap", "csv", "mat"):
        target = tmp_path / f"export.{suffix}"
        answer_the_file_dialog(target)
        window.activateWindow()  # no window manager gives it back after the dialog
        assert QTest.qWaitForWindowActive(window)
        QTest.keyClick(window, Qt.Key.Key_S, CTRL)
        wait_for(lambda target=target: f"Saved {target}" in find(window, "banner_text").text(), 60)
        again = engine.load_recording(target)
        assert np.array_equal(again.table(), recording.table()) and dict(again.metadata) == dict(recording.metadata)
