"""An imported log in the window: torques beside the model's, singularities met, followed, and simulated beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from armature import engine
from armature.app.plots.plot_signals import RecordingSource
from armature.app.recording.measured.feature import MeasuredFeature
from armature.app.recording.replay_tools_feature import ReplayToolsFeature
from armature.app.trajectory.feature import TrajectoryFeature
from armature.app.trajectory.trajectory_model import RunMode
from armature.engine.files import shipped
from tests.engine import awkward_logs
from tests.engine.awkward_logs import motion


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A log with torques that an arm with an object of 1 kg would need, and one that goes through a singularity, without any."""
    folder, robot = tmp_path_factory.mktemp("logs"), engine.load_robot("ur5")
    t = awkward_logs.times()
    q, qd, qdd = motion(t)
    np.savez(folder / "loaded.npz", t=t, q=q, tau=engine.rnea(robot.with_payload(1.0), q, qd, qdd))
    loaded = engine.import_log(folder / "loaded.npz", robot).save(folder / "loaded.csv")
    way = engine.quintic(robot.configurations["home"], robot.configurations["upright"], 2.0).sample(np.linspace(0, 2, 250))[0]
    np.savez(folder / "up.npz", t=np.linspace(0, 2, 250), q=way)
    return loaded, engine.import_log(folder / "up.npz", robot).save(folder / "up.mcap")


def test_measured_beside_the_model(make_window, files, find, click, wait_for):
    window = make_window("ur5")
    window.actions_["perspective_dynamics"].trigger()
    window.files.open_path(str(files[0]))
    panel = window.features[MeasuredFeature].panel
    wait_for(lambda: panel.table.rowCount() == 6 and panel.table.isVisible())
    found = engine.torque_residuals(window.replay.recording, engine.load_robot("ur5"))
    assert float(panel.table.item(1, 1).text()) == pytest.approx(found.rms[1], rel=0.01) and found.rms[1] > 3
    assert (
        "Imported from loaded.npz" in find(window, "measured_about").text() and "10 Hz" in find(window, "measured_about").text()
    )
    cell = panel.table.visualItemRect(panel.table.item(1, 3)).center()
    QTest.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    assert window.replay.t == pytest.approx(found.at[1], abs=0.01)
    click(window, "measured_torques")
    panes = {pane.signal: pane for pane in window.plots.panes}
    assert {"tau_model", "tau_residual"} <= set(panes)
    wait_for(lambda: len(panes["tau_model"].view.curves) == 2 and len(panes["tau_residual"].view.curves) == 1)
    measured, model = (curves.y[:, 1] for curves in panes["tau_model"].view.curves)
    assert np.allclose(measured - model, panes["tau_residual"].view.curves[0].y[:, 1])
    assert np.sqrt(np.mean((measured - model) ** 2)) == pytest.approx(found.rms[1], rel=1e-3)

    click(window, "measured_beside")  # the second click since the recording was opened
    tools = window.features[ReplayToolsFeature]
    wait_for(lambda: [name for name, _ in tools.compared] == ["simulated"])
    run = tools.compared[0][1]
    assert np.abs(run.q - motion(run.t)[0]).max() < 0.02 and "max. tracking error" in find(window, "measured_told").text()

    window.features[MeasuredFeature].dock.bring_up()
    wait_for(lambda: panel.follow.isVisible())
    tools.mark(1)  # up to where the replay is
    q = window.document.q.copy()  # elsewhere than where the recorded motion begins
    click(window, "measured_follow")
    model, run = window.features[TrajectoryFeature].model, window.features[TrajectoryFeature].run
    wait_for(lambda: model.mode is RunMode.APPROACH)
    assert np.abs(window.document.q - q).max() < 0.2  # it moves to the start instead of jumping there
    wait_for(lambda: model.followed is not None and not window.replay.replaying)
    assert model.followed.duration == pytest.approx(found.at[1], abs=0.03)
    wait_for(lambda: run.t > 0.1)
    run.stop()


def test_singularities_are_gone_to(make_window, files, find, wait_for):
    window = make_window("ur5")
    window.actions_["perspective_dynamics"].trigger()
    window.files.open_path(str(files[1]))
    panel = window.features[MeasuredFeature].panel
    wait_for(lambda: panel.list.count())
    assert "No torque was measured" in panel.why.text() and not panel.table.isVisible()
    last = panel.list.item(panel.list.count() - 1)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=panel.list.visualItemRect(last).center())
    assert window.replay.t == pytest.approx(2.0, abs=0.05)
    assert engine.singularity(engine.load_robot("ur5"), window.document.q).condition > 17
    window.replay.close()
    wait_for(lambda: not panel.list.count() and "import the log" in find(window, "measured_about").text())


def test_curves_of_the_model_carry_what_the_tool_held():
    """Of a run that grasps and releases, the model's torques are those that moved the arm, wherever friction is known."""
    puma, path = engine.load_robot("puma560"), shipped("assets", "trajectories", "pick_place_puma560.toml")
    way, law = engine.load_trajectory(path, puma), engine.default_gains(puma, "computed-torque")
    run = engine.simulate(puma, way.start, None, way.duration, 1e-2, law, trajectory=way)
    model = RecordingSource(run, "", puma).get("tau_model")
    moving = np.abs(run.qd) > 1e-3
    assert moving.sum() > 1000
    np.testing.assert_allclose(model[moving], run.tau[moving], atol=1e-6)
    other = replace(run, metadata={})  # of which nothing tells what acted on it
    bare = RecordingSource(other, "", puma).get("tau_model")
    assert np.abs(bare - model)[:, 1].max() > 1.0
