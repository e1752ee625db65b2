"""A gesture belongs to the robot it began on: another one that is opened in the middle of it is not touched by it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.dh.feature import DHSteps
from armature.app.scene.hands.pointer import PointerMode
from armature.app.singularity.singularities import SingularitiesFeature
from armature.app.singularity.singularity_map import SingularityMapFeature
from armature.app.trajectory.feature import TrajectoryFeature
from tests.app.dialogs import OPEN, answer_the_file_dialog
from tests.app.focus import focused
from tests.app.scenes import move, visible_point
from tests.app.test_open_robots import drop

LEFT, CTRL, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
PUMA = np.array([0.3, -0.6, 2.9, 0.4, 0.9, -0.2])  # joint3 stands where that of a Panda cannot
AWAY = QPoint(30, -25)


def until(condition):
    """Run the event loop until this holds."""
    QTest.qWait(10)
    for _ in range(1000):
        if condition():
            return
        QTest.qWait(20)
    raise AssertionError("it never came")


def mouse_in_the_view(window, at, keys=NONE):
    QTest.mousePress(window.scene, LEFT, keys, at)
    move(window.scene, QPointF(at + AWAY / 2), LEFT)
    move(window.scene, QPointF(at + AWAY), LEFT)

    def go_on():
        move(window.scene, QPointF(at + 2 * AWAY), LEFT)
        QTest.mouseRelease(window.scene, LEFT, keys, at + 2 * AWAY)

    return go_on


def drag_a_link(window, find):
    return mouse_in_the_view(window, visible_point(window.scene, 1))


def press_on_a_link(window, find):
    at = visible_point(window.scene, 1)
    QTest.mousePress(window.scene, LEFT, NONE, at)
    return lambda: (move(window.scene, QPointF(at + AWAY), LEFT), QTest.mouseRelease(window.scene, LEFT, NONE, at + AWAY))


def pull_on_a_link(window, find):
    window.actions_["run"].trigger()
    until(lambda: window.simulation.running)
    return mouse_in_the_view(window, visible_point(window.scene, 1), CTRL)


def drag_the_hand(window, find):
    QTest.keyClick(window.scene, Qt.Key.Key_H)
    at = window.scene.camera.project(window.scene.gizmo.look.outline("x", window.scene.camera)[-1])[:2]
    return mouse_in_the_view(window, QPoint(*map(round, map(float, at))))


def hold_a_jog_key(window, find):
    QTest.keyClick(window.scene, Qt.Key.Key_H)
    alt = Qt.KeyboardModifier.AltModifier
    QTest.keyPress(window.scene, Qt.Key.Key_Up, alt)
    return lambda: QTest.keyRelease(window.scene, Qt.Key.Key_Up, alt)


def hold_a_joint_key(window, find):
    QTest.keyClick(window.scene, Qt.Key.Key_Period)
    QTest.keyPress(window.scene, Qt.Key.Key_Up)
    return lambda: QTest.keyRelease(window.scene, Qt.Key.Key_Up)


def drag_a_slider(window, find):
    slider = find(window, "joint_slider_joint1")
    at = slider.rect().center()
    QTest.mousePress(slider, LEFT, NONE, at)
    move(slider, QPointF(at + QPoint(20, 0)), LEFT)

    def go_on():  # the slider is gone; what lies in its place now gets the mouse
        now = find(window, f"joint_slider_{window.document.robot.joint_names[0]}")
        move(now, QPointF(at + QPoint(40, 0)), LEFT)
        QTest.mouseRelease(now, LEFT, NONE, at + QPoint(40, 0))

    return go_on


def drag_the_dot_of_the_map(window, find):
    window.docks.bring_up("singularity_map")
    panel = window.features[SingularityMapFeature].panel
    until(lambda: panel.map._map is not None)
    at = panel.map.plot().center().toPoint()
    QTest.mousePress(panel.map, LEFT, NONE, at)
    move(panel.map, QPointF(at + AWAY), LEFT)
    assert not np.array_equal(window.document.q, PUMA)
    return lambda: (
        move(panel.map, QPointF(at + 2 * AWAY), LEFT),
        QTest.mouseRelease(panel.map, LEFT, NONE, at + 2 * AWAY),
    )


def type_a_joint(window, find):
    return typed(window, find, "joint_value_joint3")


def type_a_torque(window, find):
    window.docks.bring_up("simulation")
    return typed(window, find, "torque_value_joint6")


def type_gravity(window, find):
    window.docks.bring_up("dynamics")
    return typed(window, find, "gravity_z")


def type_a_waypoint(window, find):
    QTest.keyClick(window.scene, Qt.Key.Key_Insert)
    window.docks.bring_up("trajectory")
    window.bench.views.flush()
    return typed(window, find, "waypoint_value_joint3")


def typed(window, find, name):
    field = find(window, name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "-0.18")
    return lambda: QTest.keyClick(focused(), Qt.Key.Key_Tab)


def type_a_gain(window, find):
    window.docks.bring_up("control")
    window.features[ControlFeature].choose("pd")
    table = find(window, "control_gains")
    table.setFocus()
    table.setCurrentIndex(table.model().index(5, 0))
    QTest.keyClicks(table, "7")
    return lambda: QTest.keyClick(focused(), Qt.Key.Key_Tab)


def glide_to_the_nearest_singularity(window, find):
    window.docks.bring_up("singularity")
    feature = window.features[SingularitiesFeature]
    until(lambda: feature.nearest is not None)
    QTest.mouseClick(find(window, "nearest_go"), LEFT)
    until(lambda: not np.array_equal(window.document.q, PUMA))
    return lambda: QTest.qWait(100)


def play_the_motion_that_the_tool_does_not_feel(window, find):
    window.document.edit(np.array([0.3, -0.5, 0.4, 0.5, 0.0, 0.2]))
    feature = window.features[SingularitiesFeature]
    feature.internal.play()
    until(lambda: feature.internal.playing)
    return lambda: QTest.qWait(100)


def play_the_frames(window, find):
    QTest.keyClick(window.scene, Qt.Key.Key_D, CTRL)
    QTest.qWait(50)
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert window.features[DHSteps].player.playing
    return lambda: QTest.qWait(100)


BEGIN = (
    drag_a_link,
    press_on_a_link,
    pull_on_a_link,
    drag_the_hand,
    hold_a_jog_key,
    hold_a_joint_key,
    drag_a_slider,
    drag_the_dot_of_the_map,
    type_a_joint,
    type_a_torque,
    type_gravity,
    type_a_waypoint,
    type_a_gain,
    glide_to_the_nearest_singularity,
    play_the_motion_that_the_tool_does_not_feel,
    play_the_frames,
)


def untouched(window, find, wait_for):
    """The robot stands as it does when it is opened on its own, here and in the simulation."""
    robot = window.document.robot
    home = robot.configurations["home"]
    wait_for(lambda: window.simulation.latest is not None and len(window.simulation.latest.q) == robot.n)
    QTest.qWait(50)
    assert robot.name == "rp" and np.array_equal(window.document.q, home) and not window.document.undo_stack.count()
    assert np.array_equal(window.simulation.latest.q, home) and not window.simulation.running
    assert window.simulation.robot.gravity == pytest.approx(engine.load_robot("rp").gravity)
    assert not any(find(window, f"torque_value_{joint}").value() for joint in robot.joint_names)
    assert not window.features[TrajectoryFeature].model.draft.waypoints
    assert not window.banner.isVisible() and window.scene.pointer.idle


@pytest.mark.parametrize("begin", BEGIN, ids=lambda begin: begin.__name__)
def test_another_robot_in_the_middle_of_a_gesture(make_window, find, wait_for, begin):
    window = make_window("puma560")
    window.document.edit(PUMA)
    go_on = begin(window, find)
    drop(window, engine.load_robot("rp").source)
    window.files.finish()
    go_on()
    window.features[ControlFeature].choose("torque")
    untouched(window, find, wait_for)


def by_the_chooser(window, find, tmp_path):
    find(window, "toolbar_robots").click()  # a key would need the focus, which no button gets while the mouse drags
    chooser = find(window, "robot_chooser")
    QTest.keyClicks(chooser.filter, "franka emika")
    until(lambda: chooser.cards.current() is not None and chooser.cards.current().place.name == "panda")
    QTest.keyClick(chooser.filter, Qt.Key.Key_Return)


def by_the_dialog(window, find, tmp_path):
    answer_the_file_dialog(engine.load_robot("panda").source, OPEN)
    QTest.keyClick(window, Qt.Key.Key_O, CTRL)


def by_a_drop(window, find, tmp_path):
    drop(window.scene, engine.load_robot("panda").source)


def by_a_recording(window, find, tmp_path):
    panda = engine.load_robot("panda")
    home = panda.configurations["home"]
    engine.simulate(panda, home, 0 * home, 0.01, 1e-3).save(tmp_path / "panda run.npz")
    drop(window, tmp_path / "panda run.npz")
    until(lambda: window.replay.replaying)


WAYS = (by_the_chooser, by_the_dialog, by_a_drop, by_a_recording)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_dragged_joint_stays_with_its_robot_however_another_is_opened(window, find, wait_for, tmp_path, way):
    window.document.edit(PUMA)
    go_on = drag_a_link(window, find)
    assert window.scene.pointer.mode is PointerMode.DRAG
    way(window, find, tmp_path)
    wait_for(lambda: window.document.robot.name == "panda")
    go_on()
    assert np.array_equal(window.document.q, engine.load_robot("panda").configurations["home"])
    assert not window.document.undo_stack.count() and window.scene.pointer.idle


@pytest.mark.parametrize("begin", [drag_a_link, drag_a_slider, drag_the_hand, type_a_joint], ids=lambda begin: begin.__name__)
def test_a_recording_of_the_same_robot_ends_a_gesture_and_stays_open(window, find, wait_for, tmp_path, begin):
    puma = window.document.robot
    engine.simulate(puma, PUMA, 0 * PUMA, 0.05, 1e-3).save(tmp_path / "puma560 run.npz")
    go_on = begin(window, find)
    drop(window, tmp_path / "puma560 run.npz")
    wait_for(lambda: window.replay.replaying)
    go_on()
    QTest.qWait(50)
    assert window.replay.replaying and np.array_equal(window.document.q, PUMA)


def test_a_refused_robot_takes_nothing_out_of_the_hand(window, find, tmp_path):
    (tmp_path / "bad.toml").write_text('name = "bad"\n')
    go_on = drag_a_link(window, find)
    drop(window, tmp_path / "bad.toml")
    window.files.finish()
    assert window.scene.pointer.mode is PointerMode.DRAG
    go_on()
    find(window, "complaint").close()
    assert window.document.undo_stack.count() == 1
