"""A second arm in the window: in the view, in the plots, in the table, by the same joints, tool path and torques."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest

from armature import engine
from armature.app.comparison.feature import SecondArmFeature
from armature.app.comparison.second_arm_model import COPY, NOT_BUILT_IN, OUT_OF_REACH, SecondArm, SecondArmModel
from armature.app.comparison.second_motion import SecondMotion
from armature.app.comparison.second_replay import second_recording
from armature.app.control.feature import ControlFeature
from armature.app.plots.feature import PlotsFeature
from armature.app.plots.plot_history import History
from armature.app.plots.second_curves import Difference
from armature.app.state.session_tables import SessionFile
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.on_screen import on_screen
from tests.app.scenes import pixels


def select(window, find, name: str, key) -> None:
    """Choose an entry of a box with the keys."""
    box = find(window, name)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.count()):
        if box.currentData() == key:
            break
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == key
    window.bench.views.flush()


def compare_with(window, find, wait_for, source: str) -> SecondArmFeature:
    """Open the dock, and select a second arm in its menu."""
    feature = window.features[SecondArmFeature]
    window.actions_["compare_with"].trigger()
    wait_for(lambda: on_screen(feature.panel))
    action = feature.panel.findChild(QAction, f"compare_with_{source.strip('@')}")
    menu = action.parent()
    menu.popup(feature.panel.mapToGlobal(feature.panel.rect().center()))
    menu.setActiveAction(action)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    wait_for(lambda: feature.model.choice.source == source)
    window.bench.views.flush()
    return feature


def test_the_model_says_what_both_arms_can_share():
    puma, panda = engine.load_robot("puma560"), engine.load_robot("panda")
    steps: list = []
    model = SecondArmModel(puma, lambda put, old, new, text: (steps.append((old, text)), put(new)))
    assert model.second is None and model.captions == (puma.title, "")
    model.choice = SecondArm("panda", panda, drive="torques")
    assert model.drive == "tool" and "puma560 and panda have 6 and 7 joints" in model.why_unlike
    model.first = panda.with_gravity([0, 0, -1.62])
    assert model.drive == "torques" and model.second.gravity.tolist() == [0, 0, -1.62]
    model.change("payload", extra=2.0)
    assert model.captions[1] == f"{panda.title} + 2 kg, same torques" and steps[0][1] == "payload"
    mass = sum(body.mass for body in model.second.bodies) - sum(body.mass for body in panda.bodies)
    assert mass == pytest.approx(2.0) and steps[0][0].extra == 0.0


def test_the_second_arm_moves_its_tool_as_the_first_until_that_is_out_of_reach():
    puma, other = engine.load_robot("puma560"), engine.load_robot("ur5e")
    motion, home = SecondMotion(puma, other, True), puma.configurations["home"]
    for share in np.linspace(0.0, 1.0, 6):
        motion.follow(home + share * np.array([0.3, 0.2, -0.2, 0.1, 0.1, 0.3]))
        error = engine.frame_pose(other, motion.q) - engine.frame_pose(
            puma, home + share * np.array([0.3, 0.2, -0.2, 0.1, 0.1, 0.3])
        )
        assert motion.reached and np.abs(error).max() < 1e-5
    short = SecondMotion(other, engine.load_robot("so101"), True)
    short.follow(other.configurations["zero"])
    assert not short.reached


def test_the_difference_has_the_common_times_of_both():
    one, other = History(2), History(3)
    assert Difference(one, other).get("q") is None and not len(Difference(one, other).t)


def test_a_replay_of_the_second_arm_has_the_joints_or_the_tool_path_of_the_first():
    puma, other, holding = engine.load_robot("puma560"), engine.load_robot("ur5e"), engine.Payload(1.5)
    home = puma.configurations["home"]
    run = engine.simulate(puma, home, None, 0.2, 1e-2, changes=[(0.1, holding)])
    same = second_recording(run, puma, other, False, lambda: None)
    assert np.array_equal(same.q, run.q) and np.array_equal(same.t, run.t)
    for row, arm in ((3, other), (18, other.with_payload(1.5))):
        needed = engine.rnea(arm, run.q[row], run.qd[row], run.qdd[row]) + engine.friction_torque(arm, run.qd[row])
        assert same.tau[row] == pytest.approx(needed)
    path = second_recording(run, puma, other, True, lambda: None)
    rows = np.searchsorted(run.t, path.t)
    assert len(rows) > 5 and np.abs(path.tool[:, :3] - run.tool[rows, :3]).max() < 1e-5
    slopes = np.gradient(path.q, path.t, axis=0)[2:-2]
    assert np.abs(slopes - path.qd[2:-2]).max() < 0.05 * max(1.0, np.abs(path.qd).max())


def test_the_plots_of_a_replay_show_the_second_arm(make_window, find, wait_for, tmp_path):
    window = make_window("puma560", perspective="dynamics")
    feature = compare_with(window, find, wait_for, "ur5e")
    plots, robot = window.plots, window.document.robot
    plots.set_plots(("tau", "tau:second", "q:second"))
    path = engine.simulate(robot, robot.configurations["home"], None, 0.3, 1e-2).save(tmp_path / "run.npz")
    window.files.open_path(str(path))
    wait_for(lambda: window.replay.replaying)
    window.features[PlotsFeature].dock.bring_up()
    wait_for(lambda: on_screen(plots))
    wait_for(lambda: len(plots.panes[0].view.curves) == 2 and len(plots.panes[1].view.curves) == 1)
    first, second = plots.panes[0].view.curves
    assert second.style == 1 and second.source == feature.model.captions[1] and first.source == robot.title
    t = float(first.x[10])
    assert plots.panes[1].view.curves[0].y[10] == pytest.approx(second.at(t)[:, 1] - first.at(t)[:, 1])
    assert not np.any(plots.panes[2].view.curves[0].y)
    feature.model.change("torques", drive="torques")
    window.bench.views.flush()
    wait_for(lambda: len(plots.panes[0].view.curves) == 1)
    feature.model.change("tool", drive="tool")
    window.bench.views.flush()
    wait_for(lambda: len(plots.panes[2].view.curves) == 1 and np.any(plots.panes[2].view.curves[0].y))


def test_arms_are_compared_in_view_table_and_session(make_window, find, wait_for, click, tmp_path):
    window = make_window("puma560")
    alone = pixels(window.scene.render_image(400, 300))
    feature = compare_with(window, find, wait_for, "ur5e")
    model, second = feature.model, window.scene.stage.second
    assert second.visible() and second.shift[1] < -0.5 and model.drive == "joints"
    assert (np.abs(pixels(window.scene.render_image(400, 300)) - alone).max(axis=2) > 30).mean() > 0.01
    QTest.keyClick(find(window, "joint_slider_joint1"), Qt.Key.Key_Right)
    assert np.array_equal(feature.motion.q, window.document.q)
    X = engine.link_poses(model.second, window.document.q)[-1, :3, 3] + second.shift
    assert np.abs(second.bodies["pose"][:, 3, :3] - X).sum(axis=1).min() < 1e-5
    wait_for(lambda: model.table is not None)
    window.bench.views.flush()
    assert find(window, "compare_table").rowCount() == len(model.table.rows) > 5 and "trajectory" in model.note

    # the same tool path, over the first arm
    select(window, find, "compare_drive", "tool")
    select(window, find, "compare_place", False)
    assert not second.shift.any() and second.translucent and "same tool path" in model.captions[1]
    QTest.keyClick(find(window, "joint_slider_joint2"), Qt.Key.Key_Right)
    error = engine.frame_pose(model.second, feature.motion.q) - engine.frame_pose(window.document.robot, window.document.q)
    assert not model.problem and np.abs(error).max() < 1e-5
    window.document.edit(np.zeros(6))
    assert model.problem in ("", OUT_OF_REACH)

    # along a trajectory
    home = window.document.robot.configurations["home"]
    plan = window.features[TrajectoryFeature].model
    for q in (home, home + 0.1):
        plan.add(engine.Waypoint(q=q))
    wait_for(lambda: plan.preview is not None)
    wait_for(lambda: model.table is not None and len(model.table.t))
    assert model.table.drive == "tool" and model.note == ""
    assert model.table["motor work"].b != model.table["motor work"].a
    window.bench.views.flush()
    shown = find(window, "compare_table")
    shown.setFixedWidth(358)  # of the dock in a window of 1400 pixels
    wait_for(lambda: shown.viewport().width() < 358 - shown.verticalHeader().width())
    assert all(shown.sizeHintForColumn(k) <= shown.columnWidth(k) for k in range(3))  # no number is cut off

    # a session keeps it; undo returns
    tables = feature.session_tables()
    assert tables == {"comparison": {"arm": "ur5e", "drive": "tool", "beside": False, "extra_payload": 0.0}}
    window.document.undo_stack.setIndex(0)
    window.bench.views.flush()
    assert model.second is None and not second.visible() and feature.motion is None
    for path in ("//server/arm.toml", "../arm.toml", str(tmp_path / "none.toml")):
        with pytest.raises(ValueError, match="file of the second arm is missing"):
            feature.open_session(SessionFile(format=1, robot={}, comparison={"arm": path}))
    feature.open_session(SessionFile(format=1, robot={}, **tables))
    wait_for(lambda: model.second is not None)
    window.bench.views.flush()
    assert (model.drive, model.choice.beside) == ("tool", False) and second.visible()
    click(window, "compare_end")
    window.bench.views.flush()
    assert not second.visible()


def test_a_heavier_copy_falls_under_the_same_torques_and_plots_show_both(make_window, find, wait_for):
    window = make_window("double_pendulum", perspective="dynamics")
    feature = compare_with(window, find, wait_for, COPY)
    model, plots = feature.model, window.plots
    select(window, find, "compare_drive", "torques")
    field = find(window, "compare_extra")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "1.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    window.bench.views.flush()
    assert model.choice.extra == 1.5 and model.drive == "torques"
    plots.set_plots(("q", "q:second"))
    window.features[PlotsFeature].dock.bring_up()
    wait_for(lambda: on_screen(plots))
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.latest is not None and window.simulation.latest.t > 0.5)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running and len(plots.panes[1].view.curves) == 1)
    latest = window.simulation.latest
    assert np.array_equal(feature.motion.q, latest.follower.q) and np.abs(latest.follower.q - latest.q).max() > 1e-3
    both, difference = (pane.view.curves for pane in plots.panes)
    assert [curves.style for curves in both] == [0, 1] and both[1].source == model.captions[1]
    t = difference[0].x[-1]
    assert difference[0].y[-1] == pytest.approx(both[1].at(t)[:, 1] - both[0].at(t)[:, 1])
    # the second arm alone, simulated with the torques of the first, which are zero
    own = engine.simulate(model.second, window.document.robot.configurations["home"], None, float(latest.t), latest.dt)
    assert own.q[-1] == pytest.approx(latest.follower.q, abs=1e-6)


def test_a_copy_keeps_its_controller_while_the_first_gets_another(make_window, find, wait_for):
    window = make_window("double_pendulum", perspective="trajectory")
    control, robot = window.features[ControlFeature], window.document.robot
    control.choose("pd-gravity")
    feature = compare_with(window, find, wait_for, COPY)
    model, q = feature.model, robot.configurations["home"]
    select(window, find, "compare_drive", "trajectory")
    assert model.captions[1].endswith("(copy), same trajectory, own controller")
    control.choose("pd")
    kept = model.choice.control.controller
    assert type(kept) is type(engine.default_gains(robot, "pd-gravity")) and kept is not window.simulation.control.controller
    window.simulation.set_trajectory(engine.quintic(q, q + 0.5, 0.4))
    window.actions_["run"].trigger()
    wait_for(lambda: window.simulation.latest is not None and window.simulation.latest.t > 0.5)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running)
    latest = window.simulation.latest
    assert np.array_equal(feature.motion.q, latest.follower.q) and np.abs(latest.follower.q - latest.q).max() > 1e-4
    plan = window.features[TrajectoryFeature].model
    for goal in (q, q + 0.3):
        plan.add(engine.Waypoint(q=goal))
    wait_for(lambda: plan.preview is not None and model.table is not None and len(model.table.t))
    assert model.table.drive == "trajectory" and model.table["motor work"].a != model.table["motor work"].b
    control.choose("none")
    wait_for(lambda: model.note == NOT_BUILT_IN and not len(model.table.t))


def test_arms_with_other_joints_share_the_tool_path_and_a_robot_that_cannot_be_read_is_reported(
    make_window, find, wait_for, tmp_path
):
    window = make_window("panda")
    feature = compare_with(window, find, wait_for, "puma560")
    assert feature.model.drive == "tool" and "7 and 6 joints" in find(window, "compare_problem").text()
    assert not find(window, "compare_drive").model().item(0).isEnabled()
    bad = tmp_path / "bad.toml"
    bad.write_text("name = 1\n")
    feature.choose(str(bad))
    wait_for(lambda: "cannot be shown" in feature.model.problem)
    assert feature.model.choice.source == "puma560"
    window.document.open_robot("scara")
    window.bench.views.flush()
    assert window.scene.stage.second.visible() and feature.model.drive == "tool"
