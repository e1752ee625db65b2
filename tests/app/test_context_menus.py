"""Right clicks: what the menus of links, joints, frames, waypoints, tables and plots offer, and do."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea

from armature import engine
from armature.app.trajectory.feature import TrajectoryFeature
from tests.app.kept_window import AS_IT_STARTS
from tests.app.scenes import move, visible_point

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def choose(wait_for):
    """Clicks a line of the menu that is open; "" closes it."""

    def line(name: str):
        wait_for(QApplication.activePopupWidget)
        menu = QApplication.activePopupWidget()
        if name:
            action = next(a for a in menu.actions() if a.objectName() == name)
            assert action.isEnabled(), name
            QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(action).center())
        else:
            QTest.keyClick(menu, Qt.Key.Key_Escape)
        wait_for(lambda: QApplication.activePopupWidget() is None)

    return line


def ask(widget, at: QPoint):
    """What a right click at a place of a widget makes the window system send."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, event)


def pasted(text: str) -> dict[str, np.ndarray]:
    """What Python makes of a text."""
    found: dict = {"np": np}
    exec(text, found)
    return found


def test_menus_of_links_joints_and_frames(make_window, choose, find, wait_for):
    window = make_window("puma560")
    scene, document, clipboard = window.scene, window.document, QApplication.clipboard()
    link = visible_point(scene, 2)
    before = document.q.copy()
    QTest.mouseClick(scene, RIGHT, NONE, link)
    choose("context_go_upper")
    assert document.q[2] == document.robot.q_max[2]
    window.actions_["undo"].trigger()
    assert np.array_equal(document.q, before)

    seen = scene.camera.pose()
    QTest.mousePress(scene, RIGHT, NONE, link)  # a drag with that button pans, and opens nothing
    move(scene, QPointF(link + QPoint(40, 0)), RIGHT)
    QTest.mouseRelease(scene, RIGHT, NONE, link + QPoint(40, 0))
    assert QApplication.activePopupWidget() is None
    assert scene.camera.pose() != seen
    scene.fit()

    QTest.mouseClick(scene, RIGHT, NONE, visible_point(scene, 2))
    choose("context_copy_q_python")
    assert np.array_equal(pasted(clipboard.text())["q"], document.q)
    QTest.mouseClick(scene, RIGHT, NONE, visible_point(scene, 2))
    choose("context_copy_pose_python")
    X = engine.link_poses(document.robot, document.q)[document.robot.link_names.index("link3")]
    assert np.array_equal(pasted(clipboard.text())["X_WL"], X)

    at = visible_point(scene, 2)
    QTest.mouseClick(scene, RIGHT, NONE, at)
    choose("context_hide")
    hit = scene.pick(at.x(), at.y())
    assert hit is None or hit.joint != 2
    assert visible_point(scene, 2) is None
    window.actions_["unhide"].trigger()
    assert scene.pick(at.x(), at.y()).joint == 2
    assert not window.actions_["unhide"].isEnabled()
    QTest.mouseClick(scene, RIGHT, NONE, at)
    choose("context_frame")
    assert scene.selected == 2

    row = find(window, "joint_limits_joint2").parentWidget()
    ask(row, QPoint(20, 8))
    choose("context_go_zero")
    assert document.q[1] == 0.0
    QTest.keyClick(scene, Qt.Key.Key_Escape)
    QApplication.sendEvent(scene, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
    grid = scene.overlay("grid")
    choose("action_show_grid")  # nothing is selected, so it is the menu of the view
    assert scene.overlay("grid") != grid

    scene.set_overlay("frames", True)
    scene.fit()
    wait_for(lambda: len(scene.stage.frames.poses) > 6)
    window.actions_["show_frames"].setChecked(True)
    tool = scene.camera.project(scene.stage.frames.poses[-1][:3, 3])[:2]
    QTest.mouseClick(scene, RIGHT, NONE, QPoint(*np.round(tool).astype(int).tolist()))
    choose("context_hide")
    assert len(scene.stage.frames.hidden) == 1


def test_menus_of_waypoints_tables_and_plots(make_window, choose, find, wait_for):
    window = make_window("puma560", size=AS_IT_STARTS, perspective="trajectory")
    document, clipboard, scene = window.document, QApplication.clipboard(), window.scene
    trajectory = window.features[TrajectoryFeature].model
    scene.setFocus()
    QTest.keyClick(scene, Qt.Key.Key_Insert)
    document.edit(document.q + 0.2)
    QTest.mouseClick(scene, RIGHT, NONE, visible_point(scene, 2))
    choose("action_add_waypoint")
    assert len(trajectory.draft.waypoints) == 2
    table = find(window, "trajectory_waypoints")
    first = table.visualRect(table.model().index(0, 0)).center()
    ask(table.viewport(), first)
    choose("context_go")
    assert np.array_equal(document.q, trajectory.draft.waypoints[0].q)
    wait_for(lambda: len(scene.waypoints._path.handles) == 2)
    second = scene.waypoints._path.handles[1].X_WH[:3, 3]
    at = QPoint(*np.round(scene.camera.project(second)[:2]).astype(int).tolist())
    QTest.mouseClick(scene, RIGHT, NONE, at)
    choose("context_copy_pose_python")
    assert np.allclose(pasted(clipboard.text())["X_WT"][:3, 3], second)
    QTest.mouseClick(scene, RIGHT, NONE, at)
    choose("context_hide")
    shown, unhide = scene.waypoints, window.actions_["unhide"]
    assert [handle.row for handle in shown._path.handles] == [0] and len(trajectory.draft.waypoints) == 2 and not shown.look.shown
    document.edit(document.q + 0.1)
    QTest.keyClick(scene, Qt.Key.Key_Insert)  # another one: the hidden one stays hidden, on whatever row it is
    wait_for(lambda: len(trajectory.draft.waypoints) == 3)
    ways = [handle.row for handle in shown._path.handles]
    assert len(ways) == 2
    hidden = ({0, 1, 2} - set(ways)).pop()
    ask(table.viewport(), table.visualRect(table.model().index(hidden, 0)).center())
    choose("context_show")  # among the table's rows it is still there to be asked for
    assert len(shown._path.handles) == 3 and shown.look.shown and not unhide.isEnabled()
    ask(table.viewport(), table.visualRect(table.model().index(hidden, 0)).center())
    choose("context_hide")
    assert len(shown._path.handles) == 2 and unhide.isEnabled()
    unhide.trigger()
    assert len(shown._path.handles) == 3 and not unhide.isEnabled()
    window.actions_["undo"].trigger()  # the waypoint that was added
    wait_for(lambda: len(trajectory.draft.waypoints) == 2)
    QTest.mouseClick(scene, RIGHT, NONE, at)
    choose("context_delete")
    assert len(trajectory.draft.waypoints) == 1

    window.actions_["perspective_explore"].trigger()
    jacobian = find(window, "table_jacobian")
    wait_for(lambda: np.isfinite(jacobian.numbers.values).all())
    ask(jacobian.viewport(), QPoint(5, 5))
    choose("context_copy_python")
    assert np.array_equal(pasted(clipboard.text())["J"], jacobian.numbers.values)
    window.actions_["perspective_dynamics"].trigger()
    window.actions_["step"].trigger()
    bars, masses = find(window, "torque_bars"), find(window, "mass_matrix")
    window.docks["dynamics"].findChild(QScrollArea).ensureWidgetVisible(masses)  # else it is not computed
    wait_for(lambda: np.any(masses.values))
    for widget, name, shape in ((bars, "tau", (6, 8)), (masses, "M", (6, 6))):
        ask(widget, QPoint(5, 5))
        choose("context_copy_python")
        assert pasted(clipboard.text())[name].shape == shape
    plot = window.plots.panes[0].view
    wait_for(lambda: len(plot.t))
    ask(plot, QPoint(40, 40))
    choose("context_copy_table")
    lines = [line.split("\t") for line in clipboard.text().splitlines()]
    assert lines[0] == ["t", *document.robot.joint_names]
    assert np.array_equal(np.array(lines[-1], float)[1:], plot.values[-1])
    count = len(window.plots.panes)
    ask(plot, QPoint(40, 40))
    choose("plot_remove")
    assert len(window.plots.panes) == count - 1
