"""The trajectory dock with real clicks and keys: captured, edited, undone, checked, looked at, run, loaded and saved."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox

from armature import engine
from armature.app.control.feature import ControlFeature
from armature.app.plots.feature import PlotsFeature
from armature.app.plots.plot_bands import Band
from armature.app.trajectory.trajectory_draft import Draft, example
from armature.app.trajectory.trajectory_run import OVER
from armature.app.trajectory.waypoint_table import STAY, TIME, WAY
from armature.engine.simulation.runs.load_comparison import phases
from tests.app.tables import type_cell


def click(window, find, name):
    """Click a button of the dock."""
    button = find(window, f"trajectory_{name}")
    assert button.isEnabled(), name
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QApplication.processEvents()


def capture(window, find, *poses):
    """Pose the arm and take each pose as a waypoint."""
    for q in poses:
        window.document.edit(np.array(q))
        click(window, find, "add_joints")


def planned(feature, wait_for):
    """The preview, once it is there."""
    wait_for(lambda: feature.model.preview is not None)
    return feature.model.preview


def status(window, find):
    window.bench.views.flush()
    return find(window, "trajectory_status").text()


def near_home(window, *offsets):
    home = window.document.robot.configurations["home"]
    return [home + np.array(offset) for offset in offsets]


def test_three_waypoints_computed_torque_and_the_arm_is_there(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    poses = near_home(window, [0] * 6, [0.3, 0.2, 0, 0, 0, 0], [0.1, 0, 0.2, 0.3, 0, 0.4])
    capture(window, find, *poses)
    assert [tuple(p.q) for p in feature.model.draft.waypoints] == [tuple(q) for q in poses]
    trajectory = planned(feature, wait_for).trajectory
    assert "within all limits" in status(window, find)
    np.testing.assert_allclose(trajectory.sample(feature.model.preview.times)[0], poses, atol=1e-9)
    window.features[ControlFeature].choose("computed-torque")
    click(window, find, "run")
    wait_for(lambda: window.simulation.running and window.simulation.latest.t > trajectory.duration + 0.1, 60)
    snapshot = window.simulation.latest
    assert np.abs(snapshot.q - poses[-1]).max() < 1e-3
    wait_for(lambda: find(window, "trajectory_progress").text().startswith("Arrived, max."))
    assert find(window, "plot_planned_q").values.shape == (400, 6)
    click(window, find, "stop")
    wait_for(lambda: not window.simulation.running)
    assert not find(window, "trajectory_stop").isEnabled()
    assert np.abs(window.document.q - poses[-1]).max() < 1e-3


def test_a_run_that_is_over_leaves_the_arm_free_and_the_law_chosen(trajectory_dock, find, wait_for, press):
    window, feature = trajectory_dock()
    capture(window, find, *near_home(window, [0] * 6, [0.2] * 6))
    T = planned(feature, wait_for).duration
    slider, free = find(window, "torque_slider_joint1"), find(window, "torque_release")
    for end in ("space", "stop", "hand"):
        window.scene.setFocus()
        QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        assert not slider.isEnabled() and free.isVisibleTo(window.simulation_panel)
        wait_for(lambda: window.simulation.running and T + 0.1 < window.simulation.latest.t < 100)
        held = window.document.q
        wait_for(lambda: window.simulation.latest.t > T + 0.3)
        assert feature.model.followed is not None and np.abs(window.document.q - held).max() < 1e-3  # it is held there
        if end == "stop":
            click(window, find, "stop")
        else:
            press(window.scene, Qt.Key.Key_Space)
        wait_for(lambda: not window.simulation.running and feature.model.followed is None)
        assert slider.isEnabled() and not free.isVisibleTo(window.simulation_panel)
        assert window.features[ControlFeature].law == "computed-torque" == find(window, "control_law").currentData()
        assert "disabled" in find(window, "control_state").text() and "disabled" in find(window, "trajectory_progress").text()
        before = window.document.q
        press(window.scene, Qt.Key.Key_Space)
        wait_for(lambda before=before: np.abs(window.document.q - before).max() > 0.05)  # it falls
        press(window.scene, Qt.Key.Key_Space)
        wait_for(lambda: not window.simulation.running)


def test_one_click_lets_a_law_rest_and_the_button_that_holds_puts_it_to_work(trajectory_dock, find, wait_for, press):
    window, _ = trajectory_dock()
    window.features[ControlFeature].choose("pd-gravity")
    window.docks.bring_up("simulation")
    QTest.qWait(50)
    assert "PD + gravity" in find(window, "torque_note").text()
    QTest.mouseClick(find(window, "torque_release"), Qt.MouseButton.LeftButton)
    assert find(window, "torque_slider_joint1").isEnabled() and window.features[ControlFeature].law == "pd-gravity"
    window.docks.bring_up("control")
    QTest.qWait(50)
    QTest.mouseClick(find(window, "control_hold"), Qt.MouseButton.LeftButton)
    assert not find(window, "torque_slider_joint1").isEnabled() and not find(window, "control_state").isVisible()
    held = window.document.q
    press(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: window.simulation.running and window.simulation.latest.t > 0.5)
    assert np.abs(window.document.q - held).max() < 0.02


def test_a_run_without_a_controller_takes_one_that_follows(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    capture(window, find, *near_home(window, [0] * 6, [0.2] * 6))
    planned(feature, wait_for)
    assert window.features[ControlFeature].law == "torque"
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.features[ControlFeature].law == "computed-torque"
    wait_for(lambda: "Switched to computed torque" in find(window, "trajectory_progress").text())


def test_run_moves_the_arm_to_the_start_before_it_follows(trajectory_dock, find, wait_for, press):
    window, feature = trajectory_dock()
    start, end = near_home(window, [0] * 6, [0.3, 0.2, 0, 0, 0, 0])
    capture(window, find, start, end)
    planned(feature, wait_for)
    away = start + np.array([0.8, 0, 0.2, 0, 0.1, 0])
    window.document.edit(away)
    seen, steps = [], window.document.undo_stack.index()
    window.document.q_changed.connect(lambda q: seen.append(np.array(q)))
    click(window, find, "run")
    assert np.abs(window.document.q - away).max() < 0.2  # it has not jumped
    wait_for(lambda: "Moving to the start: " in find(window, "trajectory_progress").text())
    assert find(window, "trajectory_stop").isEnabled() and not window.simulation.running
    wait_for(lambda: window.simulation.running)
    way = np.array(seen[: next(k for k, q in enumerate(seen) if np.array_equal(q, start))])
    assert len(way) > 3 and (np.diff(way[:, 0]) < 0).all() and (np.abs(way - start) <= np.abs(away - start) + 1e-9).all()
    wait_for(lambda: window.simulation.latest.t > feature.model.followed.duration)
    click(window, find, "stop")
    assert window.document.undo_stack.index() == steps + 1  # all of the way is one step
    window.document.edit(away)
    click(window, find, "run")
    wait_for(lambda: not np.array_equal(window.document.q, away))
    click(window, find, "stop")  # on the way
    assert feature.model.followed is None and "before reaching the start" in find(window, "trajectory_progress").text()
    stopped = window.document.q
    press(window.scene, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    np.testing.assert_array_equal(window.document.q, away)
    assert not np.array_equal(stopped, away) and not window.simulation.running


def test_a_way_to_the_start_below_the_floor_is_told_before_the_arm_moves(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    start = np.array([0.0, -0.7, -3.7, 0.0, 0.785, 0.0])
    capture(window, find, start, start + [0.3, 0, 0, 0, 0, 0])
    assert planned(feature, wait_for).violation is None
    window.document.edit(np.array([0.0, -0.7, 0.3, 0.0, 0.785, 0.0]))
    beyond = window.document.q  # with the floor between
    click(window, find, "run")
    assert "not run: in the motion to the start, link3 goes below the floor at t = " in status(window, find)
    assert feature.model.followed is None and window.document.q is beyond
    click(window, find, "run")
    wait_for(lambda: window.simulation.running)
    click(window, find, "stop")


def test_values_are_typed_and_undone(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    home, other = near_home(window, [0] * 6, [0.3, 0, 0, 0, 0, 0])
    capture(window, find, home, other)
    field = find(window, "waypoint_value_joint2")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "60")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert feature.model.draft.waypoints[1].q[1] == pytest.approx(np.radians(60))
    type_cell(find(window, "trajectory_waypoints"), 1, TIME, "2.5")
    type_cell(find(window, "trajectory_waypoints"), 1, STAY, "1")
    assert (feature.model.draft.waypoints[1].duration, feature.model.draft.waypoints[1].dwell) == (2.5, 1.0)
    assert planned(feature, wait_for).duration == pytest.approx(3.5)
    type_cell(find(window, "trajectory_waypoints"), 1, STAY, "-3")
    assert "Waypoint 2" in status(window, find) and feature.model.draft.waypoints[1].dwell == 1.0
    for _ in range(3):
        window.actions_["undo"].trigger()
    assert np.array_equal(feature.model.draft.waypoints[1].q, other)
    assert feature.model.draft.waypoints[1].duration is None
    window.actions_["undo"].trigger()
    assert len(feature.model.draft.waypoints) == 1


def test_ways_are_chosen_in_the_table(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    capture(window, find, *near_home(window, [0] * 6, [0.2, 0.1, 0, 0, 0, 0]))
    table = find(window, "trajectory_waypoints")
    for kind in ("arc", "line", "trapezoidal"):
        table.edit(table.model().index(1, WAY))
        box = table.findChildren(QComboBox)[-1]
        box.setCurrentIndex(box.findData(kind))
        box.activated.emit(box.currentIndex())
        QApplication.processEvents()
        assert feature.model.draft.waypoints[1].kind == kind
        assert (feature.model.draft.waypoints[1].through is not None) == (kind == "arc")
        assert planned(feature, wait_for).violation is None


def test_order_deleting_and_replacing(trajectory_dock, find):
    window, feature = trajectory_dock()
    a, b, c = near_home(window, [0] * 6, [0.1] * 6, [0.2] * 6)
    capture(window, find, a, b, c)
    click(window, find, "up")
    assert [tuple(p.q) for p in feature.model.draft.waypoints] == [tuple(q) for q in (a, c, b)]
    table = find(window, "trajectory_waypoints")
    table.setFocus()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert [tuple(p.q) for p in feature.model.draft.waypoints] == [tuple(q) for q in (c, b)]
    window.document.edit(a)
    click(window, find, "replace")
    assert tuple(feature.model.draft.waypoints[0].q) == tuple(a)
    window.document.edit(c)
    click(window, find, "go")
    assert np.allclose(window.document.q, a)


def test_while_a_trajectory_carries_nothing_else_is_put_into_the_hand(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    feature.model.put(example(window.document.robot))
    planned(feature, wait_for)
    box = find(window, "payload_on")
    click(window, find, "run")
    window.docks.bring_up("dynamics")
    wait_for(lambda: not box.isEnabled())
    plots = window.features[PlotsFeature].panel
    names = [band.name for band in plots.panes[0].view.bands]
    assert names == [phase.name for phase in phases(feature.model.followed.trajectory)] and {"grasp", "carry", "release"} < set(
        names
    )
    assert "trajectory" in box.toolTip() and not find(window, "payload_mass").isEnabled()
    feature.run.stop()
    wait_for(box.isEnabled)
    plots.clear()
    assert not plots.panes[0].view.bands
    assert "payload" in box.toolTip()
    click(window, find, "run")
    wait_for(lambda: plots.panes[0].view.bands)
    window.document.open_robot("scara")  # another arm's plots have no phases of this one's run
    wait_for(lambda: not any(pane.view.bands for pane in plots.panes))


def test_bands_of_a_loop_come_again_in_every_round():
    band = Band("carry", 1.0, 3.0, every=10.0)
    assert list(band.times(0.0, 20.0)) == [(1.0, 3.0), (11.0, 13.0)]
    assert list(band.times(12.0, 31.5)) == [(11.0, 13.0), (21.0, 23.0), (31.0, 33.0)]
    assert list(Band("carry", 1.0, 3.0).times(12.0, 31.5)) == [(1.0, 3.0)] and not list(band.times(4.0, 10.5))


def test_what_the_tool_held_before_is_given_back(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    own = engine.Payload(0.4)
    window.simulation.set_payload(own)
    home, other = near_home(window, [0] * 6, [0.2] * 6)
    first = engine.Waypoint(q=home, dwell=3.0, grasp=engine.Payload(0.851))  # long enough to be seen empty on a busy machine
    feature.model.edit(Draft((first, engine.Waypoint(q=other, dwell=0.5))), "grasp")
    planned(feature, wait_for)
    click(window, find, "run")
    wait_for(lambda: window.simulation.running and window.simulation.latest.payload is None)
    wait_for(lambda: getattr(window.simulation.latest.payload, "mass", 0) == 0.851, 30)
    click(window, find, "stop")
    wait_for(lambda: window.simulation.latest.payload is own)


def test_the_example_is_drawn_and_looked_at(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    find(window, "trajectory_example").trigger()
    found = planned(feature, wait_for)
    item = window.scene.stage.tool_path
    assert len(item.path) == len(found.path) and len(item.places) == 8
    assert [payload and payload.mass for _, payload in found.trajectory.payloads] == [0.851, None]
    find(window, "trajectory_waypoints").selectRow(2)
    ghosts = window.scene.stage.ghosts
    assert len(ghosts.bodies) == 1
    before = ghosts.bodies["pose"].copy()
    click(window, find, "look")
    wait_for(lambda: not np.array_equal(ghosts.bodies["pose"], before))
    click(window, find, "look")
    window.docks.bring_up("control")
    wait_for(lambda: not len(ghosts.bodies) and not len(item.path))


@pytest.mark.parametrize("name", ["panda", "scara", "double_pendulum", "ur5", "stanford", "rp"])
def test_every_arm_has_an_example_within_its_limits(name):
    robot = engine.load_robot(name)
    trajectory = example(robot).plan(name).trajectory(robot)
    assert engine.check_limits(robot, trajectory, torque=False) is None
    assert any(payload is not None for _, payload in trajectory.payloads)


def test_reversed_is_the_same_way_back():
    robot = engine.load_robot("puma560")
    there = example(robot)
    back = there.reversed()
    assert isinstance(back, Draft)
    grasped = [k for k, point in enumerate(back.waypoints) if point.grasp is not None]
    released = [k for k, point in enumerate(back.waypoints) if point.release]
    assert (grasped, released) == ([2], [5]) and back.waypoints[2].grasp.mass == 0.851
    again = back.reversed()
    assert [p.kind for p in again.waypoints[1:]] == [p.kind for p in there.waypoints[1:]]
    assert [p.release for p in again.waypoints] == [p.release for p in there.waypoints]


def test_files(trajectory_dock, find, wait_for, tmp_path):
    window, feature = trajectory_dock()
    find(window, "trajectory_example").trigger()
    window.bench.views.flush()
    feature.files.save(str(tmp_path / "way.toml"))
    find(window, "trajectory_clear").trigger()
    assert not feature.model.draft.waypoints
    feature.files.load(str(tmp_path / "way.toml"))
    assert len(feature.model.draft.waypoints) == 8
    kept = feature.model.draft
    (tmp_path / "bad.toml").write_text('name = "x"\n[[waypoints]]\nq = [1, 2]\n')
    feature.files.load(str(tmp_path / "bad.toml"))
    text = find(window, "banner_text").text()
    assert "bad.toml" in text and "waypoints[0].q" in text and "\n" not in text
    assert feature.model.draft is kept


def test_another_robot_while_running_and_back(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    capture(window, find, *near_home(window, [0] * 6, [0.5] * 6))
    planned(feature, wait_for)
    kept = feature.model.draft
    click(window, find, "run")
    wait_for(lambda: window.simulation.running)
    window.document.open_robot("panda")
    wait_for(lambda: not window.simulation.running)
    assert feature.model.followed is None and not feature.model.draft.waypoints
    assert not len(window.scene.stage.tool_path.path)
    window.document.open_robot("puma560")
    assert feature.model.draft is kept
    planned(feature, wait_for)


def test_a_hand_on_the_arm_ends_the_run(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    capture(window, find, *near_home(window, [0] * 6, [0.5] * 6))
    type_cell(find(window, "trajectory_waypoints"), 1, TIME, "60")  # however late the pause comes
    wait_for(lambda: feature.model.preview is not None and feature.model.preview.duration == pytest.approx(60))
    click(window, find, "run")
    wait_for(lambda: window.simulation.running)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    assert feature.model.followed is not None
    window.document.edit(window.document.q + 0.1)
    assert feature.model.followed is None
    wait_for(lambda: window.simulation.latest.q_desired is not None)


def test_what_is_said_of_a_run_goes_with_its_trajectory(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock()
    for name in ("save", "reverse", "clear"):
        assert not feature.panel.entries[name].isEnabled()
    capture(window, find, *near_home(window, [0] * 6, [0.2] * 6))
    progress = find(window, "trajectory_progress")
    for change in (lambda: capture(window, find, *near_home(window, [0.1] * 6)), lambda: window.files.open_path("scara")):
        assert feature.panel.entries["save"].isEnabled()
        planned(feature, wait_for)
        click(window, find, "run")
        wait_for(lambda: window.simulation.running)
        click(window, find, "stop")
        assert progress.isVisible() and progress.text() == OVER
        change()
        wait_for(lambda: not progress.isVisible() and not progress.text())


def test_an_arm_without_masses_moves_as_planned(trajectory_dock, find, wait_for):
    window, feature = trajectory_dock("irb140")
    home = window.document.robot.configurations["home"]
    goal = home.copy()
    goal[0] += 0.2
    capture(window, find, home, goal)
    planned(feature, wait_for)
    assert "exactly as planned" in find(window, "trajectory_run").toolTip()
    click(window, find, "run")
    wait_for(lambda: feature.model.followed is None)
    assert np.allclose(window.document.q, goal)
