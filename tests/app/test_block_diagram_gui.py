"""The block diagram: numbers at its arrows, blocks that open panels, arrows that add plots, by mouse and keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from armature import engine
from armature.app.block_diagram.diagram_signals import brief
from armature.app.block_diagram.feature import BlockDiagramFeature
from armature.app.control.feature import ControlFeature
from armature.app.state.posed_motion import PosedMotion
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.widgets.on_screen import on_screen

LEFT = Qt.MouseButton.LeftButton


def numbers(panel, arrow: str) -> tuple[str, ...]:
    return panel.arrows[arrow].reading.numbers


def briefs(values) -> tuple[str, ...]:
    return tuple(brief(float(value)) for value in values)


def test_the_loop_is_told_opened_and_plotted(make_window, find, wait_for, press, qtbot):
    window = make_window("puma560", size=(1400, 900), perspective="trajectory")
    feature, robot = window.features[BlockDiagramFeature], window.document.robot
    panel, plots = feature.panel, window.plots
    wait_for(lambda: on_screen(panel) and not panel.folded and panel.arrows["tool"].known)

    # at rest, while the arm is posed: positions and the tool's place; no desired motion
    for k in range(3):
        q = robot.configurations["home"] + 0.1 * k
        window.document.edit(q)
        place = engine.frame_pose(robot, q)[:3, 3]
        wait_for(
            lambda q=q, place=place: (
                numbers(panel, "position") == briefs(np.degrees(q)) and numbers(panel, "tool") == briefs(place)
            )
        )
    holding = engine.gravity_torque(robot, q)
    wait_for(lambda: numbers(panel, "torque") == briefs(holding))
    assert not panel.arrows["desired"].known and "no value at this time" in panel.arrows["desired"].toolTip()
    assert panel.blocks["control"].idle and panel.blocks["trajectory"].state == "idle"
    assert panel.arrows["torque"].symbol == "τ required" and panel.blocks["dynamics"].detail == "ε = 0"

    # a motion that is typed: the torque that it needs, beside its own speeds and accelerations
    qd, qdd = np.linspace(0.5, -0.5, robot.n), np.linspace(-1.0, 2.0, robot.n)
    window.bench.simulation.pose_motion(PosedMotion(qd, qdd))
    torque = engine.rnea(robot, q, qd, qdd) + engine.friction_torque(robot, qd)
    wait_for(lambda: numbers(panel, "acceleration") == briefs(np.degrees(qdd)) and numbers(panel, "torque") == briefs(torque))
    assert numbers(panel, "feedback") == briefs(np.degrees(qd)) and panel.blocks["dynamics"].detail == "ε: friction"
    window.bench.simulation.pose_motion(PosedMotion(0 * qd, 0 * qd))
    wait_for(lambda: numbers(panel, "torque") == briefs(holding))

    # a click on a block opens its panel
    for block, dock in (
        ("control", "control"),
        ("dynamics", "dynamics"),
        ("integration", "simulation"),
        ("kinematics", "kinematics"),
    ):
        QTest.mouseClick(panel.blocks[block], LEFT)
        wait_for(lambda dock=dock: on_screen(window.docks[dock].panel))
    QTest.mouseClick(panel.blocks["trajectory"], LEFT)
    wait_for(lambda: on_screen(window.docks["trajectory"].panel))

    # a click on an arrow adds its plot once, its menu the desired acceleration of the tool
    window.actions_["fold_bottom"].setChecked(True)
    for _ in range(2):
        QTest.mouseClick(panel.arrows["torque"], LEFT)
        QTest.mouseClick(panel.arrows["desired"], LEFT)
    wait_for(lambda: on_screen(plots))
    assert [pane.name for pane in plots.panes] == ["q", "qd", "tau", "energy", "q:desired"]
    for plot in ("tool_velocity:desired", "tool_acceleration:desired"):
        panel.arrows["desired"].setFocus()
        press(panel.arrows["desired"], Qt.Key.Key_Menu)
        panel.arrows["desired"].menu_requested.emit(panel.mapToGlobal(panel.rect().center()))
        menu = window.findChild(QMenu, "context_menu")
        next(action for action in menu.actions() if action.objectName() == f"context_{plot}").trigger()
        menu.close()
        QApplication.sendPostedEvents(None, 52)
    assert [pane.name for pane in plots.panes][-2:] == ["tool_velocity:desired", "tool_acceleration:desired"]

    # a run: what is desired, and its curves
    trajectory = window.features[TrajectoryFeature]
    trajectory.perform("example")
    wait_for(lambda: trajectory.model.preview is not None)
    motion = trajectory.model.preview.trajectory
    trajectory.perform("run")
    wait_for(lambda: window.simulation.latest.t > 1.5)
    window.actions_["pause"].trigger()
    wait_for(lambda: not window.simulation.running and not plots._stale)
    latest = window.simulation.latest
    wait_for(lambda: numbers(panel, "desired") == briefs(np.degrees(latest.q_desired)))
    assert numbers(panel, "acceleration") == briefs(np.degrees(latest.qdd)) and numbers(panel, "torque") == briefs(latest.tau)
    assert panel.blocks["control"].state == "Computed torque" and panel.arrows["torque"].symbol == "u = τ"
    t = latest.t
    _, twist, rate = engine.tool_motion(robot, motion, t)
    velocity, acceleration = (pane.view for pane in plots.panes[-2:])
    assert velocity.values[-1] == pytest.approx(twist[:3], abs=1e-9) and np.abs(twist[:3]).max() > 1e-3
    assert acceleration.values[-1] == pytest.approx(rate[:3], abs=1e-8)

    # keys: from part to part, Return presses
    panel.blocks["dynamics"].setFocus()
    assert panel.blocks["dynamics"].hasFocus()
    steps = window.simulation.latest.steps
    press(panel.blocks["dynamics"], Qt.Key.Key_Right)
    assert panel.arrows["acceleration"].hasFocus() and window.simulation.latest.steps == steps
    press(panel.arrows["acceleration"], Qt.Key.Key_Return)
    wait_for(lambda: plots.panes[-1].name == "qdd")

    # folded by hand, and with the window's height
    height = window.scene.height()
    QTest.mouseClick(panel.fold, LEFT)
    wait_for(lambda: window.scene.height() > height + 40 and not panel.arrows["feedback"].isVisible())
    QTest.mouseClick(panel.fold, LEFT)
    wait_for(lambda: not panel.folded)
    window.resize(1024, 700)
    wait_for(lambda: panel.folded and panel.width() == 1024)
    QTest.mouseClick(panel.blocks["control"], LEFT)
    wait_for(lambda: on_screen(window.docks["control"].panel))
    window.resize(1000, 800)
    wait_for(lambda: not panel.folded and panel.joint.isVisible())
    panel.joint.setCurrentIndex(2)
    wait_for(lambda: panel.arrows["position"].lines[0].startswith(f"₃ {briefs(np.degrees(window.document.q))[2]}"))

    # an arm without masses says so, and a tree has all its joints
    window.document.open_robot("two_arms")
    wait_for(lambda: len(numbers(panel, "position")) == window.document.robot.n and panel.arrows["tool"].known)
    window.document.open_robot("irb140")
    wait_for(lambda: panel.blocks["dynamics"].state == "no masses" and not panel.arrows["torque"].known)
    assert "mass" in panel.blocks["dynamics"].toolTip() and len(numbers(panel, "position")) == window.document.robot.n


def test_the_equation_holds_at_rest_in_motion_and_at_a_stop(make_window, find, wait_for, press):
    window = make_window("scara", size=(1400, 900), perspective="trajectory")
    feature, latest = window.features[BlockDiagramFeature], lambda: window.simulation.latest
    panel, dynamics = feature.panel, feature.panel.blocks["dynamics"]
    wait_for(lambda: on_screen(panel) and panel.arrows["torque"].known)
    assert panel.blocks["control"].state == "idle" and panel.arrows["torque"].needed  # what holds the quill is given by nothing
    assert numbers(panel, "torque")[2] == brief(-0.8 * 9.81) and "required" in panel.arrows["torque"].toolTip()
    wait_for(lambda: dynamics.detail == "ε = 0")
    assert panel.arrows["position"].lines[0].startswith("₁ ")

    window.document.edit(np.array([0.3, 0.4, 0.19]))
    window.actions_["run"].trigger()
    wait_for(lambda: latest().t > 0.02 and not panel.arrows["torque"].needed)
    wait_for(lambda: latest().t > 1.5 and abs(latest().qd[2]) < 1e-9 and "stop" in dynamics.detail)
    window.actions_["pause"].trigger()
    wait_for(lambda: not latest().running)
    terms = feature._terms()
    assert panel.blocks["control"].state == "idle" and panel.arrows["torque"].symbol == "u = τ"
    assert numbers(panel, "torque")[2] == brief(0.0) and not latest().tau.any()
    gravity = engine.gravity_torque(window.document.robot, latest().q)
    assert terms.epsilon == pytest.approx(-gravity, abs=1e-6) and abs(gravity[2]) > 7.0
    assert f"g {brief(gravity[2])} + ε {brief(-gravity[2])} = τ {brief(0.0)} N" in dynamics.toolTip()


def test_a_replay_names_the_law_behind_its_torques(make_window, wait_for, tmp_path):
    """The recorded one, whatever law is chosen now, and that of the sample where it changed on the way."""
    window = make_window("scara", size=(1400, 900), perspective="trajectory")
    panel, robot = window.features[BlockDiagramFeature].panel, window.document.robot
    q, law = np.array([0.3, 0.4, 0.1]), engine.default_gains(robot, "pd-gravity")
    run = engine.simulate(robot, q, None, 0.1, 1e-3, law)
    other = {**run.metadata["controller"], **engine.default_gains(robot, "gravity").describe()}
    events = [*run.metadata["events"], {"row": 50, "kind": "controller", "controller": other}]
    run = engine.Recording.from_table(run.table(), run.joint_names, {**run.metadata, "events": events})
    window.files.open_path(str(run.save(tmp_path / "run.npz")))
    wait_for(lambda: window.replay.replaying and on_screen(panel) and panel.arrows["torque"].known)
    wait_for(lambda: panel.blocks["control"].state == "PD + gravity")
    assert not panel.blocks["control"].idle and not panel.arrows["torque"].needed
    assert panel.blocks["trajectory"].state == "replay" and not panel.blocks["trajectory"].idle
    window.features[ControlFeature].choose("computed-torque")
    window.replay.seek(0.6)
    wait_for(lambda: panel.blocks["control"].state == "Gravity compensation")
    window.replay.seek(0.3)
    wait_for(lambda: panel.blocks["control"].state == "PD + gravity")
    window.replay.close()
    wait_for(lambda: panel.blocks["control"].state == "Computed torque" and panel.blocks["trajectory"].idle)


def test_a_number_in_large_letters_has_its_unit_beside_it_or_at_the_symbol(make_window, wait_for):
    window = make_window("puma560", size=(1400, 900), anew=True, perspective="trajectory", text_scale=150)
    panel = window.features[BlockDiagramFeature].panel
    wait_for(lambda: on_screen(panel) and panel.arrows["acceleration"].known)
    window.bench.simulation.pose_motion(PosedMotion(np.zeros(6), np.full(6, np.radians(-0.5))))
    wait_for(lambda: numbers(panel, "acceleration")[0] == brief(-0.5))
    arrows = [panel.arrows[name] for name in ("torque", "acceleration", "position")]
    assert [len(arrow.lines) for arrow in arrows] == [1, 1, 1] and not any(arrow.tells_all for arrow in arrows)
    assert all(arrow.reading.units[0] in arrow.head + arrow.lines[0] for arrow in arrows)
    assert (panel.arrows["acceleration"].head, panel.arrows["acceleration"].lines) == ("q̈  [°/s²]", ["₁ −0.500"])


def test_paused_in_a_stay_of_its_trajectory_the_law_s_torque_is_told(make_window, find, wait_for):
    """At rest by the law and not by a hand: what it gives then is what it gave."""
    window = make_window("puma560", size=(1400, 900), perspective="trajectory")
    feature, simulation = window.features[BlockDiagramFeature], window.simulation
    find(window, "trajectory_example").trigger()
    model = window.features[TrajectoryFeature].model
    model.put(model.draft.with_waypoint(0, replace(model.draft.waypoints[0], dwell=30.0)))  # however late the pause comes
    window.bench.views.flush()
    wait_for(find(window, "trajectory_run").isEnabled)
    QTest.mouseClick(find(window, "trajectory_run"), LEFT)
    wait_for(lambda: simulation.running and simulation.latest.t > 0.05)
    simulation.pause()
    wait_for(lambda: not simulation.running)
    assert simulation.latest.t < 30.0 and not simulation.latest.posed
    torque = feature.panel.arrows["torque"]
    wait_for(lambda: torque.known and not torque.needed)  # what was told before the run is read anew ten times a second
    wait_for(lambda: numbers(feature.panel, "torque") == briefs(simulation.latest.tau))
    assert feature.panel.arrows["acceleration"].known and torque.symbol == "u = τ"
