"""What a gesture with the gizmo says, leaves behind and never does."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from armature.app.scene.gizmo.gizmo_handles import KNOB
from armature.app.state.settings import Settings, decode, encode
from tests.app.gizmos import POSES, angle_between, open_gizmo, pixel_on, press, pull, release, tool, way
from tests.app.scenes import drag, move, pixels, visible_point

CASES = Path(__file__).parents[1] / "data" / "robots"
ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier


def status(window) -> str:
    return window.findChild(QLabel, "readout_hand").text()


def take(window, handle: str) -> QPoint:
    start = pixel_on(window.scene, handle)
    assert start is not None
    press(window.scene, start)
    return start


def test_escape_puts_the_arm_back_and_leaves_no_step(make_window):
    window = open_gizmo(make_window, "puma560")
    q, stack = window.document.q, window.document.undo_stack
    end = pull(window.scene, way(window.scene, "x", take(window, "x")))
    assert not np.array_equal(window.document.q, q)
    QTest.keyClick(window.scene, Qt.Key.Key_Escape)
    assert np.array_equal(window.document.q, q) and stack.count() == 0
    pull(window.scene, [end + QPoint(20, 20)])  # the button is still down, the hand is not
    release(window.scene, end)
    assert np.array_equal(window.document.q, q) and stack.count() == 0
    assert not window.scene.gizmo.look.caption


def test_two_gestures_are_two_steps(make_window):
    window = open_gizmo(make_window, "panda")
    for handle in ("x", "rz"):
        release(window.scene, pull(window.scene, way(window.scene, handle, take(window, handle))))
    assert window.document.undo_stack.count() == 2


@pytest.mark.parametrize("name", ["puma560", "lwr4", "irb140"])
def test_out_of_reach_is_said_and_no_limit_is_passed(make_window, name):
    window = open_gizmo(make_window, name)
    for mode in ("pose", "position", "locked"):
        window.actions_[f"hand_{mode}"].trigger()
        assert window.preferences.now.hand_mode == mode
        drag_out_of_reach(window, mode)
        window.document.undo_stack.undo()
        window.document.undo_stack.clear()


def drag_out_of_reach(window, mode):
    view, robot, before = window.scene, window.document.robot, tool(window)
    start = take(window, "ball")
    largest, last, step = 0.0, window.document.q, view.height() / 40  # as far in metres however large the view is
    for k in range(1, 61):
        turn = 0.1 * k
        pull(view, [start + QPoint(round(step * k * np.cos(turn)), round(-step * k * np.sin(turn)))])
        q = window.document.q
        assert (q >= robot.q_min).all() and (q <= robot.q_max).all()
        largest, last = max(largest, float(np.abs(q - last).max())), q
        if mode == "locked":
            assert angle_between(tool(window), before) < 1e-6
    look = view.gizmo.look
    assert look.wanted is not None and look.words
    assert status(window).lower().startswith(look.words.lower())
    assert "out of reach" in look.words or "limit" in look.words or "leap" in look.words
    assert largest < 1.6  # never over to another branch
    release(view, start)
    assert look.wanted is None and not look.words and not status(window)
    assert window.document.undo_stack.count() == 1


def test_a_stretched_arm_comes_back_with_its_elbow_on_the_same_side(make_window):
    window = open_gizmo(make_window, "scara")
    view, elbow = window.scene, window.document.q[1]
    start = take(window, "xy")
    for away in (*range(0, 400, 8), *range(400, -1, -8)):
        pull(view, [start + QPoint(away, away // 4)])
    assert window.document.q == pytest.approx(POSES["scara"], abs=0.05)
    assert np.sign(window.document.q[1]) == np.sign(elbow)
    release(view, start)


def test_a_joint_at_its_limit_is_named(make_window):
    window = open_gizmo(make_window, "scara")
    start = take(window, "z")
    pull(window.scene, [start + QPoint(0, 40 * k) for k in range(1, 8)])
    assert window.document.q[2] == window.document.robot.q_max[2]
    assert window.scene.gizmo.look.words == "joint 3 at its limit"
    release(window.scene, start)


def test_position_only_lets_the_orientation_go(make_window):
    window = open_gizmo(make_window, "puma560", hand_mode="position")
    before = tool(window)
    assert not any(handle.startswith("r") for handle in window.scene.gizmo.look.handles)
    release(window.scene, pull(window.scene, way(window.scene, "z", take(window, "z"))))
    shift = (tool(window) - before)[:3, 3]
    assert np.abs(shift[:2]).max() < 1e-6 and abs(shift[2]) > 0.01
    assert angle_between(tool(window), before) > 1e-3


def test_a_singularity_on_the_way_is_said(make_window, wait_for):
    window = open_gizmo(make_window, "puma560")
    window.document.edit(np.array([0.2, 0.7, -2.6, 0.3, 0.2, 0.3]))
    start = take(window, "x")
    pull(window.scene, way(window.scene, "x", start, 6.0, 3))
    wait_for(lambda: "singularity" in window.scene.gizmo.look.words)
    assert "axes 4 and 6" in status(window) and status(window).startswith(("Near a singularity, ", "At a singularity: "))
    release(window.scene, start)


@pytest.mark.parametrize("name", ["panda", "lwr4", "planar"])
def test_the_elbow_moves_while_the_tool_stays(make_window, tmp_path, name):
    window = open_gizmo(make_window, planar(tmp_path) if name == "planar" else name)
    view, robot, before, q = window.scene, window.document.robot, tool(window), window.document.q
    look = view.gizmo.look
    assert KNOB in look.handles and look.way is not None
    start = take(window, KNOB)
    ends = view.camera.project(np.array([look.knob, look.knob + 0.05 * look.way]))[:, :2]
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    rows = [("x", "y", "z").index(axis) for axis in robot.task if axis in "xyz"]
    farthest = 0.0
    for k in range(1, 12):
        pull(view, [start + QPoint(*np.round(5 * k * along).astype(int).tolist())])
        assert np.abs(tool(window) - before)[rows, 3].max() < 1e-6
        assert len(robot.task) < 6 or angle_between(tool(window), before) < 1e-6
        farthest = max(farthest, float(np.abs(window.document.q - q).max()))
    assert farthest > 0.1 and "tool fixed" in look.caption
    release(view, start)
    assert window.document.undo_stack.count() == 1


def planar(folder) -> str:
    joint = '[[joints]]\ntype = "revolute"\na = 0.4\nalpha = 0\nd = 0\ntheta = 0\nlimits = [-2.8, 2.8]\n'
    text = 'name = "planar"\nconvention = "standard"\ntask = ["x", "y"]\n'
    text += "[configurations]\nhome = [0.4, 0.7, 0.6]\n" + 3 * joint
    (folder / "planar.toml").write_text(text)
    return str(folder / "planar.toml")


def test_keys_jog_the_hand(make_window, press):
    window = open_gizmo(make_window, "puma560")
    window.scene.setFocus()
    before, stack = tool(window), window.document.undo_stack
    press(window.scene, Qt.Key.Key_Up, ALT)
    press(window.scene, Qt.Key.Key_Up, ALT | SHIFT)
    assert (tool(window) - before)[:3, 3] == pytest.approx([0.011, 0, 0], abs=1e-6)
    assert angle_between(tool(window), before) < 1e-6 and stack.count() == 2
    press(window.scene, Qt.Key.Key_Left, ALT)  # round to the last handle: rz
    assert "otate about z" in status(window)
    there = tool(window)
    press(window.scene, Qt.Key.Key_Down, ALT)
    assert angle_between(tool(window), there) == pytest.approx(np.radians(1.0), abs=1e-6)
    assert (tool(window) - there)[:3, 3] == pytest.approx([0, 0, 0], abs=1e-6)


def test_the_handle_that_keys_chose_stays_lit_while_the_mouse_rests_on_the_view(make_window, press, wait_for):
    window = open_gizmo(make_window, "puma560")
    scene = window.scene
    scene.setFocus()
    move(scene, QPoint(8, 8).toPointF())
    press(scene, Qt.Key.Key_Left, ALT)
    lit, painted = scene.gizmo.look.hovered, scene.painted
    press(scene, Qt.Key.Key_Down, ALT)
    wait_for(lambda: scene.painted > painted + 1)
    assert lit and scene.gizmo.look.hovered == lit
    move(scene, QPoint(12, 8).toPointF())
    assert scene.gizmo.look.hovered == ""


def test_a_held_key_is_one_gesture(make_window):
    window = open_gizmo(make_window, "puma560")
    window.scene.setFocus()
    before = tool(window)
    for _ in range(4):
        QTest.keyPress(window.scene, Qt.Key.Key_Up, ALT)
    QTest.keyRelease(window.scene, Qt.Key.Key_Up, ALT)
    assert (tool(window) - before)[0, 3] == pytest.approx(0.04, abs=1e-6)
    assert window.document.undo_stack.count() == 1


def test_while_time_runs_the_hand_stays_and_says_why(make_window, wait_for):
    window = open_gizmo(make_window, "puma560")
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.running)
    window.actions_["slower"].trigger()
    while window.scene.gizmo.look.active != "ball":  # the arm falls away under the cursor
        start = pixel_on(window.scene, "ball")
        QTest.mousePress(window.scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    pull(window.scene, [start + QPoint(30, 0)])
    release(window.scene, start)
    assert "Pause the simulation" in window.banner.text.text()
    assert window.document.undo_stack.count() == 0


def test_the_gizmo_comes_before_the_arm_and_links_still_turn(make_window):
    window = open_gizmo(make_window, "puma560")
    view = window.scene
    at = next(p for p in (pixel_on(view, h) for h in ("ball", "xy", "zx", "yz")) if p is not None)
    move(view, at.toPointF())
    assert view.gizmo.look.hovered and view.hovered == -1 and status(window)
    link = visible_point(view, 1)
    drag(view, [link.toPointF(), (link + QPoint(30, 30)).toPointF()])
    assert window.document.undo_stack.count() == 1 and window.document.undo_stack.undoText() == "joint2"


def test_it_is_seen_over_the_arm_in_light_and_dark_and_remembered(make_window):
    window = open_gizmo(make_window, "panda")
    view, action = window.scene, window.actions_["gizmo"]
    for theme in ("light", "dark"):
        window.actions_[f"theme_{theme}"].trigger()
        shown = pixels(view.grabFramebuffer())
        action.trigger()
        hidden = pixels(view.grabFramebuffer())
        action.trigger()
        x, y, _ = view.camera.project(view.gizmo.look.centre)
        changed = np.abs(shown - hidden).max(axis=2) > 40
        assert changed.sum() > 1500 and changed[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3].all()
        rows, columns = np.nonzero(changed)
        assert np.hypot(rows - y, columns - x).max() < 400  # the tool's and the elbow's surroundings only
    assert decode(encode(window.preferences.now)).gizmo
    assert not Settings().gizmo


def test_another_robot_in_the_middle_of_a_drag(make_window):
    window = open_gizmo(make_window, "puma560")
    start = take(window, "x")
    pull(window.scene, way(window.scene, "x", start))
    window.document.open_robot("scara")
    release(window.scene, start)
    QApplication.processEvents()
    assert window.document.undo_stack.count() == 0
    assert window.document.q == pytest.approx(window.document.robot.configurations["home"])


def test_an_arm_of_four_joints_keeps_its_place_exactly_and_its_orientation_as_it_can(make_window):
    window = open_gizmo(make_window, str(CASES / "task_4dof_gripper.urdf"))
    window.document.edit(np.array([0.4, 0.3, 0.5, 0.2]))
    window.scene.fit()
    QApplication.processEvents()
    look, before = window.scene.gizmo.look, tool(window)
    assert {"x", "y", "z", "rx", "ry", "rz", "ball"} <= set(look.handles)
    start = take(window, "z")
    release(window.scene, pull(window.scene, way(window.scene, "z", start)))
    lifted = tool(window)
    assert abs(lifted[2, 3] - before[2, 3]) > 0.01 and np.abs(lifted[:2, 3] - before[:2, 3]).max() < 1e-6
    assert angle_between(lifted, before) < 1e-6  # a lift is within its plane: the gripper points as before
    start = take(window, "y")
    release(window.scene, pull(window.scene, way(window.scene, "y", start)))
    aside = tool(window)
    assert abs(aside[1, 3] - lifted[1, 3]) > 0.01 and np.abs(aside[[0, 2], 3] - lifted[[0, 2], 3]).max() < 1e-6
    assert abs(aside[2, 0] - lifted[2, 0]) < 0.02  # its pitch stays, its heading follows the place
    start = take(window, "rz")
    pull(window.scene, way(window.scene, "rz", start))
    assert np.abs(tool(window)[:3, 3] - aside[:3, 3]).max() < 1e-6
    release(window.scene, start)


def test_the_hand_leaves_the_fingers_alone(make_window):
    window = open_gizmo(make_window, str(CASES / "tool_end_effector_link.urdf"))
    window.document.edit(np.array([0.4, 0.2, 1.7, 0.015]))
    window.scene.fit()
    QApplication.processEvents()
    start, before = take(window, "x"), tool(window)
    release(window.scene, pull(window.scene, way(window.scene, "x", start)))
    assert abs(tool(window)[0, 3] - before[0, 3]) > 0.01 and np.abs(tool(window)[1:3, 3] - before[1:3, 3]).max() < 1e-6
    assert window.document.q[3] == 0.015 and KNOB not in window.scene.gizmo.look.handles
