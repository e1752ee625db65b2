"""Waypoints taken by the mouse in the scene: hovered, chosen, dragged, stopped, taken back."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from armature import engine
from armature.app.scene.gizmo.gizmo_handles import RINGS
from armature.app.scene.hands.gizmo_pick import grasp
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.trajectory.trajectory_draft import Draft
from armature.app.trajectory.trajectory_planner import TrajectoryPlanner
from tests.app.double_click import double_click
from tests.app.gizmos import POSES, press, pull, release
from tests.app.scenes import visible_point

MOST = 3.0  # pixels
CTRL = Qt.KeyboardModifier.ControlModifier
VIEWS = [(-52.0, 24.0, False), (35.0, 60.0, False), (80.0, 10.0, True)]  # azimuth and elevation in degrees, orthographic


@pytest.fixture
def trajectory_dock(trajectory_dock):
    """A window with three waypoints, by joints, by the tool's pose and at the end of an arc, the arm itself elsewhere."""

    bare = trajectory_dock

    def open_(robot="puma560", **options):
        window, feature = bare(robot, **options)
        arm = window.document.robot
        q = np.array(POSES[robot])
        step = np.where(arm.prismatic, 0.02, 0.12)
        arc = {"X_WT": engine.frame_pose(arm, q - step), "kind": "arc"}
        through = 0.5 * (engine.frame_pose(arm, q)[:3, 3] + arc["X_WT"][:3, 3]) + [0.0, 0.0, 0.04]
        points = (
            engine.Waypoint(q=q + step),
            engine.Waypoint(X_WT=engine.frame_pose(arm, q)),
            engine.Waypoint(through=through, **arc),
        )
        feature.model.edit(Draft(points), "three")
        window.document.undo_stack.clear()
        window.scene.fit()
        QApplication.processEvents()
        return window, feature

    return open_


def look_from(window, azimuth, elevation, orthographic):
    """Turn the camera."""
    window.actions_["orthographic"].setChecked(orthographic)
    window.scene.orbit(azimuth - window.scene.camera.azimuth, elevation - window.scene.camera.elevation)
    QApplication.processEvents()


def at(window, row, through=False) -> QPoint:
    """The pixel of a handle."""
    handle = next(h for h in window.scene.stage.tool_path.handles if h.key == (row, through))
    x, y, _ = window.scene.camera.project(handle.X_WH[:3, 3])
    return QPoint(round(float(x)), round(float(y)))


def off(window, row, pixel: QPoint, through=False) -> float:
    """Pixels between a handle and a pixel."""
    there = at(window, row, through) - pixel
    return float(np.hypot(there.x(), there.y()))


def drag(window, row, by: QPoint, through=False, steps=6, modifier=Qt.KeyboardModifier.NoModifier) -> QPoint:
    """Take a handle and move it, the button stays down; returns the last pixel."""
    start = at(window, row, through)
    press(window.scene, start, modifier)
    QApplication.processEvents()  # the pointer's way there comes late
    way = [start + QPoint(round(by.x() * k / steps), round(by.y() * k / steps)) for k in range(1, steps + 1)]
    return pull(window.scene, way, modifier)


def status(window) -> str:
    window.bench.views.flush()
    return window.findChild(QLabel, "trajectory_status").text()


def test_hover_lights_up_and_names(trajectory_dock, wait_for):
    window, _ = trajectory_dock()
    view, path = window.scene, window.scene.stage.tool_path
    QTest.mouseMove(view, at(window, 1))
    wait_for(lambda: path.hovered == (1, False))
    assert view.cursor().shape() == Qt.CursorShape.OpenHandCursor
    assert view.hover.label.text().startswith("Waypoint 2, tool")
    QTest.mouseMove(view, QPoint(6, 6))
    wait_for(lambda: path.hovered is None)
    assert view.cursor().shape() == Qt.CursorShape.ArrowCursor


def test_a_waypoint_behind_the_eye_is_not_under_the_pointer(trajectory_dock):
    window, _ = trajectory_dock()
    view, camera = window.scene, window.scene.camera
    place = view.stage.tool_path.places[1]
    assert view.waypoints.under(QPointF(at(window, 1))).row == 1
    camera.target = place - (camera.distance + 0.5) * camera.axes()[2]
    assert not np.isfinite(camera.project(place)).all()
    assert view.waypoints.under(QPointF(*camera.project(camera.target)[:2])) is None


def test_a_click_selects_in_the_table_and_moves_nothing(trajectory_dock, find):
    window, feature = trajectory_dock()
    draft, table = feature.model.draft, find(window, "trajectory_waypoints")
    for row in (2, 0, 1):
        QTest.mouseClick(window.scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at(window, row))
        window.bench.views.flush()
        assert table.currentIndex().row() == feature.model.selected == row
        assert window.scene.waypoints.look.shown
    double_click(window.scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at(window, 1))
    release(window.scene, at(window, 1))
    assert window.scene.selected == -1
    assert feature.model.draft is draft and window.document.undo_stack.count() == 0
    window.scene.setFocus()
    QTest.keyClick(window.scene, Qt.Key.Key_Escape)
    window.bench.views.flush()
    assert feature.model.selected == -1 and not window.scene.waypoints.look.shown
    assert not table.selectionModel().hasSelection()


@pytest.mark.parametrize("row", [0, 1], ids=["joints", "tool"])
def test_a_dragged_waypoint_ends_under_the_pointer_and_undo_restores_it(trajectory_dock, wait_for, row):
    window, feature = trajectory_dock()
    for view in VIEWS:
        look_from(window, *view)
        drag_and_undo(window, feature, row, wait_for)
        window.document.undo_stack.undo()
        window.document.undo_stack.clear()


def drag_and_undo(window, feature, row, wait_for):
    before, robot, q = feature.model.draft, window.document.robot, window.document.q
    end = drag(window, row, QPoint(34, -22))
    assert off(window, row, end) < MOST
    path = window.scene.stage.tool_path
    wait_for(lambda: np.linalg.norm(path.path - path.places[row], axis=1).min(initial=np.inf) < 0.02)  # the button is still down
    release(window.scene, end)
    assert off(window, row, end) < MOST
    point, was = feature.model.draft.waypoints[row], before.waypoints[row]
    if row == 1:
        assert point.q is None and np.array_equal(point.X_WT[:3, :3], was.X_WT[:3, :3])
    else:
        X = engine.frame_pose(robot, point.q)
        assert point.X_WT is None and np.allclose(X[:3, :3], engine.frame_pose(robot, was.q)[:3, :3], atol=1e-5)
    assert window.document.undo_stack.count() == 1 and window.document.q is q
    window.document.undo_stack.undo()
    assert feature.model.draft is before
    window.document.undo_stack.redo()
    assert feature.model.draft.waypoints[row] is point


def test_the_point_an_arc_goes_through_is_dragged(trajectory_dock):
    window, feature = trajectory_dock()
    before = feature.model.draft
    end = drag(window, 2, QPoint(-18, -24), through=True)
    assert off(window, 2, end, through=True) < MOST
    release(window.scene, end)
    point, was = feature.model.draft.waypoints[2], before.waypoints[2]
    assert np.array_equal(point.X_WT, was.X_WT) and np.linalg.norm(point.through - was.through) > 0.01
    assert not set(RINGS) & set(window.scene.waypoints.look.handles)
    window.document.undo_stack.undo()
    assert feature.model.draft is before


def test_out_of_reach_stops_is_said_and_loses_nothing(trajectory_dock, wait_for):
    window, feature = trajectory_dock()
    before, robot = feature.model.draft, window.document.robot
    start = at(window, 0)
    end = drag(window, 0, QPoint(60, -420), steps=30)
    point = feature.model.draft.waypoints[0]
    assert np.isfinite(point.q).all() and (point.q >= robot.q_min).all() and (point.q <= robot.q_max).all()
    assert off(window, 0, end) > 20
    assert status(window).startswith("Waypoint 1: ") and "\n" not in status(window)
    assert window.scene.waypoints.look.words in status(window)
    wait_for(lambda: feature.model.preview is not None)
    assert status(window).startswith("Waypoint 1: ")  # a plan that is fine does not hide why the drag stopped
    back = pull(window.scene, [end + (start - end) * (k / 12) for k in range(1, 13)])
    assert off(window, 0, back) < MOST
    release(window.scene, back)
    assert len(feature.model.draft.waypoints) == 3 and window.document.undo_stack.count() == 1
    wait_for(lambda: "within all limits" in status(window))
    window.document.undo_stack.undo()
    assert feature.model.draft is before


def test_a_tool_pose_out_of_reach_keeps_its_handle(trajectory_dock, wait_for):
    window, feature = trajectory_dock()
    before = feature.model.draft
    end = drag(window, 1, QPoint(80, -430), steps=10)
    release(window.scene, end)
    wait_for(lambda: "Waypoint 2" in status(window) or "waypoint 2" in status(window))
    assert len(window.scene.stage.tool_path.handles) == 4
    assert off(window, 1, end) < MOST
    window.document.undo_stack.undo()
    assert feature.model.draft is before
    wait_for(lambda: feature.model.preview is not None)


@pytest.mark.parametrize("row", [0, 1])
def test_escape_takes_the_drag_back_and_leaves_no_step(trajectory_dock, row):
    window, feature = trajectory_dock()
    before = feature.model.draft
    end = drag(window, row, QPoint(30, 10))
    assert feature.model.draft is not before
    QTest.keyClick(window.scene, Qt.Key.Key_Escape)
    assert feature.model.draft is before and window.document.undo_stack.count() == 0
    pull(window.scene, [end + QPoint(20, 20)])  # the button is still down, the hand is not
    release(window.scene, end)
    assert feature.model.draft is before and window.document.undo_stack.count() == 0


def test_arrows_and_rings_at_the_chosen_one_with_steps(trajectory_dock):
    window, feature = trajectory_dock()
    view = window.scene
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at(window, 1))
    was = feature.model.draft.waypoints[1].X_WT
    look = view.waypoints.look
    points = look.centre + np.linspace(0.9, 0.4, 8)[:, None] * look.length(view.camera) * np.array([0.0, 0.0, 1.0])
    pixels = [QPoint(round(float(x)), round(float(y))) for x, y, _ in view.camera.project(points)]
    start = next(p for p in pixels if grasp(look, view.camera, p.x(), p.y()).handle == "z")
    press(view, start, CTRL)
    end = pull(view, [start - QPoint(0, 12 * k) for k in range(1, 6)], CTRL)
    release(view, end)
    shift = (feature.model.draft.waypoints[1].X_WT - was)[:3, 3]
    assert shift[:2] == pytest.approx([0, 0], abs=1e-9) and shift[2] > 0.04
    assert shift[2] / 0.05 == pytest.approx(round(shift[2] / 0.05), abs=1e-6)
    assert np.array_equal(feature.model.draft.waypoints[1].X_WT[:3, :3], was[:3, :3])


def test_arrows_along_the_tool_where_that_is_chosen(trajectory_dock):
    window, feature = trajectory_dock()
    QTest.mouseClick(window.scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at(window, 1))
    assert np.array_equal(window.scene.waypoints.look.R_WG, np.eye(3))
    window.actions_["gizmo_tool_axes"].trigger()
    assert np.array_equal(window.scene.waypoints.look.R_WG, feature.model.draft.waypoints[1].X_WT[:3, :3])


def test_of_drafts_that_come_fast_the_newest_is_planned_last(qtbot):
    robot, plans = engine.load_robot("puma560"), []
    planner, home = TrajectoryPlanner(None, plans.append), robot.configurations["home"]
    drafts = [Draft((engine.Waypoint(q=home), engine.Waypoint(q=home + turn))) for turn in (0.1, 0.2, 0.3, 0.4)]
    for draft in drafts:
        planner.plan(robot, draft)
    qtbot.waitUntil(lambda: bool(plans) and plans[-1].draft is drafts[-1])
    assert [plan.draft for plan in plans] == [drafts[0], drafts[-1]]
    assert [plan.preview.q[-1, 0] for plan in plans] == pytest.approx([home[0] + 0.1, home[0] + 0.4])
    planner.plan(robot, drafts[1])
    planner.cancel()
    qtbot.wait(300)
    assert len(plans) == 2
    planner.stop()


def test_links_orbit_and_the_hand_are_not_disturbed(trajectory_dock):
    window, feature = trajectory_dock()
    view, draft, q = window.scene, feature.model.draft, window.document.q
    azimuth, corner = view.camera.azimuth, QPoint(12, view.height() - 12)
    press(view, corner)
    release(view, pull(view, [corner + QPoint(30, 0)]))
    assert view.camera.azimuth != azimuth and feature.model.draft is draft
    place = visible_point(view, 0)
    press(view, place)
    release(view, pull(view, [place + QPoint(8 * k, 0) for k in range(1, 5)]))
    assert window.document.q[0] != q[0] and feature.model.draft is draft
    window.document.edit(feature.model.draft.waypoints[0].q)  # the hand over a waypoint: the hand is taken
    window.actions_["gizmo"].setChecked(True)
    QApplication.processEvents()
    before = window.document.q
    release(view, drag(window, 0, QPoint(20, 10)))
    assert feature.model.draft is draft and not np.array_equal(window.document.q, before)


def test_handles_are_there_while_the_dock_is(trajectory_dock, wait_for):
    window, feature = trajectory_dock()
    assert len(window.scene.stage.tool_path.handles) == 4
    pixel = at(window, 1)
    window.docks.bring_up("control")
    wait_for(lambda: not window.scene.stage.tool_path.handles and not window.scene.waypoints.look.shown)
    QTest.mouseClick(window.scene, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, pixel)
    assert feature.model.selected != 1


@pytest.mark.parametrize("robot", ["scara", "double_pendulum"])
def test_arms_with_fewer_joints_drag_within_their_task(make_window, robot):
    window = make_window(robot)
    window.docks.bring_up("trajectory")
    QTest.qWait(50)
    feature = window.features[TrajectoryFeature]
    window.document.edit(np.array(POSES[robot]))
    feature.model.edit(Draft((engine.Waypoint(q=window.document.q),)), "one")
    look_from(window, -70.0, 35.0, False)
    window.scene.fit()
    end = drag(window, 0, QPoint(-16, 8))
    assert off(window, 0, end) < MOST
    release(window.scene, end)
    assert not np.array_equal(feature.model.draft.waypoints[0].q, np.array(POSES[robot]))


def test_another_robot_while_a_waypoint_is_in_hand(trajectory_dock):
    window, feature = trajectory_dock()
    end = drag(window, 0, QPoint(20, 5))
    dragged = feature.model.draft
    window.document.open_robot("panda")
    assert not feature.model.draft.waypoints and not window.scene.stage.tool_path.handles
    pull(window.scene, [end + QPoint(10, 10)])
    release(window.scene, end)
    assert not feature.model.draft.waypoints
    window.document.open_robot("puma560")
    assert feature.model.draft is dragged
