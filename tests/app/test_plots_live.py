"""Plots of a controller at work: goals, errors and the phase portrait follow the run, which zoom and hold leave alone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.plots.plot_reading import marks
from armature.app.plots.plot_signals import COLUMNS, RecordingSource
from armature.app.trajectory.feature import TrajectoryFeature
from tests.app.double_click import double_click
from tests.app.test_control_gui import choose as choose_law
from tests.app.test_plot_view import at, choose, move, turn_wheel

PLOTS = ("q:error", "q:both", "qd:error", "tool:error", "phase")


@pytest.fixture
def working(make_window, find, wait_for):
    """Computed torque on its way through the pick and place, one pane for each of PLOTS."""
    window = make_window("puma560", size=(1500, 1000), plots=PLOTS)
    choose_law(window, find, "computed-torque")
    find(window, "trajectory_example").trigger()
    feature = window.features[TrajectoryFeature]
    wait_for(lambda: feature.model.preview is not None)
    window.docks.bring_up("plots")
    QTest.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    wait_for(lambda: window.simulation.running and window.simulation.latest.t > 0.6)
    return window


def panes(window):
    return dict(zip(PLOTS, (pane.view for pane in window.plots.panes), strict=True))


def drawn_since(window, wait_for, t):
    """Wait until every pane shows samples from after t."""
    views = panes(window).values()
    wait_for(lambda: all(last_drawn(view) > t for view in views))


def last_drawn(view):
    """Time of the newest sample that a pane shows; −1 where it shows none."""
    times = [curves.x if curves.timed else curves.t for curves in view.curves[:1]]
    return times[0][-1] if times and len(times[0]) else -1.0


def test_desired_and_error_follow_the_run_in_joints_and_at_the_tool(working, wait_for):
    views, robot = panes(working), working.document.robot
    trajectory = working.features[TrajectoryFeature].model.preview.trajectory
    for t in (1.5, 2.0):
        drawn_since(working, wait_for, t)
    assert working.simulation.running
    actual, desired = views["q:both"].curves
    assert actual.style != desired.style and len(desired.names) == robot.n
    wanted = np.degrees(trajectory.sample(desired.x)[0])
    np.testing.assert_allclose(desired.y, wanted, atol=1e-6)
    assert np.ptp(desired.y, axis=0).max() > 1.0, "it moves"
    error = views["q:error"].curves[0]
    assert 0 < np.abs(error.y).max() < np.degrees(5e-4), "computed torque with a perfect model, up to where joints break loose"
    (_, here, there) = np.intersect1d(error.x, actual.x, return_indices=True)
    assert len(here) > 5
    np.testing.assert_allclose(error.y[here], (desired.y - actual.y)[there], atol=1e-12)
    assert 0 < np.abs(views["qd:error"].curves[0].y).max() < 1.0
    tool = views["tool:error"].curves[0]
    assert tool.names == COLUMNS["tool"] and 0 < np.abs(tool.y).max() < 1e-3
    k, rows = -1, working.plots._history
    X = engine.frame_pose(robot, rows.get("q")[k]), engine.frame_pose(robot, rows.get("q_desired")[k])
    np.testing.assert_allclose((rows.get("tool_desired") - rows.get("tool"))[k], (X[1] - X[0])[:3, 3], atol=1e-12)
    pane = working.plots.panes[3]
    choose(pane, "plot_mode_desired")
    wait_for(lambda: len(pane.view.t) and np.abs(pane.view.values[-1]).max() > 0.1)


def test_all_plots_end_at_the_same_time_in_every_frame_of_a_run(make_window, wait_for):
    window = make_window(plots=("q", "qd", "tau", "energy"))
    window.docks.bring_up("plots")
    ends = []
    window.clock.plotting.connect(lambda: ends.append({last_drawn(pane.view) for pane in window.plots.panes}))
    window.scene.setFocus()
    QTest.keyClick(window.scene, Qt.Key.Key_Space)
    wait_for(lambda: len({min(shown) for shown in ends}) > 5)
    assert window.simulation.running and max(map(len, ends)) == 1
    assert len({pane.view.view[:2] for pane in window.plots.panes}) == 1


def test_recordings_of_different_lengths_share_one_axis_whatever_they_hold(make_window, wait_for, tmp_path):
    window = make_window(plots=("q", "q:off"))
    arm = window.document.robot
    long = engine.simulate(arm, arm.configurations["home"], None, 0.2, 1e-3)
    short = engine.simulate(arm, arm.configurations["home"], None, 0.1, 1e-3, sensors=engine.Sensors(position_noise=1e-4))
    sources = [RecordingSource(one, name, arm) for one, name in ((long, "long"), (short, "short"))]
    window.docks.bring_up("plots")
    window.plots.show_recordings(sources)
    wait_for(lambda: [len(pane.view.curves) for pane in window.plots.panes] == [2, 1])
    assert {pane.view.view[:2] for pane in window.plots.panes} == {(0.0, long.duration)}


def test_zoom_and_hold_leave_the_run_alone(working, find, wait_for):
    drawn_since(working, wait_for, 0.6)
    view = panes(working)["q:error"]
    before = working.simulation.latest
    turn_wheel(view, at(view, 0.3, sum(view.view[2:]) / 2), 4)
    chosen = view.view[:2]
    wait_for(lambda: working.simulation.latest.t > before.t + 0.4)
    assert view.view[:2] == chosen and working.simulation.running
    drawn_since(working, wait_for, before.t + 0.2)  # new samples are there, beyond what is looked at
    find(working, "plot_pause").click()
    wait_for(lambda: not working.plots._stale)
    held, t = view.t[-1], working.simulation.latest.t
    wait_for(lambda: working.simulation.latest.t > t + 0.4)
    assert view.t[-1] == held and working.simulation.running
    factor = working.simulation.latest.steps - before.steps
    assert factor == round((working.simulation.latest.t - before.t) / working.simulation.latest.dt), "no step was dropped"
    find(working, "plot_pause").click()
    drawn_since(working, wait_for, t + 0.3)
    double_click(view, Qt.MouseButton.LeftButton, pos=view.rect().center())
    wait_for(lambda: view.view[1] != chosen[1])


def test_a_phase_portrait_tells_both_values_and_the_time(working, find, wait_for):
    drawn_since(working, wait_for, 2.0)
    find(working, "plot_pause").click()
    wait_for(lambda: not working.plots._stale)
    views = panes(working)
    phase, times = views["phase"], views["q:both"]
    curves, paper = phase.curves[0], phase._paper()
    k, j = np.unravel_index(int(np.argmax(np.abs(curves.y))), curves.y.shape)  # the fastest, away from all others
    place = QPointF(paper.x(curves.x[k, j]), paper.y(curves.y[k, j])).toPoint()
    QTest.mouseMove(phase, place)
    move(phase, place)
    t = times._read_at
    row = int(np.argmin(np.abs(curves.t - t)))
    there = np.hypot(paper.x(curves.x[row]) - place.x(), paper.y(curves.y[row]) - place.y()).min()
    assert there <= 1.0, "the nearest sample"
    texts = {text.split()[0]: text.replace("−", "-") for _, _, text in phase.reading()}
    name = working.document.robot.joint_names[j]
    q, qd = (float(part) for part in texts[name].split(maxsplit=1)[1].split(","))
    assert (q, qd) == pytest.approx((curves.x[row, j], curves.y[row, j]), rel=1e-3, abs=1e-3)
    shown = dict(zip(times.curves[0].names, times.curves[0].at(t)[:, 1], strict=True))
    assert shown[name] == pytest.approx(q, rel=1e-3, abs=1e-3), "the other plots point at the same time"
    move(phase, QPoint(2, 2))
    assert phase._read_at is None and times._read_at is None
    move(times, at(times, 1.0, sum(times.view[2:]) / 2))
    assert phase._read_at == pytest.approx(1.0, abs=0.1)
    assert len(marks(phase.curves, phase._read_at)) == working.document.robot.n
